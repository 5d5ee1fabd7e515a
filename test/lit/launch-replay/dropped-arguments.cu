// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a library's macro drops in this build and another one runs: an assert may
// wait, copy or write. One that asks for numbers may not.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 -DNDEBUG 2>&1 | FileCheck --implicit-check-not=' error: ' %s

#include <cassert>
#include <climits>

__global__ void add(float *to) { to[threadIdx.x] += 1; }
[[maybe_unused]] static bool isAt(const float *x, int step) {
  float h;
  cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost);
  return h == step;
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void calls(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    assert(isAt(x, s + 1));
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void waits(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    assert(s > 3 && cudaDeviceSynchronize() == cudaSuccess);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void assigns(float *x, int n) {
  for (int s = 0; s < n; ++s) {
    add<<<1, 32>>>(x);
    assert((n -= 1) > 0);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void counts(float *x, int n) {
  for (int s = 0; s < n; ++s) {
    add<<<1, 32>>>(x);
    assert(n-- > 0);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void reads(float *x, const int *progress) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    assert(s <= *progress);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void readsElement(float *x, const int *progress) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    assert(progress[0] >= s);
  }
}
__managed__ int shared;
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void readsManaged(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    assert(s <= shared);
  }
}
template <int> bool isThere(int);
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void callsInstance(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    assert(isThere<4>(s));
  }
}
#define IS_DONE(x) isAt(x, 0)
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void callsByMacro(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    assert(IS_DONE(x));
  }
}
#define REQUIRE(condition) assert((condition) && "required")
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void wrapped(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    REQUIRE(isAt(x, s + 1));
  }
}
#define REQUIRE_DONE assert(cudaDeviceSynchronize() == cudaSuccess)
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void wrappedWhole(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    REQUIRE_DONE;
  }
}
static void tick() { assert(cudaDeviceSynchronize() == cudaSuccess); }
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void withinCallee(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    tick();
  }
}

#define MOST (1 << 10)
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void numbers(float *x, int n, dim3 grid) {
  for (int s = 0; s < n; ++s) {
    add<<<1, 32>>>(x);
    assert(n > 0 && n * s < MOST && "not too many");
    assert(static_cast<unsigned>(n) < sizeof(int) * MOST && n <= INT_MAX);
    assert(x != nullptr && grid.x == (n + 31) / 32);
    REQUIRE(n > (s - 1));
  }
}
