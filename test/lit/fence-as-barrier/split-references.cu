// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose arguments are read through references: they can be made again
// only where all that the references are ever bound to is the host's own.
//
// RUN: %python %S/../Inputs/in_build.py %s > %t.cu
// RUN: %barricade --rules=fence-as-barrier --explain %t.cu -- -std=c++17 > %t.out 2>&1 || true
// RUN: FileCheck %s < %t.out
// RUN: FileCheck --check-prefix=CUT --implicit-check-not="can be cut" %s < %t.out
// RUN: %barricade --rules=fence-as-barrier --explain %s -- -std=c++17 > %t.out 2>&1 || true
// RUN: FileCheck --check-prefix=REGISTERS --implicit-check-not="can be cut" %s < %t.out
//
// REGISTERS: no-fix an argument of a launch cannot be evaluated again

#ifdef REGISTERS
void pin(int &n) { cudaHostRegister(&n, sizeof(n), 0); }
#endif

struct Sizes {
  int n;
};
struct Link {
  int &n;
};

// Bound to a variable of each caller, through another function, too.
//
static __global__ void ownVariable(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
static void launchOwn(int *a, int *b, const Sizes &sizes) {
  ownVariable<<<4, 64>>>(a, b, sizes.n);
}
static void launchOwnToo(int *a, int *b, const Sizes &sizes) {
  launchOwn(a, b, sizes);
}
void own(int *a, int *b, Sizes sizes) {
  launchOwn(a, b, {3});
  launchOwn(a, b, sizes);
  launchOwnToo(a, b, sizes);
  const Sizes &same = sizes;
  launchOwnToo(a, b, same);
}
// CUT: :[[#@LINE-19]]:24: warning: kernel can be cut in two at its fence

// One of the callers binds it to what a pointer leads to.
//
static __global__ void pointee(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
static void launchPointee(int *a, int *b, const Sizes &sizes) {
  pointee<<<4, 64>>>(a, b, sizes.n);
}
void pointees(int *a, int *b, Sizes sizes, Sizes *other) {
  launchPointee(a, b, sizes);
  launchPointee(a, b, *other);
}
// CHECK: :[[#@LINE-10]]:3: error: memory fence is used as a grid barrier
// CHECK: no-fix an argument of a launch cannot be evaluated again

// Anybody may call it.
//
static __global__ void external(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
void launchExternal(int *a, int *b, const Sizes &sizes) {
  external<<<4, 64>>>(a, b, sizes.n);
}
// CHECK: :[[#@LINE-6]]:3: error: memory fence is used as a grid barrier
// CHECK: no-fix an argument of a launch cannot be evaluated again

// By its address, too.
//
static __global__ void byAddress(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
static void launchByAddress(int *a, int *b, const Sizes &sizes) {
  byAddress<<<4, 64>>>(a, b, sizes.n);
}
void (*const launcher)(int *, int *, const Sizes &) = launchByAddress;
// CHECK: :[[#@LINE-7]]:3: error: memory fence is used as a grid barrier
// CHECK: no-fix an argument of a launch cannot be evaluated again

// An instance of a template calls it.
//
static __global__ void fromTemplate(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
static void launchFromTemplate(int *a, int *b, const Sizes &sizes) {
  fromTemplate<<<4, 64>>>(a, b, sizes.n);
}
template <class T> void callFromTemplate(int *a, int *b, T &sizes) {
  launchFromTemplate(a, b, sizes);
}
template void callFromTemplate(int *, int *, Sizes &);
// CHECK: :[[#@LINE-10]]:3: error: memory fence is used as a grid barrier
// CHECK: no-fix an argument of a launch cannot be evaluated again

// Names of parts of what a pointer leads to.
//
static __global__ void binding(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
void bindsParts(int *a, int *b, Sizes *sizes) {
  auto &[n] = *sizes;
  binding<<<4, 64>>>(a, b, n);
}
// CHECK: :[[#@LINE-7]]:3: error: memory fence is used as a grid barrier
// CHECK: no-fix an argument of a launch cannot be evaluated again

// A reference within the host's own.
//
static __global__ void member(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
void hasReference(int *a, int *b, Link link) {
  member<<<4, 64>>>(a, b, link.n);
}
// CHECK: :[[#@LINE-6]]:3: error: memory fence is used as a grid barrier
// CHECK: no-fix an argument of a launch cannot be evaluated again

// A copy of what a reference is bound to is the host's own.
//
static __global__ void copies(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
void copiesFirst(int *a, int *b, const Sizes &sizes) {
  const int n = sizes.n;
  copies<<<4, 64>>>(a, b, n);
}
// CUT: :[[#@LINE-10]]:24: warning: kernel can be cut in two at its fence
