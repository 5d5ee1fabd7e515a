// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/SourceConditions.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourcePlaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade {

SourceConditions::SourceConditions(const ASTContext &Context)
    : Context(Context), SM(Context.getSourceManager()),
      Lang(Context.getLangOpts()),
      Known(onePerContext<KnownConditions>(Context)) {}

std::pair<llvm::StringRef, unsigned>
SourceConditions::bufferAt(SourceLocation Where) const {
  auto [File, Offset] = SM.getDecomposedLoc(Where);
  return {SM.getBufferData(File), Offset};
}

Lexer SourceConditions::lexerAt(SourceLocation Where) const {
  auto [File, Offset] = SM.getDecomposedLoc(Where);
  llvm::StringRef Buffer = SM.getBufferData(File);
  return Lexer(SM.getLocForStartOfFile(File), Lang, Buffer.begin(),
               Buffer.begin() + Offset, Buffer.end());
}

void SourceConditions::forEachToken(
    SourceLocation First, SourceLocation Last,
    llvm::function_ref<void(const Token &)> Visit, bool WithComments) const {
  Lexer Raw = lexerAt(First);
  Raw.SetCommentRetentionState(WithComments);
  Token T;
  Raw.LexFromRawLexer(T);
  // Not by what the lexer returns: no newline may follow the last token.
  while (T.isNot(tok::eof) && T.getLocation() < Last) {
    if (T.is(tok::raw_identifier) && T.needsCleaning())
      joinLines(T);
    Visit(T);
    Raw.LexFromRawLexer(T);
  }
}

void SourceConditions::joinLines(Token &Word) const {
  const auto It =
      Known->Spliced.insert(Lexer::getSpelling(Word, SM, Lang)).first;
  Word.setRawIdentifierData(It->getKey().data());
  Word.setLength(It->getKey().size());
  Word.clearFlag(Token::NeedsCleaning);
}

void SourceConditions::forEachDefinitionToken(
    FileID File,
    llvm::function_ref<void(const Token &, const Token &)> Visit) const {
  if (!holdsWord(File, "define"))
    return;
  enum { Code, Hash, Define, Text } State = Code;
  Token Name;
  forEachTokenOf(File, [&](const Token &T) {
    const bool IsWord = T.is(tok::raw_identifier);
    if (T.isAtStartOfLine()) {
      State = T.is(tok::hash) ? Hash : Code;
    } else if (State == Hash) {
      State = IsWord && T.getRawIdentifier() == "define" ? Define : Code;
    } else if (State == Define) {
      State = IsWord ? Text : Code;
      Name = T;
    }
    if (State == Text)
      Visit(Name, T);
  });
}

void SourceConditions::forEachDefinition(
    FileID File, llvm::function_ref<void(llvm::ArrayRef<Token>)> Visit) const {
  std::vector<Token> Definition;
  const auto Close = [&] {
    if (!Definition.empty())
      Visit(Definition);
    Definition.clear();
  };
  forEachDefinitionToken(File, [&](const Token &Name, const Token &T) {
    if (T.getLocation() == Name.getLocation())
      Close();
    Definition.push_back(T);
  });
  Close();
}

void SourceConditions::forEachTokenOf(
    FileID File, llvm::function_ref<void(const Token &)> Visit) const {
  forEachToken(SM.getLocForStartOfFile(File), SM.getLocForEndOfFile(File),
               [&](const Token &T) {
                 if (!isNeverCompiled(T.getLocation()))
                   Visit(T);
               });
}

void SourceConditions::forEachDirective(
    SourceLocation Begin, SourceLocation End,
    llvm::function_ref<void(SourceLocation, llvm::StringRef)> Visit) const {
  Lexer Raw = lexerAt(Begin);
  Token T;
  Raw.LexFromRawLexer(T);
  while (T.isNot(tok::eof) && T.getLocation() < End) {
    const bool IsHash = T.is(tok::hash) && T.isAtStartOfLine();
    const SourceLocation Hash = T.getLocation();
    Raw.LexFromRawLexer(T);
    // `#` alone is one as well.
    if (IsHash)
      Visit(Hash, T.is(tok::raw_identifier) && !T.isAtStartOfLine()
                      ? Lexer::getSpelling(T, SM, Lang)
                      : "");
  }
}

