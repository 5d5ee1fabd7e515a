//===- cuda.h - The driver API despite a project's own cuda.h ---*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's CUDA headers say `#include "cuda.h"` and would get a header of that
// name from the project's own folders. This one is found first: it gives them
// the toolkit's, and everybody after them the project's. So no guard.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_HAS_DRIVER_API
#define BARRICADE_HAS_DRIVER_API
#include BARRICADE_DRIVER_API
#else
#include_next "cuda.h"
#endif
