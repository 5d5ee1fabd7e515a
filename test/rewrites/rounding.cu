// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose products compilers contract with sums, each in a loop or a row
// of launches that becomes one: what is the same in all steps, what the launch
// gives as a number, and what one step leaves for the next must be rounded as
// in launches of their own.

#include <cuda_runtime.h>
#include <utility>

struct Rates {
  float step;
  double gravity;
};

__device__ float weighted(float value, float weight, float more) {
  return value + weight * more;
}

/// The same product of arguments for all threads.
__global__ void kick(float *v, const float *u, float dt, float g, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = u[n - 1 - i] + dt * g;
}

void kicks(float *a, float *b, float dt, float g, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    kick<<<(n + 63) / 64, 64>>>(a, b, dt, g, n);
    std::swap(a, b);
  }
}

/// One for each thread, and one that a function makes of arguments.
__global__ void place(double *v, const double *u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = u[n - 1 - i] + i * 0.1;
}

__global__ void weigh(float *v, const float *u, Rates rates, float w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = weighted(u[n - 1 - i], rates.step, w);
}

void places(double *a, double *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    place<<<(n + 63) / 64, 64>>>(a, b, n);
    std::swap(a, b);
  }
}

void weights(float *a, float *b, Rates rates, float w, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    weigh<<<(n + 63) / 64, 64>>>(a, b, rates, w, n);
    std::swap(a, b);
  }
}

/// A number makes one of two products go.
__global__ void blend(float *to, const float *a, const float *b, const float *c,
                      float w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = w * a[i] + b[i] * c[i];
}

void blends(float *x, float *y, const float *b, const float *c, int n,
            int steps) {
  for (int t = 0; t < steps; ++t) {
    blend<<<(n + 63) / 64, 64>>>(y, x, b, c, 1.0f, n);
    std::swap(x, y);
  }
}

/// So does a loop that a compiler unrolls.
__global__ void colour(float *to, const float *a, const float *b, int which,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = which * a[n - 1 - i] + b[i] * a[i];
}

void colours(float *x, float *y, const float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int which = 0; which < 2; ++which) {
      colour<<<(n + 63) / 64, 64>>>(y, x, b, which, n);
      std::swap(x, y);
    }
}

/// What a library's function makes is a product.
__global__ void decay(float *v, const float *u, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = u[n - 1 - i] + __expf(dt);
}

void decays(float *a, float *b, float dt, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    decay<<<(n + 63) / 64, 64>>>(a, b, dt, n);
    std::swap(a, b);
  }
}

/// One kernel leaves a product, the next one adds to it.
__global__ void scale(float *x, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= f;
}

__global__ void shift(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += by;
}

void scaleAndShift(float *x, float f, float by, int n) {
  scale<<<(n + 255) / 256, 256>>>(x, f, n);
  shift<<<(n + 255) / 256, 256>>>(x, by, n);
}
