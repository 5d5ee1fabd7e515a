// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose products are contracted with a later iteration's sums where they
// are unrolled, which a barrier prevents.
//
// RUN: %barricade --explain --profit=any --min-memory-ratio=0 --rules=artificial-barrier %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=warning: %s

__global__ void decays(const float *in, const float *rate, float *out, int n) {
  float acc = 0;
  for (int k = threadIdx.x; k < n; k += 64)
    // CHECK: :[[#@LINE+1]]:9: note: {{.*}} [rounding]
    acc = (acc + in[k]) * rate[k];
  out[threadIdx.x] = acc;
}

__global__ void inMemory(const float *in, const float *rate, float *out,
                         int n) {
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE+1]]:22: note: {{.*}} [rounding]
    out[threadIdx.x] = (out[threadIdx.x] + in[k * 64 + threadIdx.x]) * rate[k];
}

__global__ void sums(const float *in, const float *rate, float *out, int n) {
  float acc = 0, all = 1;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = threadIdx.x; k < n; k += 64) {
    acc += in[k] * rate[k];
    all *= in[k];
  }
  out[threadIdx.x] = acc + all;
}
