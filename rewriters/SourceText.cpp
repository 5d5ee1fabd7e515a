// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/SourceText.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/WrittenMacros.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>

using namespace clang;

namespace barricade {

PrintingPolicy writtenPolicy(const ASTContext &Context) {
  PrintingPolicy Policy = Context.getPrintingPolicy();
  Policy.SuppressUnwrittenScope = true;
  return Policy;
}

std::string writtenDeclaration(QualType Type, std::string Name,
                               const ASTContext &Context) {
  Type.getAsStringInternal(Name, writtenPolicy(Context));
  return Name;
}

llvm::StringRef SourceText::text(SourceLocation Begin,
                                 SourceLocation End) const {
  auto [Buffer, First] = bufferAt(Begin);
  auto [Other, Last] = bufferAt(afterToken(End));
  return Buffer.data() == Other.data() && First <= Last
             ? Buffer.slice(First, Last)
             : llvm::StringRef();
}

llvm::StringRef SourceText::text(const Stmt &S) const {
  return text(S.getBeginLoc(), S.getEndLoc());
}

llvm::StringRef SourceText::text(CharSourceRange Range) const {
  auto [Buffer, First] = bufferAt(Range.getBegin());
  return Buffer.slice(First, bufferAt(Range.getEnd()).second);
}

std::optional<CharSourceRange> SourceText::fileRange(const Stmt &S) const {
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(S.getSourceRange()), SM, Lang);
  if (Range.isInvalid())
    return std::nullopt;
  return Range;
}

SourceLocation SourceText::afterNextToken(SourceLocation Where) const {
  auto Next = Lexer::findNextToken(Where, SM, Lang);
  return Next ? Next->getEndLoc() : SourceLocation();
}

SourceLocation SourceText::afterToken(SourceLocation Where) const {
  return Where.getLocWithOffset(Lexer::MeasureTokenLength(Where, SM, Lang));
}

SourceLocation SourceText::afterBlanks(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(Where);
  const llvm::StringRef Rest = Buffer.drop_front(Offset);
  return Where.getLocWithOffset(Rest.size() - Rest.ltrim(" \t").size());
}

SourceLocation SourceText::afterStatement(const Stmt &S) const {
  SourceLocation End = S.getEndLoc();
  if (!isWritable(End))
    return {};
  // Statements that close themselves; all others end in a semicolon that most
  // of Clang's ranges leave out.
  const Stmt *Last = &S;
  while (true) {
    if (const auto *If = dyn_cast<IfStmt>(Last))
      Last = If->getElse() ? If->getElse() : If->getThen();
    else if (const auto *For = dyn_cast<ForStmt>(Last))
      Last = For->getBody();
    else if (const auto *Range = dyn_cast<CXXForRangeStmt>(Last))
      Last = Range->getBody();
    else if (const auto *While = dyn_cast<WhileStmt>(Last))
      Last = While->getBody();
    else if (const auto *Switch = dyn_cast<SwitchStmt>(Last))
      Last = Switch->getBody();
    else if (const auto *Label = dyn_cast<LabelStmt>(Last))
      Last = Label->getSubStmt();
    else if (const auto *Case = dyn_cast<SwitchCase>(Last))
      Last = Case->getSubStmt();
    else if (const auto *Attributed = dyn_cast<AttributedStmt>(Last))
      Last = Attributed->getSubStmt();
    else
      break;
  }
  if (isa<CompoundStmt>(Last))
    return afterToken(End);
  auto [Buffer, Offset] = bufferAt(End);
  if (isa<NullStmt, DeclStmt>(Last) && Buffer.substr(Offset, 1) == ";")
    return afterToken(End);
  auto Next = Lexer::findNextToken(End, SM, Lang);
  if (!Next || Next->isNot(tok::semi) || !isWritable(Next->getLocation()))
    return {};
  return Next->getEndLoc();
}

SourceLocation SourceText::lineStart(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(Where);
  size_t Newline = Buffer.rfind('\n', Offset);
  size_t Start = Newline == llvm::StringRef::npos ? 0 : Newline + 1;
  return Where.getLocWithOffset(int(Start) - int(Offset));
}

SourceLocation SourceText::nextLineStart(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(Where);
  size_t Newline = Buffer.find('\n', Offset);
  return Newline == llvm::StringRef::npos
             ? SourceLocation()
             : Where.getLocWithOffset(int(Newline) + 1 - int(Offset));
}

