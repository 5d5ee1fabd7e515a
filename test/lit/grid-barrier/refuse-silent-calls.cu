// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that run without a call, as parts of a step.
//
// RUN: %barricade --rules=grid-barrier --explain %s > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=not-verified %s < %t.out

struct Grid {
  int value;
  // CHECK-DAG: :[[#@LINE+1]]:31: note: {{.*}} [index-in-callee]
  __device__ Grid() { value = gridDim.x; }
};
struct Inherited {
  int value;
  // CHECK-DAG: :[[#@LINE+1]]:37: note: {{.*}} [index-in-callee]
  __device__ Inherited(int) : value(gridDim.x) {}
};
struct Inherits : Inherited {
  using Inherited::Inherited;
};
struct Ends {
  int *place;
  // CHECK-DAG: :[[#@LINE+1]]:33: note: {{.*}} [index-in-callee]
  __device__ ~Ends() { *place = gridDim.x; }
};
struct Plain {
  int value;
  __device__ Plain() { value = 3; }
};

__global__ void filler(int *x) {
  Grid all[2] = {};
  x[blockIdx.x] = x[blockIdx.x] * 3 + all[1].value;
}
__global__ void inherited(int *x) {
  x[blockIdx.x] = x[blockIdx.x] * 3 + Inherits(2).value;
}
__global__ void ends(int *x) {
  delete new Ends{x + blockIdx.x};
}
__global__ void plain(int *x) {
  Plain all[2] = {};
  x[blockIdx.x] = x[blockIdx.x] * 3 + all[1].value;
}
void loops(int *x, int steps) {
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int s = 0; s < steps; ++s)
    filler<<<1 + s % 3, 32>>>(x);
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int s = 0; s < steps; ++s)
    inherited<<<1 + s % 3, 32>>>(x);
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int s = 0; s < steps; ++s)
    ends<<<1 + s % 3, 32>>>(x);
  // CHECK-DAG: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int s = 0; s < steps; ++s)
    plain<<<1 + s % 3, 32>>>(x);
}
