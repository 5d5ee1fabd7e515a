// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of a golden on the CPU executor, for %rewrite-check: what
// they compute from small data is printed, and a rewrite must print the same.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

template <typename T> struct AsGiven {
  using type = T;
};

/// One block of \p Kernel, with blocks of several sizes. Its first parameter is
/// read; kernels may look 1024 elements before it, and 7168 behind.
template <typename Input, typename Output, typename... Rest>
void run(const char *name, void (*kernel)(const Input *, Output *, Rest...),
         typename AsGiven<Rest>::type... rest) {
  std::vector<Input> values(8192);
  unsigned state = 12345;
  for (Input &v : values)
    v = (state = state * 1664525u + 1013904223u) >> 25;
  Input *input;
  Output *output;
  cudaMalloc(&input, values.size() * sizeof(Input));
  cudaMemcpy(input, values.data(), values.size() * sizeof(Input),
             cudaMemcpyHostToDevice);
  for (int threads : {1, 33, 64}) {
    std::vector<Output> results(threads, Output(-1));
    cudaMalloc(&output, threads * sizeof(Output));
    cudaMemcpy(output, results.data(), threads * sizeof(Output),
               cudaMemcpyHostToDevice);
    kernel<<<1, threads>>>(input + 1024, output, rest...);
    cudaMemcpy(results.data(), output, threads * sizeof(Output),
               cudaMemcpyDeviceToHost);
    cudaFree(output);
    std::printf("%s, %d threads:", name, threads);
    for (Output result : results)
      std::printf(" %g", double(result));
    std::printf("\n");
  }
  cudaFree(input);
}
#define RUN(kernel, ...) run(#kernel, kernel, __VA_ARGS__)
