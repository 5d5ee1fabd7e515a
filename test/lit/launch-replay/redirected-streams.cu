// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that puts a buffer of its own below one of the library's streams: what
// prints by these may look at the device.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can be made' --implicit-check-not=' error: ' %s

#include <cstdio>
#include <iostream>
#include <utility>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}
float *data;
struct Looks : std::streambuf {
  int overflow(int c) override {
    float seen;
    cudaMemcpy(&seen, data, 4, cudaMemcpyDeviceToHost);
    return c;
  }
};
void redirects() {
  static Looks looks;
  std::cout.rdbuf(&looks);
}
void prints(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+1]]:{{.*}} [between]
    std::cout << t << '\n';
    std::swap(a, b);
  }
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void printsByC(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    fprintf(stderr, "%d\n", t);
    std::swap(a, b);
  }
}
