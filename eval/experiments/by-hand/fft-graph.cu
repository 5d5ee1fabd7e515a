// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FFT: the permutation and all stages as one graph.

static void transform(const Complex *input, Complex *data,
                      const Complex *twiddle, int n, int threads) {
  int bits = 0;
  while (1 << bits < n)
    ++bits;
  const int blocks = (n / 2 + threads - 1) / threads;
  by_hand::runAsGraph([&](cudaStream_t stream) {
    permute<<<(n + threads - 1) / threads, threads, 0, stream>>>(input, data,
                                                                 bits);
    for (int half = 1; half < n; half *= 2)
      butterflies<<<blocks, threads, 0, stream>>>(data, twiddle, n, half);
  });
}
