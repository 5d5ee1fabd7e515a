// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is cut in two is launched in two, everywhere: what makes a step
// of it would run one half. And its loops keep to one side of the cut.
//
// RUN: not %barricade --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck %s
// RUN: not %dry-run %s -- nvcc -std=c++17 -arch=sm_80 2>/dev/null | FileCheck --check-prefix=DIFF --implicit-check-not=halves_rest --implicit-check-not=pairs_rest %s

// CHECK: :[[@LINE+2]]:{{[0-9]+}}: remark: kernel could be changed
// CHECK: note: {{.*}} [kernel-step]
static __global__ void halves(float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = q[i] + 1;
  __threadfence();
  if (i + 1 < n)
    q[i] = p[i + 1];
}
void persistent(float *p, float *q, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    halves<<<(n + 63) / 64, 64>>>(p, q, n);
  }
}
// DIFF-DAG: +static __device__ __forceinline__ void halves_step(

// CHECK: :[[@LINE+2]]:{{[0-9]+}}: remark: kernel could be changed
// CHECK: note: {{.*}} [kernel-step]
static __global__ void pairs(float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = q[i] + 1;
  __threadfence();
  if (i + 1 < n)
    q[i] = p[i + 1];
}
void fused(float *p, float *q, int n) {
  pairs<<<(n + 63) / 64, 64>>>(p, q, n);
  pairs<<<(n + 63) / 64, 64>>>(q, p, n);
}
// DIFF-DAG: +static __device__ __forceinline__ void pairs_step(

// The guard before the fence is repeated behind it, as it stands.
//
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: kernel can be cut in two
static __global__ void sums(float *p, const float *q, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  p[i] = q[i];
  __threadfence();
  float s = 0;
  // CHECK: :[[@LINE+1]]:3: warning: memory-bound for loop can take
  for (int k = 0; k < m; ++k)
    s += q[k * n + i];
  if (i + 1 < n)
    p[n + i] = s + p[i + 1];
}
// DIFF-DAG: {{^}}+    __syncthreads();
void once(float *p, const float *q, int n, int m) {
  sums<<<(n + 63) / 64, 64>>>(p, q, n, m);
}

// Two launches of it in a row could not be one, nor do the halves become one
// again.
//
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: kernel can be cut in two
static __global__ void twice(float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = q[i] + 1;
  __threadfence();
  if (i + 1 < n)
    q[i] = p[i + 1];
}
__global__ void grow(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}
void inBlocks(float *p, float *q, int n) {
  twice<<<(n + 63) / 64, 64>>>(p, q, n);
  {
    const int blocks = n / 64;
    twice<<<blocks, 64>>>(q, p, n);
  }
  grow<<<n / 64, 64>>>(p, n);
}
// DIFF-DAG: +    twice_rest<<<blocks, 64>>>(q, p, n);