bool SourceText::isLastOnLine(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(Where);
  return Buffer.substr(Offset)
      .take_until([](char C) { return C == '\n'; })
      .trim(" \t\r")
      .empty();
}

bool SourceText::isBlankLine(SourceLocation Where) const {
  return isLastOnLine(lineStart(Where));
}

llvm::DenseSet<unsigned>
SourceText::linesWithinStrings(SourceLocation First,
                               SourceLocation Last) const {
  llvm::DenseSet<unsigned> Result;
  forEachToken(First, Last, [&](const Token &T) {
    if (!tok::isStringLiteral(T.getKind()))
      return;
    for (SourceLocation Line = nextLineStart(T.getLocation());
         Line.isValid() && Line < T.getEndLoc(); Line = nextLineStart(Line))
      Result.insert(SM.getFileOffset(Line));
  });
  return Result;
}

/// Compilers take blanks between the backslash and the line's end.
static bool hasSplice(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef, 16> Lines;
  Text.split(Lines, '\n');
  return llvm::any_of(llvm::drop_end(Lines), [](llvm::StringRef Line) {
    Line = Line.rtrim();
    return Line.ends_with("\\") || Line.ends_with("?\?/");
  });
}

bool SourceText::hasSplitLines(SourceLocation First,
                               SourceLocation Last) const {
  auto IsSplit = [&](SourceLocation Begin, SourceLocation End) {
    return hasSplice(text(CharSourceRange::getCharRange(Begin, End)));
  };
  bool Found = !linesWithinStrings(First, Last).empty();
  unsigned Parentheses = 0;
  SourceLocation End = First;
  const auto Look = [&](const Token &T) {
    // Among arguments nothing is inserted, and blanks mean nothing.
    Found |= IsSplit(T.getLocation(), T.getEndLoc()) ||
             (Parentheses == 0 && IsSplit(End, T.getLocation()));
    if (T.is(tok::l_paren))
      ++Parentheses;
    else if (T.is(tok::r_paren) && Parentheses > 0)
      --Parentheses;
    End = T.getEndLoc();
  };
  forEachToken(First, Last, Look, /*WithComments=*/true);
  return Found || (End < Last && IsSplit(End, Last));
}

SourceLocation SourceText::leadingComment(SourceLocation First,
                                          SourceLocation Last) const {
  SourceLocation Result;
  const auto Look = [&](const Token &T) {
    if (Result.isInvalid() && T.is(tok::comment) &&
        isFirstOnLine(T.getLocation()))
      Result = T.getLocation();
  };
  forEachToken(First, Last, Look, /*WithComments=*/true);
  return Result.isValid() ? Result : Last;
}

llvm::StringRef SourceText::indentation(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(lineStart(Where));
  return Buffer.substr(Offset).take_while(
      [](char C) { return C == ' ' || C == '\t'; });
}

bool SourceText::isFirstOnLine(SourceLocation Where) const {
  auto [Buffer, Start] = bufferAt(lineStart(Where));
  auto [Same, Offset] = bufferAt(Where);
  return Buffer.slice(Start, Offset).trim(" \t").empty();
}

llvm::StringRef SourceText::lineEnding(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(Where);
  size_t End = Buffer.find('\n', Offset);
  if (End == llvm::StringRef::npos)
    End = Buffer.rfind('\n', Offset);
  return End != llvm::StringRef::npos && End > 0 && Buffer[End - 1] == '\r'
             ? "\r\n"
             : "\n";
}

std::string SourceText::deeper(SourceLocation Outer,
                               SourceLocation Inner) const {
  llvm::StringRef Base = indentation(Outer), Deep = indentation(Inner);
  if (!onOneLine(Outer, Inner) && Deep.size() > Base.size() &&
      Deep.starts_with(Base))
    return Deep.str();
  return (Base + (Base.contains('\t') ? "\t" : "  ")).str();
}

bool SourceText::onOneLine(SourceLocation A, SourceLocation B) const {
  return lineStart(A) == lineStart(B);
}

SourceLocation SourceText::afterTrailingComment(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(Where);
  llvm::StringRef Line = Buffer.substr(Offset).take_until(
      [](char C) { return C == '\n' || C == '\r'; });
  llvm::StringRef Rest = Line.trim(" \t");
  // A line comment that ends in a backslash goes on; leave it alone.
  bool Comment = Rest.starts_with("//") && !Rest.ends_with("\\");
  bool Block = Rest.starts_with("/*") && Rest.ends_with("*/") &&
               Rest.find("*/") == Rest.size() - 2;
  if (!Rest.empty() && !Comment && !Block)
    return Where;
  return Where.getLocWithOffset(int(Line.rtrim(" \t").size()));
}

