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

// Who waits may look at what the device has written, by whatever name.
struct Progress { int done, left; };
extern int everywhere;
void publish(int &);
__global__ void tally(float *to, int *count) {
  to[threadIdx.x] += 1;
  ++*count;
}
// CHECK: :[[@LINE+3]]:3: note: {{.*}} [other-build]
void seesByReference(float *x, int *counter) {
  const int &count = *counter;
  for (int s = 0; s < 100; ++s) {
    tally<<<1, 1>>>(x, counter);
    cudaDeviceSynchronize();
    assert(count == s + 1);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void seesParameter(float *x, int *counter, const int &count) {
  for (int s = 0; s < 100; ++s) {
    tally<<<1, 1>>>(x, counter);
    cudaDeviceSynchronize();
    assert(count == s + 1);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void seesMember(float *x, int *counter, Progress &p) {
  for (int s = 0; s < 100; ++s) {
    tally<<<1, 1>>>(x, counter);
    cudaDeviceSynchronize();
    assert(p.done == s + 1);
  }
}
// CHECK: :[[@LINE+3]]:3: note: {{.*}} [other-build]
void seesBinding(float *x, int *counter, Progress *p) {
  auto &[done, left] = *p;
  for (int s = 0; s < 100; ++s) {
    tally<<<1, 1>>>(x, counter);
    cudaDeviceSynchronize();
    assert(done == s + 1);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void seesGlobal(float *x, int *counter) {
  for (int s = 0; s < 100; ++s) {
    tally<<<1, 1>>>(x, counter);
    cudaDeviceSynchronize();
    assert(everywhere == s + 1);
  }
}
// CHECK: :[[@LINE+4]]:3: note: {{.*}} [other-build]
void seesShared(float *x, int *counter) {
  int count = 0;
  publish(count);
  for (int s = 0; s < 100; ++s) {
    tally<<<1, 1>>>(x, counter);
    cudaDeviceSynchronize();
    assert(count == s + 1);
  }
}
struct Solver {
  int done;
  void run(float *x, int *counter);
  void runOn(float *x, int *counter);
};
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void Solver::run(float *x, int *counter) {
  for (int s = 0; s < 100; ++s) {
    tally<<<1, 1>>>(x, counter);
    cudaDeviceSynchronize();
    REQUIRE(done == s + 1);
  }
}
#define ASK(done) assert(done)
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void Solver::runOn(float *x, int *counter) {
  for (int s = 0; s < 100; ++s) {
    tally<<<1, 1>>>(x, counter);
    cudaDeviceSynchronize();
    ASK(done);
  }
}
constexpr int most = 100;
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void seesItsOwn(float *x, int *counter, int n, dim3 grid) {
  for (int s = 0; s < n; ++s) {
    tally<<<1, 1>>>(x, counter);
    cudaDeviceSynchronize();
    assert(n < MOST && s < most && counter != nullptr && s != INT_MAX);
    REQUIRE(grid.x == static_cast<unsigned>(n));
  }
}
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void waitsForNothing(float *x, int *counter) {
  for (int s = 0; s < 100; ++s) {
    tally<<<1, 1>>>(x, counter);
    assert(s < everywhere);
  }
}
