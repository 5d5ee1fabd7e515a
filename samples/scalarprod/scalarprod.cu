// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScalarProd (papers: P1, systems 3 and 4): the scalar products of many pairs
// of vectors. Blocks loop over the pairs; the threads of a block add up
// products in 1024 partial sums, which a tree reduces to one. All vectors have
// one length, or their lengths vary.

#include "../common/sample.h"

constexpr int Partials = 1024;

/// The sum of the block's partial sums, for every thread; destroys them.
__device__ float sumPartials(float *partial) {
  for (int half = Partials / 2; half > 0; half /= 2) {
    __syncthreads();
    for (int i = threadIdx.x; i < half; i += blockDim.x)
      partial[i] += partial[i + half];
  }
  __syncthreads();
  return partial[0];
}

/// Pair p is the elements [p * length, (p + 1) * length) of a and b.
__global__ void scalarProd(const float *a, const float *b, float *product,
                           int pairs, int length) {
  __shared__ float partial[Partials];
  for (int p = blockIdx.x; p < pairs; p += gridDim.x) {
    const float *x = a + size_t(p) * length;
    const float *y = b + size_t(p) * length;
    for (int i = threadIdx.x; i < Partials; i += blockDim.x) {
      float sum = 0;
      for (int k = i; k < length; k += Partials)
        sum += x[k] * y[k];
      partial[i] = sum;
    }
    float sum = sumPartials(partial);
    if (threadIdx.x == 0)
      product[p] = sum;
    __syncthreads();
  }
}

/// Pair p is the elements [offset[p], offset[p + 1]) of a and b.
__global__ void scalarProdIrregular(const float *a, const float *b,
                                    float *product, int pairs,
                                    const size_t *offset) {
  __shared__ float partial[Partials];
  for (int p = blockIdx.x; p < pairs; p += gridDim.x) {
    size_t end = offset[p + 1];
    for (int i = threadIdx.x; i < Partials; i += blockDim.x) {
      float sum = 0;
      for (size_t k = offset[p] + i; k < end; k += Partials)
        sum += a[k] * b[k];
      partial[i] = sum;
    }
    float sum = sumPartials(partial);
    if (threadIdx.x == 0)
      product[p] = sum;
    __syncthreads();
  }
}

/// Where the pairs begin and end, for lengths that differ from `length` by up
/// to `vary` per cent.
static std::vector<size_t> makeOffsets(int pairs, int length, int vary,
                                       sample::Random &random) {
  const int64_t most = int64_t(length) * vary / 100;
  std::vector<size_t> offset = {0};
  for (int p = 0; p < pairs; ++p) {
    int64_t change = int64_t(random.below(2 * most + 1)) - most;
    offset.push_back(offset.back() + (length + change));
  }
  return offset;
}

struct Reference {
  std::vector<float> products;
  /// What rounding can change: the depth of the device's additions, times half
  /// a unit in the last place, times the sum of the products' sizes (Higham:
  /// "Accuracy and Stability of Numerical Algorithms", section 3.1).
  std::vector<double> bounds;
};

static Reference multiply(const std::vector<float> &a,
                          const std::vector<float> &b,
                          const std::vector<size_t> &offset) {
  Reference reference;
  for (size_t p = 0; p + 1 < offset.size(); ++p) {
    double sum = 0, size = 0;
    for (size_t k = offset[p]; k < offset[p + 1]; ++k) {
      const double product = double(a[k]) * b[k];
      sum += product;
      size += std::abs(product);
    }
    const double depth = double(offset[p + 1] - offset[p]) / Partials + 13;
    reference.products.push_back(float(sum));
    reference.bounds.push_back(depth * 0x1p-24 * size);
  }
  return reference;
}

int main(int argc, char **argv) {
  sample::Program program("scalarprod", "scalar products of pairs of vectors");
  int pairs = 4096, length = 1 << 15, vary = 0, blocks = 128, threads = 256;
  program.option("pairs", pairs, "pairs of vectors", 1, 1 << 24);
  program.option("length", length, "elements of a vector", 1, 1 << 28);
  program.option("vary", vary,
                 "per cent by which lengths vary, 0: scalarProd, else "
                 "scalarProdIrregular",
                 0, 100);
  program.option("blocks", blocks, "blocks", 1, 65535);
  program.option("threads", threads, "threads in a block", 1, 1024);
  program.parse(argc, argv);
  if (double(pairs) * length > 0x1p32)
    program.usageError("pairs x length is above 2^32");
  program.requireGpu();

  sample::Random random(program.randomSeed());
  const std::vector<size_t> offset = makeOffsets(pairs, length, vary, random);
  const std::vector<float> a = sample::randomReals(offset.back(), random);
  const std::vector<float> b = sample::randomReals(offset.back(), random);
  const Reference want = multiply(a, b, offset);

  sample::DeviceArray<float> dA(a), dB(b), dProduct(pairs);
  sample::DeviceArray<size_t> dOffset(offset);
  program.fact("bytes", double(dA.bytes() + dB.bytes()));
  return program.run(
      [&] { dProduct.poison(); },
      [&] {
        if (vary == 0)
          scalarProd<<<blocks, threads>>>(dA.data(), dB.data(), dProduct.data(),
                                          pairs, length);
        else
          scalarProdIrregular<<<blocks, threads>>>(
              dA.data(), dB.data(), dProduct.data(), pairs, dOffset.data());
      },
      [&] {
        return sample::countMismatches(
            "product", dProduct.download(), want.products,
            [&](float got, float right, size_t p) {
              return std::abs(double(got) - right) <= want.bounds[p];
            });
      });
}