SourceLocation SourceText::beforeComments(SourceLocation Where) const {
  if (!isFirstOnLine(Where))
    return Where;
  auto [Buffer, Offset] = bufferAt(Where);
  SourceLocation Start = lineStart(Where);
  bool InBlock = false;
  for (SourceLocation Above = Start; bufferAt(Above).second > 0;) {
    Above = lineStart(Above.getLocWithOffset(-1));
    llvm::StringRef Line = Buffer.substr(bufferAt(Above).second)
                               .take_until([](char C) { return C == '\n'; })
                               .trim();
    InBlock |= Line.ends_with("*/");
    if (InBlock && Line.starts_with("/*"))
      InBlock = false;
    else if (InBlock ? Line.contains("/*") : !Line.starts_with("//"))
      break;
    if (!InBlock)
      Start = Above;
  }
  return Start;
}

/// \p Comment, which begins on \p Line, has a word for tools that is about
/// \p About.
static bool isAboutLine(llvm::StringRef Comment, unsigned Line,
                        unsigned About) {
  for (size_t At = Comment.find("NOLINT"); At != llvm::StringRef::npos;
       At = Comment.find("NOLINT", At + 1)) {
    const unsigned Own = Line + Comment.take_front(At).count('\n');
    if (Own + Comment.substr(At).starts_with("NOLINTNEXTLINE") == About)
      return true;
  }
  return false;
}

SourceLocation SourceText::beforeLineComment(SourceLocation Where) const {
  const auto [Buffer, Offset] = bufferAt(Where);
  const FileID File = SM.getFileID(Where);
  const unsigned Line = SM.getLineNumber(File, Offset);
  llvm::SmallVector<Token, 4> Comments; // Right before.
  if (Buffer.take_front(Offset).contains("NOLINT"))
    forEachToken(
        SM.getLocForStartOfFile(File), Where,
        [&](const Token &T) {
          if (T.isNot(tok::comment))
            Comments.clear();
          else
            Comments.push_back(T);
        },
        /*WithComments=*/true);
  for (const Token &Comment : Comments) {
    const SourceLocation Begin = Comment.getLocation();
    const unsigned At = SM.getFileOffset(Begin);
    if (!isAboutLine(Buffer.substr(At, Comment.getLength()),
                     SM.getLineNumber(File, At), Line))
      continue;
    // The end of a directive's line.
    const bool IsInDirective = continuesLine(Begin) ||
                               Buffer.substr(SM.getFileOffset(lineStart(Begin)))
                                   .ltrim()
                                   .starts_with("#");
    return IsInDirective ? Where : Begin;
  }
  return Where;
}

void SourceText::keepWithComments(SourceLocation Begin,
                                  std::vector<Edit> &Edits) const {
  const Place From = placeOf(Begin, SM);
  const Place To = placeOf(beforeLineComment(Begin), SM);
  if (From == To)
    return;
  const auto IsBefore = [&](const Edit &E) {
    return E.File == From.File && E.Offset == From.Offset && E.Length == 0;
  };
  // What follows the last line stands on the statement's own.
  const auto Last = llvm::find_if(llvm::reverse(Edits), [&](const Edit &E) {
    return IsBefore(E) && llvm::StringRef(E.Text).rtrim(" \t").ends_with("\n");
  });
  if (Last == Edits.rend())
    return;
  const llvm::StringRef Text = Last->Text;
  llvm::StringRef Deeper = Text.substr(Text.rfind('\n') + 1);
  Edit Indent = insertion(
      Begin, Deeper.consume_front(indentation(Begin)) ? Deeper.str() : "");
  for (Edit &E : llvm::make_range(Edits.begin(), Last.base()))
    if (IsBefore(E))
      E.Offset = To.Offset;
  if (!Indent.Text.empty())
    Edits.insert(Last.base(), std::move(Indent));
}

bool SourceText::continuesLine(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(lineStart(Where));
  return Buffer.take_front(Offset).rtrim("\r\n").ends_with("\\");
}

