// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are named without being launched by `<<<...>>>`, which chooses
// among several by its arguments:
//
//   #ifdef WITH_DOUBLE
//   __global__ void scale(double *x);
//   #endif
//   __global__ void scale(float *x);
//   ...
//   object.launch(scale, grid, block, 0, nullptr, x);   // Which one?

#ifndef BARRICADE_REWRITERS_KERNELNAMES_H
#define BARRICADE_REWRITERS_KERNELNAMES_H

namespace clang {
class ASTContext;
class DeclRefExpr;
} // namespace clang

namespace barricade {

class OtherBuilds;

/// In another build \p Name, by which a kernel is launched, may stand for
/// several functions, or for a template whose arguments are deduced: all rules
/// that name kernels elsewhere ask this.
bool mayBeOverloaded(const clang::DeclRefExpr &Name, OtherBuilds &Others,
                     const clang::ASTContext &Context);

} // namespace barricade

#endif
