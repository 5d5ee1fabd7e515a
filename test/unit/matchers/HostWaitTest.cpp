// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether some kernel of a unit waits for the host, and where.

#include "matchers/host/HostWait.h"
#include "HostSnippet.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace barricade;
using namespace barricade::host;

namespace {

const std::string Device = R"(
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __managed__ __attribute__((annotate("managed")))
extern const __device__ uint3 threadIdx, blockIdx, blockDim, gridDim;
__device__ void __threadfence();
__device__ void __threadfence_system();
__device__ void __syncthreads();
__device__ int atomicAdd(int *address, int value);
__device__ int atomicOr(int *address, int value);
__device__ int __ldcs(const int *);
__device__ int __ldlu(const int *);
__device__ int __ldca(const int *);
__device__ int atomicCAS(int *address, int compare, int value);
extern "C" cudaError_t cudaMallocManaged(void **, size_t);
)";

/// A part of libcu++.
const std::string Atomics = R"(
namespace cuda { namespace std {
template <typename T> struct atomic {
  __device__ void wait(T) const;
  __device__ void store(T);
  __device__ T load() const;
  __device__ bool compare_exchange_weak(T &expected, T desired);
  __device__ void notify_all();
};
template <long Most> struct counting_semaphore {
  __device__ bool try_acquire();
  __device__ bool try_acquire_for(int);
  __device__ bool try_acquire_until(int);
};
} }
)";

const std::string SharesMemory =
    "void share(void **p) { cudaMallocManaged(p, 4); }\n";

struct Asked {
  explicit Asked(const std::string &Text)
      : Code("#include \"/toolkit/device.h\"\n#include "
             "\"/toolkit/c++/atomic\"\n" +
                 Text,
             {{"device.h", Device}, {"c++/atomic", Atomics}}) {
    Whole.Passes.push_back(Code.pass());
    HostWaits Waits(Whole);
    Blocker Why;
    Why.Why.Id = "given";
    Answer = Waits.against(Why);
    EXPECT_EQ(Waits.against(Why).has_value(), Answer.has_value());
  }

  /// `line: what is read` of the loop; `none` where no kernel waits.
  std::string place() {
    if (!Answer)
      return "none";
    EXPECT_EQ(Answer->Why.Id, "given");
    EXPECT_EQ(Answer->Notes.size(), 1u);
    EXPECT_EQ(Answer->Notes.at(0).second,
              "the host may change what this reads");
    return tokenAt(Answer->Where) + ": " + tokenAt(Answer->Notes.at(0).first);
  }

  std::string tokenAt(clang::SourceLocation Where) {
    clang::ASTContext &Context = Code.context();
    return clang::Lexer::getSourceText(
               clang::CharSourceRange::getTokenRange(
                   Context.getSourceManager().getExpansionLoc(Where)),
               Context.getSourceManager(), Context.getLangOpts())
        .str();
  }

  test::HostSnippet Code;
  Program Whole;
  std::optional<Blocker> Answer;
};

bool waits(const std::string &Text) { return Asked(Text).Answer.has_value(); }
/// A kernel with the body.
std::string kernel(const std::string &Body) {
  return "__global__ void k(volatile int *go, int *x, int n) {\n" + Body +
         "\n}\n";
}
bool kernelWaits(const std::string &Body) { return waits(kernel(Body)); }

TEST(HostWait, SeesKernelsThatOnlyRead) {
  EXPECT_EQ(Asked(kernel("while (!*go) ;")).place(), "while: *");
  EXPECT_EQ(Asked(kernel("do ; while (go[n] != 1);")).place(), "do: go");
  EXPECT_TRUE(kernelWaits("for (;;) if (*go) break;"));
  EXPECT_TRUE(kernelWaits("again: if (!*go) goto again;"));
  EXPECT_TRUE(kernelWaits("while (!*x) __threadfence();"));
  EXPECT_TRUE(kernelWaits("while (!*x) __syncthreads();"));
  EXPECT_TRUE(kernelWaits("while (!*x) asm volatile(\"\" ::: \"memory\");"));
  EXPECT_TRUE(kernelWaits("while (atomicAdd(x, 0) == 0) ;"));
}

TEST(HostWait, LeavesLoopsThatEnd) {
  EXPECT_FALSE(kernelWaits("for (int i = 0; i < n; ++i) n += x[i] > 3;"));
  EXPECT_FALSE(kernelWaits("while (n > 0) n /= 2;"));
  EXPECT_FALSE(kernelWaits("if (*go) return;"));
  EXPECT_FALSE(kernelWaits("x[threadIdx.x] = 1;"));
  EXPECT_FALSE(waits("void f(volatile int *go) { while (!*go) ; }"));
}

// Loads with a hint for the caches are made each time.
TEST(HostWait, SeesHintedLoads) {
  for (const char *Load : {"__ldcs", "__ldlu", "__ldca"})
    EXPECT_TRUE(kernelWaits("while (!" + std::string(Load) + "(x)) ;")) << Load;
  EXPECT_FALSE(kernelWaits("int sum = 0; for (int i = 0; i < n; ++i) "
                           "sum += __ldcs(x + i); if (sum) return;"));
}

