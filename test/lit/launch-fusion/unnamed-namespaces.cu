// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of a namespace without a name are written as the program can.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-fusion
// RUN: FileCheck --input-file=%t.cu %s

namespace {
struct Op {
  float factor;
};
enum class Kind { Scale };
template <Kind Of> struct Tagged {
  float factor;
};
} // namespace

template <class F> __global__ void apply(float *x, F f, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    x[i] *= f.factor;
}

void classes(float *d, int n, float k) {
  apply<Op><<<(n + 63) / 64, 64>>>(d, Op{k}, n);
  apply<Op><<<(n + 63) / 64, 64>>>(d, Op{0.5f}, n);
}
// CHECK: static __global__ void apply_apply_fused(float *d, Op f, Op f2, int n) {
// CHECK: apply_step<Op>(
