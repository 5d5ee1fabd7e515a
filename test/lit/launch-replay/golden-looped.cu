// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that go on by a number which the host reads back.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=TOLD %s

#include <cstdio>
#include <cstdlib>

#define LIMIT 1e-6

__global__ void expand(int *cost, int n, int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n && cost[i - 1] < cost[i]) {
    cost[i] = cost[i - 1];
    *found = 1;
  }
}
__global__ void mark(const int *cost, bool *more) {
  if (cost[threadIdx.x] > 3)
    *more = true;
}
__global__ void relax(float *to, const float *from, int n, float *residual) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = 0.5f * from[i];
  if (i == 0)
    *residual = to[i];
}

// TOLD: :[[@LINE+17]]:3: warning: launches in a loop that goes on by what the host reads back can be repeated by a graph
// TOLD: note: launches 1, copies 2,
// CHECK-LABEL: int search(
// CHECK-NEXT: {{^}}  int found, depth = 0;
// CHECK-NEXT: {{^}}  barricade::LoopedLaunches looped(
// CHECK-NEXT: {{^}}      barricade::while_read<int>(barricade::NotEqual(), 0));
// CHECK-NEXT: {{^}}  do {
// CHECK-NEXT: {{^}}    looped.next();
// CHECK-NEXT: {{^}}    found = 0;
// CHECK-NEXT: {{^}}    looped.memcpy(flag, &found, sizeof(int), cudaMemcpyHostToDevice);
// CHECK-NEXT: {{^}}    looped.launch(expand, (n + 255) / 256, 256, 0, nullptr, cost, n, flag);
// CHECK-NEXT: {{^}}    looped.memcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
// CHECK-NEXT: {{^}}    depth++;
// CHECK-NEXT: {{^}}  } while (found);
// CHECK-NEXT: {{^}}  return depth;
int search(int *cost, int n, int *flag) {
  int found, depth = 0;
  do {
    found = 0;
    cudaMemcpy(flag, &found, sizeof(int), cudaMemcpyHostToDevice);
    expand<<<(n + 255) / 256, 256>>>(cost, n, flag);
    cudaMemcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
    depth++;
  } while (found);
  return depth;
}

// Two kernels, a flag that a memset clears, and a wait.
// CHECK-LABEL: void marks(
// CHECK:      {{^}}  barricade::LoopedLaunches looped(
// CHECK-NEXT: {{^}}      barricade::while_read<bool>(barricade::NotEqual(), false));
// CHECK-NEXT: {{^}}  while (more) {
// CHECK-NEXT: {{^}}    looped.next();
// CHECK-NEXT: {{^}}    looped.memset(flag, 0, sizeof(bool));
// CHECK-NEXT: {{^}}    looped.launch(mark, 1, 256, 0, s, cost, flag);
// CHECK-NEXT: {{^}}    looped.launch(mark, blocks, threads, 0, s, cost, flag);
// CHECK-NEXT: {{^}}    looped.synchronize(s);
// CHECK-NEXT: {{^}}    looped.memcpy(&more, flag, sizeof(more), cudaMemcpyDeviceToHost);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
void marks(const int *cost, bool *flag, dim3 blocks, cudaStream_t s) {
  bool more = true;
  const int threads = 128;
  while (more) {
    cudaMemset(flag, 0, sizeof(bool));
    mark<<<1, 256, 0, s>>>(cost, flag);
    mark<<<blocks, threads, 0, s>>>(cost, flag);
    cudaStreamSynchronize(s);
    cudaMemcpy(&more, flag, sizeof(more), cudaMemcpyDeviceToHost);
  }
}

// At most so many times.
// CHECK-LABEL: float converge(
// CHECK:      {{^}}  barricade::LoopedLaunches looped(
// CHECK-NEXT: {{^}}      barricade::while_read<float>(barricade::Greater(), tolerance));
// CHECK-NEXT: {{^}}  while (residual > tolerance && i < most) {
// CHECK-NEXT: {{^}}    looped.next(i, most);
// CHECK-NEXT: {{^}}    looped.launch(relax, n / 256, 256, 0, nullptr, b, a, n, memory);
// CHECK-NEXT: {{^}}    looped.launch(relax, n / 256, 256, 0, nullptr, a, b, n, memory);
// CHECK-NEXT: {{^}}    looped.memcpy(&residual, memory, sizeof(float), cudaMemcpyDeviceToHost);
// CHECK-NEXT: {{^}}    ++i;
// CHECK-NEXT: {{^}}  }
float converge(float *a, float *b, int n, float *memory, float tolerance, int most) {
  float residual = 1;
  int i = 0;
  while (residual > tolerance && i < most) {
    relax<<<n / 256, 256>>>(b, a, n, memory);
    relax<<<n / 256, 256>>>(a, b, n, memory);
    cudaMemcpy(&residual, memory, sizeof(float), cudaMemcpyDeviceToHost);
    ++i;
  }
  return residual;
}

