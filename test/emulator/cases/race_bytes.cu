// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbouring bytes are different places; one byte written by two is a race.
__global__ void kernel(char *out) {
  int i = threadIdx.x;
#ifndef FIXED
  i /= 2;
#endif
  out[i] = threadIdx.x; // FAULT: data-race
}

int main() {
  char *out, host[64];
  cudaMalloc(&out, 64);
  kernel<<<1, 64>>>(out);
  cudaMemcpy(host, out, 64, cudaMemcpyDeviceToHost);
  return host[5] != 5;
}
