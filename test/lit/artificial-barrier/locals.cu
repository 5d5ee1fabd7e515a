// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local variables that get the thread index behind their names: none of these
// loops is uniform, so that none may get a bare barrier.
//
// RUN: not %dry-run %s > %t.diff
// RUN: not grep '^+.*__syncthreads();' %t.diff
// RUN: grep -c '__syncthreads_or' %t.diff | FileCheck %s --check-prefix=VOTES
// VOTES: {{[1-9][0-9]}}

#include <new>
// every loop marked L in kernel must be refused
#define tid ((int)threadIdx.x)
#define P const float *a, float *out
// ---- locals reached in ways
__device__ void two(int &x, int &y) { x = threadIdx.x; }
__global__ void aliasRefErase(P) { int n = 4; two(n, n); float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__device__ int two2(int &x, const int &y) { x = threadIdx.x; return y; }
__global__ void aliasRefRead(P) { int n = 4; int m = two2(n, n); float s = 0;
  for (int k = 0; k < m; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__device__ int first(const int *p) { return p[0]; }
__global__ void pointerToLocal(P) { int x = threadIdx.x; int n = first(&x); float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void pointerToLocalArray(P) { int x[2] = {tid, 1}; int n = first(x); float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void pointerChoice(P, int c) { int x = tid, y = 2; int *p = c ? &x : &y; float s = 0;
  for (int k = 0; k < *p; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void pointerArray(P, int c) { int x = tid; int *p[2] = {&x, &x}; float s = 0;
  for (int k = 0; k < *p[c]; ++k) s += a[k * 32 + tid]; out[tid] = s; }
struct Ptr { int *p; };
__global__ void pointerInStruct(P) { int x = tid; Ptr q{&x}; float s = 0;
  for (int k = 0; k < *q.p; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void pointerToPointer(P, int *b) { int *p = b; int **pp = &p; *pp = b + tid; float s = 0;
  for (int k = 0; k < p - b; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void castRef(P) { int n = 4; (unsigned &)n = threadIdx.x; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void castRef2(P) { int n = 4; reinterpret_cast<unsigned &>(n) = threadIdx.x; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void castRef3(P) { int n = 4; unsigned &r = (unsigned &)n; r = threadIdx.x; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void choiceLvalue(P, int c) { int n = 4, m = 3; (c ? n : m) = tid; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void commaLvalue(P, int c) { int n = 4; (c++, n) = tid; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void assignLvalue(P, int c) { int n; (n = c) += tid; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void preincLvalue(P, int c) { int n = 0; (++n) = tid; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__device__ void setRef(int &x) { x = threadIdx.x; }
__global__ void choiceRefArg(P, int c) { int n = 4, m = 3; setRef(c ? n : m); float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void assignRefArg(P, int c) { int n; setRef(n = c); float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void rangeRef(P) { int x[2] = {3, 4}; for (auto &e : x) e = tid; float s = 0;
  for (int k = 0; k < x[0]; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__device__ void fill(int (&x)[2]) { x[0] = threadIdx.x; }
__global__ void arrayRefArg(P) { int x[2] = {3, 4}; fill(x); float s = 0;
  for (int k = 0; k < x[0]; ++k) s += a[k * 32 + tid]; out[tid] = s; }
struct Arr { int v[2]; int n; };
__device__ void fillS(Arr &x) { x.v[0] = threadIdx.x; }
__global__ void structArrayRefArg(P) { Arr x = {{3, 4}, 5}; fillS(x); float s = 0;
  for (int k = 0; k < x.v[0]; ++k) s += a[k * 32 + tid]; out[tid] = s; }
union U { int i; float f; unsigned u; };
__global__ void unionPun(P) { U x; x.i = 3; x.u = threadIdx.x; float s = 0;
  for (int k = 0; k < x.i; ++k) s += a[k * 32 + tid]; out[tid] = s; }
struct Anon { union { int i; unsigned u; }; };
__global__ void anonUnionPun(P) { Anon x; x.i = 3; x.u = threadIdx.x; float s = 0;
  for (int k = 0; k < x.i; ++k) s += a[k * 32 + tid]; out[tid] = s; }
struct DefInit { int n = threadIdx.x; };
__global__ void defaultInit(P) { DefInit d; float s = 0;
  for (int k = 0; k < d.n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void defaultInitBraces(P) { DefInit d{}; float s = 0;
  for (int k = 0; k < d.n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
struct Base { int n; __device__ Base() : n(threadIdx.x) {} };
struct Derived : Base {};
__global__ void defaultedDerived(P) { Derived d; float s = 0;
  for (int k = 0; k < d.n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
struct Held { int &r; };
__global__ void refField(P) { int n = 4; Held h{n}; h.r = tid; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
struct Held2 { int &r; __device__ Held2(int &x) : r(x) {} __device__ ~Held2() { r = threadIdx.x; } };
__global__ void refDtor(P) { int n = 4; { Held2 h(n); } float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__device__ int &pick(int &x) { return x; }
__global__ void refReturn(P) { int n = 4; pick(n) = tid; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void refReturn2(P) { int n = 4; int &r = pick(n); r = tid; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
struct Pair { int x, y; };
__global__ void binding(P) { Pair q{3, 4}; auto &[x, y] = q; x = tid; float s = 0;
  for (int k = 0; k < q.x; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void commaRef(P, int c) { int n = 4; int &r = (c++, n); r = tid; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void copyIndex(P) { uint3 t = threadIdx; float s = 0;
  for (int k = 0; k < t.x; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void refIndex(P) { auto &t = threadIdx; float s = 0;
  for (int k = 0; k < t.x; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__device__ int dflt(int n = threadIdx.x) { return n; }
__global__ void defaultArg(P) { int n = dflt(); float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
struct Conv { __device__ operator int() const { return threadIdx.x; } };
__global__ void conversion(P) { Conv n; float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void asmOut(P) { int n; asm("mov.u32 %0, %%tid.x;" : "=r"(n)); float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void asmOutCast(P) { int n = 4; asm("mov.u32 %0, %%tid.x;" : "=r"((unsigned &)n)); float s = 0;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void asmOutArray(P) { int n[2] = {1, 2}; asm("mov.u32 %0, %%tid.x;" : "=r"(n[0])); float s = 0;
  for (int k = 0; k < n[0]; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void memberPtr(P) { Pair q{3, 4}; int Pair::*m = &Pair::x; q.*m = tid; float s = 0;
  for (int k = 0; k < q.x; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__device__ Pair makePair(int x) { Pair q; q.x = x; q.y = 1; return q; }
__global__ void fieldOfCall(P) { float s = 0; int n = makePair(tid).x;
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void vecElem(P) { int4 v = make_int4(1, 2, 3, 4); (&v.x)[1] = tid; float s = 0;
  for (int k = 0; k < v.y; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void placementNew(P) { __shared__ int n[1]; float s = 0; new (&n[0]) int(tid);
  for (int k = 0; k < n[0]; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void arrayDecl(P) { int x[2][2] = {}; int (*row)[2] = x; row[1][0] = tid; float s = 0;
  for (int k = 0; k < x[1][0]; ++k) s += a[k * 32 + tid]; out[tid] = s; }
__global__ void varInit(P) { float s = 0; int n = 0; int m = (n = tid, 5);
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s + m; }
__global__ void shortCircuit(P) { float s = 0; int n = 0; bool b = tid > 3 && (n = 5);
  for (int k = 0; k < n; ++k) s += a[k * 32 + tid]; out[tid] = s + b; }
