// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes, vector types and built-in variables of CUDA C++.

#ifndef BARRICADE_EMU_TYPES_H
#define BARRICADE_EMU_TYPES_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDART_CB
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

#define BARRICADE_EMU_VECTOR(T, NAME, ALIGN2, ALIGN4)                          \
  struct NAME##1 { T x; };                                                     \
  struct __align__(ALIGN2) NAME##2 { T x, y; };                                \
  struct NAME##3 { T x, y, z; };                                               \
  struct __align__(ALIGN4) NAME##4 { T x, y, z, w; };                          \
  constexpr NAME##1 make_##NAME##1(T x) { return {x}; }                        \
  constexpr NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                \
  constexpr NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }        \
  constexpr NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }

BARRICADE_EMU_VECTOR(signed char, char, 2, 4)
BARRICADE_EMU_VECTOR(unsigned char, uchar, 2, 4)
BARRICADE_EMU_VECTOR(short, short, 4, 8)
BARRICADE_EMU_VECTOR(unsigned short, ushort, 4, 8)
BARRICADE_EMU_VECTOR(int, int, 8, 16)
BARRICADE_EMU_VECTOR(unsigned int, uint, 8, 16)
BARRICADE_EMU_VECTOR(long, long, 16, 16)
BARRICADE_EMU_VECTOR(unsigned long, ulong, 16, 16)
BARRICADE_EMU_VECTOR(long long, longlong, 16, 16)
BARRICADE_EMU_VECTOR(unsigned long long, ulonglong, 16, 16)
BARRICADE_EMU_VECTOR(float, float, 8, 16)
BARRICADE_EMU_VECTOR(double, double, 16, 16)
#undef BARRICADE_EMU_VECTOR

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int X = 1, unsigned int Y = 1, unsigned int Z = 1)
      : x(X), y(Y), z(Z) {}
  constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// The executor sets these whenever it switches to another thread. blockDim and
// gridDim are plain uint3 so that reading them is never instrumented.
extern __device__ const uint3 threadIdx;
extern __device__ const uint3 blockIdx;
extern __device__ const uint3 blockDim;
extern __device__ const uint3 gridDim;
constexpr int warpSize = 32;

#endif // BARRICADE_EMU_TYPES_H
