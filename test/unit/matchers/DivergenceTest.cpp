// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values and which loops of a kernel depend on the thread: code in, names
// out.

#include "matchers/divergence/Divergence.h"
#include "Snippet.h"
#include "matchers/facts/KernelEffects.h"

using namespace barricade;
using namespace barricade::test;

namespace {

/// The variables of the last function of \p Code, a kernel, whose first values
/// depend on the thread, by name; then "loop1" and so on, in source order, for
/// each loop to whose iterations' ends threads come unequally often.
std::string dependentIn(const std::string &Code) {
  Snippet S(Code);
  const KernelEffects Effects =
      collectKernelEffects(S.function(), /*RestrictParams=*/false);
  KernelDivergence Kernel(Effects, S.context());
  const FunctionDivergence &D = Kernel.of(S.function());
  std::string Result;
  auto Add = [&](const std::string &Name) {
    Result += (Result.empty() ? "" : " ") + Name;
  };
  for (const auto &[Name, Init] : S.initializers())
    if (D.taintOf(*Init))
      Add(Name);
  for (unsigned I = 0; I < S.loopCount(); ++I) {
    auto Branches = D.branchesOver(S.loop(I));
    if (!Branches || !Branches->empty())
      Add("loop" + std::to_string(I + 1));
  }
  return Result;
}

struct Case {
  const char *Name;
  const char *Code;
  const char *Dependent;
};

class Divergence : public testing::TestWithParam<Case> {};

TEST_P(Divergence, Names) {
  EXPECT_EQ(dependentIn(GetParam().Code), GetParam().Dependent)
      << GetParam().Code;
}

/// A kernel with the body given; its parameters are uniform.
#define KERNEL(Body)                                                           \
  "__global__ void k(const int *a, int *out, int n, float4 v) {" Body "}"

const Case Sources[] = {
    {"ThreadIndex", KERNEL("int x = threadIdx.x, y = threadIdx.y;"), "x y"},
    {"BlockIndices",
     KERNEL("int x = blockIdx.x, y = blockDim.x, z = gridDim.y;"), ""},
    {"Parameters", KERNEL("int x = n; float y = v.x; const int *z = a;"), ""},
    {"Literals", KERNEL("int x = 3; float y = 2.5f; bool z = true;"), ""},
    {"Clock", KERNEL("long long x = clock64();"), "x"},
    {"AtomicsResult", KERNEL("int x = atomicAdd(out, n);"), "x"},
    {"Shuffle", KERNEL("int x = __shfl_sync(~0u, n, 0);"), "x"},
    {"Ballot", KERNEL("unsigned x = __ballot_sync(~0u, n > 3);"), "x"},
    {"VoteOfAll", KERNEL("int x = __syncthreads_or(threadIdx.x > n);"), ""},
    {"CountOfAll", KERNEL("int x = __syncthreads_count(threadIdx.x > n);"), ""},
    {"UnknownCall", "__device__ int f(int); " KERNEL("int x = f(n);"), "x"},
    {"PureCall", KERNEL("float x = sqrtf(v.x), y = sqrtf(threadIdx.x);"), "y"},
    {"InlineAssembly",
     KERNEL("int r; asm volatile(\"mov.u32 %0, %1;\" : \"=r\"(r) : \"r\"(n)); "
            "int x = r;"),
     "x"},
};

const Case Memory[] = {
    {"LoadNobodyWrites", KERNEL("int x = a[n];"), ""},
    {"LoadAtThreadsPlace", KERNEL("int x = a[threadIdx.x];"), "x"},
    {"LoadThatMayBeWritten", KERNEL("int x = a[n]; out[threadIdx.x] = x;"),
     "x"},
    {"OtherTypeKeepsApart",
     "__global__ void k(const float *a, int *out, int n) {"
     "float x = a[n]; out[threadIdx.x] = 1; }",
     ""},
    {"RestrictKeepsApart",
     "__global__ void k(const int *__restrict__ a, int *out, int n) {"
     "int x = a[n]; out[threadIdx.x] = x; }",
     ""},
    {"SharedNobodyWrites", KERNEL("__shared__ int s[4]; int x = s[n];"), ""},
    {"SharedThatIsWritten",
     KERNEL("__shared__ int s[4]; s[n] = n; int x = s[n];"), "x"},
    {"VolatileRead", "__global__ void k(volatile int *flag) { int x = *flag; }",
     "x"},
    {"ConstantMemory",
     "__constant__ int table[4]; " KERNEL(
         "int x = table[n], y = table[threadIdx.x];"),
     "y"},
    {"ReadOnlyLoad",
     KERNEL("int x = __ldg(a + n), y = __ldg(a + threadIdx.x);"), "y"},
};

const Case Data[] = {
    {"Arithmetic", KERNEL("int t = threadIdx.x; int x = t * 2 + n, y = n * 2;"),
     "t x"},
    {"Overwritten", KERNEL("int t = threadIdx.x; t = n; int x = t;"), "t"},
    {"TaintedLater",
     KERNEL("int t = n; int x = t; t = threadIdx.x; int y = t;"), "y"},
    {"CompoundAssignment", KERNEL("int t = n; t += threadIdx.x; int x = t;"),
     "x"},
    {"Increment", KERNEL("int t = n; ++t; int x = t;"), ""},
    {"Comma", KERNEL("int x = (n, threadIdx.x), y = (threadIdx.x, n);"), "x"},
    {"Select", KERNEL("int x = threadIdx.x ? 1 : 2, y = n ? 1 : 2;"), "x"},
    {"SelectedValue", KERNEL("int x = n ? threadIdx.x : 2;"), "x"},
    {"Casts", KERNEL("long x = (long)threadIdx.x; char y = (char)n;"), "x"},
    {"ShortCircuit", KERNEL("bool x = n && threadIdx.x, y = n || v.x > 1;"),
     "x"},
    {"FieldsOnTheirOwn",
     KERNEL("float4 p; p.x = threadIdx.x; p.y = n; float x = p.x, y = p.y;"),
     "x"},
    {"WholeStruct",
     KERNEL("float4 p; p.x = threadIdx.x; float4 q = p; float x = q.y;"),
     "q x"},
    {"StructParameter", KERNEL("float x = v.x + v.w;"), ""},
    {"ArrayTaintedAsAWhole",
     KERNEL("int t[2]; t[0] = threadIdx.x; t[1] = n; int x = t[1];"), "x"},
    {"UniformArray", KERNEL("int t[2]; t[0] = n; t[1] = 3; int x = t[n & 1];"),
     ""},
    {"ThreadsIndexIntoArray",
     KERNEL("int t[2]; t[0] = 1; t[1] = 3; int x = t[threadIdx.x & 1];"), "x"},
    {"Reference", KERNEL("int t = n; int &r = t; r = threadIdx.x; int x = t;"),
     "x"},
    {"PointerToLocal",
     KERNEL("int t = n; int *p = &t; *p = threadIdx.x; int x = t;"), "p x"},
};

const Case Calls[] = {
    {"ReturnsItsArgument",
     "__device__ int f(int i) { return i + 1; } " KERNEL(
         "int x = f(threadIdx.x), y = f(n);"),
     "x"},
    {"ReturnsTheIndex",
     "__device__ int f() { return threadIdx.x; } " KERNEL("int x = f();"), "x"},
    {"ReturnsByControl",
     "__device__ int f(int i) { if (i > 3) return 1; return 2; } " KERNEL(
         "int x = f(threadIdx.x), y = f(n);"),
     "x"},
    {"OutParameter",
     "__device__ void f(int &o, int i) { o = i; } " KERNEL(
         "int t, u; f(t, threadIdx.x); f(u, n); int x = t, y = u;"),
     "x"},
    {"ThroughTwoCalls",
     "__device__ int g(int i) { return i; } "
     "__device__ int f(int i) { return g(i); } " KERNEL(
         "int x = f(threadIdx.x), y = f(n);"),
     "x"},
};

const Case Control[] = {
    {"AssignedByBranch",
     KERNEL("int t = 1; if (threadIdx.x > 3) t = 2; int x = t;"), "x"},
    {"AssignedByUniformBranch",
     KERNEL("int t = 1; if (n > 3) t = 2; int x = t;"), ""},
    {"AssignedInElse",
     KERNEL("int t; if (threadIdx.x > 3) {} else t = 2; int x = t;"), "x"},
    {"AssignedBySwitch",
     KERNEL("int t = 1; switch (threadIdx.x) { case 3: t = 2; } int x = t;"),
     "x"},
    {"AssignedAfterTheBranch",
     KERNEL("int t = 1; if (threadIdx.x > 3) { } t = 2; int x = t;"), ""},
    {"CountedByDivergentLoop",
     KERNEL("int t = 0; for (int i = 0; i < threadIdx.x; ++i) ++t; int x = t;"),
     "x loop1"},
    {"UniformLoop", KERNEL("for (int i = 0; i < n; ++i) out[i] = i;"), ""},
    {"StridedLoop",
     KERNEL("for (int i = threadIdx.x; i < n; i += 64) out[i] = i;"),
     "i loop1"},
    {"DivergentBreak",
     KERNEL("for (int i = 0; i < n; ++i) if (i > threadIdx.x) break;"),
     "loop1"},
    {"DivergentContinue",
     KERNEL("for (int i = 0; i < n; ++i) if (i > threadIdx.x) continue;"), ""},
    {"WhileOverMemory", KERNEL("int i = 0; while (a[i]) out[i++] = 1;"),
     "loop1"},
    {"DoLoop", KERNEL("int i = 0; do { ++i; } while (i < threadIdx.x);"),
     "loop1"},
    {"UniformDoLoop", KERNEL("int i = 0; do { ++i; } while (i < n);"), ""},
    {"LoopUnderGuard",
     KERNEL("if (threadIdx.x < n) { for (;;) { if (n) break; } }"), "loop1"},
    {"LoopUnderUniformGuard",
     KERNEL("if (blockIdx.x < n) for (int i = 0; i < n; ++i) out[i] = i;"), ""},
    {"OuterLoopDiverges",
     KERNEL("for (int j = 0; j < threadIdx.x; ++j) "
            "for (int i = 0; i < 3; ++i) out[i] = j;"),
     "loop1 loop2"},
    {"InnerLoopDiverges",
     KERNEL("for (int j = 0; j < n; ++j) "
            "for (int i = 0; i < threadIdx.x; ++i) out[i] = j;"),
     "loop2"},
    {"SameCounterLater",
     KERNEL("int i; for (i = 0; i < n; ++i) out[i] = i; "
            "for (i = threadIdx.x; i < n; i += 64) out[i] = i;"),
     "loop2"},
    {"GotoOutOfLoop",
     KERNEL("for (int i = 0; i < n; ++i) if (threadIdx.x == i) goto out; "
            "out: ;"),
     "loop1"},
};

std::string nameOf(const testing::TestParamInfo<Case> &Info) {
  return Info.param.Name;
}

INSTANTIATE_TEST_SUITE_P(Sources, Divergence, testing::ValuesIn(Sources),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Memory, Divergence, testing::ValuesIn(Memory), nameOf);
INSTANTIATE_TEST_SUITE_P(Data, Divergence, testing::ValuesIn(Data), nameOf);
INSTANTIATE_TEST_SUITE_P(Calls, Divergence, testing::ValuesIn(Calls), nameOf);
INSTANTIATE_TEST_SUITE_P(Control, Divergence, testing::ValuesIn(Control),
                         nameOf);

} // namespace