// What decides may go through the block's shared memory.
TEST(HostWait, FollowsSharedMemory) {
  EXPECT_TRUE(kernelWaits("__shared__ bool done; while (true) { "
                          "if (threadIdx.x == 0) done = *x; __syncthreads(); "
                          "if (done) break; __syncthreads(); }"));
  EXPECT_TRUE(kernelWaits("__shared__ int seen[2]; do { seen[1] = *x; "
                          "__syncthreads(); } while (!seen[0]);"));
  EXPECT_TRUE(kernelWaits("extern __shared__ int seen[]; do { seen[0] = *x; "
                          "__syncthreads(); } while (!seen[0]);"));
  EXPECT_TRUE(kernelWaits("__shared__ int seen; do { atomicOr(&seen, *x); "
                          "__syncthreads(); } while (!seen);"));
  EXPECT_FALSE(kernelWaits("__shared__ int sum; sum = n; do { "
                           "if (threadIdx.x == 0) sum /= 2; __syncthreads(); "
                           "} while (sum > 0);"));
}

// Nor does it matter by which parameter a function gives the value back.
TEST(HostWait, FollowsReferenceParameters) {
  const std::string Get =
      "__device__ void get(const int *p, int &out) { out = *p; }\n"
      "__device__ void halve(int &n) { n /= 2; }\n";
  EXPECT_TRUE(waits(Get + kernel("int v = 0; do { get(x, v); "
                                 "__syncthreads(); } while (v == 0);")));
  EXPECT_FALSE(waits(Get + kernel("int v = n; do { halve(v); "
                                  "__syncthreads(); } while (v != 0);")));
  EXPECT_FALSE(waits(Get + kernel("while (x[0] != 0) { halve(x[0]); "
                                  "__syncthreads(); }")));
}

// Whatever it does, it is not seen to write what is waited for.
TEST(HostWait, UnseenCallsAreNoWrites) {
  const std::string Pause = "extern __device__ void pause();\n";
  EXPECT_TRUE(waits(Pause + kernel("while (!*x) pause();")));
  EXPECT_TRUE(kernelWaits("while (!*x) asm volatile(\"pause;\" ::: "
                          "\"memory\");"));
  EXPECT_FALSE(waits(Pause + kernel("for (int i = 0; i < n; ++i) pause();")));
  EXPECT_FALSE(waits(Pause + kernel("while (n > 0) { n /= 2; pause(); }")));
}

// Writes to the block's own memory reach nobody outside.
TEST(HostWait, OwnMemoryIsNoSignal) {
  EXPECT_TRUE(kernelWaits("__shared__ int seen; seen = 0; "
                          "while (!*go) ++seen;"));
  EXPECT_TRUE(kernelWaits("int own[4] = {}; while (!*go) own[n & 3] = 1;"));
}

// A kernel that writes may wait for the grid's own locks by plain reads: those
// count once the host shares the memory.
TEST(HostWait, SharedMemoryHasAnyWaitCount) {
  const std::string Locks =
      kernel("x[0] = 1; while (x[1] == 0) __threadfence();");
  const std::string Polls = kernel("x[0] = 1; while (!*go) ;");
  EXPECT_TRUE(waits(SharesMemory + Locks));
  EXPECT_TRUE(waits(Polls));
  EXPECT_TRUE(waits(SharesMemory + Polls));
  EXPECT_FALSE(waits(SharesMemory + kernel("x[0] = 1;")));
  EXPECT_FALSE(waits(kernel("while (atomicCAS(x, 0, 1) != 0) ; x[1] = n;")));
  EXPECT_TRUE(waits(SharesMemory +
                    kernel("while (atomicCAS(x, 0, 1) != 0) ; x[1] = n;")));
}

TEST(HostWait, FollowsWhatKernelsCall) {
  const std::string Wait =
      "__device__ void wait(volatile int *p) { while (!*p) ; }\n";
  EXPECT_EQ(Asked(Wait + kernel("wait(go);")).place(), "while: *");
  EXPECT_TRUE(kernelWaits("auto wait = [&] { while (!*go) ; }; wait();"));
  EXPECT_TRUE(kernelWaits("auto wait = [](auto p) { while (!*p) ; }; "
                          "wait(go);"));
  // Another unit's kernel, or a library's, may call it.
  EXPECT_TRUE(waits(Wait));
}

TEST(HostWait, KnowsReferencesMacrosAndTemplates) {
  EXPECT_TRUE(waits("struct Flag { volatile int v; "
                    "__device__ bool up() const { return v != 0; } };\n"
                    "__global__ void k(Flag *f) { while (!f->up()) ; }"));
  EXPECT_TRUE(kernelWaits("volatile int &flag = go[0]; while (!flag) ;"));
  EXPECT_EQ(
      Asked("#define WAIT(p) while (!*(p)) {}\n" + kernel("WAIT(go)")).place(),
      "WAIT: WAIT");
  const std::string Pattern = "template <typename T> __global__ void k(T go) "
                              "{ while (!*go) ; }\n";
  EXPECT_TRUE(waits(Pattern + "void f(volatile int *p) { k<<<1, 1>>>(p); }"));
  EXPECT_FALSE(waits("template <bool Waits> __global__ void k(volatile int *g) "
                     "{ if constexpr (Waits) while (!*g) ; }\n"
                     "void f(volatile int *p) { k<false><<<1, 1>>>(p); }"));
}

