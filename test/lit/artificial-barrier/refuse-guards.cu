// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that cannot be moved inside, beside those of golden-forms.test that
// can.
//
// RUN: %barricade --explain --min-memory-ratio=0 %s 2>&1 | FileCheck %s

__global__ void switchBetween(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n) {
    switch (m) {
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
    case 3:
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
    }
  }
  out[threadIdx.x] = s;
}

__global__ void continues(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n) {
    for (int j = 0; j < m; ++j) {
      if (m == 4)
        // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [guard-shape]
        continue;
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
    }
  }
  out[threadIdx.x] = s;
}

// `auto` would become an int, an enumeration cannot be one.
__global__ void deduced(const float *a, float *out, int n, unsigned char c) {
  float s = 0;
  if (threadIdx.x < n) {
    for (auto k = c; k > 3; ++k)
      // CHECK: :[[#@LINE-1]]:10: note: {{.*}} [guard-shape]
      s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

// Before the declaration, `s` is another variable.
__global__ void otherName(const float *a, float *out, int n) {
  float s = a[0];
  if (threadIdx.x < n) {
    out[n + threadIdx.x] = s;
    float s = a[threadIdx.x];
    // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
    out[threadIdx.x] = s;
  }
}

struct Pair {
  float first, second;
};
__global__ void bindings(const Pair *a, float *out, int n) {
  if (threadIdx.x < n) {
    auto [x, y] = a[threadIdx.x];
    // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += x * a[k].first * y;
    out[threadIdx.x] = s;
  }
}

__global__ void reference(const float *a, float *out, int n) {
  if (threadIdx.x < n) {
    float &s = out[threadIdx.x];
    // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
  }
}

// Another instantiation deduces another type.
template <typename T> __global__ void deducedType(const T *a, T *out, int n) {
  if (threadIdx.x < n) {
    auto s = a[threadIdx.x];
    // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
    out[threadIdx.x] = s;
  }
}
template __global__ void deducedType<float>(const float *, float *, int);

__global__ void withInitialiser(const float *a, float *out, int n) {
  float s = 0;
  if (int m = n + 1; threadIdx.x < m) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [guard-shape]
    for (int k = 0; k < m; ++k)
      s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

__global__ void directive(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [preprocessor]
#ifdef NEVER
    s = 1;
#endif
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

#define GUARD if (threadIdx.x < n) {
__global__ void inMacro(const float *a, float *out, int n) {
  float s = 0;
  GUARD
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [in-macro]
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

// A device function's thread that returns would be missed.
__device__ float returnsFirst(const float *a, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    s = 1;
  } else {
    if (n == 3)
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
      return 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
  }
  return s;
}
__global__ void callsReturning(const float *a, float *out, int n) {
  out[threadIdx.x] = returnsFirst(a, n);
}

// One thread and chosen warps stay alone; with `||` they are not alone.
__global__ void chosen(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x == 0 || threadIdx.x == 64) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [single-thread]
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
  }
  if (threadIdx.x == 0 || m == 3) {
    for (int k = 0; k < n; ++k)
      // CHECK: :[[#@LINE-1]]:5: warning: memory-bound
      s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

// Conditions with branches of their own belong to what they decide.
__device__ float leavesByEither(const float *a, int n) {
  float s = 0;
  if (n == 3 || threadIdx.x > 8)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [divergent-return]
    return 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  return s;
}
__global__ void callsLeaving(const float *a, float *out, int n) {
  out[threadIdx.x] = leavesByEither(a, n);
}
