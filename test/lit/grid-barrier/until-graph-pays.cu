// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that repeats the same launches is left to a graph, whose launches
// overlap, if it is known to be long enough for one, and its grid to be too
// large for one cluster. Where that is not known, the program decides.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-replay,launch-overlap -- -arch=sm_90
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %barricade --rules=grid-barrier,launch-replay,launch-overlap --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 -I%project/test/lit/Inputs 2>&1 | FileCheck %s
// RUN: %barricade --rules=grid-barrier,launch-replay,launch-overlap --profit=any --gpu-sync=lock --explain %s -- nvcc -std=c++17 -arch=sm_90 -I%project/test/lit/Inputs 2>&1 | FileCheck --check-prefix=LOCK --implicit-check-not='can become one persistent kernel' %s

#include <utility>

__global__ void smallStep(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

void small(float *a, float *b, int n, int steps) {
  // LOCK: until-graph-pays.cu:[[@LINE+2]]:3: warning: launches in a loop can be made many at a time by a graph
  // CHECK: until-graph-pays.cu:[[@LINE+1]]:3: warning: for loop of kernel launches can become one persistent kernel
  for (int step = 0; step < steps; ++step) {
    smallStep<<<16, 512>>>(a, b, n);
    std::swap(a, b);
  }
}

__global__ void largeStep(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

void large(float *a, float *b, int n) {
  // CHECK: until-graph-pays.cu:[[@LINE+1]]:3: warning: launches in a loop can be made many at a time by a graph
  for (int step = 0; step < 256; ++step) {
    largeStep<<<17, 256>>>(a, b, n);
    std::swap(a, b);
  }
}

__global__ void shortenedStep(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

void shortened(float *a, float *b, int n) {
  // LOCK: until-graph-pays.cu:[[@LINE+2]]:3: warning: launches in a loop can be made many at a time by a graph
  // CHECK: until-graph-pays.cu:[[@LINE+1]]:3: warning: for loop of kernel launches can become one persistent kernel with a grid barrier until a graph pays, or where its grid is one cluster, and be replayed by a graph else
  for (int step = 0; step < 255; ++step) {
    shortenedStep<<<17, 256>>>(a, b, n);
    std::swap(a, b);
  }
}

__global__ void wideStep(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

void wide(float *a, float *b, int n, int steps) {
  // LOCK: until-graph-pays.cu:[[@LINE+2]]:3: warning: launches in a loop can be made many at a time by a graph
  // CHECK: until-graph-pays.cu:[[@LINE+1]]:3: warning: for loop of kernel launches can become one persistent kernel with a grid barrier until a graph pays
  for (int step = 0; step < steps; ++step) {
    wideStep<<<16, 1024>>>(a, b, n);
    std::swap(a, b);
  }
}

// Launches of a kernel that two loops have overlap in both.
__global__ void sharedStep(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

void sharesOnce(float *a, float *b, int n, int steps) {
  // LOCK: until-graph-pays.cu:[[@LINE+2]]:3: warning: launches in a loop can be made many at a time by a graph
  // CHECK: until-graph-pays.cu:[[@LINE+1]]:3: warning: for loop of kernel launches can become one persistent kernel with a grid barrier until a graph pays
  for (int step = 0; step < steps; ++step) {
    sharedStep<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
}
void sharesTwice(float *a, float *b, int n, int steps) {
  // LOCK: until-graph-pays.cu:[[@LINE+2]]:3: warning: launches in a loop can be made many at a time by a graph
  // CHECK: until-graph-pays.cu:[[@LINE+1]]:3: warning: for loop of kernel launches can become one persistent kernel with a grid barrier until a graph pays
  for (int step = 0; step < steps; ++step) {
    sharedStep<<<n / 256, 256>>>(b, a, n);
    std::swap(a, b);
  }
}

__global__ void unknownStep(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

// TEXT-LABEL: void unknown(
// TEXT:      barricade::ReplayedLaunches [[R:replayed[0-9]*]](steps);
// TEXT-NEXT: barricade::Takeover [[T:takeover[0-9]*]](unknown_persistent, n / 256, 256, 0, 0,
// TEXT-NEXT: [[R]], barricade::GraphIsAsFast());
// TEXT:      if ([[T]].is_due(steps - step) &&
// TEXT:      [[R]].launch_overlapped(unknownStep,
void unknown(float *a, float *b, int n, int steps) {
  // LOCK: until-graph-pays.cu:[[@LINE+2]]:3: warning: launches in a loop can be made many at a time by a graph
  // CHECK: until-graph-pays.cu:[[@LINE+1]]:3: warning: for loop of kernel launches can become one persistent kernel with a grid barrier until a graph pays, or where its grid is one cluster, and be replayed by a graph else
  for (int step = 0; step < steps; ++step) {
    unknownStep<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
}
