// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel looks, again and again, at what others may write.

#include "Snippet.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/waiting/Waiting.h"
#include "clang/AST/ASTContext.h"

using namespace barricade;

namespace {

const std::string Declared = R"(
# 1 "more.h" 1 3
__device__ int atomicMin(int *, int);
__device__ int atomicMax(int *, int);
__device__ unsigned atomicMax(unsigned *, unsigned);
__device__ int atomicSub(int *, int);
__device__ int atomicAnd(int *, int);
__device__ int atomicOr(int *, int);
__device__ int atomicXor(int *, int);
__device__ int atomicExch(int *, int);
__device__ unsigned atomicInc(unsigned *, unsigned);
__device__ float atomicAdd(float *, float);
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device,
                    thread_scope_block };
namespace std {
template <typename T> struct __atomic_common {
  __device__ T load(int order = 5) const;
  __device__ operator T() const;
  __device__ void store(T);
  __device__ T exchange(T);
  __device__ T fetch_add(T);
  __device__ T fetch_or(T);
  __device__ T fetch_max(T);
  __device__ T operator+=(T);
  __device__ bool compare_exchange_weak(T &expected, T desired);
};
template <typename T> struct atomic : __atomic_common<T> {};
template <typename T> __device__ T atomic_load(const atomic<T> *);
template <typename T> __device__ T atomic_fetch_add(atomic<T> *, T);
} // namespace std
template <typename T, thread_scope S = thread_scope_system>
struct atomic : std::__atomic_common<T> {};
template <typename T, thread_scope S = thread_scope_system> struct atomic_ref {
  __device__ explicit atomic_ref(T &);
  __device__ T load(int order = 5) const;
  __device__ T fetch_add(T) const;
  __device__ T fetch_or(T) const;
  __device__ bool compare_exchange_weak(T &expected, T desired) const;
};
} // namespace cuda
namespace thrust {
template <typename F> __device__ bool all_of(long long, F);
}
__device__ int cudaLaunchDevice(void *, void *);
__device__ int __float_as_int(float);
__device__ float __int_as_float(int);
__device__ int __ldcg(const int *);
__device__ int __ldcv(const int *);
__device__ void __nanosleep(unsigned);
__device__ void __threadfence_system();
# 2 "snippet.cu" 2
)";

/// A kernel with the body may wait for what others write.
bool polls(const std::string &Body, const std::string &Before = "") {
  test::Snippet Parsed(Declared + Before +
                       "__global__ void k(int *flag, volatile int *shared, "
                       "float *x, int n) {\n" +
                       Body + "\n}\n");
  const KernelEffects Effects =
      collectKernelEffects(Parsed.function(), /*RestrictParams=*/false);
  return findPoll(Effects, Parsed.context().getSourceManager()).isValid();
}

/// One that does \p Body until somebody else sets n, as far as can be seen.
bool pollsInLoop(const std::string &Body) {
  return polls("while (n > 0) { " + Body + " }");
}

TEST(Poll, SeesVolatileReads) {
  EXPECT_TRUE(pollsInLoop("n = shared[0];"));
  EXPECT_TRUE(pollsInLoop("shared[0] += 1;"));
  EXPECT_TRUE(pollsInLoop("++shared[0];"));
  EXPECT_FALSE(pollsInLoop("shared[0] = n;"));
  EXPECT_FALSE(pollsInLoop("volatile int own = n; n = own - 1;"));
}

TEST(Poll, SeesAtomicsThatLeaveTheValue) {
  EXPECT_TRUE(pollsInLoop("n = atomicAdd(flag, 0);"));
  EXPECT_TRUE(pollsInLoop("n = atomicCAS(flag, 1, 1);"));
  EXPECT_TRUE(pollsInLoop("int old = 1; n = atomicCAS(flag, old, old);"));
  EXPECT_TRUE(pollsInLoop("if (atomicAdd(flag, n) == 1) return;"));
}

// What a thread finds may come back by an argument.
TEST(Poll, SeesLooksThatTellByAnArgument) {
  EXPECT_TRUE(pollsInLoop("__atomic_load(flag, &n, 5);"));
  EXPECT_TRUE(pollsInLoop("cuda::atomic_ref<int> a(*flag); "
                          "a.compare_exchange_weak(n, n);"));
  EXPECT_FALSE(pollsInLoop("__atomic_store_n(flag, n, 5);"));
}

// Who takes a number, or what nobody asks for, waits for nobody.
TEST(Poll, LeavesAtomicsThatTake) {
  EXPECT_FALSE(pollsInLoop("n = atomicAdd(flag, 1);"));
  EXPECT_FALSE(pollsInLoop("n = atomicCAS(flag, 0, 1);"));
  EXPECT_FALSE(pollsInLoop("atomicAdd(flag, n);"));
  EXPECT_FALSE(pollsInLoop("(void)atomicAdd(flag, n);"));
}

// How much of the work a block takes.
TEST(Poll, KnowsTheGridsExtents) {
  EXPECT_FALSE(pollsInLoop("n = atomicAdd(flag, (int)blockDim.x);"));
  EXPECT_FALSE(pollsInLoop("const int step = 2 * blockDim.x * gridDim.x; "
                           "n = atomicAdd(flag, step);"));
  EXPECT_TRUE(pollsInLoop("n = atomicAdd(flag, threadIdx.x);"));
  EXPECT_TRUE(pollsInLoop("n = atomicAdd(flag, n * blockDim.x);"));
  EXPECT_TRUE(pollsInLoop("int step = blockDim.x; step = 0; "
                          "n = atomicAdd(flag, step);"));
}

// As the function takes it, and whatever it is spelled by.
TEST(Poll, KnowsValuesThatAreTheSame) {
  for (const char *Body :
       {"n = atomicCAS((unsigned *)flag, 0xffffffffu, -1);",
        "n = atomicCAS((unsigned *)flag, 0u, (unsigned)0x100000000ull);",
        "int seen, put; seen = put = *flag; n = atomicCAS(flag, seen, put);",
        "int seen; n = atomicCAS(flag, seen = flag[0], seen);",
        "bool b = false; n = atomicCAS(flag, !b, 1);",
        "int one = 1; n = atomicCAS(flag, 1, one * one);",
        "n = atomicCAS(flag, (x[0] = 2, 1), 1);"})
    EXPECT_TRUE(pollsInLoop(Body)) << Body;
  for (const char *Body :
       {"int put; n = atomicCAS(flag, 0, put = 1);",
        "n = atomicCAS((unsigned *)flag, 0u, -1);",
        "n = atomicCAS(flag, 0, (int)threadIdx.x + 1);",
        "int seen; n = atomicCAS(flag, seen = flag[0], seen + 1);"})
    EXPECT_FALSE(pollsInLoop(Body)) << Body;
}

TEST(Poll, KnowsStatementsWithoutBraces) {
  for (const char *Head : {"if (n > 3)", "if (n < 3) ; else", "while (n > 3)",
                           "for (int i = 0; i < n; ++i)"})
    EXPECT_FALSE(pollsInLoop(std::string(Head) + " atomicAdd(flag, n);"))
        << Head;
  EXPECT_FALSE(pollsInLoop("do atomicAdd(flag, n); while (--n > 3);"));
  EXPECT_TRUE(pollsInLoop("do ; while (atomicAdd(flag, n) > 3);"));
}

