// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relaunch loops whose launches differ in their grids: from iteration to
// iteration, among each other, in two dimensions; with shared memory. Each is
// compared with the host.

#include <cstdio>
#include <cuda_runtime.h>
#include <functional>
#include <utility>
#include <vector>

using Values = std::vector<int>;

constexpr int Threads = 32;

static int blocksFor(int n) { return (n + Threads - 1) / Threads; }

/// Reverses each block's part and adds what the whole block holds.
__global__ void __launch_bounds__(Threads)
    turn(const int *__restrict__ in, int *out, int n) {
  __shared__ int part[Threads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < Threads; ++k)
    sum += part[k] * (k + 1);
  if (i < n)
    out[i] = part[Threads - 1 - threadIdx.x] + sum + gridDim.x;
}

static void turnOnHost(const Values &in, Values &out, int n) {
  for (int block = 0; block < blocksFor(n); ++block) {
    Values part(Threads);
    int sum = 0;
    for (int k = 0; k < Threads; ++k) {
      const int i = block * Threads + k;
      part[k] = i < n ? in[i] : 0;
      sum += part[k] * (k + 1);
    }
    for (int k = 0; k < Threads && block * Threads + k < n; ++k)
      out[block * Threads + k] = part[Threads - 1 - k] + sum + blocksFor(n);
  }
}

/// The grid shrinks.
static void shrinks(int *a, int *b, int n) {
  for (int width = n; width >= 1; width /= 2) {
    turn<<<(width + Threads - 1) / Threads, Threads>>>(a, b, width);
    std::swap(a, b);
  }
}

static void shrinksOnHost(Values &a, Values &b) {
  Values *from = &a, *to = &b;
  for (int width = int(a.size()); width >= 1; width /= 2) {
    turnOnHost(*from, *to, width);
    std::swap(from, to);
  }
}

/// One block, then all of them, and a grid of two dimensions.
__global__ void first(int *p) {
  __shared__ int seen;
  if (threadIdx.x == 0)
    seen = p[0];
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    p[0] = seen + 5;
}
__global__ void plane(const int *in, int *out, int n) {
  const int i = blockIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x +
                threadIdx.x;
  if (i < n)
    out[i] += in[n - 1 - i] + int(blockIdx.y) - int(gridDim.y);
}
static void differ(int *a, int *b, int n) {
  for (int t = 0; t < 3; ++t) {
    first<<<1, Threads>>>(a);
    plane<<<dim3(2, (n + 63) / 64), Threads>>>(a, b, n);
    turn<<<(n + 31) / 32, Threads>>>(b, a, n);
  }
}
static void differOnHost(Values &a, Values &b) {
  const int n = int(a.size()), rows = (n + 63) / 64;
  for (int t = 0; t < 3; ++t) {
    a[0] += 5;
    for (int i = 0; i < n; ++i)
      b[i] += a[n - 1 - i] + i / 64 - rows;
    turnOnHost(b, a, n);
  }
}

static bool check(const char *name, void (*loop)(int *, int *, int),
                  const std::function<void(Values &, Values &)> &host) {
  bool right = true;
  for (int n : {1, 31, 64, 65, 150}) {
    Values values[2] = {Values(n), Values(n)};
    for (int i = 0; i < n; ++i)
      values[0][i] = values[1][i] = i * i % 17;
    Values want[2] = {values[0], values[1]};
    host(want[0], want[1]);
    int *device[2];
    for (int k = 0; k < 2; ++k) {
      cudaMalloc(&device[k], n * sizeof(int));
      cudaMemcpy(device[k], values[k].data(), n * sizeof(int),
                 cudaMemcpyHostToDevice);
    }
    loop(device[0], device[1], n);
    for (int k = 0; k < 2; ++k) {
      cudaMemcpy(values[k].data(), device[k], n * sizeof(int),
                 cudaMemcpyDeviceToHost);
      cudaFree(device[k]);
      right &= values[k] == want[k];
    }
    right &= cudaGetLastError() == cudaSuccess;
    if (!right)
      std::printf("%s is wrong for n = %d\n", name, n);
  }
  return right;
}

int main() {
  bool right = check("shrinks", shrinks, shrinksOnHost);
  right &= check("differ", differ, differOnHost);
  return !right;
}
