// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host calls among launches: functions in sight that do no more than
// may stand there themselves, the library's streams, clocks and numbers.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay
// RUN: grep -c 'replay[0-9]*\.launch(' %t.cu | FileCheck --check-prefix=COUNT %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can be made' --implicit-check-not=' error: ' %s
//
// COUNT: {{^}}8{{$}}

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <thread>
#include <utility>

__global__ void relax(float *to, const float *from, int n, float w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = w * (from[i - 1] + from[i + 1]);
}

float weight;

void advance(float &w, float by) {
  w += by;
  weight = w;
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void advances(float *a, float *b, int n, int steps, float w) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n, w);
    advance(w, 0.5f);
    std::swap(a, b);
  }
}
struct Solver {
  float *a, *b;
  float w;
  void turn() {
    float *other = a;
    a = b;
    b = other;
  }
  // CHECK: :[[@LINE+2]]:5: warning: {{.*}} can be made
  void run(int n, int steps) {
    for (int t = 0; t < steps; ++t) {
      relax<<<n / 256, 256>>>(a, b, n, w);
      turn();
      w *= 0.5f;
    }
  }
};
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void prints(float *a, float *b, int n, int steps, float w) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n, w);
    w *= 0.5f;
    if (t % 100 == 0)
      std::cout << "step " << std::setw(6) << t << std::fixed << w << std::endl;
    fprintf(stderr, "\r%d", t);
    fflush(stdout);
    std::swap(a, b);
  }
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
double measures(float *a, float *b, int n, int steps, float w) {
  for (int t = 0; t < steps; ++t) {
    auto begin = std::chrono::steady_clock::now();
    relax<<<n / 256, 256>>>(a, b, n, w);
    auto end = std::chrono::steady_clock::now();
    w += std::chrono::duration<float, std::micro>(end - begin).count();
    std::swap(a, b);
  }
  return w;
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void randomises(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    float w = rand() / float(RAND_MAX);
    relax<<<n / 256, 256>>>(a, b, n, w);
    std::swap(a, b);
  }
}
// CHECK: :[[@LINE+3]]:3: warning: {{.*}} can be made
void shrinks(float *a, float *b, int n, int steps, float w) {
  dim3 grid;
  for (int t = 0; t < steps; ++t) {
    grid = dim3(n / 256 - t);
    relax<<<grid, 256>>>(a, b, n, w);
    w *= 0.5f;
    std::swap(a, b);
  }
}
void tell(const char *what) { std::cerr << what << '\n'; }
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void tells(float *a, float *b, int n, int steps, float w) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n, w);
    tell("step");
    w *= 0.5f;
    std::swap(a, b);
  }
}
template <typename T> struct Kept {
  T held;
};
struct Counted {
  ~Counted() { weight += 1; }
};
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void forgets(float *a, float *b, int n, int steps, Kept<Counted> *kept) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n, weight);
    kept[t].~Kept();
    std::swap(a, b);
  }
}

//===--- Near misses --------------------------------------------------------===//

#define LOOP(what)                                                             \
  for (int t = 0; t < steps; ++t) {                                            \
    relax<<<n / 256, 256>>>(a, b, n, w);                                       \
    what;                                                                      \
    std::swap(a, b);                                                           \
  }

void wait(float &w) {
  w += 1;
  cudaDeviceSynchronize();
}
void waits(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(wait(w))
}
void launch(float *a, float *b) { relax<<<1, 1>>>(a, b, 1, 1); }
void launches(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [in-macro]
  LOOP(launch(a, b))
}
float clear(float *a) {
  cudaMemset(a, 0, 4);
  return 1;
}
void clears(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(w += clear(a))
}
float (*cleared)(float *) = clear;
float byPointer(float *a) { return cleared(a); }
void calls(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(w += byPointer(a))
}
int once() {
  static int value = cudaDeviceSynchronize();
  return value;
}
void begins(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(w += once())
}
struct Base {
  virtual void value() { weight += 1; }
};
void virtually(float *a, float *b, int n, int steps, float w, Base &base) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(base.value())
}
int odd(int n);
int even(int n) { return n ? odd(n - 1) : 1; }
int odd(int n) { return n ? even(n - 1) : 0; }
void recurs(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(w += even(t))
}
bool look(volatile int *flag) { return *flag; }
void looks(float *a, float *b, int n, int steps, float w, volatile int *flag) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(if (look(flag)) break)
}
bool spin(int *flag) {
  while (*flag == 0) {
  }
  return true;
}
void spins(float *a, float *b, int n, int steps, float w, int *flag) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(if (spin(flag)) break)
}
struct Loud {
  ~Loud() { cudaDeviceSynchronize(); }
};
void destroy() { Loud loud; }
void destroys(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(destroy())
}
void leave(int t) {
  if (t > 3)
    exit(1);
}
void leaves(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(leave(t))
}
// Another source may have one for the linker to take.
__attribute__((weak)) void count() { weight += 1; }
void counts(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(count())
}
// Not the library's.
extern "C" long random() noexcept __asm__("own_random");
extern "C" long lrand48() noexcept { return cudaDeviceSynchronize(); }
void labels(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(w += random())
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(w += lrand48())
}
template <typename T> struct Slot {
  T held;
};
template <typename T> void empty(Slot<T> &slot) { slot.~Slot(); }
void empties(float *a, float *b, int n, int steps, float w, Slot<Loud> *slots) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(slots[t].~Slot())
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(empty(slots[t]))
}
std::ostream &manipulate(std::ostream &out) {
  cudaDeviceSynchronize();
  return out;
}
void manipulates(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(std::cout << manipulate << t)
}
std::ostream &operator<<(std::ostream &out, Base &) { return manipulate(out); }
void printsOwn(float *a, float *b, int n, int steps, float w, Base &base) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(std::cout << t << base)
}
void printsElsewhere(float *a, float *b, int n, int steps, float w,
                     std::ostream &out) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(out << t)
}
void printsToFile(float *a, float *b, int n, int steps, float w, FILE *out) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(fprintf(out, "%d", t))
}
void flushesAll(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(fflush(nullptr))
}
void sleeps(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [between]
  LOOP(std::this_thread::sleep_for(std::chrono::seconds(1)))
}
float inner(float *a) {
  weight += 1;
#ifdef FAST
  cudaDeviceSynchronize();
#endif
  return weight;
}
float outer(float *a) { return inner(a) + 1; }
void othersWait(float *a, float *b, int n, int steps, float w) {
  // CHECK: :[[@LINE+1]]:{{.*}} [other-build]
  for (int t = 0; t < steps; ++t) {
    relax<<<n / 256, 256>>>(a, b, n, w);
    w += outer(a);
    std::swap(a, b);
  }
}
