// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that look like shared-out ones, of which one counter cannot tell: they
// vote in each round, or not at all.
//
// RUN: not %dry-run --min-instructions=0 %s > %t.diff
// RUN: FileCheck --implicit-check-not='{{^\+.*}}leader' --implicit-check-not='{{^\+.*}}__syncthreads()' %s < %t.diff

// A thread may leave by itself.
__global__ void breaks(const float *a, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    // CHECK: +  for (int i = threadIdx.x; __syncthreads_or({{.*}}
    if (a[i] < 0)
      break;
    // CHECK: break;
    // CHECK-NEXT: {{^\+.*}}continue; }
    s += a[i];
  }
  out[threadIdx.x] = s;
}

__global__ void changedInBody(const float *a, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    // CHECK: +  for (int i = threadIdx.x; __syncthreads_or({{.*}}
    if (a[i] < 0)
      i += 64;
    s += a[i];
  }
  out[threadIdx.x] = s;
}

__device__ void advance(int &i) { i += 64; }
__global__ void addressTaken(const float *a, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    // CHECK: +  for (int i = threadIdx.x; __syncthreads_or({{.*}}
    if (a[i] < 0)
      advance(i);
    s += a[i];
  }
  out[threadIdx.x] = s;
}

// The condition reads what the body, or another thread, writes.
__global__ void boundInMemory(float *a, int *n) {
  for (int i = threadIdx.x; i < *n; i += 64) {
    // CHECK: +  for (int i = threadIdx.x; __syncthreads_or({{.*}}
    a[i] += 1;
    if (a[i] > 100)
      *n = i;
  }
}

// The bound is the thread's own.
__global__ void rows(const float *a, const int *start, float *out, int n) {
  float s = 0;
  for (int i = start[threadIdx.x]; i < start[threadIdx.x + 1]; ++i)
    // CHECK: +  for (int i = start[threadIdx.x]; __syncthreads_or({{.*}}
    s += a[i];
  int end = threadIdx.x * 7;
  for (int i = threadIdx.x; i < end; i += 2)
    // CHECK: +  for (int i = threadIdx.x; __syncthreads_or({{.*}}
    s += a[i];
  out[threadIdx.x] = s;
}

// The leader would read memory where its own thread reads it no more.
__global__ void elementInCondition(const float *a, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n && a[i] > 0; i += 64)
    // CHECK: +  for (int i = threadIdx.x; __syncthreads_or({{.*}}
    s += a[i];
  out[threadIdx.x] = s;
}

__global__ void sideEffect(const float *a, float *out, int n) {
  float s = 0;
  int i = threadIdx.x, calls = 0;
  while (i++ < n)
    // CHECK: +  while (__syncthreads_or({{.*}}
    s += a[i] * a[i + n];
  for (int k = threadIdx.x; ++calls, k < n; k += 64)
    // CHECK: +  for (int k = threadIdx.x; __syncthreads_or({{.*}}
    s += a[k];
  out[threadIdx.x] = s + calls;
}

__global__ void stepOfItsOwn(const float *a, float *out, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 1 + threadIdx.x)
    // CHECK: +  for (int i = threadIdx.x; __syncthreads_or({{.*}}
    s += a[i];
  for (int i = 1 + threadIdx.x; i < n; i *= 2)
    // CHECK: +  for (int i = 1 + threadIdx.x; __syncthreads_or({{.*}}
    s += a[i];
  for (float i = threadIdx.x; i < n; i += 64)
    // CHECK: +  for (float i = threadIdx.x; __syncthreads_or({{.*}}
    s += a[int(i)];
  out[threadIdx.x] = s;
}

// Not once per iteration.
__global__ void skippedStep(const float *a, float *out, int n) {
  float s = 0;
  int i = threadIdx.x;
  while (i < n) {
    // CHECK: +  while (__syncthreads_or({{.*}}
    s += a[i];
    if (s > 9) {
      s = 0;
      continue;
    }
    i += 64;
  }
  int k = threadIdx.x;
  while (k < n) {
    // CHECK: +  while (__syncthreads_or({{.*}}
    s += a[k];
    if (s > 0)
      k += 64;
  }
  out[threadIdx.x] = s;
}

