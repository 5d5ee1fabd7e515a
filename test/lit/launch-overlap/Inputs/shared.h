#pragma once
#ifndef OPTIONAL
#define OPTIONAL
#endif
#define FIXED const
template <typename T> __global__ void optional(T *a, const T *OPTIONAL b) {
  a[threadIdx.x] += b[threadIdx.x];
}
template <typename T> __global__ void given(T *a, const T *GIVEN b) {
  a[threadIdx.x] += b[threadIdx.x];
}
template <typename T> __global__ void fixed(T *a, FIXED T *b) {
  a[threadIdx.x] += b[threadIdx.x];
}
static __global__ void own(float *a, const float *GIVEN b) {
  a[threadIdx.x] += b[threadIdx.x];
}
