// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits in a loop that asks for their errors: it asks once more behind the
// loop, where they come at the latest, and where it pauses.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=TOLD %s

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] += 0.5f * (from[i - 1] + from[i + 1]);
}

#define ENSURE(call)                                                           \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      fprintf(stderr, "%s: %d: %s\n", __FILE__, __LINE__,                      \
              cudaGetErrorString(error));                                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#define REQUIRE(answer)                                                        \
  { require((answer), __FILE__, __LINE__); }
inline void require(cudaError_t code, const char *file, int line, bool end = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(code));
    if (end)
      exit(code);
  }
}

// TOLD: :[[@LINE+11]]:3: note: launches 1, waits 1
// CHECK-LABEL: void byMacro(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(steps);
// CHECK-NEXT: {{^}}  for (int step = 0; step < steps; ++step) {
// CHECK-NEXT: {{^}}    replay.launch(relax, n / 256, 256, 0, nullptr, a, b, n);
// CHECK-NEXT: {{^}}    ENSURE(replay.synchronize());
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  ENSURE(replay.flush());
// CHECK-NEXT: {{^}}}
void byMacro(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    ENSURE(cudaDeviceSynchronize());
    std::swap(a, b);
  }
}

// CHECK-LABEL: void byFunction(
// CHECK:      {{^}}    REQUIRE(cudaPeekAtLastError());
// CHECK-NEXT: {{^}}    REQUIRE(replay.synchronize(s));
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  REQUIRE(replay.flush());
void byFunction(float *a, float *b, int n, int steps, cudaStream_t s) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256, 0, s>>>(a, b, n);
    REQUIRE(cudaPeekAtLastError());
    REQUIRE(cudaStreamSynchronize(s));
    std::swap(a, b);
  }
}

// CHECK-LABEL: bool byStatements(
// CHECK:      {{^}}    error = replay.synchronize();
// CHECK-NEXT: {{^}}    if (error != cudaSuccess) {
// CHECK-NEXT: {{^}}      fprintf(stderr, "failed\n");
// CHECK-NEXT: {{^}}      return false;
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  if (replay.flush() != cudaSuccess) {
// CHECK-NEXT: {{^}}    error = replay.flush_error();
// CHECK-NEXT: {{^}}    if (error != cudaSuccess) {
// CHECK-NEXT: {{^}}      fprintf(stderr, "failed\n");
// CHECK-NEXT: {{^}}      return false;
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  error = cudaFree(a);
bool byStatements(float *a, float *b, int n, int steps) {
  cudaError_t error;
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
      fprintf(stderr, "failed\n");
      return false;
    }
  }
  error = cudaFree(a);
  return error == cudaSuccess;
}

// What keeps an error in a variable of the program's does so behind the loop
// for an error only, for the loop may not have run.
// CHECK-LABEL: void keeps(
// CHECK:      {{^}}    ENSURE(last = replay.synchronize());
// CHECK-NEXT: {{^}}    if (step == 5) {
// CHECK-NEXT: {{^}}      if (replay.flush() != cudaSuccess) {
// CHECK-NEXT: {{^}}        ENSURE(last = replay.flush_error());
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}      printf("%g\n", managed[0]);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  if (replay.flush() != cudaSuccess) {
// CHECK-NEXT: {{^}}    ENSURE(last = replay.flush_error());
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}#ifdef VERBOSE
void keeps(float *a, float *b, float *managed, int n, int steps) {
  cudaError_t last = cudaErrorNotReady;
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    ENSURE(last = cudaDeviceSynchronize());
    if (step == 5) {
      printf("%g\n", managed[0]);
    }
  }
#ifdef VERBOSE
  printf("last: %d\n", last);
#endif
}

