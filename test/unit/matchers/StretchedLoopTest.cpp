// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that no kernel can run for what the host does in them, and whose
// launches may be made as one all the same.

#include "matchers/dependence/StretchedLoop.h"
#include "RelaunchSnippet.h"
#include "matchers/Blocker.h"

using namespace barricade;

namespace {

/// The launches of a loop with the body can be made as one, the host going on.
bool stretches(const std::string &Body, const std::string &Before = "") {
  test::RelaunchSnippet Read("__global__ void k(int *a, int n) {}\n"
                             "void unknown(int);\n"
                             "int *Everybodys;\n"
                             "void f(int *a, int *b, int n) {\n" +
                             Before + "for (int i = 0; i < n; ++i) { " + Body +
                             " } }\n");
  return !Read.Loop.Blockers.empty() &&
         dependence::withHostWork(Read.Loop, Read.Code.context()).has_value();
}

constexpr const char *Launch = "k<<<n, 64>>>(a, n);";

TEST(StretchedLoop, LeavesTheHostsWorkToTheHost) {
  EXPECT_TRUE(stretches(std::string(Launch) + "unknown(i);"));
  EXPECT_TRUE(stretches("k<<<n, 64>>>(a, int(i * 0.5f));"));
}

TEST(StretchedLoop, AsksForOneBlockSizeAndKnownPointers) {
  EXPECT_FALSE(
      stretches(std::string(Launch) + "unknown(i); k<<<n, 32>>>(b, n);"));
  EXPECT_FALSE(stretches("k<<<n, 64>>>(Everybodys, n); unknown(i);"));
  EXPECT_FALSE(
      stretches(std::string(Launch) + "unknown(i);", "int *&r = a; r = b;"));
}

TEST(StretchedLoop, KnowsWhatIsTheHosts) {
  EXPECT_TRUE(dependence::isOfHost("host-call"));
  EXPECT_FALSE(dependence::isOfHost("kernel-pointer"));
}

// What a kernel can run needs none.
TEST(StretchedLoop, IsForBlockedLoopsOnly) { EXPECT_FALSE(stretches(Launch)); }

} // namespace
