// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations the threads of a block share out become rounds: one
// counter, the first thread's, tells for all threads when to stop.
//
// RUN: %rewrite-check %s %t.cu --min-instructions=0
// RUN: FileCheck --match-full-lines --strict-whitespace --input-file=%t.cu %s

__global__ void plain(const float *a, float *out, int n) {
  int tid = threadIdx.x;
  float s = 0;
  for (int i = tid; i < n; i += 64)
    s += a[i];
  out[tid] = s;
}
// CHECK:  for (int i = tid, [[L:leader[0-9]*]] = 0; [[L]] < n;
// CHECK-NEXT:       i += i < n ? 64 : 0, [[L]] += 64, __syncthreads()) if (i < n)
// CHECK-NEXT:    s += a[i];

// `int += unsigned` wraps around by definition: the others may then go on where
// the leader is done, and a vote finds out.
__global__ void unsignedStep(const float *a, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (a[i] < 0)
      continue;
    s += a[i];
  }
  out[threadIdx.x] = s;
}
// CHECK:  for (int i = threadIdx.x, [[L:leader[0-9]*]] = 0; [[L]] < n || __syncthreads_or(i < n);
// CHECK-NEXT:       i += i < n ? blockDim.x : 0, [[L]] += [[L]] < n ? blockDim.x : 0, __syncthreads()) if (i < n) {
// CHECK-NEXT:    if (a[i] < 0)
// CHECK-NEXT:      continue;
// CHECK-NEXT:    s += a[i];
// CHECK-NEXT:  }

