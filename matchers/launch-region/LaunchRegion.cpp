// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-region/LaunchRegion.h"
#include "matchers/facts/EndingLoop.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/LinkedCode.h"
#include "matchers/facts/Purity.h"
#include "matchers/facts/SilentCalls.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/host/ErrorCheck.h"
#include "matchers/host/HostCalls.h"
#include "matchers/host/HostVariables.h"
#include "matchers/host/Printing.h"
#include "matchers/host/UnitUses.h"
#include "matchers/launch-region/TemplateRegions.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>
#include <optional>

using namespace clang;

namespace barricade::launch_region {
namespace {

/// Functions of libraries that give a GPU nothing to do, or end the program.
bool isHarmless(const FunctionDecl &F, Between Allowed) {
  return host::isSilentFunction(F) ||
         (host::isSystemFunction(F) &&
          llvm::StringSwitch<bool>(F.getName())
              // A stream may be a function of the program's.
              .Cases({"fprintf", "fputs", "fflush"}, Allowed == Between::Waits)
              // What is done then may wait for the device.
              .Cases({"exit", "abort", "__assert_fail"},
                     Allowed == Between::Waits)
              .Cases({"cudaGetErrorName", "cudaGetErrorString"}, true)
              .Default(false));
}

bool repeats(const Stmt &S, const ASTContext &Context) {
  return isLoop(S) && !isOnceLoop(S, Context);
}

using Pauses = std::vector<const Stmt *>;

/// The launches in \p S, other than those in lambdas and \p Without.
void collectLaunches(const Stmt &S, const ASTContext &Context, bool InLoop,
                     std::vector<RegionLaunch> &Launches,
                     const Pauses &Without = {}) {
  if (isa<LambdaExpr>(S) || llvm::is_contained(Without, &S))
    return;
  if (const auto *Call = dyn_cast<CUDAKernelCallExpr>(&S)) {
    RegionLaunch &Launch = Launches.emplace_back();
    if (Call->isTypeDependent() || !Call->getConfig())
      Launch.Call = Call;
    else
      static_cast<host::Launch &>(Launch) = host::launchOf(*Call);
    Launch.IsInLoop = InLoop;
  }
  for (const Stmt *Child : S.children())
    if (Child)
      collectLaunches(*Child, Context, InLoop || repeats(S, Context), Launches,
                      Without);
}

/// The same of calls that \p Is.
void collectCalls(const Stmt &S, const ASTContext &Context,
                  const Pauses &Without,
                  bool (*Is)(const CallExpr &, const ASTContext &),
                  std::vector<const CallExpr *> &Calls) {
  // Nothing of these is evaluated here.
  if (isa<LambdaExpr, UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(S) ||
      llvm::is_contained(Without, &S))
    return;
  if (const auto *Call = dyn_cast<CallExpr>(&S); Call && Is(*Call, Context))
    Calls.push_back(Call);
  for (const Stmt *Child : S.children())
    if (Child)
      collectCalls(*Child, Context, Without, Is, Calls);
}

bool mayFollowOneAnother(llvm::ArrayRef<RegionLaunch> Launches) {
  return Launches.size() > 1 ||
         (!Launches.empty() && Launches.front().IsInLoop);
}

using FunctionList = std::vector<const FunctionDecl *>;

/// What \p Call calls, if that is in sight and the user's.
const FunctionDecl *calledBody(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const FunctionDecl *Body = Callee ? facts::linkedBody(*Callee) : nullptr;
  return Body && !facts::isLibraryCode(*Body) ? Body : nullptr;
}

/// Adds what \p S, without the parts \p Without, calls and what these call, as
/// far as they launch, to \p Launchers. \p Known: functions that were looked
/// at.
void collectLaunchers(const Stmt &S, const Pauses &Without,
                      llvm::SmallPtrSetImpl<const FunctionDecl *> &Known,
                      FunctionList &Launchers) {
  if (isa<LambdaExpr>(S) || llvm::is_contained(Without, &S))
    return;
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Body =
      Call && !isa<CUDAKernelCallExpr>(Call) ? calledBody(*Call) : nullptr;
  if (Body && Known.insert(Body).second) {
    if (host::holdsLaunch(*Body->getBody()))
      Launchers.push_back(Body);
    collectLaunchers(*Body->getBody(), Without, Known, Launchers);
  }
  for (const Stmt *Child : S.children())
    if (Child)
      collectLaunchers(*Child, Without, Known, Launchers);
}

/// What becomes of waits.
enum class Waits {
  Stay,
  /// They may come later, and nobody asks whether there was an error. What else
  /// there is knows nothing but local variables, so that it cannot tell.
  Postponed,
  /// The same, but for checks that do so where there was none.
  PostponedUnlessFailed,
};

/// Reads statements with all that they hold.
class QuietReader {
public:
  QuietReader(ASTContext &Context, Between Allowed, Waits HowWaiting)
      : Context(Context), SM(Context.getSourceManager()), Allowed(Allowed),
        Postpones(HowWaiting != Waits::Stay),
        ReadsChecks(HowWaiting != Waits::Postponed) {}

  /// The same where functions that are called may launch. \p OfSilent looks at
  /// what runs without a call, which may not.
  QuietReader(const QuietReader &OfSilent, ASTContext &Context)
      : QuietReader(Context, OfSilent.Allowed, Waits::Stay) {
    this->OfSilent = &OfSilent;
  }

