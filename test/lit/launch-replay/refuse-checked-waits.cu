// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that ask for errors of their waits, where somebody may see that these
// came later, or nobody can ask once more behind the loop.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=warning: %s

#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void add(float *a) { a[threadIdx.x] += 1; }
__global__ void shows(float *a) { printf("%g\n", a[0]); }

#define ENSURE(call)                                                           \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess)                                                      \
      exit(1);                                                                 \
  } while (0)

int total;

//===--- Checks that look at more -------------------------------------------===//

static void counts(cudaError_t e) {
  ++total;
  if (e != cudaSuccess)
    exit(1);
}
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void byCounter(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    counts(cudaDeviceSynchronize());
  }
}

static void limited(cudaError_t e, int most) {
  if (e != cudaSuccess)
    exit(most);
}
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void givesMemory(float *a, const int *managed) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    limited(cudaDeviceSynchronize(), *managed);
  }
}

static int *const place = &total;
static void byPlace(cudaError_t e) {
  int code = *place;
  if (e != cudaSuccess)
    exit(code);
}
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void looksWithin(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    byPlace(cudaDeviceSynchronize());
  }
}

// CHECK: :[[@LINE+4]]:27: note: {{.*}} [between]
void declaresBeside(float *a, const float *managed) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    const cudaError_t e = cudaDeviceSynchronize();
    const float now = *managed;
    if (e != cudaSuccess)
      printf("%g\n", now);
  }
}

static void prints(cudaError_t e) {
  printf("done\n");
  if (e != cudaSuccess)
    exit(1);
}
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void printing(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    prints(cudaDeviceSynchronize());
  }
}

void unseen(cudaError_t e);
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void byUnseen(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    unseen(cudaDeviceSynchronize());
  }
}

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void looksBeside(float *a, float *managed) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    ENSURE(cudaDeviceSynchronize());
    managed[0] += 1;
  }
}

// CHECK: :[[@LINE+5]]:5: note: {{.*}} [between]
// CHECK: note: who waits may see what is printed here
void printingKernel(float *a) {
  for (int t = 0; t < 100; ++t) {
    shows<<<1, 32>>>(a);
    ENSURE(cudaDeviceSynchronize());
  }
}

//===--- Checks that cannot be repeated -------------------------------------===//

// The wait behind it is not asked for.
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void waitsBehind(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    ENSURE(cudaDeviceSynchronize());
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
  }
}

// An error of the launch behind it is another's to ask for.
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void launchesBehind(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    ENSURE(cudaGetLastError());
    add<<<1, 32>>>(a);
  }
}

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void pausesBefore(float *a, float *managed) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    if (t % 10 == 0)
      printf("%g\n", managed[0]);
    ENSURE(cudaGetLastError());
  }
}

// The error of the wait is the next iteration's to ask for, if there is one.
// CHECK: :[[@LINE+5]]:5: note: {{.*}} [between]
void asksBefore(float *a, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<1, 32>>>(a);
    ENSURE(cudaGetLastError());
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+5]]:11: note: {{.*}} [between]
int caught(float *a, int n, int done = 0) {
  try {
    for (; done < n; ++done) {
      add<<<1, 32>>>(a);
      if (cudaDeviceSynchronize() != cudaSuccess)
        throw done;
    }
  } catch (int) {
  }
  return done;
}

// With NDEBUG nobody would make what is held back.
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [in-macro]
void asserted(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    assert(cudaDeviceSynchronize() == cudaSuccess);
  }
}

// CHECK: :[[@LINE+5]]:5: note: {{.*}} [in-macro]
void ofTransfer(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    ENSURE(cudaMemsetAsync(a, 0, 128));
  }
}

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
int leaves(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    ENSURE(cudaDeviceSynchronize());
    if (t == 70)
      return t;
  }
  return 0;
}

