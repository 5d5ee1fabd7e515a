// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error checks, of every form, go behind the loop.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier --barrier-scope=grid
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --barrier-scope=grid --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <cassert>
#include <cstdio>
#include <cstdlib>

#define CHECK_CUDA(call)                                                       \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                  \
                   cudaGetErrorString(error));                                 \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

template <typename T>
void check(T result, const char *call, const char *file, int line) {
  if (result) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, call);
    std::exit(1);
  }
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

inline void gpuAssert(cudaError_t code, const char *file, int line,
                      bool abort = true) {
  if (code != cudaSuccess) {
    std::fprintf(stderr, "%s:%d\n", file, line);
    if (abort)
      std::exit(code);
  }
}
#define gpuErrchk(call)                                                        \
  { gpuAssert((call), __FILE__, __LINE__); }

inline void getLastError(const char *message) {
  cudaError_t error = cudaGetLastError();
  if (cudaSuccess != error)
    std::fprintf(stderr, "%s\n", message);
}

__global__ void add(int *p, int by, unsigned scale = 3, bool twice = false) {
  p[blockIdx.x * blockDim.x + threadIdx.x] += by * scale * (1 + twice);
}

// CHECK-LABEL: {{^}}/// The loop of checks()
// CHECK:      {{^}}  for (int t = 0; t < n; ++t) {
// CHECK-NEXT: {{^}}    add_step(blockIdx, p, t, 3, false);
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
// CHECK-NEXT: {{^}}  }
// CHECK:      {{^}}  if (0 < n) {
// CHECK-NEXT: {{^}}    cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  if (barricade::launch_persistent_exact(checks_persistent, 4, 64, 0, 0, n,
// CHECK-NEXT: {{^}}                                         p) == cudaSuccess) {
// CHECK-NEXT: {{^}}    if (0 < n) {
// CHECK-NEXT: {{^}}      cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}      if (cudaGetLastError() != cudaSuccess)
// CHECK-NEXT: {{^}}        return false;
// CHECK-NEXT: {{^}}      checkCudaErrors(cudaDeviceSynchronize());
// CHECK-NEXT: {{^}}      assert(cudaPeekAtLastError() == cudaSuccess);
// CHECK-NEXT: {{^}}      CHECK_CUDA(cudaGetLastError());
// CHECK-NEXT: {{^}}      gpuErrchk(cudaPeekAtLastError());
// CHECK-NEXT: {{^}}      getLastError("add");
// CHECK-NEXT: {{^}}      cudaGetLastError();
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  } else {
bool checks(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    CHECK_CUDA(cudaGetLastError());
    gpuErrchk(cudaPeekAtLastError());
    getLastError("add");
    cudaGetLastError();
    cudaDeviceSynchronize();
    if (cudaGetLastError() != cudaSuccess)
      return false;
    checkCudaErrors(cudaDeviceSynchronize());
    assert(cudaPeekAtLastError() == cudaSuccess);
  }
  return true;
}

// In two statements, with a variable between them.
//
// CHECK-LABEL: {{^}}/// The loop of inTwo()
// CHECK:      {{^}}  for (int t = 0; t < n; ++t) {
// CHECK-NEXT: {{^}}    add_step(blockIdx, p, t, 3, false);
// CHECK-NEXT: {{^}}    __gpu_sync(bar);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
// CHECK:      {{^}}  if (0 < n) {
// CHECK-NEXT: {{^}}    cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  if (barricade::launch_persistent_exact(
// CHECK:      {{^}}    if (0 < n) {
// CHECK-NEXT: {{^}}      {
// CHECK-NEXT: {{^}}        cudaError_t error = cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}        if (error != cudaSuccess) {
// CHECK-NEXT: {{^}}          std::printf("%d\n", error);
// CHECK-NEXT: {{^}}          return error;
// CHECK-NEXT: {{^}}        }
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}      {
// CHECK-NEXT: {{^}}        const cudaError_t launched = cudaGetLastError();
// CHECK-NEXT: {{^}}        if (launched)
// CHECK-NEXT: {{^}}          return 1;
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  } else {
int inTwo(int *p, int n) {
  int error = 0;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    const cudaError_t launched = cudaGetLastError();
    if (launched)
      return 1;
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
      std::printf("%d\n", error);
      return error;
    }
  }
  return error;
}

