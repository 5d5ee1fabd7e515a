// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one side does not use, since only the other does, gives no warning.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier --barrier-scope=grid
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --barrier-scope=grid --grid-barrier-from-start
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=grid-barrier --barrier-scope=grid --explain %s -- clang++ -std=c++17 --cuda-gpu-arch=sm_80 -Wall -Wextra -Werror 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Werror all-warnings -I%project/runtime -ptx %t.cu -o %t.ptx %}
//
// VERIFIED-NOT: not-verified

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }

// CHECK: sums_persistent(
// CHECK-NEXT: {{^ *}}int *p, [[MARK:.*maybe_unused.*]]int sum) {
int sums(int *p, int n) {
  int sum = 0;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    sum += t;
  }
  return sum;
}

// CHECK: keepsLast_persistent(
// CHECK: {{^}}  [[MARK]]int last;
int keepsLast(int *p, int n) {
  int last;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    last = t;
  }
  return n > 0 ? last : 0;
}

// CHECK: keepsTwo_persistent(
// CHECK: {{^}}  [[MARK]]int last;
// CHECK: {{^}}  [[MARK]]int before;
int keepsTwo(int *p, int n) {
  int last = -1, before = -1, sum = 0;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    last = t;
    before = sum;
    sum += t;
  }
  return last + before;
}

// CHECK: largest_persistent(
// CHECK-NEXT: {{^ *}}int *p, int most) {
int largest(int *p, int n) {
  int most = 0;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    if (t > most)
      most = t;
  }
  return most;
}

// CHECK: ownGrid_persistent(
// CHECK: {{^}}  for ([[MARK]]int blocks = n, t = 0; t < 100; ++t) {
// CHECK: {{^}}    for (int blocks = n, t = 0; t < 100; ++t)
void ownGrid(int *p, int n) {
  for (int blocks = n, t = 0; t < 100; ++t)
    add<<<blocks, 64>>>(p, t);
}

// CHECK: ownArguments_persistent(
// CHECK: {{^}}  for (int t = 0, half = n / 2; t < n; ++t) {
// CHECK-NEXT: {{^}}    const int third = n / 3, u = t;
// CHECK: {{^}}int ownArguments(
// CHECK: {{^}}    for ([[MARK]]int t = 0, half = n / 2; t < n; ++t) {
// CHECK-NEXT: {{^}}      [[MARK]]const int third = n / 3, u = t;
// CHECK-NEXT: {{^}}      sum += u;
int ownArguments(int *p, int n) {
  int sum = 0;
  for (int t = 0, half = n / 2; t < n; ++t) {
    const int third = n / 3, u = t;
    add<<<4, 64>>>(p, half);
    add<<<4, 64>>>(p, third);
    sum += u;
  }
  return sum;
}

// Of a declaration's variables one is left to the host.
//
// CHECK: twoExtents_persistent(
// CHECK: [[MARK]]const dim3 grid(n / 64), block(64);
// CHECK: void twoExtents(
// CHECK: [[MARK]]const dim3 grid(n / 64), block(64);
// CHECK-NEXT: {{^ *}}[[L:largest[0-9]*]].include(grid);
void twoExtents(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    const dim3 grid(n / 64), block(64);
    add<<<grid, block>>>(p, t);
    add<<<grid.x + t % 2, block>>>(p, t);
  }
}

// What has no value yet, though something around the loop might have given it
// one, is not copied: into the kernel, or to find the largest grid.
//
// CHECK: setInside_persistent(
// CHECK-NOT: by)
// CHECK: {{^}}  int by;
// CHECK-NEXT: {{^}}  for (int t = 0; t < n; ++t) {
int setInside(int *p, int n) {
  int by, sum = 0;
  for (int round = 0; round < 2; ++round) {
    for (int t = 0; t < n; ++t) {
      by = t * 2;
      add<<<4, 64>>>(p, by);
    }
    sum += *new int(round);
  }
  return sum;
}
// CHECK: int again(
// CHECK: LargestGrid [[G:grids[0-9]*]];
// CHECK-NEXT: {{^ *}}int t;
// CHECK-NEXT: {{^ *}}for (t = 0; t < n; ++t)
int again(int *p, int n) {
  int t, rounds = 0;
again:
  for (t = 0; t < n; ++t)
    add<<<1 + t, 64>>>(p, t);
  if (++rounds < 2)
    goto again;
  return t;
}
// Where an iteration may keep it, or none may set it, it is.
//
// CHECK: keptInside_persistent(
// CHECK-NEXT: {{^ *}}int by, int *p) {
int keptInside(int *p, int n) {
  int by;
  for (int round = 0; round < 2; ++round) {
    if (round == 0)
      by = *new int(3);
    for (int t = 0; t < n; ++t) {
      if (t == 2)
        by = t;
      add<<<4, 64>>>(p, by);
    }
  }
  return 0;
}