TEST(Poll, SeesAssemblyThatLoads) {
  EXPECT_TRUE(pollsInLoop(
      "asm volatile(\"ld.global.s32 %0, [%1];\" : \"=r\"(n) : \"l\"(flag));"));
  EXPECT_TRUE(pollsInLoop("asm volatile(\"\" ::: \"memory\");"));
  EXPECT_FALSE(
      pollsInLoop("asm(\"add.s32 %0, %1, 1;\" : \"=r\"(n) : \"r\"(n));"));
}

// Plain reads of one place, where something has compilers read anew.
TEST(Poll, SeesPlainReadsBetweenBarriers) {
  EXPECT_TRUE(polls("while (flag[0] == 0) __syncthreads();"));
  EXPECT_FALSE(polls("while (flag[0] == 0) ;"));
  EXPECT_FALSE(polls("for (int i = 0; i < n; ++i) { x[i] = flag[0]; "
                     "__syncthreads(); }"));
  // Another place each time: it walks.
  EXPECT_FALSE(polls("for (int i = 0; flag[i] != 0; ++i) __syncthreads();"));
}

TEST(Poll, LooksIntoLambdas) {
  EXPECT_TRUE(polls("auto go = [=] { return *flag == 0; }; "
                    "while (go()) __syncthreads();"));
  EXPECT_TRUE(polls("auto wait = [&] { while (*flag == 0) __syncthreads(); }; "
                    "wait();"));
}

TEST(Poll, KnowsEqualOperandsOfExchanges) {
  EXPECT_TRUE(pollsInLoop("const int want = n; n = atomicCAS(flag, want, n);"));
  EXPECT_TRUE(pollsInLoop("n = atomicCAS(flag, (int)x[1], (int)x[1]);"));
  EXPECT_FALSE(pollsInLoop("n = atomicCAS(flag, n, n + 1);"));
}

// Whose barriers and fences nobody sees from the loop.
TEST(Poll, LooksForWhatLambdasSet) {
  EXPECT_TRUE(
      polls("bool done = false; "
            "auto look = [&] { __syncthreads(); if (*flag) done = true; };"
            "while (!done) look();"));
  EXPECT_TRUE(polls("bool done = false; "
                    "auto look = [&] { __threadfence(); done = *flag != 0; };"
                    "while (!done) look();"));
  EXPECT_TRUE(polls("auto go = [&](auto self) -> void { __threadfence(); "
                    "if (*flag == 0) self(self); }; go(go);"));
  EXPECT_FALSE(polls("auto go = [&](auto value) { __threadfence(); "
                     "return *flag + value; }; n = go(n);"));
}

TEST(Poll, KnowsWhatExchangesExpect) {
  // Nothing says that these differ.
  EXPECT_TRUE(pollsInLoop("n = atomicCAS(flag, n + 1, 1 + n);"));
  EXPECT_TRUE(pollsInLoop("int a = 0, b = 0; a = 1; b = 1; "
                          "n = atomicCAS(flag, a, b);"));
  EXPECT_TRUE(pollsInLoop("int a, b; a = flag[0]; b = a; "
                          "n = atomicCAS(flag, a, b);"));
  // What is made of what was found.
  EXPECT_FALSE(pollsInLoop("int old = flag[0], next; next = old > 7 ? old : 7; "
                           "n = atomicCAS(flag, old, next);"));
  EXPECT_FALSE(pollsInLoop("n = atomicCAS(flag, 0, n);"));
  EXPECT_FALSE(pollsInLoop("const int mine = threadIdx.x; "
                           "n = atomicCAS(flag, mine, mine + 1);"));
}

// Each time another place: who finds a set's root has joined it.
TEST(Poll, LeavesWalksAlongLinks) {
  EXPECT_FALSE(polls("int a = n, b = n + 1; while (a != b) { if (a < b) { "
                     "int t = a; a = b; b = t; } "
                     "int old = atomicCAS(&flag[a], a, b); "
                     "if (old == a) break; a = old; }"));
  EXPECT_FALSE(
      polls("int a = n, old, b = n + 1; "
            "while ((old = atomicCAS(&flag[a], a, b)) != a) a = old;"));
  EXPECT_FALSE(polls("bool done = false; while (!done) { "
                     "int old = atomicMin(flag + n, 7); done = old == n; "
                     "n = old; }"));
  // It goes on only once a place leads elsewhere.
  EXPECT_TRUE(polls("int a = 0, next; while ((next = "
                    "atomicCAS(&flag[a], a, a)) == a) a = next;"));
  EXPECT_TRUE(polls("int a = n, old; do { old = atomicMin(&flag[a], 7); "
                    "if (old != a) break; a = old; } while (true);"));
  // Nothing says that another place comes next, or that this is the last one.
  EXPECT_TRUE(polls("int old; do { old = atomicMin(&flag[n], 7); "
                    "} while (old != n);"));
  EXPECT_TRUE(polls("int old; do { old = atomicMin(&flag[n], 7); n = old; "
                    "} while (old != 3);"));
  EXPECT_TRUE(polls("int old; do { old = atomicMin(flag, 7); n = old; "
                    "} while (old != n);"));
}

TEST(Poll, KnowsWhatChangesNothing) {
  const auto Waits = [](const std::string &New) {
    return polls("int v = *flag; while (n > 0) n = atomicCAS(flag, v, " + New +
                 ");");
  };
  for (const char *New : {"v | 0", "v + 0", "0 + v", "(v ^ 0) - 0", "v * 1",
                          "1 * v", "v / 1", "v << 0", "v >> 0", "v & -1",
                          "~0 & v", "__float_as_int(__int_as_float(v))",
                          "__float_as_int(__int_as_float(v) + 0.0f)",
                          "__float_as_int(1 * __int_as_float(v))"})
    EXPECT_TRUE(Waits(New)) << New;
  for (const char *New :
       {"v | 1", "v + n", "0 - v", "v * 2", "1 / v", "v & 1", "v << 1",
        "__float_as_int(n)", "__float_as_int(n + __int_as_float(v))"})
    EXPECT_FALSE(Waits(New)) << New;
  EXPECT_FALSE(pollsInLoop("n = atomicCAS(flag, 0, __float_as_int(1.0f));"));
}

// What callers give may be the same.
TEST(Poll, DoesNotTrustCallers) {
  const char *const Tried = "__device__ bool tried(int *f, int o, int v) "
                            "{ return atomicCAS(f, o, v) == o; }\n";
  EXPECT_TRUE(polls("while (tried(flag, 1, n)) ;", Tried));
  const char *const Largest =
      "__device__ void largest(int *f, int v) { int old = *f, seen; "
      "do { seen = old; old = atomicCAS(f, seen, v > seen ? v : seen); } "
      "while (seen != old); }\n";
  EXPECT_FALSE(polls("while (n > 0) { largest(flag, n); --n; }", Largest));
}

TEST(Poll, KnowsStatementExpressions) {
  EXPECT_TRUE(pollsInLoop("n = ({ __threadfence(); atomicAdd(flag, 0); });"));
  EXPECT_FALSE(
      pollsInLoop("n -= ({ atomicAdd(flag, n); __threadfence(); 1; });"));
}

