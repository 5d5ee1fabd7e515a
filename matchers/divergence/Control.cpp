// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches decide who comes to a place, and which statements may follow
// or must come before.

#include "matchers/divergence/Impl.h"
#include "matchers/source/Statements.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {

using namespace divergence;

/// A block whose threads leave the kernel. In a device function a return leads
/// back to the caller, where the thread meets the others again.
bool FunctionDivergence::Impl::isDeadEnd(const CFGBlock &B) const {
  if (B.hasNoReturnElement())
    return true;
  if (!IsKernel)
    return false;
  for (const CFGElement &Element : B)
    if (auto S = Element.getAs<CFGStmt>())
      if (const auto *Return = dyn_cast<ReturnStmt>(S->getStmt()))
        // The last statement of the body is where everybody ends.
        if (const auto *Body = dyn_cast<CompoundStmt>(Function.getBody()))
          return Body->body_empty() || Body->body_back() != Return;
  return false;
}

template <typename Fn>
void FunctionDivergence::Impl::forSuccessors(const CFGBlock &B, Fn F) const {
  if (isDeadEnd(B))
    return;
  for (const CFGBlock::AdjacentBlock &Succ : B.succs())
    if (const CFGBlock *S = Succ.getReachableBlock())
      F(*S);
}

void FunctionDivergence::Impl::computePostDominators() {
  unsigned N = Graph->getNumBlockIDs();
  unsigned Exit = Graph->getExit().getBlockID();
  ReachesEnd.resize(N);
  ReachesEnd.set(Exit);
  for (bool More = true; More;) {
    More = false;
    for (const CFGBlock *B : *Graph)
      forSuccessors(*B, [&](const CFGBlock &S) {
        if (ReachesEnd[S.getBlockID()] && !ReachesEnd[B->getBlockID()]) {
          ReachesEnd.set(B->getBlockID());
          More = true;
        }
      });
  }
  PostDominators.assign(N, llvm::BitVector(N, true));
  PostDominators[Exit].reset();
  PostDominators[Exit].set(Exit);
  for (bool More = true; More;) {
    More = false;
    for (const CFGBlock *B : *Graph) {
      unsigned Id = B->getBlockID();
      if (Id == Exit || !ReachesEnd[Id])
        continue;
      llvm::BitVector New(N, true);
      forSuccessors(*B, [&](const CFGBlock &S) {
        if (ReachesEnd[S.getBlockID()])
          New &= PostDominators[S.getBlockID()];
      });
      New.set(Id);
      if (New != PostDominators[Id]) {
        PostDominators[Id] = New;
        More = true;
      }
    }
  }
}

const CFGBlock *
FunctionDivergence::Impl::immediatePostDominator(const CFGBlock &B) const {
  if (!ReachesEnd[B.getBlockID()])
    return nullptr;
  // The nearest strict post-dominator has the most post-dominators itself.
  const CFGBlock *Best = nullptr;
  unsigned BestCount = 0;
  for (const CFGBlock *P : *Graph) {
    unsigned Id = P->getBlockID();
    if (P == &B || !ReachesEnd[Id] || !PostDominators[B.getBlockID()][Id])
      continue;
    if (unsigned Count = PostDominators[Id].count(); Count > BestCount) {
      Best = P;
      BestCount = Count;
    }
  }
  return Best;
}

const llvm::BitVector &
FunctionDivergence::Impl::reachableFrom(const CFGBlock &From,
                                        const CFGBlock *Barring) const {
  const auto [Entry, IsNew] = Reachable.try_emplace({&From, Barring});
  llvm::BitVector &Seen = Entry->second;
  if (!IsNew)
    return Seen;
  Seen.resize(Graph->getNumBlockIDs());
  llvm::SmallVector<const CFGBlock *, 16> Work;
  auto Push = [&](const CFGBlock &S) {
    if (&S != Barring && !Seen[S.getBlockID()]) {
      Seen.set(S.getBlockID());
      Work.push_back(&S);
    }
  };
  forSuccessors(From, Push);
  while (!Work.empty())
    forSuccessors(*Work.pop_back_val(), Push);
  return Seen;
}

llvm::ArrayRef<const ReturnStmt *>
FunctionDivergence::Impl::exitsBehind(const CFGBlock &Branch) const {
  const auto [Entry, IsNew] = Exits.try_emplace(&Branch);
  if (IsNew) {
    const llvm::BitVector &Region =
        reachableFrom(Branch, immediatePostDominator(Branch));
    for (const CFGBlock *Block : *Graph)
      if (Region[Block->getBlockID()] && isDeadEnd(*Block))
        for (const CFGElement &Element : *Block)
          if (auto Here = Element.getAs<CFGStmt>())
            if (const auto *Return = dyn_cast<ReturnStmt>(Here->getStmt()))
              Entry->second.push_back(Return);
  }
  return Entry->second;
}

void FunctionDivergence::Impl::influence(const CFGBlock &Branch,
                                         const DivergentBranch &D) {
  const llvm::BitVector &Region =
      reachableFrom(Branch, immediatePostDominator(Branch));
  for (const CFGBlock *B : *Graph)
    if (Region[B->getBlockID()])
      Over[B->getBlockID()].push_back(D);
}

