// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes an artificial barrier into a loop. Decides nothing about threads: the
// caller says which form is legal; what can fail here is the text alone.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPREWRITER_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPREWRITER_H

#include "matchers/Finding.h"
#include "matchers/artificial-barrier/LoopBarrier.h"
#include <vector>

namespace barricade::artificial_barrier {

/// Edits, or why the text does not allow them.
struct RewriteResult {
  std::vector<Edit> Edits;
  std::vector<Hindrance> Hindrances;
};

/// Appends the barrier to the body of a uniform loop.
///
/// Before: for (k = 0; k < n; ++k) { s += a[k]; }
/// After:  for (k = 0; k < n; ++k) { s += a[k]; __syncthreads(); }
RewriteResult appendBarrier(const clang::Stmt &Loop,
                            clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif
