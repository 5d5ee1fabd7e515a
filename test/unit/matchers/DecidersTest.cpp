// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What decides which threads come to a loop, and how often.

#include "matchers/artificial-barrier/Deciders.h"
#include "CandidateSnippet.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>
#include <set>

using namespace barricade;
using namespace barricade::artificial_barrier;
using namespace barricade::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// What decides about the first innermost loop of a piece of code.
struct Decided {
  explicit Decided(const std::string &Code, llvm::StringRef Form = "uniform")
      : Source(Code), By(*Source.members().front(), Form, Source.context()) {}

  /// The code that decides, as it is spelled.
  std::vector<std::string> code() {
    const clang::SourceManager &SM = Source.context().getSourceManager();
    std::vector<std::string> Result;
    for (const Deciders::Code &C : By.All)
      Result.push_back(clang::Lexer::getSourceText(
                           clang::CharSourceRange::getCharRange(C.Begin, C.End),
                           SM, Source.context().getLangOpts())
                           .rtrim()
                           .str());
    return Result;
  }
  std::string names() const {
    std::set<std::string> Sorted;
    for (const auto &Entry : By.Names)
      Sorted.insert(Entry.getKey().str());
    return llvm::join(Sorted, " ");
  }
  std::string globals() const {
    std::string Text;
    for (const auto &[Var, Use] : By.Globals)
      Text += Var->getNameAsString() + " ";
    return Text;
  }
  std::vector<std::string> ways() const {
    std::vector<std::string> Result;
    for (const auto &[Function, Places] : By.Ways)
      Result.push_back(Function->getNameAsString() + " " +
                       std::to_string(Places.size()));
    return Result;
  }

  CandidateSnippet Source;
  Deciders By;
};

const std::string Head = "__device__ int width; __constant__ int height;\n"
                         "struct Shape { int w, h; };\n"
                         "__global__ void k(const float *a, float *out, int n,"
                         " int m, const int *b, Shape s) {\n"
                         "int t = threadIdx.x; float sum = 0;\n";

Decided decide(const std::string &Body, llvm::StringRef Form = "uniform") {
  return Decided(Head + Body + "\n}\n", Form);
}

const std::string Loop = "for (int k = 0; k < n; ++k) sum += a[k * 64 + t];";

TEST(Deciders, AreTheLoopsHeadAndWhatItNames) {
  Decided D = decide(Loop);
  EXPECT_THAT(D.code(), ElementsAre("for (int k = 0; k < n; ++k)", "0", "++k"));
  EXPECT_EQ(D.names(), "k n");
  EXPECT_FALSE(D.By.ReadsMemory);
  EXPECT_THAT(D.ways(), ElementsAre("k 1"));
}

TEST(Deciders, AreWhatGivesVariablesTheirValues) {
  Decided D = decide("int end = n; if (m > 3) end = m * 2; int other = m + 7; "
                     "for (int k = 0; k < end; ++k) sum += a[k * 64 + t]; "
                     "out[t] = other;");
  EXPECT_THAT(D.code(),
              testing::IsSupersetOf({"n", "end = m * 2", "if (m > 3)"}));
  EXPECT_EQ(D.names(), "end k m n");
  // Behind any number of names.
  EXPECT_EQ(decide("int x = n, y = x, z = y; for (int k = 0; k < z; ++k) "
                   "sum += a[k * 64 + t];")
                .names(),
            "k n x y z");
}

TEST(Deciders, FollowReferences) {
  Decided D = decide("int end = n; int &r = end; "
                     "for (int k = 0; k < end; ++k) { sum += a[k * 64 + t]; "
                     "if (k == m) r = 3; }");
  EXPECT_THAT(D.code(), testing::Contains("r = 3"));
  EXPECT_EQ(D.names(), "end k m n r");
}

TEST(Deciders, FollowLambdasAssemblyAndBindings) {
  EXPECT_EQ(decide("int end = n; auto set = [&] { end = m; }; set(); " +
                   std::string("for (int k = 0; k < end; ++k) "
                               "sum += a[k * 64 + t];"))
                .names(),
            "end k m n");
  EXPECT_THAT(decide("int end; asm(\"mov.s32 %0, %1;\" : \"=r\"(end) : "
                     "\"r\"(m)); "
                     "for (int k = 0; k < end; ++k) sum += a[k * 64 + t];")
                  .names(),
              testing::HasSubstr("m"));
  EXPECT_EQ(decide("auto [end, other] = s; "
                   "for (int k = 0; k < end; ++k) sum += a[k * 64 + t];")
                .names(),
            "end k s");
  EXPECT_EQ(decide("auto &[end, other] = s; if (m) other = n; "
                   "for (int k = 0; k < end; ++k) sum += a[k * 64 + t];")
                .names(),
            "end k m n other s");
}

