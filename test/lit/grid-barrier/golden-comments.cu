// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statement goes with the comments above it, but not with the end of another
// comment.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --barrier-scope=grid
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

__global__ void touch(int *p, int by) {
  p[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

// CHECK:      void waits_persistent(
// CHECK:        touch_step(blockIdx, p, 1);
// CHECK-NEXT:   __gpu_sync(bar);
// CHECK-NEXT:   /* What the host
// CHECK-NEXT:   // waits for */
// CHECK-NEXT:   touch_step(blockIdx, p, 2);
// CHECK-NEXT:   __gpu_sync(bar);
// CHECK-NEXT:   /* and again */
// CHECK-NEXT:   touch_step(blockIdx, p, 3);
// CHECK-NEXT:   __gpu_sync(bar);
// CHECK-NEXT: }
void waits(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    touch<<<4, 64>>>(p, 1);
    /* What the host
    // waits for */
    cudaDeviceSynchronize();
    touch<<<4, 64>>>(p, 2);
    /* and again */
    touch<<<4, 64>>>(p, 3);
    // Two lines
    // of its own.
    cudaDeviceSynchronize();
  }
}
