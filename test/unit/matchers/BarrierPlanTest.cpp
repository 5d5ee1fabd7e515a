// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a loop by itself gets its barrier, or why it cannot.

#include "matchers/artificial-barrier/BarrierPlan.h"
#include "CandidateSnippet.h"

using namespace barricade;
using namespace barricade::artificial_barrier;
using namespace barricade::test;

namespace {

std::string nameOf(BarrierPlan::Way How) {
  switch (How) {
  case BarrierPlan::Way::AsItIs:
    return "as it is";
  case BarrierPlan::Way::AtEnd:
    return "at end";
  case BarrierPlan::Way::InIncrement:
    return "in increment";
  case BarrierPlan::Way::KeepAll:
    return "keep all";
  case BarrierPlan::Way::Rounds:
    return "rounds";
  case BarrierPlan::Way::MoveGuards:
    return "move guards";
  }
  return "";
}

/// For the first loop of a kernel with the body: the form and the way, or what
/// blocks it.
std::string planOf(const std::string &Body, BarrierSettings Settings = {}) {
  CandidateSnippet S("__global__ void k(const float *a, float *out, int n) {\n"
                     "int t = threadIdx.x; float s = 0;\n" +
                     Body + "\n}\n");
  const BarrierPlan Plan =
      planBarrier(S.members(), Settings, plainText(), S.context());
  return Plan.Blockers.empty() ? Plan.Form.str() + ": " + nameOf(Plan.How)
                               : S.text(Plan.Blockers);
}

const char Uniform[] = "for (int k = 0; k < n; ++k) s += a[k * 64 + t];";

TEST(BarrierPlan, UniformLoopsGetABarrier) {
  EXPECT_EQ(planOf(Uniform), "uniform: at end");
  EXPECT_EQ(planOf("int k = 0; while (k < n) s += a[k++ * 64 + t];"),
            "uniform: at end");
  EXPECT_EQ(planOf(Uniform, {1, false}), "uniform: as it is");
}

TEST(BarrierPlan, ContinueLeadsToTheIncrement) {
  EXPECT_EQ(planOf("for (int k = 0; k < n; ++k) { if (a[k * 64 + t] > 9) "
                   "continue; s += 1; }"),
            "uniform: in increment");
  EXPECT_EQ(planOf("int k = 0; while (k < n) { ++k; if (a[k * 64 + t] > 9) "
                   "continue; s += 1; }"),
            "continue at continue");
  EXPECT_EQ(planOf("for (int k = 0; k < n; ++k) { s += a[k * 64 + t]; "
                   "for (int j = 0; j < 3; ++j) continue; }"),
            "uniform: at end");
  // Nobody waits: nothing is skipped.
  EXPECT_EQ(planOf("int k = 0; while (k < n) { ++k; if (a[k * 64 + t] > 9) "
                   "continue; s += 1; }",
                   {1, false}),
            "uniform: as it is");
}

TEST(BarrierPlan, IntervalKeepsAll) {
  EXPECT_EQ(planOf(Uniform, {4, true}), "uniform: keep all");
  EXPECT_EQ(planOf(Uniform, {4, false}), "uniform: keep all");
  EXPECT_EQ(planOf("int k = 0; while (k < n) { ++k; if (a[k * 64 + t] > 9) "
                   "continue; s += 1; }",
                   {4, true}),
            "uniform: keep all");
}

TEST(BarrierPlan, StridedLoopsCountRounds) {
  EXPECT_EQ(planOf("for (int k = t; k < n; k += 64) s += a[k];"),
            "rounds: rounds");
  EXPECT_EQ(planOf("for (int k = t; k < n; k += 1 + (a[k] > 0)) s += a[k];"),
            "vote: keep all");
}

TEST(BarrierPlan, BreaksBecomeTheFlag) {
  EXPECT_EQ(planOf("for (int k = 0; k < n; ++k) { s += a[k * 64 + t]; "
                   "if (s > 9) break; }"),
            "vote: keep all");
}

TEST(BarrierPlan, WhatLeavesAKeptLoopBlocks) {
  const std::string Head =
      "for (int k = t; k < n; k += 1 + (a[k] > 0)) { s += a[k]; ";
  EXPECT_EQ(planOf(Head + "if (n == 3) return; }"), "return-in-loop at return");
  EXPECT_EQ(planOf(Head + "if (n == 3) goto done; } done: ;"),
            "loop-shape at goto");
  EXPECT_EQ(planOf(Head + "next: s += 1; }"), "loop-shape at next");
  EXPECT_EQ(planOf(Head + "auto f = [] { return 1; }; s += f(); }"),
            "vote: keep all");
  // The first of them in this order.
  EXPECT_EQ(planOf(Head + "if (n == 4) goto done; if (n == 3) return; } "
                          "done: ;"),
            "return-in-loop at return");
}

TEST(BarrierPlan, ConditionsThatDeclareBlock) {
  EXPECT_EQ(planOf("while (int left = n - t) { s += a[t++ * 64] * left; }"),
            "loop-shape at while");
  EXPECT_EQ(planOf("for (; int left = n - t; ++t) { s += a[t * 64] * left; }"),
            "loop-shape at for");
  EXPECT_EQ(
      planOf("int left; while (left = n - t) { s += a[t++ * 64] * left; }"),
      "vote: keep all");
}

TEST(BarrierPlan, GuardsMove) {
  EXPECT_EQ(planOf(std::string("if (t < n) ") + Uniform),
            "guarded: move guards");
  EXPECT_EQ(planOf(std::string("for (int j = t; j < n; ++j) ") + Uniform),
            "nested-vote: move guards");
  EXPECT_EQ(planOf(std::string("if (n > 3) ") + Uniform), "uniform: at end");
}

} // namespace
