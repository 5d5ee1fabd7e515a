// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-fusion/LaunchSequence.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/Purity.h"
#include "matchers/fence-as-barrier/SplitAtFence.h"
#include "matchers/host/HiddenLaunches.h"
#include "matchers/host/HostCalls.h"
#include "matchers/host/HostExpressions.h"
#include "matchers/host/HostPlace.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::launch_fusion {
namespace {

const CUDAKernelCallExpr *launchIn(const Stmt &Statement) {
  const auto *E = dyn_cast<Expr>(&Statement);
  if (const auto *Full = dyn_cast_or_null<ExprWithCleanups>(E))
    E = Full->getSubExpr();
  return dyn_cast_or_null<CUDAKernelCallExpr>(E);
}

/// The first launch in \p S, which may be null, but not in a lambda, whose
/// calls are elsewhere.
const CUDAKernelCallExpr *firstLaunch(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return nullptr;
  if (const auto *Call = dyn_cast<CUDAKernelCallExpr>(S))
    return Call;
  for (const Stmt *Child : S->children())
    if (const CUDAKernelCallExpr *Call = firstLaunch(Child))
      return Call;
  return nullptr;
}

/// `const auto f = [&] { ... };`, which calls nothing yet.
bool namesLambda(const Stmt &S) {
  const auto *Declaration = dyn_cast<DeclStmt>(&S);
  return Declaration &&
         holds(&S, [](const Stmt &Inner) { return isa<LambdaExpr>(Inner); });
}

using LaunchCalls = llvm::SmallVector<const CUDAKernelCallExpr *, 2>;

/// The launches that \p S consists of, if it is nothing else: `{ a<<<...>>>();
/// }` or `a<<<...>>>(), b<<<...>>>();`, behind a label, too. Empty otherwise.
LaunchCalls wrappedLaunches(const Stmt &S) {
  if (const CUDAKernelCallExpr *Call = launchIn(S))
    return {Call};
  llvm::SmallVector<const Stmt *, 4> Parts;
  if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    Parts.append(Block->body_begin(), Block->body_end());
  } else if (const auto *Case = dyn_cast<SwitchCase>(&S)) {
    Parts = {Case->getSubStmt()};
  } else if (const auto *Label = dyn_cast<LabelStmt>(&S)) {
    Parts = {Label->getSubStmt()};
  } else if (const auto *E = dyn_cast<Expr>(&S)) {
    const Expr *Plain = E->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain); Op && Op->isCommaOp())
      Parts = {Op->getLHS(), Op->getRHS()};
    else if (Plain != E)
      Parts = {Plain};
  }
  LaunchCalls All;
  for (const Stmt *Part : Parts) {
    const LaunchCalls Inner = wrappedLaunches(*Part);
    if (Inner.empty())
      return {};
    All.append(Inner);
  }
  return All;
}

/// Reads the statements of one block.
class BlockReader {
public:
  BlockReader(const FunctionDecl &Function, bool InLambda, ASTContext &Context,
              host::HiddenLaunches &Hidden,
              std::vector<LaunchSequence> &Sequences)
      : Function(Function), InLambda(InLambda), Context(Context),
        SM(Context.getSourceManager()), Hidden(Hidden), Sequences(Sequences) {}

  void read(const CompoundStmt &Block) {
    for (const Stmt *S : Block.body())
      if (const CUDAKernelCallExpr *Call = launchIn(*S))
        addLaunch(launchAt(*S, *Call));
      else if (const LaunchCalls Calls = wrappedLaunches(*S); !Calls.empty())
        addWrapped(*S, Calls);
      else if (const auto Why = reasonAgainstWithin(*S))
        addWithin(*S, *Why);
      else if (!Run.Launches.empty())
        readBetween(*S);
    endRun();
  }

private:
  static SequencedLaunch launchAt(const Stmt &S,
                                  const CUDAKernelCallExpr &Call) {
    SequencedLaunch Launch;
    static_cast<host::Launch &>(Launch) = host::launchOf(Call);
    Launch.Statement = &S;
    return Launch;
  }

