// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel may be cut in two at a fence that is taken for a barrier:
// the second launch waits for all threads of the first one, as the fence does
// not.
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x;   // computed in both
//   if (i >= n)
//     return;                                        // taken in both
//   old[i] = c[i];
//   __threadfence();
//   c[i + off] ^= b[i];
//
// It may if nothing but memory lives across the fence: what the second half
// needs it can compute again from parameters and indices.

#ifndef BARRICADE_MATCHERS_FENCEASBARRIER_SPLITATFENCE_H
#define BARRICADE_MATCHERS_FENCEASBARRIER_SPLITATFENCE_H

#include "matchers/facts/KernelEffects.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang {
class DeclStmt;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::fence_as_barrier {

struct FenceSplit {
  const clang::Stmt *Fence = nullptr; ///< As it stands in the kernel's block.
  /// Declarations and early returns before the fence that the second half
  /// needs, in the order of the source.
  std::vector<const clang::Stmt *> Repeated;
  /// Those of them that the first half does not need.
  std::vector<const clang::Stmt *> OnlyAfter;
  /// The variables that each half names.
  llvm::SmallPtrSet<const clang::VarDecl *, 16> NamedByFirst, NamedBySecond;
  /// Why the kernel cannot be split, with the place that says so; else empty.
  llvm::StringRef WhyNot;
  clang::SourceLocation Where;
};

/// Looks at the kernel of \p Effects, a definition, and \p Fence in it.
FenceSplit splitAtFence(const KernelEffects &Effects, const clang::Stmt &Fence);

/// Why neither a kernel nor a launch is cut in two where a part of it would be
/// written once more that depends on its place.
inline constexpr llvm::StringLiteral PlaceDependent =
    "what is written once more, or elsewhere, depends on where it stands: by "
    "__LINE__, __COUNTER__, the name of a function, or a lambda's type";

/// What the second half of a kernel called \p Kernel is called, but for a
/// number where that is taken.
std::string restName(llvm::StringRef Kernel);

/// \p Rest is the second half of \p Kernel, which was cut: it has the name
/// and the parameters.
bool isRestOf(const clang::FunctionDecl &Rest,
              const clang::FunctionDecl &Kernel);

} // namespace barricade::fence_as_barrier

#endif
