// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids that each iteration computes, by what host and device both can call.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <algorithm>
#include <cmath>
#include <cstdio>

/// A cell of the diagonal d of a table, from those of the last two.
__global__ void wave(int *table, int n, int d, int first, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int row = first + i, column = d - row;
  int up = row > 0 ? table[(row - 1) * n + column] : 0;
  int left = column > 0 ? table[row * n + column - 1] : 1;
  table[row * n + column] = (up * 3 + left + row) % 1009;
}

// CHECK:      {{^}}/// The loop of diagonals() as one launch
// CHECK:      {{^}}    const int first = barricade::max(0, d - n + 1);
// CHECK-NEXT: {{^}}    const int count = barricade::min<int>(d, n - 1) - first + 1;
// CHECK-NEXT: {{^}}    const dim3 grid(ceil(count / 8.0));
// CHECK-NEXT: {{^}}    for (uint3 block : barricade::logical_blocks(grid))
// CHECK:      {{^}}  barricade::LargestGrid largest;
// CHECK:      {{^}}    const int first = std::max(0, d - n + 1);
// CHECK:      {{^}}    largest.include(grid);
void diagonals(int *table, int n) {
  for (int d = 0; d < 2 * n - 1; ++d) {
    const int first = std::max(0, d - n + 1);
    const int count = std::min<int>(d, n - 1) - first + 1;
    const dim3 grid(ceil(count / 8.0));
    wave<<<grid, 8>>>(table, n, d, first, count);
  }
}

// In the launch itself, and floats.
//
// CHECK:      {{^}}/// The loop of inPlace() as one launch
// CHECK:      {{^}}    grid.x = (unsigned int)(std::ceil((float)(d + 1) / (float)8));
// CHECK-NEXT: {{^}}    for (uint3 block : barricade::logical_blocks(grid))
// CHECK-NEXT: {{^}}      wave_step(block, table, n, d, barricade::max(d - n + 1, 0),
// CHECK-NEXT: {{^}}                barricade::min(d, n - 1) + 1);
void inPlace(int *table, int n) {
  dim3 grid(1, 1, 1);
  for (int d = 0; d < n; ++d) {
    grid.x = (unsigned int)(std::ceil((float)(d + 1) / (float)8));
    wave<<<grid, 8>>>(table, n, d, std::max(d - n + 1, 0),
                      std::min(d, n - 1) + 1);
  }
}

// The host alone asks, once.
//
// CHECK:      {{^}}/// The loop of invariant() as one launch
// CHECK:      {{^}}    wave_step(blockIdx, table, n, d, 0, barricade::min(d, n));
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(invariant_persistent,
// CHECK-NEXT: {{^}}                                         std::max(1, (n + 7) / 8), 8,
void invariant(int *table, int n) {
  for (int d = 0; d < n; ++d)
    wave<<<std::max(1, (n + 7) / 8), 8>>>(table, n, d, 0, std::min(d, n));
}

// By a function that the device does not have, besides another grid.
//
// CHECK-LABEL: {{^}}/// The loop of besides()
// CHECK-NEXT: {{^}}static __global__ void besides_persistent(barricade::GridBarrier bar,
// CHECK-NEXT: {{^ *}}dim3 grid2, int n, int *table,
// CHECK-NEXT: {{^ *}}int grid) {
// CHECK:      {{^}}    for (uint3 block : barricade::logical_blocks(grid2))
// CHECK:      {{^}}    for (uint3 block : barricade::logical_blocks(2))
// CHECK:      {{^}}    for (uint3 block : barricade::logical_blocks(grid2))
// CHECK:      largest_grid(blocksOf(n, 8), 2),
// CHECK-NEXT: {{ }}8, 0, 0, blocksOf(n, 8), n, table,
// CHECK-NEXT: {{ }}grid) != cudaSuccess) {
int blocksOf(int n, int threads) { return (n + threads - 1) / threads; }
void besides(int *table, int n) {
  const int grid = 3;
  for (int d = 0; d < n; ++d) {
    wave<<<blocksOf(n, 8), 8>>>(table, n, d, 0, std::min(d, n));
    wave<<<2, 8>>>(table, n, d, grid, std::min(d, 2));
    wave<<<blocksOf(n, 8), 8>>>(table, n, d, 0, 1);
  }
}

// Declared by the loop, from such a function: the device does not need it.
//
// CHECK-LABEL: {{^}}/// The loop of declares()
// CHECK-NEXT: {{^}}static __global__ void declares_persistent(barricade::GridBarrier bar,
// CHECK-NEXT: {{^ *}}dim3 grid, dim3 grid2, int n,
// CHECK-NEXT: {{^ *}}int *table) {
// CHECK-NEXT: {{^}}  for (int d = 0; d < n; ++d) {
// CHECK-NEXT: {{^}}    for (uint3 block : barricade::logical_blocks(grid))
// CHECK-NEXT: {{^}}      wave_step(block, table, n, d, 0, 1);
// CHECK:      largest_grid(blocksOf(n, 8),
// CHECK-NEXT: dim3(blocksOf(n, 8) + 1));
void declares(int *table, int n) {
  for (int d = 0; d < n; ++d) {
    const int width = 8, blocks = blocksOf(n, width);
    const dim3 more(blocks + 1);
    wave<<<blocks, width>>>(table, n, d, 0, 1);
    wave<<<more, width>>>(table, n, d, 0, std::min(d, n));
  }
}

int main() {
  const int n = 20;
  int *table, host[n * n] = {};
  cudaMalloc(&table, n * n * sizeof(int));
  cudaMemcpy(table, host, n * n * sizeof(int), cudaMemcpyHostToDevice);
  diagonals(table, n);
  inPlace(table, n);
  inPlace(table, 0);
  invariant(table, n);
  besides(table, n);
  declares(table, n);
  cudaMemcpy(host, table, n * n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int value : host)
    std::printf("%d ", value);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