  /// Those within one block of their own follow each other there.
  void addWrapped(const Stmt &S,
                  llvm::ArrayRef<const CUDAKernelCallExpr *> Calls) {
    for (const CUDAKernelCallExpr *Call : Calls) {
      if (isa<CompoundStmt>(S) && Call != Calls.front())
        endRun();
      SequencedLaunch Launch = launchAt(S, *Call);
      Launch.IsWrapped = true;
      addLaunch(Launch);
    }
  }

  void addLaunch(const SequencedLaunch &Launch) {
    if (!Run.Launches.empty()) {
      std::vector<Blocker> Blockers = blockersOf(Launch);
      if (Blockers.empty())
        return join(Launch);
      const SequencedLaunch Last = Run.Launches.back();
      endRun();
      addRefused(Last, Launch, std::move(Blockers));
    } else if (Within.Launch.Statement && !Within.IsTold) {
      addRefused(Within.Launch, Launch, {Within.Why});
    }
    Within = {};
    Run.Launches = {Launch};
    Run.SharedBytes = Launch.SharedBytes;
  }

  void addRefused(const SequencedLaunch &First, const SequencedLaunch &Second,
                  std::vector<Blocker> Blockers) {
    Run.Launches = {First, Second};
    Run.Blockers = std::move(Blockers);
    endRun();
  }

  //===--- Launches within statements -------------------------------------===//

  /// Why what \p S launches, if anything, follows no launch of this block.
  std::optional<ReasonId> reasonAgainstWithin(const Stmt &S) {
    if (firstLaunch(&S))
      return isa<CompoundStmt, ValueStmt>(S) && !isa<Expr>(S)
                 ? ReasonId::Wrapped
                 : ReasonId::Conditional;
    return !namesLambda(S) && Hidden.isHeldBy(S)
               ? std::optional(ReasonId::LaunchInCall)
               : std::nullopt;
  }

  /// Calls in a row, with no launch that is seen, are no launches in a row.
  void addWithin(const Stmt &S, ReasonId Why) {
    SequencedLaunch Launch;
    if (const CUDAKernelCallExpr *Call = firstLaunch(&S))
      Launch = launchAt(S, *Call);
    Launch.Statement = &S;
    LaunchWithin Now = {Launch, blocker(Why, S.getBeginLoc())};
    if (!Run.Launches.empty()) {
      const SequencedLaunch Last = Run.Launches.back();
      std::vector<Blocker> Blockers = InBetween;
      Blockers.push_back(Now.Why);
      endRun();
      addRefused(Last, Launch, std::move(Blockers));
      Now.IsTold = true;
    } else if (Within.Launch.Call || (Within.Launch.Statement && Launch.Call)) {
      std::vector<Blocker> Blockers = {Now.Why};
      if (!Within.IsTold)
        Blockers.insert(Blockers.begin(), Within.Why);
      addRefused(Within.Launch, Launch, std::move(Blockers));
      Now.IsTold = true;
    }
    Within = Now;
  }

  void join(const SequencedLaunch &Launch) {
    Run.SameGrid &=
        host::sameExtents(*Run.Launches.front().Grid, *Launch.Grid, Context);
    Run.IsContiguous &= !Between;
    if (!Run.SharedBytes)
      Run.SharedBytes = Launch.SharedBytes;
    Run.Launches.push_back(Launch);
    Between = false;
  }

  void endRun() {
    if (Run.Launches.size() > 1) {
      Run.Function = &Function;
      refuseSurroundings();
      Sequences.push_back(std::move(Run));
    }
    Run = {};
    Changed.clear();
    InBetween.clear();
    Between = false;
  }

  //===--- Between launches -----------------------------------------------===//

  void readBetween(const Stmt &S) {
    Between |= !isa<NullStmt>(S);
    if (!host::isPureStatement(S, Context, Changed))
      InBetween.push_back(blocker(reasonAgainst(S), S.getBeginLoc()));
  }

