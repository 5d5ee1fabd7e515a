// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's __clang_cuda_intrinsics.h includes this name; what a toolkit has in
// it, the fallback declares in barricade_device.h.
