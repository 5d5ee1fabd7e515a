// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What repeats launches without for, while or do, or calls them by what only the
// run knows: refused, with the reason where it is. Code that repeats nothing gets
// no reason.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++20 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not="could become" --implicit-check-not=" cannot become" %s < %t.out

#include <algorithm>
#include <functional>
#include <future>
#include <pthread.h>
#include <thread>
#include <variant>
#include <vector>

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }

//===--- By threads of the host -----------------------------------------------//

void *inThread(void *) {
  add<<<4, 64>>>(nullptr, 1);
  return nullptr;
}
struct Visitor {
  void operator()(int by) { add<<<4, 64>>>(nullptr, by); }
  void operator()(float) {}
};

void byThreads(int *p, int n, std::variant<int, float> *numbers) {
  std::vector<std::thread> threads;
  const auto step = [=] { add<<<4, 64>>>(p, n); };
  for (int t = 0; t < n; ++t)
    threads.emplace_back(step);
  // CHECK: :[[#@LINE-2]]:3: remark: for loop of kernel launches cannot become
  // CHECK: :[[#@LINE-2]]:5: note: {{.*}} [launch-in-call]
  for (int t = 0; t < n; ++t)
    threads[t] = std::thread(step);
  // CHECK: :[[#@LINE-2]]:3: remark: for loop of kernel launches cannot become
  for (int t = 0; t < n; ++t)
    std::async(std::launch::async, step);
  // CHECK: :[[#@LINE-2]]:3: remark: for loop of kernel launches cannot become
  for (int t = 0; t < n; ++t)
    pthread_create(nullptr, nullptr, inThread, nullptr);
  // CHECK: :[[#@LINE-2]]:3: remark: for loop of kernel launches cannot become
  for (int t = 0; t < n; ++t)
    std::visit(Visitor{}, numbers[t]);
  // CHECK: :[[#@LINE-2]]:3: remark: for loop of kernel launches cannot become
  for (auto &thread : threads)
    thread.join();
  for (int t = 0; t < n; ++t)
    threads.emplace_back([=] { *p = n; });
}

//===--- In initialisers ------------------------------------------------------//

struct Launcher {
  int count;
  Launcher(int *p, int n) : count([=] {
    for (int t = 0; t < n; ++t)
      add<<<4, 64>>>(p, t);
    return n;
  }()) {}
};
// CHECK: :[[#@LINE-5]]:5: remark: for loop of kernel launches cannot become
// CHECK: :[[#@LINE-6]]:5: note: {{.*}} [in-lambda]
struct OfMember {
  int count = [] {
    add<<<4, 64>>>(nullptr, 1);
    return 1;
  }();
  int more;
  OfMember() : more(2) {}
};
struct Counter {
  int count = 1;
  int more;
  Counter() : more(2) {}
};
void makesLaunchers(int *p, int n) {
  for (int t = 0; t < n; ++t)
    Launcher(p, t);
  for (int t = 0; t < n; ++t)
    OfMember made;
  for (int t = 0; t < n; ++t)
    Counter made;
}
// CHECK: :[[#@LINE-7]]:3: remark: for loop of kernel launches cannot become
// CHECK: :[[#@LINE-6]]:3: remark: for loop of kernel launches cannot become

// By what declarations say, of arguments and of members.
int launchesOne() {
  add<<<4, 64>>>(nullptr, 1);
  return 1;
}
int takes(int count = launchesOne()) { return count; }
int takesNumber(int count = 1) { return count; }
struct Aggregate {
  int more;
  int count = launchesOne();
};
struct Inherits : Launcher {
  using Launcher::Launcher;
};
int calls() { return takes(); }
void byDeclarations(int *p, int n, int &sum) {
  for (int t = 0; t < n; ++t)
    sum += calls();
  for (int t = 0; t < n; ++t)
    sum += Aggregate{t}.count;
  for (int t = 0; t < n; ++t)
    Inherits(p, t);
  for (int t = 0; t < n; ++t)
    sum += takes(2) + takesNumber() + Aggregate{t, 2}.count;
}
// CHECK: :[[#@LINE-9]]:3: remark: for loop of kernel launches cannot become
// CHECK: :[[#@LINE-8]]:3: remark: for loop of kernel launches cannot become
// CHECK: :[[#@LINE-7]]:3: remark: for loop of kernel launches cannot become

//===--- By goto --------------------------------------------------------------//

void jumpsBack(int *p, int n) {
  int t = 0;
again:
  add<<<4, 64>>>(p, t);
  if (++t < n)
    goto again;
}
// CHECK: :[[#@LINE-5]]:1: remark: goto loop of kernel launches cannot become
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [goto-loop]

void jumpsInGenericLambda(int *p, int n) {
  const auto adds = [&](auto by) {
    int t = 0;
  again:
    add<<<4, 64>>>(p, by);
    if (++t < n)
      goto again;
  };
  adds(1);
  adds(2L);
}
// CHECK: :[[#@LINE-8]]:3: remark: goto loop of kernel launches cannot become
// CHECK: :[[#@LINE-6]]:7: note: {{.*}} [goto-loop]

