//===- barricade_vector_types.h - int4, dim3 and their kin ------*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA C++ Programming Guide, "Built-in Vector Types". Included by
// cuda_runtime.h only.
//
//===----------------------------------------------------------------------===//

#define BARRICADE_VECTOR(T, NAME, ALIGN2, ALIGN4)                              \
  struct NAME##1 { T x; };                                                     \
  struct __align__(ALIGN2) NAME##2 { T x, y; };                                \
  struct NAME##3 { T x, y, z; };                                               \
  struct __align__(ALIGN4) NAME##4 { T x, y, z, w; };                          \
  __host__ __device__ inline NAME##1 make_##NAME##1(T x) { return {x}; }       \
  __host__ __device__ inline NAME##2 make_##NAME##2(T x, T y) {                \
    return {x, y};                                                             \
  }                                                                            \
  __host__ __device__ inline NAME##3 make_##NAME##3(T x, T y, T z) {           \
    return {x, y, z};                                                          \
  }                                                                            \
  __host__ __device__ inline NAME##4 make_##NAME##4(T x, T y, T z, T w) {      \
    return {x, y, z, w};                                                       \
  }

BARRICADE_VECTOR(signed char, char, 2, 4)
BARRICADE_VECTOR(unsigned char, uchar, 2, 4)
BARRICADE_VECTOR(short, short, 4, 8)
BARRICADE_VECTOR(unsigned short, ushort, 4, 8)
BARRICADE_VECTOR(int, int, 8, 16)
BARRICADE_VECTOR(unsigned int, uint, 8, 16)
BARRICADE_VECTOR(long, long, 16, 16)
BARRICADE_VECTOR(unsigned long, ulong, 16, 16)
BARRICADE_VECTOR(long long, longlong, 16, 16)
BARRICADE_VECTOR(unsigned long long, ulonglong, 16, 16)
BARRICADE_VECTOR(float, float, 8, 16)
BARRICADE_VECTOR(double, double, 16, 16)

#undef BARRICADE_VECTOR

/// Extents of a grid or a block; what is left out is 1.
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int X = 1, unsigned int Y = 1,
                                     unsigned int Z = 1)
      : x(X), y(Y), z(Z) {}
  __host__ __device__ constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
