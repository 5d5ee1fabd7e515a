// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fault is an error, comes before what could be faster, and ends the command
// with 4, unless --fail-on says otherwise. A dry run's 1 stays.
//
// DEFINE: %{run} = %barricade --no-verify --no-toolkit %s
// RUN: sh -c '%{run}; test $? = 4' | FileCheck %s
// RUN: sh -c '%{run} --fail-on=rewrite; test $? = 4'
// RUN: %{run} --fail-on=never
// RUN: sh -c '%{run} --dry-run; test $? = 1'
// RUN: sh -c '%{run} --kernel=rowSums --fail-on=rewrite; test $? = 4'
// RUN: %{run} --kernel=rowSums
// RUN: not %{run} --fail-on=everything 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: error: 'everything' is not valid for --fail-on: expected fault, rewrite or never

// CHECK: :[[#@LINE+11]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE+3]]:3: warning: memory-bound for loop
__global__ void rowSums(const float *a, float *sums, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += a[(blockIdx.x * blockDim.x + threadIdx.x) * n + j];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void leftNeighbour(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  if (i > 0)
    b[i] = a[i - 1];
}
