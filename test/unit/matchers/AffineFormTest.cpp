// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/AffineForm.h"
#include "CostReader.h"
#include "Snippet.h"
#include "matchers/cost/FunctionValues.h"

using namespace barricade;
using namespace barricade::test;

namespace {

AffineForm named(const char *Name, Symbol::KindTy Kind = Symbol::Uniform) {
  Symbol S;
  S.Kind = Kind;
  S.Key = Name;
  S.Name = Name;
  return S;
}

const char *const N = "n", *const K = "k";

TEST(AffineForm, AddsAndMultiplies) {
  AffineForm Sum = named(N) + AffineForm(2), Other = named(N) - AffineForm(2);
  EXPECT_EQ((Sum * Other).str(), "n*n - 4");
  EXPECT_TRUE((Sum - Sum).isZero());
  EXPECT_EQ((Sum - Sum).str(), "0");
}

TEST(AffineForm, PrintsPositionsBeforeLoops) {
  AffineForm Form = AffineForm(4) * named(K, Symbol::Induction) +
                    AffineForm(builtinSymbol(Symbol::ThreadIdx, 0)) +
                    AffineForm(builtinSymbol(Symbol::BlockIdx, 0)) *
                        AffineForm(builtinSymbol(Symbol::BlockDim, 0));
  EXPECT_EQ(Form.str(), "blockIdx.x*blockDim.x + threadIdx.x + 4*k");
}

TEST(AffineForm, SaysWhenAnOverflowMakesItUnknown) {
  AffineForm Large = AffineForm(INT64_MAX) * named(N);
  EXPECT_FALSE((Large + named(N)).isKnown());
  EXPECT_EQ((Large * AffineForm(2)).str(), "?");
  EXPECT_EQ((AffineForm(0) - Large).str(), "-9223372036854775807*n");
}

TEST(AffineForm, TakesCoefficients) {
  AffineForm X(builtinSymbol(Symbol::ThreadIdx, 0));
  AffineForm Form = X * named(N) * AffineForm(4) + named(K);
  EXPECT_EQ(Form.coefficient(builtinSymbol(Symbol::ThreadIdx, 0)).str(), "4*n");
  EXPECT_TRUE(Form.coefficient(builtinSymbol(Symbol::ThreadIdx, 1)).isZero());
  EXPECT_EQ(Form.substitute(builtinSymbol(Symbol::ThreadIdx, 0), 3).str(),
            "k + 12*n");
}

TEST(AffineForm, DividesOnlyWhatIsDivisible) {
  AffineForm Form = AffineForm(8) * named(N) + AffineForm(4);
  EXPECT_EQ(Form.dividedBy(4)->str(), "2*n + 1");
  EXPECT_FALSE(Form.dividedBy(8));
  EXPECT_FALSE(Form.dividedBy(0));
}

/// The form of the variable `r` of a kernel with the body \p Body.
std::string formOf(const std::string &Body, bool Properties = false) {
  Snippet Code(
      "__device__ int index2(int r, int c, int n) { return r*n + c; }\n"
      "__device__ int twice(int i) { return 2 * i; }\n"
      "struct Size { int rows, columns; };\n"
      "__global__ void kernel(int *p, int *q, int n, int m,"
      " Size size) {" +
          Body + "}",
      Properties);
  FunctionValues Values(Code.function(), Code.context(), CostReader::key());
  return Values.evaluate(Code.initializer("r")).str();
}

const char *const Global = "blockIdx.x*blockDim.x + threadIdx.x";

TEST(FunctionValues, ReadsPlainIndexVariables) {
  EXPECT_EQ(formOf("int r = blockIdx.x * blockDim.x + threadIdx.x;"), Global);
}

TEST(FunctionValues, ReadsIndexVariablesWithProperties) {
  EXPECT_EQ(formOf("int r = blockIdx.x * blockDim.x + threadIdx.x;", true),
            Global);
  EXPECT_EQ(formOf("int r = threadIdx.z + 2 * gridDim.y;", true),
            "2*gridDim.y + threadIdx.z");
}

TEST(FunctionValues, ExpandsVariables) {
  EXPECT_EQ(formOf("int t = threadIdx.x; const size_t b = blockDim.x;"
                   "size_t i = size_t(blockIdx.x) * b + t; int r = (int)i;"),
            Global);
  EXPECT_EQ(formOf("int t; t = threadIdx.x; t += 4; int r = t << 2;"),
            "4*threadIdx.x + 16");
}

TEST(FunctionValues, TakesTheDefinitionThatReaches) {
  EXPECT_EQ(formOf("int i = 1; i = n; int r = i; i = m;"), "n");
  EXPECT_EQ(formOf("int i = 1; if (n > 0) { i = m; int r = i; }"), "m");
  EXPECT_EQ(formOf("int i = 1; if (n > 0) i = m; int r = i;"), "i");
  EXPECT_EQ(formOf("int i = 1; for (int k = 0; k < n; ++k) { int r = i;"
                   " i = k; }"),
            "i");
}

TEST(FunctionValues, LooksThroughCalls) {
  EXPECT_EQ(formOf("int r = index2(threadIdx.y, twice(threadIdx.x), n);"),
            "n*threadIdx.y + 2*threadIdx.x");
}

TEST(FunctionValues, ReadsParameterStructs) {
  EXPECT_EQ(formOf("int r = blockIdx.x * size.columns;"),
            "size.columns*blockIdx.x");
}

TEST(FunctionValues, KeepsWhatIsNotAffine) {
  EXPECT_EQ(formOf("int r = p[n] + 1;"), "p[n] + 1");
  EXPECT_EQ(formOf("int r = 2 * (n / m);"), "2*(n / m)");
  EXPECT_EQ(formOf("int r = n / 0;"), "(n / 0)");
}

TEST(FunctionValues, SplitsThreadsIntoGroups) {
  EXPECT_EQ(formOf("int r = threadIdx.x & 31;"),
            "threadIdx.x - 32*(threadIdx.x/32)");
  EXPECT_EQ(formOf("int r = threadIdx.x / 32 * 32 + threadIdx.x % 32;"),
            "threadIdx.x");
}

TEST(FunctionValues, NamesInductions) {
  EXPECT_EQ(formOf("for (int k = 0; k < n; ++k) { int r = 3 * k + m; }"),
            "3*k + m");
  EXPECT_EQ(formOf("int k; for (k = 0; k < n; k += 2) { int r = k; }"
                   "for (k = 5; k < n; ++k) { }"),
            "k");
  EXPECT_EQ(formOf("if (n > 0) for (int k = n; k > 0; k = k - 1) { int r = k;"
                   " }"),
            "k");
}

TEST(FunctionValues, ExpandsInductionsOfThreads) {
  EXPECT_EQ(formOf("for (int i = threadIdx.x; i < n; i += blockDim.x) {"
                   " int r = i; }"),
            "blockDim.x*it(i) + threadIdx.x");
}

TEST(FunctionValues, DerivesInductionsFromTheCounter) {
  EXPECT_EQ(formOf("int i = threadIdx.x; for (int k = 0; k < n; ++k) {"
                   " int r = i; i += m; }"),
            "threadIdx.x + m*k");
  EXPECT_EQ(formOf("int i = threadIdx.x;"
                   "for (int j = 0; j < n; ++j)"
                   "  for (int k = 0; k < m; ++k) { int r = i; i += 4; }"),
            "threadIdx.x + 4*k + 4*m*j");
}

TEST(FunctionValues, GivesUpOnStepsThatMayNotRun) {
  EXPECT_EQ(formOf("int i = 0; for (int k = 0; k < n; ++k) { int r = i;"
                   " if (p[k]) i += 4; }"),
            "i");
  EXPECT_EQ(formOf("int i = 0; while (i < n) { int r = i; if (p[i]) continue;"
                   " i += 4; }"),
            "i");
  EXPECT_EQ(formOf("int i = 0; int *a = &i; for (int k = 0; k < n; ++k) {"
                   " int r = i; ++i; }"),
            "i");
}

TEST(FunctionValues, EndsOnValuesThatDependOnThemselves) {
  EXPECT_EQ(formOf("int i = 1; while (i < n) { int r = i; i = i * 2; }"), "i");
  EXPECT_EQ(formOf("int i = 1, j = 2; while (i < n) { int t = i; int r = t;"
                   " i = j; j = t; }"),
            "i");
}

TEST(FunctionValues, CountsIterations) {
  auto Trips = [](const std::string &Head) -> std::string {
    Snippet Code("__global__ void kernel(int n) { for (" + Head + ") { } }");
    FunctionValues Values(Code.function(), Code.context(), CostReader::key());
    auto Form = Values.tripCount(Code.loop());
    return Form ? Form->str() : "?";
  };
  EXPECT_EQ(Trips("int i = 0; i < 10; ++i"), "10");
  EXPECT_EQ(Trips("int i = 0; i < 10; i += 4"), "3");
  EXPECT_EQ(Trips("int i = 10; i >= 1; i--"), "10");
  EXPECT_EQ(Trips("int i = 5; i < 3; ++i"), "0");
  EXPECT_EQ(Trips("int i = 2; n > i; ++i"), "n - 2");
  EXPECT_EQ(Trips("int i = 0; i < n; i += 2"), "?");
  EXPECT_EQ(Trips("int i = 128; i > 0; i /= 2"), "?");
}

TEST(FunctionValues, GivesNoTripCountToALoopThatMayEndEarly) {
  Snippet Code("__global__ void kernel(int *p) {"
               " for (int i = 0; i < 8; ++i) if (p[i]) break; }");
  FunctionValues Values(Code.function(), Code.context(), CostReader::key());
  EXPECT_FALSE(Values.tripCount(Code.loop()));
}

TEST(FunctionValues, MarksInductionsThatMayWrap) {
  Snippet Code("__global__ void kernel(int n) {"
               " for (int i = 0; i < n; i += blockDim.x) { int r = i; }"
               " for (int j = 0; j < n; ++j) { int s = j; } }");
  FunctionValues Values(Code.function(), Code.context(), CostReader::key());
  auto MayWrap = [](const Symbol &S) { return S.MayWrap; };
  EXPECT_TRUE(Values.evaluate(Code.initializer("r")).any(MayWrap));
  EXPECT_FALSE(Values.evaluate(Code.initializer("s")).any(MayWrap));
}

} // namespace
