// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of functions that a replayed loop calls: this library's are held
// back with the loop's own, another library's come behind all before.

#define BARRICADE_REPLAY_AT 1
#include <cstdio>
#include <cuda_runtime.h>
#include <runtime/barricade/gpu_sync.cuh>
#include <test/runtime/expect.h>

__device__ int Digits;
__global__ void append(int Digit) { Digits = Digits * 10 + Digit; }

static int appended() {
  int All = -1;
  (void)cudaMemcpyFromSymbol(&All, Digits, sizeof(All));
  return All;
}
static void startAnew() {
  const int None = 0;
  (void)cudaMemcpyToSymbol(Digits, &None, sizeof(None));
}

static void callee(int Digit) {
  barricade::launch(append, 1, 1, 0, nullptr, Digit);
}

/// callee() as another library has it: what is open is not its own.
static void calleeOfAnotherLibrary(int Digit) {
  static char AnotherLibrary;
  const void *const Open = barricade::detail::barricade_open_launches;
  barricade::detail::OpenLaunches Foreign =
      *static_cast<const barricade::detail::OpenLaunches *>(Open);
  Foreign.Library = &AnotherLibrary;
  barricade::detail::barricade_open_launches = &Foreign;
  callee(Digit);
  barricade::detail::barricade_open_launches = Open;
}

static void ofThisLibrary() {
  startAnew();
  barricade::ReplayedLaunches Replay{barricade::OfCallees()};
  for (int Digit = 1; Digit <= 4; ++Digit)
    callee(Digit);
  expect("one is made, three are held back", appended(), 1);
  Replay.flush();
  expect("all are made", appended(), 1234);
  callee(5);
  expect("behind it none is held back", appended(), 12345);
}

static void ofAnotherLibrary() {
  startAnew();
  barricade::ReplayedLaunches Replay{barricade::OfCallees()};
  callee(1);
  callee(2);
  Replay.launch(append, 1, 1, 0, nullptr, 3);
  expect("two are held back", appended(), 1);
  calleeOfAnotherLibrary(4);
  expect("another's is behind them", appended(), 1234);
  callee(5);
  Replay.launch(append, 1, 1, 0, nullptr, 6);
  calleeOfAnotherLibrary(7);
  callee(8);
  Replay.flush();
  expect("all are in order", appended(), 12345678);
}

static void withoutReplay() {
  startAnew();
  callee(1);
  expect("nothing is open", appended(), 1);
}

int main() {
  ofThisLibrary();
  ofAnotherLibrary();
  withoutReplay();
  std::puts(Right ? "right" : "wrong");
  return Right ? 0 : 1;
}
