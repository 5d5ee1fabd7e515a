// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of launches in which the host waits for them each time.

#include "relaunch_check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));      \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

// What it leaves depends on what other blocks have left before.
__global__ void add(int *to, const int *from, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = (to[i] * 3 + from[n - 1 - i] + by) & 0xffff;
}

static void addOnHost(Values &to, const Values &from, int by) {
  const size_t n = to.size();
  for (size_t i = 0; i < n; ++i)
    to[i] = (to[i] * 3 + from[n - 1 - i] + by) & 0xffff;
}

int plain(int *a, int *b, int n, int steps) {
  int launched = 0;
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    ++launched;
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return launched;
}
int plainOnHost(Values &a, Values &b, int steps) {
  Values *to = &a, *from = &b;
  for (int t = 0; t < steps; ++t) {
    addOnHost(*to, *from, t);
    std::swap(to, from);
  }
  return steps;
}

// Each launch in the stream of its own, and nothing but the waits between them.
int streams(int *a, int *b, int n, int steps) {
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaDeviceSynchronize();
  add<<<blocksFor(n), Threads, 0, second>>>(b, a, n, 3);
  cudaDeviceSynchronize();
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads, 0, first>>>(a, b, n, t);
    cudaDeviceSynchronize();
    add<<<blocksFor(n), Threads, 0, t % 5 == 4 ? first : second>>>(b, a, n, t);
    cudaDeviceSynchronize();
  }
  CHECK(cudaStreamDestroy(first));
  return cudaStreamDestroy(second);
}
int streamsOnHost(Values &a, Values &b, int steps) {
  addOnHost(b, a, 3);
  for (int t = 0; t < steps; ++t) {
    addOnHost(a, b, t);
    addOnHost(b, a, t);
  }
  return 0;
}

// Work in another stream, which the first wait waits for.
int before(int *a, int *b, int n, int steps) {
  cudaStream_t other, own;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  int *c;
  CHECK(cudaMalloc(&c, 2 * n * sizeof(int)));
  CHECK(cudaMemset(c, 0, 2 * n * sizeof(int)));
  cudaDeviceSynchronize();
  add<<<blocksFor(n), Threads, 0, other>>>(b, c + n, n, 5);
  for (int t = 0; t < steps; ++t) {
    cudaMemsetAsync(c, t, n * sizeof(int), own);
    add<<<blocksFor(n), Threads, 0, own>>>(a, c, n, t);
    cudaStreamSynchronize(own);
    cudaDeviceSynchronize();
    add<<<blocksFor(n), Threads, 0, own>>>(a, b, n, t);
    cudaStreamSynchronize(own);
  }
  cudaDeviceSynchronize();
  CHECK(cudaFree(c));
  CHECK(cudaStreamDestroy(other));
  return cudaStreamDestroy(own);
}
int beforeOnHost(Values &a, Values &b, int steps) {
  Values c(a.size(), 0);
  addOnHost(b, c, 5);
  for (int t = 0; t < steps; ++t) {
    for (int &each : c)
      each = 0x01010101 * (t & 0xff);
    addOnHost(a, c, t);
    addOnHost(a, b, t);
  }
  return 0;
}

// Now and then somebody looks.
int looks(int *a, int *b, int n, int steps) {
  int *shared, sum = 0;
  CHECK(cudaMallocManaged(&shared, n * sizeof(int)));
  CHECK(cudaMemset(shared, 0, n * sizeof(int)));
  cudaDeviceSynchronize();
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    add<<<blocksFor(n), Threads>>>(shared, a, n, t);
    cudaDeviceSynchronize();
    if (t % 11 == 10) {
      for (int i = 0; i < n; ++i)
        sum = (sum * 7 + shared[i]) & 0xffff;
      shared[n / 2] = t;
    }
    std::swap(a, b);
  }
  CHECK(cudaFree(shared));
  return sum;
}
int looksOnHost(Values &a, Values &b, int steps) {
  Values shared(a.size(), 0);
  Values *to = &a, *from = &b;
  int sum = 0;
  for (int t = 0; t < steps; ++t) {
    addOnHost(*to, *from, t);
    addOnHost(shared, *to, t);
    if (t % 11 == 10) {
      for (int each : shared)
        sum = (sum * 7 + each) & 0xffff;
      shared[shared.size() / 2] = t;
    }
    std::swap(to, from);
  }
  return sum;
}

// Those who ask for errors, by a macro, a function and statements.
#define ENSURE(call)                                                           \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(error));                 \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

static void lastError(const char *message) {
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", message, cudaGetErrorString(error));
    std::exit(1);
  }
}

int checked(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    lastError("add");
    ENSURE(cudaDeviceSynchronize());
    std::swap(a, b);
  }
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    cudaDeviceSynchronize();
    lastError("add again");
    std::swap(a, b);
  }
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    const cudaError_t error = cudaStreamSynchronize(nullptr);
    if (error != cudaSuccess)
      return -1;
    std::swap(a, b);
  }
  return steps;
}
int checkedOnHost(Values &a, Values &b, int steps) {
  Values *to = &a, *from = &b;
  for (int round = 0; round < 3; ++round)
    for (int t = 0; t < steps; ++t) {
      addOnHost(*to, *from, t);
      std::swap(to, from);
    }
  return steps;
}

// Now and then somebody looks, once no error is known.
int checkedLooks(int *a, int *b, int n, int steps) {
  int *shared, sum = 0;
  CHECK(cudaMallocManaged(&shared, n * sizeof(int)));
  CHECK(cudaMemset(shared, 0, n * sizeof(int)));
  cudaDeviceSynchronize();
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    add<<<blocksFor(n), Threads>>>(shared, a, n, t);
    ENSURE(cudaDeviceSynchronize());
    if (t % 11 == 10) {
      for (int i = 0; i < n; ++i)
        sum = (sum * 7 + shared[i]) & 0xffff;
      shared[n / 2] = t;
    }
    std::swap(a, b);
  }
  CHECK(cudaFree(shared));
  return sum;
}

int main() {
  const auto steps = {0, 1, 5, 90};
  bool right = agree("plain", plain, plainOnHost, steps);
  right &= agree("streams", streams, streamsOnHost, steps);
  right &= agree("before", before, beforeOnHost, steps);
  right &= agree("looks", looks, looksOnHost, steps);
  right &= agree("checked", checked, checkedOnHost, steps);
  right &= agree("checkedLooks", checkedLooks, looksOnHost, steps);
  return right ? 0 : 1;
}
