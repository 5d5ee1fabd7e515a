// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/cost/InstructionCost.h"

using namespace barricade;

namespace {
struct Row {
  llvm::StringRef Name; ///< Without the `f` of the float form.
  unsigned Float, Double;
  bool Transcendental;
};
} // namespace

/// As nvcc 13.0 compiles a kernel that only applies the function, with -O3
/// -arch=sm_90; slow paths are included, as they are in the code, moves are
/// not.
static const Row Functions[] = {
    {"sqrt", 1, 1, true},          {"rsqrt", 1, 1, true},
    {"exp", 10, 51, true},         {"exp2", 1, 55, true},
    {"exp10", 10, 56, true},       {"expm1", 29, 53, true},
    {"log", 28, 82, true},         {"log2", 30, 84, true},
    {"log10", 29, 84, true},       {"log1p", 29, 108, true},
    {"sin", 96, 52, true},         {"cos", 97, 53, true},
    {"tan", 96, 59, true},         {"asin", 26, 71, true},
    {"acos", 29, 97, true},        {"atan", 21, 37, true},
    {"atan2", 43, 54, true},       {"sinh", 25, 69, true},
    {"cosh", 16, 54, true},        {"tanh", 17, 61, true},
    {"cbrt", 16, 69, true},        {"erf", 27, 55, true},
    {"erfc", 51, 114, true},       {"tgamma", 166, 424, true},
    {"lgamma", 216, 153, true},    {"pow", 108, 95, true},
    {"hypot", 17, 36, true},       {"fmod", 72, 269, false},
    {"fdim", 3, 3, false},         {"round", 3, 3, false},
    {"__expf", 2, 2, true},        {"__exp10f", 2, 2, true},
    {"__logf", 2, 2, true},        {"__log2f", 1, 1, true},
    {"__log10f", 2, 2, true},      {"__sinf", 1, 1, true},
    {"__cosf", 1, 1, true},        {"__tanf", 3, 3, true},
    {"__powf", 3, 3, true},        {"__fsqrt_rn", 1, 1, true},
    {"__frsqrt_rn", 29, 29, true},
};

FunctionCost barricade::costOfFunction(llvm::StringRef Name, unsigned Bits) {
  for (const Row &R : Functions)
    if (Name == R.Name || (Name.size() == R.Name.size() + 1 &&
                           Name.starts_with(R.Name) && Name.back() == 'f'))
      return {Bits > 32 ? R.Double : R.Float, R.Transcendental};
  return {};
}
