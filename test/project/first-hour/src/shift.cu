// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__global__ void shift(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence(); // which makes no thread wait
  if (i > 0)
    b[i] = a[i - 1];
}
