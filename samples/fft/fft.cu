// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FFT (papers: P3, system 13): a radix-2 fast Fourier transform in single
// precision. One kernel puts the input into bit-reversed order; then one launch
// makes one stage of butterflies, and the next launch waits for it.

#include "../common/sample.h"

#include <complex>

struct alignas(8) Complex {
  float re, im;
};

/// data[i] = input[the lowest `bits` bits of i in reverse].
__global__ void permute(const Complex *input, Complex *data, int bits) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1u << bits)
    data[i] = input[bits == 0 ? 0 : __brev(i) >> (32 - bits)];
}

/// Joins transforms of `half` elements to transforms of twice as many; one
/// butterfly a thread. twiddle[k] = exp(-2 pi i k / n).
__global__ void butterflies(Complex *data, const Complex *twiddle, int n,
                            int half) {
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

static void transform(const Complex *input, Complex *data,
                      const Complex *twiddle, int n, int threads) {
  int bits = 0;
  while (1 << bits < n)
    ++bits;
  permute<<<(n + threads - 1) / threads, threads>>>(input, data, bits);
  const int blocks = (n / 2 + threads - 1) / threads;
  for (int half = 1; half < n; half *= 2)
    butterflies<<<blocks, threads>>>(data, twiddle, n, half);
}

using Reference = std::vector<std::complex<double>>;

/// exp(-2 pi i k / n)
static std::complex<double> root(int k, int n) {
  return std::polar(1.0, -2 * std::acos(-1.0) * k / n);
}

/// The transform of x[first], x[first + step], ... by its definition for an
/// even and an odd half, in double precision. roots[k] = root(k, x.size()).
static Reference transformOnHost(const std::vector<Complex> &x,
                                 const Reference &roots, size_t first = 0,
                                 size_t step = 1) {
  const int n = int(x.size() / step);
  if (n == 1)
    return {{x[first].re, x[first].im}};
  const Reference even = transformOnHost(x, roots, first, 2 * step);
  const Reference odd = transformOnHost(x, roots, first + step, 2 * step);
  Reference result(n);
  for (int k = 0; k < n / 2; ++k) {
    const std::complex<double> product = roots[k * step] * odd[k];
    result[k] = even[k] + product;
    result[k + n / 2] = even[k] - product;
  }
  return result;
}

/// Counts elements farther away than rounding explains. The error's root mean
/// square is below log2(n) units in the last place of the result's (Higham:
/// "Accuracy and Stability of Numerical Algorithms", theorem 24.2); eight times
/// that is allowed to one element.
static size_t check(const std::vector<Complex> &got, const Reference &want) {
  double squares = 0;
  for (const std::complex<double> &value : want)
    squares += std::norm(value);
  const double size = double(want.size());
  const double bound =
      8 * (std::log2(size) + 1) * 0x1p-24 * std::sqrt(squares / size);
  size_t mismatches = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    const std::complex<double> value(got[i].re, got[i].im);
    // Written so that a NaN is a mismatch.
    if (std::abs(value - want[i]) <= bound)
      continue;
    if (mismatches++ == 0)
      std::fprintf(stderr,
                   "data[%zu] is (%.9g, %.9g), should be (%.9g, %.9g)\n", i,
                   value.real(), value.imag(), want[i].real(), want[i].imag());
  }
  return mismatches;
}

int main(int argc, char **argv) {
  sample::Program program("fft", "radix-2 fast Fourier transform");
  int n = 1 << 16, threads = 448;
  program.option("n", n, "elements, a power of two", 1, 1 << 26);
  program.option("threads", threads, "threads in a block", 1, 1024);
  program.parse(argc, argv);
  if (n & (n - 1))
    program.usageError("--n is no power of two");
  program.requireGpu();

  sample::Random random(program.randomSeed());
  std::vector<Complex> input(n), twiddle;
  Reference roots;
  for (Complex &value : input)
    value = {random.real(), random.real()};
  for (int k = 0; k < n / 2; ++k) {
    roots.push_back(root(k, n));
    twiddle.push_back({float(roots[k].real()), float(roots[k].imag())});
  }
  const Reference want =
      program.sequential([&] { return transformOnHost(input, roots); });

  sample::DeviceArray<Complex> dInput(input), dTwiddle(twiddle), dData(n);
  return program.run([&] { dData.poison(); },
                     [&] {
                       transform(dInput.data(), dData.data(), dTwiddle.data(),
                                 n, threads);
                     },
                     [&] { return check(dData.download(), want); });
}