SourceLocation SourceText::openedAt(const Token &Last) const {
  const tok::TokenKind Open =
      Last.is(tok::r_square) ? tok::l_square : tok::l_paren;
  SourceLocation At = Last.getLocation();
  for (unsigned Depth = 1; Depth > 0;) {
    const std::optional<Token> Before =
        Lexer::findPreviousToken(At, SM, Lang, /*IncludeComments=*/false);
    if (!Before)
      return {};
    At = Before->getLocation();
    Depth += Before->is(Last.getKind());
    Depth -= Before->is(Open);
  }
  return At;
}

SourceLocation SourceText::prefixBegin(const Token &Last) const {
  std::optional<Token> Name = Last;
  if (Last.is(tok::r_paren)) {
    const SourceLocation Open = openedAt(Last);
    Name = Open.isInvalid()
               ? std::nullopt
               : Lexer::findPreviousToken(Open, SM, Lang,
                                          /*IncludeComments=*/false);
  }
  return Name && Name->is(tok::raw_identifier) &&
                 isOfNextDeclaration(Name->getRawIdentifier(), Context)
             ? Name->getLocation()
             : SourceLocation();
}

SourceLocation SourceText::beforeAttributes(const FunctionDecl &Function,
                                            SourceLocation Begin) const {
  // Attributes that Clang does not know are no part of the declaration, nor are
  // macros that stand for nothing.
  const auto SpelledAttribute = [&](const Token &Last) -> SourceLocation {
    if (Last.is(tok::r_square))
      return openedAt(Last);
    for (const Attr *A : Function.attrs())
      if (const CharSourceRange Macro = SM.getExpansionRange(A->getLocation());
          A->getLocation().isMacroID() && Macro.getEnd() == Last.getLocation())
        return Macro.getBegin();
    return prefixBegin(Last);
  };
  while (const std::optional<Token> Last = Lexer::findPreviousToken(
             Begin, SM, Lang, /*IncludeComments=*/false)) {
    const SourceLocation Start = SpelledAttribute(*Last);
    // `#define DEPRECATED [[deprecated]]`, on one line or several, is none.
    if (Start.isInvalid() || hasDirectiveBetween(lineStart(Start), Begin) ||
        continuesLine(Start))
      break;
    Begin = Start;
  }
  return Begin;
}

SourceLocation SourceText::afterHeader(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(Where);
  llvm::StringRef Before = Buffer.take_front(Offset).rtrim();
  llvm::StringRef Line = Before.substr(Before.rfind('\n') + 1);
  bool Header = Before.ends_with(")") || Before.ends_with("else") ||
                Before.ends_with("do");
  return Header && !Line.contains("//") && !Line.contains("/*")
             ? Where.getLocWithOffset(int(Before.size()) - int(Offset))
             : Where;
}

SourceLocation SourceText::afterHeader(const IfStmt &If,
                                       const Stmt &Branch) const {
  const SourceLocation Last =
      If.getThen() == &Branch ? If.getRParenLoc() : If.getElseLoc();
  return isWritable(Last) ? afterToken(Last) : SourceLocation();
}

unsigned SourceText::countDirectives(SourceLocation Begin,
                                     SourceLocation End) const {
  unsigned Count = 0;
  forEachDirective(Begin, End,
                   [&](SourceLocation, llvm::StringRef) { ++Count; });
  return Count;
}

unsigned SourceText::countConditionsLeft(SourceLocation Begin,
                                         SourceLocation End) const {
  unsigned Opened = 0, Left = 0;
  forEachDirective(Begin, End, [&](SourceLocation, llvm::StringRef Name) {
    const bool Changes = Name.starts_with("el");
    if (Changes || Name == "endif")
      Opened ? --Opened : ++Left;
    if (Changes || Name.starts_with("if"))
      ++Opened;
  });
  return Left;
}

bool SourceText::hasOtherBranch(
    SourceLocation Begin, SourceLocation End,
    llvm::function_ref<bool(SourceLocation, SourceLocation)> IsCompiled) const {
  llvm::SmallVector<SourceLocation, 2> Open;
  bool Found = false;
  forEachDirective(Begin, End, [&](SourceLocation At, llvm::StringRef Name) {
    if (Name.starts_with("if"))
      return Open.push_back(At);
    if (Name != "endif")
      return void(Found |= Name.starts_with("el"));
    Found |= Open.empty() ||
             (holdsCode(Open.back(), At) && !IsCompiled(Open.back(), At));
    if (!Open.empty())
      Open.pop_back();
  });
  return Found || !Open.empty();
}

