// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recursion that does not end in time.
__device__ __noinline__ int depth(volatile int *data, int n) {
  volatile int local[512];
  local[n % 512] = n; // FAULT: stack-overflow
  if (n == 0)
    return 0;
  return depth(data, n - 1) + local[n % 512]; // FAULT: stack-overflow
}

__global__ void kernel(int *data, int n) { data[threadIdx.x] = depth(data, n); }

int main() {
  int *data;
  cudaMalloc(&data, 32 * sizeof(int));
#ifdef FIXED
  kernel<<<1, 32>>>(data, 50);
#else
  kernel<<<1, 32>>>(data, 5000);
#endif
  return cudaDeviceSynchronize();
}