// The last error is asked for in the same way: behind the loop, or one that did
// not run, it may be another one.
// CHECK-LABEL: void lastErrors(
// CHECK:      {{^}}    replay.synchronize();
// CHECK-NEXT: {{^}}    ENSURE(cudaGetLastError());
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  if (replay.flush() != cudaSuccess) {
// CHECK-NEXT: {{^}}    ENSURE(cudaGetLastError());
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
void lastErrors(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    ENSURE(cudaGetLastError());
  }
}

static void checkLast(const char *what) {
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}
// CHECK-LABEL: void lastByFunction(
// CHECK:      {{^}}    replay.synchronize();
// CHECK-NEXT: {{^}}    checkLast("relax");
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  if (replay.flush() != cudaSuccess) {
// CHECK-NEXT: {{^}}    checkLast("relax");
// CHECK-NEXT: {{^}}  }
void lastByFunction(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    checkLast("relax");
    std::swap(a, b);
  }
}

// CHECK-LABEL: void declares(
// CHECK:      {{^}}    const cudaError_t e = replay.synchronize();
// CHECK-NEXT: {{^}}    if (e)
// CHECK-NEXT: {{^}}      throw std::runtime_error(cudaGetErrorString(e));
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  {
// CHECK-NEXT: {{^}}    const cudaError_t e = replay.flush();
// CHECK-NEXT: {{^}}    if (e)
// CHECK-NEXT: {{^}}      throw std::runtime_error(cudaGetErrorString(e));
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
void declares(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    const cudaError_t e = cudaDeviceSynchronize();
    if (e)
      throw std::runtime_error(cudaGetErrorString(e));
    std::swap(a, b);
  }
}

// Where it pauses, too.
// TOLD: :[[@LINE+15]]:3: note: launches 1, waits 1, pauses 2
// CHECK-LABEL: void reports(
// CHECK:      {{^}}    ENSURE(replay.synchronize());
// CHECK-NEXT: {{^}}    if (step % 100 == 0) {
// CHECK-NEXT: {{^}}      ENSURE(replay.flush());
// CHECK-NEXT: {{^}}      printf("%g\n", managed[0]);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    if (step % 100 == 50) {
// CHECK-NEXT: {{^}}      ENSURE(replay.flush());
// CHECK-NEXT: {{^}}      printf("%g\n", managed[1]);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  ENSURE(replay.flush());
void reports(float *a, float *b, float *managed, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    ENSURE(cudaDeviceSynchronize());
    if (step % 100 == 0) {
      printf("%g\n", managed[0]);
    }
    if (step % 100 == 50)
      printf("%g\n", managed[1]);
    std::swap(a, b);
  }
}

// Of several waits the last is asked behind the loop.
// CHECK-LABEL: void several(
// CHECK:      {{^}}    ENSURE(replay.memset_async(a, 0, 4 * n));
// CHECK:      {{^}}    ENSURE(replay.synchronize());
// CHECK:      {{^}}    if (step % 2) {
// CHECK:      {{^}}      ENSURE(replay.synchronize());
// CHECK:      {{^}}    ENSURE(replay.synchronize());
// CHECK-NEXT: {{^}}    if (step > 70)
// CHECK-NEXT: {{^}}      break;
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  ENSURE(replay.flush());
void several(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    ENSURE(cudaMemsetAsync(a, 0, 4 * n));
    relax<<<n / 256, 256>>>(a, b, n);
    ENSURE(cudaDeviceSynchronize());
    if (step % 2) {
      relax<<<n / 256, 256>>>(b, a, n);
      ENSURE(cudaDeviceSynchronize());
    }
    relax<<<n / 256, 256>>>(b, a, n);
    ENSURE(cudaDeviceSynchronize());
    if (step > 70)
      break;
  }
}

