// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The halves of a kernel that was cut are not joined again by another rule, and
// the second has the attributes of the first.
//
// RUN: %rewrite-check %s %t.cu '--rules=*'
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --explain %t.cu -- nvcc -std=c++17 -arch=sm_80 -I%project/runtime 2>&1 | FileCheck --check-prefix=AGAIN %s

// CHECK: {{^}}{{\[\[}}maybe_unused]] static __global__ void update_rest(int *old,
[[maybe_unused]] static __global__ void update(int *old, int *c, int off,
                                               int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    old[i] = c[i];
  __threadfence();
  if (i + off < n)
    c[i + off] ^= old[i];
}

// CHECK:      {{^}}  update<<<64, 256>>>(old, c, off, n);
// CHECK-NEXT: {{^}}  update_rest<<<64, 256>>>(old, c, off, n);
// AGAIN: launch cannot be joined with the next one
// AGAIN: {{.*}} [cut-at-fence]
void launch(int *old, int *c, int off, int n) {
  update<<<64, 256>>>(old, c, off, n);
}

// Somebody's own names: another rest, and one that takes something else.
static __global__ void add(int *p, int by) { p[blockIdx.x] += by; }
static __global__ void add_rest(int *p, long by) { p[blockIdx.x] += by; }
// CHECK: add_step({{.*}}
// CHECK: add_rest_step({{.*}}
void launchBoth(int *p) {
  add<<<64, 256>>>(p, 1);
  add_rest<<<64, 256>>>(p, 2);
}