void jumpsForward(int *p, int n) {
  if (n < 0)
    goto done;
  add<<<4, 64>>>(p, n);
done:
  add<<<4, 64>>>(p, 1);
}

void cleansUp(int *p, int n) {
  goto begin;
fail:
  delete p;
  return;
begin:
  add<<<4, 64>>>(p, n);
  if (n < 0)
    goto fail;
}

void retries(int *p, int n) {
  int t = 0;
ask:
  if (++t < n)
    goto ask;
  add<<<4, 64>>>(p, t);
}

// The round of a loop by a keyword is that loop's.
void jumpsWithinLoop(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    if (t & 1)
      goto next;
    add<<<4, 64>>>(p, t);
  next:;
  }
}
// CHECK: :[[#@LINE-7]]:3: remark: for loop of kernel launches cannot become
// CHECK: :[[#@LINE-6]]:7: note: {{.*}} [jump]
void retriesWithinLoop(int *p, int n) {
  for (int t = 0; t < n; ++t) {
  ask:
    if (++n < t)
      goto ask;
    add<<<4, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-7]]:3: remark: for loop of kernel launches cannot become
// CHECK-NOT: [goto-loop]
// CHECK: :[[#@LINE-8]]:3: note: {{.*}} [jump]
// CHECK-NOT: [goto-loop]

void jumpsAroundLoop(int *p, int n) {
  int k = 0;
again:
  for (int t = 0; t < k; ++t)
    add<<<4, 64>>>(p, t);
  if (++k < n)
    goto again;
}
// CHECK: :[[#@LINE-6]]:1: remark: goto loop of kernel launches cannot become
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [goto-loop]
// CHECK: :[[#@LINE-7]]:3: warning: for loop of kernel launches can become

void jumpsByAddress(int *p, int n) {
  void *const next[] = {&&done, &&again};
  int t = 0;
again:
  add<<<4, 64>>>(p, t);
  goto *next[++t < n];
done:;
}
// CHECK: :[[#@LINE-5]]:1: remark: goto loop of kernel launches cannot become
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [goto-loop]

void jumpsInLambda(int *p, int n) {
  auto all = [&](int t) {
  again:
    add<<<4, 64>>>(p, t);
    if (++t < n)
      goto again;
  };
  all(0);
}
// CHECK: :[[#@LINE-7]]:3: remark: goto loop of kernel launches cannot become
// CHECK: :[[#@LINE-5]]:7: note: {{.*}} [goto-loop]

template <class T> void jumpsInTemplate(int *p, T n) {
  T t = 0;
again:
  add<<<4, 64>>>(p, t);
  if (++t < n)
    goto again;
}
template void jumpsInTemplate(int *, int);
template void jumpsInTemplate(int *, long);
// CHECK: :[[#@LINE-7]]:1: remark: goto loop of kernel launches cannot become
// CHECK: :[[#@LINE-5]]:5: note: {{.*}} [goto-loop]

//===--- By the library -------------------------------------------------------//

void launchOne(int by);
static int *global;
void launchGlobal(int by) { add<<<4, 64>>>(global, by); }
void forEach(int *p, const std::vector<int> &steps, int &sum) {
  std::for_each(steps.begin(), steps.end(),
                [&](int t) { add<<<4, 64>>>(p, t); });
  // CHECK: :[[#@LINE-2]]:3: remark: repeated call of kernel launches cannot become
  // CHECK: :[[#@LINE-3]]:3: note: {{.*}} [library-loop]
  std::for_each_n(steps.begin(), 3, [&](int t) { add<<<4, 64>>>(p, t); });
  // CHECK: :[[#@LINE-1]]:3: {{.*}} cannot become
  // CHECK: :[[#@LINE-2]]:3: note: {{.*}} [library-loop]
  std::ranges::for_each(steps, [&](int t) { add<<<4, 64>>>(p, t); });
  // CHECK: :[[#@LINE-1]]:3: {{.*}} cannot become
  // CHECK: :[[#@LINE-2]]:3: note: {{.*}} [library-loop]
  const auto launch = [&](int t) { add<<<4, 64>>>(p, t); };
  std::for_each(steps.begin(), steps.end(), launch);
  // CHECK: :[[#@LINE-1]]:3: {{.*}} cannot become
  // CHECK: :[[#@LINE-2]]:3: note: {{.*}} [library-loop]
  const std::function<void(int)> held = launch;
  std::for_each(steps.begin(), steps.end(), held);
  // CHECK: :[[#@LINE-1]]:3: {{.*}} cannot become
  // CHECK: :[[#@LINE-2]]:3: note: {{.*}} [library-loop]
  std::for_each(steps.begin(), steps.end(), launchGlobal);
  // CHECK: :[[#@LINE-1]]:3: {{.*}} cannot become
  // CHECK: :[[#@LINE-2]]:3: note: {{.*}} [library-loop]
  std::for_each(steps.begin(), steps.end(), [&](int t) { sum += t; });
  std::invoke(launch, 3);
  held(3);
}

