// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel whose first statement waits for the grid before does nothing
// that others see until that has ended.
//
//   __global__ void core(double *New, const double *Old) {
//     barricade::wait_for_previous_grid();
//     ...
//
// The wait is assembly that touches memory, and compilers keep accesses behind
// it, but for those of memory that they take for unchanged as long as the
// kernel runs. Such a kernel is refused, and so is one whose code is not all in
// sight. Where only `__restrict__` leads them to think so, its body may be kept
// from them in a step (StepCache::writeWaiting).

#ifndef BARRICADE_MATCHERS_LAUNCHOVERLAP_WAITINGKERNEL_H
#define BARRICADE_MATCHERS_LAUNCHOVERLAP_WAITINGKERNEL_H

#include "matchers/Program.h"
#include "matchers/launch-overlap/ConstantEscapes.h"
#include "matchers/launch-overlap/Reasons.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

namespace clang {
class Decl;
class DeclRefExpr;
class FunctionDecl;
} // namespace clang

namespace barricade::launch_overlap {

struct WaitingKernel {
  /// Why it cannot be one that waits first; empty: it can.
  std::vector<Blocker> Blockers;
  /// Variables that are `__restrict__` pointers, through which compilers may
  /// read before the kernel's first statement.
  std::vector<Blocker> Promises;
  /// The kernel and all functions that it calls, the kernel first.
  llvm::SetVector<const clang::FunctionDecl *> Functions;
  /// What it consists of besides its own text: functions that it calls, and
  /// variables, classes and names of types that are used.
  llvm::SetVector<const clang::Decl *> Parts;
};

/// \p Kernel is a definition of the device pass \p Pass of \p Whole.
WaitingKernel inspectWaiting(const clang::FunctionDecl &Kernel,
                             const Program &Whole, const PassView &Pass,
                             const ConstantEscapes &Constants);

/// What the name of a kernel, in \p Pass, is made of: template arguments, and
/// other names for namespaces.
llvm::SetVector<const clang::Decl *> partsOf(const clang::DeclRefExpr &Name,
                                             const PassView &Pass,
                                             const ConstantEscapes &Constants);

} // namespace barricade::launch_overlap

#endif
