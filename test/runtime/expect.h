// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime's tests expect, told where it is something else.

#pragma once

#include <cstdio>

inline bool Right = true;

inline void expect(const char *What, int Is, int Wanted) {
  if (Is == Wanted)
    return;
  std::printf("%s: %d instead of %d\n", What, Is, Wanted);
  Right = false;
}
