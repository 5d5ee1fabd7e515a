// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for what another thread writes, without anything that orders
// memory: what they store themselves makes compilers read it anew.
//
// RUN: %barricade --explain --min-memory-ratio=0 --min-instructions=0 %s 2>&1 | FileCheck %s

// The thread that ends it would stand at the vote.
__global__ void polls(const int *a, int *out, int *flag) {
  // CHECK: :[[#@LINE+1]]:3: remark: while loop cannot take
  while (*flag == 0 && threadIdx.x != 5) // CHECK: [spin-wait]
    out[threadIdx.x] += a[threadIdx.x];
  if (threadIdx.x == 5)
    *flag = 1;
}

__device__ void raise(int *flag) { *flag = 1; }
__device__ int look(const int *flag) { return *flag; }

__global__ void pollsByVariable(const int *a, int *out, int *flag) {
  bool done = threadIdx.x == 5;
  // CHECK: :[[#@LINE+1]]:3: remark: while loop cannot take
  while (!done) { // CHECK: [spin-wait]
    out[threadIdx.x] += a[threadIdx.x];
    const int seen = look(flag);
    if (seen)
      done = true;
  }
  raise(flag);
}

__global__ void leaves(const int *a, int *out) {
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0;; ++k) { // CHECK: [spin-wait]
    out[threadIdx.x] += a[k];
    if (threadIdx.x == 5 || out[400] != 0)
      break;
  }
  out[400] = 1;
}

// What the loop does not store as cannot change, so that it is read once.
// CHECK: :[[#@LINE+2]]:3: warning: memory-bound while loop can take
__global__ void ofOtherType(const int *a, int *out, float *limit, int k) {
  while (k < *limit) {
    out[threadIdx.x] += a[k];
    k += 2;
  }
  *limit = 3;
}

// What is read decides nothing.
// CHECK: :[[#@LINE+2]]:3: warning: memory-bound while loop can take
__global__ void decidesNothing(const int *__restrict__ next, int *out, int k) {
  while (k >= 0) {
    out[threadIdx.x] += k;
    k = next[k];
  }
}

// A thread's own variable.
// CHECK: :[[#@LINE+3]]:3: warning: memory-bound while loop can take
__global__ void ownVariable(const int *__restrict__ a, int *out, int n) {
  int k = threadIdx.x;
  while (k < n) {
    out[threadIdx.x] += a[k];
    k = k * 2 + threadIdx.x;
  }
}

// Read before the loop, once.
// CHECK: :[[#@LINE+3]]:3: warning: memory-bound for loop can take
__global__ void readBefore(const int *__restrict__ a, int *out, int n) {
  const int end = out[0];
  for (int k = out[1]; k != end + n; k += 3)
    out[threadIdx.x] += a[k];
}
