//===- barricade_device.h - Built-in functions of device code ---*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA C++ Programming Guide, "C++ Language Extensions" and "Mathematical
// Functions". Included by cuda_runtime.h only.
//
//===----------------------------------------------------------------------===//

// Declared in builtin_vars.h, before dim3 is.
#define BARRICADE_BUILTIN_VARIABLE(TYPE)                                       \
  __device__ inline TYPE::operator dim3() const { return dim3(x, y, z); }      \
  __device__ inline TYPE::operator uint3() const { return {x, y, z}; }

BARRICADE_BUILTIN_VARIABLE(__cuda_builtin_threadIdx_t)
BARRICADE_BUILTIN_VARIABLE(__cuda_builtin_blockIdx_t)
BARRICADE_BUILTIN_VARIABLE(__cuda_builtin_blockDim_t)
BARRICADE_BUILTIN_VARIABLE(__cuda_builtin_gridDim_t)
#undef BARRICADE_BUILTIN_VARIABLE

// As Clang's headers have them.
__device__ inline size_t __cvta_generic_to_global(const void *Pointer) {
  return (size_t)(void __attribute__((address_space(1))) *)Pointer;
}
__device__ inline void *__cvta_global_to_generic(size_t Address) {
  return (void *)(void __attribute__((address_space(1))) *)Address;
}

extern "C" {
__device__ void __syncthreads();
__device__ void __nanosleep(unsigned);

// The C library's functions that run on the device.
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t);
__device__ void free(void *);
__device__ void __assert_fail(const char *, const char *, unsigned,
                              const char *) noexcept;

// CUDA adds these to the C library on the host, too; Clang has the device's.
__host__ float rsqrtf(float);
__host__ double rsqrt(double);
__host__ float rcbrtf(float);
__host__ double rcbrt(double);
__host__ float sinpif(float);
__host__ double sinpi(double);
__host__ float cospif(float);
__host__ double cospi(double);
__host__ float erfinvf(float);
__host__ double erfinv(double);
__host__ float normcdff(float);
__host__ double normcdf(double);
} // extern "C"

template <typename T> __device__ unsigned __match_any_sync(unsigned, T);
template <typename T> __device__ unsigned __match_all_sync(unsigned, T, int *);

//===--- Atomic functions

// NAME of each TYPE, in its three scopes.
#define BARRICADE_ATOMIC(NAME, TYPE)                                           \
  __device__ TYPE NAME(TYPE *, TYPE);                                          \
  __device__ TYPE NAME##_block(TYPE *, TYPE);                                  \
  __device__ TYPE NAME##_system(TYPE *, TYPE);
#define BARRICADE_ATOMIC_INTEGERS(NAME)                                        \
  BARRICADE_ATOMIC(NAME, int)                                                  \
  BARRICADE_ATOMIC(NAME, unsigned)                                             \
  BARRICADE_ATOMIC(NAME, unsigned long long)
#define BARRICADE_ATOMIC_ORDERED(NAME)                                         \
  BARRICADE_ATOMIC_INTEGERS(NAME)                                              \
  BARRICADE_ATOMIC(NAME, long long)
#define BARRICADE_ATOMIC_CAS(TYPE)                                             \
  __device__ TYPE atomicCAS(TYPE *, TYPE, TYPE);                               \
  __device__ TYPE atomicCAS_block(TYPE *, TYPE, TYPE);                         \
  __device__ TYPE atomicCAS_system(TYPE *, TYPE, TYPE);

BARRICADE_ATOMIC_INTEGERS(atomicAdd)
BARRICADE_ATOMIC(atomicAdd, float)
BARRICADE_ATOMIC(atomicAdd, double)
BARRICADE_ATOMIC(atomicSub, int)
BARRICADE_ATOMIC(atomicSub, unsigned)
BARRICADE_ATOMIC_INTEGERS(atomicExch)
BARRICADE_ATOMIC(atomicExch, float)
BARRICADE_ATOMIC_ORDERED(atomicMin)
BARRICADE_ATOMIC_ORDERED(atomicMax)
BARRICADE_ATOMIC(atomicInc, unsigned)
BARRICADE_ATOMIC(atomicDec, unsigned)
BARRICADE_ATOMIC_INTEGERS(atomicAnd)
BARRICADE_ATOMIC_INTEGERS(atomicOr)
BARRICADE_ATOMIC_INTEGERS(atomicXor)
BARRICADE_ATOMIC_CAS(int)
BARRICADE_ATOMIC_CAS(unsigned)
BARRICADE_ATOMIC_CAS(unsigned long long)
BARRICADE_ATOMIC_CAS(unsigned short)
#undef BARRICADE_ATOMIC
#undef BARRICADE_ATOMIC_INTEGERS
#undef BARRICADE_ATOMIC_ORDERED
#undef BARRICADE_ATOMIC_CAS

#define BARRICADE_SIDE __host__
#include "barricade_min_max.h"
#undef BARRICADE_SIDE
#define BARRICADE_SIDE __device__
#include "barricade_min_max.h"
#undef BARRICADE_SIDE
