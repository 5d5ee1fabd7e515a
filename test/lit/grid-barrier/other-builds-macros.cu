// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A macro before a statement, or a function, may be something else in another
// build: what the lines behind it belong to. So may be a class around a
// function.
//
// RUN: %barricade --rules=grid-barrier,launch-replay,launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_90 -I%project/test/lit/Inputs 2>&1 | FileCheck --implicit-check-not=': warning:' %s

#include <cstdio>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] += 0.5f * (from[i - 1] + from[i + 1]);
}

#ifdef PROFILED
struct Scope {
  int left = 1;
};
#define TRACE(text) if (sizeof text > 1)
#define SECTION for (Scope scope; scope.left; --scope.left)
#define BEGIN { if (true)
#else
#define TRACE(text) puts(text);
#define SECTION puts("section");
#define BEGIN {
#endif
#define LOG(text) TRACE(text)

// CHECK:      :[[@LINE+5]]:3: note: {{.*}} [other-build]
// CHECK-NEXT: :[[@LINE+3]]:16: note: there, this goes on
// CHECK:      :[[@LINE+3]]:3: note: {{.*}} [other-build]
void traced(float *a, float *b, int n) {
  TRACE("relax")
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

// CHECK:      :[[@LINE+5]]:3: note: {{.*}} [other-build]
// CHECK:      :[[@LINE+4]]:3: note: {{.*}} [other-build]
void logged(float *a, float *b, int n) {
  n += 1;
  LOG("relax")
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

// CHECK:      :[[@LINE+4]]:3: note: {{.*}} [other-build]
// CHECK:      :[[@LINE+3]]:3: note: {{.*}} [other-build]
void inSection(float *a, float *b, int n) {
  SECTION
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

// CHECK:      :[[@LINE+3]]:3: note: {{.*}} [other-build]
void begun(float *a, float *b, int n) {
  BEGIN
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
  }
}

__global__ void add(float *to, int n) { to[blockIdx.x * blockDim.x + threadIdx.x] += n; }
__global__ void scale(float *to, int n) { to[blockIdx.x * blockDim.x + threadIdx.x] *= n; }
// CHECK:      :[[@LINE+3]]:3: note: {{.*}} [other-build]
void fused(float *a, int n) {
  TRACE("add")
  add<<<n / 64, 64>>>(a, n);
  scale<<<n / 64, 64>>>(a, n);
}

// Where the persistent kernel would stand; a graph has none.
#ifdef EXPORTED
#define MODULE(name) extern "C"
#else
#define MODULE(name) static const char *const module = #name;
#endif
MODULE(relaxation)
// CHECK:      :[[@LINE+4]]:3: note: {{.*}} [other-build]
// CHECK-NEXT: :[[@LINE-2]]:18: note: there, this goes on
// CHECK:      :[[@LINE+2]]:3: warning: launches in a loop can be made many
void ofModule(float *a, float *b, int n) {
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

// What it begins is not the function's alone.
#ifdef NAMED
#define BEGIN_NAMED namespace named {
#define END_NAMED }
#else
#define BEGIN_NAMED
#define END_NAMED
#endif
BEGIN_NAMED
// CHECK:      :[[@LINE+3]]:3: note: {{.*}} [other-build]
// CHECK:      :[[@LINE+2]]:3: warning: launches in a loop can be made many
void ofNamespace(float *a, float *b, int n) {
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}
END_NAMED

#ifdef AS_CLASS
struct Solver {
#endif
int other();
// CHECK:      :[[@LINE+4]]:3: note: {{.*}} [other-build]
// CHECK-NEXT: :[[@LINE-4]]:15: note: there, this goes on
// CHECK:      :[[@LINE+2]]:3: warning: launches in a loop can be made many
void member(float *a, float *b, int n) {
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}
#ifdef AS_CLASS
};
#endif

// What is declared would stand behind the label; a block of its own may not be
// jumped into.
#ifdef SAFE
#define REQUIRE(x) if (!(x)) goto fail
#else
#define REQUIRE(x) (void)0
#endif
// CHECK:      :[[@LINE+4]]:3: warning: for loop of kernel launches
// CHECK:      :[[@LINE+3]]:3: note: {{.*}} [other-build]
void requires_(float *a, float *b, int n) {
  REQUIRE(n > 0);
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
#ifdef SAFE
fail:
  b = a;
#endif
}

// CHECK:      :[[@LINE+8]]:3: warning: for loop of kernel launches
// CHECK:      :[[@LINE+7]]:3: note: {{.*}} [other-build]
void inSwitch(float *a, float *b, int n) {
#ifdef MODES
  switch (n % 2) {
  case 0:
    b = a;
#endif
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
#ifdef MODES
    break;
  default:
    a = b;
  }
#endif
}

//===--- What is the same, or ends by itself ------------------------------===//

#define ALWAYS(text) puts(text);
// CHECK:      :[[@LINE+3]]:3: warning: for loop of kernel launches
void traceAlways(float *a, float *b, int n) {
  ALWAYS("relax")
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

// CHECK:      :[[@LINE+3]]:3: warning: for loop of kernel launches
void tracedAtFirst(float *a, float *b, int n) {
  TRACE("relax");
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

#ifdef NAMED
namespace within {
#endif
#ifdef __cplusplus
extern "C" {
#endif
// CHECK:      :[[@LINE+2]]:3: warning: for loop of kernel launches
static inline void inNamespace(float *a, float *b, int n) {
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}
#ifdef __cplusplus
}
#endif
#ifdef NAMED
}
#endif

// CHECK:      :[[@LINE+9]]:3: warning: for loop of kernel launches
void behindSwitch(float *a, float *b, int n) {
#ifdef MODES
  switch (n % 2) {
  case 0:
    b = a;
  default:;
  }
#endif
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

