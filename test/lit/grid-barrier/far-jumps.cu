// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps that destroy nothing do not leave the scope of what is declared for a
// persistent kernel: that ends with the loop.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <csetjmp>

__global__ void k(float *a) { a[threadIdx.x + 1] += a[threadIdx.x]; }
jmp_buf place;
void check();

// CHECK: int returnsTwice(
// CHECK:      {{^ *[{] *}}barricade::Takeover takeover(
int returnsTwice(float *a, int n) {
  if (setjmp(place))
    return 1;
  for (int i = 0; i < n; ++i)
    k<<<4, 32>>>(a);
  check();
  return 0;
}

// CHECK: void leavesByAddress(
// CHECK:      {{^ *[{] *}}barricade::Takeover takeover2(
void leavesByAddress(float *a, int n) {
  void *to = &&more;
more:
  --n;
  {
    for (int i = 0; i < n; ++i)
      k<<<4, 32>>>(a);
    if (n)
      goto *to;
  }
}
