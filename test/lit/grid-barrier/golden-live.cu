// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host may still look at after the loop has the value that it had; and
// whether the loop runs is asked of the same numbers as in it.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }
void mayThrow();

// No call's way to the handler is to be seen.
//
// CHECK-LABEL: int readInHandler(
// CHECK: == cudaSuccess) {
// CHECK-NEXT: for (t = 0; t < n; ++t) {
// CHECK-NEXT: }
// CHECK-NEXT: } else {
int readInHandler(int *p, int n) {
  int t = 0;
  try {
    for (t = 0; t < n; ++t) {
      add<<<4, 64>>>(p, t);
    }
    mayThrow();
    t = 0;
  } catch (...) {
    return t;
  }
  return 0;
}

// A value may be none of the enumeration's.
//
// CHECK-LABEL: int readInNoCase(
// CHECK: == cudaSuccess) {
// CHECK-NEXT: for (t = 0; t < n; ++t) {
// CHECK-NEXT: }
// CHECK-NEXT: } else {
enum class Kind : int { A, B };
int readInNoCase(int *p, int n, Kind kind) {
  int t = 0;
  for (t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
  }
  switch (kind) {
  case Kind::A:
    t = 1;
    break;
  case Kind::B:
    t = 2;
    break;
  }
  return t;
}

// CHECK-LABEL: void waitsFromUnsigned(
// CHECK: if (static_cast<int>(0u) < n) {
// CHECK-NEXT: cudaDeviceSynchronize();
void waitsFromUnsigned(int *p, int n) {
  for (int t = 0u; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaDeviceSynchronize();
  }
}

// CHECK-LABEL: void waitsFromCutOff(
// CHECK: if (static_cast<unsigned char>(300) < n) {
// CHECK-NEXT: cudaDeviceSynchronize();
void waitsFromCutOff(int *p, unsigned char n) {
  for (unsigned char t = 300; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaDeviceSynchronize();
  }
}

// A statement that a macro ends is left out like others, and one that begins
// with a macro.
//
// CHECK-LABEL: int endsInMacro(
// CHECK: == cudaSuccess) {
// CHECK-NEXT: for (int t = 0; t < n; ++t) {
// CHECK-NEXT: if (t % 2)
// CHECK-NEXT: ;
// CHECK-NEXT: last = STEP + t;
// CHECK-NEXT: }
// CHECK-NEXT: } else {
#define STEP 3
#define OFFSET(by) offset += by
int endsInMacro(int *p, int n) {
  int by = 1, offset = 0, last = 0;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p + offset, by);
    by = by + STEP;
    if (t % 2)
      by -= STEP;
    OFFSET(1);
    last = STEP + t;
  }
  return last;
}