bool SourceConditions::haveSameConditions(SourceLocation Begin,
                                          SourceLocation End) const {
  unsigned Opened = 0;
  bool Same = true;
  forEachDirective(Begin, End, [&](SourceLocation, llvm::StringRef Name) {
    if (Name.starts_with("if"))
      ++Opened;
    else if (Name.starts_with("el"))
      Same &= Opened > 0;
    else if (Name == "endif")
      Same &= Opened && Opened--;
  });
  return Same && !Opened;
}

bool SourceConditions::excludeEachOther(SourceLocation A,
                                        SourceLocation B) const {
  if (!SM.isWrittenInSameFile(A, B))
    return false;
  int Depth = 0, Outermost = 0; // Of what is open at both.
  bool AreApart = false;
  forEachDirective(std::min(A, B), std::max(A, B),
                   [&](SourceLocation, llvm::StringRef Name) {
                     if (Name.starts_with("if"))
                       ++Depth;
                     else if (Name.starts_with("el"))
                       AreApart |= Depth == Outermost;
                     else if (Name == "endif" && --Depth < Outermost) {
                       Outermost = Depth;
                       AreApart = false;
                     }
                   });
  return AreApart;
}

/// The next token of \p Raw is another one of the same line, and \p Word if
/// that is not empty.
static bool continues(Lexer &Raw, llvm::StringRef Word, Token &T) {
  Raw.LexFromRawLexer(T);
  return T.is(tok::raw_identifier) && !T.isAtStartOfLine() &&
         (Word.empty() || T.getRawIdentifier() == Word);
}

/// The name, if `#ifndef NAME` and `#define NAME` stand there, and then
/// something to keep from being read twice.
llvm::StringRef SourceConditions::guardBegunAt(SourceLocation Hash) const {
  Lexer Raw = lexerAt(Hash);
  Token T;
  Raw.LexFromRawLexer(T);
  if (!continues(Raw, "ifndef", T) || !continues(Raw, "", T))
    return "";
  const llvm::StringRef Name = T.getRawIdentifier();
  Raw.LexFromRawLexer(T);
  if (T.isNot(tok::hash) || !continues(Raw, "define", T) ||
      !continues(Raw, Name, T))
    return "";
  do
    Raw.LexFromRawLexer(T);
  while (!T.isAtStartOfLine() && T.isNot(tok::eof));
  return T.is(tok::hash) && continues(Raw, "endif", T) ? "" : Name;
}

/// Nothing but comments follow the directive.
bool SourceConditions::endsFile(SourceLocation Hash) const {
  Lexer Raw = lexerAt(Hash);
  Token T;
  Raw.LexFromRawLexer(T);
  do
    Raw.LexFromRawLexer(T);
  while (!T.isAtStartOfLine() && T.isNot(tok::eof));
  return T.is(tok::eof);
}

/// One that compilers of CUDA define in both passes, or the headers that they
/// put before each source, as `helper_cuda.h` of NVIDIA's samples asks for.
static bool isOfCuda(llvm::StringRef Word) {
  static constexpr llvm::StringLiteral Words[] = {"__CUDACC__",
                                                  "__cplusplus",
                                                  "__DRIVER_TYPES_H__",
                                                  "__CUDA_RUNTIME_H__",
                                                  "__CUDA_RUNTIME_API_H__",
                                                  "__VECTOR_TYPES_H__"};
  return llvm::is_contained(Words, Word);
}

/// The word that \p Term, `defined WORD` or `defined(WORD)`, maybe within
/// parentheses, asks for; empty: it is anything else.
static llvm::StringRef definedWord(llvm::ArrayRef<llvm::StringRef> Term) {
  const auto IsEnclosed = [&] {
    return Term.size() > 2 && Term.front() == "(" && Term.back() == ")";
  };
  while (IsEnclosed())
    Term = Term.slice(1, Term.size() - 2);
  if (Term.empty() || Term.front() != "defined")
    return "";
  Term = Term.drop_front();
  if (IsEnclosed())
    Term = Term.slice(1, Term.size() - 2);
  return Term.size() == 1 ? Term.front() : "";
}

