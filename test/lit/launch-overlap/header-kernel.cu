// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of a header that may not be edited: launches in a loop are replayed
// without overlap, and give no way to what would edit the header; where they
// could overlap only, it says why not.
//
// RUN: not %barricade --explain --dry-run %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='+++ b/{{.*}}shifted.cuh' %s
// RUN: not %barricade --explain --dry-run --edit-headers %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=EDITED --implicit-check-not='[header-kernel]' %s
// RUN: not %barricade --explain --dry-run --rules=launch-overlap --edit-headers='*/other.cuh' %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=OTHER %s

#include "Inputs/shifted.cuh"

__global__ void own(float *at, int by) { at[threadIdx.x] *= float(by); }

// CHECK-DAG: +    replay.launch(shifted, 64, 256, 0, nullptr, at, i);
// EDITED-DAG: +    replayed.launch_overlapped(shifted, 64, 256, 0, nullptr, at, i);
// EDITED-DAG: +    barricade::wait_for_previous_grid();
// CHECK-DAG: [[@LINE+2]]:3: warning: {{.*}} [barricade-launch-replay]
void loops(float *at, int n) {
  for (int i = 0; i < n; ++i)
    shifted<<<64, 256>>>(at, i);
}

// OTHER-DAG: +  overlap.launch(own, 1, 256, 0, nullptr, at, 1);
// OTHER-DAG: shifted<<<64, 256>>>(at, 1);
// OTHER-DAG: +  overlap.launch(own, 1, 128, 0, nullptr, at, 2);
// OTHER-DAG: [[@LINE+4]]:3: remark: launch cannot overlap the one before: the kernel stands in a header that is not to be edited; --edit-headers edits it
// OTHER-DAG: shifted.cuh:[[#]]:[[#]]: note: {{.*}} [header-kernel]
void twice(float *at) {
  own<<<1, 256>>>(at, 1);
  shifted<<<64, 256>>>(at, 1);
  own<<<1, 128>>>(at, 2);
}
