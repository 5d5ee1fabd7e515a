// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another build has a macro of a name that the runtime's members have.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can be made' --implicit-check-not=' error: ' %s
// RUN: %barricade --rules=launch-overlap --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=OVERLAP --implicit-check-not=' error: ' %s
// RUN: %barricade --rules=grid-barrier --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=GRID --implicit-check-not='can become' --implicit-check-not=' error: ' %s

#ifdef FAST
#define memset __builtin_memset
#define is_due(x) (x)
#endif
#ifdef SLOW
#define launch start
#endif

__global__ void k(int *x) { x[threadIdx.x] += 1; }

// CHECK: :[[@LINE+3]]:3: note: {{.*}} [runtime-name]
// GRID: :[[@LINE+2]]:3: note: {{.*}} [runtime-name]
void sets(int *x, int n) {
  for (int t = 0; t < n; ++t) {
    cudaMemset(x, 0, 4);
    k<<<1, 32>>>(x);
  }
}

// CHECK: :[[@LINE+3]]:3: note: {{.*}} [runtime-name]
// OVERLAP: :[[@LINE+2]]:3: note: {{.*}} [runtime-name]
void launches(int *x, int n) {
  for (int t = 0; t < n; ++t)
    k<<<1, 32>>>(x);
}
