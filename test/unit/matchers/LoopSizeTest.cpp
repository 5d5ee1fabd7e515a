// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much a relaunch loop runs, and whether it repeats itself.

#include "matchers/grid-barrier/LoopSize.h"
#include "CostReader.h"
#include "RelaunchSnippet.h"

using namespace barricade;
using namespace barricade::grid_barrier;

namespace {

struct Sized {
  explicit Sized(const std::string &Body)
      : Snippet("__global__ void k(float *a, const float *b, int i) {}\n"
                "void f(float *a, float *b, int n) {\n" +
                Body + "\n}\n") {
    EXPECT_FALSE(Snippet.Loop.Launches.empty()) << Body;
    if (!Snippet.Loop.Launches.empty())
      Size = test::CostReader::of(sizeOf(Snippet.Loop, Snippet.Code.context()));
  }
  bool repeats() { return test::CostReader::of(repeatsInGroups(Snippet.Loop)); }

  test::RelaunchSnippet Snippet;
  LoopSize Size;
};

/// -1: not known.
int64_t iterations(const std::string &Header) {
  return Sized("for (" + Header + ") k<<<8, 64>>>(a, b, 1);")
      .Size.Iterations.value_or(-1);
}

TEST(LoopSize, CountsIterations) {
  EXPECT_EQ(iterations("int i = 0; i < 10; ++i"), 10);
  EXPECT_EQ(iterations("int i = 0; 10 >= i; i++"), 11);
  EXPECT_EQ(iterations("int i = 10; i > 0; i -= 3"), 4);
  EXPECT_EQ(iterations("int i = 0; i != 6; i += 2"), 3);
  EXPECT_EQ(iterations("int i = 1; i < 1024; i *= 2"), 10);
  EXPECT_EQ(iterations("int i = 1024; i > 0; i /= 2"), 11);
  EXPECT_EQ(iterations("int i = 1024; i > 0; i >>= 1"), 11);
  EXPECT_EQ(iterations("int i = 1; i < 9; i <<= 1"), 4);
  EXPECT_EQ(iterations("int i = 5; i < 5; ++i"), 0);
}

TEST(LoopSize, KnowsNoCountOfWhatMayNotEnd) {
  EXPECT_EQ(iterations("int i = 0; i < n; ++i"), -1);
  EXPECT_EQ(iterations("int i = n; i < 10; ++i"), -1);
  EXPECT_EQ(iterations("int i = 0; i != 5; i += 2"), -1);
  EXPECT_EQ(iterations("int i = 0; i < 10; --i"), -1);
  EXPECT_EQ(iterations("int i = 0; i < 10; i *= 2"), -1);
  EXPECT_EQ(iterations("unsigned i = 9; i >= 0; --i"), -1);
  EXPECT_EQ(iterations("int i = 0; i < 1 << 30; ++i"), -1);
  EXPECT_EQ(iterations("signed char i = 0; i < 1000; ++i"), -1);
}

TEST(LoopSize, KnowsNoCountWhereTheBodySteps) {
  const auto Count = [](const std::string &More) -> int64_t {
    return Sized("for (int i = 0; i < 10; ++i) { k<<<8, 64>>>(a, b, 1); " +
                 More + " }")
        .Size.Iterations.value_or(-1);
  };
  EXPECT_EQ(Count("n = i;"), 10);
  EXPECT_EQ(Count("++i;"), -1);
  EXPECT_EQ(Count("i = 3;"), -1);
  EXPECT_EQ(Count("if (n) break;"), -1);
}

TEST(LoopSize, TakesTheLargestGrid) {
  const auto Of = [](const std::string &Launches) {
    return Sized("for (int i = 0; i < 4; ++i) { " + Launches + " }").Size;
  };
  const LoopSize Two =
      Of("k<<<8, 64>>>(a, b, 1); k<<<dim3(3, 4), 64>>>(b, a, 1);");
  EXPECT_EQ(Two.Blocks, 12u);
  EXPECT_EQ(Two.BlockThreads, 64u);
  const LoopSize Open = Of("k<<<8, 64>>>(a, b, 1); k<<<n, 64>>>(b, a, 1);");
  EXPECT_FALSE(Open.Blocks);
  EXPECT_EQ(Open.BlockThreads, 64u);
  EXPECT_EQ(Open.Iterations, 4u);
  EXPECT_FALSE(Of("k<<<8, n>>>(a, b, 1);").BlockThreads);
  EXPECT_EQ(Of("k<<<8, dim3(8, 8, 2)>>>(a, b, 1);").BlockThreads, 128u);
}

bool repeats(const std::string &Body) {
  return Sized("for (int i = 0; i < n; ++i) { " + Body + " }").repeats();
}

TEST(LoopSize, KnowsGroupsThatRepeat) {
  EXPECT_TRUE(repeats("k<<<8, 64>>>(a, b, 1);"));
  EXPECT_TRUE(repeats("k<<<8, 64>>>(a, b, n);"));
  EXPECT_TRUE(repeats("k<<<8, 64>>>(a, b, 1); k<<<8, 64>>>(b, a, 1);"));
  EXPECT_TRUE(repeats("k<<<8, 64>>>(a, b, 1); std::swap(a, b);"));
  EXPECT_TRUE(repeats("k<<<8, 64>>>(a, b, 1); "
                      "float *other = a; a = b; b = other;"));
  // Three make no group.
  EXPECT_FALSE(repeats("k<<<8, 64>>>(a, b, 1); k<<<8, 64>>>(b, a, 1); "
                       "k<<<8, 64>>>(a, b, 2);"));
}

TEST(LoopSize, WhatChangesDoesNotRepeat) {
  EXPECT_FALSE(repeats("k<<<8, 64>>>(a, b, i);"));
  EXPECT_FALSE(repeats("k<<<i + 1, 64>>>(a, b, 1);"));
  EXPECT_FALSE(repeats("k<<<8, 64>>>(a, b, 1); a += 3;"));
  EXPECT_FALSE(repeats("int j = 2 * i; k<<<8, 64>>>(a, b, j);"));
  EXPECT_FALSE(repeats("k<<<8, 64>>>(a, b, 1); "
                       "float *other = a; a = b; b = other + 1;"));
  EXPECT_FALSE(repeats("k<<<8, 64>>>(a, b, 1); "
                       "float *other = a; a = b; b = a;"));
  EXPECT_FALSE(repeats("float *other = a; a = b; k<<<8, 64>>>(a, b, 1); "
                       "b = other;"));
  EXPECT_FALSE(repeats("float *other = a; a = b; b = other; "
                       "k<<<8, 64>>>(a, other, 1);"));
  // Swapped twice, or not always.
  EXPECT_FALSE(repeats("k<<<8, 64>>>(a, b, 1); if (i & 1) std::swap(a, b);"));
  EXPECT_FALSE(repeats("std::swap(a, b); k<<<8, 64>>>(a, b, 1); "
                       "std::swap(a, b);"));
  EXPECT_FALSE(repeats("k<<<8, 64>>>(a, b, 1); std::swap(a, b); "
                       "float *other = a; a = b; b = other;"));
  EXPECT_FALSE(repeats("k<<<8, 64>>>(a, b, 1); if (i & 1) { "
                       "float *other = a; a = b; b = other; }"));
}

} // namespace
