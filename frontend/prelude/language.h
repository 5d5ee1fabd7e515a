//===- language.h - nvcc's language in Clang's words ------------*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read after the toolkit's headers, or what stands in for them.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_PRELUDE_LANGUAGE_H
#define BARRICADE_PRELUDE_LANGUAGE_H

// Included by its path, which -isystem does not cover.
#pragma clang system_header

// Clang ignores `managed` but for HIP, and would take the variable for the
// host's. As the device's, host code may name it, too.
#undef __managed__
#define __managed__ __attribute__((device)) __attribute__((annotate("managed")))

// auto [x, y, z] = threadIdx;
#if __cplusplus >= 201103L
#include <utility>

#define __BARRICADE_BINDINGS(NAME)                                             \
  template <>                                                                  \
  struct std::tuple_size<__cuda_builtin_##NAME##_t>                            \
      : std::integral_constant<__SIZE_TYPE__, 3> {};                           \
  template <__SIZE_TYPE__ I>                                                   \
  struct std::tuple_element<I, __cuda_builtin_##NAME##_t> {                    \
    typedef unsigned int type;                                                 \
  };                                                                           \
  template <__SIZE_TYPE__ I>                                                   \
  struct std::tuple_element<I, const __cuda_builtin_##NAME##_t> {              \
    typedef const unsigned int type;                                           \
  };

__BARRICADE_BINDINGS(threadIdx)
__BARRICADE_BINDINGS(blockIdx)
__BARRICADE_BINDINGS(blockDim)
__BARRICADE_BINDINGS(gridDim)
#undef __BARRICADE_BINDINGS
#endif

#endif // BARRICADE_PRELUDE_LANGUAGE_H
