// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that stay launches, where no persistent kernel takes over, and whose
// blocks need nothing of one another: the program makes one launch of them.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: not %dry-run --rules=grid-barrier,launch-replay --barrier-scope=grid %s | grep '^+' | FileCheck --check-prefix=OFF --implicit-check-not=Stretch %s
// RUN: not %dry-run --rules=grid-barrier %s | grep '^+' | FileCheck --check-prefix=OFF --implicit-check-not=Stretch %s
// RUN: %barricade --rules=grid-barrier,launch-replay --explain %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefix=WHY %s
// OFF: __gpu_sync(bar)
// WHY: :[[#@LINE+38]]:3: warning: {{.*}} by a graph where that is faster, with launches that need nothing of other blocks as one
// WHY: stretches yes

#include <cstdio>
#include <utility>

__global__ void exchange(unsigned *x, unsigned n, unsigned by) {
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned partner = by ^ i;
  if (i >= n || partner >= n || partner < i)
    return;
  unsigned first = x[i], second = x[partner];
  x[i] = first < second ? first : second;
  x[partner] = first < second ? second : first;
}

// CHECK:      {{^}}/// Launches of sort() whose blocks need nothing of one another, as one.
// CHECK-NEXT: {{^}}static __global__ void sort_stretch(const barricade::Stretch stretch) {
// CHECK-NEXT: {{^}}  for (unsigned step = 0; step < stretch.length(); ++step) {
// CHECK-NEXT: {{^}}    if (step > 0)
// CHECK-NEXT: {{^}}      __syncthreads();
// CHECK-NEXT: {{^}}    stretch.call<decltype(&exchange), 0x3>(
// CHECK-NEXT: {{^}}        step, [](auto x, auto n, auto by) {
// CHECK-NEXT: {{^}}          exchange_step(blockIdx, x, n, by);
// CHECK-NEXT: {{^}}        });
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
// CHECK:      {{^}}/// The loop of sort() as one launch: a barrier for each launch.
// CHECK:      {{^}}void sort(unsigned *x, unsigned n) {
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replayed;
// CHECK-NEXT: {{^}}  replayed.join(sort_stretch, 0x3);
// CHECK-NEXT: {{^}}  barricade::Takeover takeover(sort_persistent, n / 256, 0, replayed);
// CHECK:      {{^}}    for (unsigned j = k / 2; j > 0; j /= 2)
// CHECK-NEXT: {{^}}      replayed.if_confined(0, barricade::Distance(j)).launch(exchange, n / 256, 256, 0, nullptr, x, n, j);
// CHECK-NEXT: {{^}}    replayed.if_confined(0, barricade::Distance(1u)).launch(exchange, n / 256, 256, 0, nullptr, x, n, 1u);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replayed.flush();
void sort(unsigned *x, unsigned n) {
  for (unsigned k = 2; k <= n; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2)
      exchange<<<n / 256, 256>>>(x, n, j);
    exchange<<<n / 256, 256>>>(x, n, 1u);
  }
}

// Two kernels, names that are taken, an argument that the step does not need,
// another one without a name, and a promise for a pointer.
//
namespace user {
template <typename T>
__global__ void scale(T *__restrict__ step, int stretch, T by, int) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < stretch)
    step[i] *= by;
}
__global__ void __launch_bounds__(128) add(float *x, const float *y, int n,
                                           [[maybe_unused]] int unused) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    x[i] += y[i];
}
} // namespace user

// CHECK:      {{^}}static __global__ void __launch_bounds__(128) both_stretch(const barricade::Stretch stretch) {
// CHECK-NEXT: {{^}}  for (unsigned step = 0; step < stretch.length(); ++step) {
// CHECK-NEXT: {{^}}    if (step > 0)
// CHECK-NEXT: {{^}}      __syncthreads();
// CHECK-NEXT: {{^}}    stretch.call_if<0, decltype(&::user::scale<float>), 0x3>(
// CHECK-NEXT: {{^}}        step, [](auto step2, auto stretch2, auto by, auto) {
// CHECK-NEXT: {{^}}          ::user::scale_step<float>(blockIdx, barricade::coherent(step2),
// CHECK-NEXT: {{^}}                                    stretch2, by);
// CHECK-NEXT: {{^}}        });
// CHECK-NEXT: {{^}}    stretch.call_if<1, decltype(&::user::add), 0x7>(
// CHECK-NEXT: {{^}}        step, [](auto x, auto y, auto n, auto) {
// CHECK-NEXT: {{^}}          ::user::add_step(blockIdx, gridDim, x, y, n);
// CHECK-NEXT: {{^}}        });
// CHECK:      {{^}}  barricade::ReplayedLaunches replayed2(
// CHECK-NEXT: {{^}}  replayed2.join(both_stretch, 0x3, 0x7);
// CHECK:      {{^}}    replayed2.if_confined(0).launch(user::scale<float>, 1000, 128, 0, nullptr, x, n, 1.0f / (t + 1), t);
// CHECK-NEXT: {{^}}    replayed2.if_confined(1, barricade::Limit(n)).launch(user::add, 1000, 128, 0, nullptr, x, y, n, t);
void both(int n, int steps) {
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  for (int t = 0; t < steps; ++t) {
    user::scale<float><<<1000, 128>>>(x, n, 1.0f / (t + 1), t);
    user::add<<<1000, 128>>>(x, y, n, t);
  }
}

