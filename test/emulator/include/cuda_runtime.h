// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime as the CPU executor knows it. Replaces the toolkit's header
// of this name for programs run by barricade-emulate, which includes it before
// the program's first line, as nvcc does.

#ifndef BARRICADE_EMU_CUDA_RUNTIME_H
#define BARRICADE_EMU_CUDA_RUNTIME_H

// The standard library is for the host, but its constexpr functions.
#include <algorithm>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

// The program is parsed as CUDA, where a kernel may call only what is marked
// for the device. C's library and everything below serve both sides.
#pragma clang force_cuda_host_device begin

#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <math.h>
#include <stdlib.h>

#include "barricade_emu/types.h"

#include "barricade_emu/api.h"
#include "barricade_emu/launch.h"

#include "barricade_emu/device.h"
#include "barricade_emu/math.h"

#pragma clang force_cuda_host_device end

#endif // BARRICADE_EMU_CUDA_RUNTIME_H
