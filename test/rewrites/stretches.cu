// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that become steps of one, whose pointers promise that nothing else
// leads to what they lead to: that holds for each step, but not for all of them
// together. Each loop is compared with the host.

#include "relaunch_check.h"
#include <utility>

__global__ void scale(const int *__restrict__ in, int *__restrict__ out,
                      int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 3 + 1;
}

/// Each step writes what the next one reads.
static int inTurn(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    scale<<<blocksFor(n), Threads>>>(a, b, n);
    scale<<<blocksFor(n), Threads>>>(b, a, n);
    std::swap(a, b);
  }
  return 0;
}
static int inTurnOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    for (size_t i = 0; i < a.size(); ++i) {
      b[i] = a[i] * 3 + 1;
      a[i] = b[i] * 3 + 1;
    }
    std::swap(a, b);
  }
  if (steps % 2)
    std::swap(a, b);
  return 0;
}

__global__ void mirror(const int *__restrict__ from, int *__restrict__ to,
                       int n) {
  const int i = blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x;
  if (i < n)
    to[i] += from[i];
}
__global__ void step(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * 2 + 1;
}

/// By another kernel, and by another thread of the block.
static int byOthers(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    mirror<<<blocksFor(n), Threads>>>(a, b, n);
    step<<<blocksFor(n), Threads>>>(a, n);
  }
  return 0;
}
static int byOthersOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t)
    for (size_t i = 0; i < a.size(); ++i) {
      b[i] += a[i];
      a[i] = a[i] * 2 + 1;
    }
  return 0;
}

/// The host's arithmetic stays the host's.
__global__ void fade(int *x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = int(float(x[i] % 1000) * by);
}
static int fading(int *a, int *, int n, int steps) {
  float by = 1.5f;
  for (int t = 0; t < steps; ++t) {
    fade<<<blocksFor(n), Threads>>>(a, by, n);
    by *= 0.99f;
  }
  return 0;
}
static int fadingOnHost(Values &a, Values &, int steps) {
  float by = 1.5f;
  for (int t = 0; t < steps; ++t) {
    for (int &each : a)
      each = int(float(each % 1000) * by);
    by *= 0.99f;
  }
  return 0;
}

int main() {
  bool right = agree("inTurn", inTurn, inTurnOnHost);
  right &= agree("byOthers", byOthers, byOthersOnHost);
  right &= agree("fading", fading, fadingOnHost);
  return !right;
}
