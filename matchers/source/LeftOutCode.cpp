// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/LeftOutCode.h"
#include "matchers/Program.h"
#include "matchers/source/LeftOutFiles.h"
#include "matchers/source/MacroDefinitions.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/SymbolNames.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessingRecord.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <vector>

using namespace clang;

namespace barricade {
namespace {

//===----------------------------------------------------------------------===//
// Where it stands
//===----------------------------------------------------------------------===//

/// A device pass, or any of a program without one.
struct ReadPass {
  explicit ReadPass(const PassView &Pass)
      : Context(*Pass.Context), SM(Context.getSourceManager()), PP(*Pass.PP),
        Conditions(Context) {}
  ASTContext &Context;
  const SourceManager &SM;
  Preprocessor &PP;
  SourceConditions Conditions;
};

/// A file, as often as any pass reads it.
struct ReadFile {
  std::vector<std::pair<const ReadPass *, FileID>> Readings;
  /// By offset: how many readings begin to leave out what follows, less those
  /// that end to.
  std::map<unsigned, int> Changes;

  /// The first reading, in which its places are told.
  const ReadPass &pass() const { return *Readings.front().first; }
  SourceLocation at(unsigned Offset) const {
    return pass()
        .SM.getLocForStartOfFile(Readings.front().second)
        .getLocWithOffset(int(Offset));
  }
  OptionalFileEntryRef entry() const {
    return pass().SM.getFileEntryRefForID(Readings.front().second);
  }
  bool isReadAs(const ReadPass &Pass, FileID File) const {
    return llvm::is_contained(Readings, std::pair(&Pass, File));
  }
};

using ReadFiles = std::map<std::string, ReadFile>;

/// The one of \p File; null: it is none of the user's.
ReadFile *fileOf(const ReadPass &Pass, FileID File, ReadFiles &Files) {
  const SourceLocation Start = Pass.SM.getLocForStartOfFile(File);
  const std::string Path = placeOf(Start, Pass.SM).File;
  if (Path.empty() || Pass.SM.isInSystemHeader(Start) ||
      Pass.Conditions.isOwn(File))
    return nullptr;
  ReadFile &Result = Files[Path];
  if (!Result.isReadAs(Pass, File))
    Result.Readings.push_back({&Pass, File});
  return &Result;
}

void addFiles(const ReadPass &Pass, const PreprocessingRecord *Record,
              ReadFiles &Files) {
  Pass.Conditions.forEachIncludedFile(
      [&](FileID File) { (void)fileOf(Pass, File, Files); });
  // Asking makes it read what is precompiled.
  for (const SourceRange &Range :
       const_cast<PreprocessingRecord *>(Record)->getSkippedRanges()) {
    const auto [File, Begin] = Pass.SM.getDecomposedLoc(Range.getBegin());
    ReadFile *Its = fileOf(Pass, File, Files);
    // At its end, where a pragma has had time to say so.
    if (!Its || Pass.SM.isInSystemHeader(Pass.SM.getLocForEndOfFile(File)))
      continue;
    ++Its->Changes[Begin];
    --Its->Changes[Pass.SM.getFileOffset(Range.getEnd())];
  }
}

//===----------------------------------------------------------------------===//
// What it says
//===----------------------------------------------------------------------===//

/// The word or literal \p T, without what splices its lines.
std::string wordOf(const Token &T) {
  const llvm::StringRef Text =
      T.is(tok::raw_identifier)
          ? T.getRawIdentifier()
          : llvm::StringRef(T.getLiteralData(), T.getLength());
  if (!T.needsCleaning())
    return Text.str();
  std::string Result;
  for (size_t I = 0; I < Text.size(); ++I) {
    const llvm::StringRef Blanks = Text.substr(I + 1).take_while(llvm::isSpace);
    if (Text[I] == '\\' && Blanks.contains('\n'))
      I += Blanks.size();
    else
      Result += Text[I];
  }
  return Result;
}

/// In strings, the linker's names may stand behind `\n\t`.
void addString(std::string Text, const PlaceInPass &Here, LeftOutNames &Names) {
  for (size_t I = 0; I + 1 < Text.size(); ++I)
    if (Text[I] == '\\')
      Text[I] = Text[I + 1] = ' ';
  forEachSymbolIn(Text, [&](llvm::StringRef Word, bool GoesOn) {
    Names.InStrings.try_emplace((Word + (GoesOn ? "%" : "")).str(), Here);
  });
}

/// Goes over the tokens of code that is left out, and of the user's files that
/// it alone includes.
class LeftOutReader {
public:
  LeftOutReader(const ReadPass &Pass, OptionalFileEntryRef File,
                LeftOutNames &Names, llvm::StringSet<> &Included)
      : Pass(Pass), File(File), Names(Names), Included(Included) {}

