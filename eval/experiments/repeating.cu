// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that repeat themselves: a stencil between two buffers that are swapped,
// with one kernel, with a wait in each iteration, and with launches in
// functions that the loop calls. Each line is a loop: the median, the first and
// the ninth tenth of its runs, in microseconds by the host's clock, behind as
// many runs of the same loop as take some thirty milliseconds, then the first
// run in the process. Every element is compared with the host's in the first
// run and the last.
//
//   barricade --in-place eval/experiments/repeating.cu -- nvcc -arch=sm_90
//   nvcc -arch=sm_90 -O3 -Iruntime eval/experiments/repeating.cu -o repeating
//   ./repeating same 2^16 100
//
// and the same without the first line; the two take turns.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    const cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(error));                 \
      std::exit(2);                                                            \
    }                                                                          \
  } while (0)

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// What one element becomes; exact, so that host and device agree.
__host__ __device__ static unsigned between(unsigned left, unsigned own,
                                            unsigned right) {
  return (left >> 1) + own + (right >> 2);
}

__global__ void relax(unsigned *to, const unsigned *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = between(from[i - 1], from[i], from[i + 1]);
}
__global__ void mix(unsigned *data, unsigned by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * by;
}

static void same(unsigned *to, unsigned *from, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<(n + 255) / 256, 256>>>(to, from, n);
    std::swap(to, from);
  }
}

static void waiting(unsigned *to, unsigned *from, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<(n + 255) / 256, 256>>>(to, from, n);
    CHECK(cudaDeviceSynchronize());
    std::swap(to, from);
  }
}

static void relaxAll(unsigned *to, const unsigned *from, int n) {
  relax<<<(n + 255) / 256, 256>>>(to, from, n);
  CHECK(cudaGetLastError());
}
static void mixAll(unsigned *data, int n) {
  mix<<<(n + 255) / 256, 256>>>(data, 3u, n);
  CHECK(cudaGetLastError());
}
static void calling(unsigned *to, unsigned *from, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relaxAll(to, from, n);
    mixAll(to, n);
    std::swap(to, from);
  }
}

//===----------------------------------------------------------------------===//
// What is measured
//===----------------------------------------------------------------------===//

struct Loop {
  const char *name;
  void (*run)(unsigned *, unsigned *, int, int);
  unsigned factor; ///< By which each step multiplies what it has computed.
};
static const Loop Loops[] = {
    {"same", same, 1}, {"waiting", waiting, 1}, {"calling", calling, 3}};

using Numbers = std::vector<unsigned>;

static void runOnHost(Numbers &first, Numbers &second, unsigned factor,
                      int steps) {
  Numbers *to = &first, *from = &second;
  const size_t n = first.size();
  for (int t = 0; t < steps; ++t) {
    for (size_t i = 1; i + 1 < n; ++i)
      (*to)[i] = between((*from)[i - 1], (*from)[i], (*from)[i + 1]);
    for (unsigned &each : *to)
      each *= factor;
    std::swap(to, from);
  }
}

class Measurement {
public:
  Measurement(const Loop &loop, int size, int count)
      : loop(loop), n(size), steps(count), bytes(n * sizeof(unsigned)) {
    for (unsigned **each : {&a, &b})
      CHECK(cudaMalloc(each, bytes));
  }
  ~Measurement() {
    for (unsigned *each : {a, b})
      cudaFree(each);
  }

  /// Microseconds of one run, whose result is compared.
  double checked() {
    Numbers first(n), second(n), result(n);
    for (Numbers *each : {&first, &second})
      std::generate(each->begin(), each->end(), random);
    CHECK(cudaMemcpy(a, first.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, second.data(), bytes, cudaMemcpyHostToDevice));
    const double time = timed();
    runOnHost(first, second, loop.factor, steps);
    compare(a, first);
    compare(b, second);
    return time;
  }

  double timed() {
    using Clock = std::chrono::steady_clock;
    CHECK(cudaDeviceSynchronize());
    const Clock::time_point begin = Clock::now();
    loop.run(a, b, n, steps);
    CHECK(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::micro>(Clock::now() - begin)
        .count();
  }

private:
  void compare(const unsigned *device, const Numbers &wanted) {
    Numbers is(n);
    CHECK(cudaMemcpy(is.data(), device, bytes, cudaMemcpyDeviceToHost));
    if (is != wanted) {
      std::printf("WRONG\n");
      std::exit(1);
    }
  }

  const Loop &loop;
  const int n, steps;
  const size_t bytes;
  unsigned *a = nullptr, *b = nullptr;
  std::mt19937 random{std::random_device()()};
};

static int sizeOf(const char *text) {
  return std::strncmp(text, "2^", 2) == 0 ? 1 << std::atoi(text + 2)
                                          : std::atoi(text);
}

static int measure(const Loop &loop, int n, int steps) {
  constexpr int Runs = 40;
  constexpr double WarmUp = 30000;
  Measurement run(loop, n, steps);
  const double first = run.checked();
  for (double spent = 0; spent < WarmUp;)
    spent += run.timed();
  std::vector<double> times;
  while (times.size() < Runs - 1)
    times.push_back(run.timed());
  times.push_back(run.checked());
  std::sort(times.begin(), times.end());
  std::printf("%-8s %9d %6d %10.1f %10.1f %10.1f %10.1f\n", loop.name, n, steps,
              times[Runs / 2], times[Runs / 10], times[Runs * 9 / 10], first);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 4)
    for (const Loop &loop : Loops)
      if (std::strcmp(argv[1], loop.name) == 0)
        return measure(loop, sizeOf(argv[2]), std::atoi(argv[3]));
  std::fprintf(stderr, "usage: %s same|waiting|calling SIZE STEPS\n", argv[0]);
  return 2;
}