  ReasonId reasonAgainst(const Stmt &S) const {
    if (holds(&S, [](const Stmt &Inner) {
          return isa<ReturnStmt, GotoStmt, IndirectGotoStmt, BreakStmt,
                     ContinueStmt, LabelStmt, SwitchCase>(Inner);
        }))
      return ReasonId::Jump;
    ReasonId Id = ReasonId::OtherWork;
    (void)holds(&S, [&](const Stmt &Inner) {
      const auto *Call = dyn_cast<CallExpr>(&Inner);
      if (!Call)
        return false;
      switch (host::classifyHostCall(*Call, SM)) {
      case host::HostCallKind::Timing:
        Id = ReasonId::Timing;
        return true;
      case host::HostCallKind::Query:
        Id = ReasonId::ErrorCheck;
        return true;
      default:
        return false;
      }
    });
    return Id;
  }

  //===--- Two launches ---------------------------------------------------===//

  /// Why \p Launch cannot be made together with those before it.
  std::vector<Blocker> blockersOf(const SequencedLaunch &Launch) {
    std::vector<Blocker> All = InBetween;
    const auto Refuse = [&](ReasonId Id, SourceLocation Where) {
      All.push_back(blocker(Id, Where));
    };
    for (const SequencedLaunch *L :
         {&std::as_const(Run.Launches).back(), &Launch})
      checkAlone(*L, Refuse);
    if (!All.empty())
      return All;
    const SourceLocation Where = Launch.Call->getBeginLoc();
    for (const SequencedLaunch &Earlier : Run.Launches)
      for (const Expr *E : host::expressionsOf(Earlier))
        if (mayHaveChanged(*E))
          Refuse(ReasonId::ArgumentChanges, E->getBeginLoc());
    const SequencedLaunch &First = Run.Launches.front();
    if (!host::sameExtents(*First.Block, *Launch.Block, Context))
      Refuse(ReasonId::BlockSize, Where);
    if (!host::sameStream(First.Stream, Launch.Stream, Context))
      Refuse(ReasonId::Stream, Where);
    // A kernel may have more than it asks for.
    if (Run.SharedBytes && Launch.SharedBytes &&
        !host::sameExpression(Run.SharedBytes, Launch.SharedBytes, Context))
      Refuse(ReasonId::SharedSize, Where);
    return All;
  }

  void checkAlone(const SequencedLaunch &L,
                  llvm::function_ref<void(ReasonId, SourceLocation)> Refuse) {
    const SourceLocation Where = L.Call->getBeginLoc();
    if (L.Call->isTypeDependent() || Function.isDependentContext())
      return; // Refused as a whole.
    if (L.IsWrapped)
      return Refuse(ReasonId::Wrapped, Where);
    if (!L.Call->getDirectCallee() || !L.Callee)
      return Refuse(ReasonId::KernelPointer, Where);
    if (!L.Kernel)
      return Refuse(ReasonId::KernelNotVisible, Where);
    if (!Where.isFileID() || !L.Statement->getEndLoc().isFileID())
      return Refuse(ReasonId::InMacro, Where);
    for (const Expr *Arg : L.Call->arguments())
      if (isa<CXXDefaultArgExpr>(Arg))
        return Refuse(ReasonId::DefaultArgument, Where);
    for (const Expr *E : host::expressionsOf(L))
      if (!facts::isPure(*E, Context))
        Refuse(ReasonId::Argument, E->getBeginLoc());
      else if (facts::dependsOnPlace(*E, Context.getSourceManager()))
        Refuse(ReasonId::PlaceDependent, E->getBeginLoc());
    if (facts::dependsOnPlace(*L.Callee, Context.getSourceManager()))
      Refuse(ReasonId::PlaceDependent, Where);
  }