  void add(const Token &T) {
    if (T.isAtStartOfLine())
      In = T.is(tok::hash) ? Hash : Code;
    else if (In == Hash)
      In = directiveOf(T);
    else if (In == Include)
      beginInclude(T);
    else if (In == Angled)
      addToInclude(T);
    if (In == Code)
      addCode(T);
  }

private:
  enum State { Code, Hash, Condition, Include, Angled };

  PlaceInPass here(const Token &T) const {
    return Instead ? *Instead : PlaceInPass{T.getLocation(), &Pass.SM};
  }

  State directiveOf(const Token &T) const {
    const std::string Word = T.is(tok::raw_identifier) ? wordOf(T) : "";
    const llvm::StringRef Name = Word;
    if (Name.starts_with("include") || Name == "import")
      return Include;
    // The names that these ask for are macros'.
    return Name.starts_with("if") || Name.starts_with("el") || Name == "endif"
               ? Condition
               : Code;
  }

  void addCode(const Token &T) {
    if (T.is(tok::raw_identifier))
      Names.Words.try_emplace(wordOf(T), here(T));
    else if (T.is(tok::numeric_constant))
      Names.Numbers.insert(wordOf(T));
    else if (T.is(tok::hashhash) && !Names.Pasting)
      Names.Pasting = here(T);
    else if (tok::isStringLiteral(T.getKind()))
      addString(wordOf(T), here(T), Names);
  }

  void beginInclude(const Token &T) {
    Begin = here(T);
    Path.clear();
    In = T.is(tok::less) ? Angled : Condition;
    if (T.is(tok::string_literal))
      include(llvm::StringRef(wordOf(T)).trim('"'), /*IsAngled=*/false);
    else if (In != Angled)
      includeAnything();
  }

  void addToInclude(const Token &T) {
    if (T.is(tok::greater)) {
      include(Path, /*IsAngled=*/true);
      In = Condition;
    } else if (const char *Spelled = tok::getPunctuatorSpelling(T.getKind())) {
      Path += Spelled;
    } else {
      Path += wordOf(T);
    }
  }

  void includeAnything() {
    if (!Names.Including)
      Names.Including = Begin;
  }

  void include(llvm::StringRef Name, bool IsAngled) {
    ConstSearchDirIterator Folder = nullptr;
    const OptionalFileEntryRef Found =
        findIncluded(Name, IsAngled, File, Pass.PP, &Folder);
    const bool IsSystems =
        Folder && Folder->getDirCharacteristic() != SrcMgr::C_User;
    // What this command does not find, no compiler finds by it.
    if (Found && !IsSystems && !Pass.Conditions.isIncluded(*Found) &&
        Included.insert(Found->getName()).second)
      readIncluded(*Found);
  }

  void readIncluded(FileEntryRef Found) {
    auto Buffer = Pass.SM.getFileManager().getBufferForFile(Found);
    if (!Buffer)
      return includeAnything();
    LeftOutReader Reader(Pass, Found, Names, Included);
    Reader.Instead = Begin;
    const llvm::StringRef Text = (*Buffer)->getBuffer();
    Lexer Raw(SourceLocation(), Pass.Context.getLangOpts(), Text.begin(),
              Text.begin(), Text.end());
    Token T;
    for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T))
      Reader.add(T);
  }

  const ReadPass &Pass;
  const OptionalFileEntryRef File;
  LeftOutNames &Names;
  llvm::StringSet<> &Included;
  /// The directive that includes the file; nothing: the file is read.
  std::optional<PlaceInPass> Instead;
  State In = Code;
  std::string Path; ///< That the directive includes, so far.
  PlaceInPass Begin;
};

/// What all readings of \p File leave out.
void readLeftOut(const ReadFile &File, LeftOutNames &Names,
                 llvm::StringSet<> &Included) {
  const SourceConditions &Conditions = File.pass().Conditions;
  int LeftOutBy = 0;
  for (auto It = File.Changes.begin(); It != File.Changes.end(); ++It) {
    LeftOutBy += It->second;
    if (LeftOutBy < int(File.Readings.size()))
      continue;
    LeftOutReader Reader(File.pass(), File.entry(), Names, Included);
    Conditions.forEachToken(File.at(It->first), File.at(std::next(It)->first),
                            [&](const Token &T) {
                              if (!Conditions.isNeverCompiled(T.getLocation()))
                                Reader.add(T);
                            });
  }
}

