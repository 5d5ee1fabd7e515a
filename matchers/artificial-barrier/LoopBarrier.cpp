// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/LoopBarrier.h"
#include "matchers/artificial-barrier/EnclosingLoop.h"
#include "matchers/artificial-barrier/Profit.h"
#include "matchers/facts/CarriedProducts.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/KnownCallers.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/facts/SilentCalls.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Waiting.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <set>

using namespace clang;

namespace barricade::artificial_barrier {

namespace {

struct FoundLoop {
  const Stmt *Loop;
  const LambdaExpr *Lambda; ///< The innermost around it, or null.
};

class LoopCollector : public ConstDynamicRecursiveASTVisitor {
public:
  explicit LoopCollector(ASTContext &Context) : Context(Context) {}
  std::vector<FoundLoop> Loops;

  bool VisitForStmt(const ForStmt *S) override { return add(*S); }
  bool VisitWhileStmt(const WhileStmt *S) override { return add(*S); }
  bool VisitDoStmt(const DoStmt *S) override {
    return isOnceLoop(*S, Context) || add(*S);
  }
  bool VisitCXXForRangeStmt(const CXXForRangeStmt *S) override {
    return add(*S);
  }
  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    const LambdaExpr *Outer = std::exchange(Lambda, L);
    bool Continue = ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(L);
    Lambda = Outer;
    return Continue;
  }

private:
  bool add(const Stmt &S) {
    Loops.push_back({&S, Lambda});
    return true;
  }
  ASTContext &Context;
  const LambdaExpr *Lambda = nullptr;
};

std::vector<FoundLoop> loopsOf(const FunctionDecl &Function) {
  LoopCollector Collector(Function.getASTContext());
  for (const Stmt *Part : codeOf(Function))
    Collector.TraverseStmt(Part);
  return std::move(Collector.Loops);
}

/// Does memory get read or written at all? For code that cannot be counted.
bool touchesMemory(const Stmt *S) {
  return holds(S, [](const Stmt &Inner) {
    const auto *Op = dyn_cast<UnaryOperator>(&Inner);
    return isa<ArraySubscriptExpr>(Inner) ||
           (Op && Op->getOpcode() == UO_Deref);
  });
}

/// What a condition says about the threads that pass it.
enum class GuardStyle { Range, SingleThread, Warp };

class GuardVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  GuardStyle Style = GuardStyle::Range;

  bool TraverseBinaryOperator(const BinaryOperator *Op) override {
    if (Op->getOpcode() != BO_LOr)
      return ConstDynamicRecursiveASTVisitor::TraverseBinaryOperator(Op);
    // More threads than either side chooses.
    GuardVisitor Left, Right;
    Left.Seen = Right.Seen = Seen;
    Left.TraverseStmt(Op->getLHS());
    Right.TraverseStmt(Op->getRHS());
    if (Left.Style == Right.Style)
      Style = std::max(Style, Left.Style);
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->getOpcode() == BO_EQ && Style != GuardStyle::Warp &&
        ((isConstant(*Op->getLHS()) && isIndex(*Op->getRHS())) ||
         (isConstant(*Op->getRHS()) && isIndex(*Op->getLHS()))))
      Style = GuardStyle::SingleThread;
    if (dividesByWarp(*Op))
      Style = GuardStyle::Warp;
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    char Member = 0;
    if (Op->getOpcode() == UO_LNot && Style != GuardStyle::Warp &&
        builtinIndexVariable(*Op->getSubExpr(), Member) == "threadIdx")
      Style = GuardStyle::SingleThread;
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    // `int warp = threadIdx.x / 32;` one step away.
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->isLocalVarDecl() && Var->getInit() &&
        Seen.insert(Var).second) {
      GuardVisitor Inner;
      Inner.Seen = Seen;
      Inner.TraverseStmt(Var->getInit());
      if (Inner.Style == GuardStyle::Warp)
        Style = GuardStyle::Warp;
    }
    return true;
  }

