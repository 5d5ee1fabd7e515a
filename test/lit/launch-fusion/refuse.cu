// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that stay as they are, each with its reason.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --implicit-check-not='can become' --implicit-check-not=" error: " %s

// Without libcu++, which takes seconds to parse, and of which nothing is used here.
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>
#include <cstdio>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
__global__ void unseen(float *x, int n);
__global__ void defaults(float *x, int n = 3) { x[n] = 1; }

int sideEffect();
static int counter;
static int counted() { return ++counter; }

void host(float *x, float *y, int n, cudaStream_t s, cudaStream_t t,
          cudaEvent_t event, size_t bytes) {
  scale<<<4, 64>>>(x, n);
  // CHECK: :[[@LINE+1]]:3: {{.*}} [block-size]
  scale<<<4, 128>>>(x, n);
  cudaMemcpy(y, x, n, cudaMemcpyDeviceToDevice); // CHECK: :[[@LINE]]:3: {{.*}} [other-work]
  scale<<<4, 128>>>(x, n);
  sideEffect(); // CHECK: :[[@LINE]]:3: {{.*}} [other-work]
  scale<<<4, 128>>>(x, n);
  y[0] = 1; // CHECK: :[[@LINE]]:3: {{.*}} [other-work]
  scale<<<4, 128>>>(x, n);
  if (n > 3) // CHECK: :[[@LINE]]:3: {{.*}} [conditional]
    scale<<<4, 128>>>(x, n);
  scale<<<4, 128>>>(x, n);
  if (cudaGetLastError() != cudaSuccess) // CHECK: :[[@LINE]]:3: {{.*}} [error-check]
    sideEffect();
  scale<<<4, 128>>>(x, n);
  cudaEventRecord(event); // CHECK: :[[@LINE]]:3: {{.*}} [timing]
  scale<<<4, 128>>>(x, n);
  if (n < 0) // CHECK: :[[@LINE]]:3: {{.*}} [jump]
    return;
  scale<<<4, 128>>>(x, n);
  // CHECK: :[[@LINE+1]]:24: {{.*}} [argument]
  scale<<<4, 128>>>(x, counted());
  cudaDeviceSynchronize(); // CHECK: :[[@LINE]]:3: {{.*}} [other-work]
  // CHECK: :[[@LINE+1]]:24: {{.*}} [argument-changes]
  scale<<<4, 128>>>(x, n);
  n /= 2;
  scale<<<4, 128>>>(x, n);
  cudaDeviceSynchronize(); // CHECK: :[[@LINE]]:3: {{.*}} [other-work]
  scale<<<4, 128, 0, s>>>(x, n);
  // CHECK: :[[@LINE+1]]:3: {{.*}} [stream]
  scale<<<4, 128, 0, t>>>(x, n);
  // CHECK: :[[@LINE+1]]:3: {{.*}} [stream]
  scale<<<4, 128, bytes>>>(x, n);
  // CHECK: :[[@LINE+1]]:3: {{.*}} [shared-size]
  scale<<<4, 128, 2 * bytes>>>(x, n);
  // CHECK: :[[@LINE+1]]:3: {{.*}} [kernel-not-visible]
  unseen<<<4, 128, 2 * bytes>>>(x, n);
  cudaDeviceSynchronize();
  scale<<<4, 128>>>(x, n);
  // CHECK: :[[@LINE+1]]:3: {{.*}} [default-argument]
  defaults<<<4, 128>>>(x);
}

void pointer(float *x, int n, void (*kernel)(float *, int)) {
  scale<<<4, 64>>>(x, n);
  // CHECK: :[[@LINE+1]]:3: {{.*}} [kernel-pointer]
  kernel<<<4, 64>>>(x, n);
}

template <typename T> void inTemplate(T *x, int n) {
  // CHECK: :[[@LINE+1]]:3: {{.*}} [host-template]
  scale<<<4, 64>>>(x, n);
  scale<<<4, 64>>>(x, n);
}
template void inTemplate<float>(float *, int);

struct InInitialiser {
  int count;
  InInitialiser(float *x, int n)
      : count([=] {
          // CHECK: :[[@LINE+1]]:11: {{.*}} [in-lambda]
          scale<<<4, 64>>>(x, n);
          scale<<<4, 64>>>(x, n);
          return n;
        }()) {}
};

void inLambda(float *x, int n) {
  auto run = [&] {
    // CHECK: :[[@LINE+1]]:5: {{.*}} [in-lambda]
    scale<<<4, 64>>>(x, n);
    scale<<<4, 64>>>(x, n);
  };
  run();
}

struct Solver {
  float *x;
  void step(int n) {
    // CHECK: :[[@LINE+1]]:5: {{.*}} [member-function]
    scale<<<4, 64>>>(x, n);
    scale<<<4, 64>>>(x, n);
  }
};

#ifdef __CUDA_ARCH__
#define BLOCK 64
#else
#define BLOCK 32
#endif
void passesDiffer(float *x, int n) {
  // CHECK: :[[@LINE+1]]:3: {{.*}} [passes-differ]
  scale<<<4, BLOCK>>>(x, n);
  scale<<<4, BLOCK>>>(x, n);
}

