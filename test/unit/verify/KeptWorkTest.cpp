// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/KeptWork.h"
#include "Unit.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static const char *const Whole = R"(
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
}
void run(int *a, int *b) { k<<<1, 32>>>(a, b); }
)";

static std::vector<std::string> lost(const std::string &Before,
                                     const std::string &After) {
  std::vector<std::string> Texts;
  for (const LostWork &L : findLostWork(workOf(programOf(parseUnit(Before))),
                                        workOf(programOf(parseUnit(After)))))
    Texts.push_back(L.Text);
  return Texts;
}

static std::vector<std::string> lost(const std::string &After) {
  return lost(Whole, After);
}

TEST(KeptWork, NothingChanges) { EXPECT_THAT(lost(Whole), IsEmpty()); }

TEST(KeptWork, AStepKeepsIt) {
  EXPECT_THAT(lost(R"(
__device__ void k_step(int *a, int *b) {
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
}
__global__ void k(int *a, int *b) { k_step(a, b); }
__global__ void persistent(int *a, int *b) { k_step(a, b); k_step(a, b); }
void run(int *a, int *b) { k<<<1, 32>>>(a, b); }
)"),
              IsEmpty());
}

TEST(KeptWork, AWriteIsLost) {
  EXPECT_THAT(lost(R"(
__global__ void k(int *a, int *b) { a[threadIdx.x] = 1; }
void run(int *a, int *b) { k<<<1, 32>>>(a, b); }
)"),
              ElementsAre(HasSubstr("launches 'k' without the rest")));
  EXPECT_THAT(lost("__global__ void other() {}"),
              ElementsAre(HasSubstr("lacks the kernel 'k'")));
}

TEST(KeptWork, WhatAMemberRefersToIsNoLocal) {
  const std::string Types = R"(
struct Out { int &cell; int own; };
)";
  EXPECT_THAT(lost(Types + R"(
__global__ void k(Out p) { p.cell = 1; }
void run(Out p) { k<<<1, 32>>>(p); }
)",
                   Types + R"(
__global__ void k(Out p) { p.own = 1; }
void run(Out p) { k<<<1, 32>>>(p); }
)"),
              ElementsAre(HasSubstr("launches 'k' without the rest")));
  EXPECT_THAT(lost(Types + R"(
__global__ void k(Out p) { p.own = 1; }
void run(Out p) { k<<<1, 32>>>(p); }
)",
                   Types + R"(
__global__ void k(Out p) {}
void run(Out p) { k<<<1, 32>>>(p); }
)"),
              IsEmpty());
}

static const char *const Halves = R"(
__device__ void k_step(int *a, int *b) { a[threadIdx.x] = 1; }
__global__ void k(int *a, int *b) { k_step(a, b); }
__global__ void k_rest(int *a, int *b) { b[threadIdx.x] = 2; }
)";

TEST(KeptWork, ACutKernelIsLaunchedWithItsRest) {
  const std::string Cut = Halves;
  EXPECT_THAT(lost(Cut + R"(
void run(int *a, int *b) {
  k<<<1, 32>>>(a, b);
  k_rest<<<1, 32>>>(a, b);
})"),
              IsEmpty());
  EXPECT_THAT(lost(Cut + R"(
void run(int *a, int *b) {
  k<<<1, 32>>>(a, b);
  k<<<1, 32>>>(a, b);
  k_rest<<<1, 32>>>(a, b);
})"),
              ElementsAre(HasSubstr("without the rest")));
  EXPECT_THAT(lost(Cut + R"(
void *address() { return (void *)k; }
)"),
              ElementsAre(HasSubstr("address of 'k'")));
}

TEST(KeptWork, ACutKernelIsNoStep) {
  EXPECT_THAT(
      lost(std::string(Halves) + R"(
__global__ void persistent(int *a, int *b) { k_step(a, b); }
)"),
      ElementsAre(HasSubstr("part of the work of 'k' in 'persistent'")));
}

TEST(KeptWork, ANewKernelRunsWholeInstances) {
  const std::string Launches = R"(
void run(int *a, int *b) {
  k<true><<<1, 32>>>(a, b);
  k<false><<<1, 32>>>(a, b);
})";
  const std::string Old = R"(
template <bool Both> __global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;
  if constexpr (Both) b[threadIdx.x] = 2;
})" + Launches;
  const std::string Steps = R"(
__device__ void second_step(int *b) { b[threadIdx.x] = 2; }
template <bool Both> __device__ void k_step(int *a, int *b) {
  a[threadIdx.x] = 1;
  if constexpr (Both) second_step(b);
}
template <bool Both> __global__ void k(int *a, int *b) { k_step<Both>(a, b); }
)" + Launches;
  const auto Lost = [&](const std::string &Body) {
    return lost(Old, Steps + "__global__ void persistent(int *a, int *b) {" +
                         Body + "}");
  };
  EXPECT_THAT(Lost("k_step<true>(a, b); k_step<false>(a, b);"), IsEmpty());
  EXPECT_THAT(Lost("k_step<false>(a, b);"), IsEmpty());
  EXPECT_THAT(Lost("second_step(b);"),
              ElementsAre(HasSubstr("part of the work of 'k' in")));
}

