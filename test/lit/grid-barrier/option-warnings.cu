// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step's parameter has the name of the built-in variable that it stands for.
// nvcc's host compiler never sees that; Clang as the build's compiler does.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 -Xcompiler=-Wall,-Wextra,-Wshadow,-Werror 2>&1 | FileCheck --check-prefix=NVCC %s
// RUN: %barricade --rules=grid-barrier --explain %s -- clang++ -std=c++17 --cuda-gpu-arch=sm_90 -Wshadow -Werror 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: %barricade --rules=grid-barrier --explain %s -- clang++ -std=c++17 --cuda-gpu-arch=sm_90 -Wall -Werror 2>&1 | FileCheck --check-prefix=NVCC %s
//
// NVCC:     can become one persistent kernel
// NVCC-NOT: not-verified
// NVCC:     1 finding
// CLANG: declaration shadows a variable {{.*}}[not-verified]

__global__ void add(int *p, int by) {
  p[blockIdx.x * blockDim.x + threadIdx.x] += by + gridDim.x;
}

void run(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
