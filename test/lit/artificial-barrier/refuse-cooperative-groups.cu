// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers among part of a block: cooperative groups and Clang's built-ins.
//
// REQUIRES: nvcc
// RUN: %barricade --explain --min-instructions=0 --min-memory-ratio=0 %s 2>&1 | FileCheck --implicit-check-not=warning: %s

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void tileSync(const float *a, float *out, int n) {
  float s = 0;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  tile.sync();
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [named-barrier]
  out[threadIdx.x] = s;
}

__global__ void coalescedSync(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x < 7)
    cg::coalesced_threads().sync();
  // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [named-barrier]
  out[threadIdx.x] = s;
}

__global__ void blockSync(const float *a, float *out, int n) {
  float s = 0;
  auto block = cg::this_thread_block();
  for (int k = 0; k < n; ++k) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [has-barrier]
    s += a[k * 64 + threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = s;
}

// sync(block) is a barrier of the block, too.
__global__ void syncsBlock(const float *a, float *out, int n) {
  __shared__ float part[64];
  auto block = cg::this_thread_block();
  part[threadIdx.x] = a[threadIdx.x];
  cg::sync(block);
  float s = part[threadIdx.x ^ 1];
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-1]]:3: warning: memory-bound for loop can take
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void syncsTile(const float *a, float *out, int n) {
  float s = 0;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  cg::sync(tile);
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [named-barrier]
  out[threadIdx.x] = s;
}

__global__ void syncsSomeGroup(const float *a, float *out, int n) {
  float s = 0;
  cg::thread_group group = cg::this_thread_block();
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  cg::sync(group);
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [named-barrier]
  out[threadIdx.x] = s;
}

namespace mine {
struct thread_block : cg::thread_block {
  __device__ thread_block() : cg::thread_block(cg::this_thread_block()) {}
  __device__ void sync() const { cg::coalesced_threads().sync(); }
};
} // namespace mine
__global__ void syncsAnothersGroup(const float *a, float *out, int n) {
  float s = 0;
  mine::thread_block group;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  cg::sync(group);
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [named-barrier]
  out[threadIdx.x] = s;
}

// CHECK: 7 findings in 1 file: 1 to rewrite, 6 refused
