// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is held back where an error waits to be asked for: who finds it may
// end the program.

#define BARRICADE_REPLAY_AT 1
#include <cuda_runtime.h>

/// What the next wait reports.
static cudaError_t Failure = cudaSuccess;
static cudaError_t waitOrFail() {
  const cudaError_t Error = Failure;
  Failure = cudaSuccess;
  return Error == cudaSuccess ? cudaDeviceSynchronize() : Error;
}
#define cudaDeviceSynchronize() waitOrFail()
#include <runtime/barricade/gpu_sync.cuh>
#include <test/runtime/expect.h>

__device__ int Launches;
__global__ void count() { ++Launches; }

static int launched() {
  int Count = -1;
  (void)cudaMemcpyFromSymbol(&Count, Launches, sizeof(Count));
  return Count;
}

static void launch(barricade::ReplayedLaunches &Replay, int Times) {
  for (int I = 0; I < Times; ++I)
    Replay.launch(count, 1, 1, 0, nullptr);
}

static void withoutError() {
  const int Before = launched();
  barricade::ReplayedLaunches Replay;
  launch(Replay, 5);
  expect("one is made, four are held back", launched(), Before + 1);
  Replay.flush();
  expect("all are made", launched(), Before + 5);
}

static void withErrorBefore() {
  const int Before = launched();
  count<<<0, 1>>>();
  barricade::ReplayedLaunches Replay;
  launch(Replay, 5);
  expect("none is held back", launched(), Before + 5);
  expect("the error is there", cudaGetLastError(),
         cudaErrorInvalidConfiguration);
}

/// \p Fail asks Replay for what CUDA refuses.
template <typename Failure> static void withErrorAmong(Failure Fail) {
  const int Before = launched();
  barricade::ReplayedLaunches Replay;
  launch(Replay, 3);
  Fail(Replay);
  expect("none is held back when one fails", launched(), Before + 3);
  launch(Replay, 3);
  expect("none is held back behind it", launched(), Before + 6);
}

static void withFailedLaunch() {
  withErrorAmong([](barricade::ReplayedLaunches &Replay) {
    Replay.launch(count, 0, 1, 0, nullptr);
  });
  expect("the launch's error", cudaGetLastError(),
         cudaErrorInvalidConfiguration);
}

static void withFailedTransfer() {
  cudaError_t Error = cudaSuccess;
  withErrorAmong([&](barricade::ReplayedLaunches &Replay) {
    Error = Replay.memset(nullptr, 0, 1);
  });
  expect("the transfer's error", cudaGetLastError(), Error);
  expect("there is one", Error != cudaSuccess, true);
}

/// One that was put off.
static void withFailedWait() {
  barricade::ReplayedLaunches Replay;
  expect("the first wait", Replay.synchronize(), cudaSuccess);
  launch(Replay, 5);
  Failure = cudaErrorLaunchFailure;
  expect("a wait that comes later", Replay.synchronize(), cudaSuccess);
  expect("its error", Replay.flush(), cudaErrorLaunchFailure);
  expect("its error, told once", Replay.flush(), cudaSuccess);
  Failure = cudaErrorLaunchFailure;
  expect("one that waits", Replay.synchronize(), cudaErrorLaunchFailure);
  expect("nothing was put off", Replay.flush(), cudaSuccess);
}

/// One that was put off until something comes in another stream.
static void withFailedWaitBetween(bool IsAsked) {
  cudaStream_t Other;
  (void)cudaStreamCreate(&Other);
  barricade::ReplayedLaunches Replay;
  (void)Replay.synchronize();
  launch(Replay, 5);
  Failure = cudaErrorLaunchFailure;
  (void)Replay.synchronize();
  Replay.launch(count, 1, 1, 0, Other);
  expect("it has waited", Failure, cudaSuccess);
  if (IsAsked)
    expect("the next wait", Replay.synchronize(), cudaErrorLaunchFailure);
  expect("the end", Replay.flush(),
         IsAsked ? cudaSuccess : cudaErrorLaunchFailure);
  (void)cudaStreamDestroy(Other);
}

int main() {
  withoutError();
  withErrorBefore();
  withFailedLaunch();
  withFailedTransfer();
  withFailedWait();
  withFailedWaitBetween(true);
  withFailedWaitBetween(false);
  withoutError();
  return Right ? 0 : 1;
}
