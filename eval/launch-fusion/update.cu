// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One form of the sample bma, bma/form.cu, at its one step that several kernels
// make: save C, C += B * z^shift, B = what C was. Its whole runs would take
// hours at the lengths that P5 shows; this makes the step alone, on random
// polynomials of --n bits and with shifts of its own each time, checks c, b and
// old word by word against the CPU, and times it.
//
// STRESS(block) stands at the start of each kernel that `prepare` wrote for
// the race: with --delay D some blocks wait up to D us there.

#include <cstdint>

__device__ unsigned stressMicroseconds, stressRound;

/// Lets one block in four wait, other ones each time.
__device__ inline void stress(unsigned block) {
  if (stressMicroseconds == 0)
    return;
  unsigned hash = (block + 1) * 2654435761u ^ stressRound * 2246822519u;
  hash ^= hash >> 15;
  if (hash % 4 != 0)
    return;
  const unsigned long long end = 1000ull * (hash / 4 % stressMicroseconds + 1);
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < end);
}
#define STRESS(block) stress(block)

#define main sampleMain
#include "bma/form.cu"
#undef main

/// What one step does.
static void updateOnHost(std::vector<Word> &c, std::vector<Word> &b,
                         std::vector<Word> &old, int shift) {
  old = c;
  const size_t offset = shift / WordBits;
  const int bits = shift % WordBits;
  for (size_t i = offset; i < c.size(); ++i) {
    Word sum = b[i - offset] << bits;
    if (bits > 0 && i > offset)
      sum |= b[i - offset - 1] >> (WordBits - bits);
    c[i] ^= sum;
  }
  b = old;
}

static std::vector<Word> randomWords(size_t count, sample::Random &random) {
  std::vector<Word> words(count);
  for (Word &word : words)
    word = Word(random.next());
  return words;
}

int main(int argc, char **argv) {
  sample::Program program("update", "one step of Berlekamp-Massey");
  int n = 1 << 16, steps = 64, threads = 512, delay = 0;
  program.option("n", n, "bits of a polynomial", 32, 1 << 27);
  program.option("steps", steps, "steps in a run", 1, 1 << 20);
  program.option("threads", threads, "threads in a block", 1, 1024);
  program.option("delay", delay, "longest wait of a delayed block, in us", 0,
                 1 << 20);
  program.parse(argc, argv);
  program.requireGpu();

  sample::Random random(program.randomSeed());
  const size_t words = n / WordBits + 1;
  const std::vector<Word> firstC = randomWords(words, random),
                          firstB = randomWords(words, random);
  std::vector<int> shifts(steps);
  for (int &shift : shifts)
    shift = int(random.below(uint64_t(n) / 2)) + 1;
  std::vector<Word> wantC = firstC, wantB = firstB, wantOld;
  for (int shift : shifts)
    updateOnHost(wantC, wantB, wantOld, shift);

  sample::DeviceArray<Word> c(words), b(words), old(words);
  const Arrays arrays = {nullptr, c.data(), b.data(),  old.data(),
                         nullptr, nullptr,  int(words)};
  const Grid grid = {int(sample::ceilDiv(words, size_t(threads))), threads};
  unsigned round = 0;
  const unsigned microseconds = delay;
  CUDA_CHECK(cudaMemcpyToSymbol(stressMicroseconds, &microseconds,
                                sizeof(microseconds)));
  program.fact("blocks", grid.blocks);
  return program.run(
      [&] {
        c.upload(firstC);
        b.upload(firstB);
        old.poison();
        ++round;
        CUDA_CHECK(cudaMemcpyToSymbol(stressRound, &round, sizeof(round)));
      },
      [&] {
        for (int shift : shifts)
          addAndReplace(arrays, shift, grid);
      },
      [&] {
        return sample::countMismatches("word of c", c.download(), wantC) +
               sample::countMismatches("word of b", b.download(), wantB) +
               sample::countMismatches("word of old", old.download(), wantOld);
      });
}