  /// How many statements of \p Rest, which follow each other, do nothing but
  /// ask whether there was an error, and tell it or end the program. Behind an
  /// error the runtime holds nothing back.
  size_t countChecks(llvm::ArrayRef<const Stmt *> Rest) const {
    if (!ReadsChecks)
      return 0;
    const host::ErrorCheck Check = host::readErrorCheck(Rest, Context);
    const auto Own = Rest.take_front(Check.Length);
    const auto MayBeWritten = [&](const CallExpr &Call) {
      return llvm::any_of(Own,
                          [&](const Stmt *S) { return contains(S, &Call); });
    };
    const auto MayStand = [&](const CallExpr *Call) {
      const bool IsPutOff = mayComeLater(*Call);
      return (IsPutOff || isKnown(*Call)) &&
             (MayBeWritten(*Call) || !(IsPutOff || isTransfer(*Call, Context)));
    };
    if (!Check.Call || !Check.OnlyTells ||
        !llvm::all_of(Check.Calls, MayStand) ||
        (Postpones && mayKnowOnSuccess(Check)) ||
        llvm::any_of(Own, [&](const Stmt *S) { return host::holdsLaunch(*S); }))
      return 0;
    return Check.Length;
  }

  /// The first part that is loud of statements that follow each other.
  const Stmt *loudPartOf(llvm::ArrayRef<const Stmt *> Rest) const {
    while (!Rest.empty()) {
      const size_t Checks = countChecks(Rest);
      if (Checks == 0)
        if (const Stmt *Loud = loudStatement(Rest.front()))
          return Loud;
      Rest = Rest.drop_front(std::max<size_t>(Checks, 1));
    }
    return nullptr;
  }

  /// \p S has none but maybe \p Known, calls in \p S itself that somebody else
  /// looks at.
  bool isQuietApartFrom(const Stmt &S,
                        llvm::ArrayRef<const CallExpr *> Known) const {
    const llvm::SaveAndRestore Meanwhile(Asked, Known);
    return !loudPartOf(&S);
  }

  /// What in \p S may reach the device other than by a launch, or leave \p S
  /// other than at its end: what is not known to be harmless is taken for that.
  /// Null: nothing.
  const Stmt *loudPart(const Stmt *S) const {
    if (!S)
      return nullptr;
    if (!isQuiet(*S) || (Allowed != Between::Waits && mayTell(*S)))
      return S;
    // Parts that are no children; what they call does not launch.
    const QuietReader &ForParts = forSilent();
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(S))
      return ForParts.loudElsewhere(Default->getExpr());
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(S))
      return ForParts.loudElsewhere(Default->getExpr()) ? S : nullptr;
    if (const auto *List = dyn_cast<InitListExpr>(S))
      if (const Stmt *Loud = ForParts.loudElsewhere(List->getArrayFiller()))
        return Loud;
    if (const auto *List = dyn_cast<CXXParenListInitExpr>(S))
      if (const Stmt *Loud = ForParts.loudElsewhere(List->getArrayFiller()))
        return Loud;
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return loudPartOf(llvm::ArrayRef(Block->body_begin(), Block->size()));
    for (const Stmt *Child : S->children())
      if (const Stmt *Loud =
              isStatementOf(*S, Child) ? loudPartOf(Child) : loudPart(Child))
        return Loud;
    return nullptr;
  }

  /// \p Loop is quiet but for \p Found, branches in it that are none of its
  /// launches', if there may be such.
  bool isQuietBut(const Stmt &Loop, Pauses &Found) const {
    return Allowed == Between::Pauses ? isQuietOnceMade(&Loop, Found)
                                      : !loudPart(&Loop);
  }

private:
  /// Nobody uses the value of \p S, which may be null.
  const Stmt *loudStatement(const Stmt *S) const {
    const auto *E = dyn_cast_or_null<Expr>(S);
    const auto *Call = E ? dyn_cast<CallExpr>(E->IgnoreParenCasts()) : nullptr;
    if (!Call || !mayComeLater(*Call))
      return loudPart(S);
    for (const Expr *Argument : Call->arguments())
      if (const Stmt *Loud = loudPart(Argument))
        return Loud;
    return nullptr;
  }

  bool mayComeLater(const CallExpr &Call) const {
    return Postpones &&
           (ReadsChecks ? isWrittenWait(Call, Context) : isWait(Call, Context));
  }
  bool changesText(const CallExpr &Call) const {
    return isTransfer(Call, Context) || mayComeLater(Call);
  }

  /// \p S, which may be null, is quiet if what is held back is made before
  /// \p Found.
  bool isQuietOnceMade(const Stmt *S, Pauses &Found) const {
    if (!S || !loudPartOf(S))
      return true;
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return isQuietOnceMade(llvm::ArrayRef(Block->body_begin(), Block->size()),
                             Found);
    const auto *If = dyn_cast<IfStmt>(S);
    if (!isQuiet(*S) || (!isLoop(*S) && (!If || If->isConsteval())))
      return false;
    return llvm::all_of(S->children(),
                        [&](const Stmt *Part) {
                          if (!isStatementOf(*S, Part))
                            return !loudPart(Part);
                          return If ? isPauseOrQuiet(*Part, Found)
                                    : isQuietOnceMade(Part, Found);
                        }) &&
           !mayTell(*S, Found);
  }

