// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemTest (papers: P1, system 1): every thread walks through a large array in
// steps of the whole grid and checks that each int is still zero. The checks
// of a thread are split into an outer and an inner loop.

#include "../common/sample.h"

/// Where the kernel notes what it finds.
struct FaultLog {
  unsigned *count;     ///< Faults found.
  unsigned *positions; ///< Their indices, in no order.
  unsigned capacity;   ///< How many indices fit.
};

__global__ void checkZero(const int *data, int outer, int inner, FaultLog log) {
  const int *ptr = data + blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < outer; ++i) {
    for (int j = 0; j < inner; ++j) {
      if (*ptr != 0) {
        unsigned slot = atomicAdd(log.count, 1u);
        if (slot < log.capacity)
          log.positions[slot] = static_cast<unsigned>(ptr - data);
      }
      ptr += gridDim.x * blockDim.x;
    }
  }
}

/// Puts nonzero ints at `faults` different places of `data`, each choice of
/// places being equally likely (Knuth: "The Art of Computer Programming",
/// volume 2, algorithm 3.4.2 S). Returns the places in ascending order.
static std::vector<unsigned> plantFaults(std::vector<int> &data, size_t faults,
                                         sample::Random &random) {
  std::vector<unsigned> places;
  for (size_t i = 0; i < data.size() && places.size() < faults; ++i) {
    if (random.below(data.size() - i) >= faults - places.size())
      continue;
    data[i] = int(1u << random.below(32));
    places.push_back(unsigned(i));
  }
  return places;
}

int main(int argc, char **argv) {
  sample::Program program("memtest", "checks that an array of ints is zero");
  size_t n = size_t(480) << 18;
  int blocks = 30, threads = 512, outer = 8, inner = 0;
  size_t faults = 100;
  program.option("n", n, "ints to check, rounded up to whole trips", 1,
                 INT32_MAX);
  program.option("blocks", blocks, "blocks", 1, 65535);
  program.option("threads", threads, "threads in a block", 1, 1024);
  program.option("outer", outer, "trips of the outer loop", 1, 1 << 16);
  program.option("inner", inner, "trips of the inner loop, 0: as n needs", 0,
                 1 << 20);
  program.option("faults", faults, "nonzero ints to plant", 0, 1 << 24);
  program.parse(argc, argv);

  const size_t perTrip = size_t(blocks) * threads * outer;
  if (inner == 0)
    inner = int(sample::ceilDiv(n, perTrip));
  // Every check reads an int, so the array is padded to the last one.
  const size_t padded = perTrip * inner;
  if (padded < n)
    program.usageError("blocks x threads x outer x inner is less than n");
  if (padded > UINT32_MAX)
    program.usageError("blocks x threads x outer x inner is above 2^32 - 1");
  if (faults > padded)
    program.usageError("more faults than ints");
  program.requireGpu();

  sample::Random random(program.randomSeed());
  std::vector<int> ints(padded, 0);
  const std::vector<unsigned> want = plantFaults(ints, faults, random);
  sample::DeviceArray<int> data(ints);

  // Room for more than was planted: false alarms must be seen, too.
  sample::DeviceArray<unsigned> count(1), positions(faults + 1000);
  const FaultLog log = {count.data(), positions.data(),
                        static_cast<unsigned>(faults + 1000)};

  program.fact("bytes", double(padded) * sizeof(int));
  return program.run(
      [&] {
        count.fill(0);
        positions.poison();
      },
      [&] { checkZero<<<blocks, threads>>>(data.data(), outer, inner, log); },
      [&] {
        const unsigned found = count.download()[0];
        std::vector<unsigned> got = positions.download();
        got.resize(std::min<size_t>(found, got.size()));
        std::sort(got.begin(), got.end());
        return sample::countMismatches("fault", got, want);
      });
}
