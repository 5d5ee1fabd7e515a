// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/InstructionCost.h"

using namespace barricade;

namespace {
struct Row {
  llvm::StringRef Name; ///< Without the `f` of the float form.
  unsigned Float, Double;
  bool Transcendental;
};
} // namespace

/// As nvcc 13.0 compiles a kernel that only applies the function, with -O3
/// -arch=sm_90; slow paths are included, as they are in the code.
static const Row Functions[] = {
    {"sqrt", 1, 1, true},          {"rsqrt", 1, 1, true},
    {"exp", 18, 69, true},         {"exp2", 1, 71, true},
    {"exp10", 18, 75, true},       {"expm1", 36, 72, true},
    {"log", 42, 96, true},         {"log2", 45, 99, true},
    {"log10", 43, 99, true},       {"log1p", 48, 131, true},
    {"sin", 113, 60, true},        {"cos", 114, 61, true},
    {"tan", 114, 81, true},        {"asin", 34, 102, true},
    {"acos", 38, 132, true},       {"atan", 31, 59, true},
    {"atan2", 58, 74, true},       {"sinh", 37, 96, true},
    {"cosh", 24, 71, true},        {"tanh", 24, 86, true},
    {"cbrt", 17, 72, true},        {"erf", 28, 91, true},
    {"erfc", 71, 157, true},       {"tgamma", 217, 548, true},
    {"lgamma", 323, 175, true},    {"pow", 129, 101, true},
    {"hypot", 24, 47, true},       {"fmod", 83, 302, false},
    {"fdim", 3, 3, false},         {"round", 4, 4, false},
    {"__expf", 2, 2, true},        {"__exp10f", 2, 2, true},
    {"__logf", 2, 2, true},        {"__log2f", 1, 1, true},
    {"__log10f", 2, 2, true},      {"__sinf", 1, 1, true},
    {"__cosf", 1, 1, true},        {"__tanf", 3, 3, true},
    {"__powf", 3, 3, true},        {"__fsqrt_rn", 1, 1, true},
    {"__frsqrt_rn", 36, 36, true},
};

FunctionCost barricade::costOfFunction(llvm::StringRef Name, unsigned Bits) {
  for (const Row &R : Functions)
    if (Name == R.Name || (Name.size() == R.Name.size() + 1 &&
                           Name.starts_with(R.Name) && Name.back() == 'f'))
      return {Bits > 32 ? R.Double : R.Float, R.Transcendental};
  return {};
}
