// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Range-for loops over a std::array, by value and by reference: as many rounds
// as the type says, in every thread. Rewritten, compiled, and run.
//
// RUN: %rewrite-check %s %t.cu --min-memory-ratio=0 --min-instructions=0 -- --expt-relaxed-constexpr
// RUN: FileCheck --match-full-lines --strict-whitespace --input-file=%t.cu %s

#include <array>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sums(const int *a, int *out, int n) {
  std::array<int, 3> rows = {1, n, int(threadIdx.x)};
  int s = 0;
  for (int row : rows)
    s = s * 31 + a[(row * 8 + threadIdx.x) % 96];
  out[threadIdx.x] = s;
}
// CHECK:  for (int row : rows) {
// CHECK-NEXT:    s = s * 31 + a[(row * 8 + threadIdx.x) % 96];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }

// The elements depend on the thread, their number does not.
__device__ int moved(const std::array<int, 4> &rows, const int *a) {
  int s = 0;
  for (const int &row : rows)
    s = s * 31 + a[row % 96];
  return s;
}
// CHECK:  for (const int &row : rows) {
// CHECK-NEXT:    s = s * 31 + a[row % 96];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }
__global__ void calls(const int *a, int *out, int n) {
  std::array<int, 4> rows = {1, n, 3, 4};
  for (int &row : rows)
    row += a[threadIdx.x];
  // CHECK:  for (int &row : rows) {
  // CHECK-NEXT:    row += a[threadIdx.x];
  // CHECK-NEXT:    __syncthreads();
  // CHECK-NEXT:  }
  out[threadIdx.x] = moved(rows, a);
}

int main() {
  int host[96], *a, *out;
  for (int i = 0; i < 96; ++i)
    host[i] = i * 7 % 31;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  for (auto kernel : {sums, calls})
    for (int threads : {1, 33, 64})
      for (int n : {0, 5}) {
        kernel<<<1, threads>>>(a, out, n);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        unsigned sum = 0;
        for (int i = 0; i < threads; ++i)
          sum = sum * 31 + host[i];
        std::printf("%08x\n", sum);
      }
  return 0;
}
