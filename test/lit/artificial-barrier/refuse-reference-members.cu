// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a member leads to, which is no part of the object: by a reference,
// by a pointer to member, or a static one.
//
// RUN: %barricade --rules=artificial-barrier --explain --min-memory-ratio=0 --min-instructions=0 %s > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=not-verified %s < %t.out

struct Cells {
  int (&cell)[2];
};
struct Inner {
  int value;
};
struct Outer {
  Inner &inner;
  int own;
};
struct Shared {
  int value;
  static __device__ int flag;
};
__device__ int Shared::flag;

// CHECK: :[[#@LINE+4]]:3: remark: while loop cannot take
// CHECK: [spin-wait]
__global__ void pollsReference(const float *a, float *out, Cells p) {
  int i = 0;
  while (p.cell[i & 1] == 0 && threadIdx.x != 5)
    out[threadIdx.x] += a[i++];
  if (threadIdx.x == 5)
    p.cell[0] = p.cell[1] = 1;
}
// CHECK: :[[#@LINE+4]]:3: remark: while loop cannot take
// CHECK: [spin-wait]
__global__ void pollsNested(const float *a, float *out, Outer p) {
  int i = 0;
  while (p.inner.value == 0 && threadIdx.x != 5)
    out[threadIdx.x] += a[i++];
  if (threadIdx.x == 5)
    p.inner.value = 1;
}
// CHECK: :[[#@LINE+4]]:3: remark: while loop cannot take
// CHECK: [spin-wait]
__global__ void pollsByMember(const float *a, float *out, Inner *p, int Inner::*m) {
  int i = 0;
  while (p->*m == 0 && threadIdx.x != 5)
    out[threadIdx.x] += a[i++];
  if (threadIdx.x == 5)
    p->*m = 1;
}
// CHECK: :[[#@LINE+4]]:3: remark: while loop cannot take
// CHECK: [spin-wait]
__global__ void pollsStatic(const float *a, float *out, Shared p) {
  int i = 0;
  while (p.flag == 0 && threadIdx.x != 5)
    out[threadIdx.x] += a[i++];
  if (threadIdx.x == 5)
    p.flag = 1;
}
// CHECK: :[[#@LINE+4]]:3: warning: {{.*}}while loop can take
__global__ void looksAtOwn(const float *a, float *out, Outer p) {
  int i = 0;
  float s = 0;
  while (p.own == 0 && threadIdx.x != 5)
    s += a[i++];
  out[threadIdx.x] = s;
  p.own = 1;
}

// How often the loops run depends on the thread: they get a vote.
//
// CHECK: :[[#@LINE+2]]:3: warning: {{.*}}for loop can take
__global__ void writtenByReference(const float *a, float *out, const int *n, Outer p) {
  for (int k = 0; k < *n; ++k)
    out[threadIdx.x] += a[k * 64 + threadIdx.x], p.inner.value = k;
}
// CHECK: :[[#@LINE+2]]:3: warning: {{.*}}for loop can take
__global__ void uniformMember(const float *a, float *out, Outer p) {
  for (int k = 0; k < p.own; ++k)
    out[threadIdx.x] += a[k * 64 + threadIdx.x], p.inner.value = k;
}

// A bound that moves on with the counter never ends the loop.
//
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
// CHECK: [spin-wait]
__global__ void boundMoves(const float *a, float *out, int *f) {
  for (int i = 0, e = 1; i < e && f[i & 1] == 0 && threadIdx.x != 5; ++i, ++e)
    out[threadIdx.x] += a[i];
  if (threadIdx.x == 5)
    f[0] = f[1] = 1;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
// CHECK: [spin-wait]
__global__ void bodyMovesBound(const float *a, float *out, int *f) {
  for (int i = 0, e = 1; i < e; ++i) {
    out[threadIdx.x] += a[i];
    if (f[i & 1] == 0 && threadIdx.x != 5)
      ++e;
  }
  if (threadIdx.x == 5)
    f[0] = f[1] = 1;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
// CHECK: [spin-wait]
__global__ void boundFollows(const float *a, float *out, int *f) {
  for (int i = 0, e = 1; i < e; ++i) {
    out[threadIdx.x] += a[i];
    if (f[i & 1] == 0 && threadIdx.x != 5)
      e = i + 2;
  }
  if (threadIdx.x == 5)
    f[0] = f[1] = 1;
}
// CHECK: :[[#@LINE+2]]:3: warning: {{.*}}for loop can take
__global__ void boundStays(const float *a, float *out, int *f, int e) {
  for (int i = 0; i < e && f[i & 1] == 0 && threadIdx.x != 5; ++i)
    out[threadIdx.x] += a[i];
  if (threadIdx.x == 5)
    f[0] = f[1] = 1;
}