// The bound may be far away.
TEST(Poll, SeesWaitsWithABound) {
  for (const char *Body :
       {"for (long long i = 0; i < (1ll << 62); ++i) if (*shared) break;",
        "for (int i = 0; i < n && !*shared; ++i) ;",
        "for (int i = 0; i < n; ++i) { int seen = *shared; if (seen) return; }",
        "bool done = false; for (int i = 0; i < n && !done; ++i) "
        "if (shared[3]) done = true;",
        "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) "
        "if (*shared) { i = n; break; }",
        "for (int i = 0; i < n; ++i) if (__ldcv(flag + n)) break;",
        "for (int i = 0; i < n; ++i) if (__ldcg(flag) == 3) return;",
        "for (int i = 0; i < n; ++i) if (atomicAdd(flag, 0)) break;",
        "for (int i = 0; i < n; ++i) { if (*flag) break; "
        "__threadfence_system(); }",
        "for (int i = 0; i < n && *flag == 0; ++i) __threadfence_system();",
        "for (int i = 0; i < n; ++i) { if (*flag) break; __nanosleep(9); }"})
    EXPECT_TRUE(polls(Body)) << Body;
}

/// One that repeats \p Look up to a bound until it finds something.
bool pollsUpToABound(const std::string &Look, const std::string &Before = "") {
  return polls(Before + " for (int i = 0; i < n; ++i) if (" + Look +
               ") break;");
}

// Whatever operand it is by which nothing changes.
TEST(Poll, SeesAtomicsThatKeepWhatTheyFindUpToABound) {
  for (const char *Look :
       {"atomicCAS(flag, 0, 0)", "atomicCAS(flag, n, n)",
        "atomicCAS(flag + n, 7, 7)", "atomicAdd(flag, 0)", "atomicSub(flag, 0)",
        "atomicOr(flag, 0)", "atomicXor(flag, 0)", "atomicAnd(flag, -1)",
        "atomicAnd(flag, ~0)", "atomicMax(flag, 0)",
        "atomicMax(flag, -2147483647 - 1)", "atomicMin(flag, 2147483647)",
        "atomicMax((unsigned *)flag, 0u)", "atomicInc((unsigned *)flag, 0)",
        "atomicAdd(x, 0.0f) > 1", "atomicAdd(x, -0.0f) > 1"})
    EXPECT_TRUE(pollsUpToABound(Look)) << Look;
  EXPECT_TRUE(pollsUpToABound("atomicAdd(flag, none)", "int none = 0;"));
  EXPECT_TRUE(pollsUpToABound("atomicCAS(flag, one, one)", "int one = 1;"));
  EXPECT_TRUE(polls("for (int i = 0; i < n && atomicCAS(flag, 0, 0) == 0; ++i) "
                    ";"));
  EXPECT_TRUE(polls("for (int i = 0; i < n && !atomicMax(flag, 0); ++i) ;"));
  EXPECT_TRUE(polls("int seen = 0; for (int i = 0; i < n && !seen; ++i) "
                    "seen = atomicAnd(flag, -1);"));
}

// After the first time they change nothing, whatever the operand.
TEST(Poll, SeesAtomicsThatKeepWhatTheyHaveDone) {
  for (const char *Look : {"atomicMax(flag, 5) > 5", "atomicMin(flag, n) < n",
                           "atomicOr(flag, 4) & 1", "atomicAnd(flag, ~4) & 1"})
    EXPECT_TRUE(pollsUpToABound(Look)) << Look;
  for (const char *Look : {"atomicMax(flag, i) > n", "atomicMin(flag, n - i)",
                           "atomicOr(flag, 1 << i) & 1"})
    EXPECT_FALSE(pollsUpToABound(Look)) << Look;
}

TEST(Poll, SeesTheLibrarysLooksUpToABound) {
  const std::string Object = "auto &a = *(cuda::atomic<int> *)flag;",
                    Other = "auto &a = *(cuda::std::atomic<int> *)flag;",
                    Ref = "cuda::atomic_ref<int> a(*flag);";
  for (const std::string &Before : {Object, Other, Ref})
    for (const char *Look :
         {"a.load()", "a.load(2) == 3", "a.fetch_add(0)", "a.fetch_or(0)"})
      EXPECT_TRUE(pollsUpToABound(Look, Before)) << Before << Look;
  for (const char *Look : {"a", "a.fetch_max(3) > 3", "a += 0"})
    EXPECT_TRUE(pollsUpToABound(Look, Object)) << Look;
  for (const char *Look :
       {"cuda::atomic_ref<int>(*flag).load()",
        "cuda::atomic_ref<int, cuda::thread_scope_device>{flag[n]}.load()",
        "((cuda::atomic<int> *)flag)->load()",
        "cuda::std::atomic_load((cuda::std::atomic<int> *)flag)",
        "cuda::std::atomic_fetch_add((cuda::std::atomic<int> *)flag, 0)"})
    EXPECT_TRUE(pollsUpToABound(Look)) << Look;
  EXPECT_TRUE(polls("for (int i = 0; i < n; ++i) { "
                    "cuda::atomic_ref<int> a(*flag); if (a.load()) break; }"));
  EXPECT_TRUE(polls(Ref + "for (int i = 0; i < n; ++i) { int e = 1; "
                          "if (a.compare_exchange_weak(e, 1)) break; }"));
}

TEST(Poll, LeavesTheLibrarysTakesUpToABound) {
  const std::string Object = "auto &a = *(cuda::atomic<int> *)flag;";
  for (const char *Look :
       {"a.fetch_add(1) > n", "!a.exchange(1)", "a.fetch_max(i) > 3", "a += 2"})
    EXPECT_FALSE(pollsUpToABound(Look, Object)) << Look;
  EXPECT_FALSE(polls(Object + "int e = a.load(); for (int i = 0; i < n; ++i) "
                              "if (a.compare_exchange_weak(e, e + 1)) break;"));
  EXPECT_FALSE(pollsUpToABound("cuda::atomic_ref<int>(flag[i]).load()"));
  EXPECT_FALSE(pollsUpToABound(
      "cuda::atomic_ref<int, cuda::thread_scope_block>(*flag).load()"));
  EXPECT_FALSE(polls("for (int i = 0; i < n; ++i) { "
                     "cuda::atomic_ref<int> a(flag[i]); "
                     "if (a.load()) break; }"));
}

// It is one place unless the loop itself goes on to another.
TEST(Poll, KnowsPlacesThatStay) {
  EXPECT_TRUE(pollsUpToABound("go", "volatile int &go = *flag;"));
  EXPECT_TRUE(polls("for (int i = 0; i < n; ++i) { volatile int *at = shared; "
                    "if (*at) break; }"));
  EXPECT_TRUE(polls("int *at = flag; for (int i = 0; i < n; ++i) { "
                    "at = flag + 1; if (atomicAdd(at, 0)) break; }"));
  EXPECT_FALSE(polls("for (int i = 0; i < n; ++i) { "
                     "volatile int *at = shared + i; if (*at) break; }"));
  EXPECT_FALSE(polls("for (int i = 0; i < n; ++i) { "
                     "int at = atomicAdd(flag, 1); if (shared[at]) break; }"));
  EXPECT_FALSE(polls("int at = n; for (int i = 0; i < n; ++i) { "
                     "int next = atomicCAS(&flag[at], at, n); "
                     "if (next == at) break; at = next; }"));
}

