// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches of a loop that may do anything, for nothing is held back there.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=TOLD %s

#include <cstdio>
#include <cstdlib>
#include <utility>

#define CHECK(call)                                                            \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      abort();                                                                 \
  } while (0)

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}
__global__ void sum(float *to, const float *from, int n) {
  if (threadIdx.x == 0)
    for (int i = 0; i < n; ++i)
      to[0] += from[i];
}
void save(const float *a, int step);

// TOLD: :[[@LINE+16]]:3: note: launches 1, pauses 1
// CHECK-LABEL: void converges(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    replay.launch(relax, n / 256, 256, 0, nullptr, a, b, n);
// CHECK-NEXT: {{^}}    if (t % 100 == 99) { // now and then
// CHECK-NEXT: {{^}}      replay.flush();
// CHECK-NEXT: {{^}}      sum<<<1, 32>>>(residual, a, n);
// CHECK-NEXT: {{^}}      cudaMemcpy(&h, residual, sizeof h, cudaMemcpyDeviceToHost);
// CHECK-NEXT: {{^}}      if (h < 1e-3f)
// CHECK-NEXT: {{^}}        break;
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replay.flush();
void converges(float *a, float *b, float *residual, float h, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    if (t % 100 == 99) { // now and then
      sum<<<1, 32>>>(residual, a, n);
      cudaMemcpy(&h, residual, sizeof h, cudaMemcpyDeviceToHost);
      if (h < 1e-3f)
        break;
    }
    std::swap(a, b);
  }
}

// CHECK-LABEL: void withoutBraces(
// CHECK:      {{^}}    if (t % 10 == 0) {
// CHECK-NEXT: {{^}}      replay.flush();
// CHECK-NEXT: {{^}}      save(a, t); // each tenth
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    else if (t == 7) {
// CHECK-NEXT: {{^}}      replay.flush();
// CHECK-NEXT: {{^}}      CHECK(cudaDeviceSynchronize());
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    else
// CHECK-NEXT: {{^}}      puts("");
// CHECK-NEXT: {{^}}    if (t == 8) { // commented
// CHECK-NEXT: {{^}}      replay.flush();
// CHECK-NEXT: {{^}}      save(b, t);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    if (t == 9) { replay.flush(); save(a, t); return; }
// CHECK-NEXT: {{^}}    if (t == 11) { replay.flush(); save(a, t); }
// CHECK-NEXT: {{^}}    std::swap(a, b);
void withoutBraces(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    if (t % 10 == 0)
      save(a, t); // each tenth
    else if (t == 7)
      CHECK(cudaDeviceSynchronize());
    else
      puts("");
    if (t == 8) // commented
      save(b, t);
    if (t == 9) { save(a, t); return; }
    if (t == 11) save(a, t);
    std::swap(a, b);
  }
}

// Of two conditions the inner one.
//
// CHECK-LABEL: void nested(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    for (int k = 0; k < 8; ++k) {
// CHECK-NEXT: {{^}}      replay.launch(relax,
// CHECK-NEXT: {{^}}      if (t > 5) {
// CHECK-NEXT: {{^}}        if (k == 3) {
// CHECK-NEXT: {{^}}          replay.flush();
// CHECK-NEXT: {{^}}          switch (t) {
// CHECK:      {{^}}    if (t % 2) {
// CHECK-NEXT: {{^}}      replay.flush();
// CHECK-NEXT: {{^}}      n += t;
// CHECK-NEXT: {{^}}      save(a, t);
void nested(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    for (int k = 0; k < 8; ++k) {
      relax<<<n / 256, 256>>>(a, b, n);
      if (t > 5) {
        if (k == 3) {
          switch (t) {
          case 6:
            save(a, t);
            break;
          default:
            exit(1);
          }
        }
      }
      std::swap(a, b);
    }
    if (t % 2) {
      n += t;
      save(a, t);
    }
  }
}

// Nothing is held back where the loop is left.
//
// CHECK-LABEL: void jumpsOut(
// CHECK:      {{^}}      replay.flush();
// CHECK-NEXT: {{^}}      goto inner;
void jumpsOut(float *a, float *b, int n) {
  for (int i = 0; i < n; ++i) {
    relax<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
    if (i == 5)
      goto inner;
  }
  if (n > 100) {
  inner:
    cudaDeviceSynchronize();
  }
}

//===--- Near misses --------------------------------------------------------===//

// Before each iteration something waits.
//
// TOLD: :[[@LINE+4]]:5: note: {{.*}} [between]
void always(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    save(a, t);
    std::swap(a, b);
  }
}
// TOLD: :[[@LINE+4]]:9: note: {{.*}} [between]
void inCondition(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    if (cudaDeviceSynchronize() != cudaSuccess && t > 3)
      save(a, t);
    std::swap(a, b);
  }
}
// TOLD: :[[@LINE+8]]:9: note: {{.*}} [between]
void inCases(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    switch (t % 100)
    case 0:
      if (t)
      case 1:
        save(a, t);
    std::swap(a, b);
  }
}
// What the branch's loop launches is another region's.
//
// CHECK-LABEL: void launchesInBranch(
// CHECK-NEXT: for
// CHECK-NEXT: relax<<<n / 256, 256>>>(a, b, n);
void launchesInBranch(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    if (t % 100 == 0) {
      for (int k = 0; k < steps; ++k) {
        relax<<<n / 256, 256>>>(a, b, n);
        std::swap(a, b);
      }
      save(a, t);
    }
  }
}
// The macro spells the braces.
#define CHECK_BLOCK(call)                                                      \
  {                                                                            \
    if ((call) != cudaSuccess)                                                 \
      abort();                                                                 \
  }
// CHECK-LABEL: void bracesByMacro(
// CHECK:         if (t % 100 == 0) {
// CHECK-NEXT:      replay.flush();
// CHECK-NEXT:      CHECK_BLOCK(cudaMemcpy(h, a, 4, cudaMemcpyDeviceToHost));
// CHECK-NEXT:    }
// CHECK-NEXT:    if (t % 100 == 1) { replay.flush(); CHECK_BLOCK(cudaDeviceSynchronize()) }
// CHECK-NEXT:    else {
// CHECK-NEXT:      replay.flush();
// CHECK-NEXT:      CHECK_BLOCK(cudaDeviceSynchronize())
// CHECK-NEXT:    }
// CHECK-NEXT:    std::swap(a, b);
void bracesByMacro(float *a, float *b, float *h, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    if (t % 100 == 0)
      CHECK_BLOCK(cudaMemcpy(h, a, 4, cudaMemcpyDeviceToHost));
    if (t % 100 == 1) CHECK_BLOCK(cudaDeviceSynchronize())
    else
      CHECK_BLOCK(cudaDeviceSynchronize())
    std::swap(a, b);
  }
}
#define NOW_AND_THEN(what)                                                     \
  if (t % 100 == 0) {                                                          \
    what;                                                                      \
  }
// TOLD: :[[@LINE+4]]:5: note: {{.*}} [in-macro]
void byMacro(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    NOW_AND_THEN(save(a, t))
    std::swap(a, b);
  }
}
// It may wait for what is held back.
//
// TOLD: :[[@LINE+4]]:5: note: {{.*}} [between]
void polls(float *a, float *b, volatile int *flag, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    while (*flag < t)
      if (n > 3)
        save(a, t);
    std::swap(a, b);
  }
}
