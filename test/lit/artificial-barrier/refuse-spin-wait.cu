// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that waits for another one before the loop hangs, once that one
// waits for it in the loop: thread 0 signals after the loop.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

__device__ volatile int flagVariable;
__device__ bool isSet(volatile int *flag) { return *flag; }

__global__ void volatileFlag(const float *a, float *out, int n,
                             volatile int *flag) {
  float s = 0;
  if (threadIdx.x)
    while (!*flag)
      ;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-4]]:5: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void volatileVariable(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x)
    do {
    } while (flagVariable == 0);
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-4]]:5: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  flagVariable = 1;
}

__global__ void volatileCast(const float *a, float *out, int n, int *flag) {
  float s = 0;
  if (threadIdx.x)
    while (!*(volatile int *)flag)
      ;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-4]]:5: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void atomicFlag(const float *a, float *out, int n, int *flag) {
  float s = 0;
  if (threadIdx.x)
    while (atomicAdd(flag, 0) == 0)
      ;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-4]]:5: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  atomicExch(flag, 1);
}

__global__ void atomicInVariable(const float *a, float *out, int n, int *flag) {
  float s = 0;
  int seen = 0;
  if (threadIdx.x)
    do {
      seen = atomicOr(flag, 0);
    } while (seen == 0);
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-5]]:5: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  atomicExch(flag, 1);
}

__global__ void breaks(const float *a, float *out, int n, volatile int *flag) {
  float s = 0;
  if (threadIdx.x)
    for (;;)
      if (*flag)
        break;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-5]]:5: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  *flag = 1;
}

// The fence lets the compiler keep no copy of plain memory.
__global__ void fencedFlag(const float *a, float *out, int n, int *flag) {
  float s = 0;
  if (threadIdx.x)
    while (flag[0] == 0)
      __threadfence();
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-4]]:5: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  flag[0] = 1;
}

__global__ void sleeps(const float *a, float *out, int n, int *flag) {
  float s = 0;
  if (threadIdx.x)
    while (flag[0] == 0)
      __nanosleep(20);
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-4]]:5: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  flag[0] = 1;
}

__global__ void asksFunction(const float *a, float *out, int n,
                             volatile int *flag) {
  float s = 0;
  if (threadIdx.x)
    while (!isSet(flag))
      ;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-4]]:5: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  *flag = 1;
}

__device__ void waitFor(volatile int *flag) {
  while (*flag == 0)
    ;
}
__global__ void waitsInFunction(const float *a, float *out, int n,
                                volatile int *flag) {
  float s = 0;
  if (threadIdx.x)
    waitFor(flag);
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-10]]:3: note: {{.*}} [spin-wait]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
  *flag = 1;
}

// CHECK-NOT: to rewrite
