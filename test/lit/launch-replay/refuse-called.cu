// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a loop calls, and whose launches are not the loop's to hold
// back.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=warning: %s

#include <cstdio>
#include <utility>

__global__ void add(float *a) { a[threadIdx.x] += 1; }

static void waits(float *a) {
  add<<<1, 32>>>(a);
  cudaDeviceSynchronize();
}
static void copies(float *a, float *h) {
  add<<<1, 32>>>(a);
  cudaMemcpy(h, a, 4, cudaMemcpyDeviceToHost);
}
void unseen(float *a);
static void callsUnseen(float *a) {
  add<<<1, 32>>>(a);
  unseen(a);
}
// A loop of its own has an object of its own.
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop can be made
static void loops(float *a, int n) {
  for (int i = 0; i < n; ++i)
    add<<<1, 32>>>(a);
}
static void once(float *a) { add<<<1, 32>>>(a); }
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop, by functions that it calls
static void callsInLoop(float *a, int n) {
  for (int i = 0; i < n; ++i)
    once(a);
}
static void recurs(float *a, int n) {
  add<<<1, 32>>>(a);
  if (n > 0)
    recurs(a, n - 1);
}
template <typename T> static void ofTemplate(T *a) { add<<<1, 32>>>(a); }
struct Base {
  virtual void step(float *a) { add<<<1, 32>>>(a); }
};
__attribute__((weak)) void isWeak(float *a) { add<<<1, 32>>>(a); }
__host__ __device__ void ofDevice(float *a) {
#ifndef __CUDA_ARCH__
  add<<<1, 32>>>(a);
#endif
}
static void tells(float *a, const volatile int *managed) {
  add<<<1, 32>>>(a);
  while (*managed == 0)
    ;
}
struct Ends {
  float *a;
  ~Ends() { add<<<1, 32>>>(a); }
};
static void endsObject(float *a) {
  add<<<1, 32>>>(a);
  Ends e{a};
}
static void traced(float *a) {
  add<<<1, 32>>>(a);
#ifdef TRACE
  printf("added\n");
#endif
}

// Another file may have the same one, as it was.
inline void isMerged(float *a) { add<<<1, 32>>>(a); }
struct Shared {
  void step(float *a) { add<<<1, 32>>>(a); }
};
static int launchesFirst(float *a) {
  add<<<1, 32>>>(a);
  return 1;
}
float *global;
static void byDefault(float *a, int n = launchesFirst(global)) {
  add<<<1, 32>>>(a);
}
struct Made {
  int n = launchesFirst(global);
};
static void ofMade(float *a, Made made) { add<<<1, 32>>>(a); }

// In another build somebody has another one in their place, or the device runs
// them, too.
#ifdef PLUGINS
#define OVERRIDABLE __attribute__((weak))
#define MOCKABLE virtual
#define ANYWHERE __host__ __device__
#else
#define OVERRIDABLE
#define MOCKABLE
#define ANYWHERE
#endif
OVERRIDABLE void weakElse(float *a) { add<<<1, 32>>>(a); }
OVERRIDABLE void declaredWeakElse(float *a);
void declaredWeakElse(float *a) { add<<<1, 32>>>(a); }
ANYWHERE void ofDeviceElse(float *a) { add<<<1, 32>>>(a); }
#ifdef PLUGINS
__host__ __device__
#endif
void ofDeviceUnderCondition(float *a) { add<<<1, 32>>>(a); }
struct Solver {
  MOCKABLE void step(float *a);
};
void Solver::step(float *a) { add<<<1, 32>>>(a); }
OVERRIDABLE void quiet(int) {}
struct Progress {
  MOCKABLE void tell(int) {}
};
void elsewhere(float *a, Solver &solver) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    weakElse(a);
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    declaredWeakElse(a);
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    ofDeviceElse(a);
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    ofDeviceUnderCondition(a);
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    solver.step(a);
}
// One body there, another one here.
struct Both {
  void step(float *a);
};
#ifdef PLUGINS
void Both::step(float *a) {
  add<<<1, 32>>>(a);
  cudaDeviceSynchronize();
}
#else
void Both::step(float *a) { add<<<1, 32>>>(a); }
#endif
void definedElse(float *a);
#ifndef PLUGINS
void definedElse(float *a) { add<<<1, 32>>>(a); }
#endif
void weakBehind(float *a) OVERRIDABLE;
void weakBehind(float *a) { add<<<1, 32>>>(a); }
void otherBodies(float *a, Both &both) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    both.step(a);
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    definedElse(a);
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    weakBehind(a);
}
void calmElsewhere(float *a) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    quiet(t);
  }
}
void calmMemberElsewhere(float *a, Progress &progress) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    progress.tell(t);
  }
}

void all(float *a, float *h, Base &base, const volatile int *managed) {
  for (int t = 0; t < 100; ++t)
    waits(a);
  for (int t = 0; t < 100; ++t)
    copies(a, h);
  for (int t = 0; t < 100; ++t)
    callsUnseen(a);
  for (int t = 0; t < 100; ++t)
    loops(a, t);
  for (int t = 0; t < 100; ++t)
    callsInLoop(a, t);
  for (int t = 0; t < 100; ++t)
    recurs(a, 3);
  for (int t = 0; t < 100; ++t)
    ofTemplate(a);
  for (int t = 0; t < 100; ++t)
    base.step(a);
  for (int t = 0; t < 100; ++t)
    isWeak(a);
  for (int t = 0; t < 100; ++t)
    ofDevice(a);
  for (int t = 0; t < 100; ++t)
    tells(a, managed);
  for (int t = 0; t < 100; ++t)
    endsObject(a);
  for (int t = 0; t < 100; ++t)
    isMerged(a);
  for (int t = 0; t < 100; ++t)
    Shared().step(a);
  for (int t = 0; t < 100; ++t)
    byDefault(a);
  for (int t = 0; t < 100; ++t)
    ofMade(a, Made{});
  void (*step)(float *) = waits;
  for (int t = 0; t < 100; ++t)
    step(a);
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    traced(a);
}