/// \p Words ask whether one of several words is defined, and for nothing else:
/// one of them is in every build. What macros may stand for, or parentheses and
/// operators make of a part, is not gone into.
static bool askForOneOfCuda(llvm::ArrayRef<llvm::StringRef> Words) {
  bool Found = false;
  while (true) {
    const auto *End = llvm::find(Words, "||");
    const llvm::StringRef Word =
        definedWord(Words.take_front(End - Words.begin()));
    if (Word.empty())
      return false;
    Found |= isOfCuda(Word);
    if (End == Words.end())
      return Found;
    Words = Words.drop_front(End - Words.begin() + 1);
  }
}

/// Some file takes a word away that all compilers of CUDA define.
bool SourceConditions::undefinesOfCuda() const {
  if (Known->UndefinesOfCuda)
    return *Known->UndefinesOfCuda;
  bool Found = false;
  forEachUserFile([&](FileID File) {
    if (Found || !holdsWord(File, "undef"))
      return;
    llvm::StringRef Before;
    forEachToken(SM.getLocForStartOfFile(File), SM.getLocForEndOfFile(File),
                 [&](const Token &T) {
                   const llvm::StringRef Word =
                       T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
                   Found |= Before == "undef" && isOfCuda(Word);
                   Before = Word;
                 });
  });
  Known->UndefinesOfCuda = Found;
  return Found;
}

/// Whether the `#if` at \p Hash holds in every build of CUDA sources, or in
/// none. What is not seen to be so may depend on the build.
std::optional<bool> SourceConditions::holdsAlways(SourceLocation Hash) const {
  Lexer Raw = lexerAt(Hash);
  Token T;
  Raw.LexFromRawLexer(T);
  if (!continues(Raw, "", T))
    return std::nullopt;
  const llvm::StringRef Kind = T.getRawIdentifier();
  std::vector<std::string> Spelled;
  for (Raw.LexFromRawLexer(T); !T.isAtStartOfLine() && T.isNot(tok::eof);
       Raw.LexFromRawLexer(T))
    Spelled.push_back(Lexer::getSpelling(T, SM, Lang));
  const llvm::SmallVector<llvm::StringRef, 8> Words(Spelled.begin(),
                                                    Spelled.end());
  llvm::ArrayRef<llvm::StringRef> Asked = Words;
  bool IsNegated = Kind == "ifndef";
  bool IsSettled = false;
  if (Kind == "ifdef" || Kind == "ifndef") {
    IsSettled = Asked.size() == 1 && isOfCuda(Asked.front());
  } else if (Kind == "if") {
    IsNegated = !Asked.empty() && Asked.front() == "!";
    // What it negates is the first alone.
    IsSettled = IsNegated ? isOfCuda(definedWord(Asked.drop_front()))
                          : askForOneOfCuda(Asked);
  }
  return IsSettled && !undefinesOfCuda() ? std::optional(!IsNegated)
                                         : std::nullopt;
}

/// A word in \p Text goes on in the next line.
static bool splicesWords(llvm::StringRef Text) {
  const auto IsOfWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  // A word may be spliced more than once.
  for (size_t At = Text.find('\\'); At != llvm::StringRef::npos;
       At = Text.find('\\', At + 1)) {
    const llvm::StringRef Behind = Text.substr(At + 1).ltrim(" \t\r");
    if (At > 0 && IsOfWord(Text[At - 1]) && Behind.size() > 1 &&
        Behind[0] == '\n' && (IsOfWord(Behind[1]) || Behind[1] == '\\'))
      return true;
  }
  return false;
}

