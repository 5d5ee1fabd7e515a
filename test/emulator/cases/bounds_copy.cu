// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpy of more than there is.
int main() {
  int host[128] = {}, *device;
  cudaMalloc(&device, 64 * sizeof(int));
#ifdef FIXED
  return cudaMemcpy(device, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
#else
  return cudaMemcpy(device, host, sizeof(host), // FAULT: out-of-bounds
                    cudaMemcpyHostToDevice);
#endif
}
