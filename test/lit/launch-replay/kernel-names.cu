// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's name that is an argument must stand for one function in every
// build. `<<<...>>>` would choose among several.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=' error: ' %s

#ifdef MORE
__global__ void kernel(double *to) { to[threadIdx.x] += 1; }
#endif
__global__ void kernel(float *to) { to[threadIdx.x] += 1; }
void run_kernel(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    kernel<<<1, 32>>>(x);
  }
}

// A default that a pointer to the kernel would not know.
__global__ void extended(float *to
#ifdef MORE
                         , int by = 1
#endif
) {
  to[threadIdx.x] += 1;
}
void run_extended(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    extended<<<1, 32>>>(x);
  }
}

#ifdef MORE
#define ONE_MORE , int by = 1
#else
#define ONE_MORE
#endif
__global__ void spelledOut(float *to ONE_MORE) { to[threadIdx.x] += 1; }
void run_spelledOut(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    spelledOut<<<1, 32>>>(x);
  }
}

#ifdef MORE
#define REAL double
#else
#define REAL float
#endif
__global__ void otherType(REAL *to, REAL by) { to[threadIdx.x] += by; }
void run_otherType(REAL *x) {
  // CHECK: :[[@LINE+1]]:3: warning: {{.*}} by a graph
  for (int s = 0; s < 100; ++s)
    otherType<<<1, 32>>>(x, s);
}

#ifdef MORE
void ofHost(double *to) { to[0] += 1; }
#endif
__global__ void ofHost(float *to) { to[threadIdx.x] += 1; }
void run_ofHost(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    ofHost<<<1, 32>>>(x);
  }
}

#ifdef MORE
template <int Size> __global__ void templated(float *to) { to[Size] += 1; }
#endif
__global__ void templated(float *to) { to[threadIdx.x] += 1; }
void run_templated(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    templated<<<1, 32>>>(x);
  }
}

namespace other {
__global__ void used(float *to, double by) { to[threadIdx.x] += by; }
__global__ void directed(float *to, double by) { to[threadIdx.x] += by; }
} // namespace other
#ifdef MORE
using other::used;
#endif
__global__ void used(float *to) { to[threadIdx.x] += 1; }
void run_used(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    used<<<1, 32>>>(x);
  }
}

#ifdef MORE
using namespace other;
#endif
__global__ void directed(float *to) { to[threadIdx.x] += 1; }
void run_directed(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    directed<<<1, 32>>>(x);
  }
}

// A branch for all and one for several.
#ifdef MORE
__global__ void several(float *to) { to[threadIdx.x] += 2; }
__global__ void several(double *to) { to[threadIdx.x] += 2; }
#else
__global__ void several(float *to) { to[threadIdx.x] += 1; }
#endif
void run_several(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    several<<<1, 32>>>(x);
  }
}

#ifdef MORE
template <typename T> __global__ void deduced(T *to) { to[threadIdx.x] += 2; }
#else
__global__ void deduced(float *to) { to[threadIdx.x] += 1; }
#endif
void run_deduced(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    deduced<<<1, 32>>>(x);
  }
}

#ifdef MORE
template <typename real>
#else
typedef float real;
#endif
__global__ void headed(real *to) {
  to[threadIdx.x] += 1;
}
void run_headed(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    headed<<<1, 32>>>(x);
  }
}

template <typename T
#ifdef MORE
          , typename U
#endif
          >
__global__ void longer(T *to) { to[threadIdx.x] += 1; }
void run_longer(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    longer<float><<<1, 32>>>(x);
  }
}

#ifdef MORE
#define ANY_TYPE template <typename given>
#else
#define ANY_TYPE
typedef float given;
#endif
ANY_TYPE __global__ void spelled(given *to) { to[threadIdx.x] += 1; }
void run_spelled(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    spelled<<<1, 32>>>(x);
  }
}

//===----------------------------------------------------------------------===//
// One in every build
//===----------------------------------------------------------------------===//

#ifdef MORE
__global__ void either(float *to, int by = 2) { to[threadIdx.x] += by; }
#else
__global__ void either(float *to) { to[threadIdx.x] += 1; }
#endif
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void run_either(float *x) {
  for (int s = 0; s < 100; ++s) {
    either<<<1, 32>>>(x);
  }
}

__global__ void declared(float *to);
#ifdef MORE
__global__ void declared(float *to) { to[threadIdx.x] += 2; }
#else
__global__ void declared(float *to) { to[threadIdx.x] += 1; }
#endif
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void run_declared(float *x) {
  for (int s = 0; s < 100; ++s) {
    declared<<<1, 32>>>(x);
  }
}

#if defined(MORE)
template <int Size> __global__ void sized(float *to) { to[Size] += 1; }
#elif defined(MUCH)
template <int Size> __global__ void sized(float *to, int n = 0) { to[n] += 1; }
#else
template <int Size> __global__ void sized(float *to) { to[Size] += 2; }
#endif
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void run_sized(float *x) {
  for (int s = 0; s < 100; ++s) {
    sized<4><<<1, 32>>>(x);
  }
}

#ifdef MORE
#define KERNEL static __global__
#else
#define KERNEL __global__
#endif
KERNEL void linked(float *to) { to[threadIdx.x] += 1; }
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void run_linked(float *x) {
  for (int s = 0; s < 100; ++s) {
    linked<<<1, 32>>>(x);
  }
}

// Names of its own have a function, or a class.
#ifdef MORE
void check(float *lone, int by), check(int by, float lone);
void check(float *x) {
  float lone = 2;
  check(x, lone);
}
struct Settings {
  float lone;
};
#endif
__global__ void lone(float *to) { to[threadIdx.x] += 1; }
void verify(float *x) {
#ifdef MORE
  float lone = 2;
#endif
}
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void run_lone(float *x) {
  for (int s = 0; s < 100; ++s) {
    lone<<<1, 32>>>(x);
  }
}

#ifdef MORE
void (*declarator(double *to))(int);
#endif
__global__ void declarator(float *to) { to[threadIdx.x] += 1; }
void run_declarator(float *x) {
  for (int s = 0; s < 100; ++s) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    declarator<<<1, 32>>>(x);
  }
}
