// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --grid-barrier-logical-blocks: of a grid that cannot be resident as a whole,
// the blocks that can be run all, instead of the original loop. What a launch
// would refuse is refused all the same.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier --barrier-scope=grid --grid-barrier-logical-blocks
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --barrier-scope=grid --grid-barrier-logical-blocks --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck --implicit-check-not=launch_persistent_exact %s
// RUN: not %dry-run --rules=grid-barrier --barrier-scope=grid %s | FileCheck --check-prefix=DEFAULT %s
// RUN: echo 'grid-barrier-logical-blocks: true' > %t.yaml
// RUN: %barricade --config=%t.yaml --dump-config %s | FileCheck --check-prefix=DUMP %s
//
// DEFAULT-NOT: launch_persistent(
// DEFAULT: barricade::launch_persistent_exact(
// DUMP: grid-barrier-logical-blocks: true

// The grid comes along, for the launch's may be smaller.
//
// CHECK:      {{^}}static __global__ void run_persistent(barricade::GridBarrier bar, dim3 grid,
// CHECK-NEXT: {{^}}                                      int n, int *p) {
// CHECK-NEXT: {{^}}  for (int t = 0; t < n; ++t) {
// CHECK-NEXT: {{^}}    for (uint3 block : barricade::logical_blocks(grid))
// CHECK-NEXT: {{^}}      add_step(block, p, t);
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
// CHECK:      {{^}}  if (barricade::launch_persistent(run_persistent,
// CHECK-NEXT: {{^}}                                   barricade::largest_grid((n + 63) / 64), 64,
// CHECK-NEXT: {{^}}                                   0, 0, (n + 63) / 64, n, p) != cudaSuccess) {
// CHECK-NEXT: {{^}}    for (int t = 0; t < n; ++t)
// CHECK-NEXT: {{^}}      add<<<(n + 63) / 64, 64>>>(p, t);
__global__ void add(int *p, int by) { p[blockIdx.x] += by; }
void run(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<(n + 63) / 64, 64>>>(p, t);
}

// Two logical blocks of one block meet in shared memory; the kernel asks for
// the grid; the loop has a variable of that name.
//
// CHECK:      {{^}}static __global__ void turns_persistent(barricade::GridBarrier bar, dim3 grid2,
// CHECK:      {{^}}    for (uint3 block : barricade::logical_blocks(grid2)) {
// CHECK-NEXT: {{^}}      turn_step(block, grid2, p, grid);
// CHECK-NEXT: {{^}}      __syncthreads();
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
__global__ void turn(int *p, int by) {
  __shared__ int part[64];
  part[threadIdx.x] = p[blockIdx.x * 64 + threadIdx.x] * by;
  __syncthreads();
  p[blockIdx.x * 64 + threadIdx.x] = part[63 - threadIdx.x] + gridDim.y;
}
void turns(int *p, int n) {
  int grid = 0;
  for (int t = 0; t < n; ++t) {
    turn<<<dim3(7, 3), 64>>>(p, grid);
    ++grid;
  }
}

// Grids that change are no news.
//
// CHECK:      {{^}}    for (uint3 block : barricade::logical_blocks(w))
// CHECK:      {{^}}  if (barricade::launch_persistent(shrink_persistent, largest, 64, 0, 0, n,
void shrink(int *p, int n) {
  for (int w = n; w > 0; w /= 2)
    add<<<w, 64>>>(p, w);
}
