// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of one kernel that do different work: a loop runs those that it
// launches.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier
// RUN: FileCheck %s < %t.cu

template <bool Add> __global__ void relax(const int *a, int *b, int *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if constexpr (Add)
    w[i] += a[i];
  b[i] = a[(i + 1) % n] + w[i];
}

struct Set {
  __device__ void operator()(int &to, int by) const { to = by; }
};
struct Add {
  __device__ void operator()(int &to, int by) const { to += by; }
};
template <typename Op> __global__ void apply(const int *a, int *b, int n, Op op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    op(b[i], a[(i + 1) % n]);
}

// CHECK: void both_persistent(
void both(int *a, int *b, int *w, int n) {
  for (int t = 0; t < 4; ++t) {
    relax<false><<<4, 64>>>(a, b, w, n);
    relax<true><<<4, 64>>>(b, a, w, n);
  }
}

// CHECK: void one_persistent(
void one(int *a, int *b, int *w, int n) {
  for (int t = 0; t < 4; ++t) {
    relax<false><<<4, 64>>>(a, b, w, n);
    relax<false><<<4, 64>>>(b, a, w, n);
  }
}

// CHECK: void sets_persistent(
void sets(int *a, int *b, int n) {
  for (int t = 0; t < 4; ++t) {
    apply<<<4, 64>>>(a, b, n, Set());
    apply<<<4, 64>>>(b, a, n, Set());
  }
}

// CHECK: void adds_persistent(
void adds(int *a, int *b, int n) {
  for (int t = 0; t < 4; ++t) {
    apply<<<4, 64>>>(a, b, n, Add());
    apply<<<4, 64>>>(b, a, n, Add());
  }
}