private:
  static bool isConstant(const Expr &E) {
    return isa<IntegerLiteral>(E.IgnoreParenImpCasts());
  }
  /// Made of thread indices, here or where a variable begins. What memory holds
  /// chooses no thread on purpose, nor does what all threads share.
  static bool isIndex(const Expr &E, unsigned Depth = 0) {
    const VarDecl *Var = variableOf(E);
    if (Var && Var->isLocalVarDecl())
      return !Var->getInit() ||
             (Depth < 8 && isIndex(*Var->getInit(), Depth + 1));
    return !touchesMemory(&E) && holds(&E, [&](const Stmt &S) {
      char Member = 0;
      const auto *Part = dyn_cast<Expr>(&S);
      return Part && (builtinIndexVariable(*Part, Member) == "threadIdx" ||
                      (Part != &E && isa<DeclRefExpr>(Part) &&
                       isIndex(*Part, Depth + 1)));
    });
  }
  static bool isLiteral(const Expr &E, uint64_t Value) {
    const auto *Literal = dyn_cast<IntegerLiteral>(E.IgnoreParenImpCasts());
    return Literal && Literal->getValue() == Value;
  }
  static bool dividesByWarp(const BinaryOperator &Op) {
    char Member = 0;
    const Expr &R = *Op.getRHS();
    switch (Op.getOpcode()) {
    case BO_Div:
    case BO_Rem:
      return isLiteral(R, 32) || builtinIndexVariable(R, Member) == "warpSize";
    case BO_Shr:
      return isLiteral(R, 5);
    case BO_And:
      return isLiteral(R, 31);
    default:
      return false;
    }
  }
  llvm::SmallPtrSet<const VarDecl *, 8> Seen;
};

GuardStyle styleOf(const Expr *Condition) {
  GuardVisitor Visitor;
  if (Condition)
    Visitor.TraverseStmt(Condition);
  return Visitor.Style;
}

/// The statements around \p Inner, outermost first.
bool findPath(const Stmt *From, const Stmt &Inner,
              llvm::SmallVectorImpl<const Stmt *> &Path) {
  if (!From)
    return false;
  if (From == &Inner)
    return true;
  Path.push_back(From);
  for (const Stmt *Child : From->children())
    if (findPath(Child, Inner, Path))
      return true;
  Path.pop_back();
  return false;
}

/// The statement that branches on a condition with \p Terminator in it, which
/// is one of the condition's own branches, `&&`, `||` or `?:`; otherwise
/// \p Terminator.
const Stmt &branchingStatement(const Stmt &Terminator, ASTContext &Context) {
  const Stmt *S = &Terminator;
  while (isa<Expr>(S)) {
    const Stmt *Parent = parentOf(*S, Context);
    if (!Parent)
      return Terminator;
    if (const auto *If = dyn_cast<IfStmt>(Parent))
      return If->getCond() == S ? *If : Terminator;
    if (isLoop(*Parent))
      return conditionOf(*Parent) == S ? *Parent : Terminator;
    S = Parent;
  }
  return Terminator;
}

/// The `if`, switch or loop around \p Loop (or \p Loop itself) that the branch
/// belongs to; null where it stands elsewhere.
const Stmt *enclosingStatement(const DivergentBranch &B, const Stmt &Loop,
                               llvm::ArrayRef<const Stmt *> Path) {
  auto Owns = [&](const Stmt &S) {
    if (&S == B.Terminator)
      return true;
    if (const auto *If = dyn_cast<IfStmt>(&S))
      return contains(If->getCond(), B.Terminator);
    return isLoop(S) && contains(conditionOf(S), B.Terminator);
  };
  if (Owns(Loop))
    return &Loop;
  for (const Stmt *S : llvm::reverse(Path))
    if (Owns(*S))
      return S;
  return nullptr;
}

/// The innermost loop of \p Path around \p Branch, which threads may leave at
/// different times by the branch. Null where there is none.
const Stmt *loopLeftBy(const Stmt &Branch, llvm::ArrayRef<const Stmt *> Path) {
  for (const Stmt *S : llvm::reverse(Path))
    if (isLoop(*S) && contains(S, &Branch))
      return S;
  return nullptr;
}

/// How a divergent branch keeps threads from a loop's end; nothing where it
/// only lets them leave this loop at different times.
std::optional<ReasonId> classifyBranch(const DivergentBranch &B,
                                       const Stmt *Owner, const Stmt &Loop) {
  bool Returns =
      holds(B.Terminator, [](const Stmt &S) { return isa<ReturnStmt>(S); });
  if (Owner == &Loop || (!Returns && contains(&Loop, B.Terminator)))
    return std::nullopt;
  if (isa<SwitchStmt>(B.Terminator))
    return ReasonId::DivergentSwitch;
  if (Owner && isLoop(*Owner))
    return ReasonId::DivergentOuterLoop;
  if (const auto *If = dyn_cast_or_null<IfStmt>(Owner)) {
    GuardStyle Style = styleOf(If->getCond());
    return Style == GuardStyle::SingleThread ? ReasonId::SingleThread
           : Style == GuardStyle::Warp       ? ReasonId::WarpSpecialised
                                             : ReasonId::DivergentGuard;
  }
  if (Returns)
    return ReasonId::DivergentReturn;
  if (holds(B.Terminator, [](const Stmt &S) {
        return isa<BreakStmt, GotoStmt, IndirectGotoStmt>(S);
      }))
    return ReasonId::DivergentOuterLoop;
  return isLoop(*B.Terminator) ? ReasonId::DivergentOuterLoop
                               : ReasonId::DivergentGuard;
}

