// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a check does once a kernel has failed, in the iteration after which that
// is seen: as one kernel the loop has come to its end by then.
//
// RUN: %barricade --rules=grid-barrier --profit=any --explain %s -- -std=c++17 -arch=sm_90 > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <utility>
#include <vector>

__global__ void step(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] += x[n]; }
__global__ void relax(float *to, const float *from) { to[threadIdx.x] = from[blockIdx.x]; }

// A jump leads to where the loop's variables are looked at.
int byJump(float *x, int n) {
  int t;
  for (t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess)
      goto failed; // CHECK: :[[#@LINE]]:7: note: the loop holds a statement {{.*}} [host-statement]
  }
  return -1;
failed:
  return t;
}
int toBothBuffers(float *a, float *b, int n) {
  for (int t = 0; t < n; ++t) {
    relax<<<4, 64>>>(a, b);
    if (cudaDeviceSynchronize() != cudaSuccess)
      goto failed; // CHECK: :[[#@LINE]]:7: note: the loop holds a statement {{.*}} [host-statement]
    std::swap(a, b);
  }
  return 0;
failed:
  cudaFree(a);
  return 1;
}
// Nobody does, or they are set anew before.
int byJumpAway(float *x, int n) {
  int t;
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess)
      goto failed;
  }
  return 0;
failed:
  for (t = 0; t < 3; ++t)
    std::puts("failed");
  return 1;
}

// An exception, in the function that has the variables.
static void check(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(error));
}
int byException(float *x, int n) {
  int done = 0;
  try {
    for (int t = 0; t < n; ++t) {
      step<<<4, 64>>>(x, t);
      check(cudaDeviceSynchronize()); // CHECK: :[[#@LINE]]:7: note: the loop holds a statement {{.*}} [host-statement]
      ++done;
    }
  } catch (const std::exception &) {
    return done;
  }
  return n;
}
void toTheCaller(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    check(cudaDeviceSynchronize());
  }
}

// What goes on does so in each iteration that follows.
int counted(float *x, int n) {
  int bad = 0;
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: the loop calls a function {{.*}} [host-call]
      ++bad;
  }
  return bad;
}
int allowed(float *x, int n) {
  int bad = 0;
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) { // CHECK: :[[#@LINE]]:9: note: the loop calls a function {{.*}} [host-call]
      if (++bad > 3)
        return bad;
    }
  }
  return 0;
}
static int failures;
static void note(cudaError_t error) {
  if (error != cudaSuccess) {
    ++failures;
    return;
  }
}
void notedInFunction(float *x, int n) {
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    note(cudaDeviceSynchronize()); // CHECK: :[[#@LINE]]:5: note: the loop calls a function {{.*}} [host-call]
  }
}
void collected(float *x, int n, std::vector<cudaError_t> *errors, int *count) {
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      *count = t; // CHECK: :[[#@LINE]]:7: note: the loop reads or writes memory of the host [host-memory]
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    cudaDeviceSynchronize() == cudaSuccess ? (void)0 : errors->push_back(cudaErrorUnknown); // CHECK: :[[#@LINE]]:5: note: the loop calls a function {{.*}} [host-call]
  }
}
void bump(int &count) { ++count; }
void handedOut(float *x, int n, int *count) {
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: the loop calls a function {{.*}} [host-call]
      bump(*count);
  }
}
struct Status {
  int fails;
};
static void report(cudaError_t error, Status &status) {
  if (error != cudaSuccess)
    ++status.fails;
}
static void record(cudaError_t) { ++failures; }
static void hidden(cudaError_t error, bool strict) {
  if (error != cudaSuccess) {
    ++failures;
    if (!strict)
      goto end;
    std::exit(1);
  end:;
  }
}
int elsewhere(float *x, int n) {
  Status status{};
  int fails = 0;
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    report(cudaDeviceSynchronize(), status); // CHECK: :[[#@LINE]]:5: note: the loop calls a function {{.*}} [host-call]
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess && ++fails > 3) // CHECK: :[[#@LINE]]:9: note: the loop calls a function {{.*}} [host-call]
      return 1;
  }
  const auto bumps = [&fails] { ++fails; };
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: the loop calls a function {{.*}} [host-call]
      bumps();
  }
  void (*hook)(cudaError_t) = record;
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaError_t error = cudaDeviceSynchronize()) // CHECK: :[[#@LINE]]:5: note: the loop holds a statement {{.*}} [host-statement]
      hook(error);
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    hidden(cudaDeviceSynchronize(), n > 3); // CHECK: :[[#@LINE]]:5: note: the loop calls a function {{.*}} [host-call]
  }
  return status.fails;
}
// It tells the user, or ends what counts.
int told(float *x, int n, std::FILE *log) {
  int bad = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, n);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      std::fprintf(n ? stderr : log, "%s\n", cudaGetErrorString(error));
  }
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, n);
    if (cudaDeviceSynchronize() != cudaSuccess) {
      ++bad;
      std::exit(bad);
    }
  }
  return bad;
}

