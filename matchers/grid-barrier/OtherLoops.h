// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What repeats launches without for, while or do:
//
//   again:
//     jacobi<<<grid, 256>>>(a, b, n);
//     if (++t < steps)
//       goto again;
//
// functions that call themselves, and the library's, as std::for_each. None of
// them is rewritten, and none must pass in silence.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_OTHERLOOPS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_OTHERLOOPS_H

#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/host/HiddenLaunches.h"
#include "llvm/ADT/ArrayRef.h"

namespace barricade::grid_barrier {

/// The loops that gotos make in \p Body, which is \p Function's or that of a
/// lambda in it, and that launch. Of a template's none: its instances know
/// more.
std::vector<HostLoop> findGotoLoops(const clang::Stmt &Body,
                                    const clang::FunctionDecl &Function,
                                    bool InLambda,
                                    host::HiddenLaunches &Hidden);

/// Functions of the unit that launch and call themselves, if only through
/// others. Calls within \p Loops are these loops' matter.
std::vector<HostLoop> findRecursions(clang::ASTContext &Context,
                                     llvm::ArrayRef<HostLoop> Loops,
                                     host::HiddenLaunches &Hidden);

} // namespace barricade::grid_barrier

#endif