  bool isQuietOnceMade(llvm::ArrayRef<const Stmt *> Rest, Pauses &Found) const {
    while (!Rest.empty()) {
      const size_t Checks = countChecks(Rest);
      if (Checks == 0 && !isQuietOnceMade(Rest.front(), Found))
        return false;
      Rest = Rest.drop_front(std::max<size_t>(Checks, 1));
    }
    return true;
  }

  /// As few statements of \p Branch as can be are pauses, or the whole is.
  bool isPauseOrQuiet(const Stmt &Branch, Pauses &Found) const {
    const size_t Before = Found.size();
    if (isQuietOnceMade(&Branch, Found))
      return true;
    Found.resize(Before);
    Found.push_back(&Branch);
    return isEnteredAtItsStart(Branch) && !holds(&Branch, [&](const Stmt &S) {
             return repeats(S, Context) && host::holdsLaunch(S);
           });
  }

  /// Nothing jumps into \p S from elsewhere.
  static bool isEnteredAtItsStart(const Stmt &S, bool InSwitch = false) {
    if (isa<LabelStmt>(S) || (isa<SwitchCase>(S) && !InSwitch))
      return false;
    return llvm::all_of(S.children(), [&](const Stmt *Child) {
      return !Child ||
             isEnteredAtItsStart(*Child, InSwitch || isa<SwitchStmt>(S));
    });
  }

  /// Nobody uses its value.
  static bool isStatementOf(const Stmt &Parent, const Stmt *Child) {
    const auto *If = dyn_cast<IfStmt>(&Parent);
    return Child && (If ? Child == If->getThen() || Child == If->getElse()
                        : isLoop(Parent) && Child == bodyOf(Parent));
  }

  /// In \p S, which may be null, nothing can be changed for the region's sake:
  /// it stands elsewhere, or is there several times.
  const Stmt *loudElsewhere(const Stmt *S) const {
    const bool Transfers = holds(S, [&](const Stmt &Part) {
      const auto *Call = dyn_cast<CallExpr>(&Part);
      return Call && changesText(*Call);
    });
    return Transfers ? S : loudPart(S);
  }

