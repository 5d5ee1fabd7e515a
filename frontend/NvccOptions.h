//===- NvccOptions.h - Ids of nvcc's options --------------------*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_NVCCOPTIONS_H
#define BARRICADE_FRONTEND_NVCCOPTIONS_H

#include "llvm/Option/OptTable.h"

namespace barricade::nvcc {

/// Options and groups of NvccOptions.td, OPT_<record name> each.
enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "frontend/NvccOptions.inc"
#undef OPTION
};

} // namespace barricade::nvcc

#endif // BARRICADE_FRONTEND_NVCCOPTIONS_H
