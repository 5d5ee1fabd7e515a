// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__global__ void relax(Real *to, const Real *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    to[i] = from[i - 1] * 2;
}
inline void often(Real *a, Real *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<4, 64>>>(a, b, n);
    Real *swapped = a;
    a = b;
    b = swapped;
  }
}
inline void twice(Real *a, Real *b, int n) {
  relax<<<4, 64>>>(a, b, n);
  relax<<<4, 64>>>(b, a, n);
}
