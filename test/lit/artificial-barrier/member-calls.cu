// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that operators and members of small classes reach is counted; so is
// what lambdas reach, whose loops stay as they are.
//
// RUN: %barricade --rules=artificial-barrier --min-memory-ratio=0 --explain %s -- -std=c++17 -arch=sm_80 2>&1 | FileCheck %s

struct View {
  const float *p;
  __device__ float operator[](int i) const { return p[i]; }
};
struct Element {
  float *p;
  __device__ operator float() const { return *p; }
  __device__ float &operator*() const { return *p; }
  __device__ Element &operator=(float value) {
    *p = value;
    return *this;
  }
};
struct Matrix {
  float *p;
  __device__ float &operator()(int i, int j) { return p[i * 64 + j]; }
  __device__ float sum(int i) { return (*this)(i, 0) + (*this)(i, 1); }
};

// CHECK: memory-operations 1 per iteration, global-accesses 1
// CHECK: load of 4 bytes, {{.*}} index threadIdx.x + 64*k, coalesced
__global__ void subscript(View a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// CHECK: memory-operations 1 per iteration, global-accesses 1
__global__ void converts(float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    Element e{a + k * 64 + threadIdx.x};
    s += e;
  }
  out[threadIdx.x] = s;
}

// CHECK: memory-operations 2 per iteration, global-accesses 2
// CHECK: load of 4 bytes
// CHECK: store of 4 bytes
__global__ void dereferences(float *a, int n) {
  for (int k = 0; k < n; ++k) {
    Element e{a + k * 64 + threadIdx.x};
    *e = *e + k;
  }
}

// CHECK: memory-operations 2 per iteration, global-accesses 2
// CHECK: load of 4 bytes
// CHECK: store of 4 bytes
__global__ void assigns(float *a, const float *b, int n) {
  for (int k = 0; k < n; ++k) {
    Element e{a + k * 64 + threadIdx.x};
    e = b[k];
  }
}

// CHECK: memory-operations 2 per iteration, global-accesses 2
// CHECK: load of 4 bytes, {{.*}} index threadIdx.x + 64*k, coalesced
// CHECK: store of 4 bytes, {{.*}} index threadIdx.x + 64*k, coalesced
__global__ void calls(Matrix m, int n) {
  for (int k = 0; k < n; ++k)
    m(k, threadIdx.x) += 1;
}

// CHECK: memory-operations 2 per iteration, global-accesses 2
// CHECK: index 64*k,
// CHECK: index 64*k + 1,
__global__ void callsWithin(Matrix m, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += m.sum(k);
  out[threadIdx.x] = s;
}

struct Range {
  int begin, end;
  __device__ explicit operator bool() const { return begin < end; }
  __device__ Range &operator++() {
    ++begin;
    return *this;
  }
  __device__ int operator*() const { return begin; }
};
// CHECK: memory-operations 1 per iteration, global-accesses 1
__global__ void iterates(const float *a, float *out, int n) {
  float s = 0;
  for (Range r{int(threadIdx.x), n}; r; ++r)
    s += a[*r];
  out[threadIdx.x] = s;
}

// What is only computed is no memory, and what no iteration changes is read
// before the loop.
struct Pair {
  float a, b;
  __device__ float operator[](int i) const { return i ? a : b; }
};
// CHECK-NOT: :[[#@LINE+3]]:3: {{.*}}for loop
__global__ void registers(Pair pair, View view, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s = s * pair[k] + view[threadIdx.x];
  out[threadIdx.x] = s;
}

// CHECK: :[[#@LINE+6]]:10: note: a function that cannot be looked into is called [unknown-call]
// CHECK: load of 4 bytes, {{.*}} index threadIdx.x + 64*k, coalesced
__global__ void lambda(const float *a, float *out, int n) {
  float s = 0;
  auto load = [=](int k) { return a[k * 64 + threadIdx.x]; };
  for (int k = 0; k < n; ++k)
    s += load(k);
  out[threadIdx.x] = s;
}

void launch(View v, Matrix m, Pair p, float *a, float *b, int n) {
  subscript<<<1, 64>>>(v, b, n);
  converts<<<1, 64>>>(a, b, n);
  dereferences<<<1, 64>>>(a, n);
  assigns<<<1, 64>>>(a, b, n);
  calls<<<1, 64>>>(m, n);
  callsWithin<<<1, 64>>>(m, b, n);
  iterates<<<1, 64>>>(a, b, n);
  registers<<<1, 64>>>(p, v, b, n);
  lambda<<<1, 64>>>(a, b, n);
}
