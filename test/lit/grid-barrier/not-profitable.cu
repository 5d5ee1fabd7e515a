// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that measure a kernel, whose iterations repeat each other, stay as they
// are; those beside them, which differ by one thing, do not.
//
// RUN: %barricade --rules=grid-barrier --explain %s 2>&1 | FileCheck %s
// RUN: not %dry-run --rules=grid-barrier %s | FileCheck --check-prefix=DIFF %s
//
// DIFF-NOT: {{^}}+{{.*}}timesCopy_persistent
// DIFF: {{^}}+{{.*}}copiesOn_persistent
// DIFF-NOT: {{^}}+{{.*}}timesCopy_persistent

__global__ void copy(const float *__restrict__ in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}
__global__ void add(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += in[i];
}
struct Pair { float a, b; };
__global__ void rotate(Pair *out) {
  Pair old = out[threadIdx.x];
  out[threadIdx.x].a = old.b;
}
__global__ void count(int *sum) { atomicAdd(sum, 1); }

void timesCopy(const float *in, float *out, int n, cudaEvent_t start, cudaEvent_t stop) {
  cudaEventRecord(start);
  for (int i = 0; i < 100; ++i)
    copy<<<n / 64, 64>>>(in, out, n);
  cudaEventRecord(stop);
}
// CHECK: :[[#@LINE-4]]:3: {{.*}} could become one kernel, but each iteration repeats the last one
// CHECK: [repetition]

void copiesThere(float *in, float *out, float *far, int n) {
  for (int i = 0; i < 100; ++i) {
    copy<<<n / 64, 64>>>(in, out, n);
    copy<<<n / 64, 64>>>(in, far, n);
    cudaDeviceSynchronize();
  }
}
// CHECK: [repetition]

void copiesOn(float *in, float *out, float *far, int n) {
  for (int i = 0; i < 100; ++i) {
    copy<<<n / 64, 64>>>(in, out, n);
    copy<<<n / 64, 64>>>(out, far, n);
  }
}
// CHECK: :[[#@LINE-5]]:3: warning: {{.*}} can become one persistent kernel

void copiesParts(float *in, int n) {
  for (int i = 0; i < 100; ++i)
    copy<<<n / 64, 64>>>(in, in + n, n);
}
// CHECK: :[[#@LINE-3]]:3: warning: {{.*}} can become one persistent kernel

void copiesFurther(float *in, float *out, int n) {
  for (int i = 0; i < 100; ++i)
    copy<<<n / 64, 64>>>(in, out + i * n, n);
}
// CHECK: :[[#@LINE-3]]:3: warning: {{.*}} can become one persistent kernel

void adds(float *in, float *out, int n) {
  for (int i = 0; i < 100; ++i)
    add<<<n / 64, 64>>>(in, out, n);
}
// CHECK: :[[#@LINE-3]]:3: warning: {{.*}} can become one persistent kernel

void rotates(Pair *out) {
  for (int i = 0; i < 100; ++i)
    rotate<<<1, 64>>>(out);
}
// CHECK: :[[#@LINE-3]]:3: warning: {{.*}} can become one persistent kernel

void counts(int *sum) {
  for (int i = 0; i < 100; ++i)
    count<<<1, 64>>>(sum);
}
// CHECK: :[[#@LINE-3]]:3: warning: {{.*}} can become one persistent kernel

// Votes, as our own rewrites have them, read nothing that kernels write.
__global__ void votes(const float *in, float *out, int n) {
  float sum = 0;
  bool active = true;
  for (int k = 0; __syncthreads_or(active = active && (k < n)); active ? (void)(++k) : (void)0)
    if (active)
      sum += in[k];
  out[threadIdx.x] = sum;
}
void repeatsVotes(float *in, float *out, int n) {
  for (int i = 0; i < 100; ++i)
    votes<<<n / 64, 64>>>(in, out, n);
}
// CHECK: :[[#@LINE-3]]:3: remark: {{.*}} each iteration repeats the last one

__device__ float last;
__global__ void throughAssignment(float *in, float *out, float x) {
  out[threadIdx.x] = (in[1] = x) + (last = x, last);
}
void repeatsNot(float *in, float x) {
  for (int i = 0; i < 100; ++i)
    throughAssignment<<<1, 64>>>(in, in + 64, x);
}
// CHECK: :[[#@LINE-3]]:3: warning: {{.*}} can become one persistent kernel