// CHECK: :[[@LINE+5]]:{{[0-9]+}}: note: {{.*}} [between]
bool breaks(float *a) {
  bool good = true;
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (cudaDeviceSynchronize() != cudaSuccess) {
      good = false;
      break;
    }
  }
  return good;
}

// The step is another one behind the loop.
// CHECK: :[[@LINE+4]]:9: note: {{.*}} [between]
void tellsStep(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (cudaDeviceSynchronize() != cudaSuccess) {
      printf("step %d\n", t);
      exit(1);
    }
  }
}

// CHECK: :[[@LINE+5]]:{{[0-9]+}}: note: {{.*}} [between]
void tellsCount(float *a) {
  int t = 0;
  for (; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (cudaDeviceSynchronize() != cudaSuccess) {
      printf("step %d\n", t);
      exit(1);
    }
  }
}

// Another variable has that name where the loop pauses.
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void hides(float *a, float *managed, int code) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    limited(cudaDeviceSynchronize(), code);
    {
      const int code = t % 10;
      if (code == 9)
        printf("%g\n", managed[0]);
    }
  }
}

//===--- Checks of which the last does not stand for all --------------------===//

#define WARN(call)                                                             \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess)                                                      \
      printf("failed\n");                                                      \
  } while (0)

// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void endsBefore(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    ENSURE(cudaDeviceSynchronize());
    WARN(cudaGetLastError());
  }
}

// CHECK: :[[@LINE+5]]:11: note: {{.*}} [between]
int endsOtherwise(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (t % 10 == 5) {
      if (cudaDeviceSynchronize() != cudaSuccess)
        return 2;
    }
    ENSURE(cudaDeviceSynchronize());
  }
  return 0;
}

// CHECK: :[[@LINE+5]]:5: note: {{.*}} [between]
void exitsOtherwise(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    limited(cudaGetLastError(), 3);
    limited(cudaDeviceSynchronize(), 4);
  }
}

static void asTwo(cudaError_t e) {
  int code = 2;
  if (e != cudaSuccess)
    exit(code);
}
static void asThree(cudaError_t e) {
  int code = 3;
  if (e != cudaSuccess)
    exit(code);
}
// CHECK: :[[@LINE+5]]:5: note: {{.*}} [between]
void exitsByVariables(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    asTwo(cudaGetLastError());
    asThree(cudaDeviceSynchronize());
  }
}

// CHECK: :[[@LINE+6]]:{{[0-9]+}}: note: {{.*}} [between]
void throwsOtherwise(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (cudaGetLastError() != cudaSuccess)
      throw 2;
    if (cudaDeviceSynchronize() != cudaSuccess)
      throw 3;
  }
}

// Nobody waits for the last launch.
// CHECK: :[[@LINE+6]]:5: note: {{.*}} [between]
void breaksBefore(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (t == 70)
      break;
    ENSURE(cudaDeviceSynchronize());
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [between]
void goesOnBefore(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (t % 3)
      continue;
    ENSURE(cudaDeviceSynchronize());
  }
}

//===--- Errors that somebody else looks at ---------------------------------===//

// CHECK: :[[@LINE+5]]:{{[0-9]+}}: note: {{.*}} [between]
cudaError_t livesOn(float *a) {
  cudaError_t e = cudaErrorUnknown;
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    e = cudaDeviceSynchronize();
  }
  return e;
}

// CHECK: :[[@LINE+5]]:27: note: {{.*}} [between]
int counted(float *a) {
  int good = 0;
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    const cudaError_t e = cudaDeviceSynchronize();
    good += e == cudaSuccess;
  }
  return good;
}

// CHECK: :[[@LINE+5]]:27: note: {{.*}} [between]
int countedBehindCheck(float *a) {
  int good = 0;
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    const cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
      printf("failed\n");
    good += e == cudaSuccess;
  }
  return good;
}

#define LOGGED(call)                                                           \
  do {                                                                         \
    cudaError_t log_##call = cudaSuccess;                                      \
    if (log_##call || (call()) != cudaSuccess)                                 \
      exit(1);                                                                 \
  } while (0)
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void asName(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    LOGGED(cudaDeviceSynchronize);
  }
}

