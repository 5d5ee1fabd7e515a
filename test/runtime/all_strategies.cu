// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses all of gpu_sync.cuh, for each strategy, as rewritten programs do. The
// tests of this folder compile it; nothing runs it.

#include <cooperative_groups.h>

#include "runtime/barricade/gpu_sync.cuh"

struct Settings {
  float Factor;
  int Steps;
};

template <typename Barrier>
__global__ void relax(Barrier Bar, float *A, const float *B, dim3 Grid,
                      const Settings S) {
  for (int I = 0; I < S.Steps; ++I) {
    for (const uint3 Block : barricade::logical_blocks(Grid))
      A[Block.x + Block.y + Block.z] = S.Factor * B[threadIdx.x];
    __gpu_sync(Bar);
  }
}

/// The handle may be passed on, by value or by reference.
template <typename Barrier> __device__ void meetTwice(Barrier Bar) {
  __gpu_sync(Bar);
  const barricade::SyncToken Token = __gpu_sync_arrive(Bar);
  __gpu_sync_wait(Bar, Token);
}

template <typename Barrier> __global__ void split(const Barrier Bar) {
  meetTwice(Bar);
}

template <typename T> __global__ void part(T *A) { *A = 1; }
__global__ void otherPart() {}

template <typename Barrier> cudaError_t launchAll(float *A, const float *B) {
  unsigned Blocks;
  if (const cudaError_t E = barricade::max_resident_blocks(
          &Blocks, relax<Barrier>, dim3(16, 16), 60000))
    return E;
  // Arguments convert as they do in a launch: an int to dim3, nullptr to
  // float*.
  if (const cudaError_t E =
          barricade::launch_persistent(relax<Barrier>, dim3(3, 4), 256, 0,
                                       cudaStream_t{}, A, B, 12, {0.5f, 7}))
    return E;
  if (const cudaError_t E =
          barricade::launch_persistent(relax<Barrier>, Blocks, 256, 0, nullptr,
                                       nullptr, B, Blocks, Settings{0.5f, 7}))
    return E;
  // Instead of the launches of other kernels.
  if (const cudaError_t E = barricade::launch_persistent(
          split<Barrier>, {part<float>, otherPart}, Blocks, 256, 0, nullptr))
    return E;
  // Instead of the rest of a loop, and for a result of it.
  barricade::Takeover Takeover(split<Barrier>, Blocks, nullptr);
  const barricade::Result<double> Last(nullptr);
  double Value = 0;
  for (int T = 0; T < 100; ++T)
    if (Takeover.is_due(100 - T) || Takeover.is_due(100 - T, 2u) ||
        Takeover.is_due())
      return Last.copy_to(Value);
  return barricade::launch_persistent_exact(split<Barrier>, {otherPart}, Blocks,
                                            256, 0, nullptr);
}

/// Held back where they fit, whatever their arguments.
struct Many {
  char Each[1000];
};
__global__ void takesMany(Many) {}
__global__ void takesPair(char, double, const Settings) {}

void launchOften(float *A, unsigned long long Times) {
  barricade::OverlappedLaunches Overlapped;
  barricade::ReplayedLaunches Replayed(Times), Uncounted;
  for (unsigned long long T = 0; T < Times; ++T) {
    Replayed.launch(part<float>, 1, dim3(1, 2), 0, nullptr, A);
    Replayed.launch(takesPair, dim3(2), 1, 16, nullptr, 'a', 1, {0.5f, 7});
    Uncounted.launch(takesMany, 1, 1, 0, nullptr, Many());
    Uncounted.launch(otherPart, 1, 1, 0, nullptr);
    Overlapped.launch(otherPart, 1, 1, 0, nullptr);
  }
  Replayed.flush();
}

cudaError_t useEverything(float *A, const float *B) {
  for (const cudaError_t E :
       {launchAll<barricade::GridBarrier>(A, B),
        launchAll<barricade::LockGridBarrier>(A, B),
        launchAll<barricade::LockFreeGridBarrier>(A, B),
        launchAll<barricade::CooperativeGridBarrier>(A, B)})
    if (E != cudaSuccess)
      return E;
  return cudaSuccess;
}
