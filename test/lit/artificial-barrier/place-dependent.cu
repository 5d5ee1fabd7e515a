// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are others wherever they are written: for rounds, headers of loops are
// written once more for the leader. Votes ask once.
//
// RUN: %barricade --rules=artificial-barrier --min-instructions=0 --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s
// RUN: %rewrite-check %s %t.cu --min-instructions=0 --rules=artificial-barrier
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck --check-prefix=AFTER %s

#include <cstdio>

#define HERE __LINE__
#define SIXTY_FOUR 64
#define ARGUMENTS                                                              \
  const float *__restrict__ a, const int *__restrict__ c,                      \
      float *__restrict__ out, int n

//===--- Rounds -----------------------------------------------------------===//

__global__ void bound(ARGUMENTS) {
  float s = 0;
  for (int i = threadIdx.x; i < n + __COUNTER__; i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [place-dependent]

__global__ void line(ARGUMENTS) {
  float s = 0;
  for (int i = threadIdx.x; i < 0 * HERE + n; i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [place-dependent]

__global__ void step(ARGUMENTS) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64 + __COUNTER__)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [place-dependent]

__global__ void start(ARGUMENTS) {
  float s = 0;
  for (int i = threadIdx.x + __COUNTER__; i < n; i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [place-dependent]

__global__ void startBefore(ARGUMENTS) {
  float s = 0;
  const int first = threadIdx.x + __COUNTER__;
  for (int i = first; i < n; i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [place-dependent]

__global__ void sizeOfType(ARGUMENTS) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += sizeof(char[__LINE__]))
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [place-dependent]

__global__ void more(ARGUMENTS) {
  float s = 0;
  int k = 0;
  for (int i = threadIdx.x; i < n; i += 64, k += __LINE__)
    s += a[i];
  out[threadIdx.x] = s + k;
}
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [place-dependent]

// CHECK-NOT: [place-dependent]

// Names and other macros are the same everywhere, and the body is written once.
__global__ void named(ARGUMENTS) {
  float s = 0;
  const int end = n + __COUNTER__;
  for (int i = threadIdx.x; i < end; i += SIXTY_FOUR)
    s += a[i] * (1 + 0 * __COUNTER__);
  out[threadIdx.x] = s;
}
// AFTER: for (int i = threadIdx.x, leader = 0; leader < end;

//===--- Votes ------------------------------------------------------------===//

__global__ void votes(ARGUMENTS) {
  float s = 0;
  for (int k = threadIdx.x; k < c[threadIdx.x] + __COUNTER__; ++k)
    s += a[k];
  out[threadIdx.x] = s;
}
// AFTER: __syncthreads_or(active = active && (k < c[threadIdx.x] + __COUNTER__));

// A number stays where it is counted.
__global__ void hoists(ARGUMENTS) {
  if (threadIdx.x < 50) {
    out[threadIdx.x] = a[threadIdx.x] + __COUNTER__;
    int by = __COUNTER__;
    int twice = 2;
    float s = 0;
    for (int k = threadIdx.x; k < c[threadIdx.x] + by; ++k)
      s += a[k];
    out[threadIdx.x] += s * by * twice;
  }
}
// AFTER:      int by;
// AFTER-NEXT: if (inside) {
// AFTER-NEXT:   out[threadIdx.x] = a[threadIdx.x] + __COUNTER__;
// AFTER-NEXT:   by = __COUNTER__;
// AFTER-NEXT: }
// AFTER-NEXT: int twice = 2;

int main() {
  const int n = 300;
  float a[n], *da, *out, all[64], sum = 0;
  int c[n], *dc;
  for (int i = 0; i < n; ++i) {
    a[i] = i % 7;
    c[i] = i + i % 9;
  }
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&dc, sizeof c);
  cudaMalloc(&out, sizeof all);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
  const auto show = [&](const char *what) {
    cudaMemcpy(all, out, sizeof all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i)
      sum += all[i] * (1 + i % 5);
    std::printf("%s %g\n", what, sum);
  };
  named<<<1, 64>>>(da, dc, out, 200);
  show("named");
  votes<<<1, 64>>>(da, dc, out, 200);
  show("votes");
  hoists<<<1, 64>>>(da, dc, out, 200);
  show("hoists");
}
