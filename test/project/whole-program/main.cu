#include "sum.cuh"
__device__ float twice(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x] * 2;
  return s;
}
__global__ void doubles(const float *a, float *out, int n) {
  out[threadIdx.x] = twice(a, n);
}
int main() {
  sums(nullptr, nullptr, 0);
  doubles<<<1, 64>>>(nullptr, nullptr, 0);
}
