// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are others where macros are set otherwise: without the wait, or
// with loads that compilers may move before it.
//
// RUN: %barricade --rules=launch-overlap --edit-headers --explain %s -- nvcc -std=c++17 -arch=sm_90 -DBLOCK=32 -DEMPTY= 2>&1 | FileCheck %s

// What chooses among headers.
#ifdef TWO
#include "Inputs/second.h"
#else
#include "Inputs/first.h"
#endif
void choice(float *a) {
  chosen<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[other-version]
  chosen<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[other-version]
}

// What chooses among names.
namespace one {
__global__ void named(float *a) { a[threadIdx.x] += 1; }
} // namespace one
namespace two {
__global__ void named(float *a) { a[threadIdx.x] += 2; }
} // namespace two
#ifdef TWO
using two::named;
#else
using one::named;
#endif
void names(float *a) {
  named<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[other-version]
  named<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[other-version]
}
void qualified(float *a) {
  one::named<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: warning: 2 launches can begin
  one::named<<<1, 1>>>(a);
}

// What is in the kernel, or in what it uses.
__global__ void inside(float *a, const float *b) { // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
#ifdef TWO
  a[threadIdx.x] = __ldg(b + threadIdx.x);
#else
  a[threadIdx.x] = b[threadIdx.x];
#endif
}
#ifdef TWO
__device__ float load(const float *p) { return __ldg(p); }
#define LOAD(p) __ldg(p)
#define PROMISE __restrict__
typedef const float *__restrict__ In;
#else
__device__ float load(const float *p) { return *p; } // CHECK-DAG: [[@LINE]]:18: note: {{.*}}[other-version]
#define LOAD(p) *(p)
#define PROMISE
typedef const float *In; // CHECK-DAG: [[@LINE]]:22: note: {{.*}}[other-version]
#endif
#define NESTED(p) LOAD(p)
__global__ void calls(float *a, const float *b) { a[0] = load(b); }
__global__ void expands(float *a, const float *b) { a[0] = NESTED(b); } // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
__global__ void promises(float *a, const float *PROMISE b) { a[0] = b[0]; } // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
__global__ void takes(float *a, In b) { a[0] = b[0]; }
struct View { // CHECK-DAG: [[@LINE]]:8: note: {{.*}}[other-version]
#ifdef TWO
  const float *__restrict__ data;
#else
  const float *data;
#endif
};
__global__ void views(float *a, View b) { a[0] = b.data[0]; }
__global__ void defined(float *a, const float *EMPTY b) { a[0] = b[0]; } // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
void contents(float *a, const float *b, View v) {
  inside<<<1, 1>>>(a, b);
  calls<<<1, 1>>>(a, b);
  expands<<<1, 1>>>(a, b);
  promises<<<1, 1>>>(a, b);
  takes<<<1, 1>>>(a, b);
  views<<<1, 1>>>(a, v);
  defined<<<1, 1>>>(a, b);
}

