// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of the names by which what the rules write reaches CUDA and
// barricade's runtime. They are written as users write them, so they must mean
// there what they mean in the headers.

#ifndef BARRICADE_MATCHERS_SOURCE_WRITTENNAMES_H
#define BARRICADE_MATCHERS_SOURCE_WRITTENNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace barricade {

/// Written within functions of the host, so that variables may hide them, too.
inline constexpr llvm::StringLiteral NamesWrittenOnHost[] = {
    "barricade", "cudaSuccess", "cudaStreamSynchronize", "cudaPeekAtLastError"};

/// Written in kernels and beside them, and types, in place of which a variable
/// does not compile. Of what a kernel itself declares, the writers choose the
/// names.
inline constexpr llvm::StringLiteral NamesWrittenOnDevice[] = {
    "barricade", "__gpu_sync", "__syncthreads", "__syncthreads_or", "uint3",
    "dim3",      "blockIdx",   "gridDim",       "threadIdx",        "blockDim"};

} // namespace barricade

#endif