// Left within, with a number of the body's own.
// CHECK-LABEL: int leave(
// CHECK:      {{^}}  barricade::LoopedLaunches looped(
// CHECK-NEXT: {{^}}      barricade::until_read<float>(barricade::LessOrEqual(), LIMIT));
// CHECK-NEXT: {{^}}  for (int i = 0; i < most; ++i) { // one more
// CHECK-NEXT: {{^}}    looped.next(i, most);
// CHECK-NEXT: {{^}}    dim3 grid((n + 255) / 256);
// CHECK-NEXT: {{^}}    looped.launch(relax, grid, 256, 0, nullptr, b, a, n, memory);
// CHECK-NEXT: {{^}}    looped.memcpy(a, b, n * sizeof(float), cudaMemcpyDeviceToDevice);
// CHECK-NEXT: {{^}}    float now;
// CHECK-NEXT: {{^}}    looped.memcpy(&now, memory, sizeof now, cudaMemcpyDeviceToHost);
// CHECK-NEXT: {{^}}    if (LIMIT >= now) {
// CHECK-NEXT: {{^}}      last = i;
// CHECK-NEXT: {{^}}      break;
int leave(float *a, float *b, int n, float *memory, int most) {
  int last = most;
  for (int i = 0; i < most; ++i) { // one more
    dim3 grid((n + 255) / 256);
    relax<<<grid, 256>>>(b, a, n, memory);
    cudaMemcpy(a, b, n * sizeof(float), cudaMemcpyDeviceToDevice);
    float now;
    cudaMemcpy(&now, memory, sizeof now, cudaMemcpyDeviceToHost);
    if (LIMIT >= now) {
      last = i;
      break;
    }
  }
  return last;
}

// Without an end of its own, and a constant that is sent.
// CHECK-LABEL: unsigned all(
// CHECK:      {{^}}  barricade::LoopedLaunches looped(
// CHECK-NEXT: {{^}}      barricade::until_read<int>(barricade::Equal(), 0));
// CHECK-NEXT: {{^}}  for (;;) {
// CHECK-NEXT: {{^}}    looped.next();
// CHECK-NEXT: {{^}}    looped.memcpy(flag, &zero, sizeof(zero), cudaMemcpyHostToDevice);
// CHECK-NEXT: {{^}}    looped.launch(expand, 1, 256, 0, nullptr, cost, n, flag);
// CHECK-NEXT: {{^}}    looped.memcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
// CHECK-NEXT: {{^}}    if (found == 0)
// CHECK-NEXT: {{^}}      return found;
// CHECK-NEXT: {{^}}  }
unsigned all(int *cost, int n, int *flag) {
  int found = 0, zero = 0;
  for (;;) {
    cudaMemcpy(flag, &zero, sizeof(zero), cudaMemcpyHostToDevice);
    expand<<<1, 256>>>(cost, n, flag);
    cudaMemcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
    if (found == 0)
      return found;
  }
}