__global__ void atMost(const float *a, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x * 2; n >= i; i = i + 128)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK:  for (int i = threadIdx.x * 2, [[L:leader[0-9]*]] = 0; n >= [[L]];
// CHECK-NEXT:       i += n >= i ? 128 : 0, [[L]] += 128, __syncthreads()) if (n >= i)

__global__ void notEqual(const float *a, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x; i != n; ++i)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK:  for (int i = threadIdx.x, [[L:leader[0-9]*]] = 0; [[L]] != n || __syncthreads_or(i != n);
// CHECK-NEXT:       i += i != n ? 1 : 0, [[L]] += [[L]] != n ? 1 : 0, __syncthreads()) if (i != n)

__global__ void down(const float *a, float *out, int n) {
  float s = 0;
  for (int i = n - 1 - (int)threadIdx.x; i >= 0; i -= (int)blockDim.x)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK:  for (int i = n - 1 - (int)threadIdx.x, [[L:leader[0-9]*]] = n - 1; [[L]] >= 0;
// CHECK-NEXT:       i -= i >= 0 ? (int)blockDim.x : 0, [[L]] -= (int)blockDim.x, __syncthreads()) if (i >= 0)

__global__ void gridStride(const float *a, float *out, int n) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  float s = 0;
  for (int i = gid; i < n; i += stride)
    s += a[i];
  out[gid] = s;
}
// CHECK:  for (int i = gid, [[L:leader[0-9]*]] = blockIdx.x * blockDim.x; [[L]] < n || __syncthreads_or(i < n);
// CHECK-NEXT:       i += i < n ? stride : 0, [[L]] += [[L]] < n ? stride : 0, __syncthreads()) if (i < n)

// What adds 0 stays where its type counts: `start + 0u` is unsigned.
__global__ void wide(const float *a, float *out, size_t n, int start) {
  float s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x)
    s += a[i];
  for (long long i = start + threadIdx.x; i < (long long)n; i += blockDim.x)
    s -= a[i];
  out[threadIdx.x] = s;
}
// CHECK:  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, [[L:leader[0-9]*]] = blockIdx.x * (size_t)blockDim.x; [[L]] < n || __syncthreads_or(i < n);
// CHECK-NEXT:       i += i < n ? (size_t)blockDim.x * gridDim.x : 0, [[L]] += [[L]] < n ? (size_t)blockDim.x * gridDim.x : 0, __syncthreads()) if (i < n)
// CHECK:  for (long long i = start + threadIdx.x, [[L:leader[0-9]*]] = start + 0u; [[L]] < (long long)n || __syncthreads_or(i < (long long)n);

__global__ void pointers(const float *a, float *out, int n) {
  const float *end = a + n;
  float s = 0;
  for (const float *p = a + threadIdx.x; p < end; p += blockDim.x)
    s += *p;
  for (const float *p = &a[threadIdx.x]; p < end; p += blockDim.x)
    s -= *p;
  out[threadIdx.x] = s;
}
// CHECK:  for (const float *p = a + threadIdx.x, *[[L:leader[0-9]*]] = a; [[L]] < end || __syncthreads_or(p < end);
// CHECK-NEXT:       p += p < end ? blockDim.x : 0, [[L]] += [[L]] < end ? blockDim.x : 0, __syncthreads()) if (p < end)
// CHECK:  for (const float *p = &a[threadIdx.x], *[[L:leader[0-9]*]] = a; [[L]] < end || __syncthreads_or(p < end);

// All of the increment belongs to the thread's own iterations.
__global__ void twoVariables(const float *a, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x, k = 0; i < n; i += 64, k++)
    s += a[i] * k;
  out[threadIdx.x] = s;
}
// CHECK:  for (int i = threadIdx.x, k = 0, [[L:leader[0-9]*]] = 0; [[L]] < n;
// CHECK-NEXT:       i < n ? (void)(i += 64, k++) : (void)0, [[L]] += 64, __syncthreads()) if (i < n)

__global__ void stepInBody(const float *a, float *out, int n) {
  int i = threadIdx.x;
  float s = 0;
  while (i < n && i < 1000) {
    s += a[i];
    i += blockDim.x;
  }
  for (unsigned k = threadIdx.x; k < (unsigned)n;) {
    s += a[k];
    ++k;
  }
  out[threadIdx.x] = s + i;
}
// CHECK:  for (int [[L:leader[0-9]*]] = 0; ([[L]] < n && [[L]] < 1000) || __syncthreads_or(i < n && i < 1000);
// CHECK-NEXT:       [[L]] += ([[L]] < n && [[L]] < 1000) ? blockDim.x : 0, __syncthreads()) if (i < n && i < 1000) {
// CHECK:  for (unsigned k = threadIdx.x, [[L:leader[0-9]*]] = 0; [[L]] < (unsigned)n || __syncthreads_or(k < (unsigned)n);
// CHECK-NEXT:       [[L]] += [[L]] < (unsigned)n ? 1 : 0, __syncthreads()) if (k < (unsigned)n) {

// The counter outlives the loop with each thread's own value.
__global__ void declaredOutside(const float *a, int *out, int n, int start) {
  float s = 0;
  int i;
  for (i = start + threadIdx.x; i < n; i += 2)
    s += a[i];
  out[threadIdx.x] = s + i;
}
// CHECK:  int [[L:leader[0-9]*]] = start;
// CHECK-NEXT:  for (i = start + threadIdx.x; [[L]] < n || __syncthreads_or(i < n);
// CHECK-NEXT:       i += i < n ? 2 : 0, [[L]] += [[L]] < n ? 2 : 0, __syncthreads()) if (i < n)

// Within a uniform loop, and in a block of two dimensions.
__global__ void nested(const float *a, float *out, int n, int m) {
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  float s = 0;
  for (int row = 0; row < m; ++row) {
    const float *line = a + row * n;
    for (int i = tid; i < n; i += 256)
      s += line[i];
  }
  out[tid] = s;
}
// CHECK:    for (int i = tid, [[L:leader[0-9]*]] = 0; [[L]] < n;
// CHECK-NEXT:         i += i < n ? 256 : 0, [[L]] += 256, __syncthreads()) if (i < n)

// One text for two types.
template <typename T, typename Index>
__global__ void pattern(const T *a, T *out, Index n) {
  T s = 0;
  for (Index i = threadIdx.x; i < n; i += blockDim.x)
    s += a[i];
  Index k = threadIdx.x;
  while (k < n) {
    s -= a[k];
    k += blockDim.x;
  }
  out[threadIdx.x] = s;
}
template __global__ void pattern(const float *, float *, unsigned);
template __global__ void pattern(const double *, double *, long);
// CHECK:  for (Index i = threadIdx.x, [[L:leader[0-9]*]] = 0; [[L]] < n || __syncthreads_or(i < n);
// CHECK:  for (decltype(k) [[L:leader[0-9]*]] = 0; [[L]] < n || __syncthreads_or(k < n);

#define TID threadIdx.x
#define STEP 64
__global__ void macros(const float *a, float *out, int n) {
  float s = 0;
  for (int i = TID; i < n; i += STEP)
    s += a[i];
  out[TID] = s;
}
// CHECK:  for (int i = TID, [[L:leader[0-9]*]] = 0; [[L]] < n;
// CHECK-NEXT:       i += i < n ? STEP : 0, [[L]] += STEP, __syncthreads()) if (i < n)

__global__ void unrolled(const float *a, float *out, int n) {
  const int tid = threadIdx.x;
  float s = 0;
#pragma unroll 4
  for (int i = tid; i < n; i += 64)
    s += a[i];
  out[tid] = s;
}
// CHECK:#pragma unroll 4
// CHECK-NEXT:  for (int i = tid, [[L:leader[0-9]*]] = 0; [[L]] < n;

// One counter for several loops, some of them where only some blocks come.
__global__ void reused(const float *a, float *out, int n, int m) {
  int tid = threadIdx.x, i;
  float s = 0;
  if (blockIdx.x < m) {
    i = tid;
    while (i < n) {
      s += a[i];
      i = i + 64;
    }
    i = tid + 1;
    s += 1;
    while (i < m) {
      s -= a[i];
      i = i + 64;
    }
    for (int k = tid; k < n; k += 64)
      s += a[k];
  }
  out[tid] = s;
}
// CHECK:    for (int [[L:leader[0-9]*]] = 0; [[L]] < n;
// CHECK:    for (int [[L:leader[0-9]*]] = 1; [[L]] < m;
// CHECK:    for (int k = tid, [[L:leader[0-9]*]] = 0; [[L]] < n;

using Floats = const float *;
__global__ void declarators(const float *a, float *out, const float *const *rows, int n) {
  const float *end = a + n;
  float s = 0;
  for (const float *__restrict__ p = a + threadIdx.x; p < end; p += blockDim.x)
    s += *p;
  for (Floats p = a + threadIdx.x; p < end; p += blockDim.x)
    s += *p;
  for (const float *const *row = rows + threadIdx.x; row < rows + n; row += blockDim.x)
    s += **row;
  for (auto i = threadIdx.x; i < n; i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK:  for (const float *__restrict__ p = a + threadIdx.x, *[[L:leader[0-9]*]] = a; [[L]] < end || __syncthreads_or(p < end);
// CHECK:  for (Floats p = a + threadIdx.x, [[L:leader[0-9]*]] = a; [[L]] < end || __syncthreads_or(p < end);
// CHECK:  const float *const *[[L:leader[0-9]*]] = rows;
// CHECK-NEXT:  for (const float *const *row = rows + threadIdx.x; [[L]] < rows + n || {{.*}}
// CHECK:  unsigned int [[L:leader[0-9]*]] = 0;
// CHECK-NEXT:  for (auto i = threadIdx.x; [[L]] < n || {{.*}}

#ifdef BARRICADE_EMULATED
#include "run_kernels.h"
int main() {
  for (int n : {0, 1, 33, 64, 150}) {
    RUN(plain, n);
    RUN(unsignedStep, n);
    RUN(atMost, n);
    RUN(notEqual, n + 64);
    RUN(down, n);
    RUN(gridStride, n);
    RUN(wide, n, 2);
    RUN(pointers, n);
    RUN(twoVariables, n);
    RUN(stepInBody, n);
    RUN(declaredOutside, n, 3);
    RUN(nested, n, 3);
    run("pattern", pattern<float, unsigned>, n);
    run("pattern", pattern<double, long>, n);
    RUN(macros, n);
    RUN(unrolled, n);
    RUN(reused, n, 5);
  }
}
#endif
