// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is told of the leader of a strided loop: its start as text, and whether
// it is the last to leave the loop.

#include "rewriters/artificial-barrier/LeaderText.h"
#include "../matchers/Snippet.h"

using namespace barricade;
using namespace barricade::artificial_barrier;
using namespace barricade::test;

namespace {

/// Of the first loop in a kernel's \p Body: the leader's start, with `...`
/// where others may be in the loop for longer. Empty: not told.
std::string leaderOf(const std::string &Body) {
  Snippet S("__global__ void k(const float *a, float *out, int n, int start,\n"
            "                  long wide, unsigned u, short small) {\n" +
            Body + "\n}");
  clang::ASTContext &Context = S.context();
  const KernelEffects Effects = collectKernelEffects(S.function(), false);
  const KernelDivergence Divergence(Effects, Context);
  auto Strided = findStridedLoop(S.loop(), S.function(),
                                 Divergence.of(S.function()), Context);
  auto Start = Strided ? leaderStart(*Strided, Context) : std::nullopt;
  return Start ? *Start + (Strided->LeaderIsLast ? "" : "...") : "";
}

/// The same for an int that starts with \p Start and is stepped by 64.
std::string startOf(const std::string &Start, const std::string &Type = "int") {
  return leaderOf("for (" + Type + " i = " + Start +
                  "; i < n; i += 64) out[i] = a[i];");
}

TEST(LeaderText, ThreadIndicesAreZero) {
  EXPECT_EQ(startOf("threadIdx.x"), "0");
  EXPECT_EQ(startOf("(int)threadIdx.x * 4"), "0");
  EXPECT_EQ(startOf("threadIdx.y * blockDim.x + threadIdx.x"), "0");
  EXPECT_EQ(startOf("threadIdx.x / 32"), "0...");
  EXPECT_EQ(startOf("threadIdx.x & 31"), "0...");
}

TEST(LeaderText, WhatAddsZeroIsLeftOut) {
  EXPECT_EQ(startOf("blockIdx.x * blockDim.x + threadIdx.x"),
            "blockIdx.x * blockDim.x...");
  EXPECT_EQ(startOf("start + (int)threadIdx.x"), "start");
  EXPECT_EQ(startOf("(int)threadIdx.x + start"), "start");
  EXPECT_EQ(startOf("start + threadIdx.x"), "start...");
  EXPECT_EQ(startOf("(blockIdx.x * blockDim.x + threadIdx.x) * 4"),
            "(blockIdx.x * blockDim.x) * 4...");
}

TEST(LeaderText, WhatAddsZeroStaysWhereItsTypeCounts) {
  // -1 + 0u is 4294967295, which a long keeps.
  EXPECT_EQ(startOf("start + threadIdx.x", "long"), "start + 0u...");
  EXPECT_EQ(startOf("u + threadIdx.x", "long"), "u...");
  EXPECT_EQ(startOf("start + (long)threadIdx.x", "long"), "start");
  // The product of ints could overflow, that of unsigneds cannot.
  EXPECT_EQ(startOf("(start + threadIdx.x) * start"),
            "(start + 0u) * start...");
  // An unsigned difference wraps around.
  EXPECT_EQ(startOf("threadIdx.x - start"), "0u - start...");
}

// nvcc warns of a constant that the counter's type does not have.
TEST(LeaderText, NumbersThatChangeTheirSignAreConverted) {
  EXPECT_EQ(startOf("threadIdx.x - 1"), "static_cast<int>(0u - 1)...");
  EXPECT_EQ(startOf("(int)threadIdx.x - 5", "unsigned"),
            "static_cast<unsigned int>(0 - 5)...");
  EXPECT_EQ(startOf("(int)threadIdx.x - 5"), "0 - 5");
  EXPECT_EQ(startOf("threadIdx.x + 2u"), "2u...");
  EXPECT_EQ(startOf("threadIdx.x - u"), "0u - u...");
}

TEST(LeaderText, ConstantVariablesAreWrittenOut) {
  auto With = [](const std::string &Before, const std::string &Start) {
    return leaderOf(Before + "\nfor (int i = " + Start +
                    "; i < n; i += 64) out[i] = a[i];");
  };
  EXPECT_EQ(With("int t = threadIdx.x;", "t"), "0");
  EXPECT_EQ(With("int t = threadIdx.x; int g = start + t;", "g + 1"),
            "start + 1");
  EXPECT_EQ(With("short t = blockIdx.x + threadIdx.x;", "t"),
            "static_cast<short>(blockIdx.x)...");
  EXPECT_EQ(With("int t = threadIdx.x; t += n;", "t"), "");
  EXPECT_EQ(With("int t = threadIdx.x; int *p = &t; *p = 3;", "t"), "");
  EXPECT_EQ(With("int t = start + threadIdx.x; start = n;", "t"), "");
  EXPECT_EQ(With("int t = a[threadIdx.x];", "t"), "");
}

TEST(LeaderText, TheLeaderIsLastWhereNothingWraps) {
  auto Loop = [](const std::string &Header) {
    return leaderOf("for (" + Header + ") out[i] = a[i];");
  };
  EXPECT_EQ(Loop("int i = threadIdx.x; i < n; ++i"), "0");
  EXPECT_EQ(Loop("int i = threadIdx.x; n >= i; i = i + start"), "0");
  EXPECT_EQ(Loop("long i = threadIdx.x; i < wide; i += blockDim.x"), "0");
  EXPECT_EQ(Loop("int i = n - (int)threadIdx.x; i > 0; i--"), "n");
  // Modular steps, starts, or comparisons.
  EXPECT_EQ(Loop("int i = threadIdx.x; i < n; i += blockDim.x"), "0...");
  EXPECT_EQ(Loop("int i = threadIdx.x; i < n; i += wide"), "0...");
  EXPECT_EQ(Loop("unsigned i = threadIdx.x; i < u; ++i"), "0...");
  EXPECT_EQ(Loop("int i = threadIdx.x; i < u; ++i"), "0...");
  EXPECT_EQ(Loop("short i = threadIdx.x; i < small; ++i"), "0...");
  // The others start nearer to the bound's far side, or never meet it.
  EXPECT_EQ(Loop("int i = n - (int)threadIdx.x; i < n; ++i"), "n...");
  EXPECT_EQ(Loop("int i = threadIdx.x; i > n; --i"), "0...");
  EXPECT_EQ(Loop("int i = threadIdx.x; i != n; ++i"), "0...");
  EXPECT_EQ(Loop("int i = threadIdx.x; i < n && i < 9; ++i"), "0...");
}

} // namespace
