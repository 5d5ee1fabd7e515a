// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of launches that go on by a number which the host reads back.

#include "relaunch_check.h"

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));      \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

static void ask(cudaError_t error, int line) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%d: %s\n", line, cudaGetErrorString(error));
    std::exit(1);
  }
}

// What it leaves depends on what other blocks have left before.
__global__ void add(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = (to[i] * 3 + from[n - 1 - i] + 1) & 0xffff;
}
__global__ void more(int *left, bool *flag) {
  if (threadIdx.x == 0 && --*left > 0)
    *flag = true;
}
__global__ void lessen(float *residual) {
  if (threadIdx.x == 0)
    *residual *= 0.75f;
}
__global__ void count(unsigned *left) {
  if (threadIdx.x == 0)
    --*left;
}

static void addOnHost(Values &to, const Values &from) {
  const size_t n = to.size();
  for (size_t i = 0; i < n; ++i)
    to[i] = (to[i] * 3 + from[n - 1 - i] + 1) & 0xffff;
}
static void turn(Values &a, Values &b) {
  addOnHost(a, b);
  addOnHost(b, a);
}

// At least once.
int search(int *a, int *b, int n, int steps) {
  int *left, depth = 0;
  bool *flag, found;
  CHECK(cudaMalloc(&left, sizeof(int)));
  CHECK(cudaMemcpy(left, &steps, sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&flag, sizeof(bool)));
  do {
    found = false;
    ask(cudaMemcpy(flag, &found, sizeof(bool), cudaMemcpyHostToDevice),
        __LINE__);
    add<<<blocksFor(n), Threads>>>(a, b, n);
    add<<<blocksFor(n), Threads>>>(b, a, n);
    more<<<1, Threads>>>(left, flag);
    ask(cudaGetLastError(), __LINE__);
    ask(cudaMemcpy(&found, flag, sizeof(bool), cudaMemcpyDeviceToHost),
        __LINE__);
    ++depth;
  } while (found);
  CHECK(cudaFree(left));
  CHECK(cudaFree(flag));
  return depth;
}
int searchOnHost(Values &a, Values &b, int steps) {
  int depth = 0;
  do
    turn(a, b);
  while (++depth < steps);
  return depth;
}

// By a residual, and no more often than that.
int converge(int *a, int *b, int n, int steps) {
  float *memory, residual = 1;
  int i = 0;
  CHECK(cudaMalloc(&memory, sizeof(float)));
  CHECK(cudaMemcpy(memory, &residual, sizeof(float), cudaMemcpyHostToDevice));
  while (residual > 0.01 && i < steps) {
    add<<<blocksFor(n), Threads>>>(a, b, n);
    add<<<blocksFor(n), Threads>>>(b, a, n);
    lessen<<<1, 1>>>(memory);
    cudaMemcpy(&residual, memory, sizeof(float), cudaMemcpyDeviceToHost);
    ++i;
  }
  CHECK(cudaFree(memory));
  return i * 1000 + int(residual * 100);
}
int convergeOnHost(Values &a, Values &b, int steps) {
  float residual = 1;
  int i = 0;
  for (; residual > 0.01 && i < steps; ++i) {
    turn(a, b);
    residual *= 0.75f;
  }
  return i * 1000 + int(residual * 100);
}

// Left within, in a stream, and again and again.
int leave(int *a, int *b, int n, int steps) {
  unsigned *left;
  int all = 0;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&left, sizeof(unsigned)));
  for (unsigned times = 1; times < 4; ++times) {
    const unsigned first = steps * times + 1;
    CHECK(cudaMemcpy(left, &first, sizeof first, cudaMemcpyHostToDevice));
    for (int i = 0;; ++i) {
      unsigned now;
      add<<<blocksFor(n), Threads, 0, stream>>>(a, b, n);
      cudaMemsetAsync(b, 0, sizeof(int), stream);
      add<<<blocksFor(n), Threads, 0, stream>>>(b, a, n);
      count<<<1, 1, 0, stream>>>(left);
      cudaStreamSynchronize(stream);
      cudaMemcpy(&now, left, sizeof now, cudaMemcpyDeviceToHost);
      if (now == 0) {
        all = all * 100 + i;
        break;
      }
    }
  }
  CHECK(cudaFree(left));
  CHECK(cudaStreamDestroy(stream));
  return all;
}
int leaveOnHost(Values &a, Values &b, int steps) {
  int all = 0;
  for (int times = 1; times < 4; ++times) {
    for (int i = 0; i <= steps * times; ++i) {
      addOnHost(a, b);
      b[0] = 0;
      addOnHost(b, a);
    }
    all = all * 100 + steps * times;
  }
  return all;
}

int main() {
  const auto steps = {0, 1, 2, 3, 30};
  bool right = agree("search", search, searchOnHost, steps);
  right &= agree("converge", converge, convergeOnHost, steps);
  right &= agree("leave", leave, leaveOnHost, steps);
  return right ? 0 : 1;
}