// It comes back, or is moved by what is found there alone.
TEST(Poll, SeesPlacesThatComeBack) {
  const char *const Helpers =
      "__device__ void look(volatile int *f, int &v) { v = *f; }\n"
      "__device__ int peek(volatile int *f, int i) { return f[i & 1]; }\n"
      "__device__ int turn(int i) { return i & 1; }\n"
      "template <typename T> __device__ void swap(T &a, T &b) { T c = a; "
      "a = b; b = c; }\n";
  for (const char *Body :
       {"for (int i = 0; i < n && !shared[i & 1]; ++i) ;",
        "for (int i = 0; i < n; ++i) if (shared[i % 32]) break;",
        "for (int i = 0; i < n; ++i) if (shared[(unsigned char)i]) break;",
        "for (int i = 0; i < n; ++i) if (shared[i > 3]) break;",
        "for (int i = 0; i < n; ++i) if (shared[i * 0]) break;",
        "int k = 0; for (int i = 0; i < n; ++i) { if (shared[k]) break; "
        "k ^= 1; }",
        "int k = 0; for (int i = 0; i < n; ++i) { if (shared[k]) break; "
        "k = 1 - k; }",
        "int k = 0; for (int i = 0; i < n; ++i) { if (shared[k]) break; ++k; "
        "if (k == 4) k = 0; }",
        "int k = 0; for (int i = 0; i < n; ++i) { ++k; if (shared[k]) break; "
        "--k; }",
        "unsigned char k = 0; for (int i = 0; i < n; ++i, ++k) "
        "if (shared[k]) break;",
        "struct { int k, t; } s{}; for (int i = 0; i < n; ++i) { s.t++; "
        "if (shared[s.k]) break; s.k ^= 1; }",
        "int at = 0; for (int i = 0; i < n; ++i) { at = (at + 7) % n; "
        "if (shared[at]) break; }",
        "volatile int *q = shared; for (int i = 0; i < n; ++i) { "
        "if (*q) break; q = q == shared ? shared + 1 : shared; }",
        "volatile int *q = shared, *r = shared + 1; for (int i = 0; i < n; "
        "++i) { if (*q) break; auto t = q; q = r; r = t; }",
        "volatile int *q = shared, *r = shared + 1; for (int i = 0; i < n; "
        "++i) { if (*q) break; swap(q, r); }",
        "volatile int *q[2] = {shared, shared + 1}; for (int i = 0; i < n; "
        "++i) if (*q[i & 1]) break;",
        "volatile int *q[2] = {shared, shared + 1}; for (int i = 0; i < n; "
        "++i) { if (*q[i & 1]) break; flag[i] = 1; }",
        "for (int i = 0; i < n; ++i) { volatile int *q = i & 1 ? shared : "
        "shared + 1; if (*q) break; }",
        "for (int i = 0; i < n; ++i) { int k = i; k &= 1; if (shared[k]) "
        "break; }",
        "for (int i = 0; i < n; ++i) { int v = 0; look(shared + (i & 1), v); "
        "if (v) break; }",
        "for (int i = 0; i < n; ++i) if (peek(shared, i)) break;",
        "for (int i = 0; i < n; ++i) if (shared[turn(i)]) break;",
        "int e = 0; for (int i = 0; i < n && e < 4; ++i) e += shared[e] != 0;",
        "int e = 0; for (int i = 0; i < n && e < 4; ++i) "
        "e = e + shared[e];",
        "int e = 0; for (int i = 0; i < n; ++i) { e += shared[e]; "
        "if (e == 4) return; }",
        "int e = 0; for (int i = 0; i < n; ++i) { int v = shared[e]; "
        "e += v; if (e == 4) return; }",
        "int e = 0; for (int i = 0; i < n && e < 4; ++i) "
        "e += atomicAdd(flag + e, 0) != 0;",
        "__shared__ int s[2]; for (int i = 0; i < n; ++i) { "
        "if (threadIdx.x == 0) s[i & 1] = *shared; __syncthreads(); "
        "if (s[i & 1]) break; }",
        "__shared__ int s[2]; int k = 0; for (int i = 0; i < n; ++i) { "
        "if (threadIdx.x == 0) s[k] = *shared; __syncthreads(); "
        "if (s[k]) break; k ^= 1; }",
        "int s[8]; for (int i = 0; i < n; ++i) { s[i & 7] = *shared; "
        "if (s[i & 7]) break; }"})
    EXPECT_TRUE(polls(Body, Helpers)) << Body;
}

// Each time another place, until there is no more memory.
TEST(Poll, LeavesPlacesThatGoOn) {
  const char *const Helpers =
      "__device__ int row(int i, int n) { return 3 * i + n; }\n";
  for (const char *Body :
       {"for (int i = threadIdx.x; i < n; i += blockDim.x) "
        "if (shared[i]) break;",
        "for (int i = 0; i < n; ++i) if (shared[threadIdx.x + 4 * i]) break;",
        "for (int i = 0; i < n; ++i) if (shared[row(i, n)]) break;",
        "for (int i = 0; i < n; ++i) if (shared[__ldcg(flag + i)]) break;",
        "for (int i = 0; i < n; ++i) { int k = flag[i] % 9; "
        "if (shared[k]) break; }",
        "volatile int *p = shared; for (int i = 0; i < n; ++i) "
        "if (*p++) break;",
        "volatile int *p = shared; for (int i = 0; i < n; ++i) { "
        "if (*p) break; p = p + n; }",
        "int k = 0; for (int i = 0; i < n; ++i) { int next = k + 1; "
        "if (shared[k]) break; k = next; }",
        "struct { int k, t; } s{}; for (int i = 0; i < n; ++i) { s.k++; "
        "if (shared[s.k]) break; s.t = 1; }",
        "__shared__ float s[2]; for (int i = 0; i < n; ++i) { "
        "s[i & 1] = x[i]; __syncthreads(); if (s[i & 1] > 3) break; }",
        "__shared__ volatile float s[2]; int k = 0; for (int i = 0; i < n; "
        "++i) { s[k] = x[i]; __syncthreads(); if (s[k ^ 1] > 3) break; "
        "k ^= 1; }",
        "int count = 0; for (int i = 0; i < n; ++i) { count += flag[i] == 3; "
        "if (count > *shared) break; }",
        "__shared__ int base; int k = 0; for (int i = 0; i < n; ++i) { "
        "k += base; if (shared[k]) break; }"})
    EXPECT_FALSE(polls(Body, Helpers)) << Body;
}

// Whoever is told the same each time looks at the same place.
TEST(Poll, LooksIntoFunctionsUpToABound) {
  const char *const Ready =
      "__device__ int seen(volatile int *f) { return *f; }\n"
      "__device__ bool ready(int *f) { return atomicAdd(f, 0) > 0; }\n"
      "__device__ bool given(int *f, int k) { return seen(f + k) != 0; }\n"
      "__device__ bool take(int *f) { return atomicCAS(f, 0, 1) == 0; }\n"
      "__device__ void mark(int *f) { atomicMax(f, 0); }\n"
      "__device__ int own(int n) { volatile int v = n; return v; }\n"
      "struct Gate { volatile int *at; "
      "__device__ bool up() const { return *at != 0; } };\n";
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) if (seen(flag)) break;",
        "for (int i = 0; i < n && !ready(flag); ++i) ;",
        "for (int i = 0; i < n && !given(flag, n); ++i) ;",
        "Gate gate{shared}; for (int i = 0; i < n && !gate.up(); ++i) ;"})
    EXPECT_TRUE(polls(Body, Ready)) << Body;
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) if (seen(shared + i)) break;",
        "for (int i = 0; i < n && !given(flag, i); ++i) ;",
        "for (int i = 0; i < n; ++i) if (take(flag)) break;",
        "for (int i = 0; i < n; ++i) if (own(n)) break;",
        "for (int i = 0; i < n; ++i) { mark(flag); if (x[i] > 3) break; }",
        "for (int i = 0; i < n; ++i) x[i] = seen(flag);"})
    EXPECT_FALSE(polls(Body, Ready)) << Body;
}

