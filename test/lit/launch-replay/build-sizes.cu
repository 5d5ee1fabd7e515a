// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes that a command line sets by a macro of another name: numbers in each
// build, as long as the program defines that nowhere.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 -DWORK_GROUP=64 2>&1 | FileCheck --implicit-check-not=warning: %s

#ifdef WORK_GROUP
#define BLOCK WORK_GROUP
#elif defined(WORK_GROUP_OF_ALL)
#define BLOCK WORK_GROUP_OF_ALL
#else
#define BLOCK 16
#endif

#ifdef TRACED
#define STEPS traced()
#define SIZE NAMED
#define NAMED (traced())
#else
#define SIZE 16
#define STEPS 16
#endif

struct Asked {
  operator int() const { return cudaDeviceSynchronize(); }
};
#ifndef THREADS
static Asked THREADS;
#endif
#ifdef WIDE
#define WIDTH THREADS
#else
#define WIDTH 16
#endif

int traced();
__global__ void add(float *a, int n) { a[threadIdx.x] += n; }

void byNumber(float *a) {
  // CHECK: :[[@LINE+1]]:3: warning: launches in a loop can be made
  for (int t = 0; t < 100; ++t)
    add<<<1, BLOCK>>>(a, BLOCK);
}
void byCall(float *a) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    add<<<1, 32>>>(a, STEPS);
}
void byItsOwn(float *a) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    add<<<1, 32>>>(a, SIZE);
}
// The program has it, where the command line has not.
void byObject(float *a) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int t = 0; t < 100; ++t)
    add<<<1, 32>>>(a, WIDTH);
}