TEST(HostWait, RecursionMayWait) {
  const std::string Recursive =
      "__device__ void ask(int *p) { __threadfence(); if (!*p) ask(p); }\n";
  EXPECT_TRUE(waits(Recursive + kernel("ask(x);")));
  EXPECT_TRUE(kernelWaits("auto ask = [&](auto self) -> void "
                          "{ if (!*go) self(self); }; ask(ask);"));
}

// What the host hands to a library's kernel runs on the device as well.
TEST(HostWait, SeesDeviceLambdasOfTheHost) {
  EXPECT_TRUE(waits("template <typename F> void each(F f) {}\n"
                    "void f(volatile int *p) "
                    "{ each([=] __device__ (int) { while (!*p) ; }); }"));
  EXPECT_FALSE(waits("template <typename F> void each(F f) {}\n"
                     "void f(volatile int *p) "
                     "{ each([=] (int) { while (!*p) ; }); }"));
}

TEST(HostWait, KnowsTheLibrarysWaits) {
  const auto Uses = [&](const std::string &Body) {
    return waits("__global__ void k(cuda::std::atomic<int> *a, "
                 "int *x) { x[0] = 1; " +
                 Body + " }");
  };
  EXPECT_TRUE(Uses("a->wait(0);"));
  EXPECT_FALSE(Uses("a->notify_all();"));
  EXPECT_FALSE(Uses("a->store(1);"));
  // The user's own name says nothing.
  EXPECT_FALSE(waits("struct Mine { __device__ void wait(int) {} };\n"
                     "__global__ void k(Mine *m) { m->wait(0); }"));
}

// Those of the library tell what they found, so that the next try expects it.
TEST(HostWait, KnowsTheLibrarysExchanges) {
  const auto Waits = [&](const std::string &Body) {
    return waits("__global__ void k(cuda::std::atomic<int> *a, "
                 "int *x, int n) { x[0] = 1; " +
                 Body + " }");
  };
  for (const char *Body :
       {"int e = a->load(); while (!a->compare_exchange_weak(e, e * 2)) ;",
        "int e = n; while (!a->compare_exchange_weak(e, e < n ? n : e)) ;",
        "int e = 0; while (!a->compare_exchange_weak(e, 1)) e = 0;"})
    EXPECT_FALSE(Waits(Body)) << Body;
  for (const char *Body :
       {"int e = 1; while (!a->compare_exchange_weak(e, 1)) e = 1;",
        "int e = n; while (!a->compare_exchange_weak(e, e)) e = n;",
        "int e = a->load(); while (e == 0) e = a->load();",
        "for (;;) { int e = a->load(); "
        "if (e == 1 && a->compare_exchange_weak(e, 2)) break; }"})
    EXPECT_TRUE(Waits(Body)) << Body;
}

// A place that only a device's pass has is none for the host's findings.
TEST(HostWait, KeepsThePlaceWhereOnlyTheDeviceWaits) {
  test::HostSnippet Host("__global__ void k(volatile int *go) {}"),
      Other(kernel("while (!*go) ;"));
  Program Whole;
  Whole.Passes.push_back(Host.pass());
  Whole.Passes.push_back(Other.pass());
  Whole.Passes.back().IsDevice = true;
  HostWaits Waits(Whole);
  Blocker Why;
  Why.Where = Host.function().getLocation();
  const std::optional<Blocker> Answer = Waits.against(Why);
  ASSERT_TRUE(Answer);
  EXPECT_EQ(Answer->Where, Host.function().getLocation());
  EXPECT_TRUE(Answer->Notes.empty());
}

TEST(HostWait, SeesTheLibraryTryForATime) {
  const auto Waits = [](const std::string &Try) {
    return kernelWaits("auto &s = *(cuda::std::counting_semaphore<9> *)x; "
                       "x[1] = s." +
                       Try + ";");
  };
  EXPECT_TRUE(Waits("try_acquire_for(n)"));
  EXPECT_TRUE(Waits("try_acquire_until(n)"));
  EXPECT_FALSE(Waits("try_acquire()"));
}

// Nobody knows how often, or in what loop.
TEST(HostWait, LooksIntoWhatIsCalledUnnamed) {
  EXPECT_TRUE(
      waits("struct Node { __device__ virtual int go(volatile int *f) { "
            "return *f ? 1 : go(f); } };\n" +
            kernel("Node node; Node *at = &node; x[0] = at->go(go);")));
  EXPECT_TRUE(waits("__device__ int look(volatile int *f) { return *f; }\n" +
                    kernel("int (*f)(volatile int *) = look; "
                           "while (!f(go)) x[0] = 1;")));
  EXPECT_FALSE(waits("__device__ int twice(int n) { return 2 * n; }\n" +
                     kernel("int (*f)(int) = twice; x[0] = f(n);")));
}

} // namespace
