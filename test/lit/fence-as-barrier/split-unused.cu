// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters that one half of a cut kernel does not use, where the build warns
// of those.
//
// RUN: %rewrite-check %s %t.cu --rules=fence-as-barrier
// RUN: FileCheck --check-prefix=QUIET %s < %t.cu
// RUN: not %barricade --rules=fence-as-barrier --dry-run %s -- clang++ -x cuda --cuda-gpu-arch=sm_80 -std=c++17 -Wall -Wextra -Werror 2>/dev/null | FileCheck %s
// RUN: not %barricade --rules=fence-as-barrier --dry-run %s -- clang++ -x cuda --cuda-gpu-arch=sm_80 -std=c++14 -Wall -Wextra -Werror -Wno-c++17-extensions 2>/dev/null | FileCheck --check-prefix=OLD %s
// QUIET:     static __global__ void shift(int *out, const int *in, int *buffer,
// QUIET:     static __global__ void shift_rest(int *out, const int *in, int *buffer,

// OLD:       +static __global__ void shift(__attribute__((unused)) int *out, const int *in,
// OLD:       +static __global__ void shift_rest(int *out, __attribute__((unused)) const int *in,

// CHECK:      +static __global__ void shift([[MAYBE:\[\[maybe_unused\]\]]] int *out, const int *in,
// CHECK:      +{{ +}}int n, [[MAYBE]] int by,
// CHECK:      +static __global__ void shift_rest(int *out, [[MAYBE]] const int *in,
// CHECK-NEXT: +{{ +}}int n, int by,
// CHECK-NEXT: +{{ +}}[[MAYBE]] int named) {
static __global__ void shift(int *out, const int *in, int *buffer,
                             int n, int by,
                             [[maybe_unused]] int named) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    buffer[i] = in[i];
  __threadfence();
  if (i + 1 < n)
    out[i] = buffer[i + 1] + by;
}
void shifts(int *out, const int *in, int *buffer, int n) {
  shift<<<(n + 63) / 64, 64>>>(out, in, buffer, n, 3, 4);
}
