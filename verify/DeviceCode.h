// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IR of a device pass, brought into a form in which LLVM's analyses see
// what a kernel does: each kernel with all that it calls inlined into it, and
// local variables in registers.

#ifndef BARRICADE_VERIFY_DEVICECODE_H
#define BARRICADE_VERIFY_DEVICECODE_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include <string>
#include <vector>

namespace llvm {
class AAResults;
class CallBase;
class Function;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace barricade {

/// A place in a source, as the line table of the IR has it.
struct CodePlace {
  std::string File;    ///< As Clang named it; may be relative or a link.
  unsigned Line = 0;   ///< From 1.
  unsigned Column = 0; ///< From 1, in bytes.
};

/// Where \p I comes from, and the calls that lead there, innermost first.
std::vector<CodePlace> placesOf(const llvm::Instruction &I);

/// What a call of device code means to the threads of a block.
enum class DeviceCall {
  /// __syncthreads() and its votes, whose result is uniform; the halves of a
  /// cluster's barrier within a `__gpu_sync`.
  BlockBarrier,
  Uniform,  ///< The same for all threads of a block: blockIdx, ...
  Varying,  ///< Told apart by thread: threadIdx, lanes, clocks, atomics.
  Computes, ///< A value of its operands.
  Reads,    ///< A load through its first operand.
  Silent,   ///< Writes nothing that the program may load: fences, printf.
  Unknown,  ///< Anything else: may write all that it can reach.
};
DeviceCall classify(const llvm::CallBase &Call);
/// A call that reads a register whose value is the same for all blocks of a
/// grid: extents, or what was set for the whole launch.
bool isSameInGrid(const llvm::CallBase &Call);
/// Where \p Pointer leads may be memory that each block has of its own.
bool mayBeOfBlock(const llvm::Value &Pointer);

bool isBlockBarrier(const llvm::Instruction &I);
/// A thread may wait there for others of its block: at barriers, and where the
/// lanes of a warp meet.
bool waitsForOthers(const llvm::CallBase &Call);
/// \p I comes from a `__gpu_sync`, whose state is no memory of the program's.
bool isInGridBarrier(const llvm::Instruction &I);
/// A block barrier that is part of a `__gpu_sync`: all threads of the grid have
/// come to the first one of it before any leaves the last.
bool isPartOfGridBarrier(const llvm::Instruction &I);

/// A kernel, or a function that calls itself so that it cannot be part of one.
class DeviceCode {
public:
  /// Changes \p M. \p RestrictParams: no two pointers that a kernel is given
  /// reach the same memory (nvcc's --restrict).
  DeviceCode(llvm::Module &M, bool RestrictParams);

  llvm::ArrayRef<llvm::Function *> kernels() const { return Kernels; }
  /// Functions with bodies that are left: those that recursion keeps apart.
  llvm::ArrayRef<llvm::Function *> others() const { return Others; }

  llvm::AAResults &aliases(llvm::Function &F);

private:
  // Destroyed in the reverse order: proxies refer to one another.
  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager Components;
  llvm::ModuleAnalysisManager Modules;
  std::vector<llvm::Function *> Kernels, Others;
};

/// The objects that \p Pointer may lead into, as far as the IR shows.
llvm::SmallPtrSet<const llvm::Value *, 4> objectsOf(const llvm::Value &Pointer);

/// An address that comes out of assembly, as barricade::coherent's does.
bool isOpaque(const llvm::Value &Object);

using ValueSet = llvm::SmallPtrSet<const llvm::Value *, 32>;
using Users = llvm::SmallVector<const llvm::User *, 32>;

/// What decides where control goes in \p F.
Users terminatorsOf(const llvm::Function &F);
/// The instructions whose results \p Of are computed from, but for what goes
/// through memory.
ValueSet valuesBehind(Users Of);

/// Constant memory, and the kernel's parameters.
bool isReadOnlySpace(const llvm::Value &Pointer);
/// No thread writes into \p Object. What an array is initialised with, too.
bool isConstant(const llvm::Value &Object);

} // namespace barricade

#endif
