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

// Which lanes a group is made of is what __activemask() says: some may have left
// the loop, or wait at its barrier.
__global__ void countsLanes(const float *a, float *out, int n) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-exchange]
    s += a[k];
    auto lanes = cg::coalesced_threads();
    s += lanes.size() + lanes.num_threads() + lanes.meta_group_size();
  }
  out[threadIdx.x] = s;
}

__device__ bool leads() { return cg::coalesced_threads().thread_rank() == 0; }
__global__ void choosesLane(const float *a, float *out, int n) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-exchange]
    s += a[k];
    if (leads())
      s += 1;
  }
  out[threadIdx.x] = s;
}

__global__ void partsOfLanes(const float *a, float *out, int n) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-exchange]
    s += a[k];
    s += cg::tiled_partition(cg::coalesced_threads(), 4).meta_group_rank();
  }
  out[threadIdx.x] = s;
}

// These ask the lanes with a vote.
__global__ void partsByVote(const float *a, float *out, int n) {
  float s = 0;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  for (int k = threadIdx.x; k < n; k += 64) {
    s += a[k];
    s += cg::binary_partition(tile, k & 1).size();
    // CHECK: :[[#@LINE-1]]:10: note: {{.*}} [unknown-call]
    s += cg::labeled_partition(tile, k & 3).size();
    // CHECK: :[[#@LINE-1]]:10: note: {{.*}} [unknown-call]
  }
  out[threadIdx.x] = s;
}

__global__ void maskByAssembly(const float *a, float *out, int n) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    s += a[k];
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [inline-asm]
    s += mask;
  }
  out[threadIdx.x] = s;
}

// The group is made before the loop, and stays what it is; a tile of the block
// has the same lanes everywhere.
__global__ void knowsLanes(const float *a, float *out, int n) {
  float s = 0;
  auto lanes = cg::coalesced_threads();
  for (int k = threadIdx.x; k < n; k += 64) {
    // CHECK: :[[#@LINE-1]]:3: warning: memory-bound for loop can take
    s += a[k] * lanes.size() + lanes.thread_rank();
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s += tile.thread_rank() + tile.size();
  }
  out[threadIdx.x] = s;
}

// CHECK: 13 findings in 1 file: 2 to rewrite, 11 refused