#define TOLD(call)                                                             \
  do {                                                                         \
    printf("%s\n", #call);                                                     \
    if ((call) != cudaSuccess)                                                 \
      exit(1);                                                                 \
  } while (0)
// CHECK: :[[@LINE+4]]:5: note: {{.*}} [between]
void asText(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    TOLD(cudaDeviceSynchronize());
  }
}

// Behind a copy the next number is another one.
#define PASTE(a, b) a##b
#define NAMED(name, number) PASTE(name, number)
#define NUMBERED(call, e)                                                      \
  cudaError_t e = (call);                                                      \
  if (e != cudaSuccess)                                                        \
  exit(1)
#define COUNTED(call) NUMBERED(call, NAMED(error, __COUNTER__))
// CHECK: :[[@LINE+5]]:5: note: {{.*}} [in-macro]
void numbered(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    { COUNTED(cudaDeviceSynchronize()); }
  }
}

//===--- Checks that are not written alike ----------------------------------===//

static void may(cudaError_t e, bool ends = true) {
  if (e != cudaSuccess) {
    printf("failed\n");
    if (ends)
      exit(1);
  }
}
// CHECK: :[[@LINE+5]]:{{[0-9]+}}: note: {{.*}} [between]
void endsByDefault(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    may(cudaGetLastError());
    may(cudaDeviceSynchronize(), false);
  }
}

[[noreturn]] void end(int status, const char *why);
// CHECK: :[[@LINE+6]]:{{[0-9]+}}: note: {{.*}} [between]
void withTwoStatuses(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (cudaGetLastError() != cudaSuccess)
      end(2, "launch");
    if (cudaDeviceSynchronize() != cudaSuccess)
      end(3, "kernel");
  }
}

// CHECK: :[[@LINE+6]]:{{[0-9]+}}: note: {{.*}} [between]
bool whereWanted(float *a, bool strict) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (cudaGetLastError() != cudaSuccess)
      return false;
    if (cudaDeviceSynchronize() != cudaSuccess && strict)
      return false;
  }
  return true;
}

#ifdef DETAILED
#define LAUNCH_FAILED 2
#else
#define LAUNCH_FAILED 1
#endif
// CHECK: :[[@LINE+6]]:{{[0-9]+}}: note: {{.*}} [between]
void inAnotherBuild(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    if (cudaGetLastError() != cudaSuccess)
      exit(LAUNCH_FAILED);
    if (cudaDeviceSynchronize() != cudaSuccess)
      exit(1);
  }
}

// CHECK: :[[@LINE+7]]:{{[0-9]+}}: note: {{.*}} [between]
void byNamesOfTheirOwn(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    cudaError_t launched = cudaGetLastError();
    if (launched != cudaSuccess)
      exit(1);
    cudaError_t done = cudaDeviceSynchronize();
    if (done != cudaSuccess)
      exit(1);
  }
}

#define STATUS_CHECK(call)                                                     \
  if ((call) != cudaSuccess)                                                   \
  exit(Status(2.5) > 2 ? 3 : 4)
typedef double Status;
// CHECK: :[[@LINE+8]]:{{[0-9]+}}: note: {{.*}} [between]
void byTypes(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    {
      typedef int Status;
      STATUS_CHECK(cudaGetLastError());
    }
    STATUS_CHECK(cudaDeviceSynchronize());
  }
}

#define LINE_CHECK(call)                                                       \
  if ((call) != cudaSuccess)                                                   \
  exit(__LINE__)
// CHECK: :[[@LINE+5]]:{{[0-9]+}}: note: {{.*}} [between]
void byLines(float *a) {
  for (int t = 0; t < 100; ++t) {
    add<<<1, 32>>>(a);
    LINE_CHECK(cudaGetLastError());
    LINE_CHECK(cudaDeviceSynchronize());
  }
}