TEST(Poll, SeesAssemblyUpToABound) {
  const auto Waits = [](const std::string &Code, const std::string &Address) {
    return polls("for (int i = 0; i < n; ++i) { int v; asm volatile(\"" + Code +
                 "\" : \"=r\"(v) : \"l\"(" + Address +
                 ") : \"memory\"); if (v) break; }");
  };
  EXPECT_TRUE(Waits("ld.acquire.sys.global.s32 %0, [%1];", "flag"));
  EXPECT_TRUE(Waits("ld.volatile.global.s32 %0, [%1];", "flag + n"));
  EXPECT_TRUE(Waits("atom.or.b32 %0, [%1], 0;", "flag"));
  EXPECT_FALSE(Waits("ld.volatile.global.s32 %0, [%1];", "flag + i"));
  EXPECT_FALSE(Waits("ld.volatile.shared.s32 %0, [%1];", "flag"));
  EXPECT_FALSE(Waits("cvt.u32.u64 %0, %1;", "flag"));
}

// How many are there: who takes one, if it is still there, waits for nobody.
TEST(Poll, LeavesWhatAKernelDoesOnce) {
  const std::string Take = "int e = atomicAdd(flag, 0); while (e > 0) { "
                           "int w = atomicCAS(flag, e, e - 1); "
                           "if (w == e) break; e = w; }";
  EXPECT_FALSE(polls(Take));
  EXPECT_FALSE(polls("int e = *shared; while (e > 0) { "
                     "int w = atomicCAS(flag, e, e - 1); "
                     "if (w == e) break; e = w; }"));
  EXPECT_TRUE(polls("again: " + Take + "if (e == 0) goto again;"));
  EXPECT_TRUE(polls("while (n > 0) { int e = atomicAdd(flag, 0); "
                    "if (e > 0) n = atomicCAS(flag, e, e - 1); }"));
  EXPECT_TRUE(polls("auto look = [&] { return atomicAdd(flag, 0); }; "
                    "while (look() == 0) ;"));
  EXPECT_TRUE(
      polls("while (take(flag) == 0) ;",
            "__device__ int take(int *flag) { " + Take + " return e; }\n"));
  EXPECT_TRUE(polls("for (int e = atomicAdd(flag, 0); e == 0; "
                    "e = atomicAdd(flag, 0)) ;"));
}

TEST(Poll, LeavesLoopsWithABound) {
  for (const char *Body :
       {// Each time another place.
        "for (int i = 0; i < n; ++i) if (shared[i]) break;",
        "for (int i = n; i < 99; i += blockDim.x) { if (flag[i]) break; "
        "__threadfence_system(); }",
        "for (int i = 0; i < n; ++i) if (__ldcg(&flag[i]) == 0) break;",
        // The block's own memory, or the grid's.
        "__shared__ volatile int done; for (int i = 0; i < n; ++i) "
        "{ __syncthreads(); if (done) break; }",
        "for (int i = 0; i < n; ++i) { if (*flag) break; *flag = i; "
        "__threadfence_system(); }",
        "for (int i = 0; i < n; ++i) { if (*flag) break; __syncthreads(); }",
        "for (int i = 0; i < n; ++i) { if (__ldcg(flag)) break; *flag = i; }",
        "__shared__ int done; for (int i = 0; i < n; ++i) "
        "if (atomicCAS(&done, 0, 0)) break;",
        "for (int i = 0; i < n; ++i) if (atomicCAS(&flag[i], 0, 0)) break;",
        // Nobody asks what it finds.
        "for (int i = 0; i < n; ++i) { atomicMax(flag, 0); x[i] = 1; "
        "if (x[i + 1] > 3) break; }",
        // Who takes something waits for nothing.
        "for (int i = 0; i < n; ++i) if (atomicExch(flag, 1) == 0) break;",
        "for (int i = 0; i < n; ++i) if (atomicXor(flag, 1) == 0) break;",
        "for (int i = 0; i < n; ++i) if (atomicCAS(flag, 0, 1) == 0) break;",
        "for (int i = 0; i < n; ++i) { int w = atomicAdd(flag, 1); "
        "if (w > n) break; x[w] = 1; }",
        "for (int i = 0; i < n; ++i) { int w = atomicAdd(flag, n); "
        "if (w > n) break; x[w] = 1; }",
        // A bound, and what decides nothing.
        "for (int i = 0; i < *shared; ++i) x[i] = 1;",
        "for (int i = 0; i < n; ++i) { if (i >= *shared) break; x[i] = 1; }",
        "float sum = 0; for (int i = 0; i < n; ++i) { sum += x[i]; "
        "if (sum > shared[0]) break; }",
        "for (int i = 0; i < n; ++i) { if (*shared) continue; x[i] = 1; }",
        "for (int i = 0; i < n; ++i) { x[i] = *shared; __nanosleep(9); "
        "if (x[i + 1] > 3) break; }"})
    EXPECT_FALSE(polls(Body)) << Body;
}

// What comes once, or a known number of times, is no waiting.
TEST(Poll, AsksForALoopThatMayGoOn) {
  EXPECT_FALSE(polls("n = atomicAdd(flag, 0);"));
  EXPECT_FALSE(polls("for (int i = 0; i < n; ++i) x[i] = shared[i];"));
  EXPECT_TRUE(polls("again: if (shared[0] == 0) goto again;"));
}

/// Assembly that runs once, as far as can be seen.
bool assemblyPolls(const std::string &Code) {
  return polls("asm volatile(\"" + Code + "\" :: \"l\"(flag) : \"memory\");");
}

// Wherever it stands.
TEST(Poll, SeesLoopsWithinAssembly) {
  for (const char *Code :
       {"W: ld.acquire.sys.u32 v, [%0]; setp.eq.u32 p, v, 0; @p bra W;",
        "W_%=: ld.volatile.global.s32 v, [%0]; @p bra.uni W_%=;",
        "W: mbarrier.try_wait.shared.b64 p, [a]; ld.u32 v, [%0]; @!p bra W;",
        "bra D; W: ld.u32 v, [%0]; @p bra W; D:",
        "ts: .branchtargets W, D; W: ld.u32 v, [%0]; brx.idx i, ts; D:"})
    EXPECT_TRUE(assemblyPolls(Code)) << Code;
  for (const char *Code :
       {"ld.acquire.sys.u32 v, [%0];",
        "@p bra D; ld.acquire.sys.u32 v, [%0]; D:",
        "L_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 1; "
        "@p bra D_%=; bra L_%=; D_%=:",
        "W: add.s32 i, i, 1; setp.lt.s32 p, i, 9; @p bra W;"})
    EXPECT_FALSE(assemblyPolls(Code)) << Code;
}

// What they call may be what calls them.
TEST(Poll, SeesCallsThatNameNobody) {
  EXPECT_TRUE(
      polls("n = go(shared, (void *)go);",
            "typedef int (*Fn)(const volatile int *, void *);\n"
            "__device__ int go(const volatile int *f, void *self) { "
            "return *f ? 1 : reinterpret_cast<Fn>(self)(f, self); }\n"));
  EXPECT_FALSE(polls("n = apply(twice, n);",
                     "__device__ int twice(int v) { return 2 * v; }\n"
                     "__device__ int apply(int (*f)(int), int v) { "
                     "return f(v); }\n"));
}

// Its grid begins once this one is over, and may be the same kernel's.
TEST(Poll, SeesLaunchesByTheDevice) {
  EXPECT_TRUE(polls("if (*shared) return; cudaLaunchDevice(x, nullptr);"));
  EXPECT_FALSE(polls("*shared = 1; cudaLaunchDevice(x, nullptr);"));
}

