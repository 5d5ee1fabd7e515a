// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks and grids that are equal in this build, by what another one has
// otherwise. Between them, near misses.
//
// RUN: %barricade --explain --rules=launch-fusion,grid-barrier %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

template <class T> struct Traits {
  static constexpr int N = 64;
};
template <class T> struct Plain {
  static constexpr int N = 64;
};
template <class T> constexpr int Width = 64;
constexpr int sizeFor(long) { return 64; }
#ifdef FAST
template <> struct Traits<float> {
  static constexpr int N = 128;
};
template <> constexpr int Width<float> = 128;
constexpr int sizeFor(int) { return 128; }
#endif

__global__ void inc(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}
__global__ void twice(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}

void specialised(float *x, int n) {
  inc<<<10, Traits<float>::N>>>(x, n);
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [block-size]
  twice<<<10, 64>>>(x, n);
}

void variable(float *x, int n) {
  inc<<<10, (Width<float>)>>>(x, n);
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [block-size]
  twice<<<10, 64>>>(x, n);
}

void overloaded(float *x, int n) {
  inc<<<10, sizeFor(1)>>>(x, n);
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [block-size]
  twice<<<10, 64>>>(x, n);
}

void byConstant(float *x, int n) {
  const int size = Traits<float>::N;
  inc<<<10, size>>>(x, n);
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [block-size]
  twice<<<10, 64>>>(x, n);
}

// The grids may differ: no more than that.
void grids(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync()
  inc<<<Traits<float>::N, 64>>>(x, n);
  twice<<<64, 64>>>(x, n);
}

// Whatever it is, it is the same for both; what threads touch is not known.
void alike(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync()
  inc<<<10, Traits<float>::N>>>(x, n);
  twice<<<10, Traits<float>::N>>>(x, n);
}

void plain(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  inc<<<10, Plain<float>::N>>>(x, n);
  twice<<<10, 64>>>(x, n);
}

void loop(float *x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    inc<<<10, Traits<float>::N>>>(x, n);
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [several-geometries]
    twice<<<10, 64>>>(x, n);
  }
}
