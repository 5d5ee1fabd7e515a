// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-region/LaunchCalls.h"
#include "matchers/facts/Copies.h"
#include "matchers/facts/Purity.h"
#include "matchers/host/ErrorCheck.h"
#include "matchers/host/HostCalls.h"
#include "matchers/launch-region/PrintingKernel.h"
#include "matchers/source/NamedElse.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/DroppedArguments.h"
#include "rewriters/KernelNames.h"
#include "rewriters/Macros.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/OtherSharing.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <array>
#include <map>
#include <set>

using namespace clang;

namespace barricade::launch_region {
namespace {

llvm::SmallVector<const Stmt *> callsOf(const LaunchRegion &R) {
  return llvm::map_to_vector(
      R.Launches, [](const RegionLaunch &L) -> const Stmt * { return L.Call; });
}

/// The kernel's name, `<<<`, `>>>` and the end.
std::array<SourceLocation, 4> spelledAt(const RegionLaunch &L) {
  const CallExpr &Config = *L.Call->getConfig();
  return {L.Call->getCallee()->getBeginLoc(), Config.getBeginLoc(),
          Config.getEndLoc(), L.Call->getEndLoc()};
}

} // namespace

bool isIncludedWithin(const FunctionDecl &Function) {
  const SourceManager &SM = Function.getASTContext().getSourceManager();
  const auto FileOf = [&](const Decl &D) {
    return SM.getFileID(SM.getExpansionLoc(D.getBeginLoc()));
  };
  for (const DeclContext *Around = Function.getLexicalDeclContext();
       !Around->isTranslationUnit(); Around = Around->getLexicalParent())
    if (FileOf(*cast<Decl>(Around)) != FileOf(Function))
      return true;
  return false;
}

LaunchCalls::LaunchCalls(const Program &P)
    : Whole(P), Host(*P.host()), Context(*Host.Context),
      SM(Context.getSourceManager()), Source(Context),
      Passes(P, grid_barrier::PassHashes::addLaunches), Uses(Context),
      Others(Host) {}

void LaunchCalls::checkPlace(const LaunchRegion &R, Finding &F) {
  const SourceLocation Begin = R.First->getBeginLoc();
  const SourceLocation End = Source.afterStatement(*R.Last);
  const auto Refuse = [&](ReasonId Id) {
    addReason(blocker(Id, Begin), SM, F);
  };
  if (R.Function->isDependentContext())
    return Refuse(ReasonId::HostTemplate);
  if (llvm::any_of(R.Launches, [&](const RegionLaunch &L) {
        return host::isFallback(*L.Call, Context);
      }))
    return Refuse(ReasonId::Fallback);
  if (R.IsInitialiser)
    return Refuse(ReasonId::NoPlace);
  if (R.Blocker)
    return addReason(blocker(ReasonId::Between, R.Blocker->getBeginLoc()), SM,
                     F);
  if (R.Function->hasAttr<CUDADeviceAttr>() || R.Function->isConstexpr())
    return Refuse(ReasonId::DeviceFunction);
  if (!Context.getLangOpts().CPlusPlus17)
    Refuse(ReasonId::Language);
  if (Uses.hasRuntimeNames())
    Refuse(ReasonId::RuntimeName);
  if (isIncludedWithin(*R.Function))
    Refuse(ReasonId::IncludedWithin);
  if (!SourceText::isWritable(Begin) || End.isInvalid())
    return Refuse(ReasonId::InMacro);
  // The object lives to the end of its block, where functions may be called.
  if (!mayDeclareBefore(*R.First, Context) || Uses.jumpsFar())
    Refuse(ReasonId::NoPlace);
  else if (Others.mayJumpPast(*R.First, *R.Function) ||
           Others.mayBelongTo(*R.First))
    Refuse(ReasonId::OtherBuild);
  if (Source.hasDirectiveBetween(Begin, End) || Source.followsPragma(Begin) ||
      mayMeetPragma(*R.First, End, Source, Context, *Host.PP))
    Refuse(ReasonId::Preprocessor);
  else if (F.Reasons.empty() && mayActElse(R))
    Refuse(ReasonId::OtherBuild);
  if (!Passes.agreeOnEach(callsOf(R), SM))
    Refuse(ReasonId::PassesDiffer);
  checkTransfers(R, F);
  checkAsked(R, F);
  for (const FunctionDecl *Launcher : R.Launchers)
    if (F.Reasons.empty())
      checkLauncher(*Launcher, F);
}

/// The text of \p Function is another one's, too, of which nothing is known.
static bool isReadAgain(const FunctionDecl &Function,
                        const SourceText &Source) {
  const SourceManager &SM = Function.getASTContext().getSourceManager();
  const FileID Own = SM.getFileID(SM.getExpansionLoc(Function.getBeginLoc()));
  bool Found = false;
  Source.forEachUserFile([&](FileID File) {
    Found |=
        File != Own && SM.getFileEntryForID(File) == SM.getFileEntryForID(Own);
  });
  return Found;
}

/// No more than its launches is changed, nor may another build do more in it.
void LaunchCalls::checkLauncher(const FunctionDecl &Launcher, Finding &F) {
  const Stmt &Body = *Launcher.getBody();
  const SourceLocation Begin = Body.getBeginLoc(), End = Body.getEndLoc();
  const auto Refuse = [&](ReasonId Id) {
    addReason(blocker(Id, Begin), SM, F);
  };
  if (!SourceText::isWritable(Begin) || !SourceText::isWritable(End))
    return Refuse(ReasonId::InMacro);
  if (isIncludedWithin(Launcher) || isReadAgain(Launcher, Source))
    return Refuse(ReasonId::IncludedWithin);
  if (Source.hasDirectiveBetween(Begin, End))
    return Refuse(ReasonId::Preprocessor);
  if (Others.mayRespell(Begin, End, {&Body}) || Others.mayCallElse(Body) ||
      Others.mayNameElse(Body))
    Refuse(ReasonId::OtherBuild);
}

/// In another build something in \p R may wait for the device, or stand for
/// more arguments of a launch.
bool LaunchCalls::mayActElse(const LaunchRegion &R) {
  const CompoundStmt &Block = *blockOf(*R.First, Context);
  const auto First = llvm::find(Block.body(), R.First);
  const auto Last = std::find(First, Block.body_end(), R.Last);
  if (Last == Block.body_end())
    return true;
  const llvm::SmallVector<const Stmt *> Parts(First, std::next(Last));
  const SourceLocation Begin = R.First->getBeginLoc();
  const SourceLocation End = Source.afterStatement(*R.Last);
  // Who waits may see what others write meanwhile.
  const bool Waits = !R.Waits.empty() || R.ReadBack;
  return Others.mayRespell(Begin, End, Parts) || mayLookElse(R, Begin, End) ||
         (Waits && (mayBeSharedElse(*R.Function, Parts, Others, Context) ||
                    mayReadDropped(Source.text(Begin, End), *R.Function, Others,
                                   Context, *Host.PP))) ||
         llvm::any_of(Parts, [&](const Stmt *Part) {
           return Others.mayCallElse(*Part) || Others.mayNameElse(*Part) ||
                  (R.Function->isTemplateInstantiation() &&
                   Others.mayChooseElse(*Part));
         });
}

/// The variables of \p Function that get what some of \p Calls return, be it
/// by way of each other.
static llvm::SmallPtrSet<const VarDecl *, 2>
variablesGiven(llvm::ArrayRef<const CallExpr *> Calls,
               const FunctionDecl &Function) {
  llvm::SmallPtrSet<const VarDecl *, 2> Found;
  const auto Give = [&](const VarDecl *To, const Expr *From) {
    const auto IsGiven = [&](const Stmt &S) {
      const VarDecl *Var = variableNamedBy(S);
      return llvm::is_contained(Calls, &S) || (Var && Found.contains(Var));
    };
    return To && From && holds(From, IsGiven) && Found.insert(To).second;
  };
  const auto GivesMore = [&](const Stmt &S) {
    if (const auto *Op = dyn_cast<BinaryOperator>(&S))
      return Op->isAssignmentOp() &&
             Give(variableNamedBy(*Op->getLHS()->IgnoreParens()), Op->getRHS());
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    return Declaration && llvm::any_of(Declaration->decls(), [&](Decl *D) {
             const auto *Var = dyn_cast<VarDecl>(D);
             return Var && Give(Var, Var->getInit());
           });
  };
  while (holds(Function.getBody(), GivesMore))
    ;
  return Found;
}

/// In another build something in the loop may look at what is told later: at
/// errors of waits, and at what it reads back. Behind it they are as they were.
bool LaunchCalls::mayLookElse(const LaunchRegion &R, SourceLocation Begin,
                              SourceLocation End) {
  const auto IsNamed = [&](const VarDecl *Var) {
    return isNamedElse(*Var, *R.Function, Begin, End);
  };
  return (R.ReadBack && IsNamed(R.ReadBack->Number)) ||
         llvm::any_of(variablesGiven(R.Waits, *R.Function), IsNamed);
}

bool LaunchCalls::checkLaunch(const RegionLaunch &L, Finding &F) {
  const auto Refuse = [&](ReasonId Id, SourceLocation At) {
    addReason(blocker(Id, At), SM, F);
  };
  const SourceLocation Where = L.Call->getBeginLoc();
  const FunctionDecl *Kernel = L.Call->getDirectCallee();
  if (!L.Callee || !Kernel)
    return Refuse(ReasonId::KernelPointer, Where), false;
  if (!llvm::all_of(spelledAt(L), SourceText::isWritable) ||
      !beforeArguments(L))
    return Refuse(ReasonId::InMacro, Where), false;
  if (!host::isNamedAlone(L) || mayBeOverloaded(*L.Callee, Others, Context))
    Refuse(ReasonId::KernelName, Where);
  for (const Expr *Arg : L.Call->arguments())
    if (isa<CXXDefaultArgExpr>(Arg))
      Refuse(ReasonId::DefaultArgument, Where);
    else if (!facts::isPure(*Arg, Context))
      Refuse(ReasonId::Argument, Arg->getBeginLoc());
  for (const Expr *E : {L.Grid, L.Block, L.SharedBytes, L.Stream})
    if (E && !facts::isPure(*E, Context))
      Refuse(ReasonId::Argument, E->getBeginLoc());
  for (const ParmVarDecl *P : Kernel->parameters())
    if (!facts::isCopiedByAnyone(P->getType(), Context))
      Refuse(ReasonId::ParameterType, P->getLocation());
  return true;
}

/// A token of \p Macro, or of one that it names, \p Is; or that is not known.
static bool holdsToken(const MacroInfo &Macro, const Preprocessor &PP,
                       bool (*Is)(const Token &), unsigned Depth = 0) {
  return Depth > 8 || llvm::any_of(Macro.tokens(), [&](const Token &T) {
           if (Is(T))
             return true;
           const IdentifierInfo *Name =
               T.isLiteral() ? nullptr : T.getIdentifierInfo();
           const MacroInfo *Other = Name && Name->hadMacroDefinition()
                                        ? PP.getMacroInfo(Name)
                                        : nullptr;
           return Other && Other != &Macro &&
                  holdsToken(*Other, PP, Is, Depth + 1);
         });
}

/// Something is made of the text that a macro is given.
static bool makesText(const Token &T) {
  return T.isOneOf(tok::hash, tok::hashhash, tok::hashat);
}
/// More than a string.
static bool makesTokens(const Token &T) {
  return T.isOneOf(tok::hashhash, tok::hashat);
}
static bool isCounter(const Token &T) {
  const IdentifierInfo *Name = T.isLiteral() ? nullptr : T.getIdentifierInfo();
  return Name && Name->isStr("__COUNTER__");
}

/// A macro that is given what stands at \p Where passes \p Test, or is not
/// known.
bool LaunchCalls::isGivenTo(
    SourceLocation Where,
    llvm::function_ref<bool(const MacroInfo &)> Test) const {
  for (; Where.isMacroID(); Where = SM.getImmediateSpellingLoc(Where)) {
    const IdentifierInfo *Name = knownIdentifier(
        Lexer::getImmediateMacroName(Where, SM, Context.getLangOpts()),
        Host.PP->getIdentifierTable());
    const MacroInfo *Macro = Name ? Host.PP->getMacroInfo(Name) : nullptr;
    if (!Macro || Test(*Macro))
      return true;
  }
  return false;
}

/// `__COUNTER__` would be another number behind \p Text, if that was there
/// twice: it names that, or a macro that does.
static bool mayCount(llvm::StringRef Text, const LangOptions &Lang,
                     const Preprocessor &PP) {
  const std::string Ended = Text.str();
  Lexer Raw(SourceLocation(), Lang, Ended.data(), Ended.data(),
            Ended.data() + Ended.size());
  Token T;
  for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T)) {
    const IdentifierInfo *Name =
        T.is(tok::raw_identifier)
            ? knownIdentifier(T.getRawIdentifier(), PP.getIdentifierTable())
            : nullptr;
    if (!Name || !Name->hadMacroDefinition())
      continue;
    const MacroInfo *Macro = PP.getMacroInfo(Name);
    if (!Macro || Name->isStr("__COUNTER__") ||
        holdsToken(*Macro, PP, isCounter))
      return true;
  }
  return false;
}

