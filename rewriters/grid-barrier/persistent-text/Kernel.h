// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel: what is declared before it, its parameters, and what stands
// around the loop in it.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_KERNEL_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_KERNEL_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// What the kernels promise of their blocks, as far as it holds for all.
std::string launchBounds(const Plan &P);

/// What \p Object, which decides whether steps are confined, is told of the
/// pointers that the loop begins with.
std::vector<std::string> pointerRequirements(
    const Plan &P, const std::string &Object,
    llvm::function_ref<bool(const dependence::PointerPair &)> IsAsked);

/// \p Var has a value when the kernel begins, and the kernel asks for it.
bool begins(const Plan &P, const clang::VarDecl &Var);

/// The kernel, with the declarations that it needs, at its place.
Edit kernelEdit(const Plan &P);

} // namespace barricade::grid_barrier::persistent

#endif
