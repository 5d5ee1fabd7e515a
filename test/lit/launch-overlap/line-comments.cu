// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is inserted before a launch or a loop does not come between it and a
// comment that tells tools what to think of the next line.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-overlap -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %rewrite-check %s %t.all.cu --rules=grid-barrier,launch-fusion,launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.all.cu | FileCheck --check-prefix=ALL %s

__global__ void plain(float *a) { a[threadIdx.x] += 1; }
__global__ void with(float *a, int n) { a[threadIdx.x] += a[n]; }

// CHECK-LABEL: {{^}}void launch(
// CHECK-NEXT:  {{^}}  barricade::OverlappedLaunches overlap;
// CHECK-NEXT:  {{^}}  // NOLINTNEXTLINE(bugprone-example)
// CHECK-NEXT:  {{^}}  overlap.launch(plain, 1, 32, 0, nullptr, a);
void launch(float *a) {
  // NOLINTNEXTLINE(bugprone-example)
  plain<<<1, 32>>>(a);
  plain<<<1, 32>>>(a);
}
// CHECK-LABEL: {{^}}void block(
// CHECK-NEXT:  {{^}}  // A remark.
// CHECK-NEXT:  {{^}}  barricade::OverlappedLaunches overlap2;
// CHECK-NEXT:  {{^}}  /* It is known:
// CHECK-NEXT:  {{^}}     NOLINTNEXTLINE(bugprone-example) */
// CHECK-NEXT:  {{^}}  overlap2.launch(plain, 1, 32, 0, nullptr, a);
void block(float *a) {
  // A remark.
  /* It is known:
     NOLINTNEXTLINE(bugprone-example) */
  plain<<<1, 32>>>(a);
  plain<<<1, 32>>>(a);
}
// CHECK-LABEL: {{^}}void behind(
// CHECK-SAME:  float *a) { barricade::OverlappedLaunches overlap3;
// CHECK-NEXT:  {{^}}  // NOLINTNEXTLINE(bugprone-example)
// CHECK-NEXT:  {{^}}  overlap3.launch(plain, 1, 32, 0, nullptr, a);
void behind(float *a) { // NOLINTNEXTLINE(bugprone-example)
  plain<<<1, 32>>>(a);
  plain<<<1, 32>>>(a);
}

// Others are of what stands above, or of nothing that counts lines.
//
// CHECK-LABEL: {{^}}void above(
// CHECK:       {{^}}  a += 0; // NOLINT(bugprone-example)
// CHECK-NEXT:  {{^}}  barricade::OverlappedLaunches overlap4;
// CHECK-NEXT:  {{^}}  overlap4.launch(
void above(float *a) {
  // NOLINTNEXTLINE(bugprone-example)
  a += 0; // NOLINT(bugprone-example)
  plain<<<1, 32>>>(a);
  plain<<<1, 32>>>(a);
}
// CHECK-LABEL: {{^}}void remark(
// CHECK:       {{^}}  // A remark.
// CHECK-NEXT:  {{^}}  barricade::OverlappedLaunches overlap5;
// CHECK-NEXT:  {{^}}  overlap5.launch(
void remark(float *a) {
  // NOLINTNEXTLINE(bugprone-example)
  // A remark.
  plain<<<1, 32>>>(a);
  plain<<<1, 32>>>(a);
}
// CHECK-LABEL: {{^}}void directive(
// CHECK:       {{^}}#undef NOTHING // NOLINTNEXTLINE(bugprone-example)
// CHECK-NEXT:  {{^}}  barricade::OverlappedLaunches overlap6;
// CHECK-NEXT:  {{^}}  overlap6.launch(
void directive(float *a) {
#undef NOTHING // NOLINTNEXTLINE(bugprone-example)
  plain<<<1, 32>>>(a);
  plain<<<1, 32>>>(a);
}

// ALL-LABEL: {{^}}void replayed(
// ALL:       {{^}}  barricade::ReplayedLaunches replay(
// ALL-NEXT:  {{^}}  // NOLINTNEXTLINE(bugprone-example, barricade-grid-barrier)
// ALL-NEXT:  {{^}}  for (
void replayed(float *a, int n) {
  // NOLINTNEXTLINE(bugprone-example, barricade-grid-barrier)
  for (int i = 0; i < n; ++i)
    with<<<1, 32>>>(a, i);
}
// ALL-LABEL: {{^}}void persistent(
// ALL:       {{^}}  barricade::Takeover takeover2(
// ALL-NEXT:  {{^}}  // NOLINTNEXTLINE(bugprone-example)
// ALL-NEXT:  {{^}}  for (
void persistent(float *a, int n) {
  // NOLINTNEXTLINE(bugprone-example)
  for (int i = 0; i < n; ++i)
    with<<<1, 32>>>(a, i);
}
// In a block of its own.
// ALL-LABEL: {{^}}void conditional(
// ALL:       {{^}}  if (n)
// ALL-NEXT:  {barricade::Takeover takeover3(
// ALL-NEXT:  {{^}}    // NOLINTNEXTLINE(bugprone-example)
// ALL-NEXT:  {{^}}    for (
void conditional(float *a, int n) {
  if (n)
    // NOLINTNEXTLINE(bugprone-example)
    for (int i = 0; i < n; ++i)
      with<<<1, 32>>>(a, i);
}
// ALL-LABEL: {{^}}void fused(
// ALL-NEXT:  {{^}}  if (barricade::launch_persistent_exact(
// ALL-NEXT:  != cudaSuccess) {
// ALL-NEXT:  {{^}}    // NOLINTNEXTLINE(bugprone-example)
// ALL-NEXT:  {{^}}    plain<<<
void fused(float *a) {
  // NOLINTNEXTLINE(bugprone-example)
  plain<<<1, 32>>>(a);
  plain<<<1, 32>>>(a);
}
