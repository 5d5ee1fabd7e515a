// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another build defines macros that this one leaves out, declares by them, hides
// numbers, or has other ones, which choose code.
//
// RUN: %barricade --rules=launch-overlap --explain --profit=any %s -- nvcc -std=c++17 -arch=sm_90 > %t 2>&1
// RUN: FileCheck %s < %t

#define UNCHECKED(p) *(p)
#define WIDTH 32
#define SPECIALISED(name, type) template <> __device__ type name(type x)
#define NAMED(type, name) __device__ type name
#define CHECK_THAT(x) (void)(x)
#ifdef FAST
#define get() take(__ldg(p))
#define place __ldg(p)
#undef UNCHECKED
#define UNCHECKED(p) __ldg(p)
#undef WIDTH
#define WIDTH 64
#endif
#ifndef MODE
#define MODE 0
#endif
#ifndef __CUDACC__
#define __device__
#define __global__
#define float double
#endif

struct Value {
  float x;
  // CHECK: [[#@LINE+1]]:20: note: {{.*}}[other-version]
  __device__ float get() const { return x; }
};
__global__ void byMember(Value *p) { p[0].x = p[1].get(); }
// CHECK: [[#@LINE+1]]:17: note: {{.*}}[other-version]
__global__ void byParameter(float *p, int place) { p[0] = p[place]; }
// CHECK: [[#@LINE+1]]:17: note: {{.*}}[other-version]
__global__ void byRedefined(float *p) { p[0] = UNCHECKED(p + 1); }

// CHECK: [[#@LINE+1]]:40: note: {{.*}}[other-version]
template <typename T> __device__ float half(T x) { return x / 2; }
// CHECK: [[#@LINE+1]]:18: note: {{.*}}[other-version]
__device__ float twice(double x) { return x * 2; }
// CHECK: [[#@LINE+1]]:37: note: {{.*}}[other-version]
template <char...> __device__ float operator""_k() { return 2; }
__device__ float plain(float x) { return x; }
#ifdef FAST
SPECIALISED(half, float);
NAMED(float, twice)(float x);
__device__ float operator""_k(unsigned long long x);
inline __device__ void checks() { CHECK_THAT(plain(2)); }
#endif
__global__ void byMacro(float *p) { p[0] = half(p[1]); }
__global__ void byNamed(float *p) { p[0] = twice(p[1]); }
__global__ void byLiteral(float *p) { p[0] = 2_k; }

// CHECK: [[#@LINE+1]]:15: note: {{.*}}[other-version]
constexpr int Kind = 4;
namespace inner {
#ifdef FAST
enum { Other, Kind = 8 };
#endif
__device__ float chosen(const float *p) {
  if constexpr (Kind == 8)
    return p[1];
  return p[2];
}
__global__ void hides(float *p) { p[0] = chosen(p); }
} // namespace inner

template <int N> struct Load {
  static __device__ float from(const float *p) { return *p; }
};
template <int N> struct Tag {};
__device__ float load(const float *p, Tag<0>) { return *p; }
// CHECK: [[#@LINE+1]]:17: note: {{.*}}[other-version]
__global__ void byNumber(float *p) { p[0] = Load<MODE>::from(p + 1); }
// CHECK: [[#@LINE+1]]:17: note: {{.*}}[other-version]
__global__ void byTag(float *p) { p[0] = load(p + 1, Tag<MODE>()); }
// CHECK: [[#@LINE+1]]:15: note: {{.*}}[other-version]
constexpr int Mode = MODE;
__device__ float modal(const float *p) {
  if constexpr (Mode == 1)
    return p[1];
  return p[2];
}
__global__ void byConstant(float *p) { p[0] = modal(p); }
template <int N> __global__ void special(float *p) { p[0] = p[1]; }
template <> __global__ void special<1>(float *p) { p[0] = p[2]; }

template <int N> __device__ float times(float x) { return x * N; }
__global__ void uses(float *p) { p[0] = plain(times<3>(p[1])) * WIDTH; }
template <int N> __global__ void byArgument(float *p) { p[0] = p[1] * N; }

void launches(float *p, Value *v) {
  for (int i = 0; i < 3; ++i) {
    byMember<<<1, 1>>>(v);
    byParameter<<<1, 1>>>(p, i);
    byRedefined<<<1, 1>>>(p);
    byMacro<<<1, 1>>>(p);
    byNamed<<<1, 1>>>(p);
    byLiteral<<<1, 1>>>(p);
    inner::hides<<<1, 1>>>(p);
    byNumber<<<1, 1>>>(p);
    byTag<<<1, 1>>>(p);
    byConstant<<<1, 1>>>(p);
    // CHECK: [[#@LINE+1]]:5: note: {{.*}}[other-version]
    special<MODE><<<1, 1>>>(p);
  }
}
void fine(float *p) {
  // CHECK: [[#@LINE+1]]:3: warning: 2 launches can begin
  for (int i = 0; i < 3; ++i) {
    uses<<<1, 1>>>(p);
    byArgument<MODE><<<1, 1>>>(p);
  }
}
