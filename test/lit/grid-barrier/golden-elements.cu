// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that the loop picks from an array of which it has a pointer alone.
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

// Indices that trade places.
//
// CHECK:      {{^}}                                         barricade::Array<int *, 2> buf,
// CHECK:      {{^}}    blur_step(blockIdx, buf[src], buf[dst], n, MIN(by, steps - t));
// CHECK:      {{^}}                                         barricade::first_elements<2>(buf, 0 < steps),
// CHECK:      {{^}}                                         n) == cudaSuccess) {
// CHECK-NEXT: {{^}}    for (int t = 0; t < steps; t += by) {
// CHECK-NEXT: {{^}}      int temp = src;
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
int trade(int *buf[2], int n, int steps, int by) {
  int src = 1, dst = 0;
  for (int t = 0; t < steps; t += by) {
    int temp = src;
    src = dst;
    dst = temp;
    blur<<<(n + 15) / 16, 16>>>(buf[src], buf[dst], n, MIN(by, steps - t));
  }
  return dst;
}

// The loop runs at least once.
//
// CHECK:      {{^}}                                         barricade::first_elements<2>(buf),
int once(int **buf, int n, int steps) {
  unsigned src;
  src = 0;
  do {
    blur<<<(n + 15) / 16, 16>>>(buf[src], buf[src ^ 1], n, 1);
    src ^= 1;
  } while (--steps > 0);
  return src;
}

// By iteration, in a template, with the host waiting: kernels write no pointers.
//
// CHECK:      {{^}}                                        barricade::Array<T *, 3> buf,
// CHECK:      {{^}}    if (0 < steps)
// CHECK:      barricade::first_elements<3>(buf, 0 < steps)
template <typename T> void inTurn(T *const buf[3], T n, int steps) {
  for (int t = 0; t < steps; ++t) {
    blur<<<(n + 15) / 16, 16>>>(buf[t % 3], buf[(t + 1) % 3], n, 2);
    blur<<<(n + 15) / 16, 16>>>(buf[(t + 1) % 3], buf[(t + 2) % 3], n, 3);
    cudaDeviceSynchronize();
  }
}

// By a flag, from a structure's array, with numbers from another; what comes
// behind the reads may be conditional.
//
// CHECK:      {{^ *}}Field f, barricade::Array<int, 1> by) {
// CHECK-NEXT: {{^}}  {{\[\[}}maybe_unused]] int *last;
// CHECK:      {{^}}    if (t != 3)
// CHECK:      barricade::first_elements<2>(buf, 0 < steps),
struct Field {
  int **buffers;
  int size;
};
int *flip(Field f, const int *by, unsigned steps) {
  int **buf = f.buffers;
  bool odd = false;
  int *last = buf[0];
  for (unsigned t = 0; t < steps; ++t) {
    const int *in = buf[odd];
    int *out = buf[!odd];
    blur<<<(f.size + 15) / 16, 16>>>(in, out, f.size, by[0]);
    last = out;
    if (t != 3)
      odd = !odd;
  }
  return last;
}

// A grid that an element tells is found in the loop.
//
// CHECK:      {{^}}  barricade::LargestGrid largest;
// CHECK:      {{^}}    const int blocks = sizes[0];
// CHECK:      {{^}}    largest.include(blocks);
// CHECK:      (asTold_persistent, largest, 16, 0, 0,
// CHECK:      barricade::first_elements<1>(sizes, (n == 0, 0 < steps))
void asTold(const int *sizes, int *a, int *b, int n, int steps) {
  for (int t = 0; n == 0, t < steps; ++t) {
    const int blocks = sizes[0];
    blur<<<blocks, 16>>>(a, b, n, t);
    std::swap(a, b);
  }
}

// Pointers that are restrict, and constant ones of a template: the kernel has
// them without.
//
// CHECK:      barricade::Array<int *, 2> buf,
// CHECK:      barricade::first_elements<2>(buf, 0 < steps),
int apart(int *__restrict__ *buf, int n, int steps) {
  int src = 0;
  for (int t = 0; t < steps; ++t) {
    blur<<<(n + 15) / 16, 16>>>(buf[src], buf[1 - src], n, 1);
    src = 1 - src;
  }
  return src;
}

// CHECK:      barricade::Array<P, 2> buf,
// CHECK:      barricade::first_elements<2>(buf, 0 < steps),
template <typename P> int constants(P *buf, int n, int steps) {
  int src = 0;
  for (int t = 0; t < steps; ++t) {
    blur<<<(n + 15) / 16, 16>>>(buf[src], buf[1 - src], n, 1);
    src = 1 - src;
  }
  return src;
}

// CHECK:      barricade::Array<int *, 2> own,
int ownApart(int *a, int *b, int n, int steps) {
  int *__restrict__ own[2] = {a, b};
  int src = 0;
  for (int t = 0; t < steps; ++t) {
    blur<<<(n + 15) / 16, 16>>>(own[src], own[1 - src], n, 1);
    src = 1 - src;
  }
  return src;
}

void print(const int *p, int n) {
  int host[64];
  cudaMemcpy(host, p, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    std::printf("%d ", host[i]);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

int main() {
  const int n = 40, by = 5;
  int *buf[3], host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i * 7 % 13;
  for (int *&p : buf) {
    cudaMalloc(&p, n * sizeof(int));
    cudaMemcpy(p, host, n * sizeof(int), cudaMemcpyHostToDevice);
  }
  print(buf[trade(buf, n, 7, 2)], n);
  std::printf("%d\n", trade(nullptr, n, 0, 2));
  print(buf[once(buf, n, 3)], n);
  inTurn<int>(buf, n, 4);
  inTurn<int>(nullptr, n, 0);
  print(buf[2], n);
  print(flip({buf, n}, &by, 6), n);
  const int blocks = 3;
  asTold(&blocks, buf[0], buf[1], n, 3);
  asTold(nullptr, buf[0], buf[1], n, 0);
  print(buf[1], n);
  int *__restrict__ pair[2] = {buf[0], buf[1]};
  print(buf[apart(pair, n, 3)], n);
  int *const both[2] = {buf[0], buf[1]};
  print(buf[constants(buf, n, 3)], n);
  print(buf[constants(both, n, 2)], n);
  print(buf[ownApart(buf[0], buf[1], n, 3)], n);
}
