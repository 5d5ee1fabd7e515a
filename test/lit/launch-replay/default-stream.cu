// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources with a default stream for each thread may be linked with others: a
// linker that keeps one of two functions of the runtime's by one name must not
// send launches into the other's stream.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay,grid-barrier -- -DCUDA_API_PER_THREAD_DEFAULT_STREAM
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// REQUIRES: nvcc
// RUN: %nvcc -std=c++17 -I%project/runtime --default-stream per-thread -c -o %t.o %t.cu
// RUN: nm -C %t.o | grep ' W ' | FileCheck --check-prefix=SYMBOL --implicit-check-not='{{ barricade::[^p]}}' %s
// SYMBOL: barricade::per_thread_default_stream::

#include <cstdio>

__global__ void k(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x + 1];
}
// CHECK: ReplayedLaunches
void replays(float *a, float *b, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a, b);
    printf("%d\n", i);
  }
}

// CHECK: launch_persistent_exact
void persists(float *a, float *b, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a, b);
    k<<<1, 32>>>(b, a);
  }
}
