#include "sum.cuh"
__device__ float sum(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__global__ void total(const float *a, float *out, int n) {
  out[threadIdx.x] = sum(a, n);
}
void sums(const float *a, float *out, int n) { total<<<1, 64>>>(a, out, n); }