// Where the leader starts is not told by the text.
__device__ float passed(const float *a, int i, int n) {
  float s = 0;
  for (int k = i; k < n; k += 64)
    // CHECK: +  for (int k = i; __syncthreads_or({{.*}}
    s += a[k];
  for (; i < n; i += 64)
    // CHECK: +  for (; __syncthreads_or({{.*}}
    s += a[i];
  return s;
}
__global__ void passes(const float *a, float *out, int n) {
  out[threadIdx.x] = passed(a, threadIdx.x, n);
}

__global__ void startChanges(const float *a, float *out, int n, int start) {
  int first = start + threadIdx.x;
  float s = 0;
  start += n;
  for (int i = first; i < n; i += 64)
    // CHECK: +  for (int i = first; __syncthreads_or({{.*}}
    s += a[i];
  int second = threadIdx.x;
  second += 5;
  for (int i = second; i < n; i += 64)
    // CHECK: +  for (int i = second; __syncthreads_or({{.*}}
    s += a[i];
  int third = n + threadIdx.x;
  {
    int n = 5;
    for (int i = third; i < n; i += 64)
      // CHECK: +    for (int i = third; __syncthreads_or({{.*}}
      s += a[i];
  }
  out[threadIdx.x] = s;
}

// The second time, the counter is where the first time left it.
__global__ void startsOnce(const float *a, float *out, int n, int m) {
  float s = 0;
  int i = threadIdx.x;
  for (int row = 0; row < m; ++row) {
    while (i < row * n) {
      // CHECK: +    while (__syncthreads_or({{.*}}
      s += a[i];
      i += 64;
    }
  }
  out[threadIdx.x] = s;
}

// Which start counts is decided at run time, or by a jump.
__global__ void startsInTwoWays(const float *a, float *out, int n, int m) {
  float s = 0;
  int i = threadIdx.x;
  if (m > 3)
    i = 5 + threadIdx.x;
  while (i < n) {
    // CHECK: +  while (__syncthreads_or({{.*}}
    s += a[i];
    i += 64;
  }
  int k;
  for (m > 4 ? (k = threadIdx.x) : (k = 7); k < n; k += 64)
    // CHECK: +  for (m > 4 {{.*}}; __syncthreads_or({{.*}}
    s += a[k];
  out[threadIdx.x] = s;
}

__global__ void jumpsPastStart(const float *a, float *out, int n, int m) {
  float s = 0;
  int i = 3 * threadIdx.x;
  switch (m) {
  case 1: {
    i = threadIdx.x;
    if (m > 9) {
    case 2:
      s = 1;
    }
    while (i < n) {
      // CHECK: +    while (__syncthreads_or({{.*}}
      s += a[i];
      i += 64;
    }
  }
  }
  out[threadIdx.x] = s;
}

__global__ void doLoop(const float *a, float *out, int n) {
  float s = 0;
  int i = threadIdx.x;
  do {
    s += a[i];
    i += 64;
  } while (i < n);
  // CHECK: +  } while (__syncthreads_or({{.*}}
  out[threadIdx.x] = s;
}

// The first thread of the block may have left, or stand elsewhere.
__global__ void exits(const float *a, float *out, int n) {
  if (threadIdx.x % 3 == 0)
    return;
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64)
    // CHECK: +  for (int i = threadIdx.x; __syncthreads_or({{.*}}
    s += a[i];
  out[threadIdx.x] = s;
}

__global__ void guarded(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x > m) {
    for (int i = threadIdx.x; i < n; i += 64)
      // CHECK: +    for (int i = {{.*}}threadIdx.x{{.*}}; __syncthreads_or({{.*}}
      s += a[i];
  }
  out[threadIdx.x] = s;
}

// The new condition would take the `else`: refused, as the vote would.
__global__ void danglingElse(const float *a, float *out, int n, int m) {
  float s = 0;
  if (m > 3)
    for (int i = threadIdx.x; i < n; i += 64)
      s += a[i];
  else
    s = 1;
  out[threadIdx.x] = s;
}

// A counter that a base's constructor changes, by way of an inherited one: not
// even a vote.
struct StepsBack {
  __device__ StepsBack(int &k) { k -= 64; }
};
struct InheritsStep : StepsBack {
  using StepsBack::StepsBack;
};
__global__ void inheritedStep(const float *a, float *out, int n) {
  float s = 0;
  int again = 3;
  for (int k = threadIdx.x; k < n; k += 64) {
    s += a[k];
    if (threadIdx.x > 0 && again-- > 0)
      InheritsStep back(k);
  }
  out[threadIdx.x] = s;
}
