// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that a persistent kernel may take over, or a graph replay: the program
// decides.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=grid-barrier,launch-replay --loop-form=persistent %s -- nvcc -std=c++17 -arch=sm_90 -I%project/test/lit/Inputs 2>&1 | FileCheck --check-prefix=FORM --implicit-check-not='replayed by a graph' %s
// FORM: can become one persistent kernel
// RUN: %barricade --rules='*' --loop-form=replay %s -- nvcc -std=c++17 -arch=sm_90 -I%project/test/lit/Inputs 2>&1 | FileCheck --check-prefix=REPLAY --implicit-check-not='persistent kernel' %s
// REPLAY: can be made many at a time by a graph
// RUN: not %barricade --loop-form=any %s 2>&1 | FileCheck --check-prefix=ANY %s
// ANY: auto, persistent, replay, overlap or none

#include <cstdlib>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

__global__ void count(const float *from, int *changed) {
  if (from[threadIdx.x] > 1)
    *changed = 1;
}

// CHECK-LABEL: {{^}}void counted(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replayed(steps);
// CHECK-NEXT: {{^}}  barricade::Takeover takeover(counted_persistent, (n + 63) / 64, 0, replayed);
// CHECK-NEXT: {{^}}  for (int step = 0; step < steps; ++step) {
// CHECK-NEXT: {{^}}    if (takeover.is_due(steps - step) &&
// CHECK: {{^}}      break;
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    replayed.launch(relax, (n + 63) / 64, 64, 0, nullptr, a, b, n);
// CHECK: {{^}}  }
// CHECK-NEXT: {{^}}  replayed.flush();
// CHECK-NEXT: {{^}}  cudaDeviceSynchronize();
void counted(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<(n + 63) / 64, 64>>>(a, b, n);
    float *c = a;
    a = b;
    b = c;
  }
  cudaDeviceSynchronize();
}

// The body is the launch alone, and nobody knows how often it runs.
//
// CHECK-LABEL: {{^}}void uncounted(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replayed2;
// CHECK-NEXT: {{^}}  barricade::Takeover takeover2({{.*}}, replayed2);
// CHECK-NEXT: {{^}}  for (; n > 64; n /= 2) {
// CHECK: {{^}}    replayed2.launch(relax, 4, 64, 0, nullptr, a, a + 2048, n);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replayed2.flush();
void uncounted(float *a, int n) {
  for (; n > 64; n /= 2)
    relax<<<4, 64>>>(a, a + 2048, n);
}

// Waits come later, with their errors.
//
// CHECK-LABEL: {{^}}void waits(
// CHECK-NEXT: {{^}}  cudaError_t last = cudaErrorNotReady;
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches [[W:replayed[0-9]*]](steps);
// CHECK-NEXT: {{^}}  barricade::Takeover [[T:takeover[0-9]*]](waits_persistent, n / 64, 0, [[W]]);
// CHECK-NEXT: {{^}}  for (int step = 0; step < steps; ++step) {
// CHECK-NEXT: {{^}}    if ([[T]].is_due(steps - step)) {
// CHECK-NEXT: {{^}}      cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}      if (barricade::launch_persistent_exact(
// CHECK:      {{^}}        last = cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}        if (last != cudaSuccess)
// CHECK-NEXT: {{^}}          exit(1);
// CHECK-NEXT: {{^}}        break;
// CHECK:      {{^}}    [[W]].launch(relax, n / 64, 64, 0, nullptr, a, b, n + step);
// CHECK-NEXT: {{^}}    last = [[W]].synchronize();
// CHECK-NEXT: {{^}}    if (last != cudaSuccess)
// CHECK-NEXT: {{^}}      exit(1);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  if ([[W]].flush() != cudaSuccess) {
// CHECK-NEXT: {{^}}    last = [[W]].flush_error();
// CHECK-NEXT: {{^}}    if (last != cudaSuccess)
// CHECK-NEXT: {{^}}      exit(1);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
void waits(float *a, float *b, int n, int steps) {
  cudaError_t last = cudaErrorNotReady;
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 64, 64>>>(a, b, n + step);
    last = cudaDeviceSynchronize();
    if (last != cudaSuccess)
      exit(1);
  }
}

// Not in a loop that pauses.
//
// CHECK-LABEL: {{^}}void pauses(
// CHECK-NOT: barricade::ReplayedLaunches
// CHECK: {{^}}    cudaDeviceSynchronize();
// CHECK: {{^}}}
void pauses(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 64, 64>>>(a, b, n + step);
    cudaDeviceSynchronize();
    if (step == 7 && cudaGetLastError() != cudaSuccess)
      exit(1);
  }
}

// What is read back in between cannot come later, but the device can go on by it.
//
// CHECK-LABEL: {{^}}void until(
// CHECK: {{^}}  barricade::LoopedLaunches looped(
// CHECK-NEXT: {{^}}      barricade::while_read<int>(barricade::NotEqual(), 0));
// CHECK-NEXT: {{^}}  barricade::Takeover [[U:takeover[0-9]*]]({{.*}},
// CHECK-NEXT: {{^}}                                {{.*}}, looped);
// CHECK-NEXT: {{^}}  while (again) {
// CHECK-NEXT: {{^}}    if ([[U]].is_due() &&
// CHECK: {{^}}      break;
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    looped.next();
// CHECK-NEXT: {{^}}    looped.launch(relax, 4, 64, 0, nullptr, a, b, n);
// CHECK-NEXT: {{^}}    looped.launch(count, 1, 64, 0, nullptr, a, changed);
// CHECK-NEXT: {{^}}    looped.memcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
// CHECK-NEXT: {{^}}  }
void until(float *a, float *b, int *changed, int n) {
  int again = 1;
  while (again) {
    relax<<<4, 64>>>(a, b, n);
    count<<<1, 64>>>(a, changed);
    cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
  }
}

// Nor if iterations ask for different things: a kernel may take them over.
//
// CHECK-LABEL: {{^}}void exchanging(
// CHECK-NOT: barricade::LoopedLaunches
// CHECK: {{^}}    relax<<<4, 64>>>(a, b, n);
// CHECK: {{^}}}
void exchanging(float *a, float *b, int *changed, int n) {
  int again = 1;
  while (again) {
    relax<<<4, 64>>>(a, b, n);
    count<<<1, 64>>>(a, changed);
    cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
    float *c = a;
    a = b;
    b = c;
  }
}
