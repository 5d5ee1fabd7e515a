// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops within loops that threads leave at different times, where the outer one
// cannot keep all threads: beside those of golden-nested.test, where it can.
//
// RUN: %barricade --explain --min-memory-ratio=0 %s 2>&1 | FileCheck %s

// A thread that leaves for good would be missed in the inner loop.
__global__ void returns(const float *a, float *out, int n) {
  float s = 0;
  for (int j = threadIdx.x; j < n; ++j) {
    // CHECK: :[[#@LINE+1]]:5: remark: for loop cannot take an artificial
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
    if (s > 3)
      return;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [return-in-loop]
  }
  out[threadIdx.x] = s;
}

__global__ void jumps(const float *a, float *out, int n) {
  float s = 0;
  for (int j = threadIdx.x; j < n; ++j) {
    // CHECK: :[[#@LINE+1]]:5: remark: for loop cannot take an artificial
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
    if (s > 3)
      goto next;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [loop-shape]
    s += 1;
  next:;
  }
  out[threadIdx.x] = s;
}

// Some threads of an iteration would not come to the inner loop, and more than
// a condition says so.
__global__ void continues(const float *a, float *out, int n) {
  float s = 0;
  for (int j = threadIdx.x; j < n; ++j) {
    if (a[j] < 0) {
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
      s -= 1;
      continue;
    }
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
  }
  out[threadIdx.x] = s;
}

// The comment would be lost.
__global__ void explained(const float *a, float *out, int n) {
  float s = 0;
  for (int j = threadIdx.x; j < n; ++j) {
    if (a[j] < 0)
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
      continue;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
  }
  out[threadIdx.x] = s;
}

__global__ void breaksOtherwise(const float *a, float *out, int n) {
  float s = 0;
  for (int j = threadIdx.x; j < n; ++j) {
    if (a[j] < 0)
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
      break;
    else
      s += 1;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
  }
  out[threadIdx.x] = s;
}

// Behind the first loop, but before the second.
__global__ void breaksBetween(const float *a, float *out, int n) {
  float s = 0;
  for (int j = threadIdx.x; j < n; ++j) {
    // CHECK: :[[#@LINE+1]]:5: warning: memory-bound for loop can take
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
    switch (n & 3) {
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
    case 0:
      if (s < 0)
        continue;
    }
    for (int k = 1; k < n; ++k)
      s += a[k * 32 + j];
  }
  out[threadIdx.x] = s;
}

// All threads run the middle loop, where only the one around votes.
__global__ void continuesUniform(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int j = threadIdx.x; j < n; ++j)
    for (int l = 0; l < m; ++l) {
      if (l == 4)
        // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [guard-shape]
        continue;
      for (int k = 0; k < n; ++k)
        s += a[k * 64 + j];
    }
  out[threadIdx.x] = s;
}

// The loop is part of a condition.
__global__ void inOperand(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n && ({
        // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [divergent-guard]
        for (int k = 0; k < n; ++k)
          s += a[k * 64] * a[k];
        s > 0;
      }))
    out[threadIdx.x] = s;
}

__global__ void rangeFor(const float *a, float *out, int n) {
  float s = 0;
  for (int j : {1, 3, 4}) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [loop-shape]
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
    if (s > threadIdx.x)
      break;
  }
  out[threadIdx.x] = s;
}

__global__ void declares(const float *a, float *out, int n) {
  float s = 0;
  int j = threadIdx.x;
  while (int m = a[j++]) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [loop-shape]
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + m];
  }
  out[threadIdx.x] = s;
}

__global__ void refers(const float *a, float *out, int n) {
  for (int j = threadIdx.x; j < n; ++j) {
    float &s = out[j];
    // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [guard-shape]
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
  }
}

#define EACH(J) for (int J = threadIdx.x; J < n; ++J)
__global__ void inMacro(const float *a, float *out, int n) {
  float s = 0;
  EACH(j)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [in-macro]
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
  out[threadIdx.x] = s;
}

// Lanes that are done would wait at the vote, the others at the shuffle.
__global__ void shuffles(const float *a, float *out, int n) {
  float s = 0;
  for (int j = 0; j < (int)threadIdx.x / 32; ++j) {
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
    s += __shfl_xor_sync(~0u, s, 1);
    // CHECK: :[[#@LINE-1]]:10: note: {{.*}} [warp-exchange]
  }
  out[threadIdx.x] = s;
}

__global__ void synchronises(const float *a, float *out, int n) {
  float s = 0;
  for (int j = 0; j < (int)threadIdx.x; ++j) {
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
    __syncthreads();
    // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [divergent-barrier]
  }
  out[threadIdx.x] = s;
}

// One thread works on purpose, in however many loops.
__global__ void alone(const float *a, float *out, int n) {
  float s = 0;
  for (int j = threadIdx.x; j < n; ++j)
    if (threadIdx.x == 0)
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [single-thread]
      for (int k = 0; k < n; ++k)
        s += a[k * 64 + j];
  out[threadIdx.x] = s;
}

// A device function's thread that returns would be missed.
__device__ float leaves(const float *a, int n) {
  float s = 0;
  for (int j = threadIdx.x; j < n; ++j) {
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
    if (s > 3)
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [divergent-return]
      return s;
  }
  return s;
}
__global__ void calls(const float *a, float *out, int n) {
  out[threadIdx.x] = leaves(a, n);
}

// The loop is no statement of the outer one's body.
__global__ void inCondition(const float *a, float *out, int n) {
  float s = 0;
  int j = threadIdx.x;
  while (({
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [guard-shape]
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + j];
    ++j < n;
  }))
    s += 3;
  out[threadIdx.x] = s;
}
