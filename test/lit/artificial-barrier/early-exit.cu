// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers leave out single exited threads from sm_70 on only, so that the
// architectures must be known, all of them.
//
// RUN: not %dry-run %s -- -x cuda --cuda-gpu-arch=sm_75 | FileCheck --check-prefix=LEGAL %s
// RUN: %barricade --explain %s --cuda-gpu-arch=sm_60 --no-toolkit 2>&1 | FileCheck %s
// RUN: %barricade --explain %s --cuda-gpu-arch=sm_60,sm_75 --no-toolkit 2>&1 | FileCheck %s

__global__ void exits(const float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [early-exit]
  // LEGAL: +    __syncthreads();
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * n + i];
  out[i] = s;
}
