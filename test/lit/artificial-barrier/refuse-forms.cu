// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergent loops that no form covers.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck %s

__global__ void conditionVariable(const float *a, float *out, int n) {
  float s = 0;
  int k = threadIdx.x;
  while (int left = n - k) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [loop-shape]
    s += a[k++ * 64] * left;
  }
  out[threadIdx.x] = s;
}

__global__ void caseLabel(const float *a, float *out, int n, int m) {
  float s = 0;
  switch (m) {
  case 1:
    for (int k = threadIdx.x; k < n; k += 1 + (a[k] > 0))
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [loop-shape]
      s += a[k] * a[k + m];
  }
  out[threadIdx.x] = s;
}

#define UNLESS_SMALL(n) if (n > 4)
__global__ void ownerInMacro(const float *a, float *out, int n, int m) {
  float s = 0;
  UNLESS_SMALL(n)
    for (int k = threadIdx.x; k < n; k += 1 + (a[k] > 0))
      s += a[k] * a[k + m];
  // CHECK: :[[#@LINE-3]]:3: note: {{.*}} [in-macro]
  out[threadIdx.x] = s;
}

__global__ void directiveInBody(const float *a, float *out, int n, int m) {
  float s = 0;
  if (n > m)
#ifndef UNUSED
    for (int k = threadIdx.x; k < n; k += 1 + (a[k] > 0))
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [preprocessor]
      s += a[k] * a[k + m];
#endif
  out[threadIdx.x] = s;
}

__global__ void label(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    if (s > m)
      goto next;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [loop-shape]
    s += a[k] * a[k + m];
  next:
    s += 1;
  }
  out[threadIdx.x] = s;
}

// Every thread must stay until the last is done.
__global__ void returns(const float *a, float *out, int n) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    s += a[k];
    if (s < 0)
      return;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [early-exit]
  }
  out[threadIdx.x] = s;
}

__global__ void uniformReturn(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    s += a[k];
    if (m == 3)
      return;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [{{early-exit|return-in-loop}}]
  }
  out[threadIdx.x] = s;
}

__global__ void guardVariable(const float *a, float *out, int n) {
  float s = 0;
  if (int m = threadIdx.x) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [guard-shape]
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k + m];
  }
  out[threadIdx.x] = s;
}

__global__ void guardWithArray(const float *a, float *out, int n) {
  if (threadIdx.x < n) {
    float s[2] = {a[threadIdx.x], 0};
    // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
    for (int k = 0; k < n; ++k)
      s[k & 1] += a[k * 64] * a[k];
    out[threadIdx.x] = s[0] + s[1];
  }
}

__global__ void jumpBeforeLoop(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int j = 0; j < m; ++j) {
    if (threadIdx.x < n) {
      if (a[threadIdx.x] < 0)
        // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [guard-shape]
        continue;
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
    }
  }
  out[threadIdx.x] = s;
}

__global__ void elseIf(const float *a, float *out, int n) {
  float s = 0;
  if (n == 3)
    s = 1;
  else if (threadIdx.x < n) {
    // CHECK: :[[#@LINE-1]]:8: note: {{.*}} [guard-shape]
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}
