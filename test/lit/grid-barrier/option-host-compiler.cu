// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device has its own dialect and its own rounding: options of the host
// compiler that are not known to leave arithmetic alone keep it on the host.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -O3 -Xcompiler -Wall,-fPIC,-fno-strict-aliasing,-mtune=native 2>&1 | FileCheck --check-prefix=NEITHER %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -Xcompiler -ffast-math 2>&1 | FileCheck --check-prefix=FLOATS %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -Xcompiler -Ofast 2>&1 | FileCheck --check-prefix=FLOATS %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -Xcompiler -march=native 2>&1 | FileCheck --check-prefix=FLOATS %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -Xcompiler=-mfma 2>&1 | FileCheck --check-prefix=FLOATS %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -Xcompiler -O2,-frounding-math 2>&1 | FileCheck --check-prefix=FLOATS %s
// RUN: env NVCC_APPEND_FLAGS='-Xcompiler -fexcess-precision=fast' %barricade --rules=grid-barrier --explain %s -- nvcc 2>&1 | FileCheck --check-prefix=FLOATS %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -Xcompiler -funsigned-char 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -Xcompiler -fwrapv 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -Xcompiler -fno-strict-overflow 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -Xcompiler -fnever-heard-of 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: %barricade --rules=grid-barrier --explain %s -- clang++ -O2 -ffast-math 2>&1 | FileCheck --check-prefix=FLOATS %s
// RUN: %barricade --rules=grid-barrier --explain %s -- clang++ -O2 -Xarch_host -fwrapv 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: %barricade --rules=grid-barrier --explain %s -- clang++ -O2 -fwrapv 2>&1 | FileCheck --check-prefix=NEITHER %s
//
// NEITHER: 2 to rewrite
// FLOATS:  [float-arithmetic]
// FLOATS:  1 to rewrite
// BOTH:    [host-option]
// BOTH:    2 refused

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }

void counts(int *p, char n) {
  for (char t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
void measures(int *p, float end, float step) {
  for (float x = 0; x < end; x += step)
    add<<<4, 64>>>(p, 1);
}
