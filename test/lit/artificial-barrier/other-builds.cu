// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What decides who comes to a loop, and how often, must be the same in all
// builds, wherever it stands. Between what is not, near misses that are.
//
// RUN: %barricade --explain --min-memory-ratio=0 --rules=artificial-barrier %s -- -arch=sm_80 2>&1 | FileCheck --implicit-check-not=warning: --implicit-check-not='{{\[preprocessor]}}' %s

#include <cassert>
#include <cstdio>

#ifndef N
#define N 128
#endif
#ifdef SMALL
#define STEP 2
#define LAST threadIdx.x
#define SKIP(c)                                                                \
  if (c)                                                                       \
  return
#define SET(v) v = threadIdx.x
#define LOG(v)                                                                 \
  do {                                                                         \
    printf("%d\n", v);                                                         \
  } while (0)
#else
#define STEP 1
#define LAST n
#define SKIP(c)
#define SET(v)
#define LOG(v)
#endif

// Numbers may be others, and what only looks on may come and go.
__global__ void numbers(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
#ifdef DEBUG
  printf("%d of %d\n", t, n);
  if (t > n)
    printf("%d\n", t * n);
#endif
  LOG(n);
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < N; k += STEP) {
    s += a[k * 64 + t] * a[k];
  }
#ifdef DEBUG
  int shown = 0;
  for (int i = 0; i < n; ++i)
    shown += a[i] > 0;
  printf("%d %d\n", shown, n);
#else
  assert(n > 0);
#endif
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
#ifndef FAST
    s += k;
#endif
  }
  out[t] = s;
}

