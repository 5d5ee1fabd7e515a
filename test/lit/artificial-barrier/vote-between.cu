// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops between a condition and the loop with the barrier whose headers not all
// threads of the block may run: those vote, so that only threads that passed
// the condition evaluate them.
//
// RUN: not %dry-run --min-memory-ratio=0 %s | FileCheck %s

__global__ void whileBetween(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n) {
    // CHECK: +  while (__syncthreads_or(staying = staying && (m-- > 0))) {
    while (m-- > 0) {
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
    }
  }
  out[threadIdx.x] = s;
}

// Only the threads that pass have the bound.
__global__ void boundUnderGuard(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    int m = n / 2;
    // CHECK: +  for (int j = 0; __syncthreads_or(staying = staying && (j < m)); staying ? (void)(++j) : (void)0) {
    for (int j = 0; j < m; ++j)
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

// Only the threads that pass change it.
__global__ void boundSetUnderGuard(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n) {
    ++m;
    // CHECK: +  for (int j = 0; __syncthreads_or(staying = staying && (j < m)); staying ? (void)(++j) : (void)0) {
    for (int j = 0; j < m; ++j)
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

// A thread that does not pass may have no memory there.
__global__ void boundInMemory(const float *a, float *out, int n, const int *m) {
  float s = 0;
  if (threadIdx.x < n) {
    // CHECK: +  for (int j = 0; __syncthreads_or(staying = staying && (j < m[3])); staying ? (void)(++j) : (void)0) {
    for (int j = 0; j < m[3]; ++j)
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

__global__ void boundCalled(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    // CHECK: +  staying ? (void)(j += max(1, n / 2)) : (void)0) {
    for (int j = 0; j < n; j += max(1, n / 2))
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

__global__ void skips(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n) {
    // CHECK: +  for (int j = 0; __syncthreads_or(staying = staying && (j < m)); staying ? (void)(++j) : (void)0) {
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
      if (s > 3)
        ++j;
    }
  }
  out[threadIdx.x] = s;
}

// The others' counter would be lost.
__global__ void counterOutside(const float *a, float *out, int n, int m) {
  float s = 0;
  int j = 7;
  if (threadIdx.x < n) {
    // CHECK: +  for (inside ? (void)(j = 0) : (void)0; __syncthreads_or(staying = staying && (j < m));
    for (j = 0; j < m; ++j)
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s + j;
}

// All threads may run this one, but for what it starts with: those that pass
// the outer condition alone still need it.
__global__ void counterBetween(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n) {
    int j = 7, k = 7;
    if (a[threadIdx.x] > 0)
      // CHECK: +  for (inside2 ? (void)(j = 0) : (void)0; __syncthreads_or(staying = staying && (j < m));
      for (j = 0; j < m; ++j)
        for (int l = 0; l < n; ++l)
          s += a[l * 64] * a[l];
    if (a[threadIdx.x] > 1)
      // CHECK: +  for (inside3 ? (void)(k = 0) : (void)0;
      for (k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
    out[threadIdx.x] = s + j + k;
  }
}

// Nothing after it needs the counter.
__global__ void ownCounter(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n) {
    if (a[threadIdx.x] > 0) {
      int j;
      // CHECK: +  for (j = 0; j < m; ++j) {
      for (j = 0; j < m; ++j)
        for (int l = 0; l < n; ++l)
          s += a[l * 64] * a[l];
    }
    out[threadIdx.x] = s;
  }
}
