// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane takes part in a vote whose mask leaves it out.
__global__ void kernel(unsigned *out) {
#ifdef FIXED
  unsigned mask = 0xffffffffu;
#else
  unsigned mask = 0x0000ffffu;
#endif
  out[threadIdx.x] = __ballot_sync(mask, 1); // FAULT: divergent-warp-operation
}

int main() {
  unsigned *out, host;
  cudaMalloc(&out, 32 * sizeof(unsigned));
  kernel<<<1, 32>>>(out);
  cudaMemcpy(&host, out, sizeof(host), cudaMemcpyDeviceToHost);
  return host != 0xffffffffu;
}
