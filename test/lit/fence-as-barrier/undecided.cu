// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where two threads may or may not meet, and the source does not show which:
// nothing is said.
//
// RUN: %barricade --rules=fence-as-barrier --explain %s 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// CHECK: {{^}}0 findings in 1 file

// Which elements are written is up to the data: an order by colours, say.
__global__ void coloured(float *a, const int *colour, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n && colour[i] == 0)
    a[i] = i;
  __threadfence();
  if (i > 0 && i < n && colour[i] == 1)
    a[i] = a[i - 1];
}

// Where is up to the data.
__global__ void permuted(float *a, float *b, const int *to, const int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[to[i]] = i;
  __threadfence();
  b[i] = a[from[i]];
}

// Two pointers of the host's may be one, or not: nothing is said.
__global__ void mayAlias(float *a, const float *b, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  out[i] = b[i + 1];
}

// The distance may be that of two buffers in one array.
__global__ void anyDistance(float *a, int n, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = i;
    __threadfence();
    a[i + distance] += 1;
  }
}

// Which thread reads is another thread's choice.
__global__ void shuffled(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[__shfl_down_sync(~0u, i, 1)];
}

// A function of another file may wait.
extern __device__ void elsewhere();
__global__ void unknownCall(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  elsewhere();
  b[i] = a[i + 1];
}
