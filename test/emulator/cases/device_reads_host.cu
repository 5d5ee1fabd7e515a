// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel dereferences a host pointer.
#include <vector>

__global__ void kernel(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x]; // FAULT: host-memory-access
}

int main() {
  std::vector<int> host(64);
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  int *in = host.data();
#ifdef FIXED
  cudaMallocManaged(&in, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    in[i] = i;
#endif
  kernel<<<1, 64>>>(in, out);
  return cudaDeviceSynchronize();
}
