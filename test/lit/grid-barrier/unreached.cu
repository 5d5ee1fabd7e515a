// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that others know of, in loops that wait for the device: they keep
// their values where the loop's kernels write nothing but memory that the
// function has allocated, and the host reads them before it first waits.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>

int size;
int *elsewhere;
__device__ int *known;
void tell(int **p);
void ask(int *n);

__global__ void add(int *out, const int *in, int by) {
  out[blockIdx.x] += in[blockIdx.x] + by;
}

//===--- Kept -----------------------------------------------------------------//

void readsByHead(const int *in) {
  int *a;
  cudaMalloc(&a, size * sizeof(int));
  for (int t = 0; t < size; ++t) {
    add<<<4, 64>>>(a, in, t);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:3: warning: {{.*}} can become one persistent kernel

void readsByFirstLaunch(const int *in) {
  int n, *a = nullptr;
  ask(&n);
  cudaMalloc((void **)&a, 4096);
  for (int t = 0; t < 100; ++t) {
    int by = t + 1;
    add<<<4, 64>>>(a + 4, in, by + n);
    cudaDeviceSynchronize();
    add<<<4, 64>>>(&a[8], in, n);
  }
}
// CHECK: :[[#@LINE-7]]:3: warning: {{.*}} can become one persistent kernel

void swapsItsOwn() {
  int *a, *b, *spare = 0;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  for (int t = 0; t < size; ++t) {
    add<<<4, 64>>>(a, b, t);
    cudaDeviceSynchronize();
    std::swap(a, b);
    spare = a;
    a = b;
    b = spare;
  }
}
// CHECK: :[[#@LINE-9]]:3: warning: {{.*}} can become one persistent kernel

void readsByACopyThatWaits(const int *in) {
  int *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  for (int t = 0; t < 100; ++t) {
    cudaMemset(b, 0, size);
    add<<<4, 64>>>(a, b, size);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-6]]:3: warning: {{.*}} can become one persistent kernel

void readsBefore(const int *in) {
  int *a, over = 0;
  cudaMalloc(&a, size * sizeof(int));
  std::printf("so many\n");
  dim3 grid(4), block(64);
  for (int t = 0; t < 100; ++t) {
    cudaMemcpy(a, &over, sizeof(int), cudaMemcpyHostToDevice);
    add<<<grid, block>>>(a, in, size);
  }
}
// CHECK: :[[#@LINE-5]]:3: warning: {{.*}} can become one persistent kernel

//===--- Maybe changed --------------------------------------------------------//

void writesAParameter(int *p, const int *in) {
  for (int t = 0; t < size; ++t) {
    add<<<4, 64>>>(p, in, t);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:23: note: {{.*}} [global-variable]

void writesWhatItIsGiven(const int *in) {
  int *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  a = elsewhere;
  for (int t = 0; t < size; ++t) {
    add<<<4, 64>>>(b, in, t);
    cudaDeviceSynchronize();
    b = a;
  }
}
// CHECK: :[[#@LINE-6]]:23: note: {{.*}} [global-variable]

void tellsOfItsPointer(const int *in) {
  int *a;
  cudaMalloc(&a, 4096);
  tell(&a);
  for (int t = 0; t < size; ++t) {
    add<<<4, 64>>>(a, in, t);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:23: note: {{.*}} [global-variable]

void bindsItsPointer(const int *in) {
  int *a;
  cudaMalloc(&a, 4096);
  int *&other = a;
  other = elsewhere;
  for (int t = 0; t < size; ++t) {
    add<<<4, 64>>>(a, in, t);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:23: note: {{.*}} [global-variable]

void computesAnAddress(const int *in, size_t by) {
  int *a;
  cudaMalloc(&a, 4096);
  int *b = (int *)((size_t)a + by);
  for (int t = 0; t < size; ++t) {
    add<<<4, 64>>>(b, in, t);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:23: note: {{.*}} [global-variable]

__global__ void addElsewhere(int *out) {
  out[blockIdx.x] += 1;
  known[blockIdx.x] += 1;
}
void writesElsewhere() {
  int *a;
  cudaMalloc(&a, 4096);
  for (int t = 0; t < size; ++t) {
    addElsewhere<<<4, 64>>>(a);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:23: note: {{.*}} [global-variable]

struct Pair {
  int *to;
};
__global__ void addToPart(Pair pair) { pair.to[blockIdx.x] += 1; }
void writesAPart(Pair pair) {
  for (int t = 0; t < size; ++t) {
    addToPart<<<4, 64>>>(pair);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:23: note: {{.*}} [global-variable]

void fillsAParameter(int *p) {
  int *a;
  cudaMalloc(&a, 4096);
  for (int t = 0; t < size; ++t) {
    cudaMemset(p, 0, 64);
    add<<<4, 64>>>(a, p, t);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-6]]:23: note: {{.*}} [global-variable]

void readsAfterAWait(const int *in) {
  int *a;
  cudaMalloc(&a, 4096);
  for (int t = 0; t < 100; ++t) {
    cudaDeviceSynchronize();
    add<<<4, 64>>>(a, in, size);
  }
}
// CHECK: :[[#@LINE-3]]:27: note: {{.*}} [global-variable]

// What asks before the last launch stays where it is.
void waitsInADeclaration(const int *in) {
  int *a;
  cudaMalloc(&a, 4096);
  for (int t = 0; t < 100; ++t) {
    cudaError_t waited = cudaDeviceSynchronize();
    if (waited != cudaSuccess)
      return;
    add<<<4, 64>>>(a, in, size);
  }
}
// CHECK: :[[#@LINE-6]]:26: note: {{.*}} [host-statement]

void check(cudaError_t result, int line) {
  if (result != cudaSuccess)
    exit(line);
}
void readsInTheCheck(const int *in) {
  int *a;
  cudaMalloc(&a, 4096);
  for (int t = 0; t < 100; ++t) {
    check(cudaDeviceSynchronize(), size);
    add<<<4, 64>>>(a, in, size);
  }
}
// CHECK: :[[#@LINE-4]]:11: note: {{.*}} [host-statement]

// What is begun behind the read may write it.
void launchesBetween(const int *in, int *other) {
  int *a;
  cudaMalloc(&a, size * sizeof(int));
  add<<<4, 64>>>(other, in, 1);
  for (int t = 0; t < 100; ++t) {
    cudaDeviceSynchronize();
    add<<<4, 64>>>(a, in, size);
  }
}
// CHECK: :[[#@LINE-3]]:27: note: {{.*}} [global-variable]

void copiesBetween(const int *in, const int *other, cudaStream_t s) {
  int *a;
  cudaMalloc(&a, size * sizeof(int));
  cudaMemcpyAsync(elsewhere, other, 4, cudaMemcpyDeviceToHost, s);
  for (int t = 0; t < 100; ++t) {
    cudaDeviceSynchronize();
    add<<<4, 64>>>(a, in, size);
  }
}
// CHECK: :[[#@LINE-3]]:27: note: {{.*}} [global-variable]

void asksBetween(const int *in) {
  int *a;
  cudaMalloc(&a, size * sizeof(int));
  ask(&size);
  for (int t = 0; t < 100; ++t) {
    cudaDeviceSynchronize();
    add<<<4, 64>>>(a, in, size);
  }
}
// CHECK: :[[#@LINE-3]]:27: note: {{.*}} [global-variable]

void mayPassTheRead(const int *in, bool again) {
  int *a;
  cudaMalloc(&a, 4096);
  if (again)
    goto behind;
  cudaMalloc(&a, size * sizeof(int));
behind:
  again = false;
  for (int t = 0; t < 100; ++t) {
    cudaDeviceSynchronize();
    add<<<4, 64>>>(a, in, size);
  }
}
// CHECK: :[[#@LINE-3]]:27: note: {{.*}} [global-variable]

void mayNotRead(const int *in, bool ever) {
  int *a;
  cudaMalloc(&a, ever ? size * sizeof(int) : 4096);
  for (int t = 0; t < 100; ++t) {
    cudaDeviceSynchronize();
    add<<<4, 64>>>(a, in, size);
  }
}
// CHECK: :[[#@LINE-3]]:27: note: {{.*}} [global-variable]

void readsSometimes(const int *in) {
  int *a;
  cudaMalloc(&a, 4096);
  for (int t = 0; t < 100 || t < size; ++t) {
    add<<<4, 64>>>(a, in, t > 8 ? size : 0);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:34: note: {{.*}} [global-variable]

void readsInSomeRounds(const int *in) {
  int *a;
  cudaMalloc(&a, 4096);
  for (int t = 0; t < 100; ++t) {
    if (t > 8)
      add<<<4, 64>>>(a, in, size);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-4]]:29: note: {{.*}} [global-variable]

__global__ void countDown(int *left) { --left[blockIdx.x]; }
void readsByItsReference() {
  int *a;
  cudaMallocManaged(&a, 4096);
  int &left = *a;
  for (int t = 0; t < left; ++t) {
    countDown<<<4, 64>>>(a);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:23: note: {{.*}} [shared-variable]
