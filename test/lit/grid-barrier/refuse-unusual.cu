// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usual things said in unusual ways, each beside a loop that is fine: what is
// not known to be harmless is refused.
//
// RUN: %barricade --rules=grid-barrier --grid-barrier-logical-threads --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not='{{:3: warning:}}' %s < %t.out

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }
__global__ void look(const int *flag, int *p) { p[threadIdx.x] += *flag; }
__global__ void lower(int *p, int *more) { *more = --p[0] > 0; }

//===--- Who ends the loop ------------------------------------------------===//

// CHECK: :[[#@LINE+4]]:23: note: {{.*}} [flag-not-written]
void endedByOthers(int *p, int *flag) {
  for (int more = 1; more;) {
    look<<<4, 16>>>(flag, p);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
void endedByItself(int *p, int *flag) {
  for (int more = 1; more;) {
    lower<<<1, 1>>>(p, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}

//===--- What moves out of the loop ---------------------------------------===//

// CHECK: :[[#@LINE+6]]:30: note: {{.*}} [host-statement]
void failsInIteration(int *p, int n) {
  int t;
  for (t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    if (cudaGetLastError() != cudaSuccess) {
      std::printf("at %d\n", t);
      std::exit(1);
    }
  }
}
// CHECK: :[[#@LINE+3]]:3: warning: for loop of kernel launches can become
void failsOfMany(int *p, int n) {
  int t;
  for (t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    if (cudaGetLastError() != cudaSuccess) {
      std::printf("of %d\n", n);
      std::exit(1);
    }
  }
}

// Twice in the text, it would be two variables.
//
// CHECK: :[[#@LINE+5]]:7: note: {{.*}} [host-statement]
bool countsFaults(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    if (cudaDeviceSynchronize() != cudaSuccess) {
      static int seen;
      ++seen;
      return seen < 3;
    }
  }
  return true;
}
// CHECK: :[[#@LINE+5]]:5: note: {{.*}} [host-statement]
bool hasLabel(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    if (cudaDeviceSynchronize() != cudaSuccess) {
    failed:
      return false;
    }
  }
  return true;
}

// A check that may be left out in all iterations.
//
// CHECK: :[[#@LINE+6]]:11: note: {{.*}} [host-statement]
int asksIfStrict(int *p, int n, bool strict) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    cudaDeviceSynchronize();
    if (strict)
      if (cudaGetLastError() != cudaSuccess)
        return 1;
  }
  return 0;
}
// CHECK: :[[#@LINE+6]]:11: note: {{.*}} [host-statement]
int fillsIfStrict(int *p, int *more, int n, bool strict) {
  for (int t = 0; t < n; ++t) {
    lower<<<1, 1>>>(p, more);
    cudaDeviceSynchronize();
    if (strict)
      if (cudaMemset(more, 0, sizeof(int)) != cudaSuccess)
        return 1;
  }
  return 0;
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
int waitsIfStrict(int *p, int *more, int n, bool strict) {
  for (int t = 0, again = 1; t < n && again; ++t) {
    lower<<<1, 1>>>(p, more);
    if (strict)
      if (cudaMemcpy(&again, more, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
  }
  return 0;
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
int asksNowAndThen(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    cudaDeviceSynchronize();
    if (t % 4 == 0)
      if (cudaGetLastError() != cudaSuccess)
        return 1;
  }
  return 0;
}

//===--- What may have no value before the loop ---------------------------===//

// CHECK: :[[#@LINE+4]]:14: note: {{.*}} [varying-geometry]
void beyondArray(int *p, int n, int which) {
  int blocks[3] = {1, 2, 3};
  for (int t = 0; t < n; ++t)
    add<<<4, blocks[which]>>>(p, t);
}
// CHECK: :[[#@LINE+3]]:3: warning: for loop of kernel launches can become
void withinArray(int *p, int n) {
  int blocks[3] = {1, 2, 3};
  for (int t = 0; t < n; ++t)
    add<<<4, blocks[2]>>>(p, t);
}
// CHECK: :[[#@LINE+3]]:14: note: {{.*}} [varying-geometry]
void shiftedByLess(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 1 << (n - 1)>>>(p, t);
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
void shiftedByConstant(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, n >> 4>>>(p, t);
}
// CHECK: :[[#@LINE+3]]:14: note: {{.*}} [varying-geometry]
void overflows(int *p, int n, int each) {
  for (int t = 0; t < n; ++t)
    add<<<4, n * each>>>(p, t);
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
void wraps(int *p, unsigned n, unsigned each) {
  for (int t = 0; t < n; ++t)
    add<<<4, n * each>>>(p, t);
}
// CHECK: :[[#@LINE+3]]:14: note: {{.*}} [varying-geometry]
void infinite(int *p, int n, float each) {
  for (int t = 0; t < n; ++t)
    add<<<4, (int)std::ceil(n / each)>>>(p, t);
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
void finite(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, (int)std::ceil(n / 64.0f)>>>(p, t);
}

//===--- Other names for a variable ---------------------------------------===//

struct Alias {
  int &x;
};
// CHECK: :[[#@LINE+5]]:23: note: {{.*}} [host-memory]
void throughMember(int *p, int n) {
  int i = 0;
  Alias alias{i};
  for (i = 0; i < n; ++i)
    add<<<4, 16>>>(p, alias.x);
}
// CHECK: :[[#@LINE+5]]:5: note: {{.*}} [host-memory]
void throughChoice(int *p, int n, bool first) {
  int i = 0, j = 0;
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, i);
    (first ? i : j) += 1;
  }
}
// CHECK: :[[#@LINE+4]]:5: note: {{.*}} [host-statement]
void throughCast(int *p, int n) {
  for (int t = 0; t < n;) {
    add<<<4, 16>>>(p, t);
    reinterpret_cast<unsigned &>(t) += 1;
  }
}
// CHECK: :[[#@LINE+2]]:8: note: {{.*}} [shared-variable]
void oneVariableTwice(int *p, int &i, int &n) {
  for (i = 0; i < n; ++i)
    add<<<4, 16>>>(p, i);
}
// CHECK: :[[#@LINE+5]]:23: note: {{.*}} [local-name]
void throughBinding(int *p, int n) {
  struct { int from, by; } both = {0, 1};
  auto &[from, by] = both;
  for (; both.from < n; both.from += both.by)
    add<<<4, 16>>>(p, from);
}
// CHECK: :[[#@LINE+5]]:17: note: {{.*}} [shared-variable]
void throughLambda(int *p, int n) {
  int t = 0;
  auto next = [&t] { ++t; };
  next();
  for (; t < n; t += 1)
    add<<<4, 16>>>(p, t);
}
// CHECK: :[[#@LINE+4]]:5: note: {{.*}} [host-statement]
void throughAssembly(int *p, int n) {
  for (int t = 0; t < n;) {
    add<<<4, 16>>>(p, t);
    asm("incl %0" : "+r"(t));
  }
}

//===--- What is another thing elsewhere ----------------------------------===//

class Solver {
  int steps = 4;
  friend void befriended(Solver &solver, int *p);
};
// CHECK: :[[#@LINE+2]]:23: note: {{.*}} [local-name]
void befriended(Solver &solver, int *p) {
  for (int t = 0; t < solver.steps; ++t)
    add<<<4, 16>>>(p, t);
}
// CHECK: :[[#@LINE+3]]:27: note: {{.*}} [place-dependent]
void ofLine(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 16>>>(p, t + __LINE__);
}
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [split-line]
void rawString(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    if (cudaGetLastError() != cudaSuccess) {
      std::puts(R"(failed
  badly)");
      std::exit(1);
    }
  }
}
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [split-line]
void continuedLine(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t); // goes \
    on
  }
}
// Blanks behind the backslash change nothing.
//
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [split-line]
void continuedBeforeBlank(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t); // goes \ 
    // on
    cudaDeviceSynchronize();
    add<<<4, 16>>>(p, n);
  }
}

// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [split-line]
void splitName(int *p, int count) {
  for (int t = 0; t < 4; ++t)
    add<<<4, 16>>>(p, cou\
nt);
}
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [split-line]
void splitArgumentComment(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 16>>>(p, // goes \
on
                   t);
}
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [split-line]
void splitAtEnd(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t); \
  }
}

//===--- Kernels ----------------------------------------------------------===//

class Held {
  int secret;
  friend __global__ void befriendedKernel(Held *held);
};
// CHECK: :[[#@LINE+1]]:17: note: {{.*}} [kernel-friend]
__global__ void befriendedKernel(Held *held) { held->secret += blockIdx.x; }
void launchesFriend(Held *held, int n) {
  for (int t = 0; t < n; ++t)
    befriendedKernel<<<t, 16>>>(held);
}

#ifdef FAST
__global__ void twoVersions(int *p, int by) { p[threadIdx.x] -= by; }
#else
__global__ void twoVersions(int *p, int by) { p[threadIdx.x] += by; }
#endif
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [kernel-condition]
void launchesOneOfTwo(int *p, int n) {
  for (int t = 0; t < n; ++t)
    twoVersions<<<4, 16>>>(p, t);
}
#ifdef FAST
__global__ void alsoTwo(int *p, int by) { p[threadIdx.x] -= by; }
#endif
#ifndef FAST
__global__ void alsoTwo(int *p, int by) { p[threadIdx.x] += by; }
#endif
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [kernel-condition]
void launchesAlsoTwo(int *p, int n) {
  for (int t = 0; t < n; ++t)
    alsoTwo<<<4, 16>>>(p, t);
}
#ifndef WITHOUT
__global__ void oneVersion(int *p, int by) { p[threadIdx.x] += by; }
#endif
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
void launchesOne(int *p, int n) {
  for (int t = 0; t < n; ++t)
    oneVersion<<<4, 16>>>(p, t);
}

