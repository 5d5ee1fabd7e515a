// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations the threads of a block share out, in every spelling,
// over sizes below, at and above the block's, at the ends of their types, and
// with counters that wrap around. Prints what each thread has seen, in order;
// a rewrite must print the same.

#include "seen.h"
#include <climits>

__global__ void signedStep(const int *a, int *out, int n, int start) {
  int tid = threadIdx.x, s = 0;
  for (int i = start + tid; i < n; i += 64)
    s = mix(s, a, i);
  out[GID] = s;
}

__global__ void unsignedStep(const int *a, int *out, int n, int start) {
  int s = 0;
  for (int i = start + threadIdx.x; i < n; i += blockDim.x)
    s = mix(s, a, i);
  out[GID] = s;
}

__global__ void atMost(const int *a, int *out, int n, int start) {
  int s = 0, i = 0;
  for (i = threadIdx.x * 2; n + start >= i; i = i + 7) {
    if (a[(unsigned)i % Elements] % 3 == 0)
      continue;
    s = mix(s, a, i);
  }
  out[GID] = s + i;
}

__global__ void down(const int *a, int *out, int n, int start) {
  int s = 0;
  for (int i = n - 1 - (int)threadIdx.x; i >= start; i -= (int)blockDim.x)
    s = mix(s, a, i);
  out[GID] = s;
}

__global__ void downUnsigned(const int *a, int *out, int n, int start) {
  int s = 0;
  for (unsigned i = n + threadIdx.x; i >= 5 && i < 1000; i -= 5)
    s = mix(s, a, i + start);
  out[GID] = s;
}

__global__ void gridStride(const int *a, int *out, int n, int start) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x, s = 0;
  for (int i = gid; i < n - start; i += stride)
    s = mix(s, a, i);
  out[GID] = s;
}

__global__ void wide(const int *a, int *out, int n, int start) {
  int s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (size_t)n;
       i += (size_t)blockDim.x * gridDim.x)
    s = mix(s, a, i);
  for (long long i = start + (long long)threadIdx.x; i < n; i += blockDim.x)
    s = mix(s, a, i);
  out[GID] = s;
}

__global__ void pointers(const int *a, int *out, int n, int start) {
  const int *end = a + n % (Elements + 1);
  int s = start;
  for (const int *p = a + threadIdx.x; p < end; p += blockDim.x)
    s = mix(s, p, 0);
  for (const int *p = &a[threadIdx.x]; end > p; ++p)
    s = mix(s, p, 0);
  out[GID] = s;
}

__global__ void twoVariables(const int *a, int *out, int n, int start) {
  int s = 0;
  for (int i = threadIdx.x, k = start; i < n; i += 64, k++)
    s = mix(s, a, i + k);
  out[GID] = s;
}

__global__ void stepInBody(const int *a, int *out, int n, int start) {
  int i = threadIdx.x, s = start;
  while (i < n && i < 100) {
    s = mix(s, a, i);
    i += blockDim.x;
    s = mix(s, a, i);
  }
  for (unsigned k = threadIdx.x; k < (unsigned)n;) {
    s = mix(s, a, k);
    k += 5;
  }
  out[GID] = s + i;
}

__global__ void nested(const int *a, int *out, int n, int start) {
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  int s = start;
  for (int row = 0; row < 3; ++row)
    for (int i = tid; i < n - row; i += 50)
      s = mix(s, a, i + row);
  out[GID] = s;
}

__global__ void reused(const int *a, int *out, int n, int start) {
  int tid = threadIdx.x, i, s = start;
  i = tid;
  while (i < n) {
    s = mix(s, a, i);
    i = i + 64;
  }
  i = tid + 1;
  while (i <= n) {
    s = mix(s, a, i);
    i = i + 50;
  }
  out[GID] = s + i;
}

// The first thread is done before all others, or has nothing to do.
__global__ void leaderFirst(const int *a, int *out, int n, int start) {
  int s = 0;
  for (int i = n - (int)threadIdx.x; i < n; i += 3)
    s = mix(s, a, i + start);
  for (int i = threadIdx.x; i >= 0; i -= 10)
    s = mix(s, a, i + start);
  out[GID] = s;
}

// Small counters wrap around, and go on below their bounds.
__global__ void wrapsUnsigned(const int *a, int *out, int n, int start) {
  int s = 0;
  for (unsigned char i = start + threadIdx.x; i < n % 256; i += 7)
    s = mix(s, a, i);
  for (unsigned char i = threadIdx.x * 5; i != (unsigned char)n; i += 3)
    s = mix(s, a, i);
  for (unsigned char i = start - threadIdx.x; i > n % 256; i -= 11)
    s = mix(s, a, i);
  out[GID] = s;
}

__global__ void wrapsSigned(const int *a, int *out, int n, int start) {
  int s = 0;
  for (signed char i = start + 100 + threadIdx.x; i < n % 128; i += 11)
    s = mix(s, a, i);
  out[GID] = s;
}

// One step past the bound is the type's last value: no thread may take another.
__global__ void atTheEnd(const int *a, int *out, int n, int start) {
  int tid = threadIdx.x, s = 0;
  for (int i = INT_MAX - 64 - n + tid; i < INT_MAX - 63; i += 64)
    s = mix(s, a, i);
  for (long long i = LLONG_MAX - 64 - n + tid; i <= LLONG_MAX - 64; i += 64)
    s = mix(s, a, i);
  for (unsigned i = UINT_MAX - 64 - n + tid; i < UINT_MAX - 63; i += 64)
    s = mix(s, a, i);
  for (int i = INT_MIN + 63 + n - tid; i > INT_MIN + 63; i -= 64)
    s = mix(s, a, i + start);
  out[GID] = s;
}

template <typename T>
__global__ void pattern(const int *a, int *out, T n, T start) {
  int s = 0;
  for (T i = start + threadIdx.x; i < n; i += blockDim.x)
    s = mix(s, a, i);
  T k = threadIdx.x;
  while (k < n) {
    s = mix(s, a, k);
    k += 64;
  }
  out[GID] = s;
}
template __global__ void pattern(const int *, int *, short, short);

static void print(const char *name, Kernel kernel, const int *a) {
  printSeen(name, kernel, a, {1, 2}, {0, 1, 32, 64, 65, 130, 255}, {0, -7});
}

int main() {
  const int *a = deviceValues();
  print("signedStep", signedStep, a);
  print("unsignedStep", unsignedStep, a);
  print("atMost", atMost, a);
  print("down", down, a);
  print("downUnsigned", downUnsigned, a);
  print("gridStride", gridStride, a);
  print("wide", wide, a);
  print("pointers", pointers, a);
  print("twoVariables", twoVariables, a);
  print("stepInBody", stepInBody, a);
  print("nested", nested, a);
  print("reused", reused, a);
  print("leaderFirst", leaderFirst, a);
  print("wrapsUnsigned", wrapsUnsigned, a);
  print("wrapsSigned", wrapsSigned, a);
  print("atTheEnd", atTheEnd, a);
  print("pattern", pattern<int>, a);
  return 0;
}
