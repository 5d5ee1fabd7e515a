// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which writes no constant can take away.

#include "matchers/grid-barrier/SureWrites.h"
#include "Snippet.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::grid_barrier;

namespace {

/// The parameters that the snippet's last function surely writes through, with
/// blanks between them.
std::string writtenIn(const std::string &Code) {
  test::Snippet Source(Code);
  const llvm::SmallBitVector Written = surelyWritten(Source.function());
  std::string Names;
  for (unsigned I : Written.set_bits())
    Names += (Names.empty() ? "" : " ") +
             Source.function().getParamDecl(I)->getNameAsString();
  return Names;
}

/// The same of a kernel with this body.
std::string written(const std::string &Body, const std::string &More = "") {
  return writtenIn("struct Pair { int x, y; };" + More +
                   "template <int N, bool B, typename T> __global__ void "
                   "k(int *p, int *q, Pair *s, T *t, int **pp, int n, int m, "
                   "bool f) { int i = threadIdx.x + blockIdx.x * blockDim.x; " +
                   Body + "}");
}

TEST(SureWrites, AreThoseThroughAName) {
  EXPECT_EQ(written("p[i] = 1;"), "p");
  EXPECT_EQ(written("*p += 1; q[0]++;"), "p q");
  EXPECT_EQ(written("*(p + i) = 1; *(1 + &q[i]) = 2;"), "p q");
  EXPECT_EQ(written("s[i].x = 1; t->x = 2;"), "s t");
  EXPECT_EQ(written("t[i] = T(p[i]); t[i] += 1;"), "t");
  EXPECT_EQ(written("((float *)p)[i] = 1;"), "p");
  EXPECT_EQ(written("atomicAdd(&p[i], 1); atomicAdd(q, t[i]);"), "p q");
  EXPECT_EQ(written("*p++ = 1;"), "p");
}

TEST(SureWrites, AreNotThoseElsewhere) {
  EXPECT_EQ(written("int *r = p; r[i] = 1;"), "");
  EXPECT_EQ(written("pp[i][0] = 1; **pp = 2;"), "");
  EXPECT_EQ(written("p = q; p[i] = 1;"), "");
  EXPECT_EQ(written("{ int p[4]; p[i] = 1; }"), "");
  EXPECT_EQ(written("auto l = [=] { p[i] = 1; };"), "");
  EXPECT_EQ(written("i = p[i];"), "");
  EXPECT_EQ(written("i = __ldcv(p);", "__device__ int __ldcv(const int *);"),
            "");
}

TEST(SureWrites, StandUnderConditionsOfThreadsAndMemory) {
  EXPECT_EQ(written("if (i < n) p[i] = 1;"), "p");
  EXPECT_EQ(written("if (i >= n) return; p[i] = 1;"), "p");
  EXPECT_EQ(written("if (q[0]) p[i] = 1; else s->x = 2;"), "p s");
  EXPECT_EQ(written("int v = t[i]; if (v > 0) p[i] = 1;"), "p");
  EXPECT_EQ(written("if (int v = q[i]) p[v] = 1;"), "p");
  EXPECT_EQ(written("i < n ? p[i] = 1 : q[i] = 2;"), "p q");
  EXPECT_EQ(written("i < n && (p[i] = 1);"), "p");
  EXPECT_EQ(written("switch (i % 3) { case 0: p[i] = 1; }"), "p");
  EXPECT_EQ(written("if (i < at()) p[i] = 1;",
                    "__device__ int at() { return threadIdx.x; }"),
            "p");
  EXPECT_EQ(written("if (state) p[i] = 1;", "__device__ int state;"), "p");
  EXPECT_EQ(written("if (i < n || f) p[i] = 1;"), "p");
  EXPECT_EQ(written("if (!(i >= n || q[i])) p[i] = 1;"), "p");
}

TEST(SureWrites, DoNotStandUnderConditionsOfConstants) {
  EXPECT_EQ(written("if (f) p[i] = 1; else q[i] = 1;"), "");
  EXPECT_EQ(written("if (B) p[i] = 1;"), "");
  EXPECT_EQ(written("if constexpr (B) p[i] = 1; else q[i] = 1;"), "");
  EXPECT_EQ(written("if (sizeof(T) == 4) p[i] = 1;"), "");
  EXPECT_EQ(written("if (0) p[i] = 1;"), "");
  EXPECT_EQ(written("if (p) p[i] = 1;"), "");
  EXPECT_EQ(written("int part = n / 2; if (part > m) p[i] = 1;"), "");
  EXPECT_EQ(written("if (gridDim.x > 1) p[i] = 1;"), "");
  EXPECT_EQ(written("if (i < n && f) p[i] = 1; else q[i] = 2;"), "q");
  EXPECT_EQ(written("if (i < n || f) p[i] = 1; else q[i] = 2;"), "p");
  EXPECT_EQ(written("f ? p[i] = 1 : q[i] = 2;"), "");
  EXPECT_EQ(written("f && (p[i] = 1); f || (q[i] = 1);"), "");
  EXPECT_EQ(written("switch (n) { case 0: p[i] = 1; } q[i] = 1;"), "q");
  EXPECT_EQ(written("if (mode == 1) p[i] = 1;", "constexpr int mode = 0;"), "");
  EXPECT_EQ(written("if (on()) p[i] = 1;",
                    "__device__ constexpr bool on() { return false; }"),
            "");
}

TEST(SureWrites, DoNotFollowWhatConstantsMayLeave) {
  EXPECT_EQ(written("p[i] = 1; if (f) return; q[i] = 1;"), "p");
  EXPECT_EQ(written("for (int k = i; k < n; ++k) { p[k] = 1; if (f) break; "
                    "q[k] = 1; }"),
            "p");
  EXPECT_EQ(written("switch (n) { case 0: i = 1; break; } p[i] = 1;"), "p");
  EXPECT_EQ(written("if (f) goto end; p[i] = 1; end:;"), "");
}

TEST(SureWrites, StandInLoops) {
  EXPECT_EQ(written("for (int k = i; k < n; ++k) p[k] = 1;"), "p");
  EXPECT_EQ(written("for (int k = 0; k < n; ++k) p[k] = 1;"), "p");
  EXPECT_EQ(written("while (true) { p[i] = 1; if (q[i]) break; }"), "");
  EXPECT_EQ(written("for (;;) { p[i] = 1; if (q[i]) break; }"), "p");
  EXPECT_EQ(written("do p[i] = 1; while (0);"), "p");
  EXPECT_EQ(written("for (int k = 0; k < 0; ++k) p[k] = 1;"), "");
  EXPECT_EQ(written("for (int k = 0; k < N; ++k) p[k] = 1;"), "");
}

TEST(SureWrites, StandInCallees) {
  EXPECT_EQ(written("put(q, p + i, 1);",
                    "__device__ void put(int *, int *to, int v) { *to = v; }"),
            "p");
  EXPECT_EQ(written("put(p, f);",
                    "__device__ void put(int *a, bool f) { if (f) *a = 1; }"),
            "");
  EXPECT_EQ(
      written("if (f) put(p);", "__device__ void put(int *a) { *a = 1; }"), "");
  EXPECT_EQ(written("put(p);", "__device__ void put(int *a) { put(a); }"), "");
  EXPECT_EQ(written("put(p);", "__device__ void put(int *);"), "");
}

TEST(SureWrites, AreTheSameForEachInstance) {
  const std::string Kernel =
      "template <bool B, typename T> __global__ void k(T *p, T *q) {"
      "  if constexpr (B) p[threadIdx.x] = 1;"
      "  q[threadIdx.x] += p[0]; }";
  for (const char *Instance :
       {"<true, int>(int *, int *)", "<false, float>(float *, float *)"})
    EXPECT_EQ(writtenIn(Kernel + "template __global__ void k" + Instance + ";"),
              "q");
}

} // namespace
