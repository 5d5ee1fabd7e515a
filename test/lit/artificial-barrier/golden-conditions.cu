// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions mean the same as operands: neither do operators of the user's own take
// them, nor does a vote, which takes an int, cut them off.
//
// RUN: %rewrite-check %s %t.cu --min-instructions=0
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %rewrite-check %s %t.every4.cu --min-instructions=0 --barrier-interval=4
// RUN: grep -vE '^//( |$)' %t.every4.cu | FileCheck --check-prefix=FOUR %s

#include <cstdio>

#define ARGUMENTS                                                              \
  const float *__restrict__ a, const int *__restrict__ c,                      \
      float *__restrict__ out

struct Going {
  int left;
  __device__ operator bool() const { return left != 0; }
  __device__ bool operator!() const { return left == 7; }
};
__device__ bool operator&&(bool, Going) { return false; }

struct Explicit {
  int left;
  __device__ explicit operator bool() const { return left != 0; }
};

enum Mark { Done };
__device__ bool operator&&(bool, Mark) { return false; }
__device__ bool operator||(Mark, int) { return false; }
__device__ bool operator!(Mark) { return true; }

struct Counter {
  int k;
  __device__ Counter &operator++() {
    ++k;
    return *this;
  }
};
__device__ int operator,(int, Counter &) { return 0; }

//===--- Votes ------------------------------------------------------------===//

__global__ void ofClass(ARGUMENTS) {
  float s = 0;
  for (int k = threadIdx.x; Going{c[k]}; ++k)
    s += a[k];
  out[threadIdx.x] = s;
}
// CHECK: for (int k = threadIdx.x; __syncthreads_or(active = active && static_cast<bool>(Going{c[k]})); active ?
// FOUR:  for (int k = threadIdx.x; __syncthreads_or(active); ) for (int round = 0; round < 4 && (active = active && static_cast<bool>(Going{c[k]})); ++round, ++k)

__global__ void ofExplicitClass(ARGUMENTS) {
  float s = 0;
  int k = threadIdx.x;
  while (Explicit{c[k]}) {
    s += a[k];
    ++k;
  }
  out[threadIdx.x] = s;
}
// CHECK: while (__syncthreads_or(active = active && static_cast<bool>(Explicit{c[k]})))
// FOUR:  for (int round = 0; round < 4 && (active = active && static_cast<bool>(Explicit{c[k]})); ++round)

__global__ void ofEnum(ARGUMENTS) {
  float s = 0;
  int k = threadIdx.x;
  do {
    s += a[k];
    ++k;
  } while ((Mark)c[k]);
  out[threadIdx.x] = s;
}
// CHECK: while (__syncthreads_or(active = active && static_cast<bool>((Mark)c[k])));
// FOUR:  ++round, active = active && static_cast<bool>((Mark)c[k]))

__global__ void ofInt(ARGUMENTS) {
  float s = 0;
  for (int k = threadIdx.x; c[k]; ++k)
    s += a[k];
  out[threadIdx.x] = s;
}
// CHECK: for (int k = threadIdx.x; __syncthreads_or(active = active && (c[k])); active

__global__ void withCommas(ARGUMENTS) {
  float s = 0;
  Counter by = {0};
  const int end = threadIdx.x + 8 * c[threadIdx.x];
  for (int k = threadIdx.x; k < end; ++by, ++k)
    s += a[k] * by.k;
  out[threadIdx.x] = s;
}
// CHECK: active ? (void)(++by, ++k) : (void)0)
// FOUR:  ++round, (void)(++by, ++k))

__global__ void withItsOwnCommas(ARGUMENTS) {
  float s = 0;
  Counter by = {0};
  const int end = threadIdx.x + 8 * c[threadIdx.x];
  for (int k = threadIdx.x; k < end; ++k, ++by)
    s += a[k] * by.k;
  out[threadIdx.x] = s;
}
// FOUR:  ++round, ++k, ++by)

//===--- Guards -----------------------------------------------------------===//

__global__ void guarded(ARGUMENTS) {
  int i = threadIdx.x;
  float s = 0;
  if (Going{c[i] - 1}) {
    if (Going{c[i] - 2})
      for (int k = i; k < 2 * i + 3; ++k)
        s += a[k];
  }
  out[i] = s;
}
// CHECK: const bool inside = static_cast<bool>(Going{c[i] - 1});
// CHECK: const bool inside2 = inside && (static_cast<bool>(Going{c[i] - 2}));