// A library calls what it is given as often as it likes.
TEST(Poll, SeesLooksThatALibraryRepeats) {
  const char *const Down =
      "struct Down { volatile int *flag; "
      "__device__ bool operator()(int) const { return *flag == 0; } };\n"
      "struct Odd { __device__ bool operator()(int i) const "
      "{ return i & 1; } };\n";
  EXPECT_TRUE(polls("thrust::all_of(1ll << 60, Down{shared});", Down));
  EXPECT_FALSE(polls("if (thrust::all_of(n, Odd{})) n = *shared;", Down));
}

// One after the other, each time anew.
TEST(Poll, KnowsLinksThatAWalkWaitsFor) {
  for (const char *Body :
       {"bool still = true; while (still) { int next = atomicAdd(&flag[n], 0); "
        "still = next == n; n = next; }",
        "for (;;) { int next = atomicAdd(&flag[n], 0); "
        "if (next == n) continue; n = next; break; }",
        "for (;;) { int next = atomicAdd(&flag[n], 0); "
        "if (next == n) { } else { n = next; break; } }"})
    EXPECT_TRUE(polls(Body)) << Body;
  for (const char *Body :
       {"bool again = true; while (again) { int next = atomicAdd(&flag[n], 0); "
        "again = !(next == n); n = next; }",
        "bool again; do { again = false; int next = atomicMin(&flag[n], 7); "
        "if (next != n) { n = next; again = true; } } while (again);",
        "for (;;) { int next = atomicMin(&flag[n], 7); "
        "if (next != n) n = next; else break; n = next; }"})
    EXPECT_FALSE(polls(Body)) << Body;
}

// What is counted for nothing else, and what is set from memory.
TEST(Poll, SeesBoundsThatOthersMove) {
  for (const char *Body :
       {"for (unsigned t = 0; t < *(volatile unsigned *)shared; ++t) "
        "__nanosleep(9);",
        "for (int t = 0; t < n; ++t) { if (*shared) n = 0; __nanosleep(9); }",
        "int seen = 0; for (int t = 0; t < n && !seen; ++t) seen |= *shared;",
        "for (int t = 0; !(t >= n || *shared); ++t) ;",
        "for (int t = 0; t < n; ++t) if (*shared) goto done; done: n = 1;",
        "for (int t = 0; t < n; ++t) switch (*shared) { case 0: break; "
        "default: return; }",
        "for (int t = 0; t < n && !*flag; ++t) __threadfence();"})
    EXPECT_TRUE(polls(Body)) << Body;
  for (const char *Body :
       {"float sum = 0; for (int i = 0; i < *shared; ++i) sum += x[i]; "
        "x[0] = sum;",
        "for (int i = 0; i < n; ++i) switch (*shared) { case 0: break; "
        "default: x[i] = 1; }"})
    EXPECT_FALSE(polls(Body)) << Body;
}

// Nobody can tell work from what a thread does while it waits, or once it has
// seen what it waited for.
TEST(Poll, LooksPastWhatIsDoneMeanwhile) {
  for (
      const char *Body :
      {"for (int i = 0; i < n; ++i) if (*shared) { *x = 1; return; }",
       "for (int i = 0; i < n; ++i) { if (*shared == 7) { x[i] = 1; break; } }",
       "for (int i = 0; i < n; ++i) { if (!*shared) continue; *x = 1; break; }",
       "for (int i = 0; i < n; ++i) { if (!*shared) { } else { if (n > 3) "
       "{ *x = 1; break; } else { x[1] = 2; return; } } }",
       "for (int i = 0; i < n; ++i) switch (*shared) { case 0: break; "
       "case 1: x[0] = 1; return; default: x[1] = 1; return; }",
       "for (int i = 0; i < n; ++i) if (*shared) { *x = 1; goto done; } "
       "done: n = 1;",
       "bool done = false; for (int i = 0; i < n && !done; ++i) "
       "if (*shared) { *x = 1; done = true; }",
       "for (int i = 0; i < n; ++i) if (atomicAdd(flag, 0)) { *x = 1; return; "
       "}",
       "for (int i = 0; i < n; ++i) for (int j = 0; j < 4; ++j) "
       "if (shared[j]) { *x = j; return; }",
       "for (int i = 0; i < n; ++i) { if (!*shared) continue; for (int k = 0; "
       "k < 4; ++k) { if (k == n) continue; x[k] = k; } return; }",
       "for (int i = 0; i < n; ++i) { if (*shared) break; x[i] = 1; }",
       "for (int i = 0; i < n; ++i) { x[i] = 1; if (*shared) break; }",
       "for (int i = 0; i < n; ++i) { if (*shared) { x[i] = 1; if (n > 3) "
       "break; } }",
       "for (int i = 0; i < n; ++i) { if (*shared) { x[i] = 1; if (n > 3) "
       "continue; break; } }",
       "for (int i = 0; i < n; ++i) { if (*shared) { for (int k = 0; k < 4; "
       "++k) x[k + i] = 1; if (n > 3) continue; break; } }",
       "for (int i = 0; i < n; ++i) switch (*shared) { case 0: x[i] = 1; "
       "break; default: return; }",
       "for (int i = 0; i < n; ++i) { if (*shared) goto on; return; "
       "on: x[i] = 1; }",
       "bool done = false; for (int i = 0; i < n && !done; ++i) "
       "{ if (*shared) { done = true; } else { x[i] = 1; } }"})
    EXPECT_TRUE(polls(Body)) << Body;
}

// By the same condition as it leaves, in a function, or by ending the thread.
TEST(Poll, SeesHiddenWaysOut) {
  const char *const Known =
      "__device__ void __trap();\n"
      "__device__ void found(float *x) { *x = 1; __trap(); }\n"
      "__device__ void failed(float *x, int i) { x[i] = 1; __trap(); }\n"
      "__device__ int peek(volatile int *f, float *x) { if (*f) { *x = 1; "
      "return 1; } return 0; }\n"
      "struct Look { volatile int *f; float *x; __device__ bool operator()() { "
      "if (!*f) return false; *x = 1; return true; } };\n"
      "struct Alike { volatile int *f; int *x; __device__ bool operator()() { "
      "if (!*f) return false; *x = 1; return true; } };\n"
      "struct Next { volatile int *f; int at; __device__ bool operator()() { "
      "return f[at++]; } };\n"
      "__device__ int put(volatile int *f, float *x, int i) { x[i] = 1; "
      "return *f; }\n";
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) { int v = *shared; if (v) x[i] = v; "
        "if (v) return; }",
        "for (int i = 0; i < n; ++i) { int v = *shared; if (v != 0) x[i] = v; "
        "if (!v) continue; else break; }",
        "for (int i = 0; i < n; ++i) { int v = *shared; if (v == 1) "
        "{ x[i] = 1; } if (v == 1) break; }",
        "bool done = false; for (int i = 0; !done && i < n; ++i) "
        "{ done = *shared != 0; if (done) x[i] = 1; }",
        "for (int i = 0; i < n; ++i) { if (*shared) { x[i] = 1; } else "
        "continue; return; }",
        "for (int i = 0; i < n; ++i) { if (*shared) { x[i] = 1; __trap(); } }",
        "for (int i = 0; i < n; ++i) { if (*shared) { *x = 1; "
        "asm volatile(\"exit;\"); } }",
        "for (int i = 0; i < n; ++i) if (*shared) found(x);",
        "for (int i = 0; i < n; ++i) if (*shared) failed(x, i);",
        "int state = 0; for (int i = 0; i < n && state < 2; ++i) { "
        "if (state == 0 && *shared) state = 1; else if (state == 1) "
        "{ *x = 1; state = 2; } }",
        "for (int i = 0; i < n; ++i) if (peek(shared, x)) return;",
        "auto look = [&]() -> bool { if (*shared) { *x = 1; return true; } "
        "return false; }; for (int i = 0; i < n; ++i) if (look()) return;",
        "Look look{shared, x}; for (int i = 0; i < n; ++i) if (look()) break;",
        "Alike look{shared, flag}; for (int i = 0; i < n; ++i) if (look()) "
        "break;",
        "for (int i = 0; i < n; ++i) { int v = *shared; if (v) x[i] = v; "
        "if (v == 3) return; }",
        "for (int i = 0; i < n; ++i) { int v = *shared; if (!v) x[i] = v; "
        "if (v) return; }",
        "for (int i = 0; i < n; ++i) { if (*shared) { } else { x[i] = 1; "
        "continue; } return; }",
        "for (int i = 0; i < n; ++i) if (put(shared, x, i)) return;",
        "int i = 0; auto put = [&]() -> bool { x[i] = 1; return *shared; }; "
        "for (; i < n; ++i) if (put()) return;"})
    EXPECT_TRUE(polls(Body, Known)) << Body;
  for (const char *Body :
       {"int i = 0; auto look = [&]() -> bool { return shared[i]; }; "
        "for (; i < n; ++i) if (look()) return;",
        "Next next{shared, 0}; for (int i = 0; i < n; ++i) if (next()) break;"})
    EXPECT_FALSE(polls(Body, Known)) << Body;
}

