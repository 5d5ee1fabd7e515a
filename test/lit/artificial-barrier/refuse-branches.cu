// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other builds see other code: what changes must not be a part of it. Between
// them, near misses that can be rewritten.
//
// RUN: split-file %s %t
// RUN: %barricade --explain --min-memory-ratio=0 %t/main.cu -- nvcc -arch=sm_80 -I%t "-DEACH=for (int k = 0; k < n; ++k)" 2>&1 | FileCheck --implicit-check-not=warning: %t/main.cu

//--- end.inc
  }
//--- leave.inc
if (a[k] > 3) break;
//--- sum.inc
s += a[k * 64 + t] * a[k];
//--- main.cu
#if defined(FAST) && 1
#define ROWS(k) for (int k = 0; k < n; k += 2)
#else
#define ROWS(k) for (int k = 0; k < n; ++k)
#endif
#ifndef COLUMNS
#define COLUMNS(k) for (int k = 0; k < n; ++k)
#endif

__global__ void header(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
#ifdef FAST
  for (int k = t; k < n; k += 32)
#else
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int k = t; k < n; k += 64)
#endif
  {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void headerAndBrace(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
#if 0
  for (int k = 0; k < n; k += 2) {
    s += a[k];
#elif 1
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int k = 0; k < n; ++k) {
#endif
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void body(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int k = 0; k < n; ++k) {
#ifdef FAST
    if (a[k] > t)
      continue;
#else
    s += a[k * 64 + t] * a[k];
#endif
  }
  out[t] = s;
}

// Left out now; another build would skip the barrier.
__global__ void leftOut(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int k = 0; k < n; ++k) {
    /**/ # /**/ ifdef FAST
    if (a[k] > t)
      continue;
#endif
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void digraphs(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int k = 0; k < n; ++k) <%
%:ifdef FAST
    if (a[k] > t)
      continue;
%:endif
    s += a[k * 64 + t] * a[k];
  %>
  out[t] = s;
}

__global__ void otherEnd(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
#ifdef FAST
    s += a[k];
  }
#else
  }
#endif
  out[t] = s;
}

__global__ void condition(const float *a, float *out, int n) {
  float s = 0;
  int j = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  do
    s -= a[j + threadIdx.x];
#ifdef FAST
  while (--j > -n);
#else
  while (--j > 0);
#endif
  out[threadIdx.x] = s * n;
}

__global__ void leaves(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int k = t; k < n; ++k) {
#ifndef FAST
    if (a[k] > 3)
      break;
#endif
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void otherMacro(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  ROWS(k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void otherMacroOfTheCommand(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  COLUMNS(k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void macroOfTheCommand(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  EACH {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void endElsewhere(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
#include "end.inc"
  out[t] = s;
}

__global__ void leavesElsewhere(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int k = t; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
#include "leave.inc"
  }
  out[t] = s;
}

// The same in all builds that have it.
#ifdef FAST
#else
__global__ void whole(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
#ifndef SLOW
    s += a[k];
#endif
  }
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
#include "sum.inc"
#ifdef FAST // nothing but comments and pragmas
#pragma nothing
#endif
  }
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k] + R"(
#if 0
)"[k % 3];
  }
  out[t] = s;
}
#endif
