// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that stay within their blocks, always or for some arguments: barriers
// between them hold back a block only.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefix=WHY %s
// RUN: %barricade --rules=grid-barrier --json=%t.json %s -- nvcc -std=c++17 > /dev/null
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: not %dry-run --rules=grid-barrier --barrier-scope=grid %s | grep '^+' | FileCheck --check-prefix=OFF --implicit-check-not=StepBarrier %s
// RUN: echo 'barrier-scope: grid' > %t.yaml
// RUN: not %dry-run --rules=grid-barrier --config=%t.yaml %s | grep '^+' | FileCheck --check-prefix=OFF --implicit-check-not=StepBarrier %s
// RUN: %barricade --config=%t.yaml --dump-config %s | FileCheck --check-prefix=DUMP %s
// RUN: not %barricade --barrier-scope=wide %s 2>&1 | FileCheck --check-prefix=BAD %s
//
// OFF: __gpu_sync(bar)
// DUMP: barrier-scope: {{ *}}grid{{$}}
// BAD: expected auto or grid
// JSON: exchange: block or grid

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

// WHY: golden-scopes.cu:[[@LINE+15]]:3: note: launches 2, {{.*}}barriers exchange: block or grid, exchange: block or grid, why elements of 'x' are touched at a distance of 'by' by xor (golden-scopes.cu:[[@LINE-3]]){{$}}
// CHECK:      {{^}}/// The loop of sort() as one launch: a barrier for each launch.
// CHECK-NEXT: {{^}}static __global__ void sort_persistent(barricade::GridBarrier bar,
// CHECK-NEXT: {{^}}                                       unsigned int n, unsigned int *x) {
// CHECK-NEXT: {{^}}  barricade::StepBarrier barrier(bar, gridDim);
// CHECK-NEXT: {{^}}  for (unsigned k = 2; k <= n; k *= 2) {
// CHECK-NEXT: {{^}}    for (unsigned j = k / 2; j > 0; j /= 2) {
// CHECK-NEXT: {{^}}      barrier.before_step(barricade::is_distance_in_block(j));
// CHECK-NEXT: {{^}}      exchange_step(blockIdx, x, n, j);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    barrier.before_step(barricade::is_distance_in_block(1u));
// CHECK-NEXT: {{^}}    exchange_step(blockIdx, x, n, 1u);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
void sort(unsigned *x, unsigned n) {
  for (unsigned k = 2; k <= n; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2)
      exchange<<<n / 256, 256>>>(x, n, j);
    exchange<<<n / 256, 256>>>(x, n, 1u);
  }
}

__global__ void scale(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 2;
}

// Pointers that are handed on must lead to arrays that lie apart, or to one.
//
// CHECK:      {{^}}  barricade::StepBarrier barrier(bar, gridDim);
// CHECK-NEXT: {{^}}  barrier.require_same_or_apart(a, b);
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    barrier.before_step(true);
// CHECK-NEXT: {{^}}    scale_step(blockIdx, a, b, n);
// CHECK-NEXT: {{^}}    barricade::swap(a, b);
// CHECK-NEXT: {{^}}  }
float *handOn(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    scale<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
  return a;
}

__global__ void sum(const float *in, float *sums) {
  __shared__ float parts[256];
  parts[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = parts[0];
}

__global__ void spread(const float *sums, float *out) {
  out[blockIdx.x * 256 + threadIdx.x] += sums[blockIdx.x];
}

__global__ void shift(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i + 1];
}

// Elements of a block and of its threads; a step that reaches other blocks.
//
// CHECK:      {{^}}  barricade::StepBarrier barrier(bar, gridDim);
// CHECK-NEXT: {{^}}  barrier.require_apart(sums, x);
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    barrier.before_step(true);
// CHECK-NEXT: {{^}}    sum_step(blockIdx, x, sums);
// CHECK-NEXT: {{^}}    barrier.before_step(true);
// CHECK-NEXT: {{^}}    spread_step(blockIdx, sums, x);
// CHECK-NEXT: {{^}}    barrier.before_step(false);
// CHECK-NEXT: {{^}}    shift_step(blockIdx, x);
// CHECK-NEXT: {{^}}  }
void sums(float *x, float *sums, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    sum<<<n / 256, 256>>>(x, sums);
    spread<<<n / 256, 256>>>(sums, x);
    shift<<<n / 256, 256>>>(x);
  }
}

// Steps that stay within their blocks unless a counter wraps.
__global__ void addEach(float *x, float by, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    x[i] += by;
}
__global__ void exchangeEach(float *x, unsigned n, int by) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i <= n;
       i += blockDim.x * gridDim.x)
    if ((i ^ by) < i)
      x[i] = x[i ^ by];
}

// WHY: golden-scopes.cu:[[@LINE+11]]:3: note: launches 3, {{.*}}barriers addEach: block or grid, addEach: block or grid, exchangeEach: block or grid, why each block of addEach touches elements of its own only, as long as no counter wraps; elements of 'x' are touched
// CHECK:      {{^}}  barricade::StepBarrier barrier(bar, gridDim);
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    barrier.before_step(barrier.has_room_above(n));
// CHECK-NEXT: {{^}}    addEach_step(blockIdx, gridDim, x, 1.5f, n);
// CHECK-NEXT: {{^}}    barrier.before_step(barrier.has_room_above(4096));
// CHECK-NEXT: {{^}}    addEach_step(blockIdx, gridDim, x, 1.5f, 4096);
// CHECK-NEXT: {{^}}    barrier.before_step(barricade::is_distance_in_block(t) && barrier.has_room_above(n / 2));
// CHECK-NEXT: {{^}}    exchangeEach_step(blockIdx, gridDim, x, n / 2, t);
// CHECK-NEXT: {{^}}  }
void each(float *x, long n, int steps) {
  for (int t = 0; t < steps; ++t) {
    addEach<<<64, 256>>>(x, 1.5f, n);
    addEach<<<64, 256>>>(x, 1.5f, 4096);
    exchangeEach<<<64, 256>>>(x, n / 2, t);
  }
}