  /// The same of \p S itself, without its parts.
  bool isQuiet(const Stmt &S) const {
    if (const auto *Call = dyn_cast<CallExpr>(&S);
        Call && llvm::is_contained(Asked, Call))
      return true;
    if (Postpones && mayKnow(S))
      return false;
    if (const auto *Call = dyn_cast<CallExpr>(&S);
        Call && !isa<CUDAKernelCallExpr>(Call) && !isKnown(*Call))
      return false;
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S);
        Construct && !isKnown(*Construct))
      return false;
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      return llvm::all_of(Declaration->decls(), isPlain);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S);
        Ref && isInitialisedHere(*Ref->getDecl()))
      return false;
    if (const auto *Member = dyn_cast<MemberExpr>(&S);
        Member && isInitialisedHere(*Member->getMemberDecl()))
      return false;
    // Another thread may wait for what is written there, or say something.
    if (const auto *E = dyn_cast<Expr>(&S);
        E && (E->getType().isNull() || E->getType().isVolatileQualified() ||
              E->getType()->isAtomicType()))
      return false;
    // Bodies of lambdas do not run here. A jump to a label may come from
    // elsewhere.
    return !isa<LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr, CXXTryStmt,
                AsmStmt, LabelStmt, IndirectGotoStmt, CXXForRangeStmt,
                CoroutineSuspendExpr, CXXBindTemporaryExpr,
                CXXInheritedCtorInitExpr, AtomicExpr, OMPExecutableDirective>(
        S);
  }

  /// \p S itself may tell whether a launch was made: it jumps past what makes
  /// those that are held back, calls a function that may, or is a loop that may
  /// go on without a launch and looks at memory, or is not seen to end: nothing
  /// behind an endless loop makes them.
  ///
  /// \p Made: parts of it before which they are made.
  bool mayTell(const Stmt &S, const Pauses &Made = {}) const {
    if (isa<GotoStmt, StmtExpr>(S))
      return true;
    if (const auto *Call = dyn_cast<CallExpr>(&S);
        Call && !isa<CUDAKernelCallExpr>(Call))
      return tellsWithin(*Call);
    const auto MayGoOn = [&] {
      return !facts::isAssumedToEnd(S, Context) &&
             !facts::isSeenToEnd(S, Context,
                                 [&](const VarDecl &V) { return isShared(V); });
    };
    return repeats(S, Context) && !launchesAlways(S) &&
           (MayGoOn() ||
            holds(
                &S, [&](const Stmt &Part) { return readsMemory(Part); }, Made));
  }

  /// In the body of what \p Call calls.
  bool tellsWithin(const CallExpr &Call) const {
    const FunctionDecl *Callee = Call.getDirectCallee();
    const FunctionDecl *Body = Callee ? Callee->getDefinition() : nullptr;
    return Body && !facts::isLibraryCode(*Body) && !isQuietBody(*Body);
  }

  /// Each iteration of \p Loop launches: by a statement of its body's own, with
  /// no `continue` in that.
  bool launchesAlways(const Stmt &Loop) const {
    const Stmt *Body = bodyOf(Loop);
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Body);
    return Body &&
           !holds(Body, [](const Stmt &S) { return isa<ContinueStmt>(S); }) &&
           (Block ? llvm::any_of(Block->body(),
                                 [&](const Stmt *S) { return launches(S); })
                  : launches(Body));
  }

  /// By itself, whatever stands around it with a comma, or by a function.
  bool launches(const Stmt *S, unsigned Depth = 0) const {
    if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(S))
      S = Cleanups->getSubExpr();
    const auto *Op = dyn_cast<BinaryOperator>(S);
    const auto *Call = dyn_cast<CallExpr>(S);
    return isa<CUDAKernelCallExpr>(S) ||
           (Call &&
            (isTransfer(*Call, Context) || launchesWhenCalled(*Call, Depth))) ||
           (Op && Op->isCommaOp() &&
            (launches(Op->getLHS(), Depth) || launches(Op->getRHS(), Depth)));
  }

  /// By a statement of the body's own, to which each call comes.
  bool launchesWhenCalled(const CallExpr &Call, unsigned Depth) const {
    constexpr unsigned MostDepth = 4;
    const FunctionDecl *F =
        OfSilent && Depth < MostDepth ? calledBody(Call) : nullptr;
    const auto *Body = F ? dyn_cast<CompoundStmt>(F->getBody()) : nullptr;
    return Body &&
           llvm::any_of(
               Body->body(),
               [&](const Stmt *S) { return launches(S, Depth + 1); }) &&
           !holds(Body, [](const Stmt &S) { return isa<ReturnStmt>(S); });
  }

  /// \p Check looks at what is there after a wait, though that reported no
  /// error.
  bool mayKnowOnSuccess(const host::ErrorCheck &Check) const {
    return llvm::any_of(Check.OnSuccess, [&](const Stmt *Evaluated) {
      return holds(Evaluated, [&](const Stmt &S) {
        return !llvm::is_contained(Check.Calls, &S) && mayKnow(S);
      });
    });
  }

  /// What is there after a wait, that is not there before.
  bool mayKnow(const Stmt &S) const {
    const auto *Call = dyn_cast<CallExpr>(&S);
    return !(Call && isTransfer(*Call, Context)) && readsMemory(S);
  }

  /// Of other than a local variable that nobody else knows; a function may.
  bool readsMemory(const Stmt &S) const {
    if (const auto *Call = dyn_cast<CallExpr>(&S))
      return !isa<CUDAKernelCallExpr>(Call) && !isLaunchConfiguration(*Call) &&
             !looksAtArguments(*Call) && !onlyComputes(*Call) &&
             !launchesWithoutReading(*Call);
    if (const auto *Op = dyn_cast<UnaryOperator>(&S))
      return Op->getOpcode() == UO_Deref;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      return mayRefer(*Ref->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(&S))
      return Member->isArrow() || mayRefer(*Member->getMemberDecl());
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    return isa<ArraySubscriptExpr, CXXThisExpr>(S) || (Op && Op->isPtrMemOp());
  }

  /// To other than a local variable that nobody else knows, or a part of one.
  bool mayRefer(const ValueDecl &D) const {
    if (isa<BindingDecl>(D) || D.getType()->isReferenceType())
      return true;
    const auto *Var = dyn_cast<VarDecl>(&D);
    return Var && !isConstant(*Var) &&
           (!Var->hasLocalStorage() || isShared(*Var));
  }

  static bool isConstant(const VarDecl &Var) {
    const CXXRecordDecl *Class =
        Var.getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return Var.getType().isConstQualified() &&
           !(Class && Class->hasDefinition() && Class->hasMutableFields());
  }

  /// From what it is given by value, which is looked at by itself.
  bool onlyComputes(const CallExpr &Call) const {
    const FunctionDecl *Callee = Call.getDirectCallee();
    const FunctionDecl *Body = Callee ? facts::linkedBody(*Callee) : nullptr;
    return Body && !isa<CXXMethodDecl>(Body) && facts::isPure(Call, Context) &&
           !holds(Body->getBody(),
                  [&](const Stmt &S) { return readsMemory(S); });
  }

  /// A function that does no more than launch, by what it is given.
  bool launchesWithoutReading(const CallExpr &Call) const {
    const FunctionDecl *Body = OfSilent ? calledBody(Call) : nullptr;
    // Of one that calls itself nothing is known.
    return Body && isQuietBody(*Body) && host::holdsLaunch(*Body->getBody()) &&
           !holds(Body->getBody(),
                  [&](const Stmt &S) { return readsMemory(S); });
  }

  /// Only at them, which are parts of the code.
  bool looksAtArguments(const CallExpr &Call) const {
    return llvm::is_contained({host::HostCallKind::Swap,
                               host::HostCallKind::Extremum,
                               host::HostCallKind::Rounding},
                              host::classifyHostCall(Call, SM)) &&
           Call.getArg(0)->getType()->isScalarType();
  }

  /// A kernel, or another thread, may have the address of the local \p Var.
  bool isShared(const VarDecl &Var) const {
    const auto *Owner =
        dyn_cast_or_null<FunctionDecl>(Var.getParentFunctionOrMethod());
    if (!Owner || !Owner->hasBody())
      return true;
    return Variables.try_emplace(Owner, *Owner).first->second.isShared(Var);
  }

  static bool isInitialisedHere(const ValueDecl &D) {
    const auto *Var = dyn_cast<VarDecl>(&D);
    return Var && facts::isInitialisedByUse(*Var);
  }

  static bool isPlain(const Decl *D) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var)
      return facts::isSilentDeclaration(*D);
    return !isa<DecompositionDecl>(Var) && facts::isPlainVariable(*Var) &&
           !Var->getType().isVolatileQualified();
  }

  /// `dim3` and the like: its arguments are looked at as any other part.
  bool isKnown(const CXXConstructExpr &E) const {
    return facts::isPure(E, Context) ||
           (facts::isLibraryCode(*E.getConstructor()) &&
            (E.getConstructor()->getParent()->getName() == "dim3" ||
             host::isOfClocks(*E.getConstructor())));
  }

  bool isKnown(const CallExpr &Call) const {
    using host::HostCallKind;
    if (facts::isPure(Call, Context) || isLaunchConfiguration(Call))
      return true;
    switch (host::classifyHostCall(Call, SM)) {
    case HostCallKind::Swap:
      return Call.getArg(0)->getType()->isScalarType();
    case HostCallKind::Extremum:
    case HostCallKind::Rounding:
    case HostCallKind::Query:
      return true;
    case HostCallKind::Synchronise:
      return Allowed == Between::Waits;
    case HostCallKind::Copy:
    case HostCallKind::Fill:
      return Allowed != Between::Waits && isTransfer(Call, Context);
    default:
      return (host::isPrinting(Call) && !(isa<CXXOperatorCallExpr>(Call) &&
                                          host::redirectsStreams(Context))) ||
             (Call.getDirectCallee() && isKnown(*Call.getDirectCallee()));
    }
  }

  bool isKnown(const FunctionDecl &Callee) const {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    return isHarmless(Callee, Allowed) || host::isOfClocks(Callee) ||
           (Method && Method->isTrivial()) ||
           (!(Method && Method->isVirtual()) && isQuietBody(Callee));
  }

  /// The body of \p Callee is in sight, and neither launches nor does anything
  /// that may not stand among launches; nor do the destructors of a
  /// destructor's members, and of what it is given.
  bool isQuietBody(const FunctionDecl &Callee) const {
    const FunctionDecl *Body = facts::linkedBody(Callee);
    if (!Body || facts::isLibraryCode(*Body))
      return false;
    // Of one that calls itself nothing is known.
    const auto [It, New] = Functions.try_emplace(Body, false);
    if (!New)
      return It->second;
    const bool IsQuiet =
        (!host::holdsLaunch(*Body->getBody()) || mayBeLauncher(*Body)) &&
        !loudElsewhere(Body->getBody()) &&
        llvm::all_of(silentCallsOf(*Body).Callees,
                     [&](const FunctionDecl *Silent) {
                       return isHarmless(*Silent, Allowed) ||
                              forSilent().isQuietBody(*Silent);
                     });
    return Functions[Body] = IsQuiet;
  }

  /// What runs without a call, or is written elsewhere, may not launch.
  const QuietReader &forSilent() const { return OfSilent ? *OfSilent : *this; }

  /// The launches of \p F, which has some, may be the region's, too. Lambdas
  /// are the device's, and constant, for the compiler's sake.
  bool mayBeLauncher(const FunctionDecl &F) const {
    const auto *OfDevice = F.getAttr<CUDADeviceAttr>();
    return OfSilent && !F.isTemplateInstantiation() && !mayBeMerged(F) &&
           (!F.isConstexpr() || isLambdaCallOperator(&F)) &&
           (!OfDevice || OfDevice->isImplicit());
  }

  /// Another file may have the same inline function, as it was, which the
  /// linker takes instead. What stands in a header is the same in all.
  bool mayBeMerged(const FunctionDecl &F) const {
    return F.isInlined() && F.isExternallyVisible() &&
           SM.isInMainFile(SM.getExpansionLoc(F.getLocation()));
  }

  ASTContext &Context;
  const SourceManager &SM;
  const Between Allowed;
  const bool Postpones;
  const bool ReadsChecks; ///< Statements that ask for errors are looked into.
  /// Null: functions that are called do not launch.
  const QuietReader *OfSilent = nullptr;
  /// Calls that somebody else looks at.
  mutable llvm::ArrayRef<const CallExpr *> Asked;
  /// Whether functions that were looked into are quiet.
  mutable llvm::DenseMap<const FunctionDecl *, bool> Functions;
  /// Of the functions in which loops were looked at.
  mutable std::map<const FunctionDecl *, host::HostVariables> Variables;
};

