// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another build has more kernels of a name: what names them all would not
// compile there.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- -std=c++17 2>&1 | FileCheck %s

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= n;
}
__global__ void shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += n;
}
#ifdef MORE
__global__ void shift(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += n;
}
#endif
__global__ void twist(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] -= n;
}

void overloaded(float *x) {
  scale<<<4, 32>>>(x, 2);
  // CHECK: :[[@LINE+1]]:3: {{.*}} [kernel-name]
  shift<<<4, 32>>>(x, 2);
}
void alone(float *x) {
  // CHECK: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel
  scale<<<4, 32>>>(x, 2);
  twist<<<4, 32>>>(x, 2);
}
