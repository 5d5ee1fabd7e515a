// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read by header.test in two ways.
inline __device__ float columnSum(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    SKIP
    s += a[k * 64 + threadIdx.x];
  }
  return s;
}