/// Of a template nothing is known but that it has launches.
void addUnread(const FunctionDecl &Template,
               std::vector<LaunchRegion> &Regions) {
  LaunchRegion Whole;
  collectLaunches(*Template.getBody(), Template.getASTContext(),
                  /*InLoop=*/false, Whole.Launches);
  if (!mayFollowOneAnother(Whole.Launches))
    return;
  Whole.Function = &Template;
  Whole.First = Whole.Launches.front().Call;
  Whole.Last = Whole.Launches.back().Call;
  Regions.push_back(std::move(Whole));
}

/// The outermost ones in \p S.
void forEachLambda(const Stmt &S,
                   llvm::function_ref<void(const FunctionDecl &)> Visit) {
  if (const auto *Lambda = dyn_cast<LambdaExpr>(&S))
    return Visit(*functionAround(*Lambda, nullptr));
  for (const Stmt *Child : S.children())
    if (Child)
      forEachLambda(*Child, Visit);
}

/// From its first statement to the last.
llvm::SmallVector<const Stmt *> statementsOf(const LaunchRegion &R) {
  const auto *Block = dyn_cast_or_null<CompoundStmt>(
      parentOf(*R.First, R.Function->getASTContext()));
  if (R.First == R.Last || !Block)
    return {R.First};
  const auto First = llvm::find(Block->body(), R.First);
  return {First, std::next(llvm::find(Block->body(), R.Last))};
}

