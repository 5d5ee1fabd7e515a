// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Through which pointers a function writes whatever it is called with. Told by
// its text alone, a template's by the template's: the answer is the same in all
// translation units, for all instances and launches.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_SUREWRITES_H
#define BARRICADE_MATCHERS_GRIDBARRIER_SUREWRITES_H

#include "llvm/ADT/SmallBitVector.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace barricade::grid_barrier {

/// The parameters of \p Function through whose names it writes memory, where no
/// constant may keep it from that: under conditions that threads or memory
/// decide, and in loops whose bounds are not written down.
llvm::SmallBitVector surelyWritten(const clang::FunctionDecl &Function);

} // namespace barricade::grid_barrier

#endif
