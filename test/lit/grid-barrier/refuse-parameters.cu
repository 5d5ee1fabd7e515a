// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of kernels that a step cannot have, and some that it can.
//
// RUN: %barricade --rules=grid-barrier,launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-fusion

//===--- Names ----------------------------------------------------------------//

__global__ void takesIndex(float *x, int blockIdx) { x[threadIdx.x] += blockIdx; }
__global__ void takesExtent(float *x, int gridDim) { x[threadIdx.x] += 1; }
__global__ void takesThread(float *x, int threadIdx, int blockDim) { x[threadIdx] += blockDim; }
template <int blockIdx> __global__ void hasIndex(float *x, int n) { x[threadIdx.x] += blockIdx + n; }
struct Cell { int blockIdx; };
__global__ void takesMember(float *x, Cell cell, int block_idx) { x[threadIdx.x] += cell.blockIdx + block_idx; }

// CHECK: :10:{{[0-9]+}}: note: {{.*}} [index-scope]
void names(float *x, int n) {
  for (int t = 0; t < n; ++t) takesIndex<<<1, 64>>>(x, t);
}
// CHECK: :11:{{[0-9]+}}: note: {{.*}} [index-scope]
void namesExtent(float *x, int n) {
  for (int t = 0; t < n; ++t) takesExtent<<<1, 64>>>(x, t);
}
// CHECK: :12:{{[0-9]+}}: note: {{.*}} [index-scope]
void namesThread(float *x, int n) {
  for (int t = 0; t < n; ++t) takesThread<<<1, 64>>>(x, t, n);
}
// CHECK: :13:{{[0-9]+}}: note: {{.*}} [index-scope]
void namesOfTemplate(float *x, int n) {
  for (int t = 0; t < n; ++t) hasIndex<3><<<1, 64>>>(x, t);
}
// CHECK: :[[#@LINE+2]]:3: warning: {{.*}} can become one
void namesMember(float *x, int n, Cell c) {
  for (int t = 0; t < n; ++t) takesMember<<<1, 64>>>(x, c, t);
}

//===--- Copies ---------------------------------------------------------------//

void ofFriend(float *x, class Private &p, int n);
void fusesOfFriend(float *x, class Private &p, int n);
class Private {
  Private(const Private &) = default;
  friend void ofFriend(float *x, Private &p, int n);
  friend void fusesOfFriend(float *x, Private &p, int n);
  friend void ofMemberAlone(float *x, Private &p, int n);

public:
  int v = 0;
};
class Public {
  int w = 0;
  Public() = default;

public:
  Public(const Public &) = default;
  Public(int v) : w(v), v(v) {}
  int v;
};
struct Moved {
  int v;
  Moved(int v) : v(v) {}
  Moved(Moved &&) = default;
};
__global__ void takesPrivate(float *x, Private p) { x[threadIdx.x] += p.v; }
__global__ void takesPublic(float *x, Public p) { x[threadIdx.x] += p.v; }
__global__ void takesMoved(float *x, Moved p) { x[threadIdx.x] += p.v; }
__global__ void takesInt(float *x, int n) { x[threadIdx.x] += n; }

// CHECK: :[[#@LINE+3]]:3: remark:
// CHECK: note: {{.*}} [host-variable]
void ofFriend(float *x, Private &p, int n) {
  for (int t = 0; t < n; ++t) takesPrivate<<<1, 64>>>(x + t, p);
}
// CHECK: :[[#@LINE+3]]:3: remark: 2 launches
// CHECK: note: {{.*}} [parameter-type]
void fusesOfFriend(float *x, Private &p, int n) {
  takesPrivate<<<1, 64>>>(x, p);
  takesInt<<<1, 64>>>(x, n);
}
// The persistent kernel would take the whole.
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: note: {{.*}} [host-variable]
void ofMemberAlone(float *x, Private &p, int n) {
  for (int t = 0; t < n; ++t) takesInt<<<1, 64>>>(x, p.v + t);
}
// CHECK: :[[#@LINE+3]]:3: remark:
// CHECK: note: {{.*}} [host-variable]
void ofMoved(float *x, int n) {
  for (int t = 0; t < n; ++t) takesMoved<<<1, 64>>>(x + t, Moved(n));
}
// CHECK: :[[#@LINE+2]]:3: warning: {{.*}} can become one
void ofPublic(float *x, Public &p, int n) {
  for (int t = 0; t < n; ++t) takesPublic<<<1, 64>>>(x + t, p);
}

//===--- Macros ---------------------------------------------------------------//

#define COMMA ,
#define AND_COUNT , int n
#define BY_DEFAULT = 3
#define THREE 3
#define NOTHING
#define PAIR Two<int, float>
#define OPEN (
template <typename A, typename B> struct Two { A a; B b; };
__global__ void apart(float *x COMMA int n) { x[threadIdx.x] += n; }
__global__ void apartUnnamed(float * COMMA float *x) { x[threadIdx.x] += 1; }
__global__ void withCount(float *x AND_COUNT) { x[threadIdx.x] += n; }
__global__ void withDefault(float *x, int n BY_DEFAULT) { x[threadIdx.x] += n; }
__global__ void withPlain(float *x NOTHING, PAIR p, const NOTHING int n NOTHING = THREE) { x[threadIdx.x] += n + p.a; }
__global__ void withArray(float OPEN *x)[64], int n) { (*x)[threadIdx.x] += n; }

// CHECK: :[[#@LINE+3]]:3: remark:
// CHECK: note: {{.*}} [kernel-in-macro]
void commas(float *x, int n) {
  for (int t = 0; t < n; ++t) apart<<<1, 64>>>(x, t);
}
// CHECK: :[[#@LINE+3]]:3: remark:
// CHECK: note: {{.*}} [kernel-in-macro]
void commasUnnamed(float *x, int n) {
  for (int t = 0; t < n; ++t) apartUnnamed<<<1, 64>>>(x, x + t);
}
// CHECK: :[[#@LINE+3]]:3: remark:
// CHECK: note: {{.*}} [kernel-in-macro]
void counts(float *x, int n) {
  for (int t = 0; t < n; ++t) withCount<<<1, 64>>>(x, t);
}
// CHECK: :[[#@LINE+3]]:3: remark:
// CHECK: note: {{.*}} [kernel-in-macro]
void defaults(float *x, int n) {
  for (int t = 0; t < n; ++t) withDefault<<<1, 64>>>(x, t);
}
// CHECK: :[[#@LINE+2]]:3: warning: {{.*}} can become one
void plain(float *x, int n, PAIR p) {
  for (int t = 0; t < n; ++t) withPlain<<<1, 64>>>(x, p, t);
}
// CHECK: :[[#@LINE+2]]:3: warning: {{.*}} can become one
void arrays(float (*x)[64], int n) {
  for (int t = 0; t < n; ++t) withArray<<<1, 64>>>(x, t);
}
