// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What else in a kernel synchronises.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

__global__ void tiled(const float *a, float *out, int n) {
  __shared__ float tile[64];
  float s = 0;
  for (int k = 0; k < n; ++k) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [has-barrier]
    tile[threadIdx.x] = a[k * 64 + threadIdx.x];
    __syncthreads();
    s += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

__global__ void votes(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [has-barrier]
    s += a[k * 64 + threadIdx.x];
    if (__syncthreads_count(s > 0) > 4)
      s = 0;
  }
  out[threadIdx.x] = s;
}

// What a rewriting made, and what a user wrote: only the first has the barrier
// of the loops in it.
__global__ void rewritten(const float *a, float *out, const int *n) {
  float s = 0;
  bool active = true;
  for (int k = 0; __syncthreads_or(active); )
    // CHECK: :[[#@LINE+1]]:5: note: the loop already holds a barrier [has-barrier]
    for (int round = 0; round < 4 && (active = active && (k < n[threadIdx.x])); ++round, ++k) {
      // CHECK: :[[#@LINE+2]]:7: remark: for loop could take an artificial barrier, but
      // CHECK: :[[#@LINE-2]]:5: note: {{.*}} [outer-loop]
      for (int j = 0; j < n[0]; ++j)
        s += a[k * j + threadIdx.x];
    }
  bool staying = true;
  for (int k = 0; __syncthreads_or(staying = staying && (k < n[threadIdx.x])); ++k)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [has-barrier]
    if (staying) {
      // CHECK: :[[#@LINE+2]]:7: remark: for loop could take an artificial barrier, but
      // CHECK: :[[#@LINE-4]]:3: note: {{.*}} [outer-loop]
      for (int j = 0; j < n[0]; ++j)
        s += a[k * j + threadIdx.x];
    }
  out[threadIdx.x] = s;
}

__global__ void votesInHeader(const float *a, float *out, int n) {
  float s = 0;
  while (__syncthreads_or(s < 100)) {
    for (int j = 0; j < n; ++j)
      // CHECK: :[[#@LINE-1]]:5: warning: {{.*}}can take an artificial barrier
      s += a[j * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}

__device__ void stop() { __syncthreads(); }
__device__ void stopDeeper() { stop(); }
__global__ void barrierInCallee(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [has-barrier]
    s += a[k * 64 + threadIdx.x];
    stopDeeper();
  }
  out[threadIdx.x] = s;
}

__global__ void divergentBarrier(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x < 32)
    __syncthreads();
  // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [divergent-barrier]
  out[threadIdx.x] = s;
}

__global__ void divergentCount(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  for (int j = threadIdx.x; j < n; j += 64)
    __syncthreads();
  // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [divergent-barrier]
  out[threadIdx.x] = s;
}

__global__ void barrierInDivergentCall(const float *a, float *out, int n) {
  // CHECK: :[[#@LINE+2]]:3: remark: for loop cannot take
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x < n)
    stop();
  // CHECK: note: {{.*}} [divergent-barrier]
  out[threadIdx.x] = s;
}

__global__ void asmBarrier(const float *a, float *out, int n) {
  float s = 0;
  asm volatile("bar.sync 1, 64;");
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [inline-asm]
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void asmAmong(const float *a, float *out, int n) {
  float s = 0;
  asm volatile("mov.f32 %0, 0f00000000; barrier.sync 2;" : "=f"(s));
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [inline-asm]
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void asmExit(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x > n)
    asm volatile("exit;");
  // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [inline-asm]
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void asmBranch(const float *a, float *out, int n) {
  float s = 0;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; @p bra L; L: }");
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [inline-asm]
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void asmAcquire(const float *a, float *out, int n, int *flag) {
  float s = 0;
  int seen;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(flag));
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [inline-asm]
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s + seen;
}

__global__ void asmMbarrier(const float *a, float *out, int n) {
  __shared__ unsigned long long barrier;
  float s = 0;
  asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(
      (unsigned)__cvta_generic_to_shared(&barrier)));
  // CHECK: :[[#@LINE-2]]:3: note: {{.*}} [inline-asm]
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// CHECK: file: {{.*}}refused
