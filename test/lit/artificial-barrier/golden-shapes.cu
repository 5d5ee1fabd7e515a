// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniform loops of every shape, and where their barrier goes.
//
// RUN: %rewrite-check %s %t.cu
// RUN: FileCheck --match-full-lines --strict-whitespace --input-file=%t.cu %s

__global__ void block(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}
// CHECK:__global__ void block(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int k = 0; k < n; ++k) {
// CHECK-NEXT:    s += a[k * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }

__global__ void statement(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x]; // The comment stays.
  out[threadIdx.x] = s;
}
// CHECK:__global__ void statement(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int k = 0; k < n; ++k) {
// CHECK-NEXT:    s += a[k * 64 + threadIdx.x]; // The comment stays.
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = s;

__global__ void oneLine(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 64 + threadIdx.x];
  for (int k = 0; k < n; ++k) { s += a[k * 32 + threadIdx.x]; }
  out[threadIdx.x] = s;
}
// CHECK:__global__ void oneLine(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int k = 0; k < n; ++k) { s += a[k * 64 + threadIdx.x]; __syncthreads(); }
// CHECK-NEXT:  for (int k = 0; k < n; ++k) { s += a[k * 32 + threadIdx.x]; __syncthreads(); }

__global__ void whileLoop(const float *a, float *out, int n) {
  float s = 0;
  while (n-- > 0)
    s += a[n * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK:__global__ void whileLoop(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  while (n-- > 0) {
// CHECK-NEXT:    s += a[n * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }

__global__ void doLoop(const float *a, float *out, int n) {
  float s = 0;
  do {
    s += a[n * 64 + threadIdx.x];
  } while (n-- > 0);
  do
    s += a[(n + 1) * 32 + threadIdx.x];
  while (++n < 9);
  out[threadIdx.x] = s;
}
// CHECK:__global__ void doLoop(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  do {
// CHECK-NEXT:    s += a[n * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  } while (n-- > 0);
// CHECK-NEXT:  do {
// CHECK-NEXT:    s += a[(n + 1) * 32 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  } while (++n < 9);

__constant__ int rows[3];
__global__ void rangeFor(const float *a, float *out) {
  float s = 0;
  for (int row : rows)
    s += a[row * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK:__global__ void rangeFor(const float *a, float *out) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int row : rows) {
// CHECK-NEXT:    s += a[row * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }

// The innermost loop gets the barrier, and its braces before the outer one's.
__global__ void nested(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < n; ++k)
      s += a[(j * n + k) * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK:__global__ void nested(const float *a, float *out, int n, int m) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int j = 0; j < m; ++j)
// CHECK-NEXT:    for (int k = 0; k < n; ++k) {
// CHECK-NEXT:      s += a[(j * n + k) * 64 + threadIdx.x];
// CHECK-NEXT:      __syncthreads();
// CHECK-NEXT:    }
// CHECK-NEXT:  out[threadIdx.x] = s;

// A `continue` comes to the increment, so that the barrier goes there.
__global__ void continues(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    if (a[k * 64 + threadIdx.x] < 0)
      continue;
    s += a[k * 64 + threadIdx.x];
  }
  for (int k = 0; k < n;) {
    ++k;
    if (s < 0)
      continue;
    s += a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}
// CHECK:__global__ void continues(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int k = 0; k < n; ++k, __syncthreads()) {
// CHECK:  for (int k = 0; k < n;{{ ?}}__syncthreads()) {

// The `else` belongs to the `if` in the body.
__global__ void danglingElse(const float *a, float *out, int n, int m) {
  float s = 0;
  if (m > 3)
    for (int k = 0; k < n; ++k)
      if (s < 9)
        s += a[k * 64 + threadIdx.x];
      else
        s -= a[k * 64 + threadIdx.x];
  else
    s = 1;
  out[threadIdx.x] = s;
}
// CHECK:__global__ void danglingElse(const float *a, float *out, int n, int m) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  if (m > 3)
// CHECK-NEXT:    for (int k = 0; k < n; ++k) {
// CHECK-NEXT:      if (s < 9)
// CHECK-NEXT:        s += a[k * 64 + threadIdx.x];
// CHECK-NEXT:      else
// CHECK-NEXT:        s -= a[k * 64 + threadIdx.x];
// CHECK-NEXT:      __syncthreads();
// CHECK-NEXT:    }
// CHECK-NEXT:  else
// CHECK-NEXT:    s = 1;

__global__ void tabs(const float *a, float *out, int n) {
	float s = 0;
	for (int k = 0; k < n; ++k)
		s += a[k * 64 + threadIdx.x];
	out[threadIdx.x] = s;
}
// CHECK:__global__ void tabs(const float *a, float *out, int n) {
// CHECK-NEXT:	float s = 0;
// CHECK-NEXT:	for (int k = 0; k < n; ++k) {
// CHECK-NEXT:		s += a[k * 64 + threadIdx.x];
// CHECK-NEXT:		__syncthreads();
// CHECK-NEXT:	}

__global__ void utf8(const float *a, float *größe, int n) {
  float s = 0; // Σ aₖ
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x]; /* Überlauf → ∞ */
  größe[threadIdx.x] = s;
}
// CHECK:  float s = 0; // Σ aₖ
// CHECK-NEXT:  for (int k = 0; k < n; ++k) {
// CHECK-NEXT:    s += a[k * 64 + threadIdx.x]; /* Überlauf → ∞ */
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }

// A macro in the body is no hindrance while the braces are the file's.
#define LOOP(k, n) for (int k = 0; k < (n); ++k)
#define AT(a, k) (a)[(k) * 64 + threadIdx.x]
__global__ void macros(const float *a, float *out, int n) {
  float s = 0;
  LOOP(k, n) {
    s += AT(a, k);
  }
  out[threadIdx.x] = s;
}
// CHECK:  LOOP(k, n) {
// CHECK-NEXT:    s += AT(a, k);
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }

// Two instantiations, one text.
template <typename T, bool Square>
__global__ void pattern(const T *a, T *out, int n) {
  T s = 0;
  for (int k = 0; k < n; ++k) {
    if constexpr (Square)
      s += a[k * 64 + threadIdx.x] * a[k * 64 + threadIdx.x];
    else
      s += a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}
template __global__ void pattern<float, true>(const float *, float *, int);
template __global__ void pattern<double, false>(const double *, double *, int);
// CHECK:__global__ void pattern(const T *a, T *out, int n) {
// CHECK-NEXT:  T s = 0;
// CHECK-NEXT:  for (int k = 0; k < n; ++k) {
// CHECK-NEXT:    if constexpr (Square)
// CHECK-NEXT:      s += a[k * 64 + threadIdx.x] * a[k * 64 + threadIdx.x];
// CHECK-NEXT:    else
// CHECK-NEXT:      s += a[k * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }

__device__ float called(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__global__ void callsUniformly(const float *a, float *out, int n, int m) {
  float s = 0;
  if (blockIdx.x < m)
    s = called(a, n);
  out[threadIdx.x] = s;
}
// CHECK:__device__ float called(const float *a, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int k = 0; k < n; ++k) {
// CHECK-NEXT:    s += a[k * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }

#ifdef BARRICADE_EMULATED
#include "run_kernels.h"
int main() {
  const int numbers[] = {4, 0, 7};
  cudaMemcpyToSymbol(rows, numbers, sizeof(numbers));
  for (int n : {0, 1, 5}) {
    RUN(block, n);
    RUN(statement, n);
    RUN(oneLine, n);
    RUN(whileLoop, n);
    RUN(doLoop, n);
    run("rangeFor", rangeFor);
    RUN(nested, n, 3);
    RUN(continues, n);
    RUN(danglingElse, n, 4);
    RUN(tabs, n);
    RUN(utf8, n);
    RUN(macros, n);
    run("pattern", pattern<float, true>, n);
    run("pattern", pattern<double, false>, n);
    RUN(callsUniformly, n, 1);
  }
}
#endif
