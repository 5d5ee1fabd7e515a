// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of launches in which the host now and then does something else.

#include "relaunch_check.h"

__global__ void add(int *to, const int *from, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = (to[i] * 3 + from[i] + by) & 0xffff;
}

static void addOnHost(Values &to, const Values &from, int by) {
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = (to[i] * 3 + from[i] + by) & 0xffff;
}

// What is read back decides what is launched next, and when it ends.
int reads(int *a, int *b, int n, int steps) {
  int first = 1;
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, first);
    if (t % 7 == 3) {
      cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
      if (first % 64 == 5)
        break;
    }
    std::swap(a, b);
  }
  return first;
}
int readsOnHost(Values &a, Values &b, int steps) {
  int first = 1;
  Values *to = &a, *from = &b;
  for (int t = 0; t < steps; ++t) {
    addOnHost(*to, *from, first);
    if (t % 7 == 3) {
      first = to->front();
      if (first % 64 == 5)
        break;
    }
    std::swap(to, from);
  }
  return first;
}

// Memory comes and goes, and is where other memory was.
int allocates(int *a, int *b, int n, int steps) {
  int *own = nullptr;
  cudaMalloc(&own, n * sizeof(int));
  for (int t = 0; t < steps; ++t) {
    cudaMemset(own, t, n * sizeof(int));
    add<<<blocksFor(n), Threads>>>(a, own, n, t);
    if (t % 40 == 39) {
      cudaFree(own);
      cudaMalloc(&own, n * sizeof(int) + t);
    }
    add<<<blocksFor(n), Threads>>>(b, a, n, t);
  }
  return cudaFree(own);
}
int allocatesOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    addOnHost(a, Values(a.size(), t * 0x01010101), t);
    addOnHost(b, a, t);
  }
  return 0;
}

// What is launched there comes where it came, in whatever stream.
int launches(int *a, int *b, int n, int steps) {
  cudaStream_t other;
  cudaStreamCreate(&other);
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    if (t % 3 == 2)
      add<<<blocksFor(n), Threads>>>(b, a, n, 7);
    else if (t % 20 == 0) {
      cudaDeviceSynchronize();
      add<<<blocksFor(n), Threads, 0, other>>>(b, a, n, 11);
      cudaStreamSynchronize(other);
    }
  }
  return cudaStreamDestroy(other);
}
int launchesOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    addOnHost(a, b, t);
    if (t % 3 == 2)
      addOnHost(b, a, 7);
    else if (t % 20 == 0)
      addOnHost(b, a, 11);
  }
  return 0;
}

// A kernel there asks for more than there is; the error is found behind it.
int fails(int *a, int *b, int n, int steps) {
  int found = 0;
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    if (t % 25 == 24)
      add<<<blocksFor(n), 4096>>>(b, a, n, t);
    add<<<blocksFor(n), Threads>>>(b, a, n, t);
    if (cudaGetLastError() != cudaSuccess) {
      cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
      found += t;
    }
  }
  return found;
}
int failsOnHost(Values &a, Values &b, int steps) {
  int found = 0;
  for (int t = 0; t < steps; ++t) {
    addOnHost(a, b, t);
    addOnHost(b, a, t);
    if (t % 25 == 24) {
      b = a;
      found += t;
    }
  }
  return found;
}

int main() {
  const auto steps = {0, 1, 5, 90};
  bool right = agree("reads", reads, readsOnHost, steps);
  right &= agree("allocates", allocates, allocatesOnHost, steps);
  right &= agree("launches", launches, launchesOnHost, steps);
  right &= agree("fails", fails, failsOnHost, steps);
  return right ? 0 : 1;
}
