// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single rules of the cost model; test/ptx-counts compares whole loops.

#include "matchers/cost/InstructionCount.h"
#include "CostReader.h"
#include "Snippet.h"
#include "matchers/cost/FunctionValues.h"
#include "matchers/cost/InstructionCost.h"
#include "matchers/cost/ValueGraph.h"

using namespace barricade;
using namespace barricade::test;

namespace {

uint64_t countOf(const std::string &Body) {
  Snippet Code("__device__ float square(float x) { return x * x; }\n"
               "__global__ void kernel(float *a, float *b, int *c, float s,"
               " int n, int m) {"
               " int tid = threadIdx.x; float sum = 0;"
               " for (int k = 0; k < n; ++k) {" +
               Body + "} a[0] = sum; }");
  FunctionValues Values(Code.function(), Code.context(), CostReader::key());
  return CostReader::of(countIteration(Code.loop(), Code.function(), Values,
                                       Code.context()))
      .Instructions;
}

/// What \p Body takes more than an empty loop, whose counter, comparison and
/// branch are there in any case.
int64_t extra(const std::string &Body) {
  return int64_t(countOf(Body)) - int64_t(countOf(""));
}

TEST(InstructionCount, CountsTheLoopItself) { EXPECT_EQ(countOf(""), 3u); }

TEST(InstructionCount, TakesInvariantsOutOfTheLoop) {
  EXPECT_EQ(extra("b[k] = s * s + n;"), extra("b[k] = s;"));
}

TEST(InstructionCount, DropsWhatIsNotUsed) {
  EXPECT_EQ(extra("float x = b[k] * s;"), 0);
}

TEST(InstructionCount, ComputesEqualValuesOnce) {
  EXPECT_EQ(extra("sum += b[k]; sum += b[k];"), extra("sum += b[k];") + 1);
}

TEST(InstructionCount, FusesProductsIntoSums) {
  // load, pointer bump, fma
  EXPECT_EQ(extra("sum += b[k] * s;"), 3);
  EXPECT_EQ(extra("sum += b[k] + s;"), 4);
}

TEST(InstructionCount, BumpsAPointerForEachAddress) {
  EXPECT_EQ(extra("b[k * m] = 0; b[k * m + 1] = 0;"), 3);
  EXPECT_EQ(extra("b[k * m] = 0; a[k * m] = 0;"), 4);
}

TEST(InstructionCount, ScalesAnIndexOnceWhereItMayWrap) {
  // the index, its scaling, an addition to each base, two stores
  EXPECT_EQ(extra("unsigned i = k * blockDim.x; b[i] = 0; a[i] = 0;"), 6);
}

TEST(InstructionCount, CountsBothArms) {
  // compare and branch, twice bump and store, and the else's jump
  EXPECT_EQ(extra("if (k < m) b[k * 2] = 0; else a[k * 3] = 0;"), 7);
}

TEST(InstructionCount, SelectsWhereArmsOnlyCompute) {
  // load, bump, compare, select
  EXPECT_EQ(extra("float x = b[k]; if (x > sum) sum = x;"), 4);
}

TEST(InstructionCount, LooksIntoCalls) {
  EXPECT_EQ(extra("sum += square(b[k]);"), extra("sum += b[k] * b[k];"));
}

TEST(InstructionCount, EndsOnRecursion) {
  Snippet Code("__device__ int f(int n) { return n ? f(n - 1) + 1 : 0; }\n"
               "__global__ void kernel(int *a, int n) {"
               " for (int k = 0; k < n; ++k) a[k] = f(a[k]); }");
  FunctionValues Values(Code.function(), Code.context(), CostReader::key());
  EXPECT_EQ(CostReader::of(countIteration(Code.loop(), Code.function(), Values,
                                          Code.context()))
                .Calls,
            1u);
}

TEST(InstructionCount, TellsApartWhatTwoLoopsMakeOfAVariable) {
  Snippet Code("__global__ void kernel(unsigned *a, int n) {"
               " unsigned s = 0;"
               " for (int i = 0; i < n; ++i) s ^= a[s * 3u];"
               " for (int i = 0; i < n; ++i) s = s * 31u ^ a[i];"
               " a[0] = s; }");
  auto Count = [&](FunctionValues &Values, unsigned Loop) {
    return CostReader::of(countIteration(Code.loop(Loop), Code.function(),
                                         Values, Code.context()))
        .Instructions;
  };
  FunctionValues Fresh(Code.function(), Code.context(), CostReader::key()),
      Used(Code.function(), Code.context(), CostReader::key());
  Count(Used, 0);
  EXPECT_EQ(Count(Used, 1), Count(Fresh, 1));
}

TEST(InstructionCount, CountsDivisionsAsCompiled) {
  EXPECT_EQ(extra("c[k] = c[k] / m;"), extra("c[k] = c[k] - m;"));
  EXPECT_EQ(extra("c[k] = c[k] / 8;"), extra("c[k] = c[k] - m;") + 3);
  EXPECT_EQ(extra("c[k] = (unsigned)c[k] / 8;"), extra("c[k] = c[k] - m;"));
}

TEST(InstructionCount, WritesSmallLoopsOut) {
  // Four loads at constant offsets from one pointer, four additions.
  EXPECT_EQ(extra("for (int j = 0; j < 4; ++j) sum += b[k * m + j];"), 9);
}

TEST(InstructionCost, KnowsFunctions) {
  EXPECT_EQ(costOfFunction("sqrtf", 32).Instructions, 1u);
  EXPECT_TRUE(costOfFunction("sqrt", 64).Transcendental);
  EXPECT_GT(costOfFunction("exp", 64).Instructions,
            costOfFunction("expf", 32).Instructions);
  EXPECT_FALSE(costOfFunction("fabsf", 32).Transcendental);
}

TEST(ValueGraph, CostsOnlyWhatIsRequired) {
  LoopLevel Loop;
  ValueGraph Graph;
  auto A = Graph.fresh(&Loop, {}, 1), B = Graph.fresh(&Loop, {A}, 2);
  Graph.fresh(&Loop, {A}, 4);
  EXPECT_EQ(Graph.sum().Instructions, 0u);
  Graph.require(B);
  EXPECT_EQ(Graph.sum().Instructions, 3u);
}

TEST(ValueGraph, CostsAValueWhereItVaries) {
  LoopLevel Outer, Inner;
  Inner.Parent = &Outer;
  Inner.Times = 8;
  ValueGraph Graph;
  auto Before = Graph.value("before", {}, 100);
  auto A = Graph.fresh(&Outer, {}, 1), B = Graph.fresh(&Inner, {}, 1);
  Graph.require(Graph.value("+", {A, Before}, 1));
  Graph.require(Graph.value("+", {A, B}, 1));
  EXPECT_EQ(Graph.sum().Instructions, 1u + 1u + 8u + 8u);
}

TEST(ValueGraph, FusesOnlyAProductWithOneUser) {
  LoopLevel Loop;
  ValueGraph Graph;
  auto A = Graph.fresh(&Loop, {}, 0), Product = Graph.value("*", {A, A}, 1);
  auto Sum = Graph.value("+", {Product, A}, 1);
  Graph.mayFuse(Sum, Product);
  Graph.require(Sum);
  EXPECT_EQ(Graph.sum().Instructions, 1u);
  Graph.require(Graph.value("-", {Product, A}, 1));
  EXPECT_EQ(Graph.sum().Instructions, 3u);
}

} // namespace
