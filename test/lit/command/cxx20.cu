// RUN: not %dry-run --rules=artificial-barrier %s -- nvcc -std=c++20 -arch=sm_75 | FileCheck %s
// RUN: not %dry-run --rules=artificial-barrier %s -- -std=gnu++2b | FileCheck %s
// RUN: not %dry-run --rules=artificial-barrier --no-toolkit %s -- -std=gnu++2a | FileCheck %s
//
// C++20 as programs without modules write it, and what nvcc makes of CUDA's
// variables: threadIdx is a uint3 like any other, managed memory is the device's.

#include <compare>
#include <concepts>
#include <new>

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

template <typename T>
  requires Number<T>
__device__ T twice(T x) { return x + x; }

__device__ auto add(auto a, Number auto b) { return a + b; }

__host__ __device__ consteval int four() { return 4; }

struct Options {
  int n = 1;
  float scale = 2;
  __host__ __device__ auto operator<=>(const Options &) const = default;
};

enum class Mode { Plain, Scaled };

constinit __device__ int offset = 4;
__managed__ int rounds = 3;
__managed__ float table[64];

template <Options O> __device__ float scaled(float x) { return x * O.scale; }

// CHECK: +  for (int j = 0; j < n; ++j) { {{\[\[}}likely{{\]\]}}
// CHECK: +    __syncthreads();
__global__ void language(float *out, const float *in, int n, Options o) {
  using enum Mode;
  Options mine{.n = n, .scale = 3};
  float s = scaled<Options{.scale = 4}>(1) + twice(in[0]) + add(1, 2.f);
  for (int j = 0; j < n; ++j) [[likely]]
    s += in[j * four() + threadIdx.x] * mine.scale;
  if (auto m = Plain; m == Scaled) [[unlikely]]
    s = 0;
  static_assert(sizeof(decltype([] {})) > 0);
  out[threadIdx.x] = s;
}

// CHECK: +  for (int j = 0; j < 64; ++j) {
// CHECK: +    __syncthreads();
__global__ void managed(float *out, const float *in) {
  float s = 0;
  for (int j = 0; j < 64; ++j)
    s += in[j * 64 + threadIdx.x] * table[j] + rounds;
  out[threadIdx.x] = s;
}

// The bound may change while threads read it.
// CHECK: +  for (int j = 0; __syncthreads_or(active = active && (j < rounds));
__global__ void managedBound(float *out, const float *in) {
  float s = 0;
  atomicAdd(&rounds, 1);
  for (int j = 0; j < rounds; ++j)
    s += in[j * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// CHECK: +  const bool inside = x < 9;
__global__ void bindings(float *out, const float *in, int n) {
  auto [x, y, z] = threadIdx;
  const auto &[bx, by, bz] = blockIdx;
  if (x < 9)
    for (int j = 0; j < n; ++j)
      out[j + bx] += in[j * 64 + y] * in[j];
}

// CHECK: +  for (int j = thread.x; __syncthreads_or(active = active && (j < n));
__global__ void copies(float *out, const float *in, int n) {
  auto thread = threadIdx;
  const auto &block = blockDim;
  float s = 0;
  for (int j = thread.x; j < n; j += block.x)
    s += in[j];
  out[thread.x] = s;
}

int main() {
  language<<<1, 64>>>(table, table, rounds, {.n = 3});
  managed<<<1, 64>>>(table, table);
  managedBound<<<1, 64>>>(table, table);
  bindings<<<1, 64>>>(table, table, 4);
  copies<<<1, 64>>>(table, table, 4);
  rounds = 5;
  return rounds + table[0];
}