//===--- By what is known at run time -----------------------------------------//

void byFunction(int *p, int n, int &sum) {
  std::function<void(int)> step = [&](int t) { add<<<4, 64>>>(p, t); };
  for (int t = 0; t < n; ++t)
    step(t);
  // CHECK: :[[#@LINE-2]]:3: remark: for loop of kernel launches cannot become
  // CHECK: :[[#@LINE-2]]:5: note: {{.*}} [launch-in-call]
  std::function<void(int)> count = [&](int t) { sum += t; };
  for (int t = 0; t < n; ++t)
    count(t);
  for (int t = 0; t < n; ++t)
    std::invoke(step, t);
  // CHECK: :[[#@LINE-2]]:3: remark: for loop of kernel launches cannot become
  // CHECK: :[[#@LINE-2]]:5: note: {{.*}} [launch-in-call]
}
void byParameter(const std::function<void(int)> &step, int n) {
  for (int t = 0; t < n; ++t)
    step(t);
}
// CHECK: :[[#@LINE-3]]:3: remark: for loop of kernel launches cannot become
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [launch-in-call]
void byOtherParameter(const std::function<void(long)> &step, int n) {
  for (int t = 0; t < n; ++t)
    step(t);
}
void byElement(int *p, int n) {
  std::vector<std::function<void()>> steps;
  steps.emplace_back([=] { add<<<4, 64>>>(p, n); });
  for (const auto &step : steps)
    step();
}
// CHECK: :[[#@LINE-3]]:3: remark: range-for loop of kernel launches cannot become
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [host-statement]

struct Step {
  virtual void run(int t) = 0;
  virtual void count(int t) = 0;
};
struct Add : Step {
  int *p;
  void run(int t) override { add<<<4, 64>>>(p, t); }
  void count(int) override {}
};
void byMethod(Step &step, int n) {
  for (int t = 0; t < n; ++t)
    step.run(t);
  for (int t = 0; t < n; ++t)
    step.count(t);
}
// CHECK: :[[#@LINE-5]]:3: remark: for loop of kernel launches cannot become
// CHECK: :[[#@LINE-5]]:5: note: {{.*}} [launch-in-call]

void takePointer(void (*step)(int), int n) {
  for (int t = 0; t < n; ++t)
    step(t);
}
void takeOther(int (*step)(int), int n) {
  for (int t = 0; t < n; ++t)
    step(t);
}
// CHECK: :[[#@LINE-7]]:3: remark: for loop of kernel launches cannot become
// CHECK: :[[#@LINE-7]]:5: note: {{.*}} [launch-in-call]

//===--- By recursion ---------------------------------------------------------//

void halves(int *p, int n) {
  if (n > 1) {
    halves(p, n / 2);
    halves(p, n - n / 2);
  }
  add<<<4, 64>>>(p, n);
}
// CHECK: :[[#@LINE-5]]:5: remark: repeated call of kernel launches cannot become
// CHECK: :[[#@LINE-6]]:5: note: {{.*}} [recursive-launch]
// CHECK: :[[#@LINE-6]]:5: note: {{.*}} [recursive-launch]

static void pong(int *p, int n);
static void ping(int *p, int n) {
  if (n)
    pong(p, n - 1);
}
static void pong(int *p, int n) {
  launchGlobal(n);
  ping(p, n);
}
void plays(int *p, int n) { ping(p, n); }
// CHECK: :[[#@LINE-7]]:5: remark: repeated call of kernel launches cannot become
// CHECK: :[[#@LINE-8]]:5: note: {{.*}} [recursive-launch]
// CHECK: :[[#@LINE-5]]:3: note: {{.*}} [recursive-launch]

void lambdas(int *p, int n) {
  std::function<void(int)> down = [&](int t) {
    add<<<4, 64>>>(p, t);
    if (t)
      down(t - 1);
  };
  down(n);
}
// CHECK: :[[#@LINE-4]]:7: remark: repeated call of kernel launches cannot become
// CHECK: :[[#@LINE-5]]:7: note: {{.*}} [recursive-launch]

void passesItself(int *p, int n) {
  auto down = [&](auto &self, int t) -> void {
    add<<<4, 64>>>(p, t);
    if (t)
      self(self, t - 1);
  };
  down(down, n);
}
// CHECK: :[[#@LINE-4]]:7: remark: repeated call of kernel launches cannot become
// CHECK: :[[#@LINE-5]]:7: note: {{.*}} [recursive-launch]

static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
void launchesProduct(int *p, int n) { add<<<4, 64>>>(p, factorial(n)); }