/// Cuts the blocks of a function into regions.
class Search {
public:
  Search(const FunctionDecl &Function, Between Allowed, TakenByOthers HowTaken,
         std::vector<LaunchRegion> &Regions)
      : Function(Function), Context(Function.getASTContext()), Allowed(Allowed),
        HowTaken(HowTaken), Quiet(Context, Allowed, Waits::Stay),
        Patient(Context, Allowed, Waits::Postponed),
        Asking(Context, Allowed, Waits::PostponedUnlessFailed),
        Through(Quiet, Context), Regions(Regions) {}

  void searchAll() {
    for (const Stmt *Part : codeOf(Function))
      search(Part);
  }

  void search(const Stmt *S) {
    if (!S)
      return;
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
      return searchLambda(*Lambda);
    // Its last statement is its value.
    if (isa<StmtExpr>(S) && Allowed != Between::Waits)
      return addLoop(*S);
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return searchBlock(*Block);
    const size_t Before = Regions.size();
    for (const Stmt *Child : S->children())
      search(Child);
    if (repeats(*S, Context) && !hasRepeated(Before))
      addLoop(*S);
  }

private:
  /// Of the regions from that number on some is a loop's, or may be all that
  /// there is to say.
  bool hasRepeated(size_t From) const {
    return llvm::any_of(
        llvm::drop_begin(Regions, From), [&](const LaunchRegion &R) {
          return Allowed == Between::Waits ||
                 llvm::any_of(R.Launches,
                              [](const RegionLaunch &L) { return L.IsInLoop; });
        });
  }

  /// Its statements stand in the function's, unless it is a template or, on
  /// purpose, the device's.
  void searchLambda(const LambdaExpr &Lambda) {
    const FunctionDecl &Call = *Lambda.getCallOperator();
    const auto *OfDevice = Call.getAttr<CUDADeviceAttr>();
    if (Call.isDependentContext())
      addUnread(Call, Regions);
    else if (OfDevice && !OfDevice->isImplicit())
      Search(Call, Allowed, HowTaken, Regions).search(Lambda.getBody());
    else
      search(Lambda.getBody());
  }

  void searchBlock(const CompoundStmt &Block) {
    LaunchRegion Run;
    llvm::ArrayRef Rest(Block.body_begin(), Block.size());
    while (!Rest.empty()) {
      const size_t Checks = Quiet.countChecks(Rest);
      const size_t Length = std::max<size_t>(Checks, 1);
      for (const Stmt *S : Rest.take_front(Length))
        searchIn(*S, Checks > 0 ? Stretch() : stretchOf(*S), Run);
      Rest = Rest.drop_front(Length);
    }
    finish(Run);
  }

  /// What a loop may have that is quiet otherwise.
  struct Stretch {
    Pauses Pausing = {};
    std::vector<const CallExpr *> Waits = {};
    LastCheck Asked = {};
    std::optional<ReadLoop> ReadBack = std::nullopt;
    FunctionList Launchers = {};
  };

  /// Nothing: \p S is loud.
  std::optional<Stretch> stretchOf(const Stmt &S) const {
    if (!Quiet.loudPart(&S))
      return Stretch();
    if (!repeats(S, Context) || Allowed == Between::Waits)
      return std::nullopt;
    for (const QuietReader *Reader : {&Quiet, &Patient}) {
      Stretch Found;
      if (!Reader->isQuietBut(S, Found.Pausing))
        continue;
      std::vector<RegionLaunch> Launches;
      collectLaunches(S, Context, /*InLoop=*/false, Launches, Found.Pausing);
      if (Launches.empty())
        continue;
      if (Reader == &Patient)
        collectCalls(S, Context, Found.Pausing, isWait, Found.Waits);
      return Found;
    }
    if (auto Asking = askingStretchOf(S))
      return Asking;
    if (auto ReadBack = readBackOf(S))
      return ReadBack;
    return callingStretchOf(S);
  }

  /// \p S as a loop that calls functions which launch. Instances of a template
  /// could call others.
  std::optional<Stretch> callingStretchOf(const Stmt &S) const {
    Stretch Found;
    if (Allowed != Between::Pauses || Function.isTemplateInstantiation() ||
        !Through.isQuietBut(S, Found.Pausing))
      return std::nullopt;
    llvm::SmallPtrSet<const FunctionDecl *, 4> Called;
    collectLaunchers(S, Found.Pausing, Called, Found.Launchers);
    return !Found.Launchers.empty() &&
                   llvm::all_of(Called,
                                [&](const FunctionDecl *Each) {
                                  return launchesOnce(*Each->getBody());
                                })
               ? std::optional(std::move(Found))
               : std::nullopt;
  }

