// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in device functions: who calls them, and who comes back.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck %s

__device__ float divergentCallee(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__global__ void callsSome(const float *a, float *out, int n) {
  if (threadIdx.x < 5)
    out[threadIdx.x] = divergentCallee(a, n);
  // CHECK: :[[#@LINE-1]]:24: note: {{.*}} [divergent-call]
}

__device__ float shortCircuit(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__global__ void callsInAnd(const float *a, float *out, int n) {
  bool b = threadIdx.x < 5 && shortCircuit(a, n) > 0;
  // CHECK: :[[#@LINE-1]]:31: note: {{.*}} [divergent-call]
  out[threadIdx.x] = b;
}

__device__ float inTernary(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__global__ void callsInTernary(const float *a, float *out, int n) {
  out[threadIdx.x] = threadIdx.x < 5 ? inTernary(a, n) : 0;
  // CHECK: :[[#@LINE-1]]:40: note: {{.*}} [divergent-call]
}

__device__ float inner(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__device__ float outer(const float *a, int n) { return inner(a, n); }
__global__ void callsThrough(const float *a, float *out, int n) {
  if (threadIdx.x < 5)
    out[threadIdx.x] = outer(a, n);
  // CHECK: :[[#@LINE-1]]:24: note: {{.*}} [divergent-call]
}

// One caller of two is enough.
__device__ float twoCallers(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__global__ void callsAlways(const float *a, float *out, int n) {
  out[threadIdx.x] = twoCallers(a, n);
}
__global__ void callsSometimes(const float *a, float *out, int n) {
  for (int j = 0; j < (int)threadIdx.x; ++j)
    out[threadIdx.x] = twoCallers(a, n);
  // CHECK: :[[#@LINE-1]]:24: note: {{.*}} [divergent-call]
}

__device__ float leavesEarly(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + threadIdx.x];
    if (s > 100)
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [divergent-return]
      return s;
  }
  return s;
}
__device__ float leavesBefore(const float *a, int n) {
  float s = 0;
  if (threadIdx.x > n)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [divergent-return]
    return s;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__global__ void callsLeavers(const float *a, float *out, int n) {
  out[threadIdx.x] = leavesEarly(a, n) + leavesBefore(a, n);
}

// No kernel in sight reaches it.
__device__ float notCalled(const float *a, int n) {
  // CHECK: :[[#@LINE-1]]:18: note: {{.*}} [unknown-callers]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}

__device__ float addressTaken(const float *a, int n) {
  // CHECK: :[[#@LINE-1]]:18: note: {{.*}} [unknown-callers]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__device__ float (*pointer)(const float *, int) = addressTaken;
__global__ void callsDirectly(const float *a, float *out, int n) {
  out[threadIdx.x] = addressTaken(a, n);
}

// What `this` points at may differ from thread to thread.
struct Walker {
  const float *a;
  __device__ float walk(int n) const {
    // CHECK: :[[#@LINE-1]]:20: note: {{.*}} [unknown-callers]
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + threadIdx.x];
    return s;
  }
};
__global__ void callsMethod(Walker w, float *out, int n) {
  out[threadIdx.x] = w.walk(n);
}

// The host has no __syncthreads().
__host__ __device__ float forBoth(const float *a, int n) {
  // CHECK: :[[#@LINE-1]]:27: note: {{.*}} [host-device-function]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  return s;
}
__global__ void callsForBoth(const float *a, float *out, int n) {
  out[threadIdx.x] = forBoth(a, n);
}

constexpr __host__ __device__ float constantToo(const float *a, int n) {
  // CHECK: :[[#@LINE-1]]:37: note: {{.*}} [host-device-function]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  return s;
}
__global__ void callsConstant(const float *a, float *out, int n) {
  out[threadIdx.x] = constantToo(a, n);
}

// Called by all threads here; but who calls its other callers cannot be seen.
__device__ float fromLambda(const float *a, int n) {
  // CHECK: :[[#@LINE-1]]:18: note: {{.*}} [unknown-callers]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__device__ float fromVirtual(const float *a, int n) {
  // CHECK: :[[#@LINE-1]]:18: note: {{.*}} [unknown-callers]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__device__ float fromPointer(const float *a, int n) {
  // CHECK: :[[#@LINE-1]]:18: note: {{.*}} [unknown-callers]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__device__ float fromFunctor(const float *a, int n) {
  // CHECK: :[[#@LINE-1]]:18: note: {{.*}} [unknown-callers]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__device__ float fromOperator(const float *a, int n) {
  // CHECK: :[[#@LINE-1]]:18: note: {{.*}} [unknown-callers]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__global__ void allOfThem(const float *a, float *out, int n) {
  out[threadIdx.x] = fromLambda(a, n) + fromVirtual(a, n) + fromPointer(a, n) +
                     fromFunctor(a, n) + fromOperator(a, n);
}
__global__ void callsByLambda(const float *a, float *out, int n) {
  auto some = [=] { return threadIdx.x < 3 ? fromLambda(a, n) : 0; };
  out[threadIdx.x] = some();
}
struct Shape {
  __device__ virtual float area(const float *a, int n) {
    return threadIdx.x < 3 ? fromVirtual(a, n) : 0;
  }
};
__device__ float throughPointer(const float *a, int n) {
  return fromPointer(a, n);
}
__global__ void callsByPointer(const float *a, float *out, int n) {
  float (*f)(const float *, int) = throughPointer;
  if (threadIdx.x < 3)
    out[threadIdx.x] = f(a, n);
}
// As a library's kernel would call it.
struct Functor {
  const float *a;
  __device__ float operator()(int n) const { return fromFunctor(a, n); }
};
struct Row {
  const float *a;
};
__device__ float operator+(Row row, int n) { return fromOperator(row.a, n); }

// A helper that nobody calls here is no caller.
__device__ float spared(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-1]]:3: warning: memory-bound for loop can take
    s += a[k * 64 + threadIdx.x];
  return s;
}
__device__ float unused(const float *a, int n) {
  return threadIdx.x < 3 ? spared(a, n) : 0;
}
__global__ void usesSpared(const float *a, float *out, int n) {
  out[threadIdx.x] = spared(a, n);
}

// CHECK: 19 findings in 1 file: {{.*}}17 refused