//===----------------------------------------------------------------------===//
// What that stands for
//===----------------------------------------------------------------------===//

/// Finds what templates look for by the types of their arguments: which
/// functions they call is not known before somebody uses them.
class UnsettledNames : public ConstDynamicRecursiveASTVisitor {
public:
  /// By the names of functions, classes and variables: what stands in these.
  llvm::StringMap<llvm::StringSet<>> Within;

  bool TraverseDecl(const Decl *D) override {
    const auto *Named =
        dyn_cast_if_present<NamedDecl>(D); // A namespace calls nothing.
    const bool IsAround = Named && !isa<NamespaceDecl>(D) &&
                          Named->getIdentifier() && !Named->getName().empty();
    if (IsAround)
      Around.push_back(Named->getName());
    const bool Continue = ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    if (IsAround)
      Around.pop_back();
    return Continue;
  }
  bool VisitOverloadExpr(const OverloadExpr *E) override {
    return add(E->getName());
  }
  bool
  VisitDependentScopeDeclRefExpr(const DependentScopeDeclRefExpr *E) override {
    return add(E->getDeclName());
  }
  bool VisitCXXDependentScopeMemberExpr(
      const CXXDependentScopeMemberExpr *E) override {
    return add(E->getMember());
  }

private:
  bool add(DeclarationName Name) {
    if (const IdentifierInfo *Word = Name.getAsIdentifierInfo())
      for (const llvm::StringRef Each : Around)
        Within[Each].insert(Word->getName());
    return true;
  }

  std::vector<llvm::StringRef> Around;
};

/// Adds to names what they stand for in a pass.
class NameClosure {
public:
  NameClosure(const ReadPass &Pass, LeftOutNames &Names)
      : PP(Pass.PP), Names(Names) {
    for (const Decl *D : userDeclarations(Pass.Context))
      Unsettled.TraverseDecl(D);
  }

  void close() {
    std::vector<std::pair<std::string, PlaceInPass>> Work;
    for (const auto &Each : Names.Words)
      Work.emplace_back(Each.getKey().str(), Each.getValue());
    do {
      while (!Work.empty()) {
        const auto [Word, Where] = std::move(Work.back());
        Work.pop_back();
        addMeaning(Word, Where, Work);
      }
      addPasted(Work);
    } while (!Work.empty());
  }

private:
  using WorkList = std::vector<std::pair<std::string, PlaceInPass>>;

  void add(llvm::StringRef Word, const PlaceInPass &Where, WorkList &Work) {
    if (Names.Words.try_emplace(Word, Where).second)
      Work.emplace_back(Word.str(), Where);
  }

  void addMeaning(llvm::StringRef Word, const PlaceInPass &Where,
                  WorkList &Work) {
    if (const auto Found = Unsettled.Within.find(Word);
        Found != Unsettled.Within.end())
      for (const llvm::StringRef Each : Found->getValue().keys())
        add(Each, Where, Work);
    const IdentifierInfo *Name = knownIdentifier(Word, PP.getIdentifierTable());
    if (!Name || !Name->hadMacroDefinition())
      return;
    forEachDefinition(*Name, PP, [&](const MacroInfo &Macro) {
      if (pastes(Macro) && !Names.Pasting)
        Names.Pasting = Where;
      for (const Token &T : Macro.tokens())
        addToken(T, Where, Work);
    });
  }

  void addToken(const Token &T, const PlaceInPass &Where, WorkList &Work) {
    if (tok::isStringLiteral(T.getKind()))
      addString(PP.getSpelling(T), Where, Names);
    else if (T.is(tok::numeric_constant))
      Names.Numbers.insert(PP.getSpelling(T));
    else if (const IdentifierInfo *Name =
                 T.isLiteral() ? nullptr : T.getIdentifierInfo())
      add(Name->getName(), Where, Work);
  }

  /// What is put together may be a macro.
  void addPasted(WorkList &Work) {
    if (!Names.Pasting)
      return;
    for (const auto &Macro : PP.macros())
      if (Names.isPasted(Macro.first->getName()))
        add(Macro.first->getName(), *Names.Pasting, Work);
  }

  Preprocessor &PP;
  LeftOutNames &Names;
  UnsettledNames Unsettled;
};

