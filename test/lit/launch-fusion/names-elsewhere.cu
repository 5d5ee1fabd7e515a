// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program calls a type where a kernel stands may be another one beside
// the host function: by a namespace, a directive that leads to one, or a macro.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-fusion,grid-barrier --grid-barrier-from-start
// RUN: FileCheck --input-file=%t.cu %s
// RUN: %barricade --rules=launch-fusion,grid-barrier --explain %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefix=WHY %s

#include <cstdio>

using Real = double;
struct Wide {
  double factor;
};
__global__ void scale(double *x, Real by) { x[threadIdx.x] *= by; }
__global__ void widen(double *x, Wide by) { x[threadIdx.x] *= by.factor; }
static Wide tenth() { return {0.1}; }

namespace far {
using Real = float;
struct Wide {
  float factor;
  __host__ __device__ Wide(::Wide by) : factor(float(by.factor)) {}
  __host__ __device__ operator ::Wide() const { return {factor}; }
};
} // namespace far
namespace between {
using namespace far;
}

// The directive's directive.
namespace near {
using namespace between;
// CHECK: void scale_scale_fused(double *x, ::Real by, ::Real by2)
void directives(double *x, double a, double b) {
  scale<<<1, 64>>>(x, a);
  scale<<<1, 64>>>(x, b);
}
// CHECK: void deduced_persistent({{.*}}, ::Wide by,
void deduced(double *x, int steps) {
  const auto by = tenth();
  for (int step = 0; step < steps; ++step)
    widen<<<1, 64>>>(x, by);
}
} // namespace near

// The kernel's own namespace, but behind it.
namespace later {
__global__ void shift(double *x, Real by) { x[threadIdx.x] += by; }
} // namespace later
namespace later {
using Real = float;
// CHECK: void shift_shift_fused(double *x, ::Real by, ::Real by2)
void reopened(double *x, double a, double b) {
  shift<<<1, 64>>>(x, a);
  shift<<<1, 64>>>(x, b);
}
} // namespace later

// A value that means something else before the function.
template <int By> __global__ void add(double *x) { x[threadIdx.x] += By; }
#define TILE 1
void macros(double *x) {
#undef TILE
#define TILE 3
  // WHY-DAG: :[[#@LINE+1]]:6: note: {{.*}} [name-clash]
  add<TILE><<<1, 64>>>(x);
  add<TILE + 1><<<1, 64>>>(x);
}

// A parameter that no kernel reads has no name.
// CHECK: void drops_drops_fused(double *x, int)
__global__ void drops(double *x, int) { x[threadIdx.x] += 1; }
void unread(double *x, int n) {
  drops<<<1, 64>>>(x, n);
  drops<<<1, 64>>>(x, n);
}

// WHY-DAG: :[[#@LINE+1]]:38: note: {{.*}} [name-clash]
__global__ void lift(double *x, Real by) { x[threadIdx.x] += by; }
struct Narrow {
  float factor;
};
#define Real float
void spelled(double *x, double a, double b) {
  lift<<<1, 64>>>(x, a);
  lift<<<1, 64>>>(x, b);
}
#define Wide Narrow
void loops(double *x, int steps) {
  const auto by = tenth();
  // WHY-DAG: :[[#@LINE-1]]:14: note: {{.*}} [name-clash]
  for (int step = 0; step < steps; ++step)
    widen<<<1, 64>>>(x, by);
}

int main() {
  double *x, host[64];
  for (int i = 0; i < 64; ++i)
    host[i] = i * 17 % 31;
  cudaMalloc(&x, sizeof(host));
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  near::directives(x, 0.1, 0.3);
  near::deduced(x, 3);
  later::reopened(x, 0.1, 0.7);
  macros(x);
  unread(x, 5);
  spelled(x, 0.1, 0.3);
  loops(x, 2);
  cudaMemcpy(host, x, sizeof(host), cudaMemcpyDeviceToHost);
  for (double each : host)
    printf("%.17g ", each);
}
