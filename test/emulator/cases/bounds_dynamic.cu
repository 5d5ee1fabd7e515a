// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch asks for less dynamic shared memory than the kernel uses.
__global__ void kernel(double *out) {
  extern __shared__ double shared[];
  shared[threadIdx.x] = threadIdx.x; // FAULT: out-of-bounds
  __syncthreads();
  out[threadIdx.x] = shared[63 - threadIdx.x];
}

int main() {
  double *out;
  cudaMalloc(&out, 64 * sizeof(double));
#ifdef FIXED
  kernel<<<1, 64, 64 * sizeof(double)>>>(out);
#else
  kernel<<<1, 64, 64 * sizeof(float)>>>(out);
#endif
  return cudaDeviceSynchronize();
}
