// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what the threads of small kernels have seen, in order, for programs
// whose rewrites must print the same.

#ifndef BARRICADE_TEST_REWRITES_SEEN_H
#define BARRICADE_TEST_REWRITES_SEEN_H

#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>
#include <vector>

constexpr int Elements = 96;

/// Depends on the values, their order and their number.
__device__ inline int mix(int sum, const int *a, unsigned i) {
  return sum * 31 + a[i % Elements] + int(i);
}

#define GID (blockIdx.x * blockDim.x + threadIdx.x)

/// Reads 2 * Elements values, and writes one for each thread.
using Kernel = void (*)(const int *, int *, int, int);

/// Random values on the device, always the same.
inline const int *deviceValues() {
  std::vector<int> host(2 * Elements);
  unsigned state = 12345;
  for (int &v : host)
    v = (state = state * 1664525u + 1013904223u) >> 20;
  int *a;
  cudaMalloc(&a, host.size() * sizeof(int));
  cudaMemcpy(a, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  return a;
}

/// A line with a digest of each launch: blocks below, at and above a warp's
/// size, with each of \p grids, \p ns and \p ms.
inline void printSeen(const char *name, Kernel kernel, const int *a,
                      std::initializer_list<int> grids,
                      std::initializer_list<int> ns,
                      std::initializer_list<int> ms) {
  std::printf("%s:", name);
  for (int threads : {1, 33, 64})
    for (int blocks : grids)
      for (int n : ns)
        for (int m : ms) {
          std::vector<int> out(threads * blocks, -1);
          int *deviceOut;
          cudaMalloc(&deviceOut, out.size() * sizeof(int));
          cudaMemcpy(deviceOut, out.data(), out.size() * sizeof(int),
                     cudaMemcpyHostToDevice);
          kernel<<<blocks, threads>>>(a, deviceOut, n, m);
          cudaMemcpy(out.data(), deviceOut, out.size() * sizeof(int),
                     cudaMemcpyDeviceToHost);
          cudaFree(deviceOut);
          unsigned sum = 0;
          for (int value : out)
            sum = sum * 31 + unsigned(value);
          std::printf(" %08x", sum);
        }
  std::printf("\n");
}

#endif
