// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels do not read is handed on to nobody: its parameter may seem to be
// named, by a member, a qualified name or a comment.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: %clang -fsyntax-only --cuda-host-only -nocudalib -Wno-unknown-cuda-version -std=c++17 -Wall -Wextra -Werror -I%project/runtime -D_CG_LIMIT_INCLUDED_DEPENDENCIES %t.cu
// RUN: FileCheck --input-file=%t.cu %s

#include <cstdio>

struct Sizes {
  int n;
};
namespace fixed {
constexpr int m = 64;
}
__global__ void add(int *x, int, int by) { x[threadIdx.x] += by; }

// CHECK: members_persistent(
// CHECK: {{\[\[maybe_unused\]\]}} int n,
void members(int *x, int n, Sizes s, int steps) {
  for (int step = 0; step < steps; ++step)
    add<<<1, 64>>>(x, n, s.n); // of n values
}

// CHECK: qualified_persistent(
// CHECK: {{\[\[maybe_unused\]\]}} int m)
void qualified(int *x, int m, int steps) {
  for (int step = 0; step < steps; ++step) {
    // As many as m.
    add<<<1, 64>>>(x, m, ::fixed::m);
  }
}

// CHECK: read_persistent(
// CHECK-NOT: maybe_unused
// CHECK: int n)
void read(int *x, int n, int steps) {
  for (int step = 0; step < steps; ++step)
    add<<<1, 64>>>(x, 1, n);
}

int main() {
  int *x;
  cudaMallocManaged(&x, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    x[i] = i;
  members(x, 1, Sizes{3}, 5);
  qualified(x, 2, 5);
  read(x, 2, 5);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d ", x[i]);
}