// Other names for namespaces and types, enumerators, numbers that choose code.
namespace first {
__device__ float get(const float *p) { return *p; }
__global__ void opened(float *a) { a[0] = 1; }
__global__ void aliased(float *a) { a[0] = 1; }
} // namespace first
namespace second {
__device__ float get(const float *p) { return __ldg(p); }
__global__ void opened(float *a) { a[0] = 2; }
__global__ void aliased(float *a) { a[0] = 2; }
} // namespace second
#ifdef TWO
using namespace second;
namespace alias = second;
template <typename T> using AliasOf = const T *__restrict__;
enum { Fast = 1 };
#define BASE Cached
#define FAST 1
#define POINTER const float *__restrict__
#else
using namespace first;
namespace alias = first;
template <typename T> using AliasOf = const T *;
enum { Fast = 0 };
#define BASE Plain
#define FAST 0
#define POINTER const float *
#endif
#ifndef HELPER
#define HELPER(p) *(p)
#endif
struct Plain {
  static __device__ float get(const float *p) { return *p; }
};
struct Cached {
  static __device__ float get(const float *p) { return __ldg(p); }
};
struct Derived : BASE {};
__global__ void opens(float *a) { a[0] = get(a + 1); }
__global__ void renames(float *a) { a[0] = alias::get(a + 1); }
__global__ void takesAlias(float *a, AliasOf<float> b) { a[0] = b[0]; }
__global__ void derives(float *a, Derived) { a[0] = Derived::get(a + 1); }
template <typename T> __global__ void chooses(T *a) {
  if constexpr (Fast)
    a[0] = __ldg(a + 1);
}
template <typename T> __global__ void choosesByNumber(T *a) { // CHECK-DAG: [[@LINE]]:39: note: {{.*}}[other-version]
  if constexpr (FAST)
    a[0] = __ldg(a + 1);
}
template <bool IsFast> __global__ void told(float *a) {
  if constexpr (IsFast)
    a[0] = __ldg(a + 1);
}
template <int Count> __global__ void counts(float *a) { a[0] = Count; }
template <typename P> __global__ void takesAny(float *a, P b) { a[0] = b[0]; }
__global__ void helped(float *a) { a[0] = HELPER(a + 1); } // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
__global__ void includes(float *a) { // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
#include "Inputs/body.inc"
}
// What is copied may be of another class.
void otherBase(float *a, Derived d) {
  includes<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[other-build]
  derives<<<1, 1>>>(a, d);
}
void otherNames(float *a) {
  includes<<<1, 1>>>(a);
  opened<<<1, 1>>>(a);           // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[other-version]
  alias::aliased<<<1, 1>>>(a);   // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[other-version]
  opens<<<1, 1>>>(a);            // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  renames<<<1, 1>>>(a);          // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  takesAlias<<<1, 1>>>(a, a);    // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  chooses<float><<<1, 1>>>(a);   // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  choosesByNumber<float><<<1, 1>>>(a);
  told<FAST><<<1, 1>>>(a);       // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[other-version]
  helped<<<1, 1>>>(a);
}
void otherTypes(float *a) {
  takesAny<POINTER><<<1, 1>>>(a, a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[other-build]
  takesAny<POINTER><<<1, 1>>>(a, a);
}
void otherNumbers(float *a) {
  counts<FAST><<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: warning: 2 launches can begin
  counts<FAST><<<1, 1>>>(a);
}

// Numbers that choose among functions, by their types or as sizes.
#ifndef ONE
#define ONE 1
#endif
__device__ float either(const float *p, int) { return *p; }
__device__ float either(const float *p, float) { return __ldg(p); }
__device__ float sized(const float *p, int (&)[1]) { return *p; }
__device__ float sized(const float *p, int (&)[2]) { return __ldg(p); }
template <typename T> __device__ float deduced(const float *p, T) { return *p; }
template <> __device__ float deduced(const float *p, float) { return __ldg(p); }
struct Chosen {
  float value;
  __device__ Chosen(const float *p, int) : value(*p) {}
  __device__ Chosen(const float *p, float) : value(__ldg(p)) {}
};
template <typename T> __device__ float unchosen(const float *p, T) { return *p; }
__global__ void byType(float *a) { a[0] = either(a + 1, ONE); }          // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
__global__ void byVariable(float *a) { auto n = ONE; a[0] = either(a + 1, n); } // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
__global__ void bySize(float *a) { int n[ONE]; a[0] = sized(a + 1, n); } // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
__global__ void byDeduction(float *a) { a[0] = deduced(a + 1, ONE); }    // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
__global__ void byConstructor(float *a) { a[0] = Chosen(a + 1, ONE).value; } // CHECK-DAG: [[@LINE]]:17: note: {{.*}}[other-version]
template <typename T> __global__ void inTemplate(T *a) { a[0] = either(a + 1, ONE); } // CHECK-DAG: [[@LINE]]:39: note: {{.*}}[other-version]
__global__ void byNone(float *a) { a[0] = unchosen(a + 1, ONE); }
void numbersThatChoose(float *a) {
  byType<<<1, 1>>>(a);
  byVariable<<<1, 1>>>(a);
  bySize<<<1, 1>>>(a);
  byDeduction<<<1, 1>>>(a);
  byConstructor<<<1, 1>>>(a);
  inTemplate<<<1, 1>>>(a);
}
void numbersThatDoNot(float *a) {
  byNone<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: warning: 2 launches can begin
  byNone<<<1, 1>>>(a);
}

// Code that another build leaves out, and numbers, are no others.
__global__ void counted(float *a) {
#ifndef TWO
  a[1] = 2;
#endif
  a[threadIdx.x % BLOCK] += 1;
}
void numbers(float *a) {
  counted<<<1, BLOCK>>>(a); // CHECK-DAG: [[@LINE]]:3: warning: 2 launches can begin
  counted<<<1, BLOCK>>>(a);
}

// Kernels of a header, of which the linker takes any unit's.
#define GIVEN
#include "Inputs/shared.h"
void shared(float *a, const float *b) {
  optional<float><<<1, 1>>>(a, b); // CHECK-DAG: shared.h:6:{{.*}}[other-version]
  given<float><<<1, 1>>>(a, b);    // CHECK-DAG: shared.h:9:{{.*}}[other-version]
}
void alone(float *a, const float *b) {
  fixed<float><<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: warning: 2 launches can begin
  own<<<1, 1>>>(a, b);
}

// One that the linker may replace.
__attribute__((weak)) __global__ void weak(float *a) { a[0] = 1; } // CHECK-DAG: [[@LINE]]:39: note: {{.*}}[other-version]
__attribute__((weak)) __device__ float value() { return 1; }       // CHECK-DAG: [[@LINE]]:40: note: {{.*}}[other-version]
__global__ void values(float *a) { a[0] = value(); }
void replaced(float *a) {
  weak<<<1, 1>>>(a);
  values<<<1, 1>>>(a);
}

// No header can be included there.
namespace around {
#include "Inputs/within.inc" // CHECK-DAG: within.inc:1:{{.*}}[included-within]
}
void included(float *a) {
  around::within<<<1, 1>>>(a);
  around::within<<<1, 1>>>(a);
}
