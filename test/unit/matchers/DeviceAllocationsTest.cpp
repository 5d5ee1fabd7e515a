// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pointers of the host own memory of their own.

#include "matchers/facts/DeviceAllocations.h"
#include "HostSnippet.h"

using namespace barricade;

namespace {

bool owns(const std::string &Body) {
  test::HostSnippet Parsed("void other(int **); int *made(int); int *Global;\n"
                           "void f(int *given, int n) { int *p = nullptr, *q = "
                           "nullptr;\n" +
                           Body + "\n}\n");
  return DeviceAllocations(Parsed.function()).isOwner(Parsed.variable("p"));
}

constexpr const char *Allocates = "cudaMalloc((void **)&p, 4 * n);";

TEST(DeviceAllocations, OwnWhatTheyAllocate) {
  EXPECT_TRUE(owns(Allocates));
  EXPECT_TRUE(owns(std::string(Allocates) + "cudaMalloc((void **)&q, 4);"));
  EXPECT_TRUE(owns(std::string(Allocates) + "q = p;"));
}

TEST(DeviceAllocations, ShareWhatTheyAreGiven) {
  for (const char *Body : {"", "p = given;", "p = Global;", "p = made(n);",
                           "other(&p);", "p = q;"})
    EXPECT_FALSE(owns(Body)) << Body;
  for (const char *After : {"p = given;", "other(&p);", "p = p + n;",
                            "int *&r = p; r = given;", "std::swap(p, q);"})
    EXPECT_FALSE(owns(std::string(Allocates) + After)) << After;
}

TEST(DeviceAllocations, KnowWhereExpressionsLead) {
  test::HostSnippet Parsed(
      "void f(int *given, int n) { int *p; cudaMalloc((void **)&p, 4 * n);\n"
      "  int *inside = p + n; int *outside = given + n; }\n");
  const DeviceAllocations Found(Parsed.function());
  EXPECT_TRUE(Found.reachesOnlyOwn(*Parsed.variable("inside").getInit()));
  EXPECT_FALSE(Found.reachesOnlyOwn(*Parsed.variable("outside").getInit()));
}

} // namespace
