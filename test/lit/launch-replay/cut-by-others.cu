// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that becomes a persistent kernel, or launches that become one, end
// those that are replayed together: what comes before and behind is found at
// once, and not at a second run.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-fusion,launch-replay
// RUN: FileCheck --input-file=%t.cu %s

__global__ void one(float *x, float by) { x[threadIdx.x] += by; }
__global__ void two(float *x) { x[threadIdx.x] *= 2; }

// CHECK-LABEL: void asArgument(
// CHECK:         barricade::ReplayedLaunches replay(steps);
// CHECK:         replay.launch(one, 1, 64, 0, nullptr, x, by);
// CHECK:         replay.flush();
// CHECK:         barricade::Takeover
// CHECK:         one<<<1, 64>>>(x, float(last++));
void asArgument(float *x, int steps) {
  float by = 1;
  for (int s = 0; s < steps; s++) {
    one<<<1, 64>>>(x, by);
    by *= 0.5f;
  }
  for (int s = 0; s < steps; s++)
    one<<<1, 64>>>(x, 1.f);
  int last = 0;
  one<<<1, 64>>>(x, float(last++));
}

// CHECK-LABEL: void untilMany(
// CHECK:         replay{{.*}}.launch(one,
// CHECK:         barricade::Takeover
void untilMany(float *x, int steps) {
  for (int s = 0, k = 1; s < steps; s++, k *= 2) {
    one<<<1, 64>>>(x, float(k) / 3);
    if (k > 1000)
      break;
  }
  int q = 0;
  for (;;) {
    if (++q > steps)
      break;
    two<<<1, 64>>>(x);
  }
}

// CHECK-LABEL: void around(
// CHECK:         barricade::ReplayedLaunches
// CHECK:         barricade::Takeover
void around(float *x, int steps) {
  for (int s = 0; s < steps; s++) {
    float by = 1;
    for (int t = 0; t < steps; t++) {
      one<<<1, 64>>>(x, by);
      by *= 0.5f;
    }
    for (int t = 0; t < steps; t++)
      two<<<1, 64>>>(x);
  }
}

// CHECK-LABEL: void behindFused(
// CHECK:         barricade::launch_
// CHECK:         barricade::ReplayedLaunches
// CHECK:         replay.launch(two,
void behindFused(float *x, int steps) {
  one<<<1, 64>>>(x, 0.5f);
  one<<<1, 64>>>(x, 0.25f);
  float by = 1;
  for (int s = 0; s < steps; s++) {
    two<<<1, 64>>>(x);
    one<<<1, 64>>>(x, by);
    by *= 0.5f;
  }
}
