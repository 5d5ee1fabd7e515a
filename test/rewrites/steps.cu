// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of many kinds in relaunch loops. Each loop's result is compared with
// the host's, where a block is run thread by thread.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Threads = 32;

#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)

/// Two kernels that read what the other writes, through read-only pointers, at
/// addresses that no loop changes.
__global__ void __launch_bounds__(Threads)
    spread(const int *__restrict__ from, int *__restrict__ to, int n = 0) {
  unsigned i = GLOBAL_ID;
  if (i >= n)
    return;
  to[i] = from[i] + from[(i + 1) % n] + from[0];
}

__global__ void gather(const int *__restrict__ from, // read by
                       int *__restrict__ to, int n)  // all blocks
{
  unsigned i = GLOBAL_ID;
  if (i < n)
    to[i] = from[n - 1 - i] ^ from[n / 2];
}

void pingPong(int *a, int *b, int n, int steps) {
  int blocks = (n + Threads - 1) / Threads;
  for (int s = 0; s < steps; ++s) {
    spread<<<blocks, Threads>>>(a, b, n);
    gather<<<blocks, Threads>>>(b, a, n);
  }
}

/// Shared memory and barriers, and returns behind them.
template <typename T, int Scale>
__global__ void blockSums(const T *in, T *out, int n) {
  __shared__ T part[Threads];
  int i = GLOBAL_ID;
  part[threadIdx.x] = i < n ? in[i] * Scale : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (i >= n)
    return;
  out[i] = in[i] + part[0] + gridDim.x;
}

void sums(int *a, int *b, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    blockSums<int, 3><<<(n + Threads - 1) / Threads, Threads>>>(a, b, n);
    blockSums<int, 5><<<(n + Threads - 1) / Threads, Threads>>>(b, a, n);
  }
}

/// Lambdas, parameters that the body changes, atomics that are retried.
extern "C" __global__ void mixture(int *data, int *total, int n, int bias) {
  auto index = [&] { return blockIdx.x * blockDim.x + threadIdx.x; };
  bias += index();
  for (; bias < n; bias += gridDim.x * blockDim.x)
    data[bias] = data[bias] * 2 + 1;
  int old = atomicAdd(total, 0), assumed;
  do {
    assumed = old;
    old = atomicCAS(total, assumed, assumed + bias);
  } while (assumed != old);
}

void mixtures(int *data, int *total, int n, int steps) {
  for (int s = 0; s < steps; ++s)
    mixture<<<3, Threads>>>(data, total, n, s % 2);
}

//===----------------------------------------------------------------------===//
// The host's results
//===----------------------------------------------------------------------===//

using Ints = std::vector<int>;

static void hostPingPong(Ints &a, Ints &b, int steps) {
  int n = a.size();
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i)
      b[i] = a[i] + a[(i + 1) % n] + a[0];
    for (int i = 0; i < n; ++i)
      a[i] = b[n - 1 - i] ^ b[n / 2];
  }
}

static void hostSums(Ints &a, Ints &b, int steps) {
  int n = a.size();
  auto Half = [n](const Ints &in, Ints &out, int scale) {
    int blocks = (n + Threads - 1) / Threads;
    for (int block = 0; block < blocks; ++block) {
      int sum = 0, end = std::min(n, (block + 1) * Threads);
      for (int i = block * Threads; i < end; ++i)
        sum += in[i] * scale;
      for (int i = block * Threads; i < end; ++i)
        out[i] = in[i] + sum + blocks;
    }
  };
  for (int s = 0; s < steps; ++s) {
    Half(a, b, 3);
    Half(b, a, 5);
  }
}

static void hostMixtures(Ints &data, Ints &total, int steps) {
  int n = data.size();
  for (int s = 0; s < steps; ++s)
    for (int thread = 0; thread < 3 * Threads; ++thread) {
      int bias = s % 2 + thread;
      for (; bias < n; bias += 3 * Threads)
        data[bias] = data[bias] * 2 + 1;
      total[0] += bias;
    }
}

template <typename Device, typename Host>
static bool agree(const char *name, int n, int steps, Device device,
                  Host host) {
  Ints a(n), b(n);
  for (int i = 0; i < n; ++i)
    a[i] = i * 7 % 11;
  int *deviceA, *deviceB;
  cudaMalloc(&deviceA, n * sizeof(int));
  cudaMalloc(&deviceB, n * sizeof(int));
  cudaMemcpy(deviceA, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(deviceB, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  device(deviceA, deviceB);
  Ints gotA(n), gotB(n);
  cudaMemcpy(gotA.data(), deviceA, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(gotB.data(), deviceB, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(deviceA);
  cudaFree(deviceB);
  host(a, b);
  bool same = a == gotA && b == gotB;
  if (!same)
    std::printf("%s of %d, %d steps: wrong\n", name, n, steps);
  return same;
}

int main() {
  bool same = true;
  for (int n : {1, Threads, 5 * Threads - 7})
    for (int steps : {0, 1, 4}) {
      same &= agree(
          "pingPong", n, steps,
          [=](int *a, int *b) { pingPong(a, b, n, steps); },
          [=](Ints &a, Ints &b) { hostPingPong(a, b, steps); });
      same &= agree(
          "sums", n, steps, [=](int *a, int *b) { sums(a, b, n, steps); },
          [=](Ints &a, Ints &b) { hostSums(a, b, steps); });
      same &= agree(
          "mixtures", n, steps,
          [=](int *a, int *b) { mixtures(a, b, n, steps); },
          [=](Ints &a, Ints &b) { hostMixtures(a, b, steps); });
    }
  return !same;
}
