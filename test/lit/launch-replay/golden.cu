// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose launches a graph makes, and how they are written.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

// CHECK: {{^}}#include <barricade/gpu_sync.cuh>
#include <cstdio>

__global__ void core(float *to, const float *__restrict__ from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (__ldg(from + i - 1) + from[i + 1]);
}
template <int Value> __global__ void set(float *at) { at[threadIdx.x] = Value; }
struct Pair {
  char first;
  double second;
};
// Defined elsewhere: kernels may do anything.
__global__ void other(Pair with, float *a);
__global__ void nothing();

// How often the loop runs is a hint; what follows waits for nothing.
//
// CHECK-LABEL: void counted(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(steps);
// CHECK-NEXT: {{^}}  for (int step = 0; step < steps; ++step) { // each
// CHECK-NEXT: {{^}}    replay.launch(core, (n + 63) / 64, 64, 0, nullptr, a, b, n);
// CHECK-NEXT: {{^}}    float *c = a;
// CHECK-NEXT: {{^}}    a = b;
// CHECK-NEXT: {{^}}    b = c;
// CHECK-NEXT: {{^}}  } // done
// CHECK-NEXT: {{^}}  replay.flush();
// CHECK-NEXT: {{^}}  cudaMemcpy(a, b, n, cudaMemcpyDeviceToDevice);
void counted(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) { // each
    core<<<(n + 63) / 64, 64>>>(a, b, n);
    float *c = a;
    a = b;
    b = c;
  } // done
  cudaMemcpy(a, b, n, cudaMemcpyDeviceToDevice);
}

// CHECK-LABEL: void down(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(static_cast<long long>(n * n) - 2);
// CHECK-LABEL: void from(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(n - first);
// CHECK-LABEL: void converted(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay((int(n)));
// CHECK-LABEL: void assigned(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void strides(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void ends(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void ownLimit(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void mixedTypes(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
void down(float *a, int n) {
  for (int i = n * n; i > 2; --i)
    set<1><<<1, 32>>>(a + i);
}
void from(float *a, unsigned n, unsigned first) {
  for (unsigned i = first; i != n; i++)
    set<1><<<1, 32>>>(a + i);
}
void converted(float *a, long n) {
  for (int i = 0; i < int(n); ++i)
    set<1><<<1, 32>>>(a + i);
}
struct Size {
  int n;
};
void assigned(float *a, Size size) {
  int i;
  Size *p;
  for (p = &size, i = 0; i < p->n; ++i)
    set<1><<<1, 32>>>(a + i);
}
void strides(float *a, int n) {
  for (int i = 1; i < n; i *= 2)
    set<1><<<1, 32>>>(a + i);
}
void ends(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    if (i * i > n)
      break;
    set<1><<<1, 32>>>(a + i);
  }
}
void ownLimit(float *a, int n) {
  for (int i = 0, e = n / 2; i < e; ++i)
    set<1><<<1, 32>>>(a + i);
}
void mixedTypes(float *a, unsigned long n, int first) {
  for (unsigned long i = first; i < n; ++i)
    set<1><<<1, 32>>>(a + i);
}

int halved(int n) { return n / 2; }

// What the host computes and says stays where it is: floating-point numbers,
// members, functions, questions for errors.
//
// CHECK-LABEL: double much(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay;
// CHECK-NEXT: {{^}}  replay.launch(set<2>, 1, 32, 0, nullptr, a);
// CHECK-NEXT: {{^}}  while (time < 1) {
// CHECK:      {{^}}    replay.launch(other, dim3(halved(n), 2), 32, 4 * n, stream, Pair{'a', time}, a);
// CHECK:      {{^}}    if (n % 2) {
// CHECK-NEXT: {{^}}      replay.launch(nothing, 1, 1, 0, nullptr);
// CHECK-NEXT: {{^}}      printf("%g\n", time);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replay.flush();
// CHECK-NEXT: {{^}}  cudaDeviceSynchronize();
double much(float *a, int n, cudaStream_t stream) {
  double time = 0;
  set<2><<<1, 32>>>(a);
  while (time < 1) {
    time += 0.001 * time + 1.0 / n;
    other<<<dim3(halved(n), 2), 32, 4 * n, stream>>>(Pair{'a', time}, a);
    if (cudaGetLastError() != cudaSuccess)
      return time;
    if (n % 2) {
      nothing<<<1, 1>>>();
      printf("%g\n", time);
    }
  }
  cudaDeviceSynchronize();
  return time;
}

