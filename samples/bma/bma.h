// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the forms of the sample bma share: all but how a polynomial is updated.

#ifndef BARRICADE_SAMPLES_BMA_BMA_H
#define BARRICADE_SAMPLES_BMA_BMA_H

#include "../common/sample.h"

using Word = unsigned;
constexpr int WordBits = 32;

/// The parity of a word's bits.
__device__ Word parity(Word word) { return __popc(word) & 1; }

/// 32 bits of `bits`, from bit `from` on.
__device__ Word wordAt(const Word *bits, int from) {
  int word = from / WordBits;
  int shift = from % WordBits;
  if (shift == 0)
    return bits[word];
  return bits[word] >> shift | bits[word + 1] << (WordBits - shift);
}

/// Multiplies c with the sequence before a bit: partial[block] becomes the sum
/// over the block's words of c[i] * reversed[offset + i].
__global__ void multiply(const Word *c, const Word *reversed, int offset,
                         int words, Word *partial) {
  extern __shared__ Word sums[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Word sum = 0;
  if (i < words)
    sum = parity(c[i] & wordAt(reversed, offset + i * WordBits));
  sums[threadIdx.x] = sum;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sums[threadIdx.x] ^= sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sums[0];
}

/// *discrepancy becomes the sum of partial[0 .. count). Runs as one block.
__global__ void addPartials(const Word *partial, int count, Word *discrepancy) {
  extern __shared__ Word sums[];
  Word sum = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    sum ^= partial[i];
  sums[threadIdx.x] = sum;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sums[threadIdx.x] ^= sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    *discrepancy = sums[0];
}

/// Device memory of one synthesis.
struct Arrays {
  const Word *reversed; ///< The sequence, last bit first, then zeros.
  Word *c, *b, *old;    ///< Polynomials; c and b are 1 before.
  Word *partial, *discrepancy;
  int words; ///< Of a polynomial.
};

/// A grid with a thread for each word of a polynomial.
struct Grid {
  int blocks, threads;
};

/// c += b * z^shift. Each form of the sample has its own.
static void add(const Arrays &a, int shift, Grid grid);
/// The same, and b becomes what c was.
static void addAndReplace(const Arrays &a, int shift, Grid grid);

/// Finds the connection polynomial c of a sequence of n bits and returns its
/// linear complexity.
static int synthesize(Arrays a, int n, int threads) {
  const Grid grid = {(a.words + threads - 1) / threads, threads};
  const size_t shared = threads * sizeof(Word);
  int complexity = 0;
  int shift = 1;
  for (int i = 0; i < n; ++i) {
    multiply<<<grid.blocks, threads, shared>>>(a.c, a.reversed, n - 1 - i,
                                               a.words, a.partial);
    addPartials<<<1, threads, shared>>>(a.partial, grid.blocks, a.discrepancy);
    Word discrepancy;
    cudaMemcpy(&discrepancy, a.discrepancy, sizeof(Word),
               cudaMemcpyDeviceToHost);
    if (discrepancy == 0) {
      ++shift;
    } else if (2 * complexity > i) {
      add(a, shift, grid);
      ++shift;
    } else {
      addAndReplace(a, shift, grid);
      complexity = i + 1 - complexity;
      shift = 1;
    }
  }
  return complexity;
}

/// The sequence packed into words, last bit first, then zeros.
template <typename T>
static std::vector<T> packReversed(const std::vector<bool> &sequence,
                                   size_t words) {
  const size_t bits = 8 * sizeof(T), n = sequence.size();
  std::vector<T> packed(words, 0);
  for (size_t i = 0; i < n; ++i)
    packed[i / bits] |= T(sequence[n - 1 - i]) << i % bits;
  return packed;
}

struct Reference {
  std::vector<Word> c;
  int complexity;
};

/// The algorithm as Massey states it, in 64-bit words and only on those that
/// can be other than zero.
static Reference synthesizeOnHost(const std::vector<bool> &sequence,
                                  size_t words) {
  const size_t n = sequence.size();
  std::vector<uint64_t> c(n / 64 + 2), b(c.size()), old(c.size());
  const auto reversed = packReversed<uint64_t>(sequence, 2 * c.size());
  c[0] = b[0] = 1;
  size_t complexity = 0, shift = 1;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t *window = &reversed[(n - 1 - i) / 64];
    const unsigned skip = (n - 1 - i) % 64;
    uint64_t sum = 0;
    for (size_t w = 0; w <= complexity / 64; ++w)
      // Two shifts, since one by 64 is undefined.
      sum ^= c[w] & (window[w] >> skip | window[w + 1] << 1 << (63 - skip));
    bool discrepancy = false;
    for (; sum != 0; sum &= sum - 1)
      discrepancy = !discrepancy;
    if (!discrepancy) {
      ++shift;
      continue;
    }
    const bool longer = 2 * complexity <= i;
    const size_t newComplexity = longer ? i + 1 - complexity : complexity;
    if (longer)
      std::copy_n(c.begin(), complexity / 64 + 1, old.begin());
    c[shift / 64] ^= b[0] << shift % 64;
    for (size_t w = 1; w + shift / 64 <= newComplexity / 64; ++w)
      c[w + shift / 64] ^=
          b[w] << shift % 64 | b[w - 1] >> 1 >> (63 - shift % 64);
    ++shift;
    if (longer) {
      complexity = newComplexity;
      std::swap(b, old);
      shift = 1;
    }
  }
  Reference reference = {std::vector<Word>(words), int(complexity)};
  for (size_t w = 0; w < words; ++w)
    reference.c[w] = Word(c[w / 2] >> w % 2 * WordBits);
  return reference;
}

