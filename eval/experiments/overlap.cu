// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in one stream of which each needs what the ones before have written,
// for the rule launch-overlap: a relaxation of whole numbers, an exchange
// within pairs, and a kernel of one thread that reads both ends, three launches
// a step.

#include "../../samples/common/sample.h"

__global__ void relax(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned left = i > 0 ? in[i - 1] : 1;
  unsigned right = i + 1 < n ? in[i + 1] : 2;
  out[i] = left * 3 + in[i] * 5 + right * 7;
}

__global__ void exchange(unsigned *data, const unsigned *seen, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 >= n)
    return;
  unsigned first = data[i];
  data[i] = data[i + 1] ^ seen[0];
  data[i + 1] = first;
}

__global__ void look(const unsigned *data, unsigned *seen, int n) {
  seen[0] = seen[0] * 31 + data[0] + data[n - 1];
}

/// The result lies in `a`.
static void steps(unsigned *a, unsigned *b, unsigned *seen, int n, int count,
                  cudaStream_t stream) {
  const int blocks = sample::ceilDiv(n, 256);
  const int pairs = sample::ceilDiv(sample::ceilDiv(n, 2), 256);
  for (int step = 0; step < count; ++step) {
    relax<<<blocks, 256, 0, stream>>>(a, b, n);
    exchange<<<pairs, 256, 0, stream>>>(b, seen, n);
    look<<<1, 1, 0, stream>>>(b, seen, n);
    relax<<<blocks, 256, 0, stream>>>(b, a, n);
    exchange<<<pairs, 256, 0, stream>>>(a, seen, n);
    look<<<1, 1, 0, stream>>>(a, seen, n);
  }
}

static void stepOnHost(const std::vector<unsigned> &in,
                       std::vector<unsigned> &out, unsigned &seen) {
  const size_t n = in.size();
  for (size_t i = 0; i < n; ++i)
    out[i] = (i > 0 ? in[i - 1] : 1) * 3 + in[i] * 5 +
             (i + 1 < n ? in[i + 1] : 2) * 7;
  for (size_t i = 0; i + 1 < n; i += 2) {
    std::swap(out[i], out[i + 1]);
    out[i] ^= seen;
  }
  seen = seen * 31 + out[0] + out[n - 1];
}

int main(int argc, char **argv) {
  sample::Program program("overlap", "short launches that need each other");
  int n = 40000, count = 500;
  bool ownStream = false;
  program.option("n", n, "elements", 1, 1 << 26);
  program.option("steps", count, "pairs of steps", 0, 1000000);
  program.flag("stream", ownStream, "launch in a stream, not the default one");
  program.parse(argc, argv);
  program.requireGpu();

  sample::Random random(program.randomSeed());
  std::vector<unsigned> start(n);
  for (unsigned &value : start)
    value = unsigned(random.next());
  std::vector<unsigned> want = start, other(n);
  unsigned wantSeen = 7;
  program.sequential([&] {
    for (int step = 0; step < count; ++step) {
      stepOnHost(want, other, wantSeen);
      stepOnHost(other, want, wantSeen);
    }
    return 0;
  });

  cudaStream_t stream = nullptr;
  if (ownStream)
    CUDA_CHECK(cudaStreamCreate(&stream));
  sample::DeviceArray<unsigned> a(n), b(n), seen(1);
  return program.run(
      [&] {
        a.upload(start);
        b.poison();
        seen.upload({7});
      },
      [&] { steps(a.data(), b.data(), seen.data(), n, count, stream); },
      [&] {
        return sample::countMismatches("data", a.download(), want) +
               sample::countMismatches("seen", seen.download(), {wantSeen});
      });
}
