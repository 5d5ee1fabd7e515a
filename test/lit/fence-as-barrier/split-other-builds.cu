// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and launches of which another build has something else: neither half
// would have it, or both.
//
// RUN: %barricade --rules=fence-as-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 > %t.out 2>&1 || true
// RUN: FileCheck --implicit-check-not='cut in two' %s < %t.out

#ifdef TRACE
#define KEEP(name, value) float name = value
#define PLUS(name) +name
#define NEXT(i) (i)++
#define STOP(c) if (c) return
#define CHUNK(p, n) ((p) += (n))
#define MAYBE(c) if (c)
#else
#define KEEP(name, value)
#define PLUS(name)
#define NEXT(i) (i)
#define STOP(c) (void)(c)
#define CHUNK(p, n) ((p) + (n))
#define MAYBE(c)
#endif

// CHECK: :[[@LINE+5]]:3: note: {{.*}}no-fix another build, where macros are set otherwise, may have something else in the kernel
static __global__ void keeps(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  KEEP(own, a[i]);
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] PLUS(own);
}
// CHECK: :[[@LINE+4]]:3: note: {{.*}}something else in the kernel
static __global__ void moves(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[NEXT(i)] = 3;
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK: :[[@LINE+5]]:3: note: {{.*}}something else in the kernel
static __global__ void stops(float *a, float *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = 4;
  STOP(i + 1 >= n);
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK: :[[@LINE+4]]:3: note: {{.*}}something else in a launch, or before it
static __global__ void isChunked(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = 3;
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK: :[[@LINE+4]]:3: note: {{.*}}something else in a launch, or before it
static __global__ void isOptional(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = 3;
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK: :[[@LINE+4]]:3: note: {{.*}}something else in a launch, or before it
static __global__ void isConditional(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = 3;
  __threadfence();
  b[i] = a[i + 1];
}

void all(float *a, float *b, int n) {
  keeps<<<8, 64>>>(a, b);
  moves<<<8, 64>>>(a, b);
  stops<<<8, 64>>>(a, b, n);
  isChunked<<<8, 64>>>(CHUNK(a, 1), b);
  MAYBE(n > 64)
  isOptional<<<8, 64>>>(a, b);
#ifdef TRACE
  if (n > 64)
#endif
  isConditional<<<8, 64>>>(a, b);
#ifdef TRACE
  else
    a[0] = 1;
#endif
}
