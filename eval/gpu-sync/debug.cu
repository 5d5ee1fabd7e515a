// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The debug mode: a grid of which two blocks leave before the third barrier.
// The first run is whole and must end well; the second must end in a trap after
// a report that names blocks 3 and 7. Exit code 1 if either does not.
//
//   debug automatic|lock|lock_free|cooperative

#define BARRICADE_GPU_SYNC_DEBUG
#define BARRICADE_GPU_SYNC_TIMEOUT_POLLS 100000u
#include "eval/gpu-sync/harness.cuh"

#include <cstring>

using namespace harness;

namespace {

template <typename Barrier>
__global__ void barriers(Barrier Bar, unsigned Missing, unsigned *Done) {
  for (unsigned I = 0; I < 5; ++I) {
    if (I == 2 && (Missing >> blockIdx.x & 1) != 0)
      return;
    __gpu_sync(Bar);
  }
  if (threadIdx.x == 0)
    atomicAdd(Done, 1u);
}

template <typename Barrier> int run() {
  DeviceArray<unsigned> Done(1);
  check(barricade::launch_persistent_exact(barriers<Barrier>, 20, 64, 0,
                                           nullptr, 0u, Done.get()),
        "launch");
  check(cudaDeviceSynchronize(), "the whole grid");
  if (Done.download(1)[0] != 20)
    return 1;
  check(barricade::launch_persistent_exact(barriers<Barrier>, 20, 64, 0,
                                           nullptr, 1u << 3 | 1u << 7,
                                           Done.get()),
        "launch");
  const cudaError_t E = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(E));
  return E == cudaSuccess;
}

} // namespace

int main(int Argc, char **Argv) {
  const char *Strategy = Argc > 1 ? Argv[1] : "automatic";
  if (!std::strcmp(Strategy, "automatic"))
    return run<barricade::GridBarrier>();
  if (!std::strcmp(Strategy, "lock"))
    return run<barricade::LockGridBarrier>();
  if (!std::strcmp(Strategy, "lock_free"))
    return run<barricade::LockFreeGridBarrier>();
  if (!std::strcmp(Strategy, "cooperative"))
    return run<barricade::CooperativeGridBarrier>();
  std::fprintf(stderr, "unknown strategy %s\n", Strategy);
  return 2;
}
