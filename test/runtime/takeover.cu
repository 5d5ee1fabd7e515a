// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a kernel that has taken over before takes over again. Times do not
// matter for that, so it is run on the CPU executor.

#include "runtime/barricade/gpu_sync.cuh"

#include <cstdio>

using namespace barricade;

static const dim3 Grid(4);

__global__ void relax(GridBarrier) {}
__global__ void refused(GridBarrier) {}

/// As if Kernel had taken over a loop with such a grid.
static detail::KernelNotes *use(AnyKernel Kernel) {
  detail::KernelNotes *Known = detail::notesOf(Kernel, 0);
  if (Known)
    Known->TookOverWith = Grid.x;
  return Known;
}

static const int Never = -1;

/// The iteration in which relax takes over a loop of so many.
static int takesOver(int Iterations, bool IsCounted) {
  Takeover Loop(relax, Grid, nullptr);
  for (int I = 0; I < Iterations; ++I)
    if (IsCounted ? Loop.is_due(Iterations - I) : Loop.is_due())
      return I;
  return Never;
}

static int Faults = 0;

static void expect(const char *What, int Found, int Expected) {
  if (Found == Expected)
    return;
  std::printf("%s: %d, not %d\n", What, Found, Expected);
  ++Faults;
}

static void testCounted() {
  expect("three iterations", takesOver(3, true), 0);
  expect("two iterations", takesOver(2, true), Never);
}

static void testUncounted() {
  for (unsigned Loop = 1; Loop < detail::WatchedOf; ++Loop)
    expect("an uncounted loop", takesOver(5, false), 0);
  expect("one that is watched", takesOver(5, false), 1);
  for (unsigned Loop = 1; Loop < detail::WatchedOf; ++Loop)
    expect("one after it", takesOver(5, false), 0);
  expect("one that ends at once", takesOver(1, false), Never);
  expect("the next one", takesOver(1, false), Never);
  expect("one that goes on", takesOver(2, false), 1);
  expect("one after that", takesOver(2, false), 0);
}

static void testRefused() {
  for (const bool IsFirst : {true, false}) {
    Takeover Loop(refused, Grid, nullptr);
    for (int I = 0; I < 5; ++I)
      expect("a refused launch", Loop.is_due(5 - I), IsFirst && I == 0);
  }
}

int main() {
  if (!use(relax) || !use(refused))
    return 2;
  testCounted();
  testUncounted();
  testRefused();
  return Faults != 0;
}
