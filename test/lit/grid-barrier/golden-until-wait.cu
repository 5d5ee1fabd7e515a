// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the loop's arithmetic tells whether it waits, nothing is left behind the
// first wait: compilers warn of what such code reads, and nothing sets there.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <cstdio>
#include <cstdlib>

#define CHECK_CUDA(call)                                                       \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      std::exit(1);                                                            \
  } while (0)

__global__ void lower(int *p, int *more, int by) {
  *more = 0;
  if ((p[0] -= by) > 0)
    *more = 1;
}

// CHECK-LABEL: {{^}}void inBlock(
// CHECK:       {{^}}    for (int t = 0; t < n; ++t) {
// CHECK-NEXT:  {{^}}      {{\[\[}}maybe_unused]] int more;
// CHECK-NEXT:  {{^}}      if (t % 4 == 3) {
// CHECK-NEXT:  {{^}}        return true;
// CHECK-NEXT:  {{^}}      }
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}    return false;
void inBlock(int *p, int *flag, int n) {
  for (int t = 0; t < n; ++t) {
    int more;
    lower<<<1, 1>>>(p, flag, t);
    if (t % 4 == 3) {
      cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost); // asks
      // Nothing is left.
      if (!more)
        break;
      cudaMemset(flag, 0, sizeof(int)); // begins anew
    }
  }
}

// The check is a part of it, and goes, too. What stands behind the block stays.
//
// CHECK-LABEL: {{^}}int inLoop(
// CHECK:       {{^}}    for (int t = 0; t < n; ++t) {
// CHECK-NEXT:  {{^}}      {{\[\[}}maybe_unused]] int more, limit = t + 2;
// CHECK-NEXT:  {{^}}      int step = 0;
// CHECK-NEXT:  {{^}}      while (step < t) {
// CHECK-NEXT:  {{^}}        ++step;
// CHECK-NEXT:  {{^}}        if (step % 2)
// CHECK-NEXT:  {{^}}          continue;
// CHECK-NEXT:  {{^}}        return true;
// CHECK-NEXT:  {{^}}      }
// CHECK-NEXT:  {{^}}      if (step > 4)
// CHECK-NEXT:  {{^}}        break;
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}    return false;
int inLoop(int *p, int *flag, int n) {
  for (int t = 0; t < n; ++t) {
    int more, limit = t + 2;
    int step = 0;
    while (step < t) {
      ++step;
      if (step % 2)
        continue;
      lower<<<1, 1>>>(p, flag, 1);
      cudaError_t error = cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
      if (error != cudaSuccess)
        return 1;
      limit -= more;
      if (limit < 0)
        break;
    }
    if (step > 4)
      break;
  }
  return 0;
}

// Each of two ways waits. Variables from outside, which only what has gone asks.
//
// CHECK-LABEL: {{^}}void onAllWays(
// CHECK:       {{^}}    {{\[\[}}maybe_unused]] int more;
// CHECK-NEXT:  {{^}}    for (int t = 0; t < n; ++t) {
// CHECK-NEXT:  {{^}}      more = 2;
// CHECK-NEXT:  {{^}}      if (t == 1)
// CHECK-NEXT:  {{^}}        continue;
// CHECK-NEXT:  {{^}}      if (t > 2)
// CHECK-NEXT:  {{^}}        return true;
// CHECK-NEXT:  {{^}}      else {
// CHECK-NEXT:  {{^}}        return true;
// CHECK-NEXT:  {{^}}      }
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}    return false;
void onAllWays(int *p, int *flag, int n) {
  int more;
  for (int t = 0; t < n; ++t) {
    more = 2;
    lower<<<1, 1>>>(p, flag, more);
    if (t == 1)
      continue;
    if (t > 2)
      CHECK_CUDA(cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost));
    else {
      cudaMemcpy(&more, p, sizeof(int), cudaMemcpyDeviceToHost);
      more -= 3;
    }
    if (more < 0)
      break;
  }
}

// On one way only.
//
// CHECK-LABEL: {{^}}void onOneWay(
// CHECK:       {{^}}      if (t > 2)
// CHECK-NEXT:  {{^}}        return true;
// CHECK-NEXT:  {{^}}      more -= 3;
// CHECK-NEXT:  {{^}}      if (more < 0)
// CHECK-NEXT:  {{^}}        break;
// CHECK-NEXT:  {{^}}    }
void onOneWay(int *p, int *flag, int n) {
  int more = n;
  for (int t = 0; t < n; ++t) {
    lower<<<1, 1>>>(p, flag, more);
    if (t > 2)
      cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    more -= 3;
    if (more < 0)
      break;
  }
}

// Nor is what a loop evaluates behind its body reached.
//
// CHECK-LABEL: {{^}}int behindBody(
// CHECK:       {{^}}    for (; n-- > 0; ) {
// CHECK-NEXT:  {{^}}      do {
// CHECK-NEXT:  {{^}}        return true;
// CHECK-NEXT:  {{^}}      } while (false);
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}    return false;
int behindBody(int *p, int *flag, int n) {
  int by = 0, more;
  for (; n-- > 0; by += more) {
    do {
      lower<<<1, 1>>>(p, flag, by);
      cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
      if (more > 7)
        continue;
      ++by;
    } while (more > by);
  }
  return by;
}

// Here it is.
//
// CHECK-LABEL: {{^}}int continues(
// CHECK:       {{^}}    for (; n-- > 0; by += more) {
// CHECK-NEXT:  {{^}}      more = n;
// CHECK-NEXT:  {{^}}      if (n > 7)
// CHECK-NEXT:  {{^}}        continue;
// CHECK-NEXT:  {{^}}      return true;
// CHECK-NEXT:  {{^}}    }
int continues(int *p, int *flag, int n) {
  int by = 0, more;
  for (; n-- > 0; by += more) {
    more = n;
    lower<<<1, 1>>>(p, flag, by);
    if (n > 7)
      continue;
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
  return by;
}

// A jump that is gone leads nowhere.
//
// CHECK-LABEL: {{^}}int breaks(
// CHECK:       {{^}}    while (n-- > 0) {
// CHECK-NEXT:  {{^}}      {{\[\[}}maybe_unused]] int more;
// CHECK-NEXT:  {{^}}      for (;;) {
// CHECK-NEXT:  {{^}}        return true;
// CHECK-NEXT:  {{^}}      }
// CHECK-NEXT:  {{^}}    }
int breaks(int *p, int *flag, int n) {
  int by = 0;
  while (n-- > 0) {
    int more;
    for (;;) {
      ++by;
      lower<<<1, 1>>>(p, flag, by);
      cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
      if (more < 7)
        break;
    }
    by -= more;
  }
  return by;
}

int main() {
  int *p, *flag;
  cudaMalloc(&p, sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  for (int n : {0, 1, 9}) {
    int host = 100;
    cudaMemcpy(p, &host, sizeof(int), cudaMemcpyHostToDevice);
    inBlock(p, flag, n);
    std::printf("%d ", inLoop(p, flag, n));
    onAllWays(p, flag, n);
    onOneWay(p, flag, n);
    std::printf("%d ", behindBody(p, flag, n));
    std::printf("%d ", continues(p, flag, n));
    std::printf("%d ", breaks(p, flag, n));
    cudaMemcpy(&host, p, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", host);
  }
}