std::vector<std::pair<SourceLocation, std::string>> explain(Taint Why) {
  std::vector<std::pair<SourceLocation, std::string>> Notes;
  if (!Why)
    return Notes;
  Notes.push_back({Why->Where, "it depends on the thread through " +
                                   describe(Why->Kind).str()});
  if (Why->Related.isValid())
    Notes.push_back({Why->Related, Why->Kind == TaintKind::Control
                                       ? "only some threads pass this condition"
                                       : "the memory may be written here"});
  return Notes;
}

//===----------------------------------------------------------------------===//
// What holds for a whole kernel
//===----------------------------------------------------------------------===//

/// A kernel with everything it reaches, analysed once for all its loops.
class KernelContext {
public:
  KernelContext(const FunctionDecl &Kernel, ASTContext &Context,
                const Program &Whole)
      : Effects(effectsOf(Kernel, Whole)), Divergence(Effects, Context),
        SM(Context.getSourceManager()) {
    findSynchronisation();
    findWaits();
  }

  static KernelEffects effectsOf(const FunctionDecl &Kernel,
                                 const Program &Whole) {
    KernelEffects Result =
        collectKernelEffects(Kernel, Whole.RestrictKernelPointers);
    Result.IgnoreReferences = Whole.IgnoreReferences;
    return Result;
  }

  const KernelEffects Effects;
  const KernelDivergence Divergence;
  /// What forbids barriers anywhere in the kernel.
  std::vector<Blocker> Blockers;

  /// May the code of \p S come to a barrier of the block or a part of it?
  bool holdsBarrier(const Stmt &S) const {
    return holdsCall(S, [](CallKind Kind) {
      return Kind == CallKind::BlockBarrier || Kind == CallKind::GridBarrier ||
             Kind == CallKind::NamedBarrier;
    });
  }

  /// A place where lanes of a warp wait for each other to which only some
  /// threads of the block come, and not only after \p Loop of \p Function.
  /// Others may stand at another such place behind the loop, or in its next
  /// iteration, or at the barrier within: lanes meet wherever they are (PTX
  /// ISA, "bar.warp.sync"), and wait for those that do not. Invalid where there
  /// is none.
  SourceLocation divergentLaneWait(const Stmt &Loop,
                                   const FunctionDecl &Function) const {
    for (const KernelEffects::Sync &S : Effects.Syncs)
      if ((S.Kind == CallKind::WarpSync || S.Kind == CallKind::Exchange) &&
          waitsForLanes(*cast<CallExpr>(S.At)) && divergenceOf(S) &&
          (mayLeadTo(*S.At, *S.Caller, Loop, Function) ||
           !comesAfter(*S.At, *S.Caller, Loop, Function)))
        return S.At->getBeginLoc();
    return {};
  }

  /// May the code of \p S come to where the lanes of a warp meet?
  bool holdsWarpExchange(const Stmt &S) const {
    return holdsCall(S, [](CallKind Kind) {
      return Kind == CallKind::WarpSync || Kind == CallKind::Exchange;
    });
  }

private:
  using KindTest = llvm::function_ref<bool(CallKind)>;

  bool holdsCall(const Stmt &S, KindTest Test) const {
    return holds(&S, [&](const Stmt &Inner) {
      if (llvm::any_of(silentCallsOf(Inner).Callees,
                       [&](const FunctionDecl *Callee) {
                         const FunctionDecl *Definition = nullptr;
                         return Callee->hasBody(Definition) &&
                                mayCall(*Definition, Test, 0);
                       }))
        return true;
      const auto *Call = dyn_cast<CallExpr>(&Inner);
      if (!Call)
        return false;
      CallKind Kind = classifyCall(*Call, SM);
      return Test(Kind) || (Kind == CallKind::Visible &&
                            mayCall(*calleeDefinition(*Call), Test, 0));
    });
  }

