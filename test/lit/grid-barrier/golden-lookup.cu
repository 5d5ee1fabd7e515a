// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of kernels with one name in two namespaces, written by two rules. A
// step takes a type of the global namespace: looked up without a qualifier, the
// other kernel's would be found as well, and fits better.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-fusion
// RUN: FileCheck %s < %t.cu

__global__ void add(int *a, int *b, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[n - 1 - i] = a[i] - by;
}
void once(int *a, int *b, int n) {
  add<<<4, 64>>>(a, b, n, 3);
  add<<<4, 64>>>(b, a, n, 4);
}

namespace ns {
// CHECK:      ::ns::add_step(blockIdx, a, b, n, by);
// CHECK:      void loop_persistent(
// CHECK:      ::ns::add_step(blockIdx, a, b, n, t);
__global__ void add(const int *a, int *b, int n, long by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[n - 1 - i] += a[i] + by;
}
void loop(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    add<<<4, 64>>>(a, b, n, long(t));
}
} // namespace ns

// The same for a kernel in no namespace, by the namespace of its argument.
//
// CHECK:      ::take_step(blockIdx, r, a, b, n, by);
// CHECK:      void taken_persistent(
// CHECK:      ::take_step(blockIdx, r, a, a, n, t);
namespace ns {
struct Record {
  int v;
};
__global__ void take(Record r, int *a, int *b, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[n - 1 - i] - by * r.v;
}
} // namespace ns
void twice(ns::Record r, int *a, int *b, int n) {
  ns::take<<<4, 64>>>(r, a, b, n, 3);
  ns::take<<<4, 64>>>(r, b, a, n, 4);
}
__global__ void take(ns::Record r, const int *a, int *b, int n, long by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += a[i] * r.v + by;
}
void taken(ns::Record r, int *a, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    ::take<<<4, 64>>>(r, a, a, n, t);
}
