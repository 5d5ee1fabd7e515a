// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers leave out single exited threads from sm_70 on only, so that the
// architectures must be known, all of them.
//
// RUN: not %dry-run %s -- -x cuda --cuda-gpu-arch=sm_75 | FileCheck --check-prefix=LEGAL %s
// RUN: %barricade --explain %s --cuda-gpu-arch=sm_60 --no-toolkit 2>&1 | FileCheck %s
// RUN: %barricade --explain %s --cuda-gpu-arch=sm_60,sm_75 --no-toolkit 2>&1 | FileCheck %s
// RUN: %barricade --explain %s -- nvcc -arch=sm_61 2>&1 | FileCheck %s
// RUN: %barricade --explain %s -- nvcc -gencode arch=compute_90,code=sm_90 -gencode arch=compute_52,code=compute_52 2>&1 | FileCheck %s

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

// Exits before a loop that votes, before a guard, and by a branch of the guard.
__global__ void exitsBeforeVote(const float *a, float *out, int n) {
  if (threadIdx.x == 3)
    return;
  // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [early-exit]
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64)
    // LEGAL: +  for ({{.*}}__syncthreads_or(
    s += a[k] * a[k + n];
  out[threadIdx.x] = s;
}

__global__ void exitsUnderGuard(const float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  if (i < n) {
    if (a[i] < 0)
      return;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [early-exit]
    for (int k = 0; k < n; ++k)
      // LEGAL: +    for ({{.*}}__syncthreads_or(
      s += a[k * n + i];
  }
  out[i] = s;
}

// All threads of a block exit, or none.
__global__ void exitsTogether(const float *a, float *out, int n, int m) {
  if (blockIdx.x >= m)
    return;
  float s = 0;
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-1]]:3: warning: memory-bound for loop can take an artificial barrier
    // LEGAL: +    __syncthreads();
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
