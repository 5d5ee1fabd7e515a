// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All but one thread wait at the barrier; that one waits for a shuffle.
__global__ void kernel(int *out) {
  int value = threadIdx.x;
#ifndef FIXED
  if (threadIdx.x == 32)
    value = __shfl_sync(0xffffffffu, value, 0);
#endif
  __syncthreads(); // FAULT: divergent-barrier
  out[threadIdx.x] = value;
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
