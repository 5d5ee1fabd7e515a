// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

template <typename T> __global__ void ofHeader(T *a) { a[threadIdx.x] += 1; }
template <typename T> void inHeader(T *a, int n) {
  for (int i = 0; i < n; ++i)
    ofHeader<T><<<1, 32>>>(a);
}
