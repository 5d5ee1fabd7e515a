// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that launch kernels other than by a statement of their own: refused,
// with the reason at the call.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++20 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not="could become" %s < %t.out

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }

//===--- In a function --------------------------------------------------------//

void callsLambda(int *p, int n) {
  auto step = [&](int t) { add<<<4, 64>>>(p, t); };
  for (int t = 0; t < n; ++t)
    step(t);
}
// CHECK: :[[#@LINE-3]]:3: remark: for loop of kernel launches cannot become
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [launch-in-call]

void callsGenericLambda(int *p, int n) {
  auto step = [=](auto t) { add<<<4, 64>>>(p, t); };
  int t = 0;
  while (t < n)
    step(t++);
}
// CHECK: :[[#@LINE-2]]:5: note: {{.*}} [launch-in-call]

void callsLambdaAtOnce(int *p, int n) {
  for (int t = 0; t < n; ++t)
    [&] { add<<<4, 64>>>(p, t); }();
}
// CHECK: :[[#@LINE-2]]:5: note: {{.*}} [launch-in-call]

static void launchAdd(int *p, int t) { add<<<4, 64>>>(p, t); }
static void launchTwice(int *p, int t) {
  launchAdd(p, t);
  launchAdd(p, t);
}
void callsFunction(int *p, int n) {
  for (int t = 0; t < n; ++t)
    launchTwice(p, t);
}
// CHECK: :[[#@LINE-2]]:5: note: {{.*}} [launch-in-call]

void isRecursive(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    isRecursive(p, n - 1);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [launch-in-call]

struct Solver {
  int *p;
  void step(int t) const { add<<<4, 64>>>(p, t); }
  void operator()(int t) const { step(t); }
};
void callsMembers(const Solver &solver, int n) {
  for (int t = 0; t < n; ++t)
    solver.step(t);
  for (int t = 0; t < n; ++t)
    solver(t);
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [launch-in-call]
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [launch-in-call]

static void elsewhere(int);
void callsOthers(int n) {
  for (int t = 0; t < n; ++t)
    elsewhere(t);
}
static void elsewhere(int) {}
// CHECK-NOT: :[[#@LINE-4]]:{{.*}} [launch-in-call]

//===--- By the runtime -------------------------------------------------------//

void callsRuntime(int *p, int n) {
  int t = 0;
  void *arguments[] = {&p, &t};
  for (; t < n; ++t)
    cudaLaunchKernel((const void *)add, dim3(4), dim3(64), arguments, 0, 0);
}
// CHECK: :[[#@LINE-2]]:5: note: {{.*}} [runtime-launch]

#define CHECK(call)                                                            \
  if (cudaError_t error = (call); error != cudaSuccess)                        \
    return error;
cudaError_t callsCooperative(int *p, int n) {
  int t = 0;
  void *arguments[] = {&p, &t};
  for (; t < n; ++t)
    CHECK(cudaLaunchCooperativeKernel((const void *)add, dim3(4), dim3(64),
                                      arguments, 0, 0))
  return cudaSuccess;
}
// CHECK: :[[#@LINE-5]]:3: remark: for loop of kernel launches cannot become

//===--- In an expression -----------------------------------------------------//

void joinsByComma(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t), add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:5: note: {{.*}} [launch-in-expression]

void launchesInHeader(int *p, int n) {
  for (int t = 0; t < n; ++t, add<<<4, 64>>>(p, t))
    ;
}
// CHECK: :[[#@LINE-3]]:31: note: {{.*}} [launch-in-expression]

void chooses(int *p, int n, bool twice) {
  for (int t = 0; t < n; ++t)
    twice ? add<<<4, 64>>>(p, t) : add<<<4, 64>>>(p, 2 * t);
}
// CHECK: :[[#@LINE-2]]:13: note: {{.*}} [launch-in-expression]

//===--- Constants of this function's -----------------------------------------//

consteval int twice(int n) { return 2 * n; }
void computesFromLocal(int *p) {
  constexpr int half = 50;
  for (int t = 0; t < twice(half); ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:23: note: {{.*}} [host-call]

//===--- By objects, pointers and what an instance calls ----------------------//

struct Begins {
  Begins(int *p, int by) { add<<<4, 64>>>(p, by); }
};
struct Ends {
  int *p;
  ~Ends() { add<<<4, 64>>>(p, 1); }
};
void launchOne(int *p, int by) { add<<<4, 64>>>(p, by); }
void begins(int *p, int n) {
  for (int t = 0; t < n; ++t)
    Begins(p, t);
}
// CHECK: :[[#@LINE-3]]:3: remark: for loop of kernel launches cannot become
void ends(int *p, int n) {
  for (int t = 0; t < n; ++t)
    Ends each{p};
}
// CHECK: :[[#@LINE-3]]:3: remark: for loop of kernel launches cannot become
void pointer(int *p, int n) {
  void (*const launch)(int *, int) = launchOne;
  for (int t = 0; t < n; ++t)
    launch(p, t);
}
// CHECK: :[[#@LINE-3]]:3: remark: for loop of kernel launches cannot become
void either(int *p, int n) {
  for (int t = 0; t < n; ++t)
    (t & 1 ? launchOne : launchOne)(p, t);
}
// CHECK: :[[#@LINE-3]]:3: remark: for loop of kernel launches cannot become
template <class F> void repeat(int n, F f) {
  for (int t = 0; t < n; ++t)
    f(t);
}
void repeats(int *p, int n, int &sum) {
  repeat(n, [=](int t) { add<<<4, 64>>>(p, t); });
  repeat(n, [=](int t) { add<<<4, 64>>>(p, 2 * t); });
  repeat(n, [&](int t) { sum += t; });
}
// CHECK: :[[#@LINE-8]]:3: remark: for loop of kernel launches cannot become
// CHECK-NOT: :[[#@LINE-9]]:3: remark
// CHECK-NOT: noLaunches
void noLaunches(int *p, int n) {
  void (*const other)(int *, int) = nullptr;
  for (int t = 0; t < n; ++t)
    other(p, t);
}