/// The passes that say what a GPU runs.
std::vector<ReadPass> passesOf(const Program &Whole) {
  const bool HasDevice = llvm::any_of(
      Whole.Passes, [](const PassView &Pass) { return Pass.IsDevice; });
  std::vector<ReadPass> Result;
  for (const PassView &Pass : Whole.Passes)
    if (Pass.PP && (Pass.IsDevice || !HasDevice))
      Result.emplace_back(Pass);
  return Result;
}

/// Of a pass that has kept no record, all code under conditions may be left
/// out.
void addUnrecorded(const ReadPass &Pass, LeftOutNames &Names) {
  Pass.Conditions.forEachIncludedFile([&](FileID File) {
    if (!Names.Including && Pass.Conditions.holdsUnderCondition(File, ""))
      Names.Including =
          PlaceInPass{Pass.SM.getLocForStartOfFile(File), &Pass.SM};
  });
}

/// In strings, the linker's names are looked for in assembly and aliases only.
bool namesInStrings(const LeftOutNames &Names) {
  static constexpr llvm::StringLiteral Words[] = {
      "asm",     "__asm", "__asm__",     "alias",    "__alias__",
      "weakref", "ifunc", "__weakref__", "__ifunc__"};
  return llvm::any_of(
      Words, [&](llvm::StringRef Word) { return Names.Words.contains(Word); });
}

LeftOutNames readAll(const Program &Whole) {
  LeftOutNames Names;
  const std::vector<ReadPass> Passes = passesOf(Whole);
  ReadFiles Files;
  llvm::StringSet<> Included;
  for (const ReadPass &Pass : Passes)
    if (const PreprocessingRecord *Record = Pass.PP.getPreprocessingRecord())
      addFiles(Pass, Record, Files);
    else
      addUnrecorded(Pass, Names);
  for (const auto &[Path, File] : Files)
    readLeftOut(File, Names, Included);
  if (!Names.Words.empty())
    for (const ReadPass &Pass : Passes)
      NameClosure(Pass, Names).close();
  if (!namesInStrings(Names))
    Names.InStrings.clear();
  return Names;
}

} // namespace

Place PlaceInPass::place() const { return placeOf(Where, *SM); }

bool isMadeOf(llvm::StringRef Name,
              llvm::function_ref<bool(llvm::StringRef)> IsPart) {
  std::vector<bool> Ends(Name.size() + 1); // A part may end there.
  Ends[0] = true;
  for (size_t End = 1; End <= Name.size(); ++End)
    for (size_t Begin = 0; Begin < End && !Ends[End]; ++Begin)
      Ends[End] = Ends[Begin] && End - Begin < Name.size() &&
                  IsPart(Name.slice(Begin, End));
  return Ends[Name.size()];
}

bool LeftOutNames::isPasted(llvm::StringRef Name) const {
  return Pasting && isMadeOf(Name, [&](llvm::StringRef Part) {
           return Words.contains(Part) || Numbers.contains(Part);
         });
}

std::vector<std::string> LeftOutNames::parts() const {
  std::vector<std::string> Result;
  for (const llvm::StringRef Each : Words.keys())
    Result.push_back(Each.str());
  for (const llvm::StringRef Each : Numbers.keys())
    Result.push_back(Each.str());
  llvm::sort(Result);
  return Result;
}

std::optional<PlaceInPass>
LeftOutNames::placeNaming(const FunctionDecl &Function) const {
  const IdentifierInfo *Name = Function.getIdentifier();
  // `12_metres` calls a function by another word.
  if (!Name)
    return Words.empty() ? Including : std::optional(Words.begin()->getValue());
  if (const auto Found = Words.find(Name->getName()); Found != Words.end())
    return Found->getValue();
  for (const auto &Each : InStrings) {
    llvm::StringRef Word = Each.getKey();
    const bool GoesOn = Word.consume_back("%");
    if (mayBeSymbolOf(Function, Word, GoesOn))
      return Each.getValue();
  }
  return isPasted(Name->getName()) ? Pasting : Including;
}

const LeftOutNames &leftOutNames(const Program &Whole) {
  static const LeftOutNames None;
  if (Whole.Passes.empty())
    return None;
  // With the last pass, the others are gone as well.
  std::optional<LeftOutNames> &Known =
      *onePerContext<std::optional<LeftOutNames>>(
          *Whole.Passes.front().Context);
  if (!Known)
    Known = readAll(Whole);
  return *Known;
}

} // namespace barricade