  bool mayCall(const FunctionDecl &Function, KindTest Test,
               unsigned Depth) const {
    if (Depth > 16)
      return true;
    for (const KernelEffects::Sync &S : Effects.Syncs)
      if (S.Caller == &Function && Test(S.Kind))
        return true;
    const auto MayWithin = [&](const auto &S) {
      return S.Caller == &Function && mayCall(*S.Callee, Test, Depth + 1);
    };
    return llvm::any_of(Effects.Sites, MayWithin) ||
           llvm::any_of(Effects.SilentSites, MayWithin);
  }

  /// \p From calls \p To, maybe through others, or is it.
  bool runs(const FunctionDecl &From, const FunctionDecl &To,
            unsigned Depth = 0) const {
    const auto RunsIt = [&](const auto &S) {
      return S.Caller == &From && runs(*S.Callee, To, Depth + 1);
    };
    return &From == &To || Depth > 16 || llvm::any_of(Effects.Sites, RunsIt) ||
           llvm::any_of(Effects.SilentSites, RunsIt);
  }

  /// What of \p Function runs \p S, which stands in \p Home.
  llvm::SmallVector<const Stmt *, 4>
  partsRunning(const Stmt &S, const FunctionDecl &Home,
               const FunctionDecl &Function) const {
    llvm::SmallVector<const Stmt *, 4> Parts;
    if (&Home == &Function)
      Parts.push_back(&S);
    for (const KernelEffects::Site &Site : Effects.Sites)
      if (Site.Caller == &Function && runs(*Site.Callee, Home))
        Parts.push_back(Site.Call);
    for (const KernelEffects::SilentSite &Site : Effects.SilentSites)
      if (Site.Caller == &Function && runs(*Site.Callee, Home))
        Parts.push_back(Site.At ? Site.At : Function.getBody());
    return Parts;
  }

  /// May a thread come to \p Loop of \p LoopHome after \p Call of \p CallHome?
  bool mayLeadTo(const Stmt &Call, const FunctionDecl &CallHome,
                 const Stmt &Loop, const FunctionDecl &LoopHome) const {
    // A constructor or destructor runs where no call shows it.
    if (&CallHome != Effects.Kernel && Effects.callsOf(CallHome).empty())
      return true;
    return llvm::any_of(Effects.Functions, [&](const FunctionDecl *Function) {
      for (const Stmt *Earlier : partsRunning(Call, CallHome, *Function))
        for (const Stmt *Later : partsRunning(Loop, LoopHome, *Function))
          if (Divergence.of(*Function).mayFollow(*Later, *Earlier))
            return true;
      return false;
    });
  }

  /// Does every thread come to \p Call of \p CallHome after \p Loop of \p
  /// LoopHome?
  bool comesAfter(const Stmt &Call, const FunctionDecl &CallHome,
                  const Stmt &Loop, const FunctionDecl &LoopHome) const {
    const FunctionDecl &Common =
        &CallHome == &LoopHome ? CallHome : *Effects.Kernel;
    const auto Earlier = partsRunning(Loop, LoopHome, Common);
    const auto Later = partsRunning(Call, CallHome, Common);
    return !Later.empty() && llvm::all_of(Later, [&](const Stmt *Part) {
      return llvm::any_of(Earlier, [&](const Stmt *Other) {
        return Divergence.of(Common).mustFollow(*Part, *Other);
      });
    });
  }

  /// Why not every thread of the block comes to \p S equally often; nothing
  /// where they do.
  std::optional<Taint> divergenceOf(const KernelEffects::Sync &S) const {
    auto Branches = Divergence.of(*S.Caller).branchesOverStatement(*S.At);
    Taint Entry = Divergence.entryOf(*S.Caller).Why;
    if (!Entry && Branches && Branches->empty())
      return std::nullopt;
    return Entry ? Entry : Branches ? Branches->front().Why : nullptr;
  }

  void findSynchronisation() {
    for (const KernelEffects::Sync &S : Effects.Syncs) {
      SourceLocation Where = S.At->getBeginLoc();
      if (S.Kind == CallKind::NamedBarrier)
        Blockers.push_back(blocker(ReasonId::NamedBarrier, Where));
      else if (S.Kind == CallKind::Unknown)
        Blockers.push_back(blocker(ReasonId::UnknownCall, Where));
      else if (S.Kind == CallKind::BlockBarrier)
        checkBarrier(S);
    }
    for (const auto &[Asm, Function] : Effects.Asm)
      if (!facts::isPlainAsm(*cast<AsmStmt>(Asm)))
        Blockers.push_back(blocker(ReasonId::InlineAsm, Asm->getBeginLoc()));
    if (Effects.Recursive)
      Blockers.push_back(
          blocker(ReasonId::Unanalysable, Effects.Kernel->getLocation()));
  }

