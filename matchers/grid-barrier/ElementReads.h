// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of arrays that a host function knows by a pointer alone, as those of
// `float *buf[2]` that it takes for a parameter:
//
//   int src = 1, dst = 0;
//   for (int t = 0; t < steps; ++t) {
//     std::swap(src, dst);
//     jacobi<<<grid, block>>>(buf[src], buf[dst], n);
//   }
//
// A kernel can take copies of the elements, made when the loop begins, if the
// loop reads each of them for certain: neither the `2` nor the reads of later
// iterations, which there may not be, promise that there is an element to copy.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_ELEMENTREADS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_ELEMENTREADS_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ArraySubscriptExpr;
class ASTContext;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::host {
class HostVariables;
} // namespace barricade::host

namespace barricade::grid_barrier {

/// The number of elements, from the first one on, behind the pointer \p Array
/// of which \p Loop reads at \p Reads some: where it begins an iteration at
/// all, it reads all of them before it calls anything but kernels. 0: that is
/// not known, or it may read others, too. \p Variables: of the function around
/// the loop.
unsigned
countElementsRead(const clang::VarDecl &Array,
                  llvm::ArrayRef<const clang::ArraySubscriptExpr *> Reads,
                  const clang::Stmt &Loop, const host::HostVariables &Variables,
                  clang::ASTContext &Context);

} // namespace barricade::grid_barrier

#endif
