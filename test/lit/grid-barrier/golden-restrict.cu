// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps keep `__restrict__`. What nvcc sees only read through such a pointer it
// would load past the coherent caches, in the whole persistent kernel, were it
// not for barricade::coherent.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier
// RUN: FileCheck %s < %t.cu
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_90 -I%project/runtime -D_CG_LIMIT_INCLUDED_DEPENDENCIES -ptx %t.cu -o %t.ptx %}
// RUN: %if nvcc %{ FileCheck --check-prefix=PTX %s < %t.ptx %}
// RUN: %if nvcc %{ sed -n '/\.entry.*persistent/,/^}/p' %t.ptx > %t.persistent %}
// RUN: %if nvcc %{ FileCheck --check-prefix=PERSISTENT --implicit-check-not=ld.global.nc %s < %t.persistent %}
//
// The kernels take the read-only path, as before.
// PTX: ld.global.nc
// PERSISTENT-COUNT-13: .entry

#define RESTRICT __restrict__

// Written and read; written; read.
//
// CHECK:      void adam_step(const uint3 blockIdx,
// CHECK-NEXT: T *__restrict__ p,
// CHECK-NEXT: T *const RESTRICT m,
// CHECK-NEXT: const T *__restrict__ g,
// CHECK-NEXT: float beta, int n) {
// CHECK:      adam_step(blockIdx, barricade::coherent(p),
// CHECK-NEXT: barricade::coherent(m), barricade::coherent(g),
template <typename T>
__global__ void adam(T *__restrict__ p, T *const RESTRICT m,
                     const T *__restrict__ g, float beta, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  m[i] = beta * m[i] + (1 - beta) * g[i];
  p[i] -= m[i] / (1 + g[i] * g[i]);
}
void train(float *p, float *m, const float *g, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    adam<<<(n + 63) / 64, 64>>>(p, m, g, 0.9f, n);
}

// A loop that writes, but not for a radius of 0: nvcc sees that the launch has no
// other writes through `c`, and yet reads of it stay coherent.
//
// CHECK:      blur_step(blockIdx, a, barricade::coherent(b),
// CHECK-NEXT: barricade::coherent(c), n, 0);
__global__ void blur(const int *a, int *__restrict__ b, int *__restrict__ c,
                     int n, int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 1; r <= radius && i + r < n; ++r)
    c[i] += a[i + r];
  if (i < n)
    b[i] = a[i] + c[i];
}
__global__ void change(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[n - 1 - i] += i;
}
void smooth(int *a, int *b, int *c, int *d, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    blur<<<(n + 63) / 64, 64>>>(a, b, c, n, 0);
    change<<<(n + 63) / 64, 64>>>(d, n);
  }
}

// By what it calls, and by atomic operations.
//
// CHECK:      void counts_step(const uint3 blockIdx,
// CHECK-NEXT: int *__restrict__ bins,
// CHECK-NEXT: int *__restrict__ sum,
// CHECK-NEXT: const int *__restrict__ from,
// CHECK-NEXT: int n) {
__device__ void add(int *to, int by) { *to += by; }
__global__ void counts(int *__restrict__ bins, int *__restrict__ sum,
                       const int *__restrict__ from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&bins[from[i] % 8], 1);
  add(sum + i, from[i]);
}
void count(int *bins, int *sum, const int *from, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    counts<<<(n + 63) / 64, 64>>>(bins, sum, from, n);
}

// Some instance writes through the pointer, some only read.
//
// CHECK:      void maybe_step(const uint3 blockIdx,
// CHECK-NEXT: int *__restrict__ a,
// CHECK-NEXT: int *__restrict__ b, int n) {
// CHECK:      maybe_step<false>(blockIdx, barricade::coherent(b), barricade::coherent(a),
template <bool Writes>
__global__ void maybe(int *__restrict__ a, int *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if constexpr (Writes)
    a[i] += i;
  b[i] += a[i];
}
void some(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    maybe<true><<<(n + 63) / 64, 64>>>(a, b, n);
    maybe<false><<<(n + 63) / 64, 64>>>(b, a, n);
  }
}

// Its writes may be dead: no instance, and no launch, has them.
//
// CHECK:      void relax_step(const uint3 blockIdx,
// CHECK-NEXT: float *__restrict__ p,
// CHECK-NEXT: float *__restrict__ o, int n) {
template <bool Clear>
__global__ void relax(float *__restrict__ p, float *__restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  o[i] = 0.5f * (p[i] + p[(i + 1) % n]);
  if (Clear)
    p[i] = 0;
}
void relaxes(float *a, float *b, int n) {
  for (int t = 0; t < 7; ++t) {
    relax<false><<<4, 64>>>(a, b, n);
    relax<false><<<4, 64>>>(b, a, n);
  }
}

