// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relaunch loops with error checks, and loops that go on until the kernel
// changes nothing any more.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    const cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                                \
      std::printf("%s\n", cudaGetErrorString(error));                          \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

constexpr int Threads = 32;

__global__ void lower(int *p, int n, int *changed, int by = 1) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || p[i] <= 0)
    return;
  p[i] -= by;
  *changed = 1;
}

int *flag;

static int blocksFor(int n) { return (n + Threads - 1) / Threads; }

/// Returns the number of rounds.
static int untilStable(int *p, int n) {
  int changed, rounds = 0;
  int *const onDevice = flag;
  do {
    changed = 0;
    CHECK(cudaMemcpy(onDevice, &changed, sizeof(int), cudaMemcpyHostToDevice));
    lower<<<blocksFor(n), Threads>>>(p, n, onDevice);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&changed, onDevice, sizeof(int), cudaMemcpyDeviceToHost));
    ++rounds;
  } while (changed);
  return rounds;
}

/// Waits and checks in each round.
static bool someRounds(int *p, int n, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    lower<<<blocksFor(n), Threads>>>(p, n, flag, 1 + r % 2);
    if (cudaGetLastError() != cudaSuccess)
      return false;
  }
  CHECK(cudaDeviceSynchronize());
  return true;
}

/// How many values sink() has; other files might know it.
int count;

/// Waits in each round, and launches for what everybody may read.
static bool sink(const int *start) {
  int *p, *changed;
  const size_t bytes = count * sizeof(int);
  CHECK(cudaMalloc(&p, bytes));
  CHECK(cudaMalloc(&changed, sizeof(int)));
  CHECK(cudaMemcpy(p, start, bytes, cudaMemcpyHostToDevice));
  for (int r = 0; r < count; ++r) {
    lower<<<blocksFor(count), Threads>>>(p, count, changed, r % 3);
    CHECK(cudaDeviceSynchronize());
  }
  std::vector<int> values(count);
  CHECK(cudaMemcpy(values.data(), p, bytes, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < count; ++i) {
    int want = start[i];
    for (int r = 0; r < count && want > 0; ++r)
      want -= r % 3;
    right &= values[i] == want;
  }
  cudaFree(changed);
  cudaFree(p);
  return right;
}

/// With variables from outside and sizes from inside of the loop. Returns what
/// the last check said, or \p before if there was none.
static cudaError_t inVariable(int *p, int n, int rounds, cudaError_t before) {
  cudaError_t error = before, waited;
  int *const onDevice = flag;
  for (int r = 0; r < rounds; ++r) {
    const int threads = 32;
    const dim3 blocks((n + threads - 1) / threads);
    lower<<<blocks, threads>>>(p, n, onDevice);
    error = cudaGetLastError();
    waited = cudaDeviceSynchronize();
    if (error != cudaSuccess || waited != cudaSuccess)
      return waited;
  }
  return error;
}

/// What a handler catches has its value, whoever has thrown it.
static int inHandler(int *p, int n, int wanted) {
  try {
    throw wanted;
  } catch (const int &rounds) {
    for (int r = 0; r < rounds; ++r)
      lower<<<blocksFor(n), Threads>>>(p, n, flag, rounds);
    return rounds;
  }
}

/// An error that is there before the loop is told behind its first round.
static int untilError(int *p, int n, int rounds) {
  cudaError_t launched, waited;
  int r = 0;
  int *const onDevice = flag;
  do {
    lower<<<blocksFor(n), Threads>>>(p, n, onDevice);
    launched = cudaGetLastError();
    waited = cudaDeviceSynchronize();
    if (launched != cudaSuccess || waited != cudaSuccess)
      return -1;
  } while (++r < rounds);
  return r;
}

/// All of the \p n values at \p p are \p wanted.
static bool allAre(const int *p, int n, int wanted) {
  std::vector<int> values(n);
  cudaMemcpy(values.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int value : values)
    if (value != wanted)
      return false;
  return true;
}

static bool thrownAndPending(int *p, int n) {
  const std::vector<int> values(n, 100);
  cudaMemcpy(p, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  bool right = inHandler(p, n, 3) == 3 && allAre(p, n, 91);
  right &= untilError(p, n, 2) == 2 && allAre(p, n, 89);
  // With an error in the way the launches stay.
  if (std::getenv("BARRICADE_TEST_REFUSAL_IS_FATAL"))
    return right;
  lower<<<0, Threads>>>(p, n, flag);
  return right && untilError(p, n, 2) == -1 && allAre(p, n, 88);
}

int main() {
  bool right = true;
  cudaMalloc(&flag, sizeof(int));
  for (int n : {1, 32, 75}) {
    std::vector<int> values(n);
    int most = 0;
    for (int i = 0; i < n; ++i) {
      values[i] = i * 7 % 5 + 3;
      most = values[i] > most ? values[i] : most;
    }
    count = n;
    right &= sink(values.data());
    int *p;
    cudaMalloc(&p, n * sizeof(int));
    cudaMemcpy(p, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    right &= someRounds(p, n, 1);
    right &= inVariable(p, n, 0, cudaErrorUnknown) == cudaErrorUnknown;
    right &= inVariable(p, n, 2, cudaErrorUnknown) == cudaSuccess;
    const int rounds = untilStable(p, n);
    if (rounds != most - 3 + 1) {
      std::printf("n = %d: %d rounds for %d\n", n, rounds, most - 3);
      right = false;
    }
    cudaMemcpy(values.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int value : values)
      right &= value == 0;
    right &= thrownAndPending(p, n);
    cudaFree(p);
  }
  cudaFree(flag);
  return !right;
}
