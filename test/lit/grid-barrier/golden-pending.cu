// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that go behind the loop find no error of before, which they may never
// have come to.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <cstdio>

__global__ void add(int *p, int by) { p[threadIdx.x] += by; }

// CHECK-LABEL: {{^}}bool run(
// CHECK:       {{^}}  if (barricade::launch_persistent_exact(run_persistent,
// CHECK:       {{^}}    if (cudaGetLastError() != cudaSuccess)
// CHECK-NEXT:  {{^}}      return false;
// CHECK-NEXT:  {{^}}  } else {
bool run(int *p, int n, int stop) {
  for (int t = 0; t < n; ++t) {
    add<<<1, 8>>>(p, t);
    if (cudaGetLastError() != cudaSuccess)
      return false;
    if (t > stop)
      break;
  }
  return true;
}

int main() {
  int *p, value = 0;
  cudaMalloc(&p, 8 * sizeof(int));
  cudaMemset(p, 0, 8 * sizeof(int));
  std::printf("%d\n", run(p, 4, 2));
  add<<<1, 4096>>>(p, 1);
  std::printf("%d\n", run(p, 0, 2));
  std::printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
  std::printf("%d\n", run(p, 4, 2));
  std::printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
  cudaMemcpy(&value, p, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", value);
}