struct View {
  const int *__restrict__ in;
  int *out;
};
// CHECK: :[[#@LINE+2]]:27: note: {{.*}} [read-only-load]
__global__ void memberRestrict(View view, int n) {
  view.out[threadIdx.x] = view.in[blockIdx.x] + n;
}
void launchesMember(View view, int n) {
  for (int t = 0; t < n; ++t)
    memberRestrict<<<4, 16>>>(view, t);
}
// CHECK: :[[#@LINE+2]]:47: note: {{.*}} [read-only-load]
__global__ void lambdaRestrict(int *p, const int *q) {
  const auto sum = [](const int *__restrict__ from, int by) {
    return from[by] + from[threadIdx.x];
  };
  p[threadIdx.x] = sum(q, blockIdx.x);
}
void launchesLambda(int *p, int n) {
  for (int t = 0; t < n; ++t)
    lambdaRestrict<<<4, 16>>>(p, p + t);
}

// Its threads add for their own block only.
__global__ void addsInBlock(int *p, int by) {
  atomicAdd_block(&p[blockIdx.x], by);
}
__global__ void addsInScope(int *p, int by) {
  __nv_atomic_fetch_add(&p[blockIdx.x], by, __NV_ATOMIC_RELAXED,
                        __NV_THREAD_SCOPE_BLOCK);
}
__global__ void addsInDevice(int *p, int by) {
  __nv_atomic_fetch_add(&p[blockIdx.x], by, __NV_ATOMIC_RELAXED,
                        __NV_THREAD_SCOPE_DEVICE);
}
__shared__ extern int scratch[];
__global__ void shares(int *p) {
  scratch[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = scratch[0];
}
// CHECK: :[[#@LINE+4]]:5: note: {{.*}} [several-geometries]
void spreadsBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    shares<<<4, 64, 256>>>(p);
    addsInBlock<<<4, 16, 256>>>(p, t);
  }
}
// CHECK: :[[#@LINE+4]]:5: note: {{.*}} [several-geometries]
void spreadsScope(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    shares<<<4, 64, 256>>>(p);
    addsInScope<<<4, 16, 256>>>(p, t);
  }
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
void spreadsDevice(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    shares<<<4, 64, 256>>>(p);
    addsInDevice<<<4, 16, 256>>>(p, t);
  }
}

// Nothing in the loop ends it.
//
// CHECK: :[[#@LINE+2]]:10: note: {{.*}} [flag-not-written]
void asksOthers(int *p, const bool &done) {
  while (!done)
    add<<<4, 16>>>(p, 1);
}
// CHECK: :[[#@LINE+2]]:3: warning: while loop of kernel launches can become
void countsUp(int *p, int t, const int &n) {
  while (t < n) {
    add<<<4, 16>>>(p, t);
    ++t;
  }
}

//===--- Checks that all iterations leave out -----------------------------===//

static void fail(cudaError_t e) {
  if (e != cudaSuccess)
    std::exit(2);
}