void LaunchCalls::checkAsked(const LaunchRegion &R, Finding &F) const {
  for (const Stmt *S : R.Asked.Statements) {
    const auto Range = Source.fileRange(*S);
    if (!Range ||
        isInLibraryMacro(R.Asked.Call->getCallee()->getBeginLoc(), SM) ||
        mayCount(Source.text(*Range), Context.getLangOpts(), *Host.PP))
      addReason(blocker(ReasonId::InMacro, S->getBeginLoc()), SM, F);
  }
}

/// \p Call stands in a statement that, where there is no error, does nothing
/// but check: a string that says what was called is told with one.
static bool isOnlyChecked(const CallExpr &Call, ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const Stmt *Statement = &Call;
  while (const Stmt *Parent = parentOf(*Statement, Context)) {
    const auto *Block = dyn_cast<CompoundStmt>(Parent);
    if (Block && llvm::is_contained(
                     host::readErrorCheck(Statement, Context).Calls, &Call))
      // Others may be the macro's, too.
      return llvm::none_of(Block->body(), [&](const Stmt *Each) {
        return SM.getExpansionLoc(Each->getBeginLoc()) ==
                   SM.getExpansionLoc(Statement->getBeginLoc()) &&
               host::measuresStrings(*Each);
      });
    Statement = Parent;
  }
  return false;
}

