// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over access patterns, to compare what the cost model expects of a
// barrier with what one does. Each pattern is a kernel of one loop; the element
// at i is hash(i), so that the CPU knows every sum without the memory.

#include "../../samples/common/sample.h"

#include <thread>

constexpr int Steps = 128;
constexpr unsigned TotalThreads = 1u << 18;
constexpr unsigned Elements = 1u << 26;

__host__ __device__ inline unsigned hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  return x * 0x846ca68bu;
}

__global__ void fill(unsigned *data) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < Elements;
       i += gridDim.x * blockDim.x)
    data[i] = hash(i);
}

__global__ void coalesced(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += data[k * TotalThreads + t];
  out[t] = sum;
}

__global__ void streams(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += data[k * TotalThreads + t] * data[(k + Steps) * TotalThreads + t];
  out[t] = sum;
}

__global__ void unaligned(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += data[k * TotalThreads + t + 13];
  out[t] = sum;
}

__global__ void neighbours(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += data[k * TotalThreads + t] + data[k * TotalThreads + t + 1] +
           data[k * TotalThreads + t + 2];
  out[t] = sum;
}

__global__ void strided(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += data[(k * TotalThreads + t) * 2];
  out[t] = sum;
}

__global__ void records(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += data[t * Steps + k];
  out[t] = sum;
}

__global__ void broadcast(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += data[blockIdx.x * Steps + k];
  out[t] = sum;
}

__global__ void window(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += data[(blockIdx.x * 64 + k) * 256 + hash(t + k) % 1024];
  out[t] = sum;
}

__global__ void scattered(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += data[hash(t * Steps + k) % Elements];
  out[t] = sum;
}

__global__ void computed(const unsigned *data, unsigned *out, int steps) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += hash(hash(hash(hash(data[k * TotalThreads + t]))));
  out[t] = sum;
}

enum Pattern {
  Coalesced,
  Streams,
  Unaligned,
  Neighbours,
  Strided,
  Records,
  Broadcast,
  Window,
  Scattered,
  Computed
};

/// What the thread of this number adds in step k, without the memory.
unsigned term(Pattern pattern, unsigned t, unsigned block, int k) {
  const unsigned i = k * TotalThreads + t;
  switch (pattern) {
  case Coalesced:
    return hash(i);
  case Streams:
    return hash(i) * hash(i + Steps * TotalThreads);
  case Unaligned:
    return hash(i + 13);
  case Neighbours:
    return hash(i) + hash(i + 1) + hash(i + 2);
  case Strided:
    return hash(2 * i);
  case Records:
    return hash(t * Steps + k);
  case Broadcast:
    return hash(block * Steps + k);
  case Window:
    return hash((block * 64 + k) * 256 + hash(t + k) % 1024);
  case Scattered:
    return hash(hash(t * Steps + k) % Elements);
  case Computed:
    return hash(hash(hash(hash(hash(i)))));
  }
  return 0;
}

/// What every thread should add up, on as many of the CPU's cores as there are.
std::vector<unsigned> sums(Pattern pattern, int blockThreads) {
  std::vector<unsigned> want(TotalThreads, 0);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> workers;
  for (unsigned core = 0; core < cores; ++core)
    workers.emplace_back([&want, pattern, blockThreads, core, cores] {
      for (unsigned t = core; t < TotalThreads; t += cores) {
        unsigned sum = 0;
        for (int k = 0; k < Steps; ++k)
          sum += term(pattern, t, t / blockThreads, k);
        want[t] = sum;
      }
    });
  for (std::thread &worker : workers)
    worker.join();
  return want;
}

int main(int argc, char **argv) {
  using Kernel = void (*)(const unsigned *, unsigned *, int);
  static const Kernel kernels[] = {coalesced, streams, unaligned, neighbours,
                                   strided,   records, broadcast, window,
                                   scattered, computed};
  sample::Program program("loops", "sums over access patterns");
  int pattern = 0, threads = 256;
  program.option("pattern", pattern,
                 "0 coalesced, 1 streams, 2 unaligned, "
                 "3 neighbours, 4 strided, 5 records, 6 broadcast, 7 window, "
                 "8 scattered, 9 computed",
                 0, 9);
  program.option("threads", threads, "threads in a block, a power of two", 32,
                 1024);
  program.parse(argc, argv);
  if (threads & (threads - 1))
    program.usageError("threads must be a power of two");
  program.requireGpu();

  sample::DeviceArray<unsigned> data(Elements), out(TotalThreads);
  fill<<<1024, 256>>>(data.data());
  const std::vector<unsigned> want = sums(Pattern(pattern), threads);
  return program.run(
      [&] { out.poison(); },
      [&] {
        kernels[pattern]<<<TotalThreads / threads, threads>>>(
            data.data(), out.data(), Steps);
      },
      [&] { return sample::countMismatches("sum", out.download(), want); });
}