/// Random bits, or the output of a random register of `cells` cells, in which
/// some bits are then flipped.
static std::vector<bool> makeSequence(int n, int cells, int flips,
                                      sample::Random &random) {
  std::vector<int> taps;
  for (int k = 1; k <= cells; ++k)
    if (k == cells || random.below(2) == 0)
      taps.push_back(k);
  std::vector<bool> sequence;
  for (int i = 0; i < n; ++i) {
    bool bit = random.below(2) == 0;
    if (cells > 0 && i >= cells) {
      bit = false;
      for (int k : taps)
        bit ^= sequence[i - k];
    }
    sequence.push_back(bit);
  }
  for (int flip = 0; flip < flips; ++flip) {
    const size_t place = random.below(n);
    sequence[place] = !sequence[place];
  }
  return sequence;
}

/// What both forms of the sample do; `name` is theirs.
static int runSample(const char *name, int argc, char **argv) {
  sample::Program program(name, "Berlekamp-Massey over GF(2)");
  int n = 1 << 12, cells = 0, flips = 0, threads = 512;
  program.option("n", n, "bits of the sequence", 1, 1 << 26);
  program.option("register", cells,
                 "cells of the register that makes the sequence, 0: random", 0,
                 1 << 16);
  program.option("flips", flips, "bits of the sequence to flip", 0, 1 << 20);
  program.option("threads", threads, "threads in a block, a power of two", 1,
                 1024);
  program.parse(argc, argv);
  if (threads & (threads - 1))
    program.usageError("--threads is no power of two");
  program.requireGpu();

  sample::Random random(program.randomSeed());
  const std::vector<bool> sequence = makeSequence(n, cells, flips, random);
  const size_t words = n / WordBits + 1;
  const Reference want =
      program.sequential([&] { return synthesizeOnHost(sequence, words); });

  // The last word of a polynomial meets bits up to 2 n - 1.
  sample::DeviceArray<Word> reversed(
      packReversed<Word>(sequence, 2 * words + 1));
  std::vector<Word> one(words, 0);
  one[0] = 1;
  sample::DeviceArray<Word> c(words), b(words), old(words);
  sample::DeviceArray<Word> partial(sample::ceilDiv(words, size_t(threads)));
  sample::DeviceArray<Word> discrepancy(1);
  const Arrays arrays = {reversed.data(), c.data(),       b.data(),
                         old.data(),      partial.data(), discrepancy.data(),
                         int(words)};
  std::vector<int> complexity(1);
  program.fact("linear complexity", want.complexity);
  return program.run(
      [&] {
        c.upload(one);
        b.upload(one);
        old.poison();
        partial.poison();
        discrepancy.poison();
        complexity[0] = -1;
      },
      [&] { complexity[0] = synthesize(arrays, n, threads); },
      [&] {
        return sample::countMismatches("complexity", complexity,
                                       {want.complexity}) +
               sample::countMismatches("word", c.download(), want.c);
      });
}

#endif
