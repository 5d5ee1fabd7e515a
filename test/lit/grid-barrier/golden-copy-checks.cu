// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What checks a copy or a fill goes behind the loop, around what waits for the
// launch or asks for errors in their place.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier
// RUN: grep -vE '^//( |$)' %t-taken-over.cu | FileCheck %s --check-prefix=OVER
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <cstdio>
#include <cstdlib>

#define CHECK_CUDA(call)                                                       \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      std::printf("%s\n", cudaGetErrorString(error));                          \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

__global__ void lower(int *p, int *more, int by) {
  if ((p[blockIdx.x] -= by) > 0)
    *more = 1;
  else
    *more = 0;
}

// The value is asked for in the loop only.
//
// CHECK-LABEL: {{^}}cudaError_t returns(
// CHECK:       {{^}}    {
// CHECK-NEXT:  {{^}}      cudaError_t e = cudaStreamSynchronize(0);
// CHECK-NEXT:  {{^}}      if (e != cudaSuccess)
// CHECK-NEXT:  {{^}}        return e;
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}  } else {
// OVER-LABEL:  {{^}}cudaError_t returns(
// OVER:        {{^}}      {
// OVER-NEXT:   {{^}}        cudaError_t e = cudaStreamSynchronize(0);
// OVER-NEXT:   {{^}}        if (e != cudaSuccess)
// OVER-NEXT:   {{^}}          return e;
// OVER-NEXT:   {{^}}      }
// OVER-NEXT:   {{^}}      break;
cudaError_t returns(int *p, int *more, int n) {
  for (int t = 0; t < n; ++t) {
    int again;
    lower<<<1, 1>>>(p, more, t);
    cudaError_t e = cudaMemcpy(&again, more, sizeof(int), cudaMemcpyDeviceToHost);
    if (e != cudaSuccess)
      return e;
    if (!again)
      break;
  }
  return cudaSuccess;
}

// CHECK-LABEL: {{^}}int assigns(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    if ((error = cudaStreamSynchronize(0)) != cudaSuccess)
// CHECK-NEXT:  {{^}}      return 1;
// CHECK-NEXT:  {{^}}    error = cudaPeekAtLastError();
// CHECK-NEXT:  {{^}}    if (error != cudaSuccess)
// CHECK-NEXT:  {{^}}      return 2;
// CHECK-NEXT:  {{^}}  } else {
int assigns(int *p, int *more, int n) {
  cudaError_t error;
  for (int t = 0, again = 1; t < n && again; ++t) {
    error = cudaMemsetAsync(more, 0, sizeof(int));
    if (error != cudaSuccess)
      return 2;
    lower<<<1, 1>>>(p, more, t);
    if ((error = cudaMemcpy(&again, more, sizeof(int), cudaMemcpyDeviceToHost)) != cudaSuccess)
      return 1;
  }
  return 0;
}

// One check of the same form is enough, for what waits and what does not.
//
// CHECK-LABEL: {{^}}void once(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    CHECK_CUDA(cudaStreamSynchronize(0));
// CHECK-NEXT:  {{^}}    CHECK_CUDA(cudaGetLastError());
// CHECK-NEXT:  {{^}}  } else {
void once(int *p, int *more, int n) {
  int again = 1, zero = 0;
  while (again && n > 0) {
    CHECK_CUDA(cudaMemset(more, 0, sizeof(int)));
    CHECK_CUDA(cudaMemcpy(more, &zero, sizeof(int), cudaMemcpyHostToDevice));
    lower<<<1, 1>>>(p, more, n);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaMemcpy(&again, more, sizeof(int), cudaMemcpyDeviceToHost));
    --n;
  }
}

// What has waited already waits no more.
//
// CHECK-LABEL: {{^}}void waitsToo(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    CHECK_CUDA(cudaDeviceSynchronize());
// CHECK-NEXT:  {{^}}  } else {
void waitsToo(int *p, int *more, int n) {
  for (int t = 0; t < n; ++t) {
    CHECK_CUDA(cudaMemcpy(more, &n, sizeof(int), cudaMemcpyHostToDevice));
    lower<<<1, 1>>>(p, more, t);
    CHECK_CUDA(cudaDeviceSynchronize());
  }
}