void LaunchCalls::checkTransfers(const LaunchRegion &R, Finding &F) const {
  const auto Check = [&](const CallExpr *Call, bool (*Spoils)(const Token &)) {
    if (isGivenTo(Call->getCallee()->getBeginLoc(),
                  [&](const MacroInfo &Macro) {
                    return holdsToken(Macro, *Host.PP, Spoils);
                  }))
      addReason(blocker(ReasonId::InMacro, Call->getBeginLoc()), SM, F);
  };
  const auto CheckEach = [&](llvm::ArrayRef<const CallExpr *> Changed) {
    for (const CallExpr *Call : Changed)
      Check(Call, isOnlyChecked(*Call, Context) ? makesTokens : makesText);
  };
  CheckEach(R.Transfers);
  if (R.ReadBack)
    CheckEach(R.ReadBack->Copies);
  // Where a wait stands in a macro, that does nothing but check it.
  for (const CallExpr *Wait : R.Waits)
    Check(Wait, makesTokens);
}

void LaunchCalls::checkWaits(const LaunchRegion &R, Finding &F) {
  if (R.Waits.empty() && !R.ReadBack)
    return;
  if (Prints.empty())
    for (const PassView &Pass : Whole.Passes)
      if (Pass.IsDevice)
        Prints.emplace_back(Pass, findPrint);
  const auto Refuse = [&](SourceLocation Where, const SourceManager &Its,
                          llvm::StringRef Why) {
    const CallExpr &Wait =
        *(R.ReadBack ? R.ReadBack->Copies.back() : R.Waits.front());
    addReason(blocker(ReasonId::Between, Wait.getBeginLoc()), SM, F);
    F.Reasons.back().Notes.push_back({placeOf(Where, Its), Why.str()});
  };
  for (const RegionLaunch &L : R.Launches)
    for (auto &Pass : Prints) {
      const SourceLocation *Print =
          L.Kernel ? Pass.find(grid_barrier::keyOf(*L.Kernel)) : nullptr;
      if (!Print)
        return Refuse(L.Call->getBeginLoc(), SM,
                      "who waits for a kernel that is not in sight may see "
                      "what it prints");
      if (Print->isValid())
        return Refuse(*Print, Pass.sourceManager(),
                      "who waits may see what is printed here");
    }
}