SourceConditions::FileConditions
SourceConditions::readConditions(FileID File) const {
  struct Opened : Condition {
    std::optional<bool> Holds;
    unsigned Else; ///< Where the last branch begins.
  };
  const SourceLocation Start = SM.getLocForStartOfFile(File);
  std::vector<Opened> Open;
  FileConditions Result;
  bool IsFirst = true;
  unsigned Guard = ~0u; // An `#ifndef` before all others may be one.
  llvm::StringRef GuardName;
  const auto Close = [&](const Opened &C, SourceLocation Hash) {
    // Of more branches nothing is known.
    if (C.Holds && (!C.hasOtherBranch() || (C.HasElse && C.Branches == 2))) {
      if (!*C.Holds)
        Result.LeftOut.emplace_back(C.Begin, C.HasElse ? C.Else : C.End);
      else if (C.HasElse)
        Result.LeftOut.emplace_back(C.Else, C.End);
    } else if (C.Begin != Guard || C.hasOtherBranch() || !endsFile(Hash)) {
      Result.All.push_back(C);
    } else {
      Result.Guard = GuardName;
    }
  };
  const auto Add = [&](SourceLocation Hash, llvm::StringRef Name) {
    const unsigned At = SM.getFileOffset(Hash);
    if (IsFirst && !(GuardName = guardBegunAt(Hash)).empty())
      Guard = At;
    IsFirst &= Name == "pragma";
    if (Name.starts_with("if")) {
      Open.push_back({{At, 0, 1, false}, holdsAlways(Hash), At});
    } else if (Open.empty()) {
      return;
    } else if (Name.starts_with("el")) {
      ++Open.back().Branches;
      Open.back().HasElse |= Name == "else";
      Open.back().Else = At;
    } else if (Name == "endif") {
      Open.back().End = At;
      Close(Open.back(), Hash);
      Open.pop_back();
    }
  };
  forEachDirective(Start, SM.getLocForEndOfFile(File), Add);
  llvm::sort(Result.All, [](const Condition &A, const Condition &B) {
    return A.Begin < B.Begin;
  });
  const bool IsReplaced = Known->Replaced.contains(File);
  if (IsReplaced || Known->LeftOut.contains(File))
    Result.All.insert(Result.All.begin(),
                      {0, ~0u, IsReplaced ? 2u : 1u, /*HasElse=*/false});
  return Result;
}

const SourceConditions::FileConditions &
SourceConditions::conditionsOf(FileID File) const {
  if (const auto Found = Known->Of.find(File); Found != Known->Of.end())
    return Found->second;
  return Known->Of[File] = readConditions(File);
}

bool SourceConditions::isNeverCompiled(SourceLocation Where) const {
  const auto [File, Offset] = SM.getDecomposedLoc(Where);
  return llvm::any_of(conditionsOf(File).LeftOut,
                      [Offset = Offset](const auto &Range) {
                        return Range.first < Offset && Offset < Range.second;
                      });
}

std::vector<SourceConditions::Condition>
SourceConditions::conditionsAround(SourceLocation Where) const {
  const auto [File, Offset] = SM.getDecomposedLoc(Where);
  std::vector<Condition> Result;
  llvm::copy_if(conditionsOf(File).All, std::back_inserter(Result),
                [Offset = Offset](const Condition &C) {
                  return C.Begin <= Offset && Offset < C.End;
                });
  return Result;
}

bool SourceConditions::hasOtherCondition(SourceLocation Where,
                                         SourceLocation User) const {
  const bool IsUsers = SM.isWrittenInSameFile(Where, User);
  const unsigned Offset = SM.getFileOffset(User);
  return llvm::any_of(conditionsAround(Where), [&](const Condition &C) {
    return !IsUsers || C.Begin > Offset || Offset > C.End ||
           (C.hasOtherBranch() &&
            !haveSameConditions(std::min(Where, User), std::max(Where, User)));
  });
}

bool SourceConditions::mayBeMissing(SourceLocation Where,
                                    SourceLocation User) const {
  const auto UserIn = includersOf(User);
  for (; Where.isValid(); Where = SM.getIncludeLoc(SM.getFileID(Where))) {
    const SourceLocation Beside = UserIn.lookup(SM.getFileID(Where));
    if (hasOtherCondition(Where, Beside))
      return true;
    if (Beside.isValid())
      return false;
  }
  return false;
}

/// Where \p User stands in each file that includes it.
llvm::DenseMap<FileID, SourceLocation>
SourceConditions::includersOf(SourceLocation User) const {
  llvm::DenseMap<FileID, SourceLocation> Result;
  for (; User.isValid(); User = SM.getIncludeLoc(SM.getFileID(User)))
    Result[SM.getFileID(User)] = User;
  return Result;
}

bool SourceConditions::isOwn(FileID File) const {
  const OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  return Entry && isOfPrelude(Entry->getName(), Context);
}

void SourceConditions::leaveOut(FileID File, bool IsIncluded) const {
  Known->LeftOut[File] = IsIncluded;
  // They may depend on what the file has.
  Known->Of.clear();
  Known->UndefinesOfCuda.reset();
}

void SourceConditions::replace(FileID File) const {
  Known->Replaced.insert(File);
  Known->Of.erase(File);
}

