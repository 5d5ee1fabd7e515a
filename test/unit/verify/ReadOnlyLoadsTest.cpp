// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each source marks the loads that may miss what the kernel writes.

#include "Unit.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::test;

static void expectStale(const std::string &Text) {
  expectMarked(Text, Suspicion::Kind::StaleLoad, "// stale");
}

TEST(ReadOnlyLoads, OfWhatTheKernelWrites) {
  expectStale(R"(
__device__ void step(const float *__restrict__ in, float *__restrict__ out) {
  out[threadIdx.x] = in[threadIdx.x] + 1; // stale
}
__global__ void pingPong(float *a, float *b) {
  step(a, b);
  __syncthreads();
  step(b, a);
}
__global__ void forward(float *a, float *b, float *c) {
  step(a, b);
}
__device__ void inPlace(float *__restrict__ a) { a[threadIdx.x] += 1; }
__global__ void twice(float *a) {
  inPlace(a);
  inPlace(a);
}
__global__ void constant(const float *table, float *out) {
  out[threadIdx.x] = __ldg(table + threadIdx.x);
}
)");
}

// A function that stands behind its caller is inlined before it all the same.
TEST(ReadOnlyLoads, WrittenByFunctionsAlone) {
  expectStale(R"(
__device__ void __gpu_sync() { __syncthreads(); }
__device__ int add(int *at);
__device__ int peek(const int *at);
__device__ int count(int *__restrict__ a, const int *__restrict__ b) {
  return add(a) + a[1] + b[threadIdx.x]; // stale
}
__device__ int look(int *__restrict__ a) {
  return peek(a) + a[1]; // stale
}
__global__ void counts(int *a, int *b, int *c) {
  c[threadIdx.x] = count(a, b);
  __gpu_sync();
  b[threadIdx.x] = 1;
}
__global__ void looks(int *a, int *b) {
  b[threadIdx.x] = look(a);
  __gpu_sync();
}
__device__ int add(int *at) { return *at += 2; }
__device__ int peek(const int *at) {
  return *at; // stale
}
)");
}

// As barricade::coherent does.
TEST(ReadOnlyLoads, NotByAddressesOfUnknownOrigin) {
  expectStale(R"(
__device__ void __gpu_sync() { __syncthreads(); }
__device__ int *coherent(int *at) {
  size_t address = (size_t)at;
  asm("" : "+l"(address));
  return (int *)address;
}
__device__ void read(const int *__restrict__ in, int *out) {
  out[threadIdx.x] = in[threadIdx.x] + 1; // stale
}
__device__ void look(const int *__restrict__ in, int *out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
}
__global__ void plain(int *a, int *b) {
  read(a, b);
  __gpu_sync();
  read(b, a);
}
__global__ void opaque(int *a, int *b) {
  look(coherent(a), b);
  __gpu_sync();
  look(coherent(b), a);
}
__global__ void cached(const int *a, int *b, int *c) {
  *coherent(b) = 1;
  __gpu_sync();
  *c = __ldg(a); // stale
}
__global__ void cachedOpaque(int *a, int *b, int *c) {
  *b = 1;
  __gpu_sync();
  *c = __ldg(coherent(a)); // stale
}
)");
}

TEST(ReadOnlyLoads, OfWhatTheHostKnowsByTwoPointers) {
  expectStale(R"(
__device__ void __gpu_sync() { __syncthreads(); }
__device__ void read(int *__restrict__ in, int *out) {
  out[threadIdx.x] = in[threadIdx.x] + 1; // stale
}
__device__ void scale(int *__restrict__ a, int *b, int by) {
  a[threadIdx.x] *= by; // stale
  b[threadIdx.x] = a[threadIdx.x]; // stale
}
__device__ void add(int *__restrict__ a, int *b, bool more) {
  if (more)
    a[threadIdx.x] += 1;
  b[threadIdx.x] = a[threadIdx.x];
}
__device__ void get(int *__restrict__ a, int *b, bool more) {
  if (more)
    a[threadIdx.x] = 1;
  b[threadIdx.x] = a[threadIdx.x]; // stale
}
__global__ void reads(int *a, int *b) {
  read(a, b);
  __gpu_sync();
}
__global__ void once(int *a, int *b) { read(a, b); }
__global__ void scales(int *a, int *b) {
  scale(a, b, 1);
  __gpu_sync();
}
__global__ void scalesBy(int *a, int *b, int by) {
  scale(a, b, by);
  __gpu_sync();
}
__global__ void adds(int *a, int *b, bool more) {
  add(a, b, more);
  __gpu_sync();
}
__global__ void gets(int *a, int *b) {
  get(a, b, false);
  __gpu_sync();
}
)");
}