/// What stands between `>>>` and the `(` behind it; nothing where a macro
/// spells that.
std::optional<llvm::StringRef>
LaunchCalls::beforeArguments(const RegionLaunch &L) const {
  const SourceLocation Close = spelledAt(L)[2];
  llvm::StringRef Between = Source.text(CharSourceRange::getCharRange(
      Source.afterToken(Close), Source.afterNextToken(Close)));
  return Between.consume_back("(") ? std::optional(Between) : std::nullopt;
}

void LaunchCalls::include(llvm::ArrayRef<const FunctionDecl *> Functions,
                          RuntimeHeader Header, Finding &F) const {
  std::map<FileID, SourceLocation> First;
  for (const FunctionDecl *Function : Functions) {
    const SourceLocation Place =
        grid_barrier::siteBefore(*Function, Source).Place;
    auto [It, New] = First.try_emplace(SM.getFileID(Place), Place);
    if (!New && SM.isBeforeInTranslationUnit(Place, It->second))
      It->second = Place;
  }
  for (const auto &[File, Place] : First)
    if (std::optional<Edit> E =
            Source.inclusion(includeName(Header), Place, *Host.PP))
      addShared(std::move(*E), F);
}

void LaunchCalls::writeLaunch(const RegionLaunch &L, llvm::StringRef Method,
                              Finding &F) const {
  if (!L.Launcher)
    return writeCall(L, Method, F);
  // Other loops may call that function as well.
  Finding Shared;
  writeCall(L, "barricade::launch", Shared);
  for (Edit &E : Shared.Edits)
    addShared(std::move(E), F);
}

