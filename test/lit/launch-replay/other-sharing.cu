// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that another build gives to somebody, who may change them while the
// loop runs.
//
// RUN: %barricade --rules=launch-replay,grid-barrier --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=warning: %s

#include <cstdio>
#include <utility>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

#ifdef SHARED
void share(int *);
void publish(int &);
#define PUBLISH(x) share(&(x))
#define REF &
#define KEPT static
#else
#define PUBLISH(x)
#define REF
#define KEPT
#endif

int address(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
#ifdef SHARED
  share(&done);
#endif
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

int reference(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
#ifdef SHARED
  publish(done);
#endif
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

int macro(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
  PUBLISH(done);
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

int declared(float *a, float *b, int n, int steps, int REF done) {
  int step = 0;
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

int declaredElse(float *a, float *b, int n, int steps, int
#ifdef SHARED
&
#endif
done) {
  int step = 0;
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

int kept(float *a, float *b, int n, int steps) {
  KEPT int done = 0;
  int step = 0;
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

// By whatever names it so that somebody could keep it.
struct Place {
  int value = 0;
  int *get() { return &value; }
};
struct Kept {
  int &value;
};
int bound(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
#ifdef SHARED
  int &other = done;
  share(&other);
#endif
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

int byMember(float *a, float *b, int n, int steps) {
  Place done;
  int step = 0;
#ifdef SHARED
  share(done.get());
#endif
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done.value; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

int inBraces(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
#ifdef SHARED
  Kept kept{done};
  share(&kept.value);
#endif
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

int inParentheses(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
#ifdef SHARED
  share(&(done));
#endif
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

int captured(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
#ifdef SHARED
  call([&] { done = 1; });
#endif
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

// By a function that takes a reference there.
#ifdef SHARED
static void watch(int &) {}
#else
static void watch(int) {}
#endif
int watched(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
#ifdef SHARED
  watch(done);
#endif
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}

// With no word of the variable's own under a condition.
#ifdef SHARED
static void keep(const int &) {}
#define PLACE_OF &
#else
static void keep(int) {}
#define PLACE_OF
#endif
int keptByFunction(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
  keep(done);
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}
int keptByMacro(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
  long place = (long)PLACE_OF done;
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step + (place != 0);
}
int keptByOneToken(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
  const int
#ifdef SHARED
      &
#endif
      last = done;
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step + last;
}
int keptByCopyOfAnotherName(float *a, float *b, int n, int steps) {
#define LAST &last
  int done = 0, step = 0;
#ifdef SHARED
  const int LAST = done;
#endif
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}
int keptByValueOfAssignment(float *a, float *b, int n, int steps) {
  int done, step = 0;
  keep(done = 0);
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}
#ifdef SHARED
struct Part {
  const int &value;
};
#define WATCH(x) keep(x)
#define REMEMBER() keep(done)
#define TWICE for (int i = 0; i < 2; ++i)
#else
struct Part {
  int value;
};
#define WATCH(x) (void)(x)
#define REMEMBER()
#define TWICE
#endif
int keptInList(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
  Part part = {done};
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step + part.value;
}
int keptByMacroThatCalls(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
  WATCH(done);
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}
int keptByMacroThatNames(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
  REMEMBER();
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}
int keptForTheNextTime(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
  TWICE {
    // CHECK: :[[@LINE+1]]:5: remark: {{.*}} another build
    for (; step < steps && !done; ++step) {
      relax<<<n / 256, 256>>>(a, b, n);
      cudaDeviceSynchronize();
      std::swap(a, b);
    }
#ifdef SHARED
    share(&done);
#endif
  }
  return step;
}
// Behind the loop nobody gives it away for that.
int keptBehind(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
  // CHECK: :[[@LINE+1]]:3: warning:
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
#ifdef SHARED
  share(&done);
#endif
  return step;
}

// A reference there, by its type's name.
#ifdef SHARED
typedef int &Flag;
using Count = int &;
#define NUMBER int &
#else
typedef int Flag;
using Count = int;
#define NUMBER int
#endif
int byTypedef(float *a, float *b, int n, int steps, Flag done) {
  int step = 0;
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}
void byUsing(float *a, float *b, int n, int steps, Count step) {
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
}
void byMacro(float *a, float *b, int n, int steps, NUMBER step) {
  // CHECK: :[[@LINE+1]]:3: remark: {{.*}} another build
  for (; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
}

// What is only told, or set, is not given away.
int told(float *a, float *b, int n, int steps) {
  int done = 0, step = 0;
#ifdef TELL
  if (done < 1)
    printf("%d of %d\n", done, steps);
  done = 0;
#endif
  // CHECK: :[[@LINE+1]]:3: warning:
  for (; step < steps && !done; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
  return step;
}
