// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups' header needs a folder that nvcc finds by itself and Clang
// does not.
//
// RUN: %barricade --rules=grid-barrier,launch-fusion --explain --gpu-sync=cooperative %s -- clang++ -std=c++17 --cuda-gpu-arch=sm_80 2>&1 | FileCheck --check-prefix=%if nvcc %{LACKS%} %else %{FINDS%} %s
// RUN: %barricade --rules=grid-barrier --explain %s -- clang++ -std=c++17 --cuda-gpu-arch=sm_80 2>&1 | FileCheck --check-prefix=FINDS %s
// RUN: %barricade --rules=grid-barrier --explain --gpu-sync=cooperative %s -- clang++ -std=c++17 --cuda-gpu-arch=sm_80 -isystem %S/Inputs/cccl 2>&1 | FileCheck --check-prefix=FINDS %s
// RUN: %barricade --rules=grid-barrier --explain --gpu-sync=cooperative %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=FINDS %s
//
// LACKS-DAG: :[[#@LINE+7]]:3: remark: for loop of kernel launches cannot become one kernel: the build's Clang is not told of CUDA's C++ library
// LACKS-DAG: {{.*}} [groups-header]
// FINDS: for loop of kernel launches can become one persistent kernel

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }

void run(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
