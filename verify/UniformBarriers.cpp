// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/UniformBarriers.h"
#include "verify/ControlDependence.h"
#include "verify/KernelMemory.h"
#include "llvm/ADT/Uniformity.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include <memory>

using namespace llvm;

namespace barricade {
namespace {

/// All that goes into decisions, of control flow and of what local variables
/// hold. Large kernels load much that decides nothing.
ValueSet decidingValues(const Function &F, const KernelMemory &Memory) {
  Users Deciding = terminatorsOf(F);
  Memory.forEachLocalWriter(
      [&](const Instruction &I) { Deciding.push_back(&I); });
  return valuesBehind(std::move(Deciding));
}

/// Among which threads values are compared.
enum class Among { Block, Grid };

/// What varies among threads by itself, and what never does.
class Sources final : public TargetTransformInfoImplBase {
public:
  Sources(const DataLayout &Layout, const KernelMemory &Memory,
          const ValueSet &Deciding, Among Whom)
      : TargetTransformInfoImplBase(Layout), Memory(Memory), Deciding(Deciding),
        Whom(Whom) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity
  getInstructionUniformity(const Value *V) const override {
    if (const auto *Load = dyn_cast<LoadInst>(V))
      return Deciding.contains(V) && Memory.isUniform(*Load) &&
                     !(Whom == Among::Grid &&
                       mayBeOfBlock(*Load->getPointerOperand()))
                 ? InstructionUniformity::Default
                 : InstructionUniformity::NeverUniform;
    if (const auto *Call = dyn_cast<CallBase>(V))
      return ofCall(*Call);
    return isa<AtomicRMWInst, AtomicCmpXchgInst, VAArgInst>(V)
               ? InstructionUniformity::NeverUniform
               : InstructionUniformity::Default;
  }

private:
  InstructionUniformity ofCall(const CallBase &Call) const {
    switch (classify(Call)) {
    case DeviceCall::BlockBarrier:
    case DeviceCall::Uniform:
      return Whom == Among::Block || isSameInGrid(Call)
                 ? InstructionUniformity::AlwaysUniform
                 : InstructionUniformity::NeverUniform;
    case DeviceCall::Computes:
    case DeviceCall::Silent:
      return InstructionUniformity::Default;
    case DeviceCall::Reads:
      return Deciding.contains(&Call) && Memory.isUniform(Call)
                 ? InstructionUniformity::Default
                 : InstructionUniformity::NeverUniform;
    case DeviceCall::Varying:
    case DeviceCall::Unknown:
      return InstructionUniformity::NeverUniform;
    }
    llvm_unreachable("unknown call");
  }

  const KernelMemory &Memory;
  const ValueSet &Deciding;
  const Among Whom;
};

/// One kernel.
class Judge {
public:
  Judge(DeviceCode &Code, Function &F, Among Whom)
      : F(F), Whom(Whom), Memory(F, Code.aliases(F)), Control(F, Memory),
        Deciding(decidingValues(F, Memory)) {
    Analyses.registerPass([this] {
      return TargetIRAnalysis([this](const Function &Of) {
        return TargetTransformInfo(std::make_unique<Sources>(
            Of.getDataLayout(), Memory, Deciding, this->Whom));
      });
    });
    PassBuilder().registerFunctionAnalyses(Analyses);
    // What a local variable holds depends on what else is uniform, and the
    // other way round: assume the best, until nothing speaks against it.
    do
      Uniform = UniformityInfoAnalysis().run(F, Analyses);
    while (findVaryingLocals());
  }

  /// The branch that parts the threads before \p I, or null. How blocks part
  /// within a grid barrier is that barrier's affair.
  const BasicBlock *partedBy(const Instruction &I) const {
    for (const BasicBlock &B : F)
      if (Uniform.hasDivergentTerminator(B) &&
          Control.decides(B, *I.getParent()) &&
          !(Whom == Among::Grid && isInGridBarrier(*B.getTerminator())))
        return &B;
    return nullptr;
  }

private:
  /// Whether some local variable turned out to hold what varies.
  bool findVaryingLocals() {
    return Memory.reconsiderLocals([&](const Instruction &Writer) {
      return any_of(Writer.operands(),
                    [&](const Use &U) { return Uniform.isDivergentUse(U); }) ||
             partedBy(Writer);
    });
  }

  Function &F;
  const Among Whom;
  KernelMemory Memory;
  ControlDependence Control;
  const ValueSet Deciding;
  FunctionAnalysisManager Analyses;
  /// Asking changes nothing that shows.
  mutable UniformityInfo Uniform;
};

} // namespace

/// The barriers of the kernels that \p IsBarrier finds, as far as threads part
/// before them.
static std::vector<DivergentBarrier>
findParted(DeviceCode &Code, Among Whom,
           function_ref<bool(const Instruction &)> IsBarrier) {
  std::vector<DivergentBarrier> Result;
  for (Function *F : Code.kernels()) {
    if (none_of(instructions(*F), IsBarrier))
      continue;
    const Judge Kernel(Code, *F, Whom);
    for (const Instruction &I : instructions(*F))
      if (IsBarrier(I))
        if (const BasicBlock *Branch = Kernel.partedBy(I))
          Result.push_back({placesOf(I), placesOf(*Branch->getTerminator())});
  }
  return Result;
}

std::vector<DivergentBarrier> findPartedGrids(DeviceCode &Code) {
  return findParted(Code, Among::Grid, isPartOfGridBarrier);
}

std::vector<DivergentBarrier> findDivergentBarriers(DeviceCode &Code) {
  std::vector<DivergentBarrier> Result =
      findParted(Code, Among::Block, isBlockBarrier);
  for (Function *F : Code.others())
    for (const Instruction &I : instructions(*F))
      if (isBlockBarrier(I))
        Result.push_back({placesOf(I), {}});
  return Result;
}

} // namespace barricade