// What must lie apart is asked of what the loop begins with.
//
__global__ void copyTwice(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 2;
}

// CHECK:      {{^}}  barricade::ReplayedLaunches replayed3(steps);
// CHECK-NEXT: {{^}}  replayed3.join(handOn_stretch, 0x4);
// CHECK-NEXT: {{^}}  replayed3.require_same_or_apart(a, b);
// CHECK-NEXT: {{^}}  barricade::Takeover
float *handOn(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    copyTwice<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
  return a;
}

// A loop that declares pointers is run by the kernel from its start, or left.
//
// CHECK-LABEL: {{^}}void ownPointers(
// CHECK-NOT: .join
// CHECK: copyTwice<<<
// CHECK: {{^}}}
void ownPointers(float *a, float *b, int n, int steps) {
  for (float *from = a, *to = b; steps > 0; --steps) {
    copyTwice<<<n / 256, 256>>>(from, to, n);
    std::swap(from, to);
  }
}

// The next launch reads what other blocks wrote.
//
__global__ void smooth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}

// CHECK-LABEL: {{^}}void neighbours(
// CHECK-NOT: .join
// CHECK: replayed5.launch(smooth,
// CHECK: {{^}}}
void neighbours(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    smooth<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
}

// The host goes on with what only it computes, and with what it prints.
//
// CHECK-LABEL: {{^}}/// Launches of fading() whose blocks need nothing of one another, as one.
// CHECK-NEXT: {{^}}static __global__ void fading_stretch(const barricade::Stretch stretch) {
// CHECK: {{^}}    stretch.call<decltype(&::user::scale<float>), 0x3>(
// CHECK-NOT: __gpu_sync
// CHECK: {{^}}void fading(float *x, int n, int steps) {
// CHECK-NEXT: {{^}}  float by = 0.5f;
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replayed7(steps);
// CHECK-NEXT: {{^}}  replayed7.join(fading_stretch, 0x3);
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    replayed7.if_confined(0).launch(user::scale<float>, n / 128, 128, 0, nullptr, x, n, by, t);
// CHECK-NEXT: {{^}}    by *= 0.999f;
// CHECK-NEXT: {{^}}    std::printf("step %d\n", t);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replayed7.flush();
// WHY: [[#@LINE+3]]:3: warning: launches of a for loop can be made several at a time where blocks need nothing of one another
void fading(float *x, int n, int steps) {
  float by = 0.5f;
  for (int t = 0; t < steps; ++t) {
    user::scale<float><<<n / 128, 128>>>(x, n, by, t);
    by *= 0.999f;
    std::printf("step %d\n", t);
  }
}

// A pointer that has no value before gets one from the others.
//
// CHECK-LABEL: {{^}}void ownBuffers(
// CHECK: {{^}}  replayed8.join(ownBuffers_stretch, 0x4);
// CHECK-NEXT: {{^}}  replayed8.require_same_or_apart(a, b);
// CHECK-NEXT: {{^}}  for (
void ownBuffers(int n, int steps) {
  float *a, *b, *t, by = 1;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    copyTwice<<<n / 256, 256>>>(a, b, n);
    t = a, a = b, b = t;
    by *= 0.5f;
  }
}

// Pointers that something else may change.
//
// CHECK-LABEL: {{^}}void pointedAt(
// CHECK-NOT: .join
// CHECK: replay.launch(user::scale<float>,
// CHECK: {{^}}}
void pointedAt(float *a, float *b, int n, int steps) {
  float **known = &a, by = 1;
  for (int t = 0; t < steps; ++t) {
    user::scale<float><<<n / 128, 128>>>(a, n, by, t);
    *known = b + t;
    by *= 0.5f;
  }
}

// CHECK-LABEL: {{^}}void ofAll(
// CHECK-NOT: .join
// CHECK: replay.launch(user::scale<float>,
// CHECK: {{^}}}
float *ofTheProgram;
void ofAll(int n, int steps) {
  float by = 1;
  for (int t = 0; t < steps; ++t) {
    user::scale<float><<<n / 128, 128>>>(ofTheProgram, n, by, t);
    by *= 0.5f;
  }
}

// Blocks of two sizes: what belongs to one is not the same in both.
//
// CHECK-LABEL: {{^}}void twoSizes(
// CHECK-NOT: .join
// CHECK: replay.launch(user::scale<float>,
// CHECK: {{^}}}
void twoSizes(float *a, int n, int steps) {
  float by = 1;
  for (int t = 0; t < steps; ++t) {
    user::scale<float><<<n / 128, 128>>>(a, n, by, t);
    user::scale<float><<<n / 256, 256>>>(a, n, by, t);
    by *= 0.5f;
  }
}

// A kernel that runs the loop within is worth more.
//
// CHECK-LABEL: {{^}}void within(
// CHECK: barricade::Takeover
// CHECK: {{^}}}
void within(float *x, int n, int steps) {
  float by = 1;
  for (int t = 0; t < steps; ++t) {
    for (unsigned j = 64; j > 0; j /= 2)
      user::scale<float><<<n / 128, 128>>>(x, n, by, j);
    by *= 0.5f;
  }
}
