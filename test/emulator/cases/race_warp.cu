// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes exchange data through shared memory.
__global__ void kernel(int *out) {
  __shared__ int shared[64];
  int lane = threadIdx.x % 32;
  int value = threadIdx.x;
  shared[threadIdx.x] = 0;
  __syncthreads();
  for (int step = 16; step > 0; step /= 2) {
    shared[threadIdx.x] = value; // FAULT: data-race
#ifdef FIXED
    __syncwarp();
#endif
    value += shared[threadIdx.x - lane + (lane ^ step)]; // FAULT: data-race
#ifdef FIXED
    __syncwarp();
#endif
  }
  out[threadIdx.x] = value;
}

int main() {
  int *out, host[64];
  cudaMalloc(&out, sizeof(host));
  kernel<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  return host[0] != 31 * 16 || host[63] != 31 * 16 + 32 * 32;
}
