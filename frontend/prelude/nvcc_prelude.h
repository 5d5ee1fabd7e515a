//===- nvcc_prelude.h - What nvcc has before the first line -----*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc includes cuda_runtime.h ahead of every file; so does Clang, but parts of
// it stay hidden there. This puts them back, for reading only: it is given by
// -include and never written into a source.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_PRELUDE_NVCC_PRELUDE_H
#define BARRICADE_PRELUDE_NVCC_PRELUDE_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Clang's CUDA headers have the device's.
#define BARRICADE_SIDE __attribute__((host))
#include "../fallback/barricade_min_max.h"
#undef BARRICADE_SIDE

// <cooperative_groups.h> has clusters for nvcc, or for whoever says that it has
// the intrinsics, which CUDA's headers declare.
#define _CG_CLUSTER_INTRINSICS_AVAILABLE

#include "language.h"
#include "nv_builtins.h"

#endif // BARRICADE_PRELUDE_NVCC_PRELUDE_H
