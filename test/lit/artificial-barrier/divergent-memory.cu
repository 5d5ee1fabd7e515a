// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trip count of each loop is read from memory that the kernel itself may
// write, by way of a pointer that is not what it seems: no loop takes a plain
// barrier.
//
// RUN: not %dry-run --no-verify --min-memory-ratio=0 --min-instructions=0 %s | FileCheck --implicit-check-not='{{^.[ ]+__syncthreads\(\);}}' %s
//
// CHECK: __syncthreads_or(

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

__global__ void passedOn(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  put(p, i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void passedFurther(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  putOn(p, i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void passedRestrict(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  putRestrict(p, i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void passedElement(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  putReference(p[i], i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void passedInRecord(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Plain plain{p};
  putThrough(plain, i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void readByCallee(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  p[i] = i;
  for (int j = 0; j < get(p, 0); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void bothByCallees(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  put(p, i);
  for (int j = 0; j < get(p, 0); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derived(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = p + 4;
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derivedByFunction(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = next(p);
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derivedByReference(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *__restrict__ &q = p;
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derivedByStep(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = o;
  int *&r = ++q;
  r = p;
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derivedByChoice(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = n & 1 ? p : o;
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derivedByArray(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q[2] = {o, p};
  q[n & 1][i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derivedByAssembly(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = o;
  asm("mov.u64 %0, %1;" : "+l"(q) : "l"(p));
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derivedByCast(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = o;
  reinterpret_cast<char *&>(q) = (char *)p;
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derivedBySwap(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = o;
  (n & 1 ? q : o) = p;
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void derivedByLambda(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = o;
  [&] { q = p; }();
  q[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void lambdaParameter(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *__restrict__ p, int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  auto f = [](int *__restrict__ q, int i) { q[i] = i; };
  f(p, i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void members(const float *__restrict__ a, float *__restrict__ out,
                     int n, View v, View w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  v.counts[i] = i;
  for (int j = 0; j < w.counts[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void memberAndPointer(const float *__restrict__ a, float *__restrict__ out,
                     int n, View v, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  v.counts[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constCast(const float *__restrict__ a, float *__restrict__ out,
                     int n, const int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const_cast<int *>(p)[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constPointer(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *const __restrict__ p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  p[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void heldInConstant(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  constantPointer[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void heldInDevice(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  devicePointer[i] = i;
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void heldInFixed(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  fixedPointer[i] = i;
  for (int j = 0; j < numbers[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void readFromConstant(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  p[i] = i;
  for (int j = 0; j < constantPointer[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constantWritten(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const_cast<int *>(&table[0])[i] = i;
  for (int j = 0; j < table[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constantWrittenFar(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int *q = table;
  put(q, i);
  for (int j = 0; j < table[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void deviceVariable(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  p[i] = i;
  for (int j = 0; j < numbers[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void atomicResult(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  __atomic_store_n(p + i, i, 0);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void atomicScope(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  atomicExch_block(p + i, i);
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void assemblyStores(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  asm volatile("st.global.u32 [%0], %1;" :: "l"(out + i), "r"(3) : "memory");
  for (int j = 0; j < p[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void assemblySets(const float *__restrict__ a, float *__restrict__ out,
                     int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  asm("mov.u32 %0, 3;" : "=r"(p[i]));
  for (int j = 0; j < numbers[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}
