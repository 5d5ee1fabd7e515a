// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel may become a step of a persistent kernel. A step is the
// kernel's body as a device function: a resident block runs it for several
// logical blocks, one after the other, then waits for the whole grid. Two
// things change for the body: blockIdx and gridDim are no longer the
// hardware's, and a thread that returns does not exit, so it comes to the
// barriers that follow.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_STEPKERNEL_H
#define BARRICADE_MATCHERS_GRIDBARRIER_STEPKERNEL_H

#include "matchers/Program.h"
#include "matchers/facts/Products.h"
#include "matchers/grid-barrier/Reasons.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace clang {
class FunctionDecl;
class ParmVarDecl;
class VarDecl;
} // namespace clang

namespace barricade::grid_barrier {

/// A load that may give a value from before a grid barrier: `__ldg` reads past
/// the coherent caches, and the cache-hinted loads are assembly that the
/// compiler may move across barriers. Harmless for a buffer that no step of the
/// loop writes.
struct ReadOnlyLoad {
  const clang::ParmVarDecl *Pointer; ///< The kernel's parameter it reads from.
  clang::SourceLocation Where;
};

/// The built-in variables that a body names, itself or through what it calls.
struct IndexUse {
  bool BlockIndex = false;
  bool GridSize = false;
  bool ThreadIndex = false;
  bool BlockSize = false;

  /// The field that the built-in variable \p Name stands for, or null.
  bool *find(llvm::StringRef Name);
};

struct StepKernel {
  /// The definition that was looked at; of a template, an instantiation.
  const clang::FunctionDecl *Kernel = nullptr;
  /// The kernel and all functions that it reaches.
  std::vector<const clang::FunctionDecl *> Functions;
  IndexUse Indices;
  /// Between two logical blocks all threads must meet, as the next one's stores
  /// would meet the last one's loads.
  bool UsesSharedMemory = false;
  bool UsesDynamicSharedMemory = false;
  /// The static ones, of the kernel and all it calls, each once.
  std::vector<const clang::VarDecl *> Shared;
  /// Static shared memory of the kernel and all it calls, at most.
  uint64_t StaticSharedBytes = 0;
  /// The body has block barriers, so all threads of a block must run it.
  bool WaitsForBlock = false;
  /// It may end the whole grid.
  bool MayTrap = false;
  /// Threads neither meet nor exchange anything within a block: logical threads
  /// may be spread over a block of another size (`StepShape::LogicalThreads`).
  bool ThreadsStandAlone = false;
  /// Parameters through which the kernel may write memory.
  std::vector<const clang::ParmVarDecl *> Written;
  /// Parameters through which the kernel may read memory.
  std::vector<const clang::ParmVarDecl *> Read;
  /// It may read memory through a pointer that could not be followed.
  bool ReadsElsewhere = false;
  /// Set where it names constant memory.
  clang::SourceLocation ReadsConstants;
  /// Set where it may write memory that no parameter shows: a device variable,
  /// or through a pointer that could not be followed.
  clang::SourceLocation WritesElsewhere;
  /// It may write memory as something that can hold an address: pointers, whole
  /// numbers of their size, bytes, records.
  bool MayWriteAddresses = false;
  /// Only those that are legal if no step writes the buffer; the caller
  /// decides.
  std::vector<ReadOnlyLoad> ReadOnlyLoads;
  /// Pointers among the parameters whose memory a compiler may take for
  /// read-only, since they, or what they are handed to, are `__restrict__`.
  std::vector<const clang::ParmVarDecl *> Promised;
  facts::Products Products;
  /// What forbids it.
  std::vector<Blocker> Blockers;
};

/// Looks at \p Kernel, a definition of the device pass \p Pass of \p Whole.
StepKernel inspectStep(const clang::FunctionDecl &Kernel, const Program &Whole,
                       const PassView &Pass);

} // namespace barricade::grid_barrier

#endif