#define LAUNCH(k) k<<<4, 64>>>(x, n)
#define LAUNCHES                                                               \
  scale<<<4, 64>>>(x, n);                                                      \
  scale<<<4, 64>>>(x, n)
void inMacro(float *x, int n) {
  scale<<<4, 64>>>(x, n);
  // CHECK: :[[@LINE+1]]:3: {{.*}} [in-macro]
  LAUNCH(scale);
  cudaDeviceSynchronize();
  // CHECK: :[[@LINE+1]]:3: {{.*}} [in-macro]
  LAUNCHES;
}
void preprocessor(float *x, int n) {
  // CHECK: :[[@LINE+1]]:3: {{.*}} [preprocessor]
  scale<<<4, 64>>>(x, n);
#ifndef NOTHING
  scale<<<4, 64>>>(x, n);
#endif
}
#define MASTER _Pragma("omp master")
void pragmaOfMacro(float *x, int n) {
  // CHECK: :[[@LINE+1]]:10: {{.*}} [preprocessor]
  MASTER scale<<<4, 64>>>(x, n);
  scale<<<4, 64>>>(x, n);
}

//===--- Kernels ----------------------------------------------------------===//

__global__ void traps(float *x) {
  if (x[threadIdx.x] < 0)
    __trap(); 
}
__global__ void __launch_bounds__(64) bounded(float *x) { x[threadIdx.x] = 1; }
__global__ void big(float *x) {
  __shared__ float all[8192];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = all[63 - threadIdx.x];
}
__global__ void bigToo(float *x) {
  __shared__ float all[8192];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = all[31 - threadIdx.x];
}
__global__ void gridSync(float *x) {
  cooperative_groups::this_grid().sync();
  x[threadIdx.x] = 1;
}
__global__ void spins(volatile int *x) {
  while (*x == 0) // CHECK-DAG: :[[@LINE]]:3: {{.*}} [spin-wait]
    ;
}
__global__ void readOnly(float *y, const float *x) {
  y[threadIdx.x] = __ldg(x + threadIdx.x); // CHECK-DAG: :[[@LINE]]:20: {{.*}} [read-only-load]
}
__global__ void partOfBlock(float *x) {
  if (threadIdx.x < 32)
    __syncthreads(); // CHECK-DAG: :[[@LINE]]:5: {{.*}} [divergent-barrier]
  x[threadIdx.x] = 1;
}
__global__ void overload(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void overload(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

__global__ void hello() { printf("%d\n", blockIdx.x); } // CHECK-DAG: :[[@LINE]]:27: {{.*}} [print]

void kernels(float *x, float *y, int *p, int n) {
  scale<<<4, 64>>>(x, n); // CHECK-DAG: :[[@LINE+1]]:3: {{.*}} [trap]
  traps<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  scale<<<4, 64>>>(x, n); // CHECK-DAG: :[[@LINE+1]]:3: {{.*}} [launch-bounds]
  bounded<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  big<<<4, 64>>>(x); // CHECK-DAG: :[[@LINE+1]]:3: {{.*}} [shared-memory]
  bigToo<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  scale<<<4, 64>>>(x, n);
  gridSync<<<4, 64>>>(x); // CHECK-DAG: [grid-sync]
  cudaDeviceSynchronize();
  scale<<<4, 64>>>(x, n);
  spins<<<4, 64>>>(p);
  cudaDeviceSynchronize();
  scale<<<4, 64>>>(x, n);
  readOnly<<<4, 64>>>(y, x);
  cudaDeviceSynchronize();
  scale<<<4, 64>>>(x, n);
  partOfBlock<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  scale<<<4, 64>>>(x, n); // CHECK-DAG: :[[@LINE+1]]:3: {{.*}} [kernel-name]
  overload<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  hello<<<4, 64>>>();
  hello<<<4, 64>>>();
}

//===--- Launches that are more than statements -------------------------------//

void wrapped(float *x, float *y, int n) {
  { scale<<<4, 64>>>(x, n); } // CHECK: :[[@LINE]]:5: {{.*}} [wrapped]
  { scale<<<4, 64>>>(y, n); } // CHECK: :[[@LINE]]:5: {{.*}} [wrapped]
  cudaDeviceSynchronize();
  scale<<<4, 64>>>(x, n), scale<<<4, 64>>>(y, n); // CHECK: :[[@LINE]]:3: {{.*}} [wrapped]
  cudaDeviceSynchronize();
  scale<<<4, 64>>>(x, n);
  (scale<<<4, 64>>>(y, n)); // CHECK: :[[@LINE]]:4: {{.*}} [wrapped]
}
void behindLabel(float *x, float *y, int n) {
  switch (n) {
  case 1: scale<<<4, 64>>>(x, n); // CHECK: :[[@LINE]]:11: {{.*}} [wrapped]
    scale<<<4, 64>>>(y, n);
  }
}

// A member that refers to what changes between the launches.
struct Refers {
  int *&pointer;
  int &value;
};
__global__ void sets(int *x, int n) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
void refers(int *x, int *y) {
  int value = 1;
  int *place = x;
  Refers r{place, value};
  // CHECK: :[[@LINE+1]]:20: {{.*}} [argument-changes]
  sets<<<4, 128>>>(r.pointer, 3);
  place = y;
  sets<<<4, 128>>>(r.pointer, 3);
}
