// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are others wherever they are written: __LINE__, __COUNTER__, the
// size of a function's name.
//
// RUN: %barricade --rules=grid-barrier,launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='one persistent kernel' --implicit-check-not='can become one kernel' %s

#define HERE __LINE__
#define FOUR 4

__global__ void add(int *x, int s) { x[threadIdx.x] += s; }
__global__ void next(int *x, int s, int m = __COUNTER__) { x[threadIdx.x] += s + m; }
__global__ void at(int *x, int s, int m = HERE) { x[threadIdx.x] += s + m; }
__global__ void builtin(int *x, int s, int m = __builtin_LINE()) { x[threadIdx.x] += s + m; }
__global__ void same(int *x, int s, int m = FOUR) { x[threadIdx.x] += s + m; }
template <int M> __global__ void by(int *x, int s) { x[threadIdx.x] += s + M; }
template <class Tag, int M = __COUNTER__>
__global__ void tagged(int *x, int s) { x[threadIdx.x] += s + M; }

//===--- In loops ---------------------------------------------------------===//

// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void defaults(int *x, int n) { for (int t = 0; t < n; ++t) next<<<1, 64>>>(x, t); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void lines(int *x, int n) { for (int t = 0; t < n; ++t) at<<<1, 64>>>(x, t); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void builtins(int *x, int n) { for (int t = 0; t < n; ++t) builtin<<<1, 64>>>(x, t); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void arguments(int *x, int n) { for (int t = 0; t < n; ++t) by<__LINE__><<<1, 64>>>(x, t); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void counted(int *x, int n) { for (int t = 0; t < n; ++t) by<__COUNTER__><<<1, 64>>>(x, t); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void named(int *x, int n) { for (int t = 0; t < n; ++t) by<sizeof(__PRETTY_FUNCTION__)><<<1, 64>>>(x, t); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void parameters(int *x, int n) { for (int t = 0; t < n; ++t) tagged<int><<<1, 64>>>(x, t); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void sizes(int *x, int n) { for (int t = 0; t < n; ++t) add<<<1, 64>>>(x, t + sizeof(__PRETTY_FUNCTION__)); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void arrays(int *x, int n) { for (int t = 0; t < n; ++t) add<<<1, 64>>>(x, t + sizeof(char[__LINE__])); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void bounds(int *x, int n) { for (int t = 0; t < HERE; ++t) add<<<1, 64>>>(x, t); }

template <int N> struct Const { static constexpr int value = N; };
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void qualified(int *x, int n) { for (int t = 0; t < n; ++t) add<<<1, 64>>>(x, t + Const<__COUNTER__>::value); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void grids(int *x, int n) { for (int t = 0; t < n; ++t) add<<<Const<__LINE__>::value, 64>>>(x, t); }
// CHECK: [[@LINE+1]]:{{.*}}: remark: {{.*}}cannot become one kernel{{.*}}depends on where it stands
void limits(int *x, int n) { for (int t = 0; t < n + Const<__COUNTER__>::value; ++t) add<<<1, 64>>>(x, t); }

// CHECK: [[@LINE+1]]:{{.*}}: warning: {{.*}}one persistent kernel
void fixedQualified(int *x, int n) { for (int t = 0; t < n; ++t) add<<<1, 64>>>(x, t + Const<FOUR>::value); }
// CHECK: [[@LINE+1]]:{{.*}}: warning: {{.*}}one persistent kernel
void fixed(int *x, int n) { for (int t = 0; t < n; ++t) same<<<1, 64>>>(x, t); }
// CHECK: [[@LINE+1]]:{{.*}}: warning: {{.*}}one persistent kernel
void macros(int *x, int n) { for (int t = 0; t < n; ++t) by<FOUR><<<1, 64>>>(x, t + sizeof(char[FOUR])); }

//===--- In a row ---------------------------------------------------------===//

// CHECK: [[@LINE+2]]:{{.*}}: remark: {{.*}}cannot be joined{{.*}}depends on where it stands
void twice(int *x, int n) {
  add<<<1, 64>>>(x, n + 100 * __COUNTER__);
  add<<<1, 64>>>(x, n + 1000 * __COUNTER__);
}
// CHECK: [[@LINE+2]]:{{.*}}: remark: {{.*}}cannot be joined{{.*}}depends on where it stands
void kinds(int *x, int n) {
  by<__LINE__><<<1, 64>>>(x, n);
  by<3><<<1, 64>>>(x, n);
}
// CHECK: [[@LINE+2]]:{{.*}}: warning: 2 launches in a row can become one kernel
void plain(int *x, int n) {
  by<FOUR><<<1, 64>>>(x, n);
  by<3><<<1, 64>>>(x, n + FOUR);
}