__global__ void assigned(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  n = t;
#endif
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void assignedThrough(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  int half = n / 2, last;
  last = half;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  half += t;
#else
  half += 1;
#endif
  if (n > 3)
    last = half + 1;
  for (int k = 0; k < last; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

// Another variable.
__global__ void assignsOther(const float *a, float *out, int n) {
  int t = threadIdx.x, m = n;
  float s = 0;
#ifdef FAST
  m = t;
#endif
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s * m;
}

__global__ void declared(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  {
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
    int i = 0, n;
#endif
    for (int k = 0; k < n; ++k) {
      s += a[k * 64 + t] * a[k];
    }
  }
  out[t] = s;
}

__global__ void bound(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  int &other = n;
  other = t;
#endif
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__device__ void halve(int &n);

__global__ void given(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  halve(n);
#endif
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

// The variable is set by a lambda.
__global__ void captured(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  auto set = [&] { out[0] = 1; };
#endif
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void guarded(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  if (t < 5)
#endif
  {
    for (int k = 0; k < n; ++k) {
      s += a[k * 64 + t] * a[k];
    }
  }
  out[t] = s;
}

__global__ void halfABlock(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
%:ifdef FAST
  if (t < 5) {
%:endif
    for (int k = 0; k < n; ++k) {
      s += a[k * 64 + t] * a[k];
    }
%:ifdef FAST
  }
%:endif
  out[t] = s;
}

__global__ void otherElse(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  if (n > 3)
    s = 1;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  if (t > 3)
    s = 2;
#endif
  else {
    for (int k = 0; k < n; ++k) {
      s += a[k * 64 + t] * a[k];
    }
  }
  out[t] = s;
}

__device__ float returning(const float *a, int n, int t) {
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  if (t > n)
    return 0;
#endif
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  return s;
}
__global__ void callsReturning(const float *a, float *out, int n) {
  out[threadIdx.x] = returning(a, n, threadIdx.x);
}

__device__ float called(const float *a, int m, int t) {
  float s = 0;
  for (int k = 0; k < m; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  return s;
}
__global__ void calls(const float *a, float *out, int n) {
  int bound = n;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  bound = threadIdx.x;
#endif
  out[threadIdx.x] = called(a, bound, threadIdx.x);
}

__device__ float calledSame(const float *a, int m, int t) {
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < m; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  return s;
}
__global__ void callsSame(const float *a, float *out, int n) {
  int bound = n;
#ifdef DEBUG
  printf("%d\n", bound);
#endif
  out[threadIdx.x] = calledSame(a, bound, threadIdx.x);
}

__device__ int limit(int n) {
#ifdef FAST
  return threadIdx.x;
#else
  return n;
#endif
}
__global__ void limited(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:11: note: {{.*}} [preprocessor]
  int m = limit(n);
  for (int k = 0; k < m; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void respelled(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:11: note: {{.*}} [preprocessor]
  int m = LAST;
  for (int k = 0; k < m; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void skips(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  if (n > 3) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [preprocessor]
    SKIP(t > n);
    for (int k = 0; k < n; ++k) {
      s += a[k * 64 + t] * a[k];
    }
  }
  out[t] = s;
}

__global__ void sets(const float *a, float *out, int n) {
  int t = threadIdx.x, m = 0;
  float s = 0;
  SET(m);
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s * m;
}
__global__ void setsBound(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  SET(n);
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

// What this build has, another one may leave out.
__global__ void leftOut(const float *a, float *out, int n) {
  int t = threadIdx.x, m = t;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifndef FAST
  m = n;
#endif
  for (int k = 0; k < m; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void waits(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  if (t < 3)
    __syncthreads();
#endif
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void memory(const float *a, float *out, const int *rows) {
  int t = threadIdx.x;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  out[t] = 3;
#endif
  for (int k = 0; k < rows[blockIdx.x]; ++k) {
    s += a[k * 64 + t] * a[k];
  }
}
__global__ void noMemory(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
#ifdef FAST
  out[t] = 3;
#endif
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

// In functions that the kernel calls.
__device__ void writes(float *out) {
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  out[threadIdx.x] = 1;
#endif
}
__global__ void callsWrites(const float *a, float *out, const int *rows) {
  int t = threadIdx.x;
  float s = 0;
  writes(out);
  for (int k = 0; k < rows[blockIdx.x]; ++k) {
    s += a[k * 64 + t] * a[k];
  }
}
__global__ void callsWritesOnly(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  writes(out);
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}
__device__ void meets(int t) {
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  if (t < 3)
    __syncthreads();
#endif
}
__global__ void callsMeets(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  meets(t);
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

// Another variable, or only another number.
#ifdef FAST
__device__ int Global;
constexpr int Constant = 4;
#else
__constant__ int Global;
constexpr int Constant = 3;
#endif
__global__ void global(const float *a, float *out) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:23: note: {{.*}} [preprocessor]
  for (int k = 0; k < Global; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < Constant; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

// Jumps within the code itself, and such that lead out of it.
__global__ void ownJumps(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
#ifdef DEBUG
  for (int i = 0; i < n; ++i) {
    if (a[i] > 3)
      break;
    switch (i) {
    case 3:
      printf("%d\n", i);
      break;
    default:
      continue;
    }
  }
#endif
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}
__global__ void jumpsOut(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int j = 0; j < 3; ++j) {
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef DEBUG
    for (int i = 0; i < n; ++i)
      printf("%d\n", i);
    {
      if (t > j)
        break;
    }
#endif
    for (int k = 0; k < n; ++k) {
      s += a[k * 64 + t] * a[k];
    }
  }
  out[t] = s;
}
__global__ void waitsInALoop(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
// CHECK: :[[#@LINE+1]]:1: note: {{.*}} [preprocessor]
#ifdef FAST
  for (; out[0] == 0;)
    ;
#endif
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

// The branches beside the loop's own are never there with it.
__global__ void ownBranch(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
#ifndef FAST
  int m = n;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < m; ++k) {
    s += a[k * 64 + t] * a[k];
  }
#else
  int m = t;
  if (t > n)
    return;
#endif
  out[t] = s * m;
}

// All vote, whatever the bound is.
__global__ void votes(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  int m = n / (t + 1);
#ifdef FAST
  m = n;
#endif
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < m; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

template <int M>
__global__ void instance(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  if constexpr (M == 3)
    n = t;
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}
template __global__ void instance<N>(const float *, float *, int);

template <int M>
__global__ void sameInInstances(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  if constexpr (M == 3)
    s = n;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}
template __global__ void sameInInstances<N>(const float *, float *, int);

#ifdef FAST
#define SKEW + threadIdx.x
#else
#define SKEW
#endif
// A macro that stands for nothing here.
__global__ void skewed(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:19: note: {{.*}} [preprocessor]
  const int end = n SKEW;
  for (int k = 0; k < end; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}
