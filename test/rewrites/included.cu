// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relaunch loops of kernels that stand in included files.

#include "included_kernels.cuh"
#include "relaunch_check.h"
#include <utility>

static int pulls(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    included::pull<<<blocksFor(n), Threads>>>(a, b, n, t);
    std::swap(a, b);
    included::shrink<<<blocksFor(n), Threads>>>(a, n, 1009);
  }
  return 0;
}
static int pullsOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  Values *from = &a, *to = &b;
  for (int t = 0; t < steps; ++t, std::swap(from, to))
    for (int i = 0; i < n; ++i)
      (*to)[i] = ((*from)[(i + t) % n] * 3 + i) % 1009;
  return 0;
}

static int raisesIncluded(int *a, int *, int n, int steps) {
  raises(a, n, steps);
  return 0;
}
static int raisesOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int &value : a)
      value = (value + t) % (t + 7);
  return 0;
}

int main() {
  bool right = agree("pulls", pulls, pullsOnHost);
  right &= agree("raises", raisesIncluded, raisesOnHost);
  return !right;
}