bool SourceText::holdsCode(SourceLocation Begin, SourceLocation End) const {
  bool InDirective = true, Found = false;
  forEachToken(Begin, End, [&](const Token &T) {
    if (T.isAtStartOfLine())
      InDirective = T.is(tok::hash);
    Found |= !InDirective;
  });
  // So does what is included.
  forEachDirective(Begin, End, [&](SourceLocation, llvm::StringRef Name) {
    Found |= Name.starts_with("include") || Name == "import";
  });
  return Found;
}

bool SourceText::followsPragma(SourceLocation Where) const {
  auto [Buffer, Offset] = bufferAt(Where);
  llvm::StringRef Before = Buffer.take_front(Offset).rtrim();
  while (true) {
    const size_t Newline = Before.rfind('\n');
    const llvm::StringRef Line =
        Newline == llvm::StringRef::npos ? Before : Before.substr(Newline + 1);
    if (Line.contains("_Pragma") ||
        (Line.contains("pragma") && Line.ltrim(" \t").starts_with("#")))
      return true;
    if (!Line.ltrim(" \t").starts_with("//") && !Line.ends_with("*/") &&
        !Line.ends_with("\\"))
      return false;
    Before = Before.drop_back(Line.size()).rtrim();
  }
}

namespace {
/// Where an `#include` can be added under one condition of a file's preamble.
struct IncludePlace {
  size_t Begin;  ///< of the condition's first directive.
  size_t Behind; ///< one past the last include so far; npos if there is none.
  bool HasIt;    ///< the header is included already.
};
} // namespace

/// \p Define gives a name some text, and no name of the implementation's: those
/// are set for the headers that follow.
static bool definesText(const dependency_directives_scan::Directive &Define,
                        llvm::StringRef Text) {
  // `#`, `define`, the name, the end of the line.
  if (Define.Tokens.size() <= 4)
    return false;
  const dependency_directives_scan::Token &Name = Define.Tokens[2];
  return !Text.substr(Name.Offset).starts_with("_");
}

/// The places under the conditions that hold at the end of \p Preamble, the
/// outermost first, that of no condition before them. Behind the includes, but
/// before the first macro that may mean something else in \p Header; or,
/// \p BeforeAll, before the includes, too.
static llvm::SmallVector<IncludePlace, 4>
placesOfInclude(llvm::StringRef Preamble, llvm::StringRef Header,
                bool BeforeAll) {
  using namespace dependency_directives_scan;
  llvm::SmallVector<IncludePlace, 4> Open = {{0, llvm::StringRef::npos, false}};
  llvm::SmallVector<dependency_directives_scan::Token, 64> Tokens;
  llvm::SmallVector<Directive, 32> Directives;
  bool IsFixed = false;
  const auto FixBefore = [&](size_t Start) {
    if (std::exchange(IsFixed, true))
      return;
    for (size_t I = 0; I < Open.size(); ++I)
      if (Open[I].Behind == llvm::StringRef::npos)
        Open[I].Behind = I + 1 < Open.size() ? Open[I + 1].Begin : Start;
  };
  if (scanSourceForDependencyDirectives(Preamble, Tokens, Directives))
    return Open;
  for (const Directive &D : Directives) {
    const size_t Start = D.Tokens.empty() ? 0 : D.Tokens.front().Offset;
    switch (D.Kind) {
    case pp_elif:
    case pp_elifdef:
    case pp_elifndef:
    case pp_else:
    case pp_endif: {
      const size_t Begin = Open.back().Begin;
      if (Open.size() > 1)
        Open.pop_back();
      if (D.Kind != pp_endif)
        Open.push_back({Begin, Open.back().Behind, Open.back().HasIt});
      break;
    }
    case pp_if:
    case pp_ifdef:
    case pp_ifndef:
      Open.push_back({Start, Open.back().Behind, Open.back().HasIt});
      break;
    case pp_define:
      if (definesText(D, Preamble))
        FixBefore(Start);
      break;
    case pp_include: {
      const size_t End = std::min(Preamble.find('\n', Start), Preamble.size());
      Open.back().HasIt |= Preamble.slice(Start, End).contains(Header);
      if (BeforeAll)
        FixBefore(Start);
      if (!IsFixed)
        Open.back().Behind = std::min(End + 1, Preamble.size());
      break;
    }
    default:
      break;
    }
  }
  return Open;
}

/// Headers, the system's too, have names with lower-case letters or of a single
/// one; whole words in capitals are macros' alone.
static bool isNameInHeaders(llvm::StringRef Name) {
  return !Name.starts_with("_") &&
         (Name.size() == 1 || llvm::any_of(Name, llvm::isLower));
}

