// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before C++17 launches copy their configurations; the second one is seen to
// follow the first all the same.
//
// RUN: not %dry-run --no-toolkit %s -- nvcc -std=c++14 2>/dev/null | FileCheck %s

static __global__ void update(int *old, int *c, const int *b, int n, int off) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  old[i] = c[i];
  __threadfence();
  if (i + off < n)
    c[i + off] ^= b[i];
}
void run(int *old, int *c, const int *b, int n, int off, int blocks) {
  // CHECK: {{^[+]}}  update_rest<<<blocks, 256>>>(old, c, b, n, off);
  update<<<blocks, 256>>>(old, c, b, n, off);
}
