// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block reads what another block of the same launch writes.
__global__ void kernel(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[(i + blockDim.x) % n] + 1; // FAULT: data-race
}

int main() {
  constexpr int n = 256;
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMemset(a, 0, n * sizeof(int));
#ifdef FIXED
  kernel<<<n / 64, 64>>>(a, b, n);
  kernel<<<n / 64, 64>>>(b, a, n);
#else
  kernel<<<n / 64, 64>>>(a, a, n);
#endif
  return cudaDeviceSynchronize();
}
