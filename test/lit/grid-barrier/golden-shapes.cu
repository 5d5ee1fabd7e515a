// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written for each form of loop.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier --barrier-scope=grid
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --barrier-scope=grid --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <utility>

// CHECK: {{^}}#include <barricade/gpu_sync.cuh>

__global__ void jacobi(const float *__restrict__ in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}

// The host's pointers live on: it swaps them as before.
//
// CHECK:      __device__ __forceinline__ void jacobi_step(const uint3 blockIdx,
// CHECK:      {{^}}/// The loop of solve() as one launch
// CHECK-NEXT: {{^}}static __global__ void solve_persistent(barricade::GridBarrier bar, int steps,
// CHECK-NEXT: {{^}}                                        float *a, float *b, int n) {
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    // Each value from the last ones.
// CHECK-NEXT: {{^}}    jacobi_step(blockIdx, barricade::coherent(a), b, n);
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
// CHECK-NEXT: {{^}}    barricade::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(solve_persistent, (n + 255) / 256, 256,
// CHECK-NEXT: {{^}}                                         0, 0, steps, a, b, n) == cudaSuccess) {
// CHECK-NEXT: {{^}}    for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}      std::swap(a, b);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  } else {
// CHECK-NEXT: {{^}}    for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}      // Each value from the last ones.
// CHECK-NEXT: {{^}}      jacobi<<<(n + 255) / 256, 256>>>(a, b, n);
// CHECK-NEXT: {{^}}      std::swap(a, b);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  return a;
float *solve(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    // Each value from the last ones.
    jacobi<<<(n + 255) / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
  return a;
}

template <int Sign>
__global__ void exchange(int *data, unsigned j, unsigned k) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
  if (other > i && (data[i] > data[other]) == ((i & k) == 0)) {
    int old = data[i];
    data[i] = Sign * data[other];
    data[other] = Sign * old;
  }
}

// Nothing lives on, and the loops have no braces.
//
// CHECK:      {{^}}/// The loop of sort() as one launch
// CHECK-NEXT: {{^}}static __global__ void sort_persistent(barricade::GridBarrier bar,
// CHECK-NEXT: {{^}}                                       unsigned int n, int *data) {
// CHECK-NEXT: {{^}}  for (unsigned k = 2; k <= n; k *= 2)
// CHECK-NEXT: {{^}}    for (unsigned j = k / 2; j > 0; j /= 2) {
// CHECK-NEXT: {{^}}      exchange_step<1>(blockIdx, data, j, k);
// CHECK-NEXT: {{^}}      __gpu_sync(bar);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}}
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(sort_persistent, n / 64, 64, 0, stream,
// CHECK-NEXT: {{^}}                                         n, data) != cudaSuccess) {
// CHECK-NEXT: {{^}}    for (unsigned k = 2; k <= n; k *= 2)
// CHECK-NEXT: {{^}}      for (unsigned j = k / 2; j > 0; j /= 2)
// CHECK-NEXT: {{^}}        exchange<1><<<n / 64, 64, 0, stream>>>(data, j, k);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
static void sort(int *data, unsigned n, cudaStream_t stream) {
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2)
      exchange<1><<<n / 64, 64, 0, stream>>>(data, j, k);
}

__global__ void move(int *from, int *to);

// Waits once, where the loop waited each time; the kernel comes later; no block
// around the loop.
//
// CHECK:      {{^}}__device__ __forceinline__ void move_step(int *from, int *to);
// CHECK:      {{^}}static __global__ void shuffle_persistent(
// CHECK:      {{^}}  do {
// CHECK-NEXT: {{^}}    move_step(a, b);
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
// CHECK-NEXT: {{^}}    int *old = a;
// CHECK:      {{^}}  } while (--left > 0);
// CHECK-NEXT: {{^}}}
// CHECK:      {{^}}  if (flag) {
// CHECK-NEXT: {{^}}    if (barricade::launch_persistent_exact(shuffle_persistent, 1, 32, 0, 0,
// CHECK-NEXT: {{^}}                                           left, a, b) == cudaSuccess) {
// CHECK-NEXT: {{^}}      cudaStreamSynchronize(0);
// CHECK-NEXT: {{^}}    } else {
// CHECK-NEXT: {{^}}      do {
// CHECK:      {{^}}      } while (--left > 0);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  else
void shuffle(int *a, int *b, bool flag, int left) {
  if (flag)
    do {
      move<<<1, 32>>>(a, b);
      cudaStreamSynchronize(0);
      int *old = a;
      a = b;
      b = old;
    } while (--left > 0);
  else
    cudaDeviceSynchronize();
}

__global__ void move(int *from, int *to) {
  to[threadIdx.x] = from[31 - threadIdx.x] + 1;
}

// Two loops of one function, and a kernel that is a step already for another.
//
// CHECK: __global__ void twice_persistent(
// CHECK: __global__ void twice_persistent2(
void twice(float *a, float *b, int n) {
  for (int t = 0; t < 4; ++t) {
    jacobi<<<n / 64, 64>>>(a, b, n);
    jacobi<<<n / 64, 64>>>(b, a, n);
  }
  int t = 0;
  while (t++ < n) {
    jacobi<<<n, 32>>>(a, b, n);
    jacobi<<<n, 32>>>(b, a, n);
  }
}

namespace waves {
__global__ void damp(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f; }
} // namespace waves

// A kernel of another namespace.
//
// CHECK: __global__ void dampen_persistent(
// CHECK: {{^}}    ::waves::damp_step(blockIdx, a);
void dampen(float *a, int steps) {
  for (int t = 0; t < steps; ++t)
    waves::damp<<<4, 64>>>(a);
}

// Among arguments a line may be continued: the blanks of the next mean nothing.
//
// CHECK: __global__ void continued_persistent(
// CHECK: {{^}}    ::waves::damp_step(blockIdx, a);
void continued(float *a, int steps) {
  for (int t = 0; t < steps; ++t)
    waves::damp<<<4, 64>>>( \
        a);
}

#ifdef BARRICADE_EMULATED
#include "run_kernels.h"
int main() {
  Buffer<float> a("a", 512), b("b", 512);
  float *last = solve(a, b, 500, 5);
  std::printf("%d\n", last == b);
  Buffer<int> numbers("numbers", 256), others("others", 32);
  sort(numbers, 256, 0);
  shuffle(numbers, others, true, 3);
  shuffle(numbers, others, false, 3);
  twice(a, b, 256);
  dampen(a, 3);
  continued(a, 2);
}
#endif
