// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a host function with a relaunch loop on arrays of the device, and
// compares all that it leaves there, and what it returns, with a function of
// the host that does the same.

#ifndef RELAUNCH_CHECK_H
#define RELAUNCH_CHECK_H

#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>
#include <vector>

using Values = std::vector<int>;

constexpr int Threads = 32;

inline int blocksFor(int n) { return (n + Threads - 1) / Threads; }

using Loop = int (*)(int *a, int *b, int n, int steps);
using HostLoop = int (*)(Values &a, Values &b, int steps);

/// For sizes from one block up.
inline bool agree(const char *name, Loop loop, HostLoop onHost,
                  std::initializer_list<int> numbersOfSteps = {0, 1, 2, 5}) {
  bool right = true;
  for (int n : {1, 33, 150})
    for (int steps : numbersOfSteps) {
      Values want[2] = {Values(n), Values(n)};
      for (int i = 0; i < n; ++i) {
        want[0][i] = i * i % 17;
        want[1][i] = i * 7 % 13;
      }
      const size_t bytes = n * sizeof(int);
      int *device[2];
      for (int k = 0; k < 2; ++k) {
        cudaMalloc(&device[k], bytes);
        cudaMemcpy(device[k], want[k].data(), bytes, cudaMemcpyHostToDevice);
      }
      const int returned = loop(device[0], device[1], n, steps);
      bool same = returned == onHost(want[0], want[1], steps);
      for (int k = 0; k < 2; ++k) {
        Values values(n);
        cudaMemcpy(values.data(), device[k], bytes, cudaMemcpyDeviceToHost);
        cudaFree(device[k]);
        same &= values == want[k];
      }
      same &= cudaGetLastError() == cudaSuccess;
      if (!same)
        std::printf("%s is wrong for n = %d, steps = %d\n", name, n, steps);
      right &= same;
    }
  return right;
}

#endif
