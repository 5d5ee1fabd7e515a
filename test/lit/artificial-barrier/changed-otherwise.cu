// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums that the loop does not assign by their names are read after it all the
// same, and so what they are made of is traffic. So is what a counter leads to.
//
// RUN: %barricade --profit=any --explain %s -- -arch=sm_90 2>&1 | FileCheck %s

__device__ void add(float &sum, float value) { sum += value; }
__device__ void addTo(float *sum, float value) { *sum += value; }
__device__ void addTwice(float &sum, float value) {
  add(sum, value);
  add(sum, value);
}
struct Pair {
  float x, y;
};
__device__ void addX(Pair &sum, float value) { sum.x += value; }

__global__ void byReference(const float *a, float *out, int n) {
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound for loop
  for (int k = 0; k < n; ++k)
    add(s, a[k * 64 + threadIdx.x]);
  // CHECK: :[[#@LINE-1]]:12: note: load of 4 bytes
  out[threadIdx.x] = s;
}

__global__ void byPointer(const float *a, float *out, int n) {
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound for loop
  for (int k = 0; k < n; ++k)
    addTo(&s, a[k * 64 + threadIdx.x]);
  out[threadIdx.x] = s;
}

__global__ void byTwoCalls(const float *a, float *out, int n) {
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound for loop
  for (int k = 0; k < n; ++k)
    addTwice(s, a[k * 64 + threadIdx.x]);
  out[threadIdx.x] = s;
}

__global__ void byField(const float *a, float *out, int n) {
  Pair s = {0, 0};
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound for loop
  for (int k = 0; k < n; ++k)
    addX(s, a[k * 64 + threadIdx.x]);
  out[threadIdx.x] = s.x;
}

__global__ void byAlias(const float *a, float *out, int n) {
  float s = 0;
  float &alias = s;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound for loop
  for (int k = 0; k < n; ++k)
    alias += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void inLambda(const float *a, float *out, int n) {
  float s = 0;
  auto sum = [&](float value) { s += value; };
  // CHECK: :[[#@LINE+1]]:3: {{warning|remark}}: {{.*}}for loop
  for (int k = 0; k < n; ++k)
    sum(a[k * 64 + threadIdx.x]);
  out[threadIdx.x] = s;
}

__global__ void inNestedLoop(const float *a, float *out, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j)
    // CHECK: :[[#@LINE+1]]:5: warning: memory-bound for loop
    for (int k = 0; k < n; ++k)
      add(s, a[(j * n + k) * 64 + threadIdx.x]);
  out[threadIdx.x] = s;
}

// Nothing is read of these: compilers leave the loads out.
__global__ void ofTheIteration(const float *a, int n) {
  for (int k = 0; k < n; ++k) {
    float s = 0;
    add(s, a[k * 64 + threadIdx.x]);
  }
}

// What a parameter refers to may be another object in each iteration ...
__device__ float sumOf(const Pair &pair) { return pair.x + pair.y; }
__global__ void readsField(const Pair *a, float *out, int n) {
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound for loop
  for (int k = 0; k < n; ++k) {
    const Pair &pair = a[k * 64 + threadIdx.x];
    s += sumOf(pair);
  }
  out[threadIdx.x] = s;
}

// ... or the same in all.
__global__ void readsOwnField(const Pair *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += sumOf(a[threadIdx.x]) * k;
  out[threadIdx.x] = s;
}

//===--- Counters -------------------------------------------------------------//

// A counter that changes by another name than its own takes the addresses along.
__device__ void bump(int &k) { ++k; }
struct Cursor {
  int at;
  __device__ void next() { ++at; }
};

__global__ void countsByPointer(const int *a, int *out, int n) {
  int s = 0, k = 0, *p = &k;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (; k < n; ++*p)
    s += a[k * 64 + threadIdx.x];
  // CHECK: :[[#@LINE-1]]:10: note: load of 4 bytes
  out[threadIdx.x] = s;
}

__global__ void readsByPointer(const int *a, int *out, int n) {
  int s = 0, k = 0, *p = &k;
  // CHECK: :[[#@LINE+1]]:3: {{remark|warning}}: {{.*}}for loop
  for (; *p < n; ++k)
    s += a[*p * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void countsByReference(const int *a, int *out, int n) {
  int s = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; bump(k))
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__device__ int sumFrom(const int *a, int &k, int n) {
  int s = 0;
  // CHECK: :[[#@LINE+1]]:3: {{remark|warning}}: {{.*}}while loop
  while (k < n) {
    s += a[k * 64];
    ++k;
  }
  return s;
}
__global__ void countsInCall(const int *a, int *out, int n) {
  int k = threadIdx.x;
  out[threadIdx.x] = sumFrom(a, k, n);
}

__global__ void countsByMethod(const int *a, int *out, int n) {
  int s = 0;
  Cursor cursor = {0}, *p = &cursor;
  // CHECK: :[[#@LINE+1]]:3: {{remark|warning}}: {{.*}}for loop
  for (; p->at < n; p->next())
    s += a[p->at * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void countsInMemory(const int *a, int *out, int n) {
  __shared__ int at[64];
  int s = 0;
  at[threadIdx.x] = 0;
  // CHECK: :[[#@LINE+1]]:3: {{remark|warning}}: {{.*}}for loop
  for (; at[threadIdx.x] < n; ++at[threadIdx.x])
    s += a[at[threadIdx.x] * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// What changes is something else: one load, before the loop.
__global__ void countsAnother(const int *a, int *out, int n) {
  int s = 0, k = threadIdx.x, other = 0, *p = &other, *q = &k;
  ++*q;
  for (; other < n; ++*p)
    s += a[k] * other;
  __shared__ int at[64];
  at[threadIdx.x] = 0;
  for (; at[threadIdx.x] < n; ++at[threadIdx.x])
    s += a[threadIdx.x] * at[threadIdx.x];
  out[threadIdx.x] = s;
}

// CHECK: 14 findings in 1 file
