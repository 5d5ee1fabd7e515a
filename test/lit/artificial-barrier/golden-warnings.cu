// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of which compilers would warn, though it is right: an `else` behind two
// `if`s, and code that follows a loop on its last line.
//
// RUN: cp %s %t-warns.cu
// RUN: %barricade --rules=artificial-barrier --min-instructions=0 --in-place --quiet %t-warns.cu -- nvcc -std=c++17 -Xcompiler -Wall,-Werror
// RUN: FileCheck --input-file=%t-warns.cu %s
// RUN: %rewrite-check %s %t.cu --min-instructions=0

__global__ void branches(const float *a, float *out, int n) {
  float s = 0;
  for (int i = int(threadIdx.x); i < n; i += 64)
    if (a[i] > 1)
      s += a[i];
    else
      s -= a[i + 1];
  out[threadIdx.x] = s;
}
// CHECK:      if (i < n) {
// CHECK-NEXT:       if (a[i] > 1)
// CHECK-NEXT:         s += a[i];
// CHECK-NEXT:       else
// CHECK-NEXT:         s -= a[i + 1];
// CHECK-NEXT:     }

__global__ void oneLine(const float *y, float *x, int n) {
  float s = 0;
  for (int k = int(threadIdx.x); k < n; k += 64) s += y[k] * y[n - 1 - k]; x[threadIdx.x] = s; // the sum
}
// CHECK:      if (k < n) s += y[k] * y[n - 1 - k];
// CHECK-NEXT:   x[threadIdx.x] = s; // the sum

__global__ void guarded(float *x, const float *y, int n) {
  const int i = int(threadIdx.x);
  if (i < n) { float s = 0; for (int k = 0; k < n; ++k) s += y[k] * y[n - 1 - k]; x[i] = s; }
}
// CHECK:      if (active) s += y[k] * y[n - 1 - k];
// CHECK-NEXT:   if (inside) {

__global__ void attributed(const float *a, float *out, int n) {
  float s = 0;
  for (int i = int(threadIdx.x); i < n; i += 64)
    [[likely]] if (a[i] > 1) s += a[i]; else s -= a[i + 1];
  out[threadIdx.x] = s;
}
// CHECK-LABEL: void attributed(
// CHECK:      if (i < n) {{[{]}}
// CHECK-NEXT:   {{\[\[likely\]\]}} if (a[i] > 1)

__global__ void doLoop(const float *a, float *out, int n) {
  float s = 0; int i = int(threadIdx.x);
  do s += a[i], i += 64; while (i < n);
  out[threadIdx.x] = s;
}
// CHECK-LABEL: void doLoop(
// CHECK:      if (active) { s += a[i], i += 64; }

__global__ void either(const float *a, float *out, int n) {
  const int i = int(threadIdx.x);
  float s = 0;
  if (i < n) { for (int k = i; k < n; ++k) s += a[k] * a[i]; } else for (int k = 0; k < n; ++k) s += a[k] * 2;
  out[i] = s;
}
// CHECK-LABEL: void either(
// CHECK:      s += a[k] * a[i];
// CHECK-NEXT:   bool active2 = !inside;