  /// No loop of \p Body launches, itself or by a function: that has a region of
  /// its own; nor are its launches taken.
  bool launchesOnce(const Stmt &Body) const {
    return HowTaken(Body) == Taken::Not && !holds(&Body, [&](const Stmt &S) {
             if (!repeats(S, Context))
               return false;
             llvm::SmallPtrSet<const FunctionDecl *, 4> Known;
             FunctionList Launchers;
             collectLaunchers(S, {}, Known, Launchers);
             return !Launchers.empty() || host::holdsLaunch(S);
           });
  }

  /// \p S as a loop that asks for errors of waits that come later.
  std::optional<Stretch> askingStretchOf(const Stmt &S) const {
    Stretch Found;
    if (Allowed != Between::Pauses || !Asking.isQuietBut(S, Found.Pausing))
      return std::nullopt;
    std::vector<RegionLaunch> Launches;
    collectLaunches(S, Context, /*InLoop=*/false, Launches, Found.Pausing);
    collectCalls(S, Context, Found.Pausing, isWrittenWait, Found.Waits);
    auto Asked = lastCheckOf(S, Found.Pausing, Function);
    if (Launches.empty() || Found.Waits.empty() || !Asked)
      return std::nullopt;
    Found.Asked = std::move(*Asked);
    return Found;
  }

  /// \p S, which is loud otherwise, as a loop that goes on by what is read
  /// back. Instances of a template could read back other numbers.
  std::optional<Stretch> readBackOf(const Stmt &S) const {
    if (Allowed != Between::Pauses || Function.isTemplateInstantiation())
      return std::nullopt;
    Stretch Found;
    Found.ReadBack = readReadLoop(
        S,
        [&](const Stmt &Part, llvm::ArrayRef<const CallExpr *> Known) {
          return Patient.isQuietApartFrom(Part, Known);
        },
        Context);
    if (!Found.ReadBack)
      return std::nullopt;
    collectCalls(S, Context, {}, isWait, Found.Waits);
    return Found;
  }

  /// In a statement of a block.
  void searchIn(const Stmt &S, const std::optional<Stretch> &Found,
                LaunchRegion &Run) {
    const Taken How = HowTaken(S);
    const bool IsApart = How == Taken::Part || !Found;
    // What stands beside it may look at what was waited for.
    const bool IsAlone = How == Taken::Whole || isAlone(S) ||
                         (Found && (!Found->Waits.empty() || Found->ReadBack ||
                                    !Found->Launchers.empty()));
    if (IsApart || IsAlone)
      finish(Run);
    if (IsApart) {
      search(&S);
    } else {
      add(*Found, Run);
      extend(Run, S);
    }
    if (IsAlone)
      finish(Run);
  }

  /// Other rules take loops of it as a whole, and nothing around them.
  bool isAlone(const Stmt &S) const {
    return Allowed == Between::Waits && isLoop(S);
  }

  static void add(const Stretch &Found, LaunchRegion &Run) {
    llvm::append_range(Run.Pauses, Found.Pausing);
    llvm::append_range(Run.Waits, Found.Waits);
    if (!Found.Waits.empty())
      Run.Asked = Found.Asked;
    for (const FunctionDecl *Launcher : Found.Launchers)
      addLauncher(*Launcher, Run);
    if (Found.ReadBack)
      Run.ReadBack = Found.ReadBack;
  }

  /// Of a loop.
  static void addLauncher(const FunctionDecl &Launcher, LaunchRegion &Run) {
    Run.Launchers.push_back(&Launcher);
    const size_t Before = Run.Launches.size();
    collectLaunches(*Launcher.getBody(), Launcher.getASTContext(),
                    /*InLoop=*/true, Run.Launches);
    for (RegionLaunch &L : llvm::drop_begin(Run.Launches, Before))
      L.Launcher = &Launcher;
  }

  void extend(LaunchRegion &Run, const Stmt &S) const {
    const size_t Before = Run.Launches.size();
    collectLaunches(S, Context, /*InLoop=*/false, Run.Launches, Run.Pauses);
    if (Run.Launches.size() == Before && Run.Launchers.empty())
      return;
    if (!Run.First)
      Run.First = &S;
    Run.Last = &S;
  }

  void finish(LaunchRegion &Run) {
    if (mayFollowOneAnother(Run.Launches)) {
      Run.Function = &Function;
      if (Allowed != Between::Waits && !Run.Blocker)
        for (const Stmt *Part : statementsOf(Run))
          collectCalls(*Part, Context, Run.Pauses, isTransfer, Run.Transfers);
      Regions.push_back(std::move(Run));
    }
    Run = {};
  }

  /// It is no statement of a block, or does something else as well.
  void addLoop(const Stmt &Loop) {
    LaunchRegion Run;
    if (const auto Found = stretchOf(Loop))
      add(*Found, Run);
    else
      Run.Blocker = Quiet.loudPart(&Loop);
    extend(Run, Loop);
    finish(Run);
  }

  const FunctionDecl &Function;
  ASTContext &Context;
  const Between Allowed;
  const TakenByOthers HowTaken;
  const QuietReader Quiet, Patient, Asking, Through;
  std::vector<LaunchRegion> &Regions;
};

} // namespace