// Before it leaves the program it may go on.
static void tolerate(cudaError_t error) {
  if (error != cudaSuccess) {
    ++failures;
    if (failures <= 4)
      return;
    std::exit(1);
  }
}
struct Failure {
  explicit Failure(cudaError_t) { ++failures; }
};
struct Scope {
  ~Scope() { ++failures; }
};
struct Tick {
  int id = ++failures;
};
struct Number {
  operator int() const { return ++failures; }
};
static std::ostream &numbered(std::ostream &out) { return out << ++failures; }
// What is made or goes on an error may do anything, and so may what is called
// behind a name of the library's.
int unseen(float *x, int n, int *failed, const std::function<void()> fail) {
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    tolerate(cudaDeviceSynchronize()); // CHECK: :[[#@LINE]]:5: note: the loop calls a function {{.*}} [host-call]
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaError_t error = cudaDeviceSynchronize()) // CHECK: :[[#@LINE]]:5: note: {{.*}} [host-statement]
      Failure{error};
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) { // CHECK: :[[#@LINE]]:9: note: {{.*}} [host-call]
      Scope scope;
      std::puts("failed");
    }
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) { // CHECK: :[[#@LINE]]:9: note: {{.*}} [host-call]
      Tick tick{};
      std::printf("%d\n", tick.id);
    }
  }
  const Number number;
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: {{.*}} [host-call]
      std::printf("%d\n", int(number));
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: {{.*}} [host-call]
      fail();
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: {{.*}} [host-call]
      std::cerr << numbered;
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: {{.*}} [host-call]
      __atomic_fetch_add(failed, 1, __ATOMIC_RELAXED);
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: {{.*}} [host-call]
      delete failed;
  }
  return failures;
}
void filled(float *x, int n, int *length) {
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: {{.*}} [host-call]
      std::printf("failed%n\n", length);
  }
}
static void early(cudaError_t error, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  std::cerr << file << ':' << line << ": " << cudaGetErrorString(error) << std::endl;
  std::exit(1);
}
static void warn(cudaError_t error) {
  if (error == cudaSuccess) {
    return;
  }
  std::cerr << "error " << std::string(cudaGetErrorString(error)) << std::endl;
}
static void notSurely(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  if (++failures < 3)
    return;
  std::exit(1);
}
void returnsOnSuccess(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, n);
    early(cudaDeviceSynchronize(), __FILE__, __LINE__);
  }
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, n);
    warn(cudaDeviceSynchronize());
  }
  for (int t = 0; t < n; ++t) {
    step<<<4, 64>>>(x, t);
    notSurely(cudaDeviceSynchronize()); // CHECK: :[[#@LINE]]:5: note: {{.*}} [host-call]
  }
}

// It asks of the launch before: of the last one nobody does.
void waitsFirst(float *x, int n) {
  for (int t = 0; t < n; ++t) {
    if (cudaDeviceSynchronize() != cudaSuccess) // CHECK: :[[#@LINE]]:9: note: the loop holds a statement {{.*}} [host-statement]
      return;
    step<<<4, 64>>>(x, t);
  }
}
