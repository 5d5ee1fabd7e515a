// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose threads part by way of a reference, and constants that something
// writes: no steps.
//
// RUN: %barricade --rules=grid-barrier --explain %s 2>&1 | FileCheck %s

#include <cuda_runtime.h>

struct Row {
  int begin, end;
};
__constant__ Row rowsOfAll[64];
__constant__ float written[64];
__constant__ float fixed[64];

__global__ void exitByReference(const Row *rows, float *out, int n) {
  const Row &row = rows[threadIdx.x];
  if (row.begin == row.end)
    return;
  __syncthreads();
  out[threadIdx.x] += 1;
}

void runExitByReference(const Row *rows, float *out, int n, int steps) {
  // CHECK: :[[#@LINE+2]]:3: remark: for loop of kernel launches cannot
  // CHECK: [early-exit]
  for (int k = 0; k < steps; ++k)
    exitByReference<<<64, 128>>>(rows, out, n);
}

__global__ void exitByTemporary(float *out, int n) {
  const uint3 &t = threadIdx;
  if (t.x > 5)
    return;
  __syncthreads();
  out[threadIdx.x] += 1;
}

void runExitByTemporary(float *out, int n, int steps) {
  // CHECK: :[[#@LINE+2]]:3: remark: for loop of kernel launches cannot
  // CHECK: [early-exit]
  for (int k = 0; k < steps; ++k)
    exitByTemporary<<<64, 128>>>(out, n);
}

__global__ void exitByConstant(float *out, int n) {
  const Row &row = rowsOfAll[threadIdx.x & 63];
  if (row.begin)
    return;
  __syncthreads();
  out[threadIdx.x] += 1;
}

void runExitByConstant(float *out, int n, int steps) {
  // CHECK: :[[#@LINE+2]]:3: remark: for loop of kernel launches cannot
  // CHECK: [early-exit]
  for (int k = 0; k < steps; ++k)
    exitByConstant<<<64, 128>>>(out, n);
}

__global__ void loopByReference(const Row *rows, float *out, int n) {
  const Row &row = rows[threadIdx.x];
  for (int i = row.begin; i < row.end; ++i) {
    out[i] += 1;
    __syncthreads();
  }
}

void runLoopByReference(const Row *rows, float *out, int n, int steps) {
  // CHECK: :[[#@LINE+2]]:3: remark: for loop of kernel launches cannot
  // CHECK: [divergent-barrier]
  for (int k = 0; k < steps; ++k)
    loopByReference<<<64, 128>>>(rows, out, n);
}

__global__ void writesConstant(float *out, int n) {
  float *p = written;
  p[threadIdx.x & 63] = out[threadIdx.x];
  out[threadIdx.x] += written[(threadIdx.x + 1) & 63];
}

void runWritesConstant(float *out, int n, int steps) {
  // CHECK: :[[#@LINE+2]]:3: remark: for loop of kernel launches cannot
  // CHECK: [constant-memory]
  for (int k = 0; k < steps; ++k)
    writesConstant<<<64, 128>>>(out, n);
}

__global__ void readsFixed(float *out, int n) {
  // A reference is an address, through which a step might write.
  // CHECK: :[[#@LINE+1]]:22: note: {{.*}} [constant-memory]
  const float &one = fixed[(threadIdx.x + 1) & 63];
  out[threadIdx.x] += one;
}

void runReadsFixed(float *out, int n, int steps) {
  for (int k = 0; k < steps; ++k)
    readsFixed<<<64, 128>>>(out, n);
}

__global__ void uniformExit(const Row *rows, float *out, int n) {
  const Row &row = rows[blockIdx.x];
  if (row.begin == row.end)
    return;
  __syncthreads();
  out[threadIdx.x] += 1;
}

void runUniformExit(const Row *rows, float *out, int n, int steps) {
  // CHECK: :[[#@LINE+1]]:3: warning:
  for (int k = 0; k < steps; ++k)
    uniformExit<<<64, 128>>>(rows, out, n);
}
