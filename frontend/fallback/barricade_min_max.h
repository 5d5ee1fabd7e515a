//===- barricade_min_max.h - CUDA's min and max -----------------*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The global overloads, of mixed types too, for the side that BARRICADE_SIDE
// names. Included once per side, hence without a guard.
//
//===----------------------------------------------------------------------===//

#define BARRICADE_MIN_MAX(RESULT, A, B)                                        \
  BARRICADE_SIDE RESULT min(A, B);                                             \
  BARRICADE_SIDE RESULT max(A, B);
#define BARRICADE_MIN_MAX_INTEGERS(SIGNED, UNSIGNED)                           \
  BARRICADE_MIN_MAX(SIGNED, SIGNED, SIGNED)                                    \
  BARRICADE_MIN_MAX(UNSIGNED, UNSIGNED, UNSIGNED)                              \
  BARRICADE_MIN_MAX(UNSIGNED, SIGNED, UNSIGNED)                                \
  BARRICADE_MIN_MAX(UNSIGNED, UNSIGNED, SIGNED)

BARRICADE_MIN_MAX_INTEGERS(int, unsigned)
BARRICADE_MIN_MAX_INTEGERS(long, unsigned long)
BARRICADE_MIN_MAX_INTEGERS(long long, unsigned long long)
BARRICADE_MIN_MAX(float, float, float)
BARRICADE_MIN_MAX(double, double, double)
BARRICADE_MIN_MAX(double, float, double)
BARRICADE_MIN_MAX(double, double, float)

#undef BARRICADE_MIN_MAX
#undef BARRICADE_MIN_MAX_INTEGERS