// Checks that do something else are all made.
//
// CHECK-LABEL: {{^}}bool different(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    CHECK_CUDA(cudaStreamSynchronize(0));
// CHECK-NEXT:  {{^}}    cudaStreamSynchronize(0);
// CHECK-NEXT:  {{^}}    if (cudaPeekAtLastError() != cudaSuccess)
// CHECK-NEXT:  {{^}}      return false;
// CHECK-NEXT:  {{^}}  } else {
bool different(int *p, int *more, int n) {
  for (int t = 0; t < n; ++t) {
    int again;
    if (cudaMemset(more, 0, sizeof(int)) != cudaSuccess)
      return false;
    lower<<<1, 1>>>(p, more, t);
    CHECK_CUDA(cudaMemcpy(&again, more, sizeof(int), cudaMemcpyDeviceToHost));
    if (!again)
      break;
    cudaStreamSynchronize(0);
  }
  return true;
}

// The host waits for nothing that it did not wait for before.
//
// CHECK-LABEL: {{^}}bool doesNotWait(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    if (cudaPeekAtLastError() != cudaSuccess)
// CHECK-NEXT:  {{^}}      return false;
// CHECK-NEXT:  {{^}}    CHECK_CUDA(cudaPeekAtLastError());
// CHECK-NEXT:  {{^}}  } else {
bool doesNotWait(int *p, int *more, int n) {
  for (int t = 0; t < n; ++t) {
    lower<<<1, 1>>>(p, more, t);
    if (cudaMemset(more, 0, sizeof(int)) != cudaSuccess)
      return false;
    CHECK_CUDA(cudaMemcpyAsync(p, more, sizeof(int), cudaMemcpyDeviceToDevice, 0));
  }
  return true;
}

// In some rounds.
//
// CHECK-LABEL: {{^}}void sometimes(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    CHECK_CUDA(cudaStreamSynchronize(0));
// CHECK-NEXT:  {{^}}  } else {
void sometimes(int *p, int *more, int n) {
  for (int t = 0, again = 1; t < n && again; ++t) {
    lower<<<1, 1>>>(p, more, t);
    if (t % 3 == 0)
      CHECK_CUDA(cudaMemcpy(&again, more, sizeof(int), cudaMemcpyDeviceToHost));
  }
}

// Of two values the host needs one.
//
// CHECK-LABEL: {{^}}int needsOne(
// CHECK:       {{^}}    CHECK_CUDA(cudaStreamSynchronize(0));
// CHECK-NEXT:  {{^}}    last_again.copy_to(again);
// CHECK-NEXT:  {{^}}  } else {
int needsOne(int *p, int *more, int n) {
  int again = 1, first = 1;
  for (int t = 0; t < n && again && first; ++t) {
    lower<<<1, 1>>>(p, more, t);
    cudaMemcpy(&again, more, sizeof(int), cudaMemcpyDeviceToHost);
    CHECK_CUDA(cudaMemcpy(&first, p, sizeof(int), cudaMemcpyDeviceToHost));
  }
  return again;
}

// Nothing looks at the results.
//
// CHECK-LABEL: {{^}}void ignores(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    cudaStreamSynchronize(0);
// CHECK-NEXT:  {{^}}  } else {
void ignores(int *p, int *more, int n) {
  for (int t = 0, again = 1; t < n && again; ++t) {
    (void)cudaMemset(more, 0, sizeof(int));
    lower<<<1, 1>>>(p, more, t);
    static_cast<void>(cudaMemcpy(&again, more, sizeof(int), cudaMemcpyDeviceToHost));
  }
}

