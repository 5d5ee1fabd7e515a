// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands before a statement, or a function, may belong to it in another
// build. What ends by itself does not.
//
// RUN: %barricade --rules=grid-barrier,launch-replay,launch-overlap,launch-fusion --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 -I%project/test/lit/Inputs 2>&1 | FileCheck --implicit-check-not=': warning:' %s
// RUN: %barricade --rules=grid-barrier --profit=any --grid-barrier-from-start --explain %s -- nvcc -std=c++17 -arch=sm_90 -I%project/test/lit/Inputs 2>&1 | FileCheck --check-prefix=START --implicit-check-not=': warning:' %s

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] += 0.5f * (from[i - 1] + from[i + 1]);
}

void underIf(float *a, float *b, int n, int steps) {
#ifdef CHECKED
  if (n > 64)
#endif
  // CHECK-COUNT-3: :[[@LINE+2]]:3: note: {{.*}} [other-build]
  // START: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int step = 0; step < steps; ++step)
    relax<<<n / 64, 64>>>(a, b, n + step);
}

void underElse(float *a, float *b, int n, int steps) {
#ifdef CHECKED
  if (n < 64) {
    b = a;
  } else
#endif
  // CHECK-COUNT-3: :[[@LINE+2]]:3: note: {{.*}} [other-build]
  // START: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int step = 0; step < steps; ++step)
    relax<<<n / 64, 64>>>(a, b, n + step);
}

// In one build or another one.
void underOneOf(float *a, float *b, int n, int steps) {
#ifdef REPEATED
  for (int r = 0; r < 2; ++r)
#elif defined(CHECKED)
  n += 1;
#endif
  // CHECK-COUNT-3: :[[@LINE+2]]:3: note: {{.*}} [other-build]
  // START: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int step = 0; step < steps; ++step)
    relax<<<n / 64, 64>>>(a, b, n + step);
}

void underNested(float *a, float *b, int n, int steps) {
#ifdef CHECKED
  if (n > 64)
#ifdef REPEATED
    for (int r = 0; r < 2; ++r)
#endif
#endif
  // CHECK-COUNT-3: :[[@LINE+2]]:3: note: {{.*}} [other-build]
  // START: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int step = 0; step < steps; ++step)
    relax<<<n / 64, 64>>>(a, b, n + step);
}

void underPragma(float *a, float *b, int n, int steps) {
#ifdef UNROLLED
#pragma unroll 1
#endif
  // CHECK-COUNT-3: :[[@LINE+2]]:3: note: {{.*}} [other-build]
  // START: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int step = 0; step < steps; ++step)
    relax<<<n / 64, 64>>>(a, b, n + step);
}

#ifdef CHECKED
#define IF_CHECKED(x) if (x)
#else
#define IF_CHECKED(x)
#endif
void underMacro(float *a, float *b, int n, int steps) {
  IF_CHECKED(n > 64)
  // CHECK-COUNT-3: :[[@LINE+2]]:3: note: {{.*}} [other-build]
  // START: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int step = 0; step < steps; ++step)
    relax<<<n / 64, 64>>>(a, b, n + step);
}

// Past what would be declared, but for what stands in a block of its own.
void jumps(float *a, float *b, int n) {
#ifdef CHECKED
  if (n < 0)
    goto out;
#endif
  // CHECK: :[[@LINE+3]]:3: warning: for loop of kernel launches
  // CHECK-COUNT-2: :[[@LINE+2]]:3: note: {{.*}} [other-build]
  // START: :[[@LINE+1]]:3: warning: for loop of kernel launches
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
#ifdef CHECKED
out:
  b = a;
#endif
}

__global__ void add(float *to, int n) { to[blockIdx.x * blockDim.x + threadIdx.x] += n; }
__global__ void scale(float *to, int n) { to[blockIdx.x * blockDim.x + threadIdx.x] *= n; }
void fused(float *a, int n) {
#ifdef CHECKED
  if (n > 64)
#endif
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  add<<<n / 64, 64>>>(a, n);
  scale<<<n / 64, 64>>>(a, n);
}

// Where the persistent kernel would stand; a graph has none.
#ifdef EXPORTED
static
#endif
// CHECK: :[[@LINE+5]]:3: note: {{.*}} [other-build]
// CHECK: :[[@LINE-3]]:6: note: there, this goes on with what would be written
// CHECK: :[[@LINE+3]]:3: warning: launches in a loop can be made many
// START: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void beforeFunction(float *a, float *b, int n) {
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

#define NOTHING(x)
// CHECK: :[[@LINE+8]]:3: warning: for loop of kernel launches
// START: :[[@LINE+7]]:3: warning: for loop of kernel launches
void endsByItself(float *a, float *b, int n, int steps) {
#ifdef CHECKED
  if (n > 64)
    n = 64;
#endif
  NOTHING(n > 64)
  for (int step = 0; step < steps; ++step)
    relax<<<n / 64, 64>>>(a, b, n + step);
}

// CHECK: :[[@LINE+10]]:3: warning: for loop of kernel launches
// START: :[[@LINE+9]]:3: warning: for loop of kernel launches
void inBlocks(float *a, float *b, int n, int steps) {
#ifdef CHECKED
  if (n > 64) {
    b = a;
  }
#pragma omp flush
  n += 1;
#endif
  for (int step = 0; step < steps; ++step)
    relax<<<n / 64, 64>>>(a, b, n + step);
}
