// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which somebody may see that a wait came later.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=warning: %s

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

__global__ void add(float *a) { a[threadIdx.x] += 1; }
__global__ void shows(float *a) { printf("%g\n", a[0]); }
__device__ void tell(float x) {
  if (x > 3)
    printf("%g\n", x);
}
__global__ void tells(float *a) { tell(a[0]); }
__device__ void unseen(float *a);
__global__ void asks(float *a) { unseen(a); }
__global__ void elsewhere(float *a);

struct Grid {
  float *data;
  int count;
  void run();
};
int total;
static float last[4];

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void reads(float *a, const float *managed, float *sum) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    *sum += managed[0];
  }
}

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void writes(float *a, float *managed) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    managed[0] = t;
  }
}

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void inTheHead(float *a, const int *managed) {
  for (int t = 0; t < *managed; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+5]]:5: note: {{.*}} [between]
void ofALaunch(float *a, float **managed) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    add<<<1, 32>>>(managed[0]);
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void globals(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    ++total;
  }
}

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void Grid::run() {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(data);
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+6]]:5: note: {{.*}} [between]
void known(float *a, void (*give)(int *)) {
  int n = 100;
  give(&n);
  for (int t = 0; t < n; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void prints(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    printf("%d\n", t);
  }
}

// CHECK: :[[@LINE+6]]:5: note: {{.*}} [between]
void times(float *a) {
  double spent = 0;
  for (int t = 0; t < 100; ++t) {
    auto start = std::chrono::steady_clock::now();
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  last[0] = float(spent);
}

// CHECK: :[[@LINE+4]]:9: note: {{.*}} [between]
void asked(float *a, int tries) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (cudaDeviceSynchronize() == cudaErrorNotReady)
      ++tries;
  }
  last[1] = tries;
}

// CHECK: :[[@LINE+5]]:27: note: {{.*}} [between]
int kept(float *a) {
  int good = 0;
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    const cudaError_t e = cudaDeviceSynchronize();
    good += e == cudaSuccess;
  }
  return good;
}

// CHECK: :[[@LINE+4]]:27: note: {{.*}} [between]
void readsBeside(float *a, const float *managed) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    const cudaError_t e = cudaDeviceSynchronize();
    float now = *managed;
    (void)e;
    if (now < 1)
      break;
  }
}

static int limit(int t) { return t < total ? 1 : 2; }
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void byFunction(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<limit(t), 32>>>(a);
    cudaDeviceSynchronize();
  }
}

static void wait() { cudaDeviceSynchronize(); }
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void inFunction(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    wait();
  }
}

#define FINISH() cudaDeviceSynchronize()
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void inMacro(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    FINISH();
  }
}

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void byEvents(float *a, cudaEvent_t e) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaEventRecord(e);
    cudaEventSynchronize(e);
  }
}

// CHECK: :[[@LINE+6]]:5: note: {{.*}} [between]
// CHECK: :{{[0-9]+}}:35: note: who waits may see what is printed here
void printing(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    shows<<<1, 32>>>(a);
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+5]]:5: note: {{.*}} [between]
// CHECK: note: who waits may see what is printed here
void telling(float *a) {
  for (int t = 0; t < 100; ++t) {
    tells<<<1, 32>>>(a);
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+5]]:5: note: {{.*}} [between]
// CHECK: note: who waits may see what is printed here
void asking(float *a) {
  for (int t = 0; t < 100; ++t) {
    asks<<<1, 32>>>(a);
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+5]]:5: note: {{.*}} [between]
// CHECK: note: who waits for a kernel that is not in sight may see what it prints
void notInSight(float *a) {
  for (int t = 0; t < 100; ++t) {
    elsewhere<<<1, 32>>>(a);
    cudaDeviceSynchronize();
  }
}
