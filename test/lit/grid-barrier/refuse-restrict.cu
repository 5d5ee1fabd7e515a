// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Promises of `__restrict__` on pointers that are no parameter of the kernel's:
// nothing can be put in between that hides where they come from.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

__device__ int read(const int *__restrict__ a) { return *a; }

// Out of memory.
__global__ void chases(int **a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += read(a[0] + i);
}
void chased(int **a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    chases<<<(n + 63) / 64, 64>>>(a, b, n);
}
// CHECK: :[[#@LINE-12]]:{{.*}}[read-only-load]

// Out of a record, by a function's promise and by the member's own.
struct View {
  int *p;
  const int *__restrict__ q;
};
__global__ void views(View v, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += read(v.p + i) +
            v.q[i];
}
void viewed(View v, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    views<<<(n + 63) / 64, 64>>>(v, b, n);
}
// CHECK: :[[#@LINE-6]]:{{.*}}[read-only-load]
// CHECK: :[[#@LINE-30]]:{{.*}}[read-only-load]

// A variable that may lead elsewhere, and a lambda's parameter.
__device__ int table[64];
__global__ void local(int *a, int *b, bool own, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *__restrict__ p = own ? a : table;
  auto get = [](const int *__restrict__ q) { return *q; };
  if (i < n)
    b[i] += p[i] + get(a);
}
void locals(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    local<<<(n + 63) / 64, 64>>>(a, b, true, n);
}
// CHECK: :[[#@LINE-9]]:{{.*}}[read-only-load]
// CHECK: :[[#@LINE-9]]:{{.*}}[read-only-load]

// A member function's own object.
struct Cell {
  int v;
  __device__ int get() const __restrict__ { return v; }
};
__global__ void cells(const Cell *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += a[i].get();
}
void cellular(const Cell *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    cells<<<(n + 63) / 64, 64>>>(a, b, n);
}
// CHECK: :[[#@LINE-11]]:{{.*}}[read-only-load]

// Pointers that are given others later on: a kernel's, a function's, a local one.
__device__ int late(const int *__restrict__ x, const int *y) {
  x = y;
  return *x;
}
__global__ void given(int *__restrict__ x, int *y, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *__restrict__ p = b;
  p = y;
  x += y - x;
  if (i < n)
    b[i] += x[n - 1 - i] + *p + late(b, y);
}
void gives(int *a, int *b, int *c, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    given<<<(n + 63) / 64, 64>>>(a, b, c, n);
}
// CHECK: :[[#@LINE-12]]:{{.*}}[read-only-load]
// CHECK: :[[#@LINE-11]]:{{.*}}[read-only-load]
// CHECK: :[[#@LINE-18]]:{{.*}}[read-only-load]

// A distance to what is no parameter, and a member of a variable.
struct Kept {
  const int *__restrict__ p;
};
__global__ void apart(const int *__restrict__ x, View y, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Kept kept = {b};
  const long way = y.p - x;
  if (i < n)
    b[i] += x[way + i] + kept.p[i];
}
void parts(int *a, View v, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    apart<<<(n + 63) / 64, 64>>>(a, v, b, n);
}
// CHECK-DAG: :[[#@LINE-8]]:{{.*}}[read-only-load]
// CHECK-DAG: :[[#@LINE-7]]:{{.*}}[read-only-load]

// An array's elements.
__global__ void elements(const int *x, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *__restrict__ all[1];
  all[0] = x;
  if (i < n)
    b[i] += all[0][n - 1 - i];
}
void element(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    elements<<<(n + 63) / 64, 64>>>(a, b, n);
}
// CHECK: :[[#@LINE-9]]:{{.*}}[read-only-load]

// Distances of pointers that are looked at as something else.
__global__ void united(const int *__restrict__ x, const int *y, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  union {
    const int *pointer;
    size_t number;
  } u;
  u.pointer = y;
  if (i < n)
    b[i] += *(const int *)((const char *)x + (u.number - (size_t)x));
}
__global__ void bits(const int *__restrict__ x, const int *y, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += *(const int *)((const char *)x +
                           (__builtin_bit_cast(long, y) - (long)x));
}
__global__ void referred(const int *__restrict__ x, const int *y, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += *(const int *)((const char *)x +
                           (reinterpret_cast<const long &>(y) - (long)x));
}
__global__ void inRecord(const int *__restrict__ x, const int *y, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const struct {
    const int *p;
  } r = {y};
  if (i < n)
    b[i] += *(const int *)((const char *)x + (*(const long *)&r - (long)x));
}
void disguised(int *a, int *b, int *c, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    united<<<n / 64, 64>>>(a, b, c, n);
  for (int t = 0; t < steps; ++t)
    bits<<<n / 64, 64>>>(a, b, c, n);
  for (int t = 0; t < steps; ++t)
    referred<<<n / 64, 64>>>(a, b, c, n);
  for (int t = 0; t < steps; ++t)
    inRecord<<<n / 64, 64>>>(a, b, c, n);
}
// CHECK-DAG: :[[#@LINE-34]]:{{.*}}[read-only-load]
// CHECK-DAG: :[[#@LINE-27]]:{{.*}}[read-only-load]
// CHECK-DAG: :[[#@LINE-22]]:{{.*}}[read-only-load]
// CHECK-DAG: :[[#@LINE-15]]:{{.*}}[read-only-load]

// Of other memory, and of pointers as other pointers.
__global__ void plain(const int *__restrict__ x, const float *y, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  union {
    float real;
    int number;
  } u;
  u.real = y[i];
  if (i < n)
    b[i] += x[i] + u.number + *(const int *)(const void *)y +
            reinterpret_cast<const int &>(y[0]);
}
void plains(int *a, float *x, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    plain<<<n / 64, 64>>>(a, x, b, n);
}
// CHECK-DAG: :[[#@LINE-3]]:{{.*}}can become