TEST(KeptWork, NothingOvertakesWhatIsHeldBack) {
  const std::string Runtime = R"(
namespace barricade {
struct ReplayedLaunches {
  template <typename... T> void launch(void (*K)(int *, int *), T... V) { K<<<1, 1>>>(V...); }
  void flush() { cudaGetLastError(); }
};
}
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
}
void clear(int *a) { cudaMemset(a, 0, 4); }
int half(int n) { return n / 2; }
void unseen(int *a);
[[noreturn]] void fail();
struct Watcher { virtual void look() {} };
void run(int *a, int n, Watcher &w) {
)";
  EXPECT_THAT(lost(Runtime + R"(
  k<<<1, 32>>>(a, a);
  barricade::ReplayedLaunches replay;
  for (int i = 0; i < half(n); ++i) {
    replay.launch(k, a, a);
    if (cudaGetLastError())
      return;
    if (cudaGetLastError())
      fail();
  }
  replay.flush();
  k<<<1, 32>>>(a, a);
  clear(a);
})"),
              IsEmpty());
  EXPECT_THAT(lost(Runtime + R"(
  barricade::ReplayedLaunches replay;
  for (int i = 0; i < n; ++i) {
    replay.launch(k, a, a);
    if (i == 5) {
      replay.flush();
      k<<<1, 32>>>(a, a);
      if (n)
        clear(a);
    }
  }
  replay.flush();
})"),
              IsEmpty());
  for (const char *Overtaking :
       {"k<<<1, 32>>>(a, a);", "clear(a);", "if (n) cudaMemset(a, 0, 4);",
        "unseen(a);", "w.look();", "if (n) { replay.flush(); } clear(a);",
        "if (n) { replay.flush(); replay.launch(k, a, a); clear(a); }",
        "void (*p)(int *) = clear; p(a);"})
    EXPECT_THAT(lost(Runtime + R"(
  barricade::ReplayedLaunches replay;
  replay.launch(k, a, a);
)" + Overtaking +
                     R"(
  replay.flush();
})"),
                ElementsAre(HasSubstr("before launches that are held back")))
        << Overtaking;
}

TEST(KeptWork, NothingElseIsInALoopThatTheDeviceGoesAround) {
  const std::string Runtime = R"(
namespace barricade {
template <typename> struct LoopedLaunches {
  void next() {}
  template <typename... T> void launch(void (*K)(int *, int *), T... V) { K<<<1, 1>>>(V...); }
  int memcpy(int *) { return cudaMemset(nullptr, 0, 4); }
};
struct Takeover {
  bool is_due() { return false; }
};
}
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
}
void clear(int *a) { cudaMemset(a, 0, 4); }
void run(int *a, int n) {
)";
  const std::string Takeover = R"(
  barricade::Takeover takeover;
  do {
    if (takeover.is_due()) {
      k<<<1, 32>>>(a, a);
      break;
    }
)";
  const auto Looped = [&](llvm::StringRef Else,
                          llvm::StringRef Begin = "do {") {
    return lost(Runtime + R"(
  clear(a);
  barricade::LoopedLaunches<int> looped;
)" + Begin.str() +
                R"(
    looped.next();
    looped.launch(k, a, a);
    looped.memcpy(&n);
)" + Else.str() +
                R"(
  } while (n);
  clear(a);
  k<<<1, 32>>>(a, a);
})");
  };
  EXPECT_THAT(Looped("++n;"), IsEmpty());
  EXPECT_THAT(Looped("++n;", Takeover), IsEmpty());
  for (const char *Else :
       {"clear(a);", "k<<<1, 32>>>(a, a);", "if (n) cudaMemset(a, 0, 4);"})
    for (llvm::StringRef Begin :
         {llvm::StringRef("do {"), llvm::StringRef(Takeover)})
      EXPECT_THAT(Looped(Else, Begin),
                  ElementsAre(HasSubstr("before launches that are held back")))
          << Else;
}

TEST(KeptWork, WhatOverlapsWaitsFirst) {
  const std::string Runtime = R"(
namespace barricade {
__device__ void wait_for_previous_grid() {}
template <bool> struct BasicOverlappedLaunches {
  template <typename... T> void launch(void (*)(int *, int *), T...) {}
};
using OverlappedLaunches = BasicOverlappedLaunches<true>;
}
)",
                    Launch = R"(
void run(int *a, int *b) {
  barricade::OverlappedLaunches().launch(k, 1, 32, 0, 0, a, b);
}
)";
  EXPECT_THAT(lost(Runtime + R"(
__global__ void k(int *a, int *b) {
  barricade::wait_for_previous_grid();
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
}
)" + Launch),
              IsEmpty());
  EXPECT_THAT(lost(Runtime + R"(
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;
  barricade::wait_for_previous_grid();
  b[threadIdx.x] = 2;
}
)" + Launch),
              ElementsAre(HasSubstr("starts 'k', which does not wait")));
  // By assembly of its own; a function may be anything.
  EXPECT_THAT(lost(Runtime + R"(
__global__ void k(int *a, int *b) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
}
)" + Launch),
              IsEmpty());
  EXPECT_THAT(lost(Runtime + R"(
__device__ void cudaGridDependencySynchronize() {}
__global__ void k(int *a, int *b) {
  cudaGridDependencySynchronize();
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
}
)" + Launch),
              ElementsAre(HasSubstr("starts 'k', which does not wait")));
}
