// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another build declares a variable otherwise, finds another function by a
// name, or has more in a class.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=' error: ' %s
// RUN: %barricade --rules=grid-barrier --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=GRID --implicit-check-not=' error: ' %s

#include <cstdio>
#include <utility>

float *seen;
struct Probe {
  operator float() const {
    cudaDeviceSynchronize();
    return *seen;
  }
};
__global__ void add(float *to, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += by;
}

// CHECK: :[[@LINE+8]]:3: note: {{.*}} [other-build]
// GRID: :[[@LINE+7]]:3: note: {{.*}} [other-build]
void local(float *x, int n, int steps) {
#ifdef TRACE
  Probe by;
#else
  float by = 1;
#endif
  for (int s = 0; s < steps; ++s)
    add<<<n / 256, 256>>>(x, by, n - s);
}
// The same, but not in other builds.
//
// CHECK: :[[@LINE+6]]:3: warning: {{.*}} can be made
// GRID: :[[@LINE+5]]:3: warning: {{.*}} can become
void fine(float *x, int n, int steps) {
#ifdef __CUDACC__
  int by = 1;
#endif
  for (int s = 0; s < steps; ++s)
    add<<<n / 256, 256>>>(x, by, n - s);
}

struct Settings {
#ifdef TRACE
  Probe by;
#else
  float by;
#endif
  float other;
};
// CHECK: :[[@LINE+3]]:3: note: {{.*}} [other-build]
// GRID: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void member(float *x, int n, int steps, const Settings &settings) {
  for (int s = 0; s < steps; ++s)
    add<<<n / 256, 256>>>(x, settings.by, n - s);
}

#ifdef TRACE
Probe weight(int) { return {}; }
#else
float weight(int k) { return float(k); }
#endif
// CHECK: :[[@LINE+4]]:3: note: {{.*}} [other-build]
// GRID: :[[@LINE+3]]:3: note: {{.*}} [other-build]
void deduced(float *x, int n, int steps) {
  const auto by = weight(3);
  for (int s = 0; s < steps; ++s)
    add<<<n / 256, 256>>>(x, by, n - s);
}

namespace quiet {
inline float weight(int k) { return float(k); }
} // namespace quiet
namespace probing {
inline float weight(int k) { return Probe() + float(k); }
} // namespace probing
#ifdef TRACE
namespace chosen = probing;
#else
namespace chosen = quiet;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void alias(float *x, int n, int steps) {
  for (int s = 0; s < steps; ++s)
    add<<<n / 256, 256>>>(x, chosen::weight(s), n);
}

#ifdef TRACE
void swap(float *&a, float *&b) {
  cudaDeviceSynchronize();
  std::swap(a, b);
}
#endif
// CHECK: :[[@LINE+4]]:3: note: {{.*}} [other-build]
// GRID: :[[@LINE+3]]:3: note: {{.*}} [other-build]
void swaps(float *x, float *y, int n, int steps) {
  using namespace std;
  for (int s = 0; s < steps; ++s) {
    add<<<n / 256, 256>>>(x, 1, n);
    swap(x, y);
  }
}
// The library's own is named.
//
// CHECK: :[[@LINE+3]]:3: warning: {{.*}} can be made
// GRID: :[[@LINE+2]]:3: warning: {{.*}} can become
void swapsByStd(float *x, float *y, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    add<<<n / 256, 256>>>(x, 1, n);
    std::swap(x, y);
  }
}

namespace traced {
inline cudaError_t cudaMemset(float *p, int value, size_t bytes) {
  cudaDeviceSynchronize();
  return ::cudaMemset((void *)p, value, bytes);
}
} // namespace traced
#ifdef TRACE
using namespace traced;
#endif
// CHECK: :[[@LINE+3]]:3: note: {{.*}} [other-build]
// GRID: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void sets(float *x, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    cudaMemset(x, 0, 4);
    add<<<n / 256, 256>>>(x, 1, n);
  }
}

struct Traced {
  Traced() = default;
  Traced(const Traced &) { cudaDeviceSynchronize(); }
};
struct Derived
#ifdef TRACE
    : Traced
#endif
{
  float by;
};
__global__ void addTo(float *to, Derived d) { to[threadIdx.x] += d.by; }
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void derived(float *x, Derived d, int n, int steps) {
  for (int s = 0; s < steps; ++s, d.by *= 0.5f)
    addTo<<<n / 256, 256>>>(x, d);
}