// CHECK:      void may_step(const uint3 blockIdx,
// CHECK-NEXT: int *__restrict__ a, int *b, bool more,
// CHECK-NEXT: int n) {
__global__ void may(int *__restrict__ a, int *b, bool more, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (more)
    a[i] = i;
  b[i] += a[i];
}
void reads(int *a, int *b, int *c, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    may<<<(n + 63) / 64, 64>>>(a, b, false, n);
    may<<<(n + 63) / 64, 64>>>(c, b, true, n);
  }
}

// A type has it.
//
// CHECK:      void named_step(const uint3 blockIdx, Own a,
// CHECK-NEXT: const int *__restrict__ b, int n) {
using Own = int *__restrict__;
__global__ void named(Own a, const int *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += b[n - 1 - i];
}
void names(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    named<<<(n + 63) / 64, 64>>>(a, b, n);
    named<<<(n + 63) / 64, 64>>>(b, a, n);
  }
}

// Functions, and a variable, with promises of their own.
//
// CHECK:      void calls_step(const uint3 blockIdx, int *a,
// CHECK-NEXT: int *b, bool more, int n) {
// CHECK:      calls_step(blockIdx, barricade::coherent(a), b, false, n);
// CHECK:      calls_step(blockIdx, barricade::coherent(b), a, false, n);
__device__ int get(const int *__restrict__ a) { return *a; }
__device__ int put(int *__restrict__ a, bool more) {
  return more ? *a = 1 : *a;
}
__global__ void calls(int *a, int *b, bool more, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *__restrict__ first = a;
  if (i < n)
    b[i] += get(a + i) + put(a + i, more) + *first;
}
void called(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    calls<<<(n + 63) / 64, 64>>>(a, b, false, n);
    calls<<<(n + 63) / 64, 64>>>(b, a, false, n);
  }
}

// Nothing is read through what is no pointer.
//
// CHECK:      extra_step(blockIdx, barricade::coherent(a), barricade::coherent(b),
// CHECK-NEXT: nullptr, 0, n);
// CHECK:      extra_step(blockIdx, barricade::coherent(b), barricade::coherent(a),
// CHECK-NEXT: 0, 0, n);
// CHECK:      extra_step(blockIdx, barricade::coherent(a), barricade::coherent(b),
// CHECK-NEXT: {}, 0, n);
__global__ void extra(const int *__restrict__ a, int *__restrict__ b,
                      int *__restrict__ c, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += a[n - 1 - i];
  if (i < m)
    c[i] += a[i];
}
void nulls(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    extra<<<(n + 63) / 64, 64>>>(a, b, nullptr, 0, n);
    extra<<<(n + 63) / 64, 64>>>(b, a, 0, 0, n);
    extra<<<(n + 63) / 64, 64>>>({a}, {b}, {}, {0}, n);
  }
}

// What a distance leads to is promised, too.
//
// CHECK:      far_step(blockIdx, barricade::coherent(a), barricade::coherent(b), c, n);
__global__ void far(const int *__restrict__ x, const int *y, int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long way = y - x;
  x += way;
  if (i < n)
    d[i] += x[n - 1 - i];
}
void fars(int *a, int *b, int *c, int *d, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    far<<<(n + 63) / 64, 64>>>(a, b, c, n);
    change<<<(n + 63) / 64, 64>>>(d, n);
  }
}

// CHECK:      further_step(blockIdx, barricade::coherent(a), barricade::coherent(b), c, n);
__global__ void further(const int *__restrict__ x, const int *y, int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] += *(x + (y - x) + (n - 1 - i)) +
            x[((size_t)y - (size_t)x) / 4];
}
void furthers(int *a, int *b, int *c, int *d, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    further<<<(n + 63) / 64, 64>>>(a, b, c, n);
    change<<<(n + 63) / 64, 64>>>(d, n);
  }
}

// Where nothing is promised, nothing is.
//
// CHECK:      near_step(blockIdx, a, b, n);
__global__ void near(const int *x, int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] += x[n - 1 - i] + int(d - x);
}
void nears(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    near<<<(n + 63) / 64, 64>>>(a, b, n);
}

// A block's memory, a thread's, none, and a pointer that goes on by itself.
//
// CHECK:      tile_step(blockIdx, barricade::coherent(a), b, n);
__device__ int sum(const int *__restrict__ a, const int *__restrict__ b,
                   const int *__restrict__ more) {
  int s = more ? more[0] : 0;
  for (int k = 0; k < 4; ++k)
    s += a[k] * b[k];
  return s;
}
__global__ void tile(const int *__restrict__ a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int all[64 + 4];
  int own[4] = {i, 1, 2, 3};
  a = a + 1;
  all[threadIdx.x] = a[i];
  __syncthreads();
  const int *__restrict__ next = all + threadIdx.x;
  a = &a[1];
  if (i < n)
    b[i] += sum(all, own, nullptr) + sum(own, a, all) + next[0];
}
void tiles(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    tile<<<(n + 63) / 64, 64>>>(a, b, n);
    change<<<(n + 63) / 64, 64>>>(a, n);
  }
}
