// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_SHAREDDATA_H
#define BARRICADE_MATCHERS_GRIDBARRIER_SHAREDDATA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace clang {
class CUDAKernelCallExpr;
class FunctionDecl;
} // namespace clang

namespace barricade::grid_barrier {

struct StepKernel;

/// None of \p Launches reads what one of them writes, as far as the names of
/// their arguments tell. For cost alone. \p StepsOf tells what is known of a
/// kernel; of one that is not in sight it is nothing.
bool sharesNothing(llvm::ArrayRef<const clang::CUDAKernelCallExpr *> Launches,
                   llvm::function_ref<std::vector<const StepKernel *>(
                       const clang::FunctionDecl &)>
                       StepsOf);

} // namespace barricade::grid_barrier

#endif
