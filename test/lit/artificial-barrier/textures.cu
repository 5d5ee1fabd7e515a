// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a texture fetch gives lies in global memory, at coordinates that may
// depend on the thread; another thread may write it through a surface or a
// pointer. So it is uniform only where nothing is written that it may show.
//
// RUN: not %dry-run --min-memory-ratio=0 %s | FileCheck %s

// Another thread may have changed the bound.
__global__ void bound(cudaTextureObject_t t, const float *a, float *out) {
  float s = 0;
  // CHECK: +  for (int k = 0; __syncthreads_or(active = active && (k < tex1Dfetch<int>(t, 0)));
  for (int k = 0; k < tex1Dfetch<int>(t, 0); ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// The same by way of variables, and for textures of other shapes.
__global__ void shapes(cudaTextureObject_t t, const float *a, float *out) {
  int m = tex2D<float>(t, 0.5f, 0.5f);
  float4 v = texCubemap<float4>(t, 0, 0, 1);
  float s = 0;
  // CHECK: +  for (int k = 0; __syncthreads_or(active = active && (k < m));
  for (int k = 0; k < m; ++k)
    s += a[k * 64 + threadIdx.x];
  // CHECK: +  for (int k = 0; __syncthreads_or(active2 = active2 && (k < v.y));
  for (int k = 0; k < v.y; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// In a body that all threads run a texel decides nothing.
__global__ void summed(cudaTextureObject_t t, const float *a, float *out,
                       int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x] * tex1Dfetch<float>(t, k);
  // CHECK: s += a[k * 64 + threadIdx.x] * tex1Dfetch<float>(t, k);
  // CHECK-NEXT: +    __syncthreads();
  out[threadIdx.x] = s;
}

// A fetch at the thread's own coordinates differs between threads, whether or
// not anything is written.
__device__ int length(cudaTextureObject_t t, int i) {
  return tex1Dfetch<int>(t, i);
}
__global__ void perThread(cudaTextureObject_t t, const float *a, float *out) {
  float s = 0;
  // CHECK: +  for (int k = 0; __syncthreads_or(active = active && (k < length(t, threadIdx.x)));
  for (int k = 0; k < length(t, threadIdx.x); ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