TEST(Deciders, SayWhatIsReadFromMemory) {
  const auto Reads = [](const std::string &End) {
    return decide("for (int k = 0; k < " + End + "; ++k) sum += a[k * 64 + t];")
        .By.ReadsMemory;
  };
  for (const char *End : {"b[0]", "*b", "(&s)->w", "width", "n + b[n]"})
    EXPECT_TRUE(Reads(End)) << End;
  for (const char *End : {"n", "s.w", "n * 2", "3"})
    EXPECT_FALSE(Reads(End)) << End;
  EXPECT_EQ(
      decide("for (int k = 0; k < s.w; ++k) sum += a[k * 64 + t];").names(),
      "k s w");
}

TEST(Deciders, ListVariablesOfAllFunctions) {
  EXPECT_EQ(decide("for (int k = 0; k < width + width; ++k) "
                   "sum += a[k * 64 + t];")
                .globals(),
            "width ");
  EXPECT_EQ(decide(Loop + " out[t] = width;").globals(), "");
}

TEST(Deciders, AreConditionsAroundAndJumps) {
  Decided D =
      decide("if (n > 3) { for (int j = 0; j < m; ++j) { " + Loop + " } }");
  EXPECT_THAT(D.code(), testing::IsSupersetOf({"for (int k = 0; k < n; ++k)",
                                               "if (n > 3)",
                                               "for (int j = 0; j < m; ++j)"}));
  Decided Jump = decide("for (int k = 0; k < n; ++k) { sum += a[k * 64 + t]; "
                        "if (k == m) break; if (k == 7) sum = 0; }");
  EXPECT_THAT(Jump.code(), testing::Contains("if (k == m)"));
  EXPECT_THAT(Jump.code(), testing::Not(testing::Contains("if (k == 7)")));
  // Behind the loop nothing decides.
  EXPECT_THAT(decide(Loop + " if (m) out[t] = sum;").names(), "k n");
}

TEST(Deciders, AreNotWhatAVoteStandsFor) {
  Decided D = decide("int k = t; while (k < n) { sum += a[k]; "
                     "k += 1 + (a[k] > 0); }",
                     "vote");
  EXPECT_EQ(D.names(), "");
  Decided Guarded = decide("if (t < n) " + Loop, "guarded");
  EXPECT_THAT(Guarded.names(), testing::Not(testing::HasSubstr("t")));
}

TEST(Deciders, ComeAlongFromCallers) {
  Decided D("__device__ float sum(const float *a, int count) { float s = 0;\n"
            "for (int k = 0; k < count; ++k) s += a[k * 64]; return s; }\n"
            "__device__ float twice(const float *a, int c) {\n"
            "if (c > 9) return sum(a, c + 1); return 0; }\n"
            "__global__ void k(const float *a, float *out, int n, int m) {\n"
            "out[0] = sum(a, n); if (m) out[1] = twice(a, m); }\n");
  EXPECT_THAT(D.ways(),
              testing::UnorderedElementsAre("sum 1", "twice 1", "k 2"));
  EXPECT_THAT(D.code(),
              testing::IsSupersetOf({"for (int k = 0; k < count; ++k)", "n",
                                     "c + 1", "m", "if (c > 9)", "if (m)"}));
  EXPECT_EQ(D.names(), "c count k m n");
}

TEST(Deciders, ObjectsOfOperatorsAreNoArguments) {
  Decided D("struct Sum { int bias; __device__ float operator()(const float "
            "*a, int count) const { float s = 0;\n"
            "for (int k = 0; k < count; ++k) s += a[k * 64]; return s; } };\n"
            "__global__ void k(const float *a, float *out, int n, Sum sum) {\n"
            "out[0] = sum(a, n); }\n");
  EXPECT_EQ(D.names(), "count k n");
}

TEST(Deciders, KnowMacrosAroundHeads) {
  Decided D("#define EACH(v, n) for (int v = 0; v < n; ++v)\n"
            "__global__ void k(const float *a, float *out, int n) { float s = "
            "0; EACH(k, n) s += a[k * 64]; out[0] = s; }\n");
  EXPECT_THAT(D.code(), testing::Contains("EACH(k, n)"));
  EXPECT_EQ(D.names(), "k n");
}

} // namespace
