// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in the text that cannot be edited.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

#define LOOP(n) for (int k = 0; k < (n); ++k)
#define ADD(s, x) (s) += (x)
#define SUM(s, a, n)                                                           \
  for (int k = 0; k < (n); ++k) {                                              \
    (s) += (a)[k * 64 + threadIdx.x];                                          \
  }
#define PASS(...) __VA_ARGS__

__global__ void wholeLoop(const float *a, float *out, int n) {
  float s = 0;
  SUM(s, a, n);
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [in-macro]
  out[threadIdx.x] = s;
}

__global__ void header(const float *a, float *out, int n) {
  float s = 0;
  LOOP(n)
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [in-macro]
  s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void endOfBody(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [in-macro]
    ADD(s, a[k * 64 + threadIdx.x]);
  out[threadIdx.x] = s;
}

__global__ void argument(const float *a, float *out, int n) {
  float s = 0;
  PASS(for (int k = 0; k < n; ++k) { s += a[k * 64 + threadIdx.x]; })
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: note: {{.*}} [in-macro]
  out[threadIdx.x] = s;
}

__global__ void continueInMacroHeader(const float *a, float *out, int n) {
  float s = 0;
  LOOP(n) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [in-macro]
    if (n % 5 == 3)
      continue;
    s += a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}

// A for loop has an increment to put the barrier into; these have none.
__global__ void continueInWhile(const float *a, float *out, int n) {
  float s = 0;
  int k = 0;
  while (k < n) {
    ++k;
    if (k % 5 == 3)
      continue;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [continue]
    s += a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}

__global__ void continueInDo(const float *a, float *out, int n) {
  float s = 0;
  int k = 0;
  do {
    if (k % 5 == 3)
      continue;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [continue]
    s += a[k * 64 + threadIdx.x];
  } while (++k < n);
  out[threadIdx.x] = s;
}

__global__ void continueInSwitch(const float *a, float *out, int n) {
  float s = 0;
  int k = 0;
  while (k < n) {
    ++k;
    switch (k) {
    case 3:
      continue;
      // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [continue]
    }
    s += a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}

__constant__ int rows[4];
__global__ void continueInRangeFor(const float *a, float *out, int n) {
  float s = 0;
  for (int k : rows) {
    if (k == n)
      continue;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [continue]
    s += a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}

// Braces would hold one branch of the directive only.
__global__ void directiveInBody(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
#ifdef SUBTRACT
    s -= a[k * 64 + threadIdx.x];
#else
    s += a[k * 64 + threadIdx.x];
  // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [preprocessor]
#endif
  out[threadIdx.x] = s;
}

// CHECK-NOT: to rewrite