// Several ends, and a loop around.
// CHECK-LABEL: void ends(
// CHECK:      {{^}}  for (int source = 0; source < 3; ++source) {
// CHECK-NEXT: {{^}}    int found = 1;
// CHECK-NEXT: {{^}}    unsigned k = 0;
// CHECK-NEXT: {{^}}    barricade::LoopedLaunches looped(
// CHECK-NEXT: {{^}}        barricade::until_read<int>(barricade::Less(), n / 2));
// CHECK-NEXT: {{^}}    while (true) {
// CHECK-NEXT: {{^}}      looped.next(k, 100u);
// CHECK-NEXT: {{^}}      looped.launch(expand, 1, 256, 0, nullptr, cost + source, n, flag);
// CHECK-NEXT: {{^}}      looped.memcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
// CHECK-NEXT: {{^}}      if (found < n / 2 || !check)
// CHECK-NEXT: {{^}}        break;
// CHECK-NEXT: {{^}}      if (!(k <= 100u))
// CHECK-NEXT: {{^}}        break;
// CHECK-NEXT: {{^}}      k++;
void ends(int *cost, int n, int *flag, bool check) {
  for (int source = 0; source < 3; ++source) {
    int found = 1;
    unsigned k = 0;
    while (true) {
      expand<<<1, 256>>>(cost + source, n, flag);
      cudaMemcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
      if (found < n / 2 || !check)
        break;
      if (!(k <= 100u))
        break;
      k++;
    }
  }
}

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(error));        \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static void assertRight(cudaError_t code, int line) {
  if (code != cudaSuccess) {
    fprintf(stderr, "%d: %s\n", line, cudaGetErrorString(code));
    exit(code);
  }
}

// With checks: what is read back has been waited for.
// CHECK-LABEL: int checked(
// CHECK:      {{^}}  barricade::LoopedLaunches looped(
// CHECK-NEXT: {{^}}      barricade::while_read<int>(barricade::NotEqual(), 0));
// CHECK-NEXT: {{^}}  do {
// CHECK-NEXT: {{^}}    looped.next();
// CHECK-NEXT: {{^}}    found = 0;
// CHECK-NEXT: {{^}}    CHECK(looped.memcpy(flag, &found, sizeof(int), cudaMemcpyHostToDevice));
// CHECK-NEXT: {{^}}    looped.launch(expand, (n + 255) / 256, 256, 0, nullptr, cost, n, flag);
// CHECK-NEXT: {{^}}    CHECK(cudaGetLastError());
// CHECK-NEXT: {{^}}    assertRight(looped.memcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost),
// CHECK-NEXT: {{^}}                __LINE__);
// CHECK-NEXT: {{^}}    depth++;
// CHECK-NEXT: {{^}}  } while (found);
int checked(int *cost, int n, int *flag) {
  int found, depth = 0;
  do {
    found = 0;
    CHECK(cudaMemcpy(flag, &found, sizeof(int), cudaMemcpyHostToDevice));
    expand<<<(n + 255) / 256, 256>>>(cost, n, flag);
    CHECK(cudaGetLastError());
    assertRight(cudaMemcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost),
                __LINE__);
    depth++;
  } while (found);
  return depth;
}

// CHECK-LABEL: bool returns(
// CHECK:      {{^}}  while (true) {
// CHECK-NEXT: {{^}}    looped.next();
// CHECK-NEXT: {{^}}    if (looped.memset(flag, 0, sizeof(int)) != cudaSuccess)
// CHECK-NEXT: {{^}}      return false;
// CHECK-NEXT: {{^}}    looped.launch(expand, (n + 255) / 256, 256, 0, nullptr, cost, n, flag);
// CHECK-NEXT: {{^}}    cudaError_t error = cudaGetLastError();
// CHECK-NEXT: {{^}}    if (error != cudaSuccess)
// CHECK-NEXT: {{^}}      return false;
// CHECK-NEXT: {{^}}    error = looped.memcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
// CHECK-NEXT: {{^}}    if (error != cudaSuccess)
// CHECK-NEXT: {{^}}      return false;
bool returns(int *cost, int n, int *flag) {
  int found;
  while (true) {
    if (cudaMemset(flag, 0, sizeof(int)) != cudaSuccess)
      return false;
    expand<<<(n + 255) / 256, 256>>>(cost, n, flag);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
      return false;
    error = cudaMemcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
      return false;
    if (found == 0)
      return true;
  }
}

// Another build may have another type.
#ifdef FLOATS
typedef float Number;
#else
typedef int Number;
#endif
// CHECK-LABEL: Number named(
// CHECK:      {{^}}  barricade::LoopedLaunches looped(
// CHECK-NEXT: {{^}}      barricade::while_read<decltype(more)>(barricade::Greater(), 1));
Number named(int *cost, int n, Number *memory, int *flag) {
  Number more = 0;
  do {
    expand<<<1, 256>>>(cost, n, flag);
    cudaMemcpy(&more, memory, sizeof more, cudaMemcpyDeviceToHost);
  } while (more > 1);
  return more;
}
