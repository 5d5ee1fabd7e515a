// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that go on without a launch now and then: they must not look at what
// others may change meanwhile.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=' error: ' %s

#include <algorithm>
#include <utility>

__global__ void k(float *a, float *b);
float *shared, *other;

// CHECK: :[[@LINE+2]]:3: warning: launches in a loop can be made many at a time
void skips(float *a, float *b, int n) {
  for (int t = 0; t < n; ++t) {
    if (t % 3 == 0)
      continue;
    k<<<1, std::min(n, 32)>>>(a, b);
    std::swap(a, b);
  }
}
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop can be made many at a time
void inOne(float *a, float *b, int n, const int *ends) {
  for (int t = 0; t < ends[0]; ++t)
    k<<<1, 32>>>(a, b), std::swap(a, b);
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}}[between]
void ofAll(float *a, float *b, int n) {
  for (int t = 0; t < n; ++t) {
    if (t % 3 == 0)
      continue;
    k<<<1, 32>>>(a, b);
    std::swap(shared, other);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}}[between]
void byPointers(float *a, float *b, int *p, int *q, int n) {
  for (int t = 0; t < n; ++t) {
    if (t % 3 == 0)
      continue;
    k<<<1, 32>>>(a, b);
    std::swap(*p, *q);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}}[between]
void byReference(float *a, float *&b, int n) {
  for (int t = 0; t < n; ++t) {
    if (t % 3 == 0)
      continue;
    k<<<1, 32>>>(a, a);
    std::swap(a, b);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}}[between]
void chosen(float *a, float *b, int n, const int *ends) {
  for (int t = 0; t < ends[0]; ++t)
    t % 3 ? k<<<1, 32>>>(a, b) : (void)0, std::swap(a, b);
}
