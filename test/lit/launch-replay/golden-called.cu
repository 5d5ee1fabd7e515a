// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in functions that a loop calls: its object is open to them.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=TOLD %s

#include <cstdio>
#include <cstdlib>
#include <utility>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}
__global__ void scale(float *to, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] *= by;
}

#define ENSURE(call)                                                           \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      exit(1);                                                                 \
  } while (0)

static int blocksFor(int n) { return (n + 255) / 256; }

// CHECK-LABEL: static void relaxAll(
// CHECK-NEXT: {{^}}  const dim3 grid(blocksFor(n));
// CHECK-NEXT: {{^}}  barricade::launch(relax, grid, 256, 0, nullptr, to, from, n);
// CHECK-NEXT: {{^}}  ENSURE(cudaGetLastError());
static void relaxAll(float *to, const float *from, int n) {
  const dim3 grid(blocksFor(n));
  relax<<<grid, 256>>>(to, from, n);
  ENSURE(cudaGetLastError());
}

// CHECK-LABEL: void scaleAll(
// CHECK: {{^}}  barricade::launch(scale, blocksFor(n), 256, 0, s, a, by, n);
void scaleAll(float *a, float by, int n, cudaStream_t s) {
  scale<<<blocksFor(n), 256, 0, s>>>(a, by, n);
}

// TOLD: :[[@LINE+9]]:3: warning: launches in a loop, by functions that it calls, can be made many at a time by a graph
// CHECK-LABEL: void solve(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(steps, barricade::OfCallees());
// CHECK-NEXT: {{^}}  for (int step = 0; step < steps; ++step) {
// CHECK-NEXT: {{^}}    relaxAll(b, a, n);
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replay.flush();
void solve(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relaxAll(b, a, n);
    std::swap(a, b);
  }
  cudaDeviceSynchronize();
}

// What it launches itself comes in its order.
// CHECK-LABEL: void mixed(
// CHECK: {{^}}  barricade::ReplayedLaunches replay(steps, barricade::OfCallees());
// CHECK: {{^}}    relaxAll(b, a, n);
// CHECK-NEXT: {{^}}    replay.launch(scale, blocksFor(n), 256, 0, nullptr, b, 0.5f, n);
// CHECK-NEXT: {{^}}    scaleAll(b, 1.5f, n, nullptr);
void mixed(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relaxAll(b, a, n);
    scale<<<blocksFor(n), 256>>>(b, 0.5f, n);
    scaleAll(b, 1.5f, n, nullptr);
    std::swap(a, b);
  }
}

static void both(float *a, float *b, int n) {
  relaxAll(b, a, n);
  scaleAll(b, 0.99f, n, nullptr);
}
// In a branch that may do anything the object is not open.
// CHECK-LABEL: void pauses(
// CHECK: {{^}}  barricade::ReplayedLaunches replay(steps, barricade::OfCallees());
// CHECK: {{^}}    both(a, b, n);
// CHECK: {{^}}    if (step % 100 == 0) {
// CHECK-NEXT: {{^}}      barricade::ReplayPause pause(replay);
// CHECK-NEXT: {{^}}      both(b, a, n);
// CHECK: {{^}}    if (step % 70 == 0) {
// CHECK-NEXT: {{^}}      barricade::ReplayPause pause(replay);
// CHECK-NEXT: {{^}}      printf("%d\n", *managed);
// CHECK-NEXT: {{^}}    }
void pauses(float *a, float *b, int n, int steps, volatile int *managed) {
  for (int step = 0; step < steps; ++step) {
    both(a, b, n);
    std::swap(a, b);
    if (step % 100 == 0) {
      both(b, a, n);
      float first;
      cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
      printf("%g\n", first);
    }
    if (step % 70 == 0)
      printf("%d\n", *managed);
  }
}

// CHECK-LABEL: struct Solver {
// CHECK: {{^}}    barricade::launch(relax, blocksFor(n), 256, 0, nullptr, b, a, n);
// CHECK: {{^}}    barricade::ReplayedLaunches replay(steps, barricade::OfCallees());
namespace {
struct Solver {
  float *a, *b;
  int n;
  void step() {
    relax<<<blocksFor(n), 256>>>(b, a, n);
    std::swap(a, b);
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i)
      step();
  }
};
} // namespace

// CHECK-LABEL: void byLambda(
// CHECK: {{^}}    barricade::launch(relax, blocksFor(n), 256, 0, nullptr, b, a, n);
// CHECK: {{^}}  barricade::ReplayedLaunches replay(steps, barricade::OfCallees());
void byLambda(float *a, float *b, int n, int steps) {
  auto step = [&] {
    relax<<<blocksFor(n), 256>>>(b, a, n);
  };
  for (int i = 0; i < steps; ++i) {
    step();
    std::swap(a, b);
  }
}

// A loop of unknown count, that launches sometimes.
// CHECK-LABEL: int halves(
// CHECK: {{^}}  barricade::ReplayedLaunches replay{barricade::OfCallees()};
// CHECK: {{^}}    if (n % 3 == 0) {
// CHECK-NEXT: {{^}}      barricade::ReplayPause pause(replay);
static cudaError_t maybe(float *a, float *b, int n) {
  if (n % 2 == 0)
    return cudaSuccess;
  relax<<<blocksFor(n), 256>>>(b, a, n);
  return cudaGetLastError();
}
int halves(float *a, float *b, int n, int *managed) {
  for (; n > 1; n /= 2) {
    maybe(a, b, n);
    std::swap(a, b);
    relaxAll(b, a, n);
    if (n % 3 == 0)
      cudaMemcpy(managed, a, sizeof *managed, cudaMemcpyDeviceToHost);
  }
  return n;
}

// CHECK-LABEL: int main(
// CHECK-NOT: barricade::
int main() {
  const int n = 1000;
  float *a, *b;
  int *managed;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMallocManaged(&managed, sizeof(int));
  *managed = 7;
  float values[n];
  for (int i = 0; i < n; ++i)
    values[i] = float(i * i % 97);
  cudaMemcpy(a, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(b, values, sizeof values, cudaMemcpyHostToDevice);
  solve(a, b, n, 61);
  mixed(a, b, n, 40);
  pauses(a, b, n, 215, managed);
  Solver{a, b, n}.run(50);
  byLambda(a, b, n, 33);
  halves(a, b, n, managed);
  relaxAll(a, b, n);
  cudaMemcpy(values, a, sizeof values, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i] * (i % 13);
  printf("%.6g\n", sum);
}
