//===- __clang_cuda_texture_intrinsics.h - Only where asked for -*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's own header takes two fifths of what all headers take that a CUDA
// source gets unasked, and few programs fetch texels. CUDA's functions that do
// are templates. So a source is read without what they call at first, and with
// it where the error below shows that one of them is used (frontend/Parse.cpp).
//
//===----------------------------------------------------------------------===//

#ifdef __BARRICADE_WITHOUT_TEXTURES
template <class... __arguments> struct __barricade_textures {
  static const bool __are_there = false;
};
template <class... __arguments>
__attribute__((device)) void __nv_tex_surf_handler(const char *,
                                                   __arguments...) {
  static_assert(__barricade_textures<__arguments...>::__are_there,
                "barricade left out textures");
}
#else
#include_next <__clang_cuda_texture_intrinsics.h>
#endif
