// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FAULTY ON PURPOSE. The sample bma with the kernels "save C" and
// "C ^= B << x" merged into one with a fence between them, as published
// (papers: P5, system 20). A fence makes no thread wait: thread i changes word
// i + offset, which thread i + offset may not have saved yet. The results are
// right most of the time. barricade's rule fence-as-barrier reports it.

#include "bma.h"

/// old = c, c += b * z^shift: a data race for shifts of WordBits and more.
static __global__ void saveAndAddShifted(Word *old, Word *c, const Word *b,
                                         int shift, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int offset = shift / WordBits;
  int bits = shift % WordBits;
  if (i < words)
    old[i] = c[i];
  __threadfence();
  if (i + offset < words) {
    Word sum = b[i] << bits;
    if (bits > 0 && i > 0)
      sum |= b[i - 1] >> (WordBits - bits);
    c[i + offset] ^= sum;
  }
}

__global__ void copyWords(Word *to, const Word *from, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < words)
    to[i] = from[i];
}

static void add(const Arrays &a, int shift, Grid grid) {
  saveAndAddShifted<<<grid.blocks, grid.threads>>>(a.old, a.c, a.b, shift,
                                                   a.words);
}

static void addAndReplace(const Arrays &a, int shift, Grid grid) {
  saveAndAddShifted<<<grid.blocks, grid.threads>>>(a.old, a.c, a.b, shift,
                                                   a.words);
  copyWords<<<grid.blocks, grid.threads>>>(a.b, a.old, a.words);
}

int main(int argc, char **argv) {
  return runSample("bma_fence_fault", argc, argv);
}
