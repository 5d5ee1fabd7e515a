// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a kernel that has taken over before takes over again. Times do not
// matter for that, so it is run on the CPU executor.

#include "runtime/barricade/gpu_sync.cuh"
#include "test/runtime/expect.h"

using namespace barricade;

static const dim3 Grid(4);

__global__ void relax(GridBarrier) {}
__global__ void refused(GridBarrier) {}
__global__ void blocks(GridBarrier) {}

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

/// For so many nanoseconds.
static void waitFor(unsigned long long Time) {
  const unsigned long long Start = detail::nanoseconds();
  while (detail::nanosecondsSince(Start) < Time)
    ;
}

/// A loop that the device may go around by itself.
struct LoopedLoop : detail::AheadOfHost {
  using detail::AheadOfHost::MayBeTakenOver;
};

/// Whether blocks takes over a loop that may be clamped, whose iterations take
/// PerIteration nanoseconds and somewhat more.
static bool takesOverInTurn(dim3 Blocks, unsigned long long PerIteration) {
  LoopedLoop Looped;
  Takeover Loop(blocks, Blocks, 64, 0, nullptr, Looped);
  for (int I = 0; I < 100; ++I) {
    if (Loop.is_due()) {
      expect("the device was to stay behind", Looped.MayBeTakenOver, true);
      return true;
    }
    waitFor(PerIteration);
  }
  if (PerIteration > detail::LongestInTurn)
    expect("the device was to stay behind", Looped.MayBeTakenOver, false);
  return false;
}

/// Blocks that run in turn are not worth it where iterations take long.
static void testInTurn() {
  detail::KernelNotes *Known = detail::notesOf(blocks, 0);
  if (!Known)
    return expect("there is a place for notes", 0, 1);
  const auto Forget = [&] {
    Known->TookOverWith = Known->BusyWith = Known->LookAt = Known->Iterations =
        0;
    Known->Spent = detail::PaysBehind;
  };
  const dim3 Fits(1), Exceeds(1 << 20);
  Forget();
  expect("long iterations, in turn",
         takesOverInTurn(Exceeds, 2 * detail::LongestInTurn), false);
  Forget();
  expect("long iterations, resident",
         takesOverInTurn(Fits, 2 * detail::LongestInTurn), true);
  // Another process may make some of them long.
  Forget();
  bool Short = false;
  for (int I = 0; I < 100 && !Short; ++I) {
    Forget();
    Short = takesOverInTurn(Exceeds, 0);
  }
  expect("short iterations, in turn", Short, true);
}

int main() {
  if (!use(relax) || !use(refused))
    return 2;
  testCounted();
  testUncounted();
  testRefused();
  testInTurn();
  return Right ? 0 : 1;
}
