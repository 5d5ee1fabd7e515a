// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/CountedLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace barricade {
namespace {

/// By how much \p Value, a counter of \p L's before or after its step, moves in
/// each round; null: it is none, or may wrap around.
const APInt *stepOf(const Value &Value, const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  const auto *Phi = dyn_cast<PHINode>(&Value);
  const class Value *Next = &Value;
  if (Latch && Phi && Phi->getParent() == L.getHeader())
    Next = Phi->getIncomingValueForBlock(Latch);
  const class Value *Last = nullptr;
  const APInt *Step = nullptr;
  if (!Latch || !match(Next, m_Add(m_Value(Last), m_APInt(Step))))
    return nullptr;
  const auto *Counter = dyn_cast<PHINode>(Last);
  const bool Goes = Counter && Counter->getParent() == L.getHeader() &&
                    Counter->getIncomingValueForBlock(Latch) == Next &&
                    (!Phi || Phi == Counter);
  // By steps of one it meets the limit first.
  return Goes && (Step->isOne() || Step->isAllOnes() ||
                  cast<BinaryOperator>(Next)->hasNoSignedWrap())
             ? Step
             : nullptr;
}

/// \p B leaves \p L only if a counter has passed a limit.
bool leavesByCounter(const BasicBlock &B, const Loop &L) {
  CmpPredicate Predicate;
  Value *Left = nullptr, *Right = nullptr;
  BasicBlock *True = nullptr, *False = nullptr;
  if (!match(B.getTerminator(),
             m_Br(m_ICmp(Predicate, m_Value(Left), m_Value(Right)),
                  m_BasicBlock(True), m_BasicBlock(False))))
    return false;
  CmpInst::Predicate Stays = L.contains(True)
                                 ? CmpInst::Predicate(Predicate)
                                 : CmpInst::getInversePredicate(Predicate);
  const APInt *Step = stepOf(*Left, L);
  if (!Step) {
    std::swap(Left, Right);
    Step = stepOf(*Left, L);
    Stays = CmpInst::getSwappedPredicate(Stays);
  }
  // Optimisation makes `k > 0` of an unsigned number `k != 0`.
  if (Step && Stays == CmpInst::ICMP_NE)
    return isa<Constant>(Right) && Step->abs().isOne();
  if (!Step || !CmpInst::isStrictPredicate(Stays))
    return false;
  const bool IsBelow = Stays == CmpInst::ICMP_SLT || Stays == CmpInst::ICMP_ULT;
  return IsBelow != Step->isNegative();
}

} // namespace

bool isCounted(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  // Each round comes to the condition at the loop's beginning, or at its end.
  return all_of(Exiting,
                [&](const BasicBlock *B) { return leavesByCounter(*B, L); }) &&
         any_of(Exiting, [&](const BasicBlock *B) {
           return B == L.getHeader() || B == L.getLoopLatch();
         });
}

} // namespace barricade
