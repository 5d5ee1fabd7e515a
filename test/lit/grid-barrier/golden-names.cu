// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the persistent kernel calls things, where names and text are awkward.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck --strict-whitespace --check-prefix=TABS %s

#include <cstddef>
#include <cstdio>
#include <utility>

//===--- Arguments ------------------------------------------------------------//

__global__ void put(char *p, char c, int n) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = c + n;
}
template <int A, int B> __global__ void scale(int *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = p[i] * A + B + n;
}
template <typename T> __global__ void set(T *p, T value, int) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// CHECK-LABEL: {{^}}/// The loop of arguments()
// CHECK:      {{^}}    put_step(blockIdx, p, ',', t);
// CHECK:      {{^}}    put_step(blockIdx, p, '(', (t, 1));
// CHECK:      {{^}}    scale_step<(2 > 1), 3>(blockIdx, q, t < 2 ? 1 : (2, 3));
// CHECK:      {{^}}    set_step<double>(blockIdx, d, t);
// CHECK:      {{^}}    set_step(blockIdx, d, 2.0);
void arguments(char *p, int *q, double *d, int n) {
  for (int t = 0; t < n; ++t) {
    put<<<4, 32>>>(p, ',', t);
    put<<<4, 32>>>(p, '(', (t, 1));
    scale<(2 > 1), 3><<<4, 32>>>(q, t < 2 ? 1 : (2, 3));
    set<double><<<4, 32>>>(d, t, 0);
    set<<<4, 32>>>(d, 2.0, t);
  }
}

// A parameter keeps the attributes in front of it.
//
// CHECK-LABEL: {{^}}__device__ __forceinline__ void marked_step(const uint3 blockIdx,
// CHECK-NEXT:  [[MAYBE:\[\[maybe_unused\]\]]] int *q, int *p,
// CHECK-NEXT:  int n, [[MAYBE]] int m) {
#define CHECKED(x)
__global__ void marked([[maybe_unused]] int *q, int *p, int n,
                       [[maybe_unused]] int m) {
  CHECKED(q == p && m > 0);
  p[blockIdx.x * blockDim.x + threadIdx.x] += n;
}
void marks(int *p, int *q, int n) {
  for (int t = 0; t < n; ++t)
    marked<<<4, 32>>>(q, p, t, n);
}

//===--- Types that only the function can spell ---------------------------------//

namespace far {
typedef signed char Number;
struct Pair {
  signed char first, second;
};
enum Kind { One, Two };
} // namespace far
typedef int Number;
struct Pair {
  int first, second;
};
enum Kind { None };
signed char small;
template <int N> struct Sized {
  int of[N];
};
const int Wide = 3;

// CHECK-LABEL: {{^}}/// The loop of spelled()
// CHECK-NEXT: {{^}}static __global__ void spelled_persistent(barricade::GridBarrier bar, int n,
// CHECK-NEXT: {{^}} {{.*}}int *q, int a, signed char b,
// CHECK-NEXT: {{^}} {{.*}}far::Pair c, far::Kind d, int e,
// CHECK-NEXT: {{^}} {{.*}}Sized<2> f, decltype(::small) g) {
void spelled(int *q, int n) {
  using far::Kind;
  using far::Number;
  using far::Pair;
  const int small = n;
  const int Wide = 2;
  decltype(small) a = n * 1000;
  Number b = 7;
  Pair c = {1, 2};
  Kind d = far::Two;
  __typeof__(small) e = 3000;
  Sized<Wide> f = {};
  decltype(::small) g = 5;
  for (int t = 0; t < n; ++t) {
    scale<2, 3><<<4, 32>>>(q, a + b + c.second + d);
    scale<2, 3><<<4, 32>>>(q, e + f.of[1] + g);
  }
}

//===--- Namespaces -----------------------------------------------------------//

namespace physics {
namespace {
__global__ void __launch_bounds__(128, 2) push(int *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
} // namespace
inline namespace v1 {
template <int By> __global__ void __launch_bounds__(By * 32) pull(int *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] -= By;
}
} // namespace v1
} // namespace physics

// CHECK-LABEL: {{^}}/// The loop of outside()
// CHECK-NEXT: {{^}}static __global__ void __launch_bounds__(96) outside_persistent(
// CHECK-NEXT: {{^}}    barricade::GridBarrier bar, int n, int *p) {
// CHECK:      {{^}}    ::physics::push_step(blockIdx, p);
// CHECK:      {{^}}    ::physics::pull_step<3>(blockIdx, p);
// CHECK:      {{^}}    ::physics::push_step(blockIdx, p);
void outside(int *p, int n) {
  using physics::push;
  namespace shorter = physics;
  for (int t = 0; t < n; ++t) {
    push<<<4, 32>>>(p);
    physics::pull<3><<<4, 32>>>(p);
    shorter::push<<<4, 32>>>(p);
  }
}

namespace physics {
// CHECK-LABEL: {{^}}/// The loop of inside()
// CHECK-NEXT: {{^}}static __global__ void __launch_bounds__(128, 2) inside_persistent(
// CHECK-NEXT: {{^}}    barricade::GridBarrier bar, int n, int *p) {
// CHECK:      {{^}}    ::physics::push_step(blockIdx, p);
void inside(int *p, int n) {
  for (int t = 0; t < n; ++t)
    push<<<4, 32>>>(p);
}
} // namespace physics

//===--- Variables ------------------------------------------------------------//

