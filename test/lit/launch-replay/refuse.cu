// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that stay as they are: someone could tell that they are made later.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can be made' --implicit-check-not=' error: ' %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %S/golden.cu -- nvcc -std=c++14 -arch=sm_90 2>&1 | FileCheck --check-prefix=OLD --implicit-check-not='can be made' %s
// OLD: [language]

#include <cstdio>
#include <cstdlib>

__global__ void k(float *a);
template <typename T> __global__ void deduced(T *a);
__global__ void twice(float *a);
__global__ void twice(int *a);
struct Watched {
  ~Watched() {}
  Watched(const Watched &);
};

//===--- What waits, or gives the device work ------------------------------===//

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed{{.*}}other work
void synchronises(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaDeviceSynchronize();
  }
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void records(float *a, cudaEvent_t e, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaEventRecord(e);
  }
}

// Handlers may wait for the device, and look.
//
// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void ends(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:14: note: {{.*}} [between]
    i == 7 ? exit(1) : void();
  }
}

void unknown();
// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void calls(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    unknown();
  }
}

// A kernel may set it, and the loop end by it.
//
// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void polls(float *a, volatile int *done) {
  // CHECK: note: {{.*}} [between]
  while (!*done)
    k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void destroys(float *a, const Watched &w, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    Watched other(w);
  }
}

//===--- What leaves the stretch, or may wait by itself --------------------===//

// A stream may be a function of the program's.
//
// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void prints(float *a, FILE *to, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    fprintf(to, "%d\n", i);
  }
}

// Without a volatile, but there may be one elsewhere.
//
// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void pollsPlainly(float *a, int *flag, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    while (flag[0] <= i) {
    }
  }
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void launchesNowAndThen(float *a, int *flag, bool first) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  while (*flag < 3)
    if (first) {
      k<<<1, 32>>>(a);
      first = false;
    }
}

// Behind a loop that never ends nothing makes what is held back. One that does
// nothing else is taken to end.
//
// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void stopsCounting(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  while (n)
    if (puts("") + n > 3) {
      k<<<1, 32>>>(a);
      --n;
    }
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void noCondition(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0;; ++i)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void wrongWay(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; i >= 0; ++i)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void anyIsLarger(float *a, unsigned n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (unsigned i = n; i >= 0; --i)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void mayBeTheLargest(float *a, unsigned n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (unsigned i = 0; i <= n; ++i)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void widerLimit(float *a, unsigned long n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (unsigned i = 0; i < n; ++i)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void narrowCounter(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (short i = 0; i < n; ++i)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void stepsOver(float *a, unsigned n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (unsigned i = 0; i < n; i += 2)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void byNothing(float *a, int n, int step) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; i < n; i += step)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void limitMoves(float *a, unsigned n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (unsigned i = 0; i != n; ++i, ++n)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void counterIsHeld(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; i < n; ++i, i = 0)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void eitherHolds(float *a, int n, bool b) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; i < n || b; ++i)
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void counterIsSkipped(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  while (n > 0) {
    if (n % 2)
      continue;
    if (puts("") + n > 3)
      k<<<1, 32>>>(a);
    --n;
  }
}

void never() {
  while (true)
    ;
}
// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void callsNever(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    never();
  }
}

// Nor is a local variable one's own once a kernel, or a thread, has its address.
//
// CHECK: :[[@LINE+5]]:{{.*}}cannot be replayed
void pollsMapped() {
  int done = 0;
  cudaHostRegister(&done, sizeof done, cudaHostRegisterMapped);
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; !done; ++i)
    if (i < 20)
      k<<<1, 32>>>(nullptr);
}

// CHECK: :[[@LINE+5]]:{{.*}}cannot be replayed
void pollsCaptured(float *a) {
  bool stop = false;
  auto run = [&] {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    for (int i = 0; !stop; ++i)
      if (i < 20)
        k<<<1, 32>>>(a);
  };
  run();
}

// Nor where its class has told where it is.
struct Published {
  int done;
  Published() : done(0) { cudaHostRegister(this, 4, cudaHostRegisterMapped); }
};
// CHECK: :[[@LINE+4]]:{{.*}}cannot be replayed
void pollsPublished(float *a) {
  Published own;
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; !own.done; ++i)
    if (i < 20)
      k<<<1, 32>>>(a);
}

struct View {
  int &done;
  mutable int late;
  static int late_for_all;
};
// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void pollsView(float *a, View own) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; !own.done; ++i)
    if (i < 20)
      k<<<1, 32>>>(a);
}

extern const View constant;
// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void pollsMutable(float *a) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; !constant.late; ++i)
    if (i < 20)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void pollsStatic(float *a, View own) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; !own.late_for_all; ++i)
    if (i < 20)
      k<<<1, 32>>>(a);
}

// CHECK: :[[@LINE+4]]:{{.*}}cannot be replayed
void pollsPart(float *a, int (&both)[2]) {
  auto &[done, other] = both;
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; !done; ++i)
    if (i < 20)
      k<<<1, 32>>>(a);
}

extern int *found;
struct Finder {
  int at = *found;
};
// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void pollsInDefault(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [between]
  for (int i = 0; i < n; ++i) {
    Finder own{};
    if (own.at)
      k<<<1, 32>>>(a);
  }
}

int waits();
thread_local int lazily = waits();
struct Own {
  static thread_local int each;
};
thread_local int Own::each = waits();
int reads() { return lazily; }

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void initialises(float *a, Own own, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:10: note: {{.*}} [between]
    n -= own.each;
  }
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void initialisesWithin(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:10: note: {{.*}} [between]
    n -= reads();
  }
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
int isValue(float *a, int n) {
  // What is added last would be the value.
  int v = ({
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a);
    (k<<<1, 32>>>(a), 5);
  });
  return v;
}

//===--- How the launch is written -----------------------------------------===//

// All launches of a stretch, or none: what is launched in between would come
// first.
//
// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void oneOfTwo(float *a, int *b, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    deduced<<<1, 32>>>(b);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    twice<<<1, 32>>>(b);
  }
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void counts(float *a, int n) {
  while (n)
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [argument]
    k<<<1, n-- + 32>>>(a);
}

// CHECK: :[[@LINE+2]]:{{.*}}cannot be replayed
void pointer(void (*p)(float *), float *a, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-pointer]
    p<<<1, 32>>>(a);
}

#define LAUNCH(K, ...) K<<<1, 32>>>(__VA_ARGS__)
// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void macro(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [in-macro]
  for (int i = 0; i < n; ++i)
    LAUNCH(k, a);
}

// CHECK: :[[@LINE+3]]:{{.*}}cannot be replayed
void directive(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [preprocessor]
  for (int i = 0; i < n; ++i) {
#ifdef MORE
    unknown();
#endif
    k<<<1, 32>>>(a);
  }
}

// CHECK: :[[@LINE+5]]:{{.*}}cannot be replayed
void jumps(float *a, int n) {
  if (n < 0)
    goto end;
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [no-place]
  for (int i = 0; i < n; ++i)
    k<<<1, 32>>>(a);
end:
  cudaDeviceSynchronize();
}

template <typename T> void inTemplate(T *a, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<<<1, 32>>>(a);
}

// No loop: nothing to gain, nothing to say.
void straight(float *a) {
  k<<<1, 32>>>(a);
  k<<<1, 32>>>(a);
}
