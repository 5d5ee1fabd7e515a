// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of the code around loops once their guards move inside.

#include "matchers/artificial-barrier/GuardPlan.h"
#include "CandidateSnippet.h"

using namespace barricade;
using namespace barricade::artificial_barrier;
using namespace barricade::test;

namespace {

std::string describe(const SharedStatement &S);

/// ` (guarded)`, ` (zero k)`: what a loop starts with.
std::string describe(const LoopStart &Start) {
  if (Start.Guarded)
    return " (guarded)";
  std::string Names;
  for (const clang::VarDecl *Var : Start.Zeroed)
    Names += " " + Var->getNameAsString();
  return Names.empty() ? "" : " (zero" + Names + ")";
}

/// `free`, `run` and `free` again; what a run hoists behind it, `=` with its
/// value.
std::string describe(const GuardedRun &Run) {
  std::string Text = Run.FreeBefore.empty() ? "" : "free ";
  if (!Run.Guarded.empty())
    Text += "run ";
  for (const HoistedDeclaration &H : Run.Hoisted)
    for (const clang::Decl *D : H.Declaration->decls())
      Text +=
          cast<clang::VarDecl>(D)->getNameAsString() + (H.AsItIs ? "= " : " ");
  return Text + (Run.FreeAfter.empty() ? "" : "free ");
}

std::string describe(const GuardedPart &Part) {
  if (Part.Skipping)
    return std::string(Part.Skipping->Leaves ? "leave" : "skip") +
           (Part.Skipping->MakesFlag ? "+ " : " ");
  return Part.WithLoop ? describe(*Part.WithLoop) + " " : describe(Part.Run);
}

std::string describe(const SharedStatement &S) {
  std::string Inner = S.Inner ? " " + describe(*S.Inner) : "";
  switch (S.What) {
  case SharedStatement::Kind::BarrierLoop:
    return "loop" + describe(S.Start);
  case SharedStatement::Kind::VotingLoop:
    return "voting" + describe(S.Start) + Inner;
  case SharedStatement::Kind::UniformLoop:
    return "uniform" + Inner;
  case SharedStatement::Kind::Guard:
    return "if" + Inner + (S.Else ? " else " + describe(*S.Else) : "");
  case SharedStatement::Kind::Block:
    break;
  }
  std::string Text = "{ ";
  for (const GuardedPart &Part : S.Parts)
    Text += describe(Part);
  return Text + "}";
}

std::string planOfCode(const std::string &Code, TextQuestions Text) {
  CandidateSnippet S(Code);
  const auto Loops = S.members();
  if (Loops.empty() || !Loops.front()->outermost())
    return "nothing to move";
  const GuardPlan Plan = planGuards(Loops, {}, Text, S.context());
  return Plan.Blockers.empty() ? describe(*Plan.Outermost)
                               : S.text(Plan.Blockers);
}

const std::string Parameters =
    "(const float *a, const int *b, float *out, int n, int m) {\n"
    "int t = threadIdx.x; float s = 0;\n";

/// For a kernel with the body: the plan, or what blocks it.
std::string planOf(const std::string &Body, TextQuestions Text = plainText()) {
  return planOfCode("__global__ void k" + Parameters + Body + "\n}\n", Text);
}

/// The same in a device function.
std::string planInFunction(const std::string &Body) {
  return planOfCode("static __device__ void f" + Parameters + Body +
                        "\n}\n__global__ void k(const float *a, const int *b, "
                        "float *out, int n, int m) { f(a, b, out, n, m); }\n",
                    plainText());
}

const std::string Loop = "for (int k = 0; k < m; ++k) s += a[k * 64 + t];";

std::string guarded(const std::string &Inner) {
  return planOf("if (t < n) { " + Inner + " }");
}

//===----------------------------------------------------------------------===//
// Statements with a loop in them
//===----------------------------------------------------------------------===//

TEST(GuardPlan, GuardsBecomeFlags) {
  EXPECT_EQ(planOf("if (t < n) " + Loop), "if loop");
  EXPECT_EQ(guarded(Loop), "if { loop }");
  EXPECT_EQ(guarded("out[t] = 1; " + Loop + " out[t] = s;"),
            "if { run loop run }");
  EXPECT_EQ(guarded("{ " + Loop + " }"), "if { { loop } }");
  EXPECT_EQ(guarded("if (b[t]) { " + Loop + " }"), "if { if { loop } }");
}

TEST(GuardPlan, ElseBranches) {
  EXPECT_EQ(planOf("if (t < n) { " + Loop + " } else out[t] = 1;"),
            "if { loop }");
  EXPECT_EQ(planOf("if (t < n) out[t] = 1; else { " + Loop + " }"),
            "if else { loop }");
  EXPECT_EQ(planOf("if (t < n) { " + Loop + " } else { " + Loop + " }"),
            "if { loop } else { loop }");
  EXPECT_EQ(guarded("if (b[t]) { " + Loop + " } else if (b[t + 1]) { " + Loop +
                    " } else out[t] = 1;"),
            "if { if { loop } else if { loop } }");
}

TEST(GuardPlan, ConditionsThatDeclareStay) {
  EXPECT_EQ(planOf("if (int left = n - t) { s += left; " + Loop + " }"),
            "guard-shape at if");
  EXPECT_EQ(planOf("if (int i = t; i < n) { " + Loop + " }"),
            "guard-shape at if");
  EXPECT_EQ(guarded("if constexpr (sizeof(int) == 4) { " + Loop + " }"),
            "guard-shape at if");
  EXPECT_EQ(guarded("if (sizeof(int) == 4) { " + Loop + " }"),
            "if { if { loop } }");
}

TEST(GuardPlan, OtherStatementsBlock) {
  EXPECT_EQ(guarded("switch (m) { case 1: " + Loop + " }"),
            "guard-shape at switch");
  EXPECT_EQ(planOf("switch (m) { case 1: if (t < n) { " + Loop + " } }"),
            "if { loop }");
  EXPECT_EQ(guarded("here: " + Loop), "guard-shape at here");
  EXPECT_EQ(guarded(Loop + " here: out[t] = s;"), "guard-shape at here");
  EXPECT_EQ(guarded(Loop + " { here: out[t] = s; }"), "if { loop run }");
}

TEST(GuardPlan, LoopsAround) {
  EXPECT_EQ(guarded("for (int j = 0; j < m; ++j) { " + Loop + " }"),
            "if { uniform { loop } }");
  EXPECT_EQ(planOf("for (int j = t; j < n; ++j) { " + Loop + " }"),
            "voting { loop }");
  EXPECT_EQ(guarded("for (int j = t; j < n; ++j) { " + Loop + " }"),
            "if { voting (zero j) { loop } }");
}

TEST(GuardPlan, LoopsThatCannotKeepAll) {
  EXPECT_EQ(guarded("while (int left = n - t++) s += a[left];"),
            "loop-shape at while");
  EXPECT_EQ(guarded("for (int k = 0; k < m; ++k) { s += a[k * 64 + t]; "
                    "if (m == 3) return; }"),
            "return-in-loop at return");
  EXPECT_EQ(planOf("while (int left = n - t++) { s += left; " + Loop + " }"),
            "loop-shape at while");
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

TEST(GuardPlan, DeclarationsThatAreNeededAreHoisted) {
  EXPECT_EQ(guarded("float u = a[t]; " + Loop + " out[t] = u;"),
            "if { run u loop run }");
  EXPECT_EQ(guarded("float u = a[t]; out[t] = u; " + Loop), "if { run loop }");
  EXPECT_EQ(guarded("float u = 0; " + Loop + " out[t] = u;"),
            "if { free loop run }");
  EXPECT_EQ(guarded("out[t] = 1; float u = 0; ++u; " + Loop + " out[t] = u;"),
            "if { run u= loop run }");
  EXPECT_EQ(guarded("out[t] = 1; float u = 0; " + Loop + " out[t] = u;"),
            "if { run free loop run }");
}

TEST(GuardPlan, WhatIsNotInTheFileCannotStandAlone) {
  TextQuestions FromMacro = plainText();
  FromMacro.IsInFile = [](const clang::DeclStmt &) { return false; };
  EXPECT_EQ(
      planOf("if (t < n) { float u = 0; " + Loop + " out[t] = u; }", FromMacro),
      "if { run u= loop run }");
}

TEST(GuardPlan, DeclarationsThatCannotMoveBlock) {
  EXPECT_EQ(guarded("const float &u = a[t]; " + Loop + " out[t] = u;"),
            "guard-shape at const");
  EXPECT_EQ(guarded("const float &u = a[t]; out[t] = u; " + Loop),
            "if { run loop }");
  EXPECT_EQ(guarded("float u = a[t], *p = &u; " + Loop + " out[t] = *p;"),
            "if { run u p loop run }");
  EXPECT_EQ(guarded("const float u = a[t]; const float *p = &u; " + Loop +
                    " out[t] = u + *p;"),
            "guard-shape at const");
  // Its life would end before the loop, and a pointer leads to it.
  EXPECT_EQ(
      guarded("float u = a[t]; const float *p = &u; " + Loop + " out[t] = *p;"),
      "guard-shape at float");
}

//===----------------------------------------------------------------------===//
// Jumps
//===----------------------------------------------------------------------===//

TEST(GuardPlan, ReturnsLeaveKernelsForGood) {
  const std::string Body =
      "if (t < n) { if (m == 3) { out[t] = 1; return; } " + Loop + " }";
  EXPECT_EQ(planOf(Body), "if { run loop }");
  EXPECT_EQ(planInFunction(Body), "guard-shape at if");
  EXPECT_EQ(planInFunction("if (t < n) { " + Loop +
                           " if (m == 3) { out[t] = 1; return; } }"),
            "if { loop run }");
}

std::string voting(const std::string &Inner, TextQuestions Text = plainText()) {
  return planOf("for (int j = t; j < n; j += 64) { " + Inner + " }", Text);
}

TEST(GuardPlan, JumpsBeforeALoopBlock) {
  const std::string Jump = "if (b[j]) { out[j] = 1; continue; } ";
  EXPECT_EQ(voting(Jump + Loop), "guard-shape at if");
  EXPECT_EQ(voting(Loop + Jump), "voting { loop run }");
  EXPECT_EQ(voting(Loop + Jump + Loop), "guard-shape at if");
  EXPECT_EQ(voting("if (b[j]) { out[j] = 1; break; } " + Loop),
            "guard-shape at if");
  // It stays within the run.
  EXPECT_EQ(voting("for (int i = 0; i < 3; ++i) { if (i == m) continue; "
                   "s += i; } " +
                   Loop),
            "voting { run loop }");
}

TEST(GuardPlan, JumpsInBranchesWithoutLoops) {
  EXPECT_EQ(voting("if (b[j]) { " + Loop + " } else continue; out[j] = 1;"),
            "voting { if { loop } run }");
  EXPECT_EQ(voting("if (b[j]) { " + Loop +
                   " } else { out[j] = 1; continue; } " + Loop),
            "guard-shape at {");
  EXPECT_EQ(voting("if (b[j]) { out[j] = 1; continue; } else { " + Loop + " }"),
            "guard-shape at {");
}

TEST(GuardPlan, SkipsBecomeFlags) {
  EXPECT_EQ(voting("if (b[j]) continue; " + Loop), "voting { skip+ loop }");
  EXPECT_EQ(voting("if (b[j]) { break; } " + Loop), "voting { leave loop }");
  EXPECT_EQ(voting("if (b[j]) continue; if (b[j + 1]) break; " + Loop),
            "voting { skip+ leave+ loop }");
  EXPECT_EQ(voting("if (b[j]) break; if (b[j + 1]) break; " + Loop),
            "voting { leave leave loop }");
  EXPECT_EQ(voting("if (b[j]) continue; else out[j] = 1; " + Loop),
            "guard-shape at if");
  EXPECT_EQ(voting("if (int i = b[j]) continue; " + Loop), "guard-shape at if");
  TextQuestions Commented = plainText();
  Commented.CommentsJump = [](const clang::IfStmt &) { return true; };
  EXPECT_EQ(voting("if (b[j]) continue; " + Loop, Commented),
            "guard-shape at if");
  // Behind the last loop, it may stay a jump.
  EXPECT_EQ(voting(Loop + " if (b[j]) continue; out[j] = 1;"),
            "voting { loop run }");
  // Only the body of the loop that votes has a flag to leave by.
  EXPECT_EQ(voting("if (b[j]) { if (b[j + 1]) continue; " + Loop + " }"),
            "guard-shape at if");
}

TEST(GuardPlan, VotesGatherWhoJumped) {
  const std::string Outer = "for (int i = t; i < n; i += 64) { out[i] = 1; "
                            "for (int j = i; j < n; ++j) { " +
                            Loop + " if (b[j]) { out[j] = 1; continue; } } " +
                            Loop + " }";
  EXPECT_EQ(planOf(Outer), "voting { run voting (zero j) { loop run } loop }");
}

//===----------------------------------------------------------------------===//
// What loops start with
//===----------------------------------------------------------------------===//

std::string started(const std::string &Start, const std::string &Before = "") {
  return guarded(Before + "for (" + Start +
                 "; k < m; ++k) s += a[k * 64 + t];");
}

TEST(GuardPlan, Initialisations) {
  EXPECT_EQ(started("int k = 0"), "if { loop }");
  EXPECT_EQ(started("int k = m - m"), "if { loop (zero k) }");
  EXPECT_EQ(started("int k = 0, i = m - m"), "if { loop (zero i) }");
  EXPECT_EQ(started("k = 0", "int k; "), "if { free loop }");
  EXPECT_EQ(started("k = m - m", "int k; "), "if { free loop (guarded) }");
  EXPECT_EQ(planOf("int k; if (t < n) for (k = 0; k < m; ++k) "
                   "s += a[k * 64 + t];"),
            "if loop (guarded)");
}

TEST(GuardPlan, DeclarationsThatCannotBeZero) {
  EXPECT_EQ(started("auto k = m - m"), "guard-shape at auto");
  EXPECT_EQ(started("int k{m - m}"), "guard-shape at int");
  EXPECT_EQ(started("int k(m - m)"), "guard-shape at int");
  EXPECT_EQ(started("const int &z = b[t]", "int k = 0; "),
            "guard-shape at const");
  EXPECT_EQ(guarded("for (const float *p = a + t; p < a + m; ++p) s += *p;"),
            "if { loop (zero p) }");
  EXPECT_EQ(
      planOf("enum Number { Zero }; if (t < n) for (Number z = Number(m); "
             "m > 0; --m) s += a[m * 64 + z];"),
      "guard-shape at Number");
}

TEST(GuardPlan, NoGuardAroundTheOutermostLoop) {
  EXPECT_EQ(planOf("for (auto j = t; j < n; j += 64) { " + Loop + " }"),
            "voting { loop }");
}

} // namespace
