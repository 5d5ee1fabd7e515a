// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid barrier in a kernel that was launched in the ordinary way.
#include <cooperative_groups.h>

__global__ void kernel() {
  cooperative_groups::this_grid().sync(); // FAULT: grid-barrier
}

int main() {
#ifdef FIXED
  return cudaLaunchCooperativeKernel(kernel, 4, 32, nullptr);
#else
  kernel<<<4, 32>>>();
  return cudaDeviceSynchronize();
#endif
}
