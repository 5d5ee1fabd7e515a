// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are cut in two at a fence taken for a barrier, and those that
// cannot be.
//
// RUN: %rewrite-check %s %t.cu --rules=fence-as-barrier
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck --implicit-check-not='_rest' %s
// RUN: not %barricade --rules=fence-as-barrier --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=WHY %s

// What both halves need is computed in both, what the second alone needs moves.
//
// CHECK:      {{^}}static __global__ void update(int *old, int *c, const int *b, int off, int n) {
// CHECK-NEXT: {{^}}  int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: {{^}}  if (i >= n)
// CHECK-NEXT: {{^}}    return;
// CHECK-NEXT: {{^}}  old[i] = c[i];
// CHECK-NEXT: {{^}}}
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}static __global__ void update_rest(int *old, int *c, const int *b, int off, int n) {
// CHECK-NEXT: {{^}}  int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: {{^}}  const int to = i + off; // Where it goes.
// CHECK-NEXT: {{^}}  if (i >= n)
// CHECK-NEXT: {{^}}    return;
// CHECK-NEXT: {{^}}  if (to < n)
// CHECK-NEXT: {{^}}    c[to] ^= b[i];
// CHECK-NEXT: {{^}}}
static __global__ void update(int *old, int *c, const int *b, int off, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int to = i + off; // Where it goes.
  if (i >= n)
    return;
  old[i] = c[i];
  __threadfence();
  if (to < n)
    c[to] ^= b[i];
}

// Each launch becomes two.
//
// CHECK:      {{^}}  update<<<blocks, 256, 0, stream>>>(old, c, b, off, n); // All.
// CHECK-NEXT: {{^}}  update_rest<<<blocks, 256, 0, stream>>>(old, c, b, off, n);
// CHECK:      {{^}}    update<<<1 + blocks, 128>>>(c, old, b, off, n);
// CHECK-NEXT: {{^}}    update_rest<<<1 + blocks, 128>>>(c, old, b, off, n);
void launches(int *old, int *c, const int *b, int off, int n,
              cudaStream_t stream) {
  const int blocks = (n + 255) / 256;
  update<<<blocks, 256, 0, stream>>>(old, c, b, off, n); // All.
  if (n > 7) {
    update<<<1 + blocks, 128>>>(c, old, b, off, n);
  }
}

// Shared memory that the second half alone uses.
//
// CHECK:      {{^}}static __global__ void next_rest(float *a, float *b) {
// CHECK-NEXT: {{^}}  int i = blockIdx.x * 64 + threadIdx.x;
// CHECK-NEXT: {{^}}  __shared__ float all[64];
static __global__ void next(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  __shared__ float all[64];
  a[i] = i;
  __threadfence();
  all[threadIdx.x] = a[i + 1];
  __syncthreads();
  b[i] = all[63 - threadIdx.x];
}
// CHECK:      {{^}}  next<<<8, 64>>>(a, b);
// CHECK-NEXT: {{^}}  next_rest<<<8, 64>>>(a, b);
void launchNext(float *a, float *b) {
  next<<<8, 64>>>(a, b);
}

//===--- Near misses ------------------------------------------------------===//

// WHY-DAG: no-fix a variable lives across the fence
static __global__ void lives(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  float own = a[i];
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + own;
}
// WHY-DAG: no-fix shared memory lives across the fence
static __global__ void sharedLives(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  __shared__ float all[64];
  all[threadIdx.x] = b[i];
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + all[threadIdx.x];
}
// WHY-DAG: no-fix a thread returns before the fence for what the second half does not know
static __global__ void returns(float *a, float *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x, k = i;
  k += 1;
  a[i] = i;
  if (k >= n)
    return;
  __threadfence();
  b[i] = a[i + 1];
}
// WHY-DAG: no-fix the fence is not a statement of the kernel's own block
static __global__ void inLoop(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  for (int k = 0; k < 3; ++k) {
    a[i] = i;
    __threadfence();
    b[i] = a[i + 1];
  }
}
// WHY-DAG: no-fix no launch of the kernel is in sight
static __global__ void unlaunched(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// WHY-DAG: no-fix the kernel may be launched through a pointer
static __global__ void pointed(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// WHY-DAG: no-fix the kernel may be launched from elsewhere
static __global__ void declared(float *a, float *b);
static __global__ void declared(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// WHY-DAG: no-fix an argument of a launch cannot be evaluated again
static __global__ void counted(float *a, float *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = n;
  __threadfence();
  b[i] = a[i + 1];
}
// WHY-DAG: no-fix a launch is no statement that can be repeated
static __global__ void guarded(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// WHY-DAG: no-fix code of another build goes on with the kernel
#ifdef NAMED
inline
#endif
__global__ static void prefixed(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// WHY-DAG: no-fix a preprocessor directive stands in the kernel
static __global__ void directive(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
#if 1
  a[i] = i;
#endif
  __threadfence();
  b[i] = a[i + 1];
}
// WHY-DAG: no-fix the kernel is a template or a member
template <typename T> __global__ void generic(T *a, T *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// Behind the fence another name would be meant.
//
// WHY-DAG: no-fix a name that is no variable's is declared before the fence
enum { Apart = 5 };
static __global__ void names(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  enum { Apart = 1 };
  a[i] = i;
  __threadfence();
  b[i] = a[i + Apart];
}
// What types name is computed in both halves.
//
// CHECK:      {{^}}static __global__ void sized_rest(
// CHECK-NEXT: {{^}}  int i =
// CHECK-NEXT: {{^}}  const int Wide = 3;
// CHECK-NEXT: {{^}}  b[i] =
const int Wide = 9;
static __global__ void sized(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  const int Wide = 3;
  a[i] = i + Wide;
  __threadfence();
  b[i] = a[i + 1] + sizeof(int[Wide]);
}
// What nobody uses stays, with what it needs.
//
// CHECK:      {{^}}static __global__ void unused(
// CHECK-NEXT: {{^}}  int i =
// CHECK-NEXT: {{^}}  int by = n;
// CHECK-NEXT: {{^}}  int more = by + 1;
// CHECK-NEXT: {{^}}  a[i] = i;
// CHECK:      {{^}}static __global__ void unused_rest(
// CHECK-NEXT: {{^}}  int i =
// CHECK-NEXT: {{^}}  int by = n;
// CHECK-NEXT: {{^}}  b[i] =
static __global__ void unused(float *a, float *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  int by = n;
  int more = by + 1;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + by;
}
// Nor is it a static variable, or one that is declared again.
//
// WHY-COUNT-2: no-fix a variable lives across the fence
__device__ float count = 7, total;
static __global__ void counts(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  static __device__ float count = 3;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + count;
}
static __global__ void redeclares(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  extern __device__ float total;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + total;
}
// WHY-DAG: no-fix assembly may end a thread, or synchronise
static __global__ void leaves(float *a, float *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  if (n == 5)
    asm volatile("exit;");
  __threadfence();
  b[i] = a[i + 1];
}
// The kernel may write what the launch reads: as a whole number, but not as an
// address.
//
// WHY-COUNT-3: no-fix an argument of a launch cannot be evaluated again
static __global__ void notes(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
static __global__ void notes2(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
__managed__ int shown;
static __global__ void notes3(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
// CHECK: {{^}}static __global__ void moves_rest(int *a, int *b, int n) {
static __global__ void moves(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
struct Places {
  int *a, *b;
  int n;
};
static int half(int n) { return n / 2; }
int some;
// CHECK: {{^}}  moves_rest<<<half(some), 64>>>(places->a, (*places).b, own.n);
void noted(Places *places, int *n, int &m) {
  const Places own = {places->a, places->b, 5};
  notes<<<8, 64>>>(places->a, places->b, *n);
  notes2<<<8, 64>>>(places->a, places->b, half(m));
  notes3<<<8, 64>>>(places->a, places->b, shown);
  moves<<<half(some), 64>>>(places->a, (*places).b, own.n);
}
// Constants are the same in both, a declaration knows its first variables, and
// each half has some that it does not use.
//
// CHECK:      {{^}}static __global__ void several(
// CHECK-NEXT: {{^}}  static constexpr int Twice = 2;
// CHECK-NEXT: {{^}}  {{\[\[}}maybe_unused]] const int one = 1, two = Twice;
// CHECK-NEXT: {{^}}  {{\[\[}}maybe_unused]] const int tid = threadIdx.x, bid = blockIdx.x,
// CHECK:      {{^}}static __global__ void several_rest(
// CHECK-NEXT: {{^}}  static constexpr int Twice = 2;
// CHECK-NEXT: {{^}}  {{\[\[}}maybe_unused]] const int one = 1, two = Twice;
// CHECK-NEXT: {{^}}  const int tid = threadIdx.x, bid = blockIdx.x,
// CHECK-NEXT: {{^}}  {{ *}}i = bid * 64 + tid, later = i + 1;
// CHECK-NEXT: {{^}}  if (i * Twice > n)
// CHECK-NEXT: {{^}}    return;
// CHECK-NEXT: {{^}}  b[i] = a[later] + two;
static __global__ void several(float *a, float *b, int n) {
  static constexpr int Twice = 2;
  [[maybe_unused]] const int one = 1, two = Twice;
  const int tid = threadIdx.x, bid = blockIdx.x,
            i = bid * 64 + tid, later = i + 1;
  if (i * Twice > n)
    return;
  a[i] = tid + one;
  __threadfence();
  b[i] = a[later] + two;
}
// Another file may launch the first half alone.
//
// WHY-DAG: no-fix the kernel may be launched from elsewhere
__global__ void exported(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// And so may this one, where macros are set otherwise.
//
// WHY-DAG: no-fix the kernel is named where no launch of it is seen
static __global__ void elsewhere(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
#ifdef ALSO_TWICE
void twice(float *a, float *b) { elsewhere<<<8, 64>>>(a, b); }
#endif
// WHY-DAG: no-fix a launch stands in a template or runs on the device
static __global__ void fromTemplate(float *a, float *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
template <typename T> void launchIn(T *a, T *b) {
  fromTemplate<<<8, 64>>>(a, b);
}
template void launchIn(float *a, float *b);

// CHECK: {{^}}  several_rest<<<8, 64>>>(a, b, n);
// CHECK: {{^}}  sized_rest<<<8, 64>>>(a, b);
// CHECK: {{^}}  unused_rest<<<8, 64>>>(a, b, n);
void others(float *a, float *b, int n) {
  counts<<<8, 64>>>(a, b);
  redeclares<<<8, 64>>>(a, b);
  leaves<<<8, 64>>>(a, b, n);
  several<<<8, 64>>>(a, b, n);
  names<<<8, 64>>>(a, b);
  sized<<<8, 64>>>(a, b);
  unused<<<8, 64>>>(a, b, n);
  exported<<<8, 64>>>(a, b);
  elsewhere<<<8, 64>>>(a, b);
  lives<<<8, 64>>>(a, b);
  sharedLives<<<8, 64>>>(a, b);
  returns<<<8, 64>>>(a, b, n);
  inLoop<<<8, 64>>>(a, b);
  void (*kernel)(float *, float *) = pointed;
  kernel<<<8, 64>>>(a, b);
  pointed<<<8, 64>>>(a, b);
  declared<<<8, 64>>>(a, b);
  counted<<<8, 64>>>(a, b, ++n);
  if (n)
    guarded<<<8, 64>>>(a, b);
  prefixed<<<8, 64>>>(a, b);
  directive<<<8, 64>>>(a, b);
  generic<<<8, 64>>>(a, b);
}