// One object for each stretch; inner loops where the outer one waits.
//
// CHECK-LABEL: void stretches(
// CHECK-NEXT: {{^}}  for (int frame = 0; frame < frames; ++frame) {
// CHECK-NEXT: {{^}}    barricade::ReplayedLaunches [[A:replay[0-9]*]](8);
// CHECK-NEXT: {{^}}    for (int i = 0; i < 8; ++i)
// CHECK-NEXT: {{^}}      [[A]].launch(set<3>, 1, 32, 0, nullptr, a + i);
// CHECK-NEXT: {{^}}    [[A]].flush();
// CHECK-NEXT: {{^}}    cudaMemcpy(a, &frame, 4, cudaMemcpyHostToDevice);
// CHECK-NEXT: {{^}}    barricade::ReplayedLaunches [[B:replay[0-9]*]](frame);
// CHECK-NEXT: {{^}}    for (int i = 0; i < frame; ++i)
// CHECK-NEXT: {{^}}      [[B]].launch(set<4>, 1, 32, 0, nullptr, a + i);
// CHECK-NEXT: {{^}}    [[B]].flush();
// CHECK-NEXT: {{^}}    cudaDeviceSynchronize();
void stretches(float *a, int frames) {
  for (int frame = 0; frame < frames; ++frame) {
    for (int i = 0; i < 8; ++i)
      set<3><<<1, 32>>>(a + i);
    cudaMemcpy(a, &frame, 4, cudaMemcpyHostToDevice);
    for (int i = 0; i < frame; ++i)
      set<4><<<1, 32>>>(a + i);
    cudaDeviceSynchronize();
  }
}

// What is timed stays what it was.
//
// CHECK-LABEL: void timing(
// CHECK-NEXT: {{^}}  for (int i = 0; i < n; ++i)
// CHECK-NEXT: {{^}}    set<5><<<1, 32>>>(a);
void timing(float *a, int n) {
  for (int i = 0; i < n; ++i)
    set<5><<<1, 32>>>(a);
}

// A flush stands before what never ends, not behind it.
//
// CHECK-LABEL: void waitsForever(
// CHECK-NEXT: {{^}}  if (n) {
// CHECK-NEXT: {{^}}    barricade::ReplayedLaunches replay(n);
// CHECK-NEXT: {{^}}    for (int i = 0; i < n; ++i)
// CHECK-NEXT: {{^}}      replay.launch(set<6>, 1, 32, 0, nullptr, a + i);
// CHECK-NEXT: {{^}}    replay.flush();
// CHECK-NEXT: {{^}}    while (true)
void waitsForever(float *a, int n) {
  if (n) {
    for (int i = 0; i < n; ++i)
      set<6><<<1, 32>>>(a + i);
    while (true)
      ;
  }
}

// Where `k` wraps, nothing else would happen for ever, which is taken not to be.
//
// CHECK-LABEL: void doubling(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
// CHECK-NEXT: {{^}}  for (unsigned k = 2; k <= n; k *= 2)
// CHECK-NEXT: {{^}}    for (unsigned j = k / 2; j > 0; j /= 2)
// CHECK-NEXT: {{^}}      replay.launch(set<7>, 1, 32, 0, nullptr, a + j);
// CHECK-NEXT: {{^}}  replay.flush();
void doubling(float *a, unsigned n) {
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2)
      set<7><<<1, 32>>>(a + j);
}

// Loops that may not launch, but end.
//
// CHECK-LABEL: void up(
// CHECK: replay.flush();
// CHECK-LABEL: void atMost(
// CHECK: replay.flush();
// CHECK-LABEL: void unsignedUp(
// CHECK: replay.flush();
// CHECK-LABEL: void unsignedDown(
// CHECK: replay.flush();
// CHECK-LABEL: void meets(
// CHECK: replay.flush();
// CHECK-LABEL: void narrow(
// CHECK: replay.flush();
// CHECK-LABEL: void inCondition(
// CHECK: replay.flush();
// CHECK-LABEL: void untilZero(
// CHECK: replay.flush();
// CHECK-LABEL: void andMore(
// CHECK: replay.flush();
// CHECK-LABEL: void inBody(
// CHECK: replay.flush();
void up(float *a, int n) {
  for (int i = 0; i < n; ++i)
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
}
void atMost(float *a, int n) {
  for (int i = 0; i <= n; i += 2)
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
}
void unsignedUp(float *a, unsigned long n) {
  for (unsigned long i = 0; i < n; ++i)
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
}
void unsignedDown(float *a, unsigned n) {
  for (unsigned i = n; i > 0; --i)
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
}
void meets(float *a, unsigned n) {
  for (unsigned i = 0; i != n; ++i)
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
}
void narrow(float *a, int n) {
  for (unsigned char i = 0; i < 10; i += 3)
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
}
void inCondition(float *a, int n) {
  while (n-- > 0)
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
}
void untilZero(float *a, unsigned n) {
  while (n--)
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
}
void andMore(float *a, int n, bool more) {
  for (int i = 0; more && n > i; ++i)
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
}
void inBody(float *a, int n) {
  int i = 0;
  do {
    if (n % 3) {
      set<7><<<1, 32>>>(a);
      ++a;
    }
    ++i;
  } while (i < n);
}