__global__ void skipped(ARGUMENTS) {
  for (int j = threadIdx.x; j < 100; j += 64) {
    if (Going{c[j] - 1})
      continue;
    float s = 0;
    for (int k = j; k < j + c[j]; ++k)
      s += a[k];
    atomicAdd(&out[j % 64], s);
  }
}
// CHECK: __syncthreads_or(staying = staying && (j < 100));
// CHECK: const bool inside{{[0-9]*}} = staying && !(static_cast<bool>(Going{c[j] - 1}));

//===--- Rounds -----------------------------------------------------------===//

// No vote sees a quarter.
__global__ void ofFloat(const float *__restrict__ a, float *__restrict__ out, int n) {
  float s = 0;
  for (int i = (threadIdx.x ^ 3) * 2; (n - i) * 0.25f; i += 2)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: ((n - leader) * 0.25f) || __syncthreads_or(static_cast<bool>((n - i) * 0.25f));
// FOUR:  ((n - leader) * 0.25f) || __syncthreads_or(static_cast<bool>((n - i) * 0.25f));

__global__ void ofLong(const float *__restrict__ a, float *__restrict__ out, int n) {
  float s = 0;
  for (int i = threadIdx.x * 2; (long long)(n - i) << 32; i += 2)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: || __syncthreads_or(static_cast<bool>((long long)(n - i) << 32));

__global__ void ofPointer(const float *a, float *__restrict__ out) {
  float s = 0;
  for (const float *p = a + threadIdx.x; p; p -= 2)
    s += *p;
  out[threadIdx.x] = s;
}
// CHECK: || __syncthreads_or(static_cast<bool>(p));

__global__ void ofIntAgain(const float *__restrict__ a, float *__restrict__ out, int n) {
  float s = 0;
  for (int i = threadIdx.x * 2; n - i; i += 2)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: || __syncthreads_or(n - i);

__global__ void ofEnumRounds(const float *__restrict__ a, float *__restrict__ out, int n) {
  float s = 0;
  for (int i = threadIdx.x * 2; (Mark)(n - i); i += 2)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: static_cast<bool>((Mark)(n - leader{{[0-9]*}})) || __syncthreads_or(static_cast<bool>((Mark)(n - i)));

template <class T> __global__ void ofAny(const float *__restrict__ a, float *__restrict__ out, T n) {
  float s = 0;
  for (int i = threadIdx.x * 2; n - i; i += 2)
    s += a[i];
  out[threadIdx.x] = s;
}
template __global__ void ofAny(const float *, float *, int);
template __global__ void ofAny(const float *, float *, long long);
// CHECK: || __syncthreads_or(static_cast<bool>(n - i));

//===----------------------------------------------------------------------===//

int main() {
  const int n = 300;
  float a[n], *da, *out;
  int c[n], *dc;
  for (int i = 0; i < n; ++i) {
    a[i] = i % 7;
    c[i] = i % 50 == 49 ? 0 : 1 + i % 3;
  }
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&dc, sizeof c);
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 64 * sizeof(float));
  const auto show = [&](const char *what) {
    float all[64], sum = 0;
    cudaMemcpy(all, out, sizeof all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i)
      sum += all[i] * (1 + i % 5);
    std::printf("%s %g\n", what, sum);
  };
#define RUN(kernel, ...)                                                       \
  kernel<<<1, 64>>>(__VA_ARGS__);                                              \
  show(#kernel)
  RUN(ofClass, da, dc, out);
  RUN(ofExplicitClass, da, dc, out);
  RUN(ofEnum, da, dc, out);
  RUN(ofInt, da, dc, out);
  RUN(withCommas, da, dc, out);
  RUN(withItsOwnCommas, da, dc, out);
  RUN(guarded, da, dc, out);
  RUN(skipped, da, dc, out);
  RUN(ofFloat, da, out, 200);
  RUN(ofLong, da, out, 200);
  RUN(ofIntAgain, da, out, 200);
  RUN(ofEnumRounds, da, out, 200);
  RUN(ofAny, da, out, 200LL);
}
