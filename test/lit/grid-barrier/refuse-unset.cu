// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands before the loop reads a grid's variables, and copies the kernel's,
// even where the loop does not run: they, and all of their parts, must have a
// value on every way there.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

__global__ void inc(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] += x[n - 1 - threadIdx.x]; }

// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void grid(float *x, int n, int steps) {
  int blocks;
  if (steps > 0) blocks = n / 64;
  for (int t = 0; t < steps; ++t) inc<<<blocks, 64>>>(x, n + t);
}
// CHECK: :[[#@LINE+5]]:{{[0-9]+}}: warning: {{.*}} can become one
void gridOfEither(float *x, int n, int steps) {
  int blocks;
  if (n > 4096) blocks = n / 64;
  else blocks = 64;
  for (int t = 0; t < steps; ++t) inc<<<blocks, 64>>>(x, n + t);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void block(float *x, int n, int steps) {
  int threads;
  while (n > 4096) n = threads = n / 2;
  for (int t = 0; t < steps; ++t) inc<<<4, threads>>>(x, n + t);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: warning: {{.*}} can become one
void blockOfDo(float *x, int n, int steps) {
  int threads;
  do n = threads = n / 2; while (n > 1024);
  for (int t = 0; t < steps; ++t) inc<<<4, threads>>>(x, n + t);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void shared(float *x, int n, int steps) {
  int bytes;
  if (n > 4096) bytes = 64;
  for (int t = 0; t < steps; ++t) inc<<<4, 64, bytes>>>(x, n + t);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: warning: {{.*}} can become one
void read(float *x, const int *of, int steps) {
  int last;
  cudaMemcpy(&last, of, sizeof(int), cudaMemcpyDeviceToHost);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, last + t);
}

// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void elements(float *x, int n, int steps) {
  int sizes[4];
  sizes[1] = n;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, sizes[1] + t);
}
// CHECK: :[[#@LINE+5]]:{{[0-9]+}}: warning: {{.*}} can become one
void allElements(float *x, int n, int steps) {
  int sizes[2];
  sizes[1] = n;
  sizes[0] = n / 2;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, sizes[t & 1]);
}
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void braces(float *x, int n, int steps) {
  int sizes[4] = {n};
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, sizes[t & 3] + n);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: warning: {{.*}} can become one
void filled(float *x, int n, int steps) {
  int sizes[100];
  for (int i = 0; i < 100; ++i) sizes[i] = n + i;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, sizes[t & 63]);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void mostlyFilled(float *x, int n, int steps) {
  int sizes[100];
  for (int i = 0; i < 99; ++i) sizes[i] = n + i;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, sizes[t & 63]);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void sometimesFilled(float *x, int n, int steps) {
  int sizes[100];
  for (int i = 0; i < 100; ++i) if (i != n) sizes[i] = n + i;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, sizes[t & 63]);
}

struct Config { int n; int sizes[2]; };
// CHECK: :[[#@LINE+5]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void members(float *x, int n, int steps) {
  Config c;
  c.n = n;
  c.sizes[0] = n;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.n + t);
}
// CHECK: :[[#@LINE+6]]:{{[0-9]+}}: warning: {{.*}} can become one
void allMembers(float *x, int n, int steps) {
  Config c;
  c.n = n;
  c.sizes[0] = n;
  c.sizes[1] = n;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.n + t);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: warning: {{.*}} can become one
void whole(float *x, const Config &given, int steps) {
  Config c;
  c = given;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.n + t);
}

// What the members' declarations set.
struct Half { int set = 7, unset; };
struct Full { int n = 7, sizes[2] = {1}; };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void halfSet(float *x, int n, int steps) {
  Half c;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.set + n + t);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: warning: {{.*}} can become one
void otherHalfSet(float *x, int n, int steps) {
  Half c;
  c.unset = n;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.set + n + t);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void sameHalfSet(float *x, int n, int steps) {
  Half c;
  c.set = n;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.set + n + t);
}
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void halfInBraces(float *x, int n, int steps) {
  Half c{};
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.set + n + t);
}
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void halfFromTemporary(float *x, int n, int steps) {
  auto c = Half{n};
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.set + n + t);
}
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void fullSet(float *x, int n, int steps) {
  Full c;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.n + n + t);
}

// A constructor that does nothing, in braces or without.
struct Empty { int a, b; Empty() {} };
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void emptySet(float *x, int n, int steps) {
  Empty c;
  c.a = n;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + t);
}
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void emptyInBraces(float *x, int n, int steps) {
  Empty c{};
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + t);
}
// CHECK: :[[#@LINE+5]]:{{[0-9]+}}: warning: {{.*}} can become one
void emptyAndAllSet(float *x, int n, int steps) {
  Empty c;
  c.a = n;
  c.b = n;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + t);
}
struct Holder { int n; Empty inner; };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void emptyInside(float *x, int n, int steps) {
  Holder c = {n, {}};
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.n + t);
}
