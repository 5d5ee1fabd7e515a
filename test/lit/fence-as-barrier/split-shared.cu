// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory that both halves of a cut would need: that of called functions,
// and the launch's under two names. What the host reads through pointers for a
// launch, and kernels of namespaces.
//
// RUN: %rewrite-check %s %t.cu --rules=fence-as-barrier
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck --implicit-check-not='_rest' %s
// RUN: not %barricade --rules=fence-as-barrier --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=WHY %s

__device__ int total(int value) {
  __shared__ int all[64];
  all[threadIdx.x] = value;
  __syncthreads();
  return all[0] + all[63];
}
__device__ int twice(int value) { return total(value) + total(1); }
template <class T> __device__ T &place() {
  __shared__ T own[64];
  return own[threadIdx.x];
}
struct Kept {
  __device__ static int &at(int k) {
    __shared__ int own[64];
    return own[k];
  }
  __device__ Kept(int value) { at(threadIdx.x) = value; }
};
extern __shared__ int given[];
__device__ int &ofLaunch() { return given[threadIdx.x]; }

// CHECK: {{^}}static __global__ void first_rest(int *a, int *b) {
static __global__ void first(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = twice(i) + total(i);
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK: {{^}}static __global__ void second_rest(int *a, int *b) {
static __global__ void second(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = place<int>();
  __threadfence();
  b[i] = a[i + 1] + place<unsigned>() + total(i);
}
// WHY-COUNT-8: no-fix shared memory lives across the fence
static __global__ void called(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = total(i);
  __threadfence();
  b[i] = a[i + 1] + twice(i);
}
static __global__ void instance(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = place<int>() = i;
  __threadfence();
  b[i] = a[i + 1] + place<int>();
}
static __global__ void constructed(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  Kept{i};
  __threadfence();
  b[i] = a[i + 1] + Kept::at(threadIdx.x);
}
static __global__ void twoNames(int *a, int *b) {
  extern __shared__ int before[];
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = before[threadIdx.x] = i;
  __threadfence();
  extern __shared__ int after[];
  b[i] = a[i + 1] + after[threadIdx.x];
}
static __global__ void sameName(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  {
    extern __shared__ int own[];
    a[i] = own[threadIdx.x] = i;
  }
  __threadfence();
  extern __shared__ int own[];
  b[i] = a[i + 1] + own[threadIdx.x];
}
static __global__ void outer(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = given[threadIdx.x] = i;
  __threadfence();
  b[i] = a[i + 1] + ofLaunch();
}
__device__ int *table() {
  __shared__ int all[64];
  return all;
}
__device__ void fill(int value, int *all = table()) { all[threadIdx.x] = value; }
struct Table {
  int *all = table();
};
static __global__ void byDefault(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  fill(i);
  __threadfence();
  b[i] = a[i + 1] + table()[threadIdx.x];
}
static __global__ void byMember(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  Table{}.all[threadIdx.x] = i;
  __threadfence();
  b[i] = a[i + 1] + table()[threadIdx.x];
}
// CHECK: {{^}}static __global__ void defaultBefore_rest(int *a, int *b) {
static __global__ void defaultBefore(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  fill(i);
  __threadfence();
  b[i] = a[i + 1] + total(i);
}

// WHY: no-fix an argument of a launch cannot be evaluated again
static __global__ void read(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = n;
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK: {{^}}static __global__ void readOther_rest(int *a, int *b, float x) {
static __global__ void readOther(int *a, int *b, float x) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = int(x);
  __threadfence();
  b[i] = a[i + 1];
}

namespace far {
// CHECK: {{^}}static __global__ void inner_rest(int *a, int *b) {
static __global__ void inner(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
} // namespace far

// CHECK:      {{^}}  first_rest<<<4, 64>>>(a, b);
// CHECK:      {{^}}  second_rest<<<4, 64>>>(a, b);
// CHECK:      {{^}}  defaultBefore_rest<<<4, 64>>>(a, b);
// CHECK:      {{^}}  readOther_rest<<<4, 64>>>(a, b, *x);
// CHECK:      {{^}}  far::inner<<<4, 64>>>(a, b);
// CHECK-NEXT: {{^}}  far::inner_rest<<<4, 64>>>(a, b);
// CHECK-NEXT: {{^}}  (::far::inner)<<<4, 64>>>(b, a);
// CHECK-NEXT: {{^}}  (::far::inner_rest)<<<4, 64>>>(b, a);
void launches(int *a, int *b, const int *n, const float *x) {
  first<<<4, 64>>>(a, b);
  second<<<4, 64>>>(a, b);
  called<<<4, 64>>>(a, b);
  instance<<<4, 64>>>(a, b);
  constructed<<<4, 64>>>(a, b);
  twoNames<<<4, 64, 256>>>(a, b);
  sameName<<<4, 64, 256>>>(a, b);
  outer<<<4, 64, 256>>>(a, b);
  byDefault<<<4, 64>>>(a, b);
  byMember<<<4, 64>>>(a, b);
  defaultBefore<<<4, 64>>>(a, b);
  read<<<4, 64>>>(a, b, *n);
  readOther<<<4, 64>>>(a, b, *x);
  far::inner<<<4, 64>>>(a, b);
  (::far::inner)<<<4, 64>>>(b, a);
}