  void checkBarrier(const KernelEffects::Sync &S) {
    if (auto Why = divergenceOf(S))
      Blockers.push_back(blocker(ReasonId::DivergentBarrier,
                                 S.At->getBeginLoc(), explain(*Why)));
  }

  void findWaits() {
    auto Note = [&](SourceLocation Loop, SourceLocation Wait) {
      if (Wait.isValid())
        Blockers.push_back(
            blocker(ReasonId::SpinWait, Loop,
                    {{Wait, "another thread may change what this reads"}}));
    };
    for (const FunctionDecl *Function : Effects.Functions) {
      for (const FoundLoop &Found : loopsOf(*Function))
        Note(Found.Loop->getBeginLoc(),
             findWait(*Found.Loop, *Function, SM, Effects));
      SourceLocation Wait = findGotoWait(*Function, SM, Effects);
      Note(Wait, Wait);
      if (codeHolds(*Function,
                    [](const Stmt &S) { return isa<IndirectGotoStmt>(S); }))
        Blockers.push_back(
            blocker(ReasonId::Unanalysable, Function->getLocation()));
    }
  }

  const SourceManager &SM;
};

} // namespace

const Stmt *LoopCandidate::outermost() const {
  const Stmt *Guard = Guards.empty() ? nullptr : Guards.front();
  const Stmt *Outer = OuterLoops.empty() ? nullptr : OuterLoops.front();
  return Guard && (!Outer || contains(Guard, Outer)) ? Guard : Outer;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

struct LoopSearch::Impl {
  Impl(const PassView &Pass, const Program &Whole)
      : Whole(Whole), PP(Pass.PP), Context(*Pass.Context),
        SM(Context.getSourceManager()), Code(collectUserCode(Context)) {
    if (const PassView *Host = Whole.host(); Host && Host->Context != &Context)
      HostCode = collectUserCode(*Host->Context);
  }

  std::vector<LoopCandidate> search() {
    for (const FunctionDecl *Kernel : Code.Kernels)
      searchKernel(*Kernel);
    for (const FunctionDecl *Function : Code.DeviceFunctions)
      if (!Reached.contains(Function))
        for (const FoundLoop &Found : loopsOf(*Function))
          add(Found, *Function, nullptr);
    for (const FunctionDecl *Pattern : Code.Uninstantiated)
      for (const FoundLoop &Found : loopsOf(*Pattern))
        addUninstantiated(Found, *Pattern);
    return std::move(Candidates);
  }

  std::vector<LoopCandidate> hostOnlyLoops() const {
    const PassView *Host = Whole.host();
    std::vector<LoopCandidate> Result;
    if (!Host || Host->Context == &Context)
      return Result;
    std::set<Place> Known;
    forEachLoop(Code, [&](const FoundLoop &Found, const FunctionDecl &) {
      Known.insert(placeOf(Found.Loop->getBeginLoc(), SM));
    });
    const SourceManager &HostSM = Host->Context->getSourceManager();
    forEachLoop(HostCode, [&](const FoundLoop &Found, const FunctionDecl &In) {
      if (Known.count(placeOf(Found.Loop->getBeginLoc(), HostSM)))
        return;
      LoopCandidate C;
      C.Loop = Found.Loop;
      C.Function = &In;
      if (!In.isDependentContext())
        C.Facts = collectLoopFacts(*Found.Loop, In, *Host->Context);
      if (!Profit::hasTraffic(C.Facts) &&
          !(In.isDependentContext() && touchesMemory(Found.Loop)))
        return;
      C.Blockers.push_back(
          blocker(ReasonId::HostPassOnly, Found.Loop->getBeginLoc()));
      Result.push_back(std::move(C));
    });
    return Result;
  }

private:
  /// All loops of kernels and device functions, and of their templates.
  static void forEachLoop(
      const UserCode &Code,
      llvm::function_ref<void(const FoundLoop &, const FunctionDecl &)> Visit) {
    for (const auto *Functions :
         {&Code.Kernels, &Code.DeviceFunctions, &Code.Uninstantiated})
      for (const FunctionDecl *Function : *Functions)
        for (const FoundLoop &Found : loopsOf(*Function))
          Visit(Found, *Function);
  }

  void searchKernel(const FunctionDecl &Kernel) {
    Contexts.push_back(std::make_unique<KernelContext>(Kernel, Context, Whole));
    const KernelContext &K = *Contexts.back();
    for (const FunctionDecl *Function : K.Effects.Functions) {
      Reached.insert(Function);
      if (!SM.isInSystemHeader(SM.getExpansionLoc(Function->getLocation())))
        for (const FoundLoop &Found : loopsOf(*Function))
          add(Found, *Function, &K);
    }
  }

  void add(const FoundLoop &Found, const FunctionDecl &Function,
           const KernelContext *K) {
    LoopCandidate C;
    C.Loop = Found.Loop;
    C.Function = &Function;
    C.Kernel = K ? K->Effects.Kernel : nullptr;
    C.Effects = K ? &K->Effects : nullptr;
    C.Facts = collectLoopFacts(
        *Found.Loop, Found.Lambda ? *Found.Lambda->getCallOperator() : Function,
        Context);
    if (!Profit::hasTraffic(C.Facts))
      return;
    if (Found.Lambda)
      C.Blockers.push_back(
          blocker(ReasonId::InLambda, Found.Loop->getBeginLoc()));
    checkFunction(C, K);
    if (K && C.Blockers.empty())
      checkLoop(C, *K);
    if (K)
      checkBlock(C);
    Candidates.push_back(std::move(C));
  }

  void addUninstantiated(const FoundLoop &Found, const FunctionDecl &Pattern) {
    if (!touchesMemory(Found.Loop))
      return;
    LoopCandidate C;
    C.Loop = Found.Loop;
    C.Function = &Pattern;
    C.Blockers.push_back(
        blocker(ReasonId::UninstantiatedTemplate, Pattern.getLocation()));
    Candidates.push_back(std::move(C));
  }

  /// Who runs the function?
  void checkFunction(LoopCandidate &C, const KernelContext *K) {
    const FunctionDecl &F = *C.Function;
    bool Kernel = F.hasAttr<CUDAGlobalAttr>();
    if (F.hasAttr<CUDAHostAttr>())
      C.Blockers.push_back(
          blocker(ReasonId::HostDeviceFunction, F.getLocation()));
    if (!Kernel)
      checkCallers(C, K);
    if (!K)
      return;
    if (EntryState Entry = K->Divergence.entryOf(F); Entry.Why)
      C.Blockers.push_back(blocker(ReasonId::DivergentCall,
                                   Entry.DivergentCall
                                       ? Entry.DivergentCall->getBeginLoc()
                                       : F.getLocation(),
                                   explain(Entry.Why)));
  }

  /// Are all calls of the function seen, in this unit and in others?
  void checkCallers(LoopCandidate &C, const KernelContext *K) const {
    Blocker Unseen =
        blocker(ReasonId::UnknownCallers, C.Function->getLocation());
    if (!hasKnownCallersOnly(*C.Function, Code, Whole, Unseen.NotesElsewhere) ||
        !K)
      C.Blockers.push_back(std::move(Unseen));
  }

  /// Would the word mean CUDA's barrier where it is written?
  bool barrierIsRedefined() const {
    return Code.RedefinesBarrier ||
           (PP && PP->isMacroDefined("__syncthreads")) ||
           (PP && PP->isMacroDefined("__syncthreads_or"));
  }

  /// The K iterations between two barriers, as an interval writes them: the
  /// loop is all that a loop with a barrier in its header does.
  bool isStrip(const Stmt &Loop, const KernelContext &K) const {
    const Stmt &Whole = withAttributes(Loop, Context);
    const Stmt *Outer = parentOf(Whole, Context);
    return Outer && isLoop(*Outer) && bodyOf(*Outer) == &Whole &&
           K.holdsBarrier(*Outer);
  }

  /// `__syncthreads_or(active = active && c)`, as a rewriting votes.
  static bool votesOnFlag(const Expr *Condition) {
    return holds(Condition, [](const Stmt &S) {
      const auto *Call = dyn_cast<CallExpr>(&S);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      if (!Callee || !Callee->getDeclName().isIdentifier() ||
          Callee->getName() != "__syncthreads_or")
        return false;
      const auto *Vote =
          dyn_cast<BinaryOperator>(Call->getArg(0)->IgnoreParenImpCasts());
      return Vote && Vote->getOpcode() == BO_Assign;
    });
  }

  /// The innermost loop around \p Loop whose iterations a rewriting keeps in
  /// phase.
  const Stmt *loopInPhaseAround(const Stmt &Loop,
                                const KernelContext &K) const {
    for (const Stmt *S = parentOf(Loop, Context); S; S = parentOf(*S, Context))
      if (isLoop(*S) && (votesOnFlag(conditionOf(*S)) ||
                         (isStrip(*S, K) && !K.holdsBarrier(*S))))
        return S;
    return nullptr;
  }

  void checkLoop(LoopCandidate &C, const KernelContext &K) {
    if (barrierIsRedefined())
      C.Blockers.push_back(
          blocker(ReasonId::BarrierRedefined, C.Loop->getBeginLoc()));
    if (K.holdsBarrier(*C.Loop) || isStrip(*C.Loop, K))
      C.Blockers.push_back(
          blocker(ReasonId::HasBarrier, C.Loop->getBeginLoc()));
    if (const SourceLocation Product =
            facts::carriedProduct(*C.Loop, *C.Function);
        Product.isValid())
      C.Blockers.push_back(blocker(ReasonId::Rounding, Product));
    C.LoopInPhase = loopInPhaseAround(*C.Loop, K);
    llvm::append_range(C.Blockers, K.Blockers);
    const FunctionDivergence &D = K.Divergence.of(*C.Function);
    auto Branches = D.branchesOver(*C.Loop);
    if (!Branches) {
      C.Blockers.push_back(
          blocker(ReasonId::Unanalysable, C.Loop->getBeginLoc()));
      return;
    }
    llvm::SmallVector<const Stmt *, 16> Path;
    findPath(C.Function->getBody(), *C.Loop, Path);
    llvm::SmallPtrSet<const Stmt *, 4> Around;
    for (DivergentBranch B : *Branches) {
      B.Terminator = &branchingStatement(*B.Terminator, Context);
      classify(B, Path, C, Around);
    }
    llvm::sort(C.Guards, [](const IfStmt *A, const IfStmt *B) {
      return A->getBeginLoc() < B->getBeginLoc();
    });
    sortLoopsAround(Around, Path, C, D);
    C.ExitsAreSafe = !Whole.TargetSms.empty() &&
                     llvm::all_of(Whole.TargetSms, [](unsigned Sm) {
                       return Sm >= FirstSmWithExitedThreads;
                     });
    llvm::SmallVector<const ReturnStmt *, 2> Exits =
        D.divergentExitsBefore(*C.Loop);
    llvm::append_range(Exits, K.Divergence.entryOf(*C.Function).Exits);
    for (const ReturnStmt *Exit : Exits)
      if (C.ExitsAreSafe && !contains(C.Loop, Exit))
        C.EarlyExits.push_back(Exit);
      else
        C.Divergences.push_back(
            blocker(ReasonId::EarlyExit, Exit->getBeginLoc()));
    const Stmt *Outermost = C.outermost();
    if ((C.NeedsVote || Outermost) &&
        K.holdsWarpExchange(Outermost ? *Outermost : *C.Loop))
      C.Divergences.push_back(
          blocker(ReasonId::WarpExchange, C.Loop->getBeginLoc()));
    if (SourceLocation Wait = K.divergentLaneWait(*C.Loop, *C.Function);
        Wait.isValid())
      C.Divergences.push_back(blocker(ReasonId::WarpExchange, Wait));
    if (D.neverRepeats(*C.Loop))
      C.Blockers.push_back(
          blocker(ReasonId::NeverRepeats, C.Loop->getBeginLoc()));
    // The block's first thread leads: it must come here.
    if (C.NeedsVote && !Outermost && C.EarlyExits.empty() &&
        C.Divergences.empty() && C.Blockers.empty())
      C.Strided = findStridedLoop(*C.Loop, *C.Function, D, Context);
  }

  /// The loops \p Around the candidate look divergent. Each is one that all
  /// threads may run, to which only some come by a guard that moves inside; or
  /// it must keep all threads until the last is done.
  void sortLoopsAround(const llvm::SmallPtrSetImpl<const Stmt *> &Around,
                       llvm::ArrayRef<const Stmt *> Path, LoopCandidate &C,
                       const FunctionDivergence &D) const {
    // Who runs what follows on the path: the threads of the innermost
    // condition, or those in an iteration of the innermost voting loop.
    const Stmt *Innermost = nullptr;
    for (const Stmt *S : Path) {
      if (isa<IfStmt>(S))
        Innermost = S;
      if (!isLoop(*S))
        continue;
      const auto *For = dyn_cast<ForStmt>(S);
      if (For && Around.contains(S) && canRunUnguarded(*For, Innermost, C, D)) {
        C.EnclosingLoops.push_back(For);
        continue;
      }
      if (Around.contains(S))
        C.OuterLoops.push_back(S);
      Innermost = bodyOf(*S);
    }
  }

  bool canRunUnguarded(const ForStmt &For, const Stmt *Innermost,
                       const LoopCandidate &C,
                       const FunctionDivergence &D) const {
    const Stmt *Outermost = C.outermost();
    return Outermost && contains(Outermost, &For) &&
           allThreadsMayCount(
               For, *Outermost, *Innermost, facts::VariableFacts(*C.Function),
               [&](const Expr &E) { return !D.taintOf(E); }, Context);
  }

  /// Sorts a branch into what a form of the rewriting mends and what none does.
  /// \p Around gets the loops of \p Path that it makes divergent.
  static void classify(const DivergentBranch &B,
                       llvm::ArrayRef<const Stmt *> Path, LoopCandidate &C,
                       llvm::SmallPtrSetImpl<const Stmt *> &Around) {
    const Stmt *Owner = enclosingStatement(B, *C.Loop, Path);
    std::optional<ReasonId> Id = classifyBranch(B, Owner, *C.Loop);
    const auto *Guard = dyn_cast_or_null<IfStmt>(Owner);
    const Stmt *Outer = Owner ? Owner : loopLeftBy(*B.Terminator, Path);
    // What stands beside the loop sends threads to the next iteration of a loop
    // around, or out of that.
    if ((Id == ReasonId::DivergentGuard || Id == ReasonId::DivergentSwitch) &&
        !Owner && Outer)
      Id = ReasonId::DivergentOuterLoop;
    if (!Id)
      C.NeedsVote = true;
    else if (Id == ReasonId::DivergentGuard && Guard &&
             !contains(Guard->getCond(), C.Loop)) {
      if (!llvm::is_contained(C.Guards, Guard))
        C.Guards.push_back(Guard);
    } else if (Id == ReasonId::DivergentOuterLoop && Outer && isLoop(*Outer))
      Around.insert(Outer);
    else
      C.Divergences.push_back(
          blocker(*Id, B.Terminator->getBeginLoc(), explain(B.Why)));
  }

  /// The block size, where every launch in sight and the launch bounds say so.
  void checkBlock(LoopCandidate &C) {
    std::optional<uint64_t> Size;
    bool Known = true;
    for (const KernelLaunch &L : HostCode.Launches) {
      if (!L.Kernel || !sameFunction(*L.Kernel, *C.Kernel))
        continue;
      Known &= L.BlockThreads && (!Size || *Size == *L.BlockThreads);
      Size = L.BlockThreads;
    }
    if (Known)
      C.BlockThreads = Size;
    uint64_t Most = C.BlockThreads.value_or(~0ull);
    if (const auto *Bounds = C.Kernel->getAttr<CUDALaunchBoundsAttr>())
      if (auto Max = constantExtent(*Bounds->getMaxThreads(), Context))
        Most = std::min(Most, *Max);
    if (Most <= 32)
      C.Blockers.push_back(
          blocker(ReasonId::OneWarpBlock, C.Kernel->getLocation()));
  }

  bool sameFunction(const FunctionDecl &Host,
                    const FunctionDecl &Device) const {
    return Host.getDeclName().getAsString() ==
               Device.getDeclName().getAsString() &&
           placeOf(spelledLocation(Host),
                   Host.getASTContext().getSourceManager()) ==
               placeOf(spelledLocation(Device), SM);
  }

  const Program &Whole;
  Preprocessor *PP;
  ASTContext &Context;
  const SourceManager &SM;
  UserCode Code, HostCode;
  llvm::DenseSet<const FunctionDecl *> Reached;
  std::vector<std::unique_ptr<KernelContext>> Contexts;
  std::vector<LoopCandidate> Candidates;
};

LoopSearch::LoopSearch(const PassView &Pass, const Program &Whole)
    : I(std::make_unique<Impl>(Pass, Whole)), Candidates(I->search()) {}
LoopSearch::~LoopSearch() = default;

std::vector<LoopCandidate> LoopSearch::hostOnlyLoops() const {
  return I->hostOnlyLoops();
}

} // namespace barricade::artificial_barrier
