#pragma once
static __global__ void chosen(float *a) { a[threadIdx.x] += 2; }
