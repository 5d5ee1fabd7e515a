// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every logical block adds in each step one to what its neighbour had in the
// step before, for each strategy, with more logical blocks than fit. A number
// goes on in the middle of each barrier that stores one: all have read the old
// one, and all read the new one. Run on the CPU executor, which also looks for
// races between the blocks.

#include <cooperative_groups.h>

#include "runtime/barricade/gpu_sync.cuh"

#include <cstdio>
#include <vector>

using namespace barricade;

static const unsigned Steps = 9;
static const dim3 Grid(7, 3, 2);
static const unsigned N = 7 * 3 * 2;

template <SyncStrategy S>
__device__ void meet(const BasicGridBarrier<S> &Bar, unsigned Step,
                     unsigned *Number) {
  if (Step % 3 == 2)
    return __gpu_sync(Bar, Number, *Number + 1);
  if (S == SyncStrategy::Cooperative || Step % 2 == 0)
    return __gpu_sync(Bar);
  if constexpr (S != SyncStrategy::Cooperative)
    __gpu_sync_wait(Bar, __gpu_sync_arrive(Bar));
}

template <SyncStrategy S>
__global__ void relay(BasicGridBarrier<S> Bar, unsigned *Words, dim3 Grid,
                      unsigned Steps, unsigned *Number) {
  const unsigned N = Grid.x * Grid.y * Grid.z;
  for (unsigned Step = 0; Step < Steps; ++Step) {
    const unsigned *From = Words + Step % 2 * N;
    unsigned *To = Words + (Step + 1) % 2 * N;
    for (const uint3 Block : logical_blocks(Grid)) {
      const unsigned Me = (Block.z * Grid.y + Block.y) * Grid.x + Block.x;
      if (threadIdx.x == 31 && threadIdx.y == 1)
        To[Me] = From[(Me + 1) % N] + 1;
    }
    const unsigned Before = *Number;
    meet(Bar, Step, Number);
    if (*Number != Before + (Step % 3 == 2))
      Words[0] = 1000;
    __gpu_sync(Bar);
  }
}

template <SyncStrategy S> static bool holds(const char *Name) {
  unsigned *Words;
  std::vector<unsigned> Got(2 * N + 1);
  const size_t Bytes = Got.size() * sizeof(unsigned);
  bool Right = cudaMalloc(&Words, Bytes) == cudaSuccess &&
               cudaMemset(Words, 0, Bytes) == cudaSuccess;
  unsigned *Number = Words + 2 * N;
  Right = Right && launch_persistent(relay<S>, Grid, dim3(32, 2), 0, nullptr,
                                     Words, Grid, Steps, Number) == cudaSuccess;
  Right =
      Right && launch_persistent_exact(relay<S>, dim3(100000), dim3(32, 2), 0,
                                       nullptr, Words, Grid, Steps, Number) ==
                   cudaErrorCooperativeLaunchTooLarge;
  Right = Right && cudaGetLastError() == cudaSuccess &&
          cudaDeviceSynchronize() == cudaSuccess &&
          cudaMemcpy(Got.data(), Words, Bytes, cudaMemcpyDeviceToHost) ==
              cudaSuccess;
  for (unsigned I = 0; Right && I < N; ++I)
    Right = Got[Steps % 2 * N + I] == Steps;
  Right = Right && Got[2 * N] == Steps / 3;
  std::printf("%s: %s\n", Name, Right ? "right" : "WRONG");
  return cudaFree(Words) == cudaSuccess && Right;
}

int main() {
  const bool Right[] = {holds<SyncStrategy::Automatic>("automatic"),
                        holds<SyncStrategy::Lock>("lock"),
                        holds<SyncStrategy::LockFree>("lock_free"),
                        holds<SyncStrategy::Cooperative>("cooperative")};
  for (const bool R : Right)
    if (!R)
      return 1;
  return 0;
}
