// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Berlekamp-Massey over GF(2) (papers: P5, system 19): the shortest linear
// feedback shift register that makes a sequence of bits (Massey:
// "Shift-register synthesis and BCH decoding", IEEE Trans. Inf. Theory 15,
// 1969). Polynomials are packed into 32-bit words, coefficient i in bit i % 32
// of word i / 32. Each step of the algorithm takes one bit, by kernels of their
// own.

#include "bma.h"

__global__ void copyWords(Word *to, const Word *from, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < words)
    to[i] = from[i];
}

/// c += b * z^shift
__global__ void addShifted(Word *c, const Word *b, int shift, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int source = i - shift / WordBits;
  int bits = shift % WordBits;
  if (i >= words || source < 0)
    return;
  Word sum = b[source] << bits;
  if (bits > 0 && source > 0)
    sum |= b[source - 1] >> (WordBits - bits);
  c[i] ^= sum;
}

static void add(const Arrays &a, int shift, Grid grid) {
  addShifted<<<grid.blocks, grid.threads>>>(a.c, a.b, shift, a.words);
}

static void addAndReplace(const Arrays &a, int shift, Grid grid) {
  copyWords<<<grid.blocks, grid.threads>>>(a.old, a.c, a.words);
  addShifted<<<grid.blocks, grid.threads>>>(a.c, a.b, shift, a.words);
  copyWords<<<grid.blocks, grid.threads>>>(a.b, a.old, a.words);
}

int main(int argc, char **argv) { return runSample("bma", argc, argv); }