// What asks for errors behind an unchecked wait, or in front of the next one,
// comes behind it.
//
// CHECK-LABEL: {{^}}bool asksBehind(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    last_again2.copy_to(again);
// CHECK-NEXT:  {{^}}    if (cudaGetLastError() != cudaSuccess)
// CHECK-NEXT:  {{^}}      return false;
// CHECK-NEXT:  {{^}}  } else {
bool asksBehind(int *p, int *more, int n) {
  int again = 1;
  while (again && n > 0) {
    lower<<<1, 1>>>(p, more, n);
    cudaMemcpy(&again, more, sizeof(int), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess)
      return false;
    --n;
  }
  return again;
}

// CHECK-LABEL: {{^}}bool asksInFront(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    if (n > 0) {
// CHECK-NEXT:  {{^}}      cudaStreamSynchronize(0);
// CHECK-NEXT:  {{^}}      CHECK_CUDA(cudaGetLastError());
// CHECK-NEXT:  {{^}}    }
bool asksInFront(int *p, int *more, int n) {
  while (n > 0) {
    lower<<<1, 1>>>(p, more, n);
    CHECK_CUDA(cudaGetLastError());
    cudaStreamSynchronize(0);
    --n;
  }
  return true;
}

// Asked before the wait and, in the same words, behind it.
//
// CHECK-LABEL: {{^}}bool asksTwice(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    if (0 < n) {
// CHECK-NEXT:  {{^}}      cudaDeviceSynchronize();
// CHECK-NEXT:  {{^}}      if (cudaGetLastError() != cudaSuccess)
// CHECK-NEXT:  {{^}}        return false;
// CHECK-NEXT:  {{^}}    }
// CHECK-NEXT:  {{^}}  } else {
bool asksTwice(int *p, int *more, int n) {
  for (int t = 0; t < n; ++t) {
    lower<<<1, 1>>>(p, more, t);
    if (cudaGetLastError() != cudaSuccess)
      return false;
    cudaDeviceSynchronize();
    if (cudaGetLastError() != cudaSuccess)
      return false;
  }
  return true;
}

// The wait's own check is another one, which goes on.
//
// CHECK-LABEL: {{^}}bool asksOnceItHasWaited(
// CHECK:       {{.*}} == cudaSuccess) {
// CHECK-NEXT:  {{^}}    if (cudaStreamSynchronize(0) != cudaSuccess)
// CHECK-NEXT:  {{^}}      std::printf("upload\n");
// CHECK-NEXT:  {{^}}    if (cudaGetLastError() != cudaSuccess)
// CHECK-NEXT:  {{^}}      return false;
// CHECK-NEXT:  {{^}}  } else {
bool asksOnceItHasWaited(int *p, int *more, int n) {
  for (int t = 0; t < n; ++t) {
    lower<<<1, 1>>>(p, more, t);
    if (cudaMemcpy(more, &n, sizeof(int), cudaMemcpyHostToDevice) != cudaSuccess)
      std::printf("upload\n");
    if (cudaGetLastError() != cudaSuccess)
      return false;
  }
  return true;
}

int main() {
  int *p, *more;
  cudaMalloc(&p, sizeof(int));
  cudaMalloc(&more, sizeof(int));
  for (int n : {0, 1, 6}) {
    int host = 9;
    cudaMemcpy(p, &host, sizeof(int), cudaMemcpyHostToDevice);
    std::printf("%d ", returns(p, more, n));
    std::printf("%d ", assigns(p, more, n));
    once(p, more, n);
    waitsToo(p, more, n);
    std::printf("%d ", different(p, more, n));
    std::printf("%d ", doesNotWait(p, more, n));
    sometimes(p, more, n);
    std::printf("%d ", needsOne(p, more, n));
    ignores(p, more, n);
    std::printf("%d ", asksBehind(p, more, n));
    std::printf("%d ", asksInFront(p, more, n));
    std::printf("%d ", asksTwice(p, more, n));
    std::printf("%d ", asksOnceItHasWaited(p, more, n));
    cudaMemcpy(&host, p, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", host);
  }
}
