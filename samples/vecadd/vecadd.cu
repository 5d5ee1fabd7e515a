// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VecAdd (papers: P1, system 2; P2, system 7): C = A + B with fewer threads
// than elements. A thread takes either every T-th element, T being the number
// of threads of the grid, or a tile of TF elements.

#include "../common/sample.h"

__global__ void vecAdd(const float *a, const float *b, float *c, size_t n,
                       int perThread) {
  size_t threads = size_t(gridDim.x) * blockDim.x;
  size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (int k = 0; k < perThread; ++k) {
    size_t i = k * threads + first;
    if (i < n)
      c[i] = a[i] + b[i];
  }
}

/// A block adds a tile of tf * blockDim.x elements that lie together.
__global__ void vecAddTiled(const float *a, const float *b, float *c, size_t n,
                            int tf) {
  size_t first = size_t(blockIdx.x) * blockDim.x * tf + threadIdx.x;
  for (int k = 0; k < tf; ++k) {
    size_t i = first + k * blockDim.x;
    if (i < n)
      c[i] = a[i] + b[i];
  }
}

int main(int argc, char **argv) {
  sample::Program program("vecadd", "adds two vectors of floats");
  size_t n = 1 << 26;
  int totalThreads = 1 << 16, threads = 256, tf = 0;
  program.option("n", n, "elements", 1, int64_t(1) << 32);
  program.option("total-threads", totalThreads,
                 "threads of the grid, rounded up to whole blocks", 1, 1 << 30);
  program.option("threads", threads, "threads in a block", 1, 1024);
  program.option("tf", tf,
                 "tiling factor: elements of a thread; 0: n / total-threads", 0,
                 1 << 20);
  program.parse(argc, argv);

  const size_t blocks = tf == 0 ? sample::ceilDiv(totalThreads, threads)
                                : sample::ceilDiv(n, size_t(threads) * tf);
  const size_t perThread = tf == 0 ? sample::ceilDiv(n, blocks * threads) : tf;
  if (blocks > INT32_MAX || perThread > INT32_MAX)
    program.usageError("n is too large for so few threads or elements");
  program.requireGpu();

  sample::Random random(program.randomSeed());
  const std::vector<float> a = sample::randomReals(n, random);
  const std::vector<float> b = sample::randomReals(n, random);
  std::vector<float> want(n);
  for (size_t i = 0; i < n; ++i)
    want[i] = a[i] + b[i];

  sample::DeviceArray<float> dA(a), dB(b), dC(n);
  program.fact("bytes", 3.0 * double(dC.bytes()));
  program.fact("elements per thread", double(perThread));
  return program.run(
      [&] { dC.poison(); },
      [&] {
        if (tf == 0)
          vecAdd<<<unsigned(blocks), threads>>>(dA.data(), dB.data(), dC.data(),
                                                n, int(perThread));
        else
          vecAddTiled<<<unsigned(blocks), threads>>>(dA.data(), dB.data(),
                                                     dC.data(), n, tf);
      },
      [&] { return sample::countMismatches("c", dC.download(), want); });
}
