// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Near misses of the loops that test/rewrites/shapes.cu and kernels.cu execute.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

#include <utility>

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }
__global__ void addFloat(int *p, float by) { p[blockIdx.x] += int(by); }

//===--- Variables ------------------------------------------------------------//

// A product may be contracted.
void multipliesFloats(int *p, float end) {
  for (float x = 1; x < end; x *= 1.5f)
    addFloat<<<4, 64>>>(p, x);
}
// CHECK: :[[#@LINE-3]]:30: note: {{.*}} [float-arithmetic]

void togglesByReference(int *a, int *b, int n) {
  int from = 0, &same = from, *const buffers[2] = {a, b};
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(buffers[from], t);
    same ^= 1;
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [shared-variable]

void togglesByPointer(int *a, int *b, int n) {
  int from = 0, *same = &from, *const buffers[2] = {a, b};
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(buffers[from], t);
    *same ^= 1;
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-memory]

void picksTarget(int *a, int *b, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(a, t);
    (t % 2 ? a : b) += 1;
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-memory]

struct Moves {
  int *p;
  Moves(int *p) : p(p) {}
  Moves(const Moves &other) : p(other.p + 1) {}
};
__global__ void takesMoves(Moves m) { m.p[blockIdx.x] += 1; }
void copiesByItsOwnWay(int *p, int n) {
  Moves moves(p);
  for (int t = 0; t < n; ++t)
    takesMoves<<<4, 64>>>(moves);
}
// CHECK: :[[#@LINE-2]]:27: note: {{.*}} [host-variable]

struct Counter {
  int count;
  int next() { return count++; }
};
void callsMember(int *p, int n) {
  Counter counter = {n};
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, counter.count);
    counter.next();
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-call]

//===--- Control --------------------------------------------------------------//

void switches(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    switch (t % 2) {
    case 0:
      add<<<4, 64>>>(p, t);
      break;
    default:
      add<<<8, 64>>>(p, t);
    }
  }
}
// CHECK: :[[#@LINE-9]]:5: note: {{.*}} [host-statement]

void callsLambda(int *p, int n) {
  const auto sum = [&](int t) { return t + n; };
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, sum(t));
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-call]

void iterates(int *p) {
  for (int by : {1, 2, 3})
    add<<<4, 64>>>(p, by);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [host-statement]

//===--- Copies ---------------------------------------------------------------//

void copiesOnHost(int *p, int n) {
  int a = 0, b = 1;
  for (int t = 0; t < n; ++t) {
    cudaMemcpy(&a, &b, sizeof(int), cudaMemcpyHostToHost);
    add<<<4, 64>>>(p, a);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [host-copy]

void copiesPart(int *flag) {
  long more = 1;
  while (more) {
    add<<<4, 64>>>(flag, -1);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-copy]

// The host may look before it is there.
void copiesLater(int *flag, cudaStream_t stream) {
  int more = 1;
  while (more) {
    add<<<4, 64, 0, stream>>>(flag, -1);
    cudaMemcpyAsync(&more, flag, sizeof(int), cudaMemcpyDeviceToHost, stream);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-copy]

// It need not be memory of the device.
void copiesWhatNoLaunchTakes(int *p, int *flag) {
  int more = 1;
  while (more) {
    add<<<4, 64>>>(p, -1);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
// CHECK: :[[#@LINE-3]]:23: note: {{.*}} [host-copy]

//===--- Launches -------------------------------------------------------------//

void hasGridOfDevice(int *flag) {
  int more = 1;
  while (more) {
    add<<<more, 64>>>(flag, -1);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
// CHECK: :[[#@LINE-4]]:11: note: {{.*}} [varying-geometry]

__global__ void turn(int *p) {
  extern __shared__ int part[];
  part[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = part[31 - threadIdx.x];
}
void needsMore(int *p, int n) {
  for (int t = 0; t < n; ++t)
    turn<<<1, 32, 128 + t>>>(p);
}
// CHECK: :[[#@LINE-2]]:19: note: {{.*}} [varying-geometry]

void needsTwoSizes(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    turn<<<1, 32, 128>>>(p);
    turn<<<1, 32, 256>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void byDefault(int *p, float by = 0.5f) { p[blockIdx.x] += int(by * 2); }
void hasFloatByDefault(int *p, int n) {
  for (int t = 0; t < n; ++t)
    byDefault<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-2]]:5: note: {{.*}} [default-argument]

template <int N, typename T>
__global__ void ownDefaults(T *p, int by = N, int size = sizeof(T)) {
  p[blockIdx.x] += by * size;
}
template <int N> __global__ void plainDefault(int *p, int by = 7) {
  p[blockIdx.x] += by * N;
}
void leavesOwnDefaults(int *p, int n) {
  for (int t = 0; t < n; ++t)
    ownDefaults<3><<<4, 64>>>(p);
  for (int t = 0; t < n; ++t)
    ownDefaults<3><<<4, 64>>>(p, t);
  for (int t = 0; t < n; ++t)
    ownDefaults<3><<<4, 64>>>(p, t, 4);
  for (int t = 0; t < n; ++t)
    plainDefault<3><<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-9]]:3: remark: for loop of kernel launches cannot become
// CHECK: note: {{.*}} [default-argument]
// CHECK: :[[#@LINE-9]]:3: remark: for loop of kernel launches cannot become
// CHECK: note: {{.*}} [default-argument]
// CHECK: :[[#@LINE-9]]:3: warning: for loop of kernel launches can become
// CHECK: :[[#@LINE-8]]:3: warning: for loop of kernel launches can become

namespace inner {
__global__ void apart(int *p, int n);
__device__ int scaled(int n) { return n; }
} // namespace inner
__device__ int scaled(int n) { return 2 * n; }
__global__ void inner::apart(int *p, int n) { p[blockIdx.x] += scaled(n); }
void launchesOutOfLine(int *p, int n) {
  for (int t = 0; t < n; ++t)
    inner::apart<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-5]]:24: note: {{.*}} [kernel-shape]

template <typename T> __global__ void grow(T *p, int n) { p[blockIdx.x] += n; }
template <> __global__ void grow<int>(int *p, int n) { p[blockIdx.x] -= n; }
void launchesSpecialisation(int *p, int n) {
  for (int t = 0; t < n; ++t)
    grow<int><<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-5]]:29: note: {{.*}} [kernel-shape]
