// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA declares here, the fallback has in one place.
#include "cuda_runtime.h"
