// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many PTX instructions nvcc makes of an operator or a library function.

#ifndef BARRICADE_MATCHERS_COST_INSTRUCTIONCOST_H
#define BARRICADE_MATCHERS_COST_INSTRUCTIONCOST_H

#include "llvm/ADT/StringRef.h"

namespace barricade {

struct FunctionCost {
  unsigned Instructions = 1;
  bool Transcendental = false;
};

/// The cost of a call to the function of values \p Name, `expf` or `exp`, whose
/// result is \p Bits wide; one instruction for a function that is not listed.
FunctionCost costOfFunction(llvm::StringRef Name, unsigned Bits);

} // namespace barricade

#endif
