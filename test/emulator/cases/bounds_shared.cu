// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element past the end of a shared array, in a template.
template <int Size> __global__ void kernel(int *out) {
  __shared__ int shared[Size], next[Size];
  shared[threadIdx.x] = next[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int i = threadIdx.x + 1;
#ifdef FIXED
  i %= Size;
#endif
  out[threadIdx.x] = shared[i]; // FAULT: out-of-bounds
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<64><<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
