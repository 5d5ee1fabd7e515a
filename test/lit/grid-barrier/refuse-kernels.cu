// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of which no step can be made, each in a loop that is fine otherwise.
// The first kernel of each pair that is not refused shows what it hangs on.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not='note: {{.*}}[{{[a-z-]+}}]' %s < %t.out

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// CHECK: 15 findings in 1 file: 3 to rewrite, 12 refused
