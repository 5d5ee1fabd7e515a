// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what the products of floating-point numbers in a kernel are computed.
//
//   v[i] = u[i] + dt * g;
//
// nvcc and Clang contract a product and the sum that it is added to into one
// operation, which rounds once (nvcc's -fmad=true, Clang's -ffp-contract=fast),
// where they see both together. In a loop around the kernel's body they compute
// a product that is the same in all iterations before the loop, so that it is
// rounded, and then the sum. So whoever puts a loop around it has to know which
// products could be the same.
//
// Source: NVIDIA, Floating Point and IEEE 754, "The Fused Multiply-Add (FMA)".

#ifndef BARRICADE_MATCHERS_FACTS_PRODUCTS_H
#define BARRICADE_MATCHERS_FACTS_PRODUCTS_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace barricade::facts {

/// What a value is computed from that may be another in another launch of the
/// kernel, the strongest of several.
enum class Varies {
  Known,      ///< Numbers that the source has: compilers know the value.
  Never,      ///< threadIdx, sizes, constant memory; what is not understood.
  ByArgument, ///< The kernel's arguments, or blockIdx as the kernel names it.
  ByMemory,   ///< Memory that may be written between two launches.
};

struct Products {
  /// There are some, or calls of functions that may make some.
  bool Any = false;
  /// By what each varies, at least.
  Varies Least = Varies::ByMemory;
  /// Of the first of those that vary by no more than `Least`.
  clang::SourceLocation Where;

  /// Those of another view of the kernel are as well.
  void add(const Products &Other) {
    if (Other.Any && (!Any || Other.Least < Least))
      *this = Other;
  }
};

/// Of \p Kernel and what it calls. What is not understood never varies.
/// Products of numbers that the compiler knows count not: they are computed
/// before, wherever they stand.
Products productsOf(const clang::FunctionDecl &Kernel);

} // namespace barricade::facts

#endif