bool SourceConditions::isIncluded(FileEntryRef File) const {
  if (!SM.hasFileInfo(&File.getFileEntry()))
    return false;
  const auto It = Known->LeftOut.find(SM.translateFile(File));
  return It == Known->LeftOut.end() || It->second;
}

void SourceConditions::forEachIncludedFile(
    llvm::function_ref<void(FileID)> Visit) const {
  forEachUserFile([&](FileID File) {
    if (const auto It = Known->LeftOut.find(File);
        It == Known->LeftOut.end() || It->second)
      Visit(File);
  });
}

void SourceConditions::forEachUserFile(
    llvm::function_ref<void(FileID)> Visit) const {
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    const FileID File =
        SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset()));
    // At its end, where a pragma has had time to say so.
    if (!SM.isInSystemHeader(SM.getLocForEndOfFile(File)) && !isOwn(File))
      Visit(File);
  }
}

/// The first line of \p Text, with those that are spliced to it.
static llvm::StringRef lineOf(llvm::StringRef Text) {
  size_t End = Text.find('\n');
  while (End != llvm::StringRef::npos &&
         Text.take_front(End).rtrim('\r').ends_with("\\"))
    End = Text.find('\n', End + 1);
  return Text.take_front(End);
}

llvm::StringRef SourceConditions::nameIncludedAt(SourceLocation Hash) const {
  const auto [Buffer, Offset] = bufferAt(Hash);
  const llvm::StringRef Line = lineOf(Buffer.substr(Offset));
  const size_t Begin = Line.find_first_of("<\"");
  if (Begin == llvm::StringRef::npos)
    return "";
  const llvm::StringRef Behind = Line.substr(Begin + 1);
  const size_t End = Behind.find(Line[Begin] == '<' ? '>' : '"');
  return End == llvm::StringRef::npos ? "" : Behind.take_front(End);
}

void SourceConditions::forEachFileNamed(
    llvm::StringRef Name, llvm::function_ref<void(FileID)> Visit) const {
  while (Name.consume_front("./") || Name.consume_front("../"))
    ;
  llvm::DenseSet<FileEntryRef> Seen;
  forEachUserFile([&](FileID File) {
    const OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    if (!Entry)
      return;
    llvm::StringRef Path = Entry->getName();
    if (Path.consume_back(Name) && (Path.empty() || Path.ends_with("/")) &&
        Seen.insert(*Entry).second)
      Visit(File);
  });
}

bool SourceConditions::hasSplicedWords(FileID File) const {
  const auto [It, New] = Known->SplicesWords.try_emplace(File, false);
  if (New)
    It->second = splicesWords(SM.getBufferData(File));
  return It->second;
}

bool SourceConditions::holdsWord(FileID File, llvm::StringRef Word) const {
  return SM.getBufferData(File).contains(Word) || hasSplicedWords(File);
}

void SourceConditions::forEachWordUnderCondition(
    FileID File, llvm::function_ref<void(llvm::StringRef)> Visit) const {
  for (const Condition &C : conditionsOf(File).All) {
    llvm::StringRef Rest = SM.getBufferData(File).slice(C.Begin, C.End);
    const auto IsOfWord = [](char Letter) {
      return isAsciiIdentifierContinue(Letter);
    };
    while (!(Rest = Rest.drop_until(IsOfWord)).empty()) {
      Visit(Rest.take_while(IsOfWord));
      Rest = Rest.drop_while(IsOfWord);
    }
  }
}

bool SourceConditions::holdsUnderCondition(FileID File,
                                           llvm::StringRef Word) const {
  const llvm::StringRef Text = SM.getBufferData(File);
  return llvm::any_of(conditionsOf(File).All, [&](const Condition &C) {
    return Text.slice(C.Begin, C.End).contains(Word) || hasSplicedWords(File);
  });
}

bool SourceConditions::standsInBranch(SourceLocation Where) const {
  const FileID File = SM.getFileID(Where);
  if (!SM.getFileEntryRefForID(File) || Known->LeftOut.contains(File))
    return true; // On the command line, say.
  return llvm::any_of(conditionsAround(Where),
                      [](const Condition &C) { return C.hasOtherBranch(); });
}

bool SourceConditions::holdsDirective(SourceLocation Begin,
                                      SourceLocation End) const {
  bool Found = false;
  forEachDirective(Begin, End,
                   [&](SourceLocation, llvm::StringRef) { Found = true; });
  return Found;
}

