// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads of a one-dimensional launch touch an element of a buffer, as
// far as that can be told exactly:
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x;
//   x[i] = y[i + 1];            // x[e]: thread e alone; y[e]: thread e - 1
//   t[blockIdx.x] = s;          // t[e]: block e alone
//   for (long k = i; k < n; k += gridDim.x * blockDim.x)
//     z[k] = 0;                 // z[e]: thread e mod (number of threads)
//   for (int k = i; k < n; k += gridDim.x * blockDim.x)
//     z[k] = 0;                 // the same, for values of the kernel's
//                               // parameter n at which no sum may wrap
//   w[i ^ j] = 0;               // w[e]: block e / blockDim, for some values of
//                               // the kernel's parameter j
//
// A launch has at most 2^31 - 1 threads, as the runtime header sees to, so the
// thread's number fits into 32 bits whatever types it goes through.

#ifndef BARRICADE_MATCHERS_DEPENDENCE_ELEMENTOWNERS_H
#define BARRICADE_MATCHERS_DEPENDENCE_ELEMENTOWNERS_H

#include "matchers/dependence/Scope.h"
#include "matchers/facts/KernelEffects.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class ParmVarDecl;
} // namespace clang

namespace barricade::dependence {

/// Who touches element e of a buffer.
struct Owner {
  enum KindTy : uint8_t {
    Thread,     ///< Thread (e - Offset) mod T of T threads.
    BlockChunk, ///< A thread of block e / blockDim.
    /// Thread ((e ^ Distance) - Offset) mod T. That is a thread of block
    /// ((e - Offset) / blockDim) mod (number of blocks) if the offset is 0,
    /// blockDim is a power of two and Distance is less, taken as a number
    /// without a sign; else it may be any.
    Partner,
    Block, ///< A thread of block e - Offset.
    Anyone,
  };
  KindTy Kind = Anyone;
  int64_t Offset = 0;
  /// Of a thread or a partner: it comes to further elements, T apart.
  bool Strides = false;
  /// Of a partner: a parameter of the kernel that it does not change.
  const clang::ParmVarDecl *Distance = nullptr;
  /// Of what strides: a parameter of the kernel that it does not change. All of
  /// this holds only if that is not negative and T above it is still an int, or
  /// the loop's counter may wrap. Null where it does not anyway.
  const clang::ParmVarDecl *Limit = nullptr;
};

/// "thread e - 1", "block e", ...
std::string describe(const Owner &Who);

/// Accesses to what one parameter points at.
struct Touch {
  const clang::ParmVarDecl *Pointer;
  bool Writes;
  unsigned Width; ///< Of an element, in bytes; 0 where not known.
  Owner Who;
  clang::SourceLocation Where;
};

struct KernelTouches {
  std::vector<Touch> Touches;
  /// Set where the kernel reaches global memory that no parameter shows.
  clang::SourceLocation Elsewhere;
  /// Set where somebody outside of the grid may see how far it is, or it may
  /// see how far they are: at fences, atomics and volatile accesses.
  clang::SourceLocation Signal;
};

/// The accesses of \p Kernel and all it calls. \p BlockThreads is the block's
/// extent in x, if it is a constant.
/// \p FixedArguments: its template arguments are the same in all builds.
KernelTouches findTouches(const clang::FunctionDecl &Kernel,
                          std::optional<uint64_t> BlockThreads,
                          bool FixedArguments);

/// \p Argument, of a launch, is a number that can be asked about, by its own
/// text, before the launch: without effects, no wider than 64 bits.
bool isAskable(const clang::Expr &Argument, const clang::ASTContext &Host);

/// Between accesses to one buffer, of which one writes, from two launches of
/// the same grid and block, if the limits of both are low enough.
Scope scopeBetween(const Touch &First, const Touch &Second);

} // namespace barricade::dependence

#endif
