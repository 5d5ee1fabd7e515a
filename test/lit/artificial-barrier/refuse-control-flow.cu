// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands around or beside a loop sends the threads different ways.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck %s

// `goto` makes a loop that no keyword shows.
__global__ void outerGoto(const float *a, float *out, int n) {
  float s = 0;
again:
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take an artificial
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (s < threadIdx.x)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [divergent-outer-loop]
    goto again;
  out[threadIdx.x] = s;
}

__global__ void jumpInto(const float *a, float *out, int n) {
  float s = 0;
  int k = 0;
  if (threadIdx.x > 4)
    goto inside;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take an artificial
  for (k = 0; k < n; ++k) {
    // CHECK: :[[#@LINE-4]]:3: note: {{.*}} [divergent-outer-loop]
    s += a[k * 64 + threadIdx.x];
  inside:
    s += 1;
  }
  out[threadIdx.x] = s;
}

__global__ void switchThread(const float *a, float *out, int n) {
  float s = 0;
  switch (threadIdx.x) {
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [divergent-switch]
  case 3:
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

__global__ void switchFallThrough(const float *a, float *out, int n) {
  float s = 0;
  switch (threadIdx.x % 3) {
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [divergent-switch]
  case 0:
    s = 1;
  case 1:
    for (int k = 0; k < n; ++k)
      s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

// Duff's device: threads enter the loop at different statements.
__global__ void duff(const float *a, float *out, int n) {
  float s = 0;
  int k = 0;
  switch (threadIdx.x % 4) {
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [divergent-switch]
  case 0:
    do {
      s += a[k * 64 + threadIdx.x];
    case 1:
      ++k;
    } while (k < n);
  }
  out[threadIdx.x] = s;
}

