// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's name that another build overloads is given to no function of the
// runtime's: the grid stays that of the launches.
//
// RUN: not %dry-run --rules=grid-barrier %s -- -std=c++17 | grep '^+' | FileCheck %s
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier -- -arch=sm_90 -std=c++17
// RUN: %clang -fsyntax-only -x cuda --cuda-host-only -std=c++17 -I%project/runtime -DMORE %t.cu

#include <utility>

__global__ void expand(const int *g, int *f, int *t, int *flag, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && f[i] > 0 && t[g[i]] == 0) {
    t[g[i]] = f[i] + 1;
    *flag = 1;
  }
}
#ifdef MORE
__global__ void expand(const long *g, int *f, int *t, int *flag, int n);
#endif
// CHECK-NOT: {expand}
// CHECK: barricade::launch_persistent_exact(search_persistent,
// CHECK-NOT: {expand}
int search(const int *graph, int *frontier, int *next, int *flag, int n) {
  int changed, rounds = 0;
  do {
    changed = 0;
    cudaMemcpy(flag, &changed, sizeof(int), cudaMemcpyHostToDevice);
    expand<<<(n + 255) / 256, 256>>>(graph, frontier, next, flag, n);
    cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
    std::swap(frontier, next);
    ++rounds;
  } while (changed);
  return rounds;
}
