// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits in a loop that may come later, for nobody looks at what was waited for.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=TOLD %s

#include <cassert>
#include <cstdio>
#include <utility>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(n > 0);
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

// TOLD: :[[@LINE+13]]:3: note: launches 1, waits 1
// CHECK-LABEL: int blocksFor(
inline int blocksFor(int n) { return (n + 255) / 256; }
// CHECK-LABEL: void plain(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(steps);
// CHECK-NEXT: {{^}}  for (int step = 0; step < steps; ++step) {
// CHECK-NEXT: {{^}}    replay.launch(relax, blocksFor(n), 256, 0, nullptr, a, b, n);
// CHECK-NEXT: {{^}}    replay.synchronize();
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replay.flush();
// CHECK-NEXT: {{^}}}
void plain(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<blocksFor(n), 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
}

// CHECK-LABEL: void inStream(
// CHECK:      {{^}}    replay.memset_async(a, 0, 4 * n, s);
// CHECK-NEXT: {{^}}    replay.launch(relax, n / 256, 256, 0, s, a, b, n);
// CHECK-NEXT: {{^}}    (void)replay.synchronize(s);
// CHECK-NEXT: {{^}}    if (step % 2)
// CHECK-NEXT: {{^}}      replay.launch(relax, n / 256, 256, 0, s, b, a, n);
// CHECK-NEXT: {{^}}    replay.synchronize();
void inStream(float *a, float *b, int n, int steps, cudaStream_t s) {
  for (int step = 0; step < steps; ++step) {
    cudaMemsetAsync(a, 0, 4 * n, s);
    relax<<<n / 256, 256, 0, s>>>(a, b, n);
    (void)cudaStreamSynchronize(s);
    if (step % 2)
      relax<<<n / 256, 256, 0, s>>>(b, a, n);
    cudaDeviceSynchronize();
  }
}

// Branches that look at what was waited for pause, and so do waits in them.
// TOLD: :[[@LINE+10]]:3: note: launches 1, waits 1, pauses 1
// CHECK-LABEL: void reports(
// CHECK:      {{^}}    replay.launch(relax, n / 256, 256, 0, nullptr, a, b, n);
// CHECK-NEXT: {{^}}    replay.synchronize();
// CHECK-NEXT: {{^}}    if (step % 100 == 0) {
// CHECK-NEXT: {{^}}      replay.flush();
// CHECK-NEXT: {{^}}      cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}      printf("%g\n", managed[0]);
// CHECK-NEXT: {{^}}    }
void reports(float *a, float *b, float *managed, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    if (step % 100 == 0) {
      cudaDeviceSynchronize();
      printf("%g\n", managed[0]);
    }
    std::swap(a, b);
  }
}

// A loop by itself: what stands around it may look at what it waited for.
// CHECK-LABEL: void looks(
// CHECK:      {{^}}  replay.flush();
// CHECK-NEXT: {{^}}  managed[0] += 1;
// CHECK-NEXT: {{^}}  for (int step = 0; step < 3; ++step)
// CHECK-NEXT: {{^}}    relax<<<n / 256, 256>>>(b, a, n);
void looks(float *a, float *b, float *managed, int n) {
  for (int step = 0; step < 300; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  managed[0] += 1;
  for (int step = 0; step < 3; ++step)
    relax<<<n / 256, 256>>>(b, a, n);
}
