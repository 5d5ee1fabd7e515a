// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a kernel into a step, a device function that takes its logical block,
// and a kernel of the old name that calls it. The body stays as it is: the
// parameters hide the built-in variables of the same names.
//
// Before:
//   template <int R>
//   __global__ void jacobi(const float *__restrict__ in,
//                          float *__restrict__ out, int n) {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     ...
//   }
//
// After:
//   template <int R>
//   __device__ __forceinline__ void jacobi_step(const uint3 blockIdx,
//                                               const float *__restrict__ in,
//                                               float *__restrict__ out,
//                                               int n) {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     ...
//   }
//
//   template <int R>
//   __global__ void jacobi(const float *__restrict__ in,
//                          float *__restrict__ out, int n) {
//     jacobi_step<R>(blockIdx, in, out, n);
//   }
//
// What `__restrict__` promises holds for one call of the step as it did for the
// launch. But nvcc takes memory that is only read through such a pointer for
// read-only as long as the whole kernel runs (ld.global.nc), which does not
// hold across a grid barrier: what a step is given for such a parameter goes
// through barricade::coherent. In the kernel all is as before, since the step
// is inlined there.
//
// Where a kernel begins to wait for the grid before, nothing may be read
// earlier, on the strength of such a promise either. Then the kernel becomes,
// if nothing else calls the step,
//
//   template <int R>
//   __global__ void jacobi(const float *__restrict__ in,
//                          float *__restrict__ out, int n) {
//     barricade::wait_for_previous_grid();
//     jacobi_step<R>(barricade::coherent(in), barricade::coherent(out), n);
//   }

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_STEPTEXT_H
#define BARRICADE_REWRITERS_GRIDBARRIER_STEPTEXT_H

#include "matchers/Finding.h"
#include "matchers/facts/Products.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace barricade::grid_barrier {

/// What a step takes besides its logical block.
struct StepShape {
  /// threadIdx and blockDim too: the block that runs it may have another size.
  bool LogicalThreads = false;
  /// The kernel of the old name waits for the grid before, and then calls the
  /// step.
  bool Waits = false;
  /// Nothing else calls the step.
  bool IsOnlyOfKernel = false;
  /// Parameters for which that kernel gives it barricade::coherent.
  llvm::SmallBitVector Hidden;
};

/// What stands for the built-in variables in a call of a step.
struct StepIndices {
  llvm::StringRef Block = "blockIdx";
  llvm::StringRef Grid = "gridDim";
  llvm::StringRef Thread = "threadIdx";
  llvm::StringRef BlockSize = "blockDim";
};

/// A call in parts, to be broken into lines: `Head(Arguments...)`.
struct StepCall {
  std::string Head; ///< The function with its template arguments.
  std::vector<std::string> Arguments;

  std::string str() const;
};

/// A kernel as a step.
struct StepText {
  std::string Name;
  /// The step's declaration without a semicolon, for code that stands before
  /// the kernel's definition.
  std::string Declaration;
  std::vector<Edit> Edits;
  std::vector<Blocker> Blockers;
  /// Uses shared memory: where a block runs the step for several logical
  /// blocks, a __syncthreads() must stand between them.
  bool SharesMemory = false;
  /// The built-in variables that the step takes.
  IndexUse Indices;
  /// The kernel's parameters that the step takes.
  llvm::SmallBitVector Parameters;
  /// Those of them whose arguments go through barricade::coherent.
  llvm::SmallBitVector Promised;

  /// Those of them that are no pointers.
  llvm::SmallBitVector Values;
  /// Its products of floating-point numbers, in all passes and instances.
  facts::Products Products;

  /// A call of the step, without a semicolon. \p Args are the kernel's
  /// arguments, one for each of its parameters; \p TemplateArgs is empty or
  /// `<...>`; \p Qualifier is empty or names the step's namespace.
  StepCall call(const StepIndices &Indices, llvm::ArrayRef<std::string> Args,
                llvm::StringRef TemplateArgs = "",
                llvm::StringRef Qualifier = "") const;
};

/// The first statement of kernels that wait for the grid before.
inline constexpr llvm::StringLiteral WaitStatement =
    "barricade::wait_for_previous_grid();";

/// The same pointer, of which no compiler knows that a kernel was given it.
std::string hidden(llvm::StringRef Pointer);

/// `::ns::` for a call of the step of \p Kernel from beside \p Host; empty
/// where neither is in a namespace, nor may be what the kernel takes. What is
/// not qualified is looked for in the namespaces of all that the step takes,
/// the global one included, and may be another kernel's step; what a launch
/// spells may hold within the function only.
std::string qualifierFor(const clang::FunctionDecl &Kernel,
                         const clang::FunctionDecl &Host);

/// Writes \p Step under \p Name, a name that nothing in the program has yet.
/// \p Pass is the one in which the kernel was looked at.
StepText writeStep(const StepKernel &Step, const PassView &Pass,
                   std::string Name, StepShape Shape = {});

} // namespace barricade::grid_barrier

#endif