// With a variable from outside, as most programs have it. What it holds without
// any iteration stays.
//
// CHECK-LABEL: {{^}}/// The loop of inVariable()
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(
// CHECK:      {{^}}    if (0 < n) {
// CHECK-NEXT: {{^}}      error = cudaGetLastError();
// CHECK-NEXT: {{^}}      if (error != cudaSuccess) {
// CHECK-NEXT: {{^}}        std::printf("%s\n", cudaGetErrorString(error));
// CHECK-NEXT: {{^}}        goto failed;
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  } else {
int inVariable(int *p, int n) {
  cudaError_t error = cudaErrorUnknown;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    error = cudaGetLastError();
    if (error != cudaSuccess) {
      std::printf("%s\n", cudaGetErrorString(error));
      goto failed;
    }
  }
  return error;
failed:
  return -1;
}

// Set again before anything looks at it: no iteration needs no care.
//
// CHECK-LABEL: {{^}}/// The loop of inVariables()
// CHECK:      {{^}}  const cudaError_t errorBefore = cudaGetLastError();
// CHECK-NEXT: {{^}}  cudaError_t launched = errorBefore, ran;
// CHECK-NEXT: {{^}}  if (barricade::launch_persistent_exact(inVariables_persistent, 4, 64, 0,
// CHECK-NEXT: {{^}}                                         stream, n, p) == cudaSuccess) {
// CHECK-NEXT: {{^}}    if (n > 0) {
// CHECK-NEXT: {{^}}      launched = cudaGetLastError();
// CHECK-NEXT: {{^}}      ran = cudaStreamSynchronize(stream);
// CHECK-NEXT: {{^}}      if (launched != cudaSuccess || ran != cudaSuccess)
// CHECK-NEXT: {{^}}        return 1;
// CHECK-NEXT: {{^}}      if ((ran = cudaPeekAtLastError()) != cudaSuccess)
// CHECK-NEXT: {{^}}        return 2;
// CHECK-NEXT: {{^}}      if (cudaError_t last = cudaGetLastError())
// CHECK-NEXT: {{^}}        return last;
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  } else {
int inVariables(int *p, int n, cudaStream_t stream) {
  const cudaError_t errorBefore = cudaGetLastError();
  cudaError_t launched = errorBefore, ran;
  while (n > 0) {
    add<<<4, 64, 0, stream>>>(p, n);
    launched = cudaGetLastError();
    ran = cudaStreamSynchronize(stream);
    if (launched != cudaSuccess || ran != cudaSuccess)
      return 1;
    if ((ran = cudaPeekAtLastError()) != cudaSuccess)
      return 2;
    if (cudaError_t last = cudaGetLastError())
      return last;
    --n;
  }
  launched = cudaFree(nullptr);
  ran = launched;
  return launched == ran ? 0 : 3;
}

// A checked copy of what the host needs: the check stays.
//
// CHECK-LABEL: {{^}}/// The loop of converges()
// CHECK:      {{^}}    barricade::fill(flag, 0, sizeof(int));
// CHECK:      {{^}}    more = *(flag);
// CHECK:      {{^}}    CHECK_CUDA(last_more.copy_to(more));
// CHECK-NEXT: {{^}}    checkCudaErrors(cudaGetLastError());
// CHECK-NEXT: {{^}}  } else {
int converges(int *flag) {
  int more = 1;
  while (more < 4) {
    CHECK_CUDA(cudaMemset(flag, 0, sizeof(int)));
    add<<<1, 32>>>(flag, 1, 5);
    checkCudaErrors(cudaGetLastError());
    CHECK_CUDA(cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost));
  }
  return more;
}

// Variables of the program that nothing in the loop changes, and a grid that a
// function computes.
//
// CHECK-LABEL: {{^}}/// The loop of globals()
// CHECK-NEXT: {{^}}static __global__ void globals_persistent(barricade::GridBarrier bar, int steps,
// CHECK-NEXT: {{^}}                                          int *data, float factor, int bias) {
// CHECK:      {{^}}                                         blocksFor(size, 64), 64, 0, 0, steps,
int steps, size, *data;
const float factor = 2.5f;
int blocksFor(int n, int threads) { return (n + threads - 1) / threads; }
void globals() {
  static int bias;
  for (int t = 0; t < steps; ++t)
    add<<<blocksFor(size, 64), 64>>>(data, t + (int)factor, bias);
}

#ifdef BARRICADE_EMULATED
#include "run_kernels.h"
int main() {
  Buffer<int> p("p", 256), flag("flag", 32), numbers("data", 256);
  checks(p, 5);
  std::printf("%d %d\n", inVariable(p, 0), inVariable(p, 3));
  std::printf("%d %d\n", inVariables(p, 0, 0), inVariables(p, 3, 0));
  converges(flag);
  steps = 3, size = 256, data = numbers;
  globals();
}
#endif
