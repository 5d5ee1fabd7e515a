// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behind loops that only a return leaves nothing is written: compilers would
// take it for the end of a function that returns nothing.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay
// RUN: %nvcc -std=c++17 -I%project/runtime -Xcompiler -Werror=return-type -c -o /dev/null %t.cu
// REQUIRES: nvcc
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

__global__ void k(float *a) { a[threadIdx.x] += 1; }

// CHECK-LABEL: int endless(
// CHECK-NOT: flush
int endless(float *a, int n) {
  int i = 0;
  while (true) {
    k<<<1, 32>>>(a);
    if (++i > n)
      return i;
  }
}

// CHECK-LABEL: int withoutCondition(
// CHECK-NOT: flush
int withoutCondition(float *a, int n) {
  for (int i = 0;; ++i) {
    k<<<1, 32>>>(a);
    switch (i - n) {
    case 0:
      break;
    case 1:
      return i;
    }
  }
}

// CHECK-LABEL: int eitherWay(
// CHECK-NOT: flush
int eitherWay(float *a, int n) {
  if (n > 100) {
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a);
    return 1;
  } else {
    return 0;
  }
}

// CHECK-LABEL: int leaves(
int leaves(float *a, int n) {
  int i = 0;
  while (true) {
    k<<<1, 32>>>(a);
    if (++i > n)
      break;
  }
  // CHECK: flush();
  return i;
}