std::vector<LaunchRegion> findLaunchRegions(const PassView &Host,
                                            Between Allowed,
                                            TakenByOthers HowTaken) {
  std::vector<LaunchRegion> Regions;
  const auto Find = [&](const FunctionDecl &Function) {
    std::vector<LaunchRegion> Found;
    Search(Function, Allowed, HowTaken, Found).searchAll();
    return Found;
  };
  const auto Add = [&](const FunctionDecl &Function) {
    if (!Function.isDependentContext())
      llvm::append_range(Regions, Find(Function));
    else if (auto OfTemplate = regionsOfTemplate(Function, Find))
      llvm::append_range(Regions, std::move(*OfTemplate));
    else
      addUnread(Function, Regions);
  };
  forEachHostCode(*Host.Context, [&](const HostCode &Code) {
    if (Code.Function)
      return Add(*Code.Function);
    const size_t Before = Regions.size();
    for (const Stmt *Part : Code.Parts)
      forEachLambda(*Part, Add);
    for (LaunchRegion &R : llvm::drop_begin(Regions, Before)) {
      R.IsInitialiser = true;
      for (LaunchRegion &Instance : R.Instances)
        Instance.IsInitialiser = true;
    }
  });
  return Regions;
}

using host::HostCallKind;

/// Of a copy.
static bool staysOnDevice(const CallExpr &Call, const SourceManager &SM) {
  const auto *Direction =
      dyn_cast<DeclRefExpr>(Call.getArg(3)->IgnoreParenImpCasts());
  return Direction && writtenAt(Direction->getLocation(), SM).isValid() &&
         Direction->getDecl()->getName() == "cudaMemcpyDeviceToDevice";
}

bool isWritten(const CallExpr &Call, const SourceManager &SM) {
  const auto *Callee =
      dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreImpCasts());
  return Callee && Callee->getBeginLoc() == Call.getBeginLoc() &&
         writtenAt(Callee->getBeginLoc(), SM).isValid() &&
         writtenAt(Callee->getLocation(), SM).isValid() &&
         writtenAt(Call.getEndLoc(), SM).isValid();
}

bool isTransfer(const CallExpr &Call, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const auto Kind = host::classifyHostCall(Call, SM);
  return (Kind == HostCallKind::Fill ||
          (Kind == HostCallKind::Copy && staysOnDevice(Call, SM))) &&
         isWritten(Call, SM);
}

bool isWrittenWait(const CallExpr &Call, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return host::classifyHostCall(Call, SM) == HostCallKind::Synchronise &&
         isWritten(Call, SM);
}

bool isWait(const CallExpr &Call, const ASTContext &Context) {
  return isWrittenWait(Call, Context) && Call.getBeginLoc().isFileID() &&
         Call.getEndLoc().isFileID();
}

/// What launches in functions that \p R calls are given may change by more than
/// what the calls are given: a variable of theirs, or of a lambda's function
/// that \p MayChange in the region, the object that they are called for, or
/// what others may change.
static bool
mayChangeInLaunchers(const LaunchRegion &R,
                     llvm::function_ref<bool(const Stmt &)> MayChange) {
  return llvm::any_of(R.Launchers, [&](const FunctionDecl *Launcher) {
    const facts::VariableFacts Changes(*Launcher);
    const auto MayBeElse = [&](const Stmt &S) {
      const VarDecl *Var = variableNamedBy(S);
      return isa<CXXThisExpr>(&S) ||
             (Var && (!Var->hasLocalStorage() || !Changes.isOnlyRead(*Var) ||
                      (Var->getDeclContext() != Launcher && MayChange(S))));
    };
    return llvm::any_of(R.Launches, [&](const RegionLaunch &L) {
      return L.Launcher == Launcher && holds(L.Call, MayBeElse);
    });
  });
}

bool repeatsLaunches(const LaunchRegion &R) {
  // What they set or copy is read or written by kernels, as a rule.
  if (!R.Transfers.empty())
    return false;
  const llvm::SmallVector<const Stmt *> Parts = statementsOf(R);
  const facts::VariableFacts Changes(Parts);
  const auto IsDeclaredHere = [&](const VarDecl &Var) {
    return llvm::any_of(Parts,
                        [&](const Stmt *Part) { return declares(Part, Var); });
  };
  const auto MayChange = [&](const Stmt &S) {
    const VarDecl *Var = variableNamedBy(S);
    return isa<CXXThisExpr>(&S) ||
           (Var && (!Changes.isOnlyRead(*Var) || IsDeclaredHere(*Var)));
  };
  const auto GivesLauncherElse = [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Body = Call ? calledBody(*Call) : nullptr;
    return Body && llvm::is_contained(R.Launchers, Body) &&
           holds(Call, MayChange);
  };
  // Of several functions nobody knows what they have in common.
  return R.Launchers.size() <= 1 && !mayChangeInLaunchers(R, MayChange) &&
         llvm::none_of(R.Launches,
                       [&](const RegionLaunch &L) {
                         return !L.Launcher && holds(L.Call, MayChange);
                       }) &&
         llvm::none_of(Parts, [&](const Stmt *Part) {
           return holds(Part, GivesLauncherElse);
         });
}

} // namespace barricade::launch_region
