// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <barricade/gpu_sync.cuh>

__global__ void steps(barricade::GridBarrier Bar, int *Counts) {
  ++Counts[blockIdx.x];
  __gpu_sync(Bar);
}

int main() {
  return barricade::launch_persistent(steps, 1, 32, 0, 0, nullptr) ==
         cudaErrorInvalidConfiguration;
}
