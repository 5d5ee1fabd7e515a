// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --gpu-sync, and the same in a configuration file, names the barrier's type.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --gpu-sync=lock-free
// RUN: FileCheck --check-prefix=LOCK-FREE %s < %t.cu
// RUN: echo 'gpu-sync: cooperative' > %t.yaml
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --config=%t.yaml
// RUN: FileCheck --check-prefix=COOPERATIVE %s < %t.cu
// RUN: not %barricade --gpu-sync=quick %s 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: %barricade --gpu-sync=lock --dump-config %s | FileCheck --check-prefix=DUMP %s
//
// LOCK-FREE: {{^}}static __global__ void run_persistent(barricade::LockFreeGridBarrier bar,
// COOPERATIVE:      {{^}}#include <cooperative_groups.h>
// COOPERATIVE-NEXT: {{^}}#include <barricade/gpu_sync.cuh>
// COOPERATIVE: {{^}}static __global__ void run_persistent(barricade::CooperativeGridBarrier bar,
// BAD: expected automatic, lock, lock-free or cooperative
// DUMP: gpu-sync: {{ *}}lock{{$}}

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }

void run(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