// CHECK: :[[#@LINE+5]]:12: note: {{.*}} [host-statement]
void switchedOff(int *p, int n, int every) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    if (every > 0 && t % every == 0)
      fail(cudaGetLastError());
  }
}
// CHECK: :[[#@LINE+7]]:10: note: {{.*}} [host-statement]
void goesOn(int *p, int n, bool strict) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    cudaDeviceSynchronize();
    if (!strict)
      continue;
    fail(cudaGetLastError());
  }
}
// CHECK: :[[#@LINE+6]]:12: note: {{.*}} [host-statement]
void inInner(int *p, int n, int checks) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    cudaDeviceSynchronize();
    for (int k = 0; k < checks; ++k)
      fail(cudaGetLastError());
  }
}
// CHECK: :[[#@LINE+6]]:12: note: {{.*}} [host-statement]
void isElse(int *p, int n, bool quiet) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    if (quiet || t < 2) {
    } else {
      fail(cudaGetLastError());
    }
  }
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
void nowAndThen(int *p, int n, int every) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    if (t % every == 0)
      fail(cudaGetLastError());
  }
}
// CHECK: :[[#@LINE+3]]:3: warning: for loop of kernel launches can become
void inAllBuilds(int *p, int n) {
  constexpr bool debug = true;
  for (int t = 0; t < n; ++t) {
    add<<<4, 16>>>(p, t);
    if (debug)
      fail(cudaGetLastError());
  }
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
void besideLaunches(int *p, int n, int m) {
  for (int t = 0; t < n; ++t)
    for (int k = 0; k < m; ++k) {
      add<<<4, 16>>>(p, t + k);
      fail(cudaGetLastError());
    }
}

//===--- How a record is copied, const or not -----------------------------===//

struct Taken {
  Taken() = default;
  Taken(const Taken &) = default;
  template <class T, class = decltype(float(std::declval<T>()))>
  __host__ __device__ Taken(T &&t) : v(2 * float(t)) {}
  __host__ __device__ operator float() const { return v; }
  float v = 1;
};
struct Converted {
  Converted() = default;
  template <class T> __host__ __device__ Converted(const T &t) : v(t.v) {}
  float v = 1;
};
struct Assigned {
  float v;
  Assigned &operator=(const Assigned &) = default;
  template <class T> __host__ __device__ Assigned &operator=(T &&o) {
    v = 2 * o.v;
    return *this;
  }
};
template <class Record> __global__ void scale(int *p, Record by, int n) { p[n] += p[n + 1] * int(by.v); }
__global__ void scaleBy(int *p, float by, int n) { p[n] += p[n + 1] * int(by); }

// CHECK: :[[#@LINE+4]]:{{.*}} note: {{.*}} [host-variable]
void takenByTemplate(int *p, int n) {
  const Taken by;
  for (int t = 0; t < n; ++t)
    scale<<<4, 16>>>(p, by, t);
}
// CHECK: :[[#@LINE+3]]:3: warning: for loop of kernel launches can become
void convertedByTemplate(int *p, int n) {
  const Converted by;
  for (int t = 0; t < n; ++t)
    scale<<<4, 16>>>(p, by, t);
}
// CHECK: :[[#@LINE+5]]:5: note: {{.*}} [host-call]
void assignedByTemplate(int *p, int n) {
  const Assigned base{3};
  Assigned by{1};
  for (int t = 0; t < n; ++t) {
    by = base;
    scaleBy<<<4, 16>>>(p, by.v, t);
  }
}

//===--- Loops that only a failed launch ends -----------------------------===//

// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [endless]
int stepsOverZero(int *p, unsigned n) {
  for (unsigned b = n; b != 0; b -= 2) {
    add<<<b, 64>>>(p, 1);
    if (cudaGetLastError() != cudaSuccess)
      return -1;
  }
  return 0;
}
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [endless]
int neverEnds(int *p, int n) {
  while (true) {
    add<<<4, 64>>>(p, n);
    if (cudaGetLastError() != cudaSuccess)
      return 1;
  }
}
// CHECK: :[[#@LINE+3]]:3: note: {{.*}} [endless]
int waitsSometimes(int *p, unsigned n) {
  int seen = 0;
  for (unsigned b = n; b != 0; b -= 2) {
    add<<<0, 64>>>(p, b);
    if (cudaGetLastError() != cudaSuccess)
      return 1;
    if (b == 1000)
      cudaMemcpy(&seen, p, sizeof(int), cudaMemcpyDeviceToHost);
  }
  return seen;
}
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [endless]
int halvesWithoutSign(int *p, int n) {
  for (int b = n; b >= sizeof(float); b >>= 1) {
    add<<<b, 64>>>(p, 1);
    if (cudaGetLastError() != cudaSuccess)
      return -1;
  }
  return 0;
}
// CHECK: :[[#@LINE+2]]:3: warning: for loop of kernel launches can become
int halves(int *p, unsigned n) {
  for (unsigned b = n; b > 0; b >>= 1) {
    add<<<b, 64>>>(p, 1);
    if (cudaGetLastError() != cudaSuccess)
      return -1;
  }
  return 0;
}