// A check in a branch pauses, as anything does there.
// CHECK-LABEL: void inBranch(
// CHECK:      {{^}}    replay.synchronize();
// CHECK-NEXT: {{^}}    if (step % 2) {
// CHECK-NEXT: {{^}}      replay.flush();
// CHECK-NEXT: {{^}}      ENSURE(cudaGetLastError());
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replay.flush();
void inBranch(float *a, float *b, int n) {
  for (int step = 0; step < 100; ++step) {
    relax<<<n / 256, 256>>>(b, a, n);
    cudaDeviceSynchronize();
    if (step % 2)
      ENSURE(cudaGetLastError());
  }
}

// CHECK-LABEL: void names(
// CHECK:      {{^}}      limited(replay.flush(), code);
// CHECK-NEXT: {{^}}      printf("%g\n", managed[0]);
// CHECK:      {{^}}  limited(replay.flush(), code);
static void limited(cudaError_t e, int code) {
  if (e != cudaSuccess)
    exit(code);
}
void names(float *a, float *b, float *managed, int n, int code) {
  for (int step = 0; step < 100; ++step) {
    relax<<<n / 256, 256>>>(b, a, n);
    limited(cudaDeviceSynchronize(), code);
    {
      const int last = step % 10;
      if (last == 9)
        printf("%g\n", managed[0]);
    }
  }
}

// What was called is told with an error, as it is written.
#define CHECKED(call) checked((call), #call, __FILE__, __LINE__)
template <typename T> void checked(T result, const char *what, const char *file, int line) {
  if (result) {
    fprintf(stderr, "%s:%d: %s: %d\n", file, line, what, static_cast<unsigned>(result));
    exit(EXIT_FAILURE);
  }
}
// CHECK-LABEL: void quotes(
// CHECK:      {{^}}    CHECKED(replay.synchronize());
// CHECK:      {{^}}  CHECKED(replay.flush());
void quotes(float *a, float *b, int n) {
  for (int step = 0; step < 100; ++step) {
    relax<<<n / 256, 256>>>(b, a, n);
    CHECKED(cudaDeviceSynchronize());
  }
}

// With no step nothing is to be divided by.
inline void tell(cudaError_t error, int percent) {
  if (error != cudaSuccess) {
    fprintf(stderr, "failed, a step is %d %%\n", percent);
    exit(1);
  }
}
// CHECK-LABEL: void divides(
// CHECK:      {{^}}    tell(replay.synchronize(), 100 / steps);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  if (replay.flush() != cudaSuccess) {
// CHECK-NEXT: {{^}}    tell(replay.flush_error(), 100 / steps);
// CHECK-NEXT: {{^}}  }
void divides(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(b, a, n);
    tell(cudaDeviceSynchronize(), 100 / steps);
  }
}

// All that was launched by then has been waited for.
// CHECK-LABEL: void breaksBehind(
// CHECK:      {{^}}  ENSURE(replay.flush());
void breaksBehind(float *a, float *b, int n, int most) {
  for (int step = 0; step < 100; ++step) {
    if (step == most)
      break;
    relax<<<n / 256, 256>>>(b, a, n);
    ENSURE(cudaDeviceSynchronize());
    if (step == most / 2)
      break;
    relax<<<n / 256, 256>>>(a, b, n);
    ENSURE(cudaDeviceSynchronize());
  }
}

#define KEEP(call) call
// CHECK-LABEL: void bare(
// CHECK:      {{^}}    KEEP(replay.synchronize());
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replay.flush();
void bare(float *a, float *b, int n) {
  for (int step = 0; step < 100; ++step) {
    relax<<<n / 256, 256>>>(b, a, n);
    KEEP(cudaDeviceSynchronize());
  }
}

// CHECK-LABEL: template <typename T> void templated(
// CHECK:      {{^}}    ENSURE(replay.synchronize());
// CHECK:      {{^}}  ENSURE(replay.flush());
template <typename T> void templated(T *a, T *b, int n) {
  for (int step = 0; step < 100; ++step) {
    relax<<<n / 256, 256>>>(b, a, n);
    ENSURE(cudaDeviceSynchronize());
  }
}
template void templated(float *a, float *b, int n);
