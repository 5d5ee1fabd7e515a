// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host waits only where the loop does: whether that is so is known where the
// loop begins, or the loop's arithmetic tells.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <cstdio>

__global__ void add(int *p, int by) { p[blockIdx.x * blockDim.x + threadIdx.x] += by; }
__global__ void lower(int *p, int *more) {
  *more = 0;
  if (--p[0] > 0)
    *more = 1;
}

// A loop in the loop may have no iteration.
//
// CHECK-LABEL: {{^}}void inInnerLoop(
// CHECK-NEXT:  {{^}}  const bool waits = [=]() mutable -> bool {
// CHECK-NEXT:  {{^}}    for (int t = 0; t < n; ++t) {
// CHECK-NEXT:  {{^}}      for (int u = t; u < m; ++u) {
// CHECK-NEXT:  {{^}}        return true;
// CHECK-NEXT:  {{^}}      }
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}    return false;
// CHECK-NEXT:  {{^}}  }();
// CHECK-NEXT:  {{^}}  if (waits) {
// CHECK-NEXT:  {{^}}    cudaDeviceSynchronize();
// CHECK-NEXT:  {{^}}  }
// CHECK-NEXT:  {{^}}  if (waits && barricade::launch_persistent_exact(inInnerLoop_persistent, 4, 16,
// CHECK:       {{^}}    cudaDeviceSynchronize();
// CHECK-NEXT:  {{^}}  } else {
void inInnerLoop(int *p, int n, int m) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    for (int u = t; u < m; ++u) {
      add<<<4, 16>>>(p, u);
      cudaDeviceSynchronize();
    }
  }
}

// This one has.
//
// CHECK-LABEL: {{^}}void inInnerLoopThatRuns(
// CHECK-NEXT:  {{^}}  if (barricade::launch_persistent_exact(
// CHECK:       {{^}}    if (0 < n) {
// CHECK-NEXT:  {{^}}      cudaStreamSynchronize(0);
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}  } else {
void inInnerLoopThatRuns(int *p, int n) {
  for (int t = 0; t < n; ++t)
    for (int u = 0; u < 2; ++u) {
      add<<<4, 16>>>(p, u);
      cudaStreamSynchronize(0);
    }
}

// The condition cannot be asked twice.
//
// CHECK-LABEL: {{^}}int countsDown(
// CHECK-NEXT:  {{^}}  const bool waits2 = [=]() mutable -> bool {
// CHECK-NEXT:  {{^}}    while (n--) {
// CHECK-NEXT:  {{^}}      return true;
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}    return false;
// CHECK-NEXT:  {{^}}  }();
// CHECK-NEXT:  {{^}}  if (waits2 && barricade::launch_persistent_exact(countsDown_persistent, 4, 16,
// CHECK:       {{^}}    while (n--) {
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}    cudaStreamSynchronize(0);
// CHECK-NEXT:  {{^}}  } else {
int countsDown(int *p, int n) {
  while (n--) {
    add<<<4, 16>>>(p, n);
    cudaStreamSynchronize(0);
  }
  return n;
}

// CHECK-LABEL: {{^}}void mayGoOn(
// CHECK:       {{^}}      if (t % every)
// CHECK-NEXT:  {{^}}        continue;
// CHECK-NEXT:  {{^}}      return true;
void mayGoOn(int *p, int n, int every) {
  for (int t = 1; t <= n; ++t) {
    add<<<4, 16>>>(p, t);
    if (t % every)
      continue;
    cudaDeviceSynchronize();
  }
}

// Copies back in some rounds.
//
// CHECK-LABEL: {{^}}int inSomeRounds(
// CHECK-NEXT:  {{^}}  int t, more = 1;
// CHECK-NEXT:  {{^}}  const bool waits4 = [=]() mutable -> bool {
// CHECK-NEXT:  {{^}}    int t;
// CHECK-NEXT:  {{^}}    for (t = 0; t < n && more; ++t) {
// CHECK-NEXT:  {{^}}      if (t % 3 == 2)
// CHECK-NEXT:  {{^}}        return true;
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}    return false;
// CHECK-NEXT:  {{^}}  }();
// CHECK-NEXT:  {{^}}  const barricade::Result<int> last_t(0);
// CHECK-NEXT:  {{^}}  const barricade::Result<int> last_more(0);
// CHECK-NEXT:  {{^}}  if (waits4 && last_t && last_more && barricade::launch_persistent_exact(
int inSomeRounds(int *p, int *flag, int n) {
  int t, more = 1;
  for (t = 0; t < n && more; ++t) {
    lower<<<1, 1>>>(p, flag);
    if (t % 3 == 2)
      cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
  return t * 10 + more;
}

// In some rounds, but the host waits in all.
//
// CHECK-LABEL: {{^}}int inAllRounds(
// CHECK:       {{^}}  if (0 < n && last_t2 && last_more2 && barricade::launch_persistent_exact(
// CHECK:       {{^}}    cudaDeviceSynchronize();
// CHECK-NEXT:  {{^}}    last_t2.copy_to(t);
int inAllRounds(int *p, int *flag, int n) {
  int t, more = 1;
  for (t = 0; t < n; ++t) {
    lower<<<1, 1>>>(p, flag);
    cudaDeviceSynchronize();
    if (t % 3 == 2) {
      cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
      if (!more)
        break;
    }
  }
  return t * 10 + more;
}

// In each round, if there is one.
//
// CHECK-LABEL: {{^}}int untilDone(
// CHECK:       {{^}}  if ((more || now) && last_rounds && barricade::launch_persistent_exact(
int untilDone(int *p, int *flag, int more, bool now) {
  int rounds = 0;
  while (more || now) {
    lower<<<1, 1>>>(p, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    now = false;
    ++rounds;
  }
  return rounds;
}

int main() {
  int *p, *flag, host[64];
  for (int i = 0; i < 64; ++i)
    host[i] = i + 11;
  cudaMalloc(&p, sizeof(host));
  cudaMalloc(&flag, sizeof(int));
  cudaMemcpy(p, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int n : {3, 0, 7}) {
    inInnerLoop(p, n, 2);
    inInnerLoop(p, n, 0);
    inInnerLoopThatRuns(p, n);
    std::printf("%d ", countsDown(p, n));
    mayGoOn(p, n, 4);
    std::printf("%d ", inSomeRounds(p, flag, n));
    std::printf("%d ", inAllRounds(p, flag, n));
    std::printf("%d ", untilDone(p, flag, n, false));
    cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost);
    for (int value : host)
      std::printf("%d ", value);
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaMemset(p, 1, 1);
  }
}