  /// Something between the launches may have changed what \p E gives.
  bool mayHaveChanged(const Expr &E) const {
    return !Changed.empty() && holds(&E, [&](const Stmt &S) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
        const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        return Var &&
               (Changed.contains(Var) || Var->getType()->isReferenceType());
      }
      // What a pointer reaches may be one of the variables.
      const auto *Member = dyn_cast<MemberExpr>(&S);
      const auto *Op = dyn_cast<UnaryOperator>(&S);
      return isa<ArraySubscriptExpr, CallExpr>(S) ||
             (Member && !isPartOfBase(*Member) && !isOwn(*Member)) ||
             (Op && Op->getOpcode() == UO_Deref);
    });
  }

  /// A part of the object that the function is called for.
  static bool isOwn(const MemberExpr &Member) {
    return isa<CXXThisExpr>(Member.getBase()->IgnoreParenImpCasts()) &&
           !Member.getMemberDecl()->getType()->isReferenceType();
  }

  //===--- The place ------------------------------------------------------===//

  void refuseSurroundings() {
    const Stmt &First = *Run.Launches.front().Statement;
    const host::HostPlace Place = host::placeOf(First, Function);
    const auto RefuseIf = [&](bool Holds, ReasonId Id) {
      if (Holds)
        Run.Blockers.push_back(blocker(Id, First.getBeginLoc()));
    };
    RefuseIf(Place.IsTemplate, ReasonId::HostTemplate);
    RefuseIf(InLambda, ReasonId::InLambda);
    RefuseIf(!InLambda && Place.IsInClass, ReasonId::MemberFunction);
    RefuseIf(!InLambda && Place.IsOutOfLine, ReasonId::OutOfLine);
    RefuseIf(!Place.MayNameKernels, ReasonId::BeyondAscii);
    RefuseIf(Place.IsOfDevice, ReasonId::DeviceFunction);
    RefuseIf(isCutKernel(), ReasonId::CutAtFence);
    RefuseIf(Place.IsFallback, ReasonId::Fallback);
  }

  /// All that is launched are the parts of one kernel.
  bool isCutKernel() const {
    return llvm::all_of(llvm::zip(Run.Launches, llvm::drop_begin(Run.Launches)),
                        [](const auto &Pair) {
                          const FunctionDecl *Kernel = std::get<0>(Pair).Kernel,
                                             *Rest = std::get<1>(Pair).Kernel;
                          return Kernel && Rest &&
                                 fence_as_barrier::isRestOf(*Rest, *Kernel);
                        });
  }

  const FunctionDecl &Function;
  const bool InLambda;
  ASTContext &Context;
  const SourceManager &SM;
  host::HiddenLaunches &Hidden;
  std::vector<LaunchSequence> &Sequences;
  /// A statement that launches, but is no launch.
  struct LaunchWithin {
    SequencedLaunch Launch; ///< The first seen; Call is null for a call's.
    Blocker Why;
    bool IsTold = false; ///< A refused sequence has this reason.
  };
  LaunchWithin Within; ///< The last one, where no launch stands behind it.
  LaunchSequence Run;  ///< Not finished.
  llvm::SmallPtrSet<const VarDecl *, 4> Changed; ///< Since its first launch.
  std::vector<Blocker> InBetween;                ///< Since its last launch.
  bool Between = false; ///< A statement stands behind its last launch.
};

/// \p Function: null outside of all, where no block is but in lambdas.
void findSequences(const Stmt *S, const FunctionDecl *Function, bool InLambda,
                   ASTContext &Context, host::HiddenLaunches &Hidden,
                   std::vector<LaunchSequence> &Sequences) {
  if (!S)
    return;
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    Function = functionAround(*Lambda, Function);
    InLambda = true;
  }
  if (const auto *Block = dyn_cast<CompoundStmt>(S); Block && Function)
    BlockReader(*Function, InLambda, Context, Hidden, Sequences).read(*Block);
  for (const Stmt *Child : S->children())
    findSequences(Child, Function, InLambda, Context, Hidden, Sequences);
}

} // namespace

std::vector<LaunchSequence> findLaunchSequences(const PassView &Host) {
  std::vector<LaunchSequence> Sequences;
  host::HiddenLaunches Hidden(*Host.Context);
  forEachHostCode(*Host.Context, [&](const HostCode &Code) {
    for (const Stmt *Part : Code.Parts)
      findSequences(Part, Code.Function, /*InLambda=*/false, *Host.Context,
                    Hidden, Sequences);
  });
  return Sequences;
}

} // namespace barricade::launch_fusion
