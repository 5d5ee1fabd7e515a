// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that the loop picks from an array.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <cstdio>
#include <utility>

__global__ void blur(const int *in, int *out, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (in[i] + in[(i + by) % n] * 3) % 1009;
}

// By parity.
//
// CHECK:      {{^}}static __global__ void parity_persistent(barricade::GridBarrier bar, int steps,
// CHECK-NEXT: {{^}}                                         barricade::Array<int *, 2> buf,
// CHECK-NEXT: {{^}}                                         int n) {
// CHECK:      {{^}}    blur_step(blockIdx, buf[t & 1], buf[(t + 1) % 2], n, 1);
// CHECK:      0, 0, steps, buf, n) != cudaSuccess) {
int *parity(int *a, int *b, int n, int steps) {
  typedef int *Buffer;
  const Buffer buf[2] = {a, b};
  for (int t = 0; t < steps; ++t)
    blur<<<(n + 15) / 16, 16>>>(buf[t & 1], buf[(t + 1) % 2], n, 1);
  return buf[steps & 1];
}

// By indices that swap, from an array of a structure.
//
// CHECK:      {{^}}static __global__ void toggle_persistent(
// CHECK:      {{^}}    blur_step(blockIdx, f.buffers[src], f.buffers[dst], f.size, offsets[t % 3]);
// CHECK:      {{^}}    barricade::swap(src, dst);
struct Field {
  int *buffers[2];
  int size;
};
static const int offsets[3] = {1, 2, 5};
int *toggle(Field f, int steps) {
  int src = 0, dst = 1;
  for (int t = 0; t < steps; ++t) {
    blur<<<(f.size + 15) / 16, 16>>>(f.buffers[src], f.buffers[dst], f.size,
                                     offsets[t % 3]);
    std::swap(src, dst);
  }
  return f.buffers[src];
}

// The array itself changes, and lives on.
//
// CHECK:      {{^}}static __global__ void rotate_persistent(
// CHECK:      {{^}}    buf[2] = first;
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(rotate_persistent,
// CHECK:      {{^}}      int *first = buf[0];
int *rotate(int *a, int *b, int *c, int n, int steps) {
  int *buf[3] = {a, b, c};
  for (int t = 0; t < steps; ++t) {
    blur<<<(n + 15) / 16, 16>>>(buf[0], buf[1], n, 7);
    int *first = buf[0];
    buf[0] = buf[1];
    buf[1] = buf[2];
    buf[2] = first;
  }
  return buf[0];
}

// By a condition.
//
// CHECK:      {{^}}    blur_step(blockIdx, t % 2 ? b : a, t % 2 ? a : b, n, sizeof(width));
void pick(int *a, int *b, int n, int steps) {
  short width;
  for (int t = 0; t < steps; ++t)
    blur<<<(n + 15) / 16, 16>>>(t % 2 ? b : a, t % 2 ? a : b, n, sizeof(width));
}

void print(const int *p, int n) {
  int host[64];
  cudaMemcpy(host, p, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    std::printf("%d ", host[i]);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

int main() {
  const int n = 40;
  int *a, *b, *c, host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i * 7 % 13;
  for (int **p : {&a, &b, &c}) {
    cudaMalloc(p, n * sizeof(int));
    cudaMemcpy(*p, host, n * sizeof(int), cudaMemcpyHostToDevice);
  }
  print(parity(a, b, n, 5), n);
  print(toggle({{b, c}, n}, 4), n);
  print(rotate(a, b, c, n, 4), n);
  pick(a, c, n, 3);
  print(c, n);
}
