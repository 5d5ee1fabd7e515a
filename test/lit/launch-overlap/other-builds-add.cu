// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another build has more by the names that a kernel uses: overloads,
// specialisations, and what hides them.
//
// RUN: %barricade --rules=launch-overlap --explain --profit=any %s -- nvcc -std=c++17 -arch=sm_90 > %t 2>&1
// RUN: FileCheck %s < %t

// CHECK: [[#@LINE+1]]:18: note: {{.*}}[other-version]
__device__ float twice(double x) { return x * 2; }
#ifdef FAST
__device__ float twice(float x) { return x + x; }
#endif
__global__ void overloads(float *a) { a[0] = twice(a[1]); }

// CHECK: [[#@LINE+1]]:40: note: {{.*}}[other-version]
template <typename T> __device__ float half(T x) { return x / 2; }
#ifdef FAST
template <> __device__ float half(float x);
#endif
__global__ void specialises(float *a) { a[0] = half(a[1]); }

// CHECK: [[#@LINE+1]]:30: note: {{.*}}[other-version]
template <typename T> struct Load {
  static __device__ T from(const T *p) { return *p; }
};
#ifdef FAST
template <> struct Load<float> {
  static __device__ float from(const float *p) { return __ldg(p); }
};
#endif
__global__ void byClass(float *a) { a[0] = Load<float>::from(a + 1); }

struct Pair {
  float x, y;
};
// CHECK: [[#@LINE+1]]:17: note: {{.*}}[other-version]
__device__ Pair operator+(Pair a, double b) { return {a.x + float(b), a.y}; }
#ifdef FAST
__device__ Pair operator+(Pair a, float b);
#endif
__global__ void byOperator(Pair *a) { a[0] = a[1] + 1.0f; }

// CHECK: [[#@LINE+1]]:18: note: {{.*}}[other-version]
__device__ float outer(float x) { return x; }
namespace inner {
#ifdef FAST
__device__ float outer(float x);
#endif
__global__ void hides(float *a) { a[0] = outer(a[1]); }
} // namespace inner

// CHECK: [[#@LINE+1]]:18: note: {{.*}}[other-version]
__device__ float parted(double x) { return x * 2; }
#ifdef FAST
__device__ inline
#ifdef WIDE
    double
#else
    float
#endif
    parted(float x);
#endif
__global__ void inParts(float *a) { a[0] = parted(a[1]); }

__global__ void overloaded(float *a, double b) { a[0] = b; }
#ifdef FAST
__global__ void overloaded(float *a, float b);
#endif

// What is left out uses the names, or has others, or is in a comment.
__device__ float plain(float x) { return x; }
__device__ Pair operator-(Pair a, float b) { return {a.x - b, a.y}; }
#ifdef DEBUG
// A float plain(double x) would be another one.
__device__ float checked(float x) {
  if (x > 0)
    x = plain(x) + x;
  return plain(x);
}
__device__ Pair operator*(Pair a, float b);
void debugs(float *a);
void debugs(float *a) { uses<<<1, 1>>>(a); }
__device__ float checkedTwice(float x) {
#ifdef TWICE
  plain(x);
#endif
  if (x > 0)
    plain(x);
  return x;
}
#define SHORT plain
#define LONG(x) plain(x)
#endif
#ifdef __CUDACC__
__device__ float compiled(double x) { return x; }
__device__ float compiled(int *x) { return *x; }
#endif
#if defined(__CUDACC__) || defined(__HIPCC__)
#define HD __host__ __device__
#else
#define HD
float both(float x);
#endif
HD inline float both(double x) { return x * 2; }
__global__ void uses(float *a) { a[0] = plain(compiled(both(a[1]))); }
__global__ void subtracts(Pair *a) { a[0] = a[1] - 1; }

void launches(float *a, Pair *b) {
  for (int i = 0; i < 3; ++i) {
    overloads<<<1, 1>>>(a);
    specialises<<<1, 1>>>(a);
    byClass<<<1, 1>>>(a);
    byOperator<<<1, 1>>>(b);
    inner::hides<<<1, 1>>>(a);
    inParts<<<1, 1>>>(a);
    // CHECK: [[#@LINE+1]]:5: note: {{.*}}[other-version]
    overloaded<<<1, 1>>>(a, 1.0f);
  }
}
void fine(float *a, Pair *b) {
  // CHECK: [[#@LINE+1]]:3: warning: 2 launches can begin
  for (int i = 0; i < 3; ++i) {
    uses<<<1, 1>>>(a);
    subtracts<<<1, 1>>>(b);
  }
}