// It may only show that the thread is there.
TEST(Poll, LooksPastWhateverElseIsDone) {
  const char *const Global = "__device__ int last; __device__ int seen[2];\n";
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) { last = *shared; if (last) return; }",
        "for (int i = 0; i < n && !*shared; ++i) last = i;",
        "for (int i = 0; i < n; ++i) { seen[1] = i; if (*shared) return; }",
        "for (int i = 0; i < n; ++i) { *x = 0; if (*shared) return; }",
        "for (int i = 0; i < n; ++i) { if (i == 0) *x = 0; if (*shared) "
        "return; }",
        "for (int i = 0; i < n; ++i) { flag[blockIdx.x] += 1; if (*shared) "
        "return; }",
        "for (int i = 0; i < n; ++i) { x[threadIdx.x] = i; if (*shared) "
        "return; }",
        "for (int i = 0; i < n; ++i) { const bool ready = *shared != 0; "
        "for (int k = 0; ready && k < 32; ++k) x[k] = flag[k]; "
        "if (ready) break; }",
        "bool done = false; for (int i = 0; i < n; ++i) { if (*shared) { "
        "x[i] = 1; done = true; } if (done) break; }",
        // Who works may be told to stop, or only seem to work.
        "for (int i = threadIdx.x; i < n; i += blockDim.x) { if (*shared) "
        "return; x[i] = 1; }",
        "for (int i = 0; i < n; ++i) { if (*shared) return; *x += flag[i]; }",
        "for (int i = 0; i < n; ++i) { if (*shared) return; if (flag[i] == 3) "
        "*x = i; }",
        "for (int i = 0; i < n; ++i) { if (*shared) return; float y = "
        "x[i + 1]; y *= 2; *x = y; }",
        "for (int i = 0; i < n; ++i) { if (*shared) return; x[threadIdx.x] = "
        "x[threadIdx.x + 1] + x[threadIdx.x - 1]; }",
        "for (int i = 0; i < n; ++i) { if (*shared) return; x[threadIdx.x] += "
        "1; }",
        "int t = threadIdx.x; for (int i = 0; i < n; ++i) { if (*shared) "
        "return; x[t] = 0.5f * x[t]; }",
        "for (int i = 0; i < n; ++i) { if (*shared) return; "
        "for (int j = 0; j < 4; ++j) x[j] = 1; }",
        "float *to = x; for (int i = 0; i < n; ++i) { if (*shared) return; "
        "*to++ = 1; }",
        "for (int i = 0; i < n; ++i) { if (*shared) return; "
        "int at = atomicAdd(flag, 1); *x = at; }"})
    EXPECT_TRUE(polls(Body, Global)) << Body;
}

// It keeps there what it has seen.
TEST(Poll, LooksPastMemoryOfTheBlockAndTheThread) {
  for (const char *Body :
       {"__shared__ int go; for (int i = 0; i < n; ++i) { if (!threadIdx.x) "
        "go = *shared; __syncthreads(); if (go) break; __syncthreads(); }",
        "int v[2]; for (int i = 0; i < n; ++i) { v[0] = shared[0]; "
        "v[1] = shared[1]; if (v[0] && v[1]) break; }",
        "struct { int a; } s; for (int i = 0; i < n; ++i) { s.a = *shared; "
        "if (s.a) break; }"})
    EXPECT_TRUE(polls(Body)) << Body;
  const char *const Look =
      "__device__ bool look(volatile int *f, int *got) { int v = *f; "
      "*got = v; return v != 0; }\n"
      "__device__ bool see(volatile int *f, int &got) { int v = *f; "
      "if (v) got = v; return v; }\n"
      "__device__ bool probe(volatile int *f, int *at) { *at = *at + 1; "
      "return f[*at]; }\n";
  EXPECT_TRUE(polls("int got; for (int i = 0; i < n; ++i) "
                    "if (look(shared, &got)) break;",
                    Look));
  EXPECT_TRUE(polls("int got; for (int i = 0; i < n; ++i) "
                    "if (see(shared, got)) break;",
                    Look));
  EXPECT_TRUE(polls("for (int i = 0; i < n; ++i) "
                    "if (look(shared, flag)) break;",
                    Look));
  EXPECT_TRUE(polls("for (int i = 0; i < n; ++i) "
                    "if (look(shared, flag + i)) break;",
                    Look));
  EXPECT_FALSE(polls("int at = 0; for (int i = 0; i < n; ++i) "
                     "if (probe(shared, &at)) break;",
                     Look));
  EXPECT_FALSE(polls("float v[2]; for (int i = 0; i < n; ++i) { v[i & 1] = 1; "
                     "if (shared[i]) break; }"));
}

// What is skipped may be the way out.
TEST(Poll, SeesWaysOutThatAreSkipped) {
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) { if (!*shared) continue; break; }",
        "for (int i = 0; i < n; ++i) { if (!*shared) continue; else return; }",
        "for (int i = 0; i < n; ++i) { switch (*shared) { case 0: continue; "
        "default: break; } break; }"})
    EXPECT_TRUE(polls(Body)) << Body;
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) { if (shared[i]) continue; break; }",
        "for (int i = 0; i < n; ++i) { if (x[i] > 3) break; "
        "if (*shared) continue; }",
        "int s = 0; for (int i = 0; i < n; ++i) { for (int j = 0; j < n; ++j) "
        "{ "
        "if (*shared) continue; s -= j; } if (x[i] > 3) break; }"})
    EXPECT_FALSE(polls(Body)) << Body;
}

