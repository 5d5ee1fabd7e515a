// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FFT: all stages in one cooperative kernel where they fit.

__global__ void butterfliesAll(Complex *data, const Complex *twiddle, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int half = 1; half < n; half *= 2) {
    if (i < n / 2) {
      int k = i & (half - 1);
      int upper = 2 * i - k;
      int lower = upper + half;
      Complex w = twiddle[k * (n / 2 / half)];
      Complex a = data[upper];
      Complex b = data[lower];
      Complex product = {w.re * b.re - w.im * b.im, w.re * b.im + w.im * b.re};
      data[upper] = {a.re + product.re, a.im + product.im};
      data[lower] = {a.re - product.re, a.im - product.im};
    }
    cooperative_groups::this_grid().sync();
  }
}

static void transform(const Complex *input, Complex *data,
                      const Complex *twiddle, int n, int threads) {
  const int blocks = (n / 2 + threads - 1) / threads;
  if (!by_hand::fits(butterfliesAll, blocks, threads))
    return transformByLaunches(input, data, twiddle, n, threads);
  int bits = 0;
  while (1 << bits < n)
    ++bits;
  permute<<<(n + threads - 1) / threads, threads>>>(input, data, bits);
  by_hand::launchCooperative(butterfliesAll, blocks, threads, data, twiddle, n);
}