/// At \p Where a macro of the program would mean something else in a header.
static bool hidesNames(Preprocessor &PP, SourceLocation Where) {
  const SourceManager &SM = PP.getSourceManager();
  return llvm::any_of(PP.macros(), [&](const auto &Macro) {
    if (!isNameInHeaders(Macro.first->getName()))
      return false;
    const MacroInfo *Info =
        PP.getMacroDefinitionAtLoc(Macro.first, Where).getMacroInfo();
    const SourceLocation At =
        Info ? Info->getDefinitionLoc() : SourceLocation();
    return At.isValid() && Info->getNumTokens() > 0 &&
           !SM.isInSystemHeader(At) && !SM.isWrittenInBuiltinFile(At) &&
           !SM.isWrittenInCommandLineFile(At);
  });
}

std::optional<Edit> SourceText::inclusion(llvm::StringRef Spelled,
                                          SourceLocation Where,
                                          Preprocessor &PP) const {
  auto [Buffer, Offset] = bufferAt(Where);
  const size_t Size = Lexer::ComputePreamble(Buffer, Lang).Size;
  const unsigned Closed = countConditionsLeft(
      Where.getLocWithOffset(int(Size) - int(Offset)), Where);
  SourceLocation Place;
  for (const bool BeforeAll : {false, true}) {
    llvm::SmallVector<IncludePlace, 4> Open = placesOfInclude(
        Buffer.take_front(Size), Spelled.trim("<>\""), BeforeAll);
    // Those conditions that end before the place do not matter there.
    size_t End = Size;
    for (unsigned N = Closed; N > 0 && Open.size() > 1; --N)
      End = Open.pop_back_val().Begin;
    if (Open.back().HasIt)
      return std::nullopt;
    const size_t Behind = std::min(Open.back().Behind, End);
    Place = Where.getLocWithOffset(int(Behind) - int(Offset));
    if (!hidesNames(PP, Place))
      break;
  }
  return insertion(Place, ("#include " + Spelled + lineEnding(Place)).str());
}

bool SourceText::hasNameBetween(llvm::StringRef Name, SourceLocation Begin,
                                SourceLocation End) const {
  bool Found = false;
  tok::TokenKind Previous = tok::unknown;
  forEachToken(Begin, End, [&](const Token &T) {
    Found |= T.is(tok::raw_identifier) && T.getRawIdentifier() == Name &&
             Previous != tok::period && Previous != tok::arrow;
    Previous = T.getKind();
  });
  return Found;
}

unsigned SourceText::countWord(llvm::StringRef Name, SourceLocation Begin,
                               SourceLocation End) const {
  unsigned Count = 0;
  forEachToken(Begin, End, [&](const Token &T) {
    Count += T.is(tok::raw_identifier) && T.getRawIdentifier() == Name;
  });
  return Count;
}

unsigned SourceText::countDeclarators(llvm::StringRef Name,
                                      SourceLocation Begin,
                                      SourceLocation End) const {
  unsigned Count = 0;
  bool Named = false;
  forEachToken(Begin, End, [&](const Token &T) {
    Count += Named && T.is(tok::l_paren);
    Named = T.is(tok::raw_identifier) && T.getRawIdentifier() == Name;
  });
  return Count;
}

Edit SourceText::insertion(SourceLocation Where, std::string Text) const {
  Place P = placeOf(Where, SM);
  return {P.File, P.Offset, 0, std::move(Text)};
}

Edit SourceText::replacement(SourceLocation Begin, SourceLocation AfterEnd,
                             std::string Text) const {
  Place P = placeOf(Begin, SM);
  return {P.File, P.Offset, placeOf(AfterEnd, SM).Offset - P.Offset,
          std::move(Text)};
}

Edit SourceText::removal(SourceLocation Begin, SourceLocation AfterEnd) const {
  if (!isLastOnLine(AfterEnd))
    return replacement(Begin, AfterEnd, "");
  SourceLocation Next = nextLineStart(AfterEnd);
  if (isFirstOnLine(Begin) && Next.isValid())
    return replacement(lineStart(Begin), Next, "");
  auto [Buffer, Offset] = bufferAt(Begin);
  size_t Kept = Buffer.take_front(Offset).rtrim(" \t").size();
  return replacement(Begin.getLocWithOffset(int(Kept) - int(Offset)), AfterEnd,
                     "");
}

} // namespace barricade