void LaunchCalls::writeCall(const RegionLaunch &L, llvm::StringRef Method,
                            Finding &F) const {
  const auto [Callee, Open, Close, End] = spelledAt(L);
  F.Edits.push_back(Source.insertion(Callee, Method.str() + "("));
  // The brackets may be spelled `<< <`, which is one more character.
  F.Edits.push_back(Source.replacement(
      Open, Source.afterBlanks(Source.afterToken(Open)), ", "));
  std::string Rest;
  if (!L.SharedBytes)
    Rest += ", 0";
  if (!L.Stream)
    Rest += ", nullptr";
  if (L.Call->getNumArgs() > 0)
    Rest += ", ";
  // Comments stay.
  const llvm::StringRef Between = *beforeArguments(L);
  if (!Between.trim().empty())
    Rest += Between;
  const SourceLocation Behind = Source.afterNextToken(Close);
  // A macro that stands for nothing, or a comment.
  if (L.Call->getNumArgs() == 0 && Behind != End)
    Rest += " ";
  F.Edits.push_back(Source.replacement(Close, Behind, Rest));
}

void LaunchCalls::writeTransfers(const LaunchRegion &R, llvm::StringRef Object,
                                 Finding &F) const {
  for (const CallExpr *Call : R.Transfers)
    writeTransfer(*Call, Object, F);
}

void LaunchCalls::writeCopies(const LaunchRegion &R, llvm::StringRef Object,
                              Finding &F) const {
  for (const CallExpr *Call : R.ReadBack->Copies)
    writeTransfer(*Call, Object, F);
}

void LaunchCalls::writeTransfer(const CallExpr &Call, llvm::StringRef Object,
                                Finding &F) const {
  const llvm::StringRef Name = Call.getDirectCallee()->getName();
  writeName(Call,
            Object.str() +
                (Name.starts_with("cudaMemset") ? ".memset" : ".memcpy") +
                (Name.ends_with("Async") ? "_async" : ""),
            F);
}

void LaunchCalls::writeWaits(const LaunchRegion &R, llvm::StringRef Object,
                             Finding &F) const {
  for (const CallExpr *Call : R.Waits)
    writeName(*Call, Object.str() + ".synchronize", F);
}

/// Where a macro says what it is given several times, it is written once.
void LaunchCalls::writeName(const CallExpr &Call, const std::string &Name,
                            Finding &F) const {
  const auto *Callee = cast<DeclRefExpr>(Call.getCallee()->IgnoreImpCasts());
  const Edit E = Source.replacement(
      writtenAt(Callee->getBeginLoc(), SM),
      Source.afterToken(writtenAt(Callee->getLocation(), SM)), Name);
  if (llvm::is_contained(F.Edits, E))
    return;
  F.Parts.push_back(placeOf(Call.getBeginLoc(), SM));
  F.Edits.push_back(E);
}

bool LaunchCalls::refuseText(SourceLocation Where, Finding &F) {
  return Others.refuseText(blocker(ReasonId::RuntimeName, Where),
                           blocker(ReasonId::OtherBuild, Where), F);
}

void addShared(Edit E, Finding &F) {
  E.WithOthers = Edit::Meeting::Shared;
  if (!llvm::is_contained(F.Edits, E))
    F.Edits.push_back(std::move(E));
}

} // namespace barricade::launch_region
