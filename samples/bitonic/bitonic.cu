// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sort (papers: P3, system 15): each step of the sorting network is one
// launch; the next launch waits for it.

#include "../common/sample.h"

/// One step: puts each pair (i, i ^ j) into ascending order where bit k of i is
/// clear, else into descending order.
__global__ void compareAndSwap(unsigned *data, unsigned n, unsigned j,
                               unsigned k) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned partner = i ^ j;
  if (i >= n || partner < i)
    return;
  unsigned a = data[i];
  unsigned b = data[partner];
  bool ascending = (i & k) == 0;
  if ((a > b) == ascending) {
    data[i] = b;
    data[partner] = a;
  }
}

static void sort(unsigned *data, unsigned n, unsigned threads) {
  const unsigned blocks = (n + threads - 1) / threads;
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2)
      compareAndSwap<<<blocks, threads>>>(data, n, j, k);
}

int main(int argc, char **argv) {
  sample::Program program("bitonic", "sorts by a bitonic network");
  unsigned n = 1 << 16, threads = 512;
  program.option("n", n, "elements, a power of two", 1, 1 << 28);
  program.option("threads", threads, "threads in a block", 1, 1024);
  program.parse(argc, argv);
  if (n & (n - 1))
    program.usageError("--n is no power of two");
  program.requireGpu();

  sample::Random random(program.randomSeed());
  std::vector<unsigned> input(n);
  for (unsigned &value : input)
    value = unsigned(random.next());
  const std::vector<unsigned> want = program.sequential([&] {
    std::vector<unsigned> sorted = input;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  });

  sample::DeviceArray<unsigned> dInput(input), dData(n);
  return program.run(
      [&] { dData.copy(dInput); }, [&] { sort(dData.data(), n, threads); },
      [&] { return sample::countMismatches("data", dData.download(), want); });
}