// Each round looks at all of them.
TEST(Poll, SeesSeveralPlacesThatStay) {
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) { bool all = true; "
        "for (int j = 0; j < 4; ++j) all = all && shared[j]; if (all) break; }",
        "for (int i = 0; i < n; ++i) { int seen = 0; for (int j = 0; j < 9; "
        "++j) seen += shared[j]; if (seen == 9) break; }",
        "for (int i = 0; i < n; ++i) { int seen = 0; for (volatile int *p = "
        "shared; p != shared + 9; ++p) seen += *p; if (seen == 9) break; }",
        "int j, seen; for (int i = 0; i < n; ++i) { seen = 0; "
        "for (j = 0; j < 9; j = j + 1) seen += shared[j]; "
        "if (seen == 9) { *x = seen; break; } }",
        "for (int i = 0; i < n; ++i) { int j = 0; while (j < 9 && shared[j]) "
        "++j; if (j == 9) break; }"})
    EXPECT_TRUE(polls(Body)) << Body;
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) { int seen = 0; for (int j = 0; j < 9; "
        "++j) seen += shared[9 * i + j]; if (seen == 9) break; }",
        "for (int i = 0; i < n; ++i) { int seen = 0; for (int j = 0; j < i; "
        "++j) seen += shared[j]; if (seen == 9) break; }",
        "for (int i = 0; i < n; ++i) { int seen = 0; for (int j = i; j < 9; "
        "++j) seen += shared[j]; if (seen == 9) break; }",
        "for (int i = 0; i < n; ++i) { int seen = 0, at = 0; for (int j = 0; "
        "j < 9; ++j) { at += i; seen += shared[at]; } if (seen == 9) break; }",
        "int j = 0; for (int i = 0; i < n; ++i) { for (; j < 9 * i; ++j) ; "
        "if (shared[j]) break; }",
        "for (int i = 0; i < n; ++i) { float sum = 0; for (int j = 0; j < 9; "
        "++j) sum += x[9 * i + j]; if (sum > *shared) break; }"})
    EXPECT_FALSE(polls(Body)) << Body;
}

// Where to look next is found only where something was found.
TEST(Poll, SeesPlacesThatMoveOnSuccess) {
  const char *const Helpers =
      "struct Look { volatile int *f; int at; __device__ bool operator()() "
      "const { return *f; } };\n";
  for (const char *Body :
       {"int k = 0; for (int i = 0; i < n && k < 2; ++i) if (shared[k]) ++k;",
        "int k = 0; for (int i = 0; i < n; ++i) { if (k == 9) break; "
        "if (shared[k] == 0) continue; x[k] = k; ++k; }",
        "volatile int *p = shared; for (int i = 0; i < n; ++i) "
        "if (*p) { ++p; break; }",
        "int k = 0; for (int i = 0; i < n; ++i) if (shared[k]) { "
        "k += threadIdx.x; break; }",
        "int k = 0; for (int i = 0; i < n; ++i) { while (shared[k]) ++k; "
        "if (k == 9) break; }",
        "int k = 0; for (int i = 0; i < n; ++i) { if (*shared > k) { "
        "x[k] = 1; ++k; if (k == 4) return; } }",
        "Look look{shared, 0}; for (int i = 0; i < n; ++i) if (look()) { "
        "look.at = i; return; }",
        "auto poll = [&](int i) { if (*shared) { x[i] = 1; return true; } "
        "return false; }; for (int i = 0; i < n; ++i) if (poll(i)) return;",
        "for (int i = 0; i < n; ++i) if (__ldcg((int *)shared)) break; "
        "flag[0] = 1;"})
    EXPECT_TRUE(polls(Body, Helpers)) << Body;
  for (const char *Body :
       {"int k = 0; for (int i = 0; i < n; ++i) { if (shared[k]) break; ++k; }",
        "int k = 0; for (int i = 0; i < n; ++i, k += 2) if (shared[k]) break;",
        "int k = 0; for (int i = 0; i < n; ++i) { for (int j = 0; j < 2; ++j) "
        "++k; if (shared[k]) break; }"})
    EXPECT_FALSE(polls(Body, Helpers)) << Body;
}

// What a function is told matters where it says at which place it looks.
TEST(Poll, LooksIntoFunctionsThatAreToldOtherwise) {
  const char *const Peeks =
      "__device__ int peek(volatile int *f, int) { return *f; }\n"
      "__device__ int see(volatile int *f, int i) { (void)i; return *f; }\n"
      "__device__ int at(volatile int *f, int i) { return f[i]; }\n"
      "__device__ bool past(volatile int *f, int i) { return i >= *f; }\n"
      "__device__ int first(volatile int *f, int i) { volatile int *own = f; "
      "return i < 0 ? 1 : *own; }\n"
      "__device__ int next(volatile int *f, int i) { const int k = i + 1; "
      "return at(f, k); }\n"
      "__device__ int from(volatile int *f, int i) { f += i; "
      "volatile int *p; p = f + i; return *p; }\n";
  EXPECT_TRUE(
      polls("for (int i = 0; i < n && !peek(shared, i); ++i) ;", Peeks));
  EXPECT_TRUE(
      polls("for (int i = 0; i < n; ++i) if (see(shared, i)) break;", Peeks));
  EXPECT_TRUE(polls("int s = 0; for (int i = 0; i < n; ++i) { "
                    "if (past(shared, i)) break; s += i; }",
                    Peeks));
  EXPECT_TRUE(
      polls("for (int i = 0; i < n; ++i) if (first(shared, i)) break;", Peeks));
  for (const char *Look : {"at(shared, i)", "at(shared + i, 0)",
                           "next(shared, i)", "from(shared, i)"})
    EXPECT_FALSE(polls(
        "for (int i = 0; i < n && !" + std::string(Look) + "; ++i) ;", Peeks));
}

// Of what an exchange finds, which tells what was there instead.
TEST(Poll, KnowsFirstGuesses) {
  const char *const Helpers =
      "using A = cuda::atomic<int>;\n"
      "__device__ void add(A &a) { int v = a.load(); "
      "while (!a.compare_exchange_weak(v, v + 1)) ; }\n"
      "__device__ int most(A *a, int n) { int v = a->load(); "
      "while (v < n && !a->compare_exchange_weak(v, n)) ; return v; }\n"
      "__device__ bool ready(A &a) { int v = a.load(); "
      "if (v != 3) return false; a.compare_exchange_weak(v, 4); "
      "return true; }\n"
      "__device__ bool ticket(A &a, A &b) { int v = a.load(); "
      "if (v == 0) return false; b.compare_exchange_weak(v, v + 1); "
      "return true; }\n"
      "__device__ bool pop(A &a) { int v = a.load(); while (v > 0) "
      "if (a.compare_exchange_weak(v, v - 1)) return true; return false; }\n"
      "__device__ bool get(A &a) { return pop(a); }\n";
  const std::string Place = "A &a = *(A *)flag; ";
  for (const char *Body :
       {"int v = a.load(); while (!a.compare_exchange_weak(v, v + n)) ;",
        "int v = a.load(); again: if (!a.compare_exchange_weak(v, v + n)) "
        "goto again;",
        "while (n > 0) { add(a); --n; }", "while (n > 0) { most(&a, n); --n; }",
        "if (pop(a)) n = 1; while (n > 0) n -= 2;", "if (ready(a)) add(a);"})
    EXPECT_FALSE(polls(Place + Body, Helpers)) << Body;
  for (const char *Body :
       {"again: int v = a.load(); if (v != 3) goto again; "
        "a.compare_exchange_weak(v, 4);",
        "while (!ready(a)) ;", "while (!ticket(a, a)) ;", "while (!pop(a)) ;",
        "while (!get(a)) ;", "while (most(&a, 0) == 0) ;",
        "again: if (!ready(a)) goto again;"})
    EXPECT_TRUE(polls(Place + Body, Helpers)) << Body;
}

} // namespace
