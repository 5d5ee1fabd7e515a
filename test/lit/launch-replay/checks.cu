// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions for errors among launches: what only tells of an error, or ends the
// program, may stand there; what does anything else may not.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay
// RUN: grep -c 'replay[0-9]*\.launch(' %t.cu | FileCheck --check-prefix=COUNT %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can be made' --implicit-check-not=' error: ' %s
// RUN: %barricade --rules=launch-overlap --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=OVERLAP --implicit-check-not='[between]' --implicit-check-not=' error: ' %s
//
// COUNT: {{^}}12{{$}}

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

//===--- As they are written ------------------------------------------------===//

void lastError(const char *message) {
  cudaError_t err = cudaGetLastError();
  if (cudaSuccess != err) {
    fprintf(stderr, "%s: %s\n", message, cudaGetErrorString(err));
    fflush(nullptr);
    exit(EXIT_FAILURE);
  }
}

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess) {                                                    \
      std::cerr << __FILE__ << ": " << cudaGetErrorString(e) << std::endl;     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#define ASSERT(answer)                                                         \
  { require((answer), __FILE__, __LINE__); }
inline void require(cudaError_t code, const char *file, int line, bool end = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(code));
    if (end)
      exit(code);
  }
}

void tell(const char *message) {
  if (cudaPeekAtLastError() != cudaSuccess)
    printf("%s\n", message);
}

// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void byFunction(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    lastError("relax");
    relax<<<n / 256, 256>>>(b, a, n);
    if (t % 2)
      lastError("relax again");
  }
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void byMacro(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    CHECK(cudaGetLastError());
    relax<<<n / 256, 256>>>(b, a, n);
    ASSERT(cudaPeekAtLastError());
  }
  tell("in vain");
}
// CHECK: :[[@LINE+3]]:3: warning: {{.*}} can be made
bool byStatements(float *a, float *b, int n, int steps) {
  cudaError_t error;
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    error = cudaGetLastError();
    if (error != cudaSuccess) {
      printf("%s\n", cudaGetErrorString(error));
      exit(3);
    }
    std::swap(a, b);
    cudaError_t again = cudaGetLastError();
    if (again)
      return false;
  }
  return true;
}
// Behind each other, between launches.
//
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void inARow(float *a, float *b, int n, int steps) {
  relax<<<n / 256, 256>>>(a, b, n);
  lastError("first");
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(b, a, n);
    tell("loop");
    std::swap(a, b);
  }
  CHECK(cudaGetLastError());
  relax<<<n / 256, 256>>>(a, b, n);
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void throws(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    if (cudaError_t e = cudaGetLastError(); e != cudaSuccess)
      throw std::runtime_error(std::string("relax: ") + cudaGetErrorString(e));
    std::swap(a, b);
  }
}
template <typename T> void check(T result, const char *what) {
  if (result)
    fprintf(stderr, "%s: %d\n", what, static_cast<int>(result));
}
// CHECK: :[[@LINE+4]]:5: warning: {{.*}} can be made
struct Solver {
  float *a, *b;
  void run(int n, int steps) {
    for (int t = 0; t < steps; ++t) {
      relax<<<n / 256, 256>>>(a, b, n);
      check(cudaGetLastError(), "relax");
      relax<<<n / 256, 256>>>(b, a, n);
      CHECK(cudaGetLastError());
    }
  }
};

// By functions of the program's that name errors and end it.
static const char *nameOf(cudaError_t e) {
  switch (e) {
  case cudaErrorMemoryAllocation:
    return "no memory";
  case cudaErrorLaunchFailure: {
    const char *name = "failed";
    if (name[0] == 'f')
      break;
    return name;
  }
  default:
    return cudaGetErrorName(e);
  }
  return "launch";
}
static void end(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}
template <typename T>
void checkWith(T result, const char *what) {
  if (result) {
    fprintf(stderr, "%s: %s (%u)\n", what, nameOf(result), static_cast<unsigned>(result));
    end(what);
  }
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void byNames(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    checkWith(cudaGetLastError(), "relax");
    std::swap(a, b);
  }
}

//===--- That do something else ---------------------------------------------===//

