// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in blocks of different sizes, which are only rewritten on request.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier --grid-barrier-logical-threads
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-logical-threads --grid-barrier-from-start
// RUN: echo 'grid-barrier-logical-threads: true' > %t.yaml
// RUN: not %dry-run --rules=grid-barrier --config=%t.yaml %s | grep 'logical_threads'
// RUN: %barricade --rules=grid-barrier --explain %s 2>&1 | FileCheck --check-prefix=DEFAULT %s
// DEFAULT: note: the blocks of its launches have different sizes{{.*}} [logical-threads]
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <cstdio>
#include <vector>

/// Meets within its block: the persistent kernel has that block.
__global__ void sumBlocks(const int *in, int *sums) {
  __shared__ int part[16];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

__global__ void sumAll(const int *sums, int *total, int blocks) {
  *total = 0;
  for (int i = 0; i < blocks; ++i)
    *total += sums[i];
}

__global__ void spread(int *in, const int *total, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int i = y * gridDim.x * blockDim.x + x;
  if (i >= n)
    return;
  in[i] = (in[i] * 3 + *total + i * int(blockDim.y)) % 1009;
}

// The step of one kernel takes its logical threads, that of another its block.
//
// CHECK: __device__ __forceinline__ void spread_step(const uint3 blockIdx,
// CHECK-NEXT: const dim3 gridDim,
// CHECK-NEXT: const uint3 threadIdx,
// CHECK-NEXT: const dim3 blockDim, int *in,
// CHECK:      {{^}}/// The loop of mix() as one launch
// CHECK:      {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    for (uint3 block : barricade::logical_blocks(n / 16)) {
// CHECK-NEXT: {{^}}      sumBlocks_step(block, in, sums);
// CHECK-NEXT: {{^}}      __syncthreads();
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
// CHECK-NEXT: {{^}}    for ({{\[\[maybe_unused\]\]}} const auto thread : barricade::logical_threads(1, 1))
// CHECK-NEXT: {{^}}      sumAll_step(sums, total, n / 16);
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
// CHECK-NEXT: {{^}}    for (const auto thread : barricade::logical_threads(grid, dim3(4, 2)))
// CHECK-NEXT: {{^}}      spread_step(thread.Block, grid, thread.Thread, dim3(4, 2), in, total, n);
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
// CHECK-NEXT: {{^}}  }
// CHECK:      {{^}}  const dim3 largest = barricade::largest_grid(n / 16,
// CHECK-NEXT: {{^}}                                               barricade::blocks_for(1, 1, 16),
// CHECK-NEXT: {{^}}                                               barricade::blocks_for(grid, dim3(4, 2), 16));
// CHECK-NEXT: {{^}}  if (barricade::launch_persistent_exact(mix_persistent, largest, 16, 0, 0,
void mix(int *in, int *sums, int *total, int n, int steps) {
  const dim3 grid((n + 15) / 16, 2);
  for (int t = 0; t < steps; ++t) {
    sumBlocks<<<n / 16, 16>>>(in, sums);
    sumAll<<<1, 1>>>(sums, total, n / 16);
    spread<<<grid, dim3(4, 2)>>>(in, total, n);
  }
}

// Threads of all kernels stand alone: the largest block that is known is the
// persistent kernel's. Blocks may change, then, as grids may, and the loop may
// have the names.
//
// CHECK:      {{^}}/// The loop of triangle() as one launch
// CHECK:      for (const auto thread2 : barricade::logical_threads(2, block))
// CHECK-NEXT: spread_step(thread2.Block, 2, thread2.Thread, block, in, total, n);
// CHECK:      for (uint3 block2 : barricade::logical_blocks(n / 32 + 1))
// CHECK-NEXT: spread_step(block2, n / 32 + 1, threadIdx, blockDim, in, total, n);
// CHECK:      grids.include(barricade::blocks_for(2, block, 32));
// CHECK:      grids.include(n / 32 + 1);
void triangle(int *in, int *total, int n, int block) {
  for (int thread = 0; thread < 3; ++thread) {
    spread<<<2, block>>>(in, total, n);
    spread<<<n / 32 + 1, 32>>>(in, total, n);
    block += 5;
  }
}

// A loop of its own blocks only calls the same step.
//
// CHECK:      {{^}}/// The loop of alone() as one launch
// CHECK:      {{^}}    spread_step(blockIdx, gridDim, threadIdx, blockDim, in, total, n);
void alone(int *in, int *total, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    spread<<<dim3(n / 32 + 1, 2), dim3(4, 4)>>>(in, total, n);
}

// Sizes that are spelled differently are one size.
//
// CHECK:      {{^}}/// The loop of spelled() as one launch
// CHECK-NOT:  logical_threads
// CHECK:      {{^}}void spelled(
constexpr int Threads = 32;
void spelled(int *in, int *total, int n, int steps) {
  const dim3 block(32);
  for (int t = 0; t < steps; ++t) {
    spread<<<n / 32 + 1, Threads>>>(in, total, n);
    spread<<<n / 32 + 1, block>>>(in, total, n);
  }
}

// Sizes that the loop declares are known before it where they do not change;
// the device needs those only that its steps take.
//
// CHECK:      {{^}}/// The loop of declared() as one launch
// CHECK:      {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    spread_step(blockIdx, gridDim, threadIdx, blockDim, in, total, n - t);
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
// CHECK-NEXT: {{^}}  }
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(declared_persistent, (n + 16 - 1) / 16,
// CHECK-NEXT: {{^}}                                         dim3(16, 2), 0, 0, steps, n, in,
// CHECK-NEXT: {{^}}                                         total) != cudaSuccess) {
void declared(int *in, int *total, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    const int width = 16;
    const int blocks = (n + width - 1) / width;
    const dim3 block(width, 2);
    spread<<<blocks, block>>>(in, total, n - t);
  }
}

// CHECK:      {{^}}/// The loop of declaredTwo() as one launch
// CHECK:      {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    unsigned width = 16;
// CHECK-NEXT: {{^}}    int blocks = n / 16;
// CHECK-NEXT: {{^}}    {{\[\[maybe_unused\]\]}} dim3 grid(blocks + 1), threads = width;
// CHECK-NEXT: {{^}}    for (uint3 block : barricade::logical_blocks(grid.x))
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(declaredTwo_persistent,
// CHECK-NEXT: barricade::largest_grid(dim3((n / 16) + 1).x, n / 16),
// CHECK-NEXT: {{^}}                                         dim3(16), 0, 0, steps, n, in,
void declaredTwo(int *in, int *total, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    unsigned width = 16;
    int blocks = n / 16;
    dim3 grid(blocks + 1), threads = width;
    spread<<<grid.x, threads>>>(in, total, n);
    spread<<<blocks, threads>>>(in, total, n - t);
  }
}

int main() {
  const int n = 64;
  int *in, *sums, *total;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sums, n / 16 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = i * 7 % 13;
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  mix(in, sums, total, n, 5);
  triangle(in, total, n, 7);
  alone(in, total, n, 3);
  spelled(in, total, n, 2);
  declared(in, total, n, 3);
  declaredTwo(in, total, n, 3);
  cudaMemcpy(host.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int value : host)
    std::printf("%d ", value);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  // A block that no launch may have is the same error as before.
  triangle(in, total, n, 1020);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
