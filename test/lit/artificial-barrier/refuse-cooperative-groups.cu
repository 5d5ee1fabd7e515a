// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers among part of a block: cooperative groups and Clang's built-ins.
//
// REQUIRES: nvcc
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

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

// CHECK: 3 findings in 1 file: 3 refused
