//===- cuda_runtime.h - CUDA without a toolkit ------------------*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// barricade's own declarations of CUDA's language built-ins and of the most
// used part of the runtime API, written from NVIDIA's public documentation.
// They let Clang parse a file where no toolkit is installed. Nothing here has a
// body that a program could run: these headers are for reading code, not for
// compiling it.
//
// Names, parameters and values follow the CUDA C++ Programming Guide 13.0 and
// the CUDA Runtime API reference 13.0.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FALLBACK_CUDA_RUNTIME_H
#define BARRICADE_FALLBACK_CUDA_RUNTIME_H

// Included by its path, which -isystem does not cover.
#pragma clang system_header

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define __maxnreg__(N)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(N) __attribute__((aligned(N)))
#define __builtin_align__(N) __align__(N)
#define __CUDACC__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000
#define CUDART_CB
#define CUDARTAPI

#define CUDA_VERSION 13000

#include "barricade_vector_types.h"

// nvcc includes these of itself.
#include <assert.h>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

// What Clang's headers take from the toolkit's.
typedef unsigned int cuuint32_t;
extern "C" {
__device__ unsigned __isGlobal(const void *);
__device__ unsigned __isShared(const void *);
__device__ unsigned __isConstant(const void *);
__device__ unsigned __isLocal(const void *);
}
__device__ size_t __cvta_generic_to_global(const void *);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ size_t __cvta_generic_to_constant(const void *);
__device__ size_t __cvta_generic_to_local(const void *);

// Clang's own device functions and mathematics; they need no toolkit.
// clang-format off: each needs those above it
#include "../prelude/builtin_vars.h"
#include <__clang_cuda_math_forward_declares.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
// clang-format on

#include "../prelude/language.h"
#include "barricade_device.h"
#include "barricade_runtime_api.h"

#endif // BARRICADE_FALLBACK_CUDA_RUNTIME_H
