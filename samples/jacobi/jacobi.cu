// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jacobi iteration for Laplace's equation on a square, values given on its
// border: one launch is one iteration, and the next launch waits for it. Either
// a fixed number of iterations, or until no element changes by more than a
// tolerance, which the host tests after each iteration.

#include "../common/sample.h"

/// Every inner element of `next` becomes the mean of its neighbours in `grid`.
__global__ void relax(const float *grid, float *next, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x < n - 1 && y < n - 1) {
    int i = y * n + x;
    next[i] = 0.25f * (grid[i - n] + grid[i - 1] + grid[i + 1] + grid[i + n]);
  }
}

/// The same, and *residual becomes the largest change. Bits of floats that are
/// not negative compare as the floats do.
__global__ void relaxAndMeasure(const float *grid, float *next, int n,
                                float *residual) {
  __shared__ int largest;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    largest = 0;
  __syncthreads();
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x < n - 1 && y < n - 1) {
    int i = y * n + x;
    float mean =
        0.25f * (grid[i - n] + grid[i - 1] + grid[i + 1] + grid[i + n]);
    next[i] = mean;
    atomicMax(&largest, __float_as_int(fabsf(mean - grid[i])));
  }
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    atomicMax(reinterpret_cast<int *>(residual), largest);
}

/// Returns the array that holds the result.
static float *iterate(float *grid, float *next, int n, int iterations,
                      dim3 block) {
  dim3 blocks((n + block.x - 3) / block.x, (n + block.y - 3) / block.y);
  for (int i = 0; i < iterations; ++i) {
    relax<<<blocks, block>>>(grid, next, n);
    std::swap(grid, next);
  }
  return grid;
}

/// The same, but ends after the iteration in which no element changes by more
/// than `tolerance`. `residual` is in device memory.
static float *iterateUntil(float tolerance, float *grid, float *next, int n,
                           int iterations, dim3 block, float *residual) {
  dim3 blocks((n + block.x - 3) / block.x, (n + block.y - 3) / block.y);
  float change = tolerance + 1;
  for (int i = 0; i < iterations && change > tolerance; ++i) {
    cudaMemset(residual, 0, sizeof(float));
    relaxAndMeasure<<<blocks, block>>>(grid, next, n, residual);
    cudaMemcpy(&change, residual, sizeof(float), cudaMemcpyDeviceToHost);
    std::swap(grid, next);
  }
  return grid;
}

struct Reference {
  std::vector<float> grid;
  int iterations;
};

static Reference iterateOnHost(std::vector<float> grid, int n, int iterations,
                               float tolerance) {
  std::vector<float> next = grid;
  float change = tolerance + 1;
  int done = 0;
  for (; done < iterations && change > tolerance; ++done) {
    change = 0;
    for (int y = 1; y < n - 1; ++y) {
      for (int x = 1; x < n - 1; ++x) {
        const size_t i = size_t(y) * n + x;
        next[i] =
            0.25f * (grid[i - n] + grid[i - 1] + grid[i + 1] + grid[i + n]);
        change = std::max(change, std::abs(next[i] - grid[i]));
      }
    }
    std::swap(grid, next);
  }
  return {grid, done};
}

/// Random values on the border, zero inside.
static std::vector<float> makeGrid(int n, sample::Random &random) {
  std::vector<float> grid(size_t(n) * n, 0.0f);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        grid[size_t(y) * n + x] = random.real();
  return grid;
}

int main(int argc, char **argv) {
  sample::Program program("jacobi", "Jacobi iteration on a square grid");
  int n = 256, iterations = 500, digits = 0;
  unsigned blockX = 16, blockY = 16;
  program.option("n", n, "elements of a side", 3, 1 << 14);
  program.option("iterations", iterations, "most iterations", 1, 1 << 24);
  program.option("digits", digits,
                 "stop at changes up to 10^-digits, 0: never stop", 0, 7);
  program.option("block-x", blockX, "threads of a block in x", 1, 1024);
  program.option("block-y", blockY, "threads of a block in y", 1, 1024);
  program.parse(argc, argv);
  if (blockX * blockY > 1024)
    program.usageError("block-x x block-y is above 1024");
  program.requireGpu();

  sample::Random random(program.randomSeed());
  const std::vector<float> grid = makeGrid(n, random);
  // No change is below -1.
  const float tolerance = digits == 0 ? -1 : std::pow(10.0f, float(-digits));
  const Reference want = program.sequential(
      [&] { return iterateOnHost(grid, n, iterations, tolerance); });

  sample::DeviceArray<float> dStart(grid), dGrid(grid), dNext(grid);
  sample::DeviceArray<float> residual(1);
  const dim3 block(blockX, blockY);
  float *result = nullptr;
  program.fact("iterations done", want.iterations);
  return program.run(
      [&] {
        // The border is read from both arrays.
        dGrid.copy(dStart);
        dNext.copy(dStart);
      },
      [&] {
        result = digits == 0
                     ? iterate(dGrid.data(), dNext.data(), n, iterations, block)
                     : iterateUntil(tolerance, dGrid.data(), dNext.data(), n,
                                    iterations, block, residual.data());
      },
      [&] {
        const auto &last = result == dGrid.data() ? dGrid : dNext;
        return sample::countMismatches("grid", last.download(), want.grid);
      });
}
