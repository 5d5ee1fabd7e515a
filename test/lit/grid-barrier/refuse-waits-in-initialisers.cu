// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constructor's initialisers can wait for another thread, too.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

__device__ volatile int flag;

struct Waits {
  int got;
  __device__ Waits(int v) : got(({ while (flag == 0) {} v; })) {}
};
// CHECK: :[[#@LINE-2]]:36: note: {{.*}} [spin-wait]
__global__ void waits(int *p) { p[threadIdx.x] += Waits(1).got; }
void loopWaits(int *p, int n) {
  for (int t = 0; t < n; ++t)
    waits<<<1, 64>>>(p);
}

// CHECK-NOT: [spin-wait]

struct Counts {
  int got;
  __device__ Counts(int v) : got(({ for (int i = 0; i < 4; ++i) v += i; v; })) {}
};
__global__ void counts(int *p) { p[threadIdx.x] += Counts(1).got; }
void loopCounts(int *p, int n) {
  for (int t = 0; t < n; ++t)
    counts<<<1, 64>>>(p);
}
