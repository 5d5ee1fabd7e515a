// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Near-misses of divergent-memory.cu: what the kernel writes is not what the
// trip count is read from, so that each loop takes a plain barrier.
//
// RUN: not %dry-run --min-memory-ratio=0 --min-instructions=0 %s | FileCheck --implicit-check-not=__syncthreads_or %s
//
// CHECK-COUNT-7: {{^\+ +__syncthreads\(\);}}
// CHECK-NOT: {{^\+ +__syncthreads\(\);}}

struct View {
  int *__restrict__ counts;
  int size;
};
struct Plain {
  int *counts;
};
__constant__ int table[64];
__constant__ int *constantPointer;
__device__ int *devicePointer;
__device__ int *const fixedPointer = nullptr;
__device__ int numbers[64];

__device__ void put(int *p, int i) { p[i] = i; }
__device__ void putOn(int *p, int i) { put(p + 1, i); }
__device__ void putRestrict(int *__restrict__ p, int i) { p[i] = i; }
__device__ void putReference(int &x, int i) { x = i; }
__device__ void putThrough(Plain plain, int i) { plain.counts[i] = i; }
__device__ int *next(int *p) { return p + 1; }
__device__ void putFloat(float *p, int i) { p[i] = i; }
__device__ int get(const int *p, int i) { return p[i]; }

__global__ void otherPassed(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *__restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  put(o, i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void otherPassedFurther(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *__restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  putOn(o, i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void otherType(const float *__restrict__ a, float *__restrict__ out,
                     int n, const int *p, float *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  putFloat(o, i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void otherDerived(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *__restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = o + 4;
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constantRead(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  put(p, table[0]);
  for (int j = 0; j < table[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constantLooked(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  put(p, get(table, i));
  for (int j = 0; j < table[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void readByCallees(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *__restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  put(o, i);
  for (int j = 0; j < get(p, 0); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}
