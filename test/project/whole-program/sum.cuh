#pragma once
__device__ float sum(const float *a, int n);
void sums(const float *a, float *out, int n);
