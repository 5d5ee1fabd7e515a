// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stretch whose first launch cannot overlap is one all the same.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-overlap -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=launch-overlap --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=SAYS %s

#include <cstdio>
__global__ void pointed(float *to, const float *from) {
  to[threadIdx.x] = __ldg(from + threadIdx.x);
}
__global__ void plain(float *a) { a[threadIdx.x] += 1; }

// CHECK:      void first(float *a, float *b) {
// CHECK-NEXT: {{^}}  barricade::OverlappedLaunches overlap;
// CHECK-NEXT: {{^}}  pointed<<<1, 32>>>(b, a);
// CHECK-NEXT: {{^}}  overlap.launch(plain, 1, 32, 0, nullptr, b);
// CHECK-NEXT: {{^}}  overlap.launch(plain, 1, 32, 0, nullptr, a);
void first(float *a, float *b) {
  pointed<<<1, 32>>>(b, a); // SAYS-DAG: [[@LINE]]:3: remark: launch cannot overlap
  plain<<<1, 32>>>(b);      // SAYS-DAG: [[@LINE]]:3: warning: 2 launches can begin
  plain<<<1, 32>>>(a);
}
// CHECK:      void firstTwo(float *a, float *b) {
// CHECK-NEXT: {{^}}  barricade::OverlappedLaunches overlap2;
// CHECK-NEXT: {{^}}  pointed<<<1, 32>>>(b, a);
// CHECK-NEXT: {{^}}  pointed<<<1, 32>>>(a, b);
// CHECK-NEXT: {{^}}  overlap2.launch(plain, 1, 32, 0, nullptr, b);
// CHECK-NEXT: {{^}}  overlap2.launch(plain, 1, 32, 0, nullptr, a);
void firstTwo(float *a, float *b) {
  pointed<<<1, 32>>>(b, a); // SAYS-DAG: [[@LINE]]:3: remark: launch cannot overlap
  pointed<<<1, 32>>>(a, b); // SAYS-DAG: [[@LINE]]:3: remark: launch cannot overlap
  plain<<<1, 32>>>(b);      // SAYS-DAG: [[@LINE]]:3: warning: 2 launches can begin
  plain<<<1, 32>>>(a);
}
// CHECK:      void conditional(
// CHECK-NEXT: {{^}}  barricade::OverlappedLaunches overlap3;
// CHECK-NEXT: {{^}}  if (copies)
// CHECK-NEXT: {{^}}    pointed<<<1, 32>>>(b, a);
void conditional(float *a, float *b, bool copies) {
  if (copies)               // SAYS-DAG: [[@LINE]]:3: warning: 2 launches can begin
    pointed<<<1, 32>>>(b, a); // SAYS-DAG: [[@LINE]]:5: remark: launch cannot overlap
  plain<<<1, 32>>>(b);
  plain<<<1, 32>>>(a);
}
// Suppressed at any launch that would overlap, but for the one that would not.
//
// CHECK:      void suppressed(float *a, float *b) {
// CHECK-NEXT: {{^}}  pointed<<<1, 32>>>(b, a);
void suppressed(float *a, float *b) {
  pointed<<<1, 32>>>(b, a);
  plain<<<1, 32>>>(b);
  plain<<<1, 32>>>(a); // NOLINT(barricade-launch-overlap)
}
// One launch follows none that would start it early.
//
// CHECK:      void one(float *a, float *b) {
// CHECK-NEXT: {{^}}  pointed<<<1, 32>>>(b, a);
// CHECK-NEXT: {{^}}  plain<<<1, 32>>>(b);
void one(float *a, float *b) {
  pointed<<<1, 32>>>(b, a);
  plain<<<1, 32>>>(b);
}

int main() {
  float *a, *b, host[32];
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  for (int i = 0; i < 32; ++i)
    host[i] = float(i * 7 % 31);
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  first(a, b);
  firstTwo(a, b);
  conditional(a, b, true);
  suppressed(a, b);
  one(a, b);
  for (float *each : {a, b}) {
    cudaMemcpy(host, each, sizeof(host), cudaMemcpyDeviceToHost);
    for (float x : host)
      printf("%g ", double(x));
  }
}
