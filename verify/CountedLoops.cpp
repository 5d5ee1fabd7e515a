// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/CountedLoops.h"
#include "verify/KernelMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace barricade {
namespace {

struct Stepping {
  const APInt *By; ///< Null: the grid's threads, or some of them.
  bool MayWrap;    ///< Around the end of its type.
};

/// A product, or a sum, of how many threads or blocks there are: what strides
/// over a grid are made of.
bool countsThreads(const Value &V, unsigned Depth = 4) {
  const auto CountsOperand = [&](const User &Of, unsigned I) {
    return Depth > 0 && countsThreads(*Of.getOperand(I), Depth - 1);
  };
  if (const auto *Call = dyn_cast<IntrinsicInst>(&V))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    case Intrinsic::nvvm_read_ptx_sreg_warpsize:
      return true;
    default:
      return false;
    }
  if (const auto *Cast = dyn_cast<CastInst>(&V))
    return Cast->isIntegerCast() && CountsOperand(*Cast, 0);
  if (const auto *Number = dyn_cast<ConstantInt>(&V))
    return Number->getValue().isStrictlyPositive();
  const auto *Op = dyn_cast<BinaryOperator>(&V);
  return Op &&
         (Op->getOpcode() == Instruction::Mul ||
          Op->getOpcode() == Instruction::Add) &&
         CountsOperand(*Op, 0) && CountsOperand(*Op, 1);
}

/// By how much \p Value, a counter of \p L's before or after its step, moves in
/// each round; nothing: it is none, or may jump over the end of its type.
std::optional<Stepping> stepOf(const Value &Value, const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  const auto *Phi = dyn_cast<PHINode>(&Value);
  const class Value *Next = &Value;
  if (Latch && Phi && Phi->getParent() == L.getHeader())
    Next = Phi->getIncomingValueForBlock(Latch);
  const class Value *Last = nullptr, *By = nullptr;
  if (!Latch || !match(Next, m_Add(m_Value(Last), m_Value(By))))
    return std::nullopt;
  if (!isa<PHINode>(Last))
    std::swap(Last, By);
  const auto *Counter = dyn_cast<PHINode>(Last);
  const bool Goes = Counter && Counter->getParent() == L.getHeader() &&
                    Counter->getIncomingValueForBlock(Latch) == Next &&
                    (!Phi || Phi == Counter);
  const bool MayWrap = !cast<Instruction>(Next)->hasNoSignedWrap();
  if (!Goes)
    return std::nullopt;
  const APInt *Step = nullptr;
  if (!match(By, m_APInt(Step)))
    return countsThreads(*By) ? std::optional(Stepping{nullptr, MayWrap})
                              : std::nullopt;
  // By steps of one it meets the limit first.
  return Step->isOne() || Step->isAllOnes() || !MayWrap
             ? std::optional(Stepping{Step, MayWrap})
             : std::nullopt;
}

/// What \p Of is computed from in \p L passes \p Test, and what that is
/// computed from.
bool allBehind(const Value &Of, const Loop &L,
               function_ref<bool(const Instruction &)> Test) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *> Work = {&Of};
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (!Test(*I))
      return false;
    append_range(Work, I->operand_values());
  }
  return true;
}

/// A number that is asked for again, perhaps of memory, but always in the same
/// way.
bool isAskedAlike(const Value &Limit, const Loop &L) {
  return allBehind(Limit, L, [](const Instruction &I) {
    return !isa<PHINode, CallBase>(I);
  });
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
  std::optional<Stepping> Step = stepOf(*Left, L);
  if (!Step) {
    std::swap(Left, Right);
    Step = stepOf(*Left, L);
    Stays = CmpInst::getSwappedPredicate(Stays);
  }
  if (!Step)
    return false;
  // Optimisation makes `k > 0` of an unsigned number `k != 0`. A limit that
  // others move stands still once they wait.
  if (Stays == CmpInst::ICMP_NE)
    return Step->By && Step->By->abs().isOne() && isAskedAlike(*Right, L);
  const bool IsOrEqual =
      Stays == CmpInst::ICMP_SLE || Stays == CmpInst::ICMP_SGE;
  if (!CmpInst::isStrictPredicate(Stays) && (!IsOrEqual || Step->MayWrap))
    return false;
  const bool IsBelow = Stays == CmpInst::ICMP_SLT ||
                       Stays == CmpInst::ICMP_SLE || Stays == CmpInst::ICMP_ULT;
  return IsBelow != (Step->By && Step->By->isNegative());
}

/// \p Of is computed in \p L from what the loop or others before it left, and
/// from memory that nobody writes; \p Changes: from what the loop changes.
bool isOwnState(const Value &Of, const Loop &L, const KernelMemory &Memory,
                bool &Changes) {
  return allBehind(Of, L, [&](const Instruction &I) {
    Changes |= isa<PHINode>(I) && I.getParent() == L.getHeader();
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return Memory.isNeverWritten(*Load);
    const auto *Call = dyn_cast<CallBase>(&I);
    return !I.mayReadOrWriteMemory() && !(Call && Call->isConvergent());
  });
}

} // namespace

bool isLeftByOwnState(const Loop &L, const KernelMemory &Memory) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return !Exiting.empty() && all_of(Exiting, [&](const BasicBlock *B) {
    // Which way values come together, branches within the loop decide, too.
    bool Changes = false;
    return isOwnState(*B->getTerminator(), L, Memory, Changes) && Changes &&
           all_of(L.blocks(), [&](const BasicBlock *Inner) {
             return isOwnState(*Inner->getTerminator(), L, Memory, Changes);
           });
  });
}

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
