// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of the function within braces, where they may become narrower; as
// parameters of the kernel they might not.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='one persistent kernel' %s

struct Cell {
  short x, y;
};
const int Radius = 100;
const double Weight = 0.25;

__global__ void stamp(int *grid, int n, Cell c, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    grid[i] += c.x * t + c.y;
}
__global__ void weigh(int *grid, int n, float2 w, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    grid[i] = int(grid[i] + w.x + w.y) + t;
}

void locals(int *grid, int n, int steps) {
  const int radius = 100;
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop names a type, a constant
  for (int t = 0; t < steps; ++t)
    stamp<<<n / 64, 64>>>(grid, n, {radius, -radius}, t);
}
void doubles(int *grid, int n, int steps) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop names a type, a constant
  for (int t = 0; t < steps; ++t)
    weigh<<<n / 64, 64>>>(grid, n, float2{Weight, 1}, t);
}
void declared(int *grid, int n, int steps) {
  constexpr int half = 50;
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop names a type, a constant
  for (int t = 0; t < steps; ++t) {
    short low{half};
    stamp<<<n / 64, 64>>>(grid, n, Cell{low, low}, t);
  }
}
void converted(int *grid, int n, int steps) {
  constexpr int half = 50;
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop names a type, a constant
  for (int t = 0; t < steps; ++t)
    stamp<<<n / 64, 64>>>(grid, n, Cell{short{half}, 1}, t);
}

// Constants that the kernel names, casts, no narrower types.
void named(int *grid, int n, int steps) {
  // CHECK: [[#@LINE+1]]:3: warning: {{.*}} one persistent kernel
  for (int t = 0; t < steps; ++t)
    stamp<<<n / 64, 64>>>(grid, n, {Radius, -Radius}, t);
}
void cast(int *grid, int n, int steps) {
  const int radius = 100;
  // CHECK: [[#@LINE+1]]:3: warning: {{.*}} one persistent kernel
  for (int t = 0; t < steps; ++t)
    stamp<<<n / 64, 64>>>(grid, n, {short(radius), 1}, t);
}
void same(int *grid, int n, int steps) {
  const float half = 0.5f;
  // CHECK: [[#@LINE+1]]:3: warning: {{.*}} one persistent kernel
  for (int t = 0; t < steps; ++t)
    weigh<<<n / 64, 64>>>(grid, n, {half, half}, t);
}

struct Switch {
  bool on;
  int by;
};
__global__ void toggle(int *grid, int n, Switch s, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && s.on)
    grid[i] += s.by * t;
}
void switched(int *grid, int n, int steps) {
  const int one = 1;
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop names a type, a constant
  for (int t = 0; t < steps; ++t)
    toggle<<<n / 64, 64>>>(grid, n, {one, 3}, t);
}
