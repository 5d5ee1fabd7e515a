// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared library whose launches are the runtime's: replayed, overlapping, and
// taken over by a persistent kernel.

#include <runtime/barricade/gpu_sync.cuh>

namespace {

__global__ void step(float *to, const float *from) {
  barricade::wait_for_previous_grid();
  to[threadIdx.x] = from[threadIdx.x];
}

__global__ void steps(barricade::GridBarrier barrier, float *to, float *from,
                      int first, int n) {
  for (int i = first; i < n; ++i) {
    to[threadIdx.x] = from[threadIdx.x];
    __gpu_sync(barrier);
  }
}

} // namespace

extern "C" void replayed(float *to, float *from, int n) {
  barricade::ReplayedLaunches replay(n);
  for (int i = 0; i < n; ++i)
    replay.launch_overlapped(step, 1, 32, 0, nullptr, to, from);
  replay.flush();
}

extern "C" void overlapping(float *to, float *from, int n) {
  barricade::OverlappedLaunches overlap;
  for (int i = 0; i < n; ++i)
    overlap.launch(step, 1, 32, 0, nullptr, to, from);
}

extern "C" void persistent(float *to, float *from, int n) {
  if (barricade::launch_persistent(steps, 1, 32, 0, nullptr, to, from, 0, n) !=
      cudaSuccess)
    overlapping(to, from, n);
}

static void launchOne(float *to, float *from) {
  barricade::launch(step, 1, 32, 0, nullptr, to, from);
}

extern "C" void called(float *to, float *from, int n) {
  barricade::ReplayedLaunches replay(n, barricade::OfCallees());
  for (int i = 0; i < n; ++i)
    launchOne(to, from);
  replay.flush();
}
