// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without a toolkit both passes see launches alike, whatever toolkit the machine
// has.
//
// RUN: not %dry-run --no-toolkit --rules=grid-barrier %s 2>/dev/null | FileCheck %s
// RUN: not %dry-run --no-toolkit --rules=grid-barrier --gpu-sync=cooperative %s 2>/dev/null | FileCheck %s
// CHECK: {{^}}+static __global__ void run_persistent(

#include <cuda_runtime.h>

__global__ void smooth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = 0.25f * (in[i - 1] + 2 * in[i] + in[i + 1]);
}

void run(float *a, float *b, int n, int steps) {
  for (int k = 0; k < steps; ++k) {
    smooth<<<(n + 255) / 256, 256>>>(a, b, n);
    float *t = a;
    a = b;
    b = t;
  }
}
