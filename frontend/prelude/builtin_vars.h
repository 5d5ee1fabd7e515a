//===- builtin_vars.h - threadIdx and the like as nvcc has them -*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In place of Clang's __clang_cuda_builtin_vars.h, whose types can neither be
// copied nor taken apart. To nvcc the variables are of type uint3 and dim3, so
// that programs write
//
//   auto [x, y, z] = threadIdx;
//   const auto &Block = blockIdx;
//
// The types keep Clang's names and shape: who reads a member of one, or of a
// copy, calls a function of that type, which tells what is read. They have no
// fields that could be set.
//
//===----------------------------------------------------------------------===//

// Clang's own guard: its header is left out.
#ifndef __CUDA_BUILTIN_VARS_H
#define __CUDA_BUILTIN_VARS_H

struct uint3;
struct dim3;

#define __BARRICADE_MEMBER(MEMBER, REGISTER)                                   \
  __declspec(property(get = __fetch_builtin_##MEMBER)) unsigned int MEMBER;    \
  static inline __attribute__((always_inline))                                 \
  __attribute__((device)) unsigned int                                         \
  __fetch_builtin_##MEMBER(void) {                                             \
    return __nvvm_read_ptx_sreg_##REGISTER##_##MEMBER();                       \
  }

#if __cplusplus >= 201103L
#define __BARRICADE_DELETE = delete
#else
#define __BARRICADE_DELETE
#endif

// The conversions are defined where uint3 and dim3 are; nvcc takes no address
// of the variables either. `get` serves structured bindings.
#define __BARRICADE_VARIABLE(NAME, REGISTER)                                   \
  struct __cuda_builtin_##NAME##_t {                                           \
    __BARRICADE_MEMBER(x, REGISTER)                                            \
    __BARRICADE_MEMBER(y, REGISTER)                                            \
    __BARRICADE_MEMBER(z, REGISTER)                                            \
    __attribute__((device)) operator dim3() const;                             \
    __attribute__((device)) operator uint3() const;                            \
    template <__SIZE_TYPE__ I>                                                 \
    __attribute__((device)) unsigned int get() const {                         \
      return I == 0 ? x : I == 1 ? y : z;                                      \
    }                                                                          \
                                                                               \
  private:                                                                     \
    __attribute__((device)) __cuda_builtin_##NAME##_t() __BARRICADE_DELETE;    \
    __attribute__((device)) void                                               \
    operator=(const __cuda_builtin_##NAME##_t &) const __BARRICADE_DELETE;     \
    __attribute__((device)) __cuda_builtin_##NAME##_t *                        \
    operator&() const __BARRICADE_DELETE;                                      \
  };                                                                           \
  extern const __attribute__((device))                                         \
  __attribute__((weak)) __cuda_builtin_##NAME##_t NAME;

__BARRICADE_VARIABLE(threadIdx, tid)
__BARRICADE_VARIABLE(blockIdx, ctaid)
__BARRICADE_VARIABLE(blockDim, ntid)
__BARRICADE_VARIABLE(gridDim, nctaid)

// As in Clang's header: so far all GPUs have warps of 32.
__attribute__((device)) const int warpSize = 32;

#undef __BARRICADE_MEMBER
#undef __BARRICADE_DELETE
#undef __BARRICADE_VARIABLE

#endif // __CUDA_BUILTIN_VARS_H
