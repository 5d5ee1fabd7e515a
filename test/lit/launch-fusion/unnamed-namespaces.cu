// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of a namespace without a name are written as the program can.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-fusion
// RUN: FileCheck --input-file=%t.cu %s
// RUN: %barricade --rules=launch-fusion,grid-barrier --explain %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefix=HIDDEN %s

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

// Beside these functions the names mean other types.
namespace {
using Real = double;
struct Wide {
  double factor;
};
} // namespace
__global__ void scale(double *x, Real by, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    x[i] *= by;
}
__global__ void widen(double *x, Wide by, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    x[i] *= by.factor;
}
static Wide tenth() { return {0.1}; }
namespace fast {
using Real = float;
struct Wide {
  float factor;
  __host__ __device__ Wide(::Wide by) : factor(float(by.factor)) {}
  __host__ __device__ operator ::Wide() const { return {factor}; }
};
void hidden(double *x, int n, double a, double b) {
  scale<<<(n + 63) / 64, 64>>>(x, a, n);
  scale<<<(n + 63) / 64, 64>>>(x, b, n);
}
// HIDDEN-DAG: :[[#@LINE-22]]:39: note: {{.*}} [name-clash]
void deduced(double *x, int n, int steps) {
  const auto by = tenth();
  for (int t = 0; t < steps; ++t)
    widen<<<(n + 63) / 64, 64>>>(x, by, n);
}
// HIDDEN-DAG: :[[#@LINE-4]]:14: note: {{.*}} [name-clash]
} // namespace fast