bool SourceConditions::holdsCondition(SourceLocation Begin,
                                      SourceLocation End) const {
  bool Found = false;
  forEachDirective(Begin, End, [&](SourceLocation, llvm::StringRef Name) {
    Found |= Name != "pragma";
  });
  return Found;
}

bool SourceConditions::holdsConditionUpTo(SourceLocation Begin,
                                          SourceLocation Last) const {
  if (holdsCondition(Begin, Last))
    return true;
  Lexer Raw = lexerAt(Last);
  Token T;
  Raw.LexFromRawLexer(T);
  Raw.LexFromRawLexer(T);
  if (!T.is(tok::hash) || !T.isAtStartOfLine() || !continues(Raw, "", T))
    return false;
  const llvm::StringRef Name = T.getRawIdentifier();
  return Name.starts_with("if") || Name.starts_with("el") || Name == "endif";
}

std::pair<SourceLocation, SourceLocation>
SourceConditions::withWordsAround(SourceLocation Begin,
                                  SourceLocation Last) const {
  const auto Before = Lexer::findPreviousToken(Begin, SM, Lang,
                                               /*IncludeComments=*/false);
  if (Before && Before->is(tok::raw_identifier))
    Begin = Before->getLocation();
  Lexer Raw = lexerAt(Last);
  Token T;
  Raw.LexFromRawLexer(T);
  do {
    Last = T.getLocation();
    Raw.LexFromRawLexer(T);
  } while (T.is(tok::raw_identifier));
  return {Begin, Last};
}

/// Of a `#define`: nothing stands behind its name and its parameters.
static bool standsForNothing(llvm::ArrayRef<Token> Definition) {
  llvm::ArrayRef<Token> Rest = Definition.drop_front();
  if (!Rest.empty() && Rest.front().is(tok::l_paren) &&
      !Rest.front().hasLeadingSpace())
    Rest = Rest.drop_until([](const Token &T) { return T.is(tok::r_paren); })
               .drop_front();
  return Rest.empty();
}

const SourceConditions::MacroPlaces &SourceConditions::emptyMacros() const {
  if (!Known->EmptyMacros) {
    MacroPlaces All;
    llvm::StringSet<> Empty;
    forEachUserFile([&](FileID File) {
      forEachDefinition(File, [&](llvm::ArrayRef<Token> Definition) {
        const Token &Name = Definition.front();
        if (!Name.is(tok::raw_identifier))
          return;
        All[Name.getRawIdentifier()].push_back(Name.getLocation());
        if (standsForNothing(Definition))
          Empty.insert(Name.getRawIdentifier());
      });
    });
    Known->EmptyMacros.emplace();
    for (auto &[Name, Places] : All)
      if (Empty.contains(Name))
        (*Known->EmptyMacros)[Name] = std::move(Places);
  }
  return *Known->EmptyMacros;
}

bool SourceConditions::holdsOtherMacro(SourceLocation Begin,
                                       SourceLocation Last,
                                       SourceLocation User) const {
  if (emptyMacros().empty())
    return false;
  bool Found = false;
  std::tie(Begin, Last) = withWordsAround(Begin, Last);
  forEachToken(Begin, Last.getLocWithOffset(1), [&](const Token &T) {
    const auto Macro = T.is(tok::raw_identifier)
                           ? emptyMacros().find(T.getRawIdentifier())
                           : emptyMacros().end();
    Found = Found || (Macro != emptyMacros().end() &&
                      llvm::any_of(Macro->second, [&](SourceLocation Where) {
                        return isInOtherBranch(Where, User, /*IsMacro=*/true);
                      }));
  });
  return Found;
}

bool SourceConditions::isInOtherBranch(SourceLocation Where,
                                       SourceLocation User,
                                       bool IsMacro) const {
  const auto UserIn = includersOf(User);
  for (; Where.isValid(); Where = SM.getIncludeLoc(SM.getFileID(Where))) {
    if (!standsInBranch(Where) &&
        !(IsMacro && !conditionsAround(Where).empty()))
      continue;
    const SourceLocation Beside = UserIn.lookup(SM.getFileID(Where));
    if (Beside.isInvalid() ||
        !haveSameConditions(std::min(Where, Beside), std::max(Where, Beside)))
      return true;
  }
  return false;
}

} // namespace barricade