/// A range-for over as many elements as the type says: its hidden pointers look
/// thread-dependent, for through pointers to a local array anything may change.
static bool runsForAllElements(const Stmt &Terminator) {
  const auto *Range = dyn_cast<CXXForRangeStmt>(&Terminator);
  if (!Range)
    return false;
  const Expr *Init = Range->getRangeInit()->IgnoreParenImpCasts();
  if (Init->getType()->isConstantArrayType() ||
      isa<InitListExpr, CXXStdInitializerListExpr>(Init))
    return true;
  const auto *Record = Init->getType()->getAsCXXRecordDecl();
  const auto *Array = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Record);
  return Array && Array->getName() == "array" && Array->isInStdNamespace();
}

void FunctionDivergence::Impl::findDivergentBranches() {
  for (const CFGBlock *B : *Graph) {
    const Stmt *Terminator = B->getTerminatorStmt();
    if (!Terminator || Divergent.contains(B) || B->succ_size() < 2 ||
        runsForAllElements(*Terminator))
      continue;
    const auto *Condition = dyn_cast_or_null<Expr>(B->getTerminatorCondition());
    // What the variables hold where the block ends.
    Current = Out[B->getBlockID()];
    // Only a `goto *p` has several successors and no condition.
    Taint Why = Condition ? valueOf(Condition)
                          : Kernel.intern(TaintKind::UnknownCall,
                                          Terminator->getBeginLoc());
    if (!Why)
      continue;
    DivergentBranch D{Terminator, Condition, Why};
    Divergent[B] = D;
    influence(*B, D);
    Changed = true;
  }
}

const CFGBlock *
FunctionDivergence::Impl::backEdgeBlock(const Stmt &Loop) const {
  for (const CFGBlock *B : *Graph)
    if (B->getLoopTarget() == &Loop)
      return B;
  return nullptr;
}

const CFGBlock *FunctionDivergence::Impl::blockOf(const Stmt &S) const {
  for (const CFGBlock *B : *Graph)
    for (const CFGElement &Element : *B)
      if (auto Here = Element.getAs<CFGStmt>(); Here && Here->getStmt() == &S)
        return B;
  return nullptr;
}

std::optional<llvm::SmallVector<DivergentBranch, 2>>
FunctionDivergence::branchesOver(const Stmt &Loop) const {
  const CFGBlock *B = I->Graph ? I->backEdgeBlock(Loop) : nullptr;
  if (!B)
    return std::nullopt;
  return I->Over[B->getBlockID()];
}

std::optional<llvm::SmallVector<DivergentBranch, 2>>
FunctionDivergence::branchesOverStatement(const Stmt &S) const {
  const CFGBlock *B = I->Graph ? I->blockOf(S) : nullptr;
  if (!B)
    return std::nullopt;
  return I->Over[B->getBlockID()];
}

llvm::SmallVector<const ReturnStmt *, 2>
FunctionDivergence::divergentExitsBefore(const Stmt &S) const {
  llvm::SmallVector<const ReturnStmt *, 2> Result;
  const CFGBlock *BackEdge = I->Graph ? I->backEdgeBlock(S) : nullptr;
  const CFGBlock *Target = I->Graph && !BackEdge ? I->blockOf(S) : BackEdge;
  if (!Target)
    return Result;
  for (const auto &[B, D] : I->Divergent) {
    // A call comes before the branch at the end of its own block.
    if (!I->reachableFrom(*B, nullptr)[Target->getBlockID()] && B != BackEdge)
      continue;
    for (const ReturnStmt *Return : I->exitsBehind(*B))
      if (!llvm::is_contained(Result, Return))
        Result.push_back(Return);
  }
  llvm::sort(Result, [](const ReturnStmt *A, const ReturnStmt *B) {
    return A->getBeginLoc() < B->getBeginLoc();
  });
  return Result;
}

bool FunctionDivergence::mayFollow(const Stmt &Later,
                                   const Stmt &Earlier) const {
  auto BlockOf = [&](const Stmt &S) -> const CFGBlock * {
    if (!I->Graph)
      return nullptr;
    const CFGBlock *BackEdge = I->backEdgeBlock(S);
    return BackEdge ? BackEdge : I->blockOf(S);
  };
  const CFGBlock *To = BlockOf(Later), *From = BlockOf(Earlier);
  if (!To || !From || (To == From && &Later != &Earlier))
    return true;
  return I->reachableFrom(*From, nullptr)[To->getBlockID()];
}

bool FunctionDivergence::mustFollow(const Stmt &Later,
                                    const Stmt &Earlier) const {
  if (!I->Graph)
    return false;
  // A loop is left where it asks for the next iteration.
  const CFGBlock *Before = nullptr;
  for (const CFGBlock *B : *I->Graph)
    if (B->getTerminatorStmt() == &Earlier)
      Before = B;
  if (!Before && !isLoop(Earlier))
    Before = I->blockOf(Earlier);
  const CFGBlock *To = I->blockOf(Later);
  return Before && To && To != Before &&
         !I->reachableFrom(I->Graph->getEntry(), Before)[To->getBlockID()];
}

bool FunctionDivergence::neverRepeats(const Stmt &Loop) const {
  const CFGBlock *B = I->Graph ? I->backEdgeBlock(Loop) : nullptr;
  return !B || isOnceLoop(Loop, I->Kernel.Context) || B->pred_empty() ||
         llvm::none_of(B->preds(), [](const CFGBlock::AdjacentBlock &P) {
           return P.getReachableBlock() != nullptr;
         });
}

} // namespace barricade
