// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives however they are spelled, and what only looks like one.
//
// RUN: %barricade --explain --min-memory-ratio=0 %s -- -arch=sm_80 2>&1 | FileCheck --implicit-check-not=warning: %s

#ifdef FAST
#define BEHIND_COMMENT(k) for (int k = 0; k < n; k += 2)
#else
/*
#endif
*/
#define BEHIND_COMMENT(k) for (int k = 0; k < n; ++k)
#endif

%:ifdef FAST
%:define BEHIND_DIGRAPH(k) for (int k = 0; k < n; k += 2)
%:else
%:define BEHIND_DIGRAPH(k) for (int k = 0; k < n; ++k)
%:endif

#if\
def FAST
#define BEHIND_SPLICE(k) for (int k = 0; k < n; k += 2)
#el\
se
#define BEHIND_SPLICE(k) for (int k = 0; k < n; ++k)
#endif

#ifdef FAST
#define BEHIND_STRING(k) for (int k = 0; k < n; k += 2)
/**/ #else
const char *const Help = R"(
#endif
)";
#define BEHIND_STRING(k) for (int k = 0; k < n; ++k)
#endif

/*
#if 0
*/
const char *const Begin = R"(
#if 0
)";
// \
#if 0
#define PLAIN(k) for (int k = 0; k < n; ++k)
// \
#else
const char *const End = R"(
#else
#endif
)";
/*
#else
#endif
*/

__global__ void behindComment(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  BEHIND_COMMENT(k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void behindDigraph(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  BEHIND_DIGRAPH(k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void behindSplice(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  BEHIND_SPLICE(k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void behindString(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [preprocessor]
  BEHIND_STRING(k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void plain(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  PLAIN(k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}
