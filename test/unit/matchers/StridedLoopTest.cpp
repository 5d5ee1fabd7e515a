// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations a block's threads share out. What the leader starts
// with, and whether it is the last to leave: LeaderTextTest.

#include "matchers/artificial-barrier/StridedLoop.h"
#include "Snippet.h"
#include "matchers/facts/KernelEffects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"

using namespace barricade;

namespace {

/// "counter from start by +amount", "in body" where it is stepped there; or
/// nothing. Of the first loop.
std::string stridedOf(const std::string &Body, const std::string &Before = "") {
  test::Snippet S(Before +
                  "\n__device__ int get(int);\n"
                  "__global__ void k(const float *a, float *out, "
                  "int n, int s, unsigned u, volatile int *v) {\n"
                  "int t = threadIdx.x;\n" +
                  Body + "\n}\n");
  clang::ASTContext &Context = S.context();
  const KernelEffects Effects = collectKernelEffects(S.function(), false);
  const KernelDivergence Divergence(Effects, Context);
  const auto Loop = artificial_barrier::findStridedLoop(
      S.loop(), S.function(), Divergence.of(S.function()), Context);
  if (!Loop)
    return "";
  const auto Text = [&](const clang::Expr *E) {
    return E ? clang::Lexer::getSourceText(
                   clang::CharSourceRange::getTokenRange(E->getSourceRange()),
                   Context.getSourceManager(), Context.getLangOpts())
                   .str()
             : "1";
  };
  return Loop->Counter->getNameAsString() + " from " + Text(Loop->Start) +
         " by " + (Loop->Downwards ? "-" : "+") + Text(Loop->Amount) +
         (Loop->StepInBody ? " in body" : "");
}

TEST(StridedLoop, ReadsSteps) {
  EXPECT_EQ(stridedOf("for (int i = t; i < n; ++i) out[i] = a[i];"),
            "i from t by +1");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) out[i] = a[i];"),
            "i from t by +s");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i = i + s) out[i] = a[i];"),
            "i from t by +s");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i = s + i) out[i] = a[i];"),
            "i from t by +s");
  EXPECT_EQ(stridedOf("for (int i = n - t; i > 0; i -= 4) out[i] = a[i];"),
            "i from n - t by -4");
  EXPECT_EQ(stridedOf("for (int i = n - t; i > 0; i--) out[i] = a[i];"),
            "i from n - t by -1");
  EXPECT_EQ(stridedOf("for (int i = t, j = 0; i < n; i += s, ++j) "
                      "out[i] = a[j];"),
            "i from t by +s");
}

TEST(StridedLoop, ReadsStepsInBodies) {
  EXPECT_EQ(stridedOf("int i = t; while (i < n) { out[i] = a[i]; i += s; }"),
            "i from t by +s in body");
  EXPECT_EQ(stridedOf("for (int i = t; i < n;) { i += s; out[i] = a[i]; }"),
            "i from t by +s in body");
  // Not in each iteration, or not once.
  EXPECT_EQ(stridedOf("int i = t; while (i < n) { if (a[i] > 0) continue; "
                      "i += s; }"),
            "");
  EXPECT_EQ(stridedOf("int i = t; while (i < n) { if (a[i] > 0) i += s; }"),
            "");
  EXPECT_EQ(stridedOf("int i = t; while (i < n) { i += s; i += 1; }"), "");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) { if (a[i] > 0) ++i; }"),
            "");
}

TEST(StridedLoop, AllStepAlike) {
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += t + 1) out[i] = a[i];"), "");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += v[0]) out[i] = a[i];"), "");
  // Who has left changes it no more.
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) { out[i] = a[i]; ++s; }"),
            "");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) "
                      "{ out[i] = a[i]; s += t; }"),
            "");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i *= 2) out[i] = a[i];"), "");
}

TEST(StridedLoop, OnlyTheCounterTellsThreadsApart) {
  EXPECT_EQ(stridedOf("for (int i = t; i < t + n; i += s) out[i] = a[i];"), "");
  EXPECT_EQ(stridedOf("for (int i = t; a[i] < n; i += s) out[i] = 1;"), "");
  EXPECT_EQ(stridedOf("for (int i = t; get(i) < n; i += s) out[i] = 1;"), "");
  EXPECT_EQ(stridedOf("for (int i = t; i < v[0]; i += s) out[i] = a[i];"), "");
  EXPECT_EQ(stridedOf("for (int i = t, j = t; i + j < n; i += s) "
                      "out[i] = a[j];"),
            "");
  // Nothing differs: it is no strided loop's business.
  EXPECT_EQ(stridedOf("for (int i = 0; i < n; i += s) out[i] = a[i];"), "");
}

TEST(StridedLoop, LeavesByItsConditionAlone) {
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) if (a[i] > 0) break;"),
            "");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) if (a[i] > 0) return;"),
            "");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) "
                      "if (a[i] > 0) goto done; done: ;"),
            "");
  EXPECT_EQ(
      stridedOf("int i = t; do { out[i] = a[i]; i += s; } while (i < n);"), "");
  // Of a loop within.
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) "
                      "for (int j = 0; j < 4; ++j) if (a[j] > 0) break;"),
            "i from t by +s");
}

TEST(StridedLoop, NobodyElseChangesTheCounter) {
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) "
                      "{ int *p = &i; *p += 1; }"),
            "");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) "
                      "{ int &r = i; r += 1; }"),
            "");
  EXPECT_EQ(stridedOf("for (int i = t; i < n; i += s) "
                      "{ auto f = [&] { ++i; }; f(); }"),
            "");
  EXPECT_EQ(stridedOf("int i; i = t; while (i < n) { out[i] = 1; i += s; }"),
            "i from t by +s in body");
  EXPECT_EQ(stridedOf("int i = t; if (n > 9) i = 0; "
                      "while (i < n) { out[i] = 1; i += s; }"),
            "");
  EXPECT_EQ(stridedOf("for (float i = t; i < n; i += s) out[(int)i] = 1;"), "");
}

} // namespace