void waits(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+1]]:{{.*}} [between]
    CHECK(cudaDeviceSynchronize());
    std::swap(a, b);
  }
}
float last[4];
static const char *dump(const float *a) {
  cudaMemcpy(last, a, sizeof last, cudaMemcpyDeviceToHost);
  return "dumped";
}
void dumpAndEnd(cudaError_t e, const float *a) {
  if (e != cudaSuccess) {
    printf("%s\n", dump(a));
    exit(1);
  }
}
void dumps(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+2]]:{{.*}} [between]
    // OVERLAP: :[[@LINE+1]]:{{.*}} [between]
    dumpAndEnd(cudaGetLastError(), a);
    std::swap(a, b);
  }
}
// Another source may have one for the linker to take.
__attribute__((weak)) void weakly(cudaError_t e) {
  if (e != cudaSuccess)
    exit(1);
}
void checksWeakly(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+2]]:{{.*}} [between]
    // OVERLAP: :[[@LINE+1]]:{{.*}} [between]
    weakly(cudaGetLastError());
    std::swap(a, b);
  }
}
// What it is given may end the program as well as an error.
void leave(int code) {
  if (code)
    exit(code);
}
void leaveByEither(int code, int other) {
  leave(code);
  leave(other);
}
void leaves(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+1]]:{{.*}} [between]
    leaveByEither(cudaGetLastError(), t == steps - 3);
    std::swap(a, b);
  }
}
void launch(cudaError_t e, float *a, float *b) {
  if (e != cudaSuccess) {
    relax<<<1, 256>>>(a, b, 256);
    exit(1);
  }
}
void launches(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+2]]:{{.*}} [between]
    // OVERLAP: :[[@LINE+1]]:{{.*}} [between]
    launch(cudaGetLastError(), a, b);
    std::swap(a, b);
  }
}
void clean(cudaError_t e, float *a) {
  if (e != cudaSuccess) {
    cudaFree(a);
    exit(1);
  }
}
void cleans(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+2]]:{{.*}} [between]
    // OVERLAP: :[[@LINE+1]]:{{.*}} [between]
    clean(cudaGetLastError(), a);
    std::swap(a, b);
  }
}
void onSuccess(cudaError_t e, float *a) {
  if (e == cudaSuccess)
    fflush(nullptr);
}
void tellsOfSuccess(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+1]]:{{.*}} [between]
    onSuccess(cudaGetLastError(), a);
    std::swap(a, b);
  }
}
struct Failure {
  Failure() { cudaDeviceReset(); }
};
// What it returns may be what a kernel has written.
bool look(cudaError_t e, const int *flag) {
  if (e)
    throw Failure();
  return *flag != 0;
}
void polls(float *a, float *b, int n, const int *flag) {
  // CHECK: :[[@LINE+2]]:{{.*}} [between]
  // OVERLAP: :[[@LINE+1]]:{{.*}} [between]
  while (!look(cudaGetLastError(), flag)) {
    relax<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
}
struct Loud {
  ~Loud() { cudaDeviceSynchronize(); }
};
void destroys(cudaError_t e) {
  Loud loud;
  if (e)
    exit(1);
}
void destroysWithin(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+2]]:{{.*}} [between]
    // OVERLAP: :[[@LINE+1]]:{{.*}} [between]
    destroys(cudaGetLastError());
    std::swap(a, b);
  }
}
void inOtherBuilds(const char *message) {
  if (cudaGetLastError() != cudaSuccess)
    exit(1);
#ifdef PATIENT
  cudaDeviceSynchronize();
#endif
}
void othersWait(float *a, float *b, int n, int steps) {
  // CHECK: :[[@LINE+2]]:{{.*}} [other-build]
  // OVERLAP: :[[@LINE+1]]:{{.*}} [other-build]
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    inOtherBuilds("relax");
    std::swap(a, b);
  }
}
void fail(cudaError_t e) {
  if (e != cudaSuccess)
    throw Failure();
}
void throwsOwn(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    // CHECK: :[[@LINE+2]]:{{.*}} [between]
    // OVERLAP: :[[@LINE+1]]:{{.*}} [between]
    fail(cudaGetLastError());
    std::swap(a, b);
  }
}
void jumps(float *a, float *b, int n, int steps) {
  // CHECK: :[[@LINE+1]]:{{.*}} [no-place]
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n);
    if (cudaGetLastError() != cudaSuccess)
      goto failed;
    std::swap(a, b);
  }
  return;
failed:
  puts("failed");
}
