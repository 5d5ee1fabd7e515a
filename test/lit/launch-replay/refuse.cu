// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that stay as they are: someone could tell that they are made later.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can be made' --implicit-check-not=' error: ' %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %S/golden.cu -- nvcc -std=c++14 -arch=sm_90 2>&1 | FileCheck --check-prefix=OLD --implicit-check-not='can be made' %s
// OLD: [language]

#include <cstdio>
#include <cstdlib>

__global__ void k(float *a);
template <typename T> __global__ void deduced(T *a);
__global__ void twice(float *a);
__global__ void twice(int *a);
struct Watched {
  ~Watched() {}
  Watched(const Watched &);
};

//===--- What waits, or gives the device work ------------------------------===//

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed{{.*}}other work
void synchronises(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void nowAndThen(float *a, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    if (i % 100 == 0)
      // CHECK: :[[@LINE+1]]:7: note: {{.*}} [between]
      cudaStreamSynchronize(s);
  }
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void records(float *a, cudaEvent_t e, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaEventRecord(e);
  }
}

// Handlers may wait for the device, and look.
//
// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void ends(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    if (i == 7)
      // CHECK: :[[@LINE+1]]:7: note: {{.*}} [between]
      exit(1);
  }
}

void unknown();
// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void calls(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    unknown();
  }
}

// A kernel may set it, and the loop end by it.
//
// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void polls(float *a, volatile int *done) {
  // CHECK: note: {{.*}} [between]
  while (!*done)
    k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void destroys(float *a, const Watched &w, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    Watched other(w);
  }
}

//===--- How the launch is written -----------------------------------------===//

// All launches of a stretch, or none: what is launched in between would come
// first.
//
// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void oneOfTwo(float *a, int *b, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    deduced<<<1, 32>>>(b);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    twice<<<1, 32>>>(b);
  }
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void counts(float *a, int n) {
  while (n)
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [argument]
    k<<<1, n-- + 32>>>(a);
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void pointer(void (*p)(float *), float *a, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-pointer]
    p<<<1, 32>>>(a);
}

#define LAUNCH(K, ...) K<<<1, 32>>>(__VA_ARGS__)
// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void macro(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [in-macro]
  for (int i = 0; i < n; ++i)
    LAUNCH(k, a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void directive(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int i = 0; i < n; ++i) {
#ifdef MORE
    unknown();
#endif
    k<<<1, 32>>>(a);
  }
}

// CHECK: :[[@LINE+5]]:{{.*}}cannot be replayed
void jumps(float *a, int n) {
  if (n < 0)
    goto end;
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [no-place]
  for (int i = 0; i < n; ++i)
    k<<<1, 32>>>(a);
end:
  cudaDeviceSynchronize();
}

template <typename T> void inTemplate(T *a, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<<<1, 32>>>(a);
}
template void inTemplate(float *, int);

// No loop: nothing to gain, nothing to say.
void straight(float *a) {
  k<<<1, 32>>>(a);
  k<<<1, 32>>>(a);
}
