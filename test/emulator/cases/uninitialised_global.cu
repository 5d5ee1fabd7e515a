// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing was copied to the device.
__global__ void kernel(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x] * 2; // FAULT: uninitialised-read
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
#ifdef FIXED
  cudaMemset(in, 0, 64 * sizeof(float));
#endif
  kernel<<<1, 64>>>(in, out);
  return cudaDeviceSynchronize();
}