struct bar {
  int by;
};
__global__ void add(int *p, long long by) {
  p[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

// CHECK-LABEL: {{^}}/// The loop of types()
// CHECK-NEXT: {{^}}static __global__ void types_persistent(barricade::GridBarrier bar2, int count,
// CHECK-NEXT: {{^}}                                        int *p, bar b, float x) {
void types(int *p, bar b, int n) {
  typedef int Index;
  typedef float real;
  const Index count = n;
  real x = 2.0f;
  for (int t = 0; t < count; ++t)
    add<<<4, 32>>>(p, b.by + (long long)x);
}

// Waits for all streams: that comes before the loop's later launches.
//
// CHECK-LABEL: {{^}}void waits(
// CHECK-NEXT: {{^}}  if (0 < n) {
// CHECK-NEXT: {{^}}    cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  if (barricade::launch_persistent_exact(waits_persistent, 4, 32, 0, stream, n,
// CHECK-NEXT: {{^}}                                         p) == cudaSuccess) {
// CHECK-NEXT: {{^}}    if (0 < n) {
// CHECK-NEXT: {{^}}      cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  } else {
void waits(int *p, int n, cudaStream_t stream) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 32, 0, stream>>>(p, t);
    cudaDeviceSynchronize();
  }
}

// CHECK-LABEL: {{^}}void waitsForOwn(
// CHECK-NEXT: {{^}}  if (barricade::launch_persistent_exact(
void waitsForOwn(int *p, int n, cudaStream_t stream) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 32, 0, stream>>>(p, t);
    cudaStreamSynchronize(stream);
  }
}

// CHECK-LABEL: {{^}}extern "C" __host__ void labelled(
extern "C" __host__ void labelled(int *p, int n) {
again:
  for (int t = 0; t < n; ++t)
    add<<<4, 32>>>(p, t);
  if (--n > 4)
    goto again;
}

//===--- Templates ------------------------------------------------------------//

// CHECK:      {{^}}/// The loop of inTemplate()
// CHECK-NEXT: {{^}}template <typename T, int bar, int Threads = 32>
// CHECK-NEXT: {{^}}static __global__ void inTemplate_persistent(barricade::GridBarrier bar2, T *p,
// CHECK-NEXT: {{^}}                                             barricade::Array<T, 2> with,
// CHECK-NEXT: {{^}}                                             T more) {
// CHECK-NEXT: {{^}}  for (int t = 0; t < bar; ++t) {
// CHECK-NEXT: {{^}}    set_step<T>(blockIdx, p, with[t % 2]);
// CHECK-NEXT: {{^}}    __gpu_sync(bar2);
// CHECK-NEXT: {{^}}    T last = more;
// CHECK-NEXT: {{^}}    more = with[0];
// CHECK-NEXT: {{^}}    barricade::swap(with[0], with[1]);
// CHECK-NEXT: {{^}}    set_step(blockIdx, p, last);
// CHECK:      {{^}}template <typename T, int bar, int Threads = 32>
// CHECK-NEXT: {{^}}T inTemplate(T *p, T more) {
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(inTemplate_persistent<T, bar, Threads>,
// CHECK-NEXT: {{^}}                                         4, Threads, 0, 0, p, with,
// CHECK-NEXT: {{^}}                                         more) == cudaSuccess) {
template <typename T, int bar, int Threads = 32>
T inTemplate(T *p, T more) {
  T with[2] = {T(1), T(2)};
  for (int t = 0; t < bar; ++t) {
    set<T><<<4, Threads>>>(p, with[t % 2], t);
    T last = more;
    more = with[0];
    std::swap(with[0], with[1]);
    set<<<4, Threads>>>(p, last, 1);
  }
  return more;
}
template int inTemplate<int, 3>(int *, int);
template double inTemplate<double, 5>(double *, double);

#ifdef BARRICADE_EMULATED
#include "run_kernels.h"
int main() {
  Buffer<char> p("p", 128);
  Buffer<int> q("q", 128);
  Buffer<double> d("d", 128);
  arguments(p, q, d, 3);
  outside(q, 3);
  physics::inside(q, 2);
  types(q, bar{5}, 3);
  waits(q, 3, 0);
  waitsForOwn(q, 3, 0);
  labelled(q, 6);
  std::printf("%d %g\n", inTemplate<int, 3>(q, 7), inTemplate<double, 5>(d, 7));
}
#endif

// What has no name of its own.
//
// CHECK: void operators_persistent(
__global__ void step(int *p, int by) { p[blockIdx.x] += by; }
struct Owner {
  int *p;
};
void operator+(const Owner &owner, int steps) {
  int *p = owner.p;
  for (int t = 0; t < steps; ++t)
    step<<<4, 64>>>(p, t);
}

// The function's blanks and the loop's tabs do not mix, and no line is longer
// than need be.
//
// TABS:{{^}}	for (int k = 0; k < n; ++k) {
// TABS-NEXT:{{^}}		for (uint3 block : barricade::logical_blocks(
// TABS-NEXT:{{^}}		    (n + width * 3 + 15) / 16 + (width * 77 + 123456) / 128))
// TABS-NEXT:{{^}}			several_step(block, p, k);
// TABS:{{^}}	const dim3 largest = barricade::largest_grid(
// TABS-NEXT:{{^}}	    (n + width * 3 + 15) / 16 + (width * 77 + 123456) / 128, n);
// TABS-NEXT:{{^}}	if (barricade::launch_persistent_exact(tabs_persistent, largest, 16, 0, 0,
// TABS:{{^}}		for (int k = 0; k < n; ++k) {
// TABS-NEXT:{{^}}			several<<<
__global__ void several(int *p, int by) { p[blockIdx.x] += by; }
void tabs(int *p, int n, int width) {
  int unused;
	for (int k = 0; k < n; ++k) {
		several<<<(n + width * 3 + 15) / 16 + (width * 77 + 123456) / 128, 16>>>(p, k);
		several<<<n, 16>>>(p, k);
	}
}
