// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of launches that touch each element by itself, over grids of all sizes:
// what becomes of them where their launches become steps of one. Each line is a
// loop: the first run of it in the process, the median, least and most of all,
// in microseconds with the host's time, and a hash of what it computed.
//
//   barricade --in-place eval/experiments/elementwise.cu -- nvcc -std=c++17
//   -arch=sm_90 nvcc -std=c++17 -arch=sm_90 -O3 -Iruntime
//   eval/experiments/elementwise.cu
//
// and the same without the first line; the two take turns.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The host computes what each launch is given.
__global__ void decay(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * by + 0.25f;
}
static void decayAll(float *x, int n, int steps) {
  float by = 0.5f;
  for (int t = 0; t < steps; ++t) {
    decay<<<(n + 255) / 256, 256>>>(x, by, n);
    by *= 0.999f;
  }
}

__global__ void scale(const float *in, float *out, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * by;
}
static void scaleInTurn(float *a, float *b, int n, int steps) {
  float by = 1.01f;
  for (int t = 0; t < steps; ++t) {
    scale<<<(n + 255) / 256, 256>>>(a, b, by, n);
    std::swap(a, b);
    by *= 0.9999f;
  }
}

/// An optimiser's step (Kingma and Ba, "Adam", algorithm 1).
__global__ void adam(float *__restrict__ p, float *__restrict__ m,
                     float *__restrict__ v, const float *__restrict__ g, int t,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float gradient = g[i] * (1.0f + t);
  m[i] = 0.9f * m[i] + 0.1f * gradient;
  v[i] = 0.999f * v[i] + 0.001f * gradient * gradient;
  p[i] -= 1e-3f * m[i] / (sqrtf(v[i]) + 1e-8f);
}
static void optimise(float *p, float *m, float *v, const float *g, int n,
                     int steps) {
  for (int t = 0; t < steps; ++t)
    adam<<<(n + 255) / 256, 256>>>(p, m, v, g, t, n);
}

/// Each thread goes through many elements.
__global__ void stride(float *x, const float *y, int t, int n) {
  const float by = 0.5f / (1 + t);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    x[i] = x[i] * by + y[i];
}
static void strideThrough(float *out, int n, int steps, int blocks) {
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, out, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaMemcpy(y, out, n * sizeof(float), cudaMemcpyDeviceToDevice);
  for (int t = 0; t < steps; ++t)
    stride<<<blocks, 256>>>(x, y, t, n);
  cudaMemcpy(out, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(x);
  cudaFree(y);
}

/// Threads of a block exchange what they have.
__global__ void smooth(float *x, float *sums, int t, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
  if (i < n)
    x[i] = x[i] * 0.5f + part[0] * 0.001f * t;
}
static void smoothBlocks(float *x, float *sums, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    smooth<<<(n + 255) / 256, 256>>>(x, sums, t, n);
}

/// Long steps.
__global__ void iterate(float *x, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = x[i];
  for (int r = 0; r < rounds; ++r)
    value = value * 0.999f + 0.001f;
  x[i] = value;
}
static void iterateOften(float *x, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    iterate<<<(n + 255) / 256, 256>>>(x, 2000 + t, n);
}

//===----------------------------------------------------------------------===//
// Their times
//===----------------------------------------------------------------------===//

__global__ void fillRandom(float *p, size_t n, unsigned seed) {
  const size_t width = size_t(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += width) {
    unsigned v = unsigned(i) * 2654435761u + seed;
    v = (v ^ v >> 15) * 2246822519u;
    p[i] = float((v ^ v >> 13) & 0xffff) / 65536.0f;
  }
}

static unsigned long long hashOf(const float *p, size_t n) {
  std::vector<unsigned> bits(n);
  cudaMemcpy(bits.data(), p, n * sizeof(float), cudaMemcpyDeviceToHost);
  unsigned long long hash = 1469598103934665603ull;
  for (unsigned each : bits)
    hash = (hash ^ each) * 1099511628211ull;
  return hash;
}

struct Arrays {
  float *a, *b, *c, *d;
  int n;

  explicit Arrays(int size) : n(size) {
    for (float **each : {&a, &b, &c, &d})
      if (cudaMalloc(each, n * sizeof(float)) != cudaSuccess)
        std::exit(2);
  }
  ~Arrays() {
    for (float *each : {a, b, c, d})
      cudaFree(each);
  }
  void reset() const {
    unsigned seed = 0;
    for (float *each : {a, b, c, d})
      fillRandom<<<1000, 256>>>(each, n, ++seed);
    cudaDeviceSynchronize();
  }
};

template <typename Loop>
static void measure(const char *name, const Arrays &arrays, Loop loop) {
  using Clock = std::chrono::steady_clock;
  constexpr int Runs = 7;
  double times[Runs];
  unsigned long long hash = 0;
  for (double &time : times) {
    arrays.reset();
    const Clock::time_point begin = Clock::now();
    loop();
    cudaDeviceSynchronize();
    time =
        std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    const unsigned long long own = hashOf(arrays.a, arrays.n);
    if (hash != 0 && own != hash)
      std::printf("another result: ");
    hash = own;
  }
  const double first = times[0];
  std::sort(times, times + Runs);
  std::printf("%-10s %9d %10.1f %10.1f %10.1f %10.1f %llx\n", name, arrays.n,
              first, times[Runs / 2], times[0], times[Runs - 1], hash);
}

int main() {
  for (int log = 10; log <= 26; log += 4) {
    const Arrays all(1 << log);
    float *const a = all.a, *const b = all.b, *const c = all.c,
                 *const d = all.d;
    const int n = all.n;
    const int steps = log > 24 ? 200 : 500;
    measure("decay", all, [&] { decayAll(a, n, steps); });
    measure("scale", all, [&] { scaleInTurn(a, b, n, steps); });
    measure("adam", all, [&] { optimise(a, b, c, d, n, steps); });
    measure("stride264", all, [&] { strideThrough(a, n, steps, 264); });
    measure("stride1056", all, [&] { strideThrough(a, n, steps, 1056); });
    measure("stride4224", all, [&] { strideThrough(a, n, steps, 4224); });
    measure("smooth", all, [&] { smoothBlocks(a, b, n, steps); });
    if (log <= 22)
      measure("iterate", all, [&] { iterateOften(a, n, 100); });
  }
}
