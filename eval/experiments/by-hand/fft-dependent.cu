// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FFT: each launch may begin before the one before has ended.

__global__ void butterflies(Complex *data, const Complex *twiddle, int n,
                            int half) {
  cudaGridDependencySynchronize();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2)
    return;
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

__global__ void permute(const Complex *input, Complex *data, int bits) {
  cudaGridDependencySynchronize();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1u << bits)
    data[i] = input[bits == 0 ? 0 : __brev(i) >> (32 - bits)];
}

static void transform(const Complex *input, Complex *data,
                      const Complex *twiddle, int n, int threads) {
  int bits = 0;
  while (1 << bits < n)
    ++bits;
  by_hand::launchDependent(permute, (n + threads - 1) / threads, threads, input,
                           data, bits);
  const int blocks = (n / 2 + threads - 1) / threads;
  for (int half = 1; half < n; half *= 2)
    by_hand::launchDependent(butterflies, blocks, threads, data, twiddle, n,
                             half);
}
