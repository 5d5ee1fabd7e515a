// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps that might leave the object's scope without its destructor.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=' error: ' %s
// RUN: sed 's,^// IS-FAR ,,' %s > %t-far.cu
// RUN: sed 's,^// MAY-BE-FAR ,,' %s > %t-else.cu
// RUN: %barricade --rules=launch-replay --profit=any --explain %t-far.cu -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=FAR --implicit-check-not='can be made' %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %t-else.cu -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=FAR --implicit-check-not='can be made' %s
// RUN: %barricade --rules=launch-overlap --profit=any --explain %t-far.cu -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=FAR --implicit-check-not='overlaps' %s
// FAR: [no-place]

#include <csetjmp>

__global__ void k(float *a);
jmp_buf place;
// IS-FAR void fail() { longjmp(place, 1); }
// MAY-BE-FAR #ifdef FAR
// MAY-BE-FAR void fail() { longjmp(place, 1); }
// MAY-BE-FAR #endif
void check();

// CHECK: :[[@LINE+4]]:3: note: {{.*}}[no-place]
int returnsTwice(float *a, int n) {
  if (setjmp(place))
    return 1;
  for (int i = 0; i < n; ++i)
    k<<<1, 32>>>(a + i);
  check();
  return 0;
}

// CHECK: :[[@LINE+6]]:5: note: {{.*}}[no-place]
void leavesByAddress(float *a, int n) {
  void *to = &&more;
more:
  --n;
  {
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
    if (n)
      goto *to;
  }
}

// CHECK: :[[@LINE+5]]:5: note: {{.*}}[no-place]
void leavesByAssembly(float *a, int n) {
more:
  --n;
  {
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
    asm goto("" : : : : more);
  }
}

// CHECK: :[[@LINE+5]]:5: {{.*}}can be made many at a time
void leavesByName(float *a, int n) {
more:
  --n;
  {
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
    if (n)
      goto more;
  }
}
