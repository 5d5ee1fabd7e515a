// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs where the source has no call.

#include "matchers/facts/SilentCalls.h"
#include "Snippet.h"
#include "matchers/source/Statements.h"

using namespace barricade;

namespace {

/// The names of what a statement of the body runs silently.
std::vector<std::string> silent(const std::string &Body) {
  test::Snippet Parsed(
      "struct Plain { int a; };\n"
      "struct Guard { __device__ Guard(int); __device__ ~Guard(); "
      "__device__ operator int() const; };\n"
      "struct Holds { Guard g; };\n"
      "__global__ void k(int *x, int n) {\n" +
      Body + "\n}\n");
  std::vector<std::string> Names;
  (void)codeHolds(Parsed.function(), [&](const clang::Stmt &S) {
    for (const clang::FunctionDecl *Callee : silentCallsOf(S).Callees)
      Names.push_back(Callee->getNameAsString());
    return false;
  });
  llvm::sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
  return Names;
}

using Names = std::vector<std::string>;

TEST(SilentCalls, SeeConstructorsAndDestructors) {
  EXPECT_EQ(silent("Guard g(n);"), (Names{"Guard", "~Guard"}));
  EXPECT_EQ(silent("Holds h{n};"), (Names{"Guard", "~Holds"}));
}

TEST(SilentCalls, LeaveWhatIsTrivial) {
  EXPECT_EQ(silent("Plain p{n}; Plain q = p; x[0] = q.a;"), Names{});
  EXPECT_EQ(silent("int a[4] = {}; x[0] = a[1] + n;"), Names{});
}

TEST(SilentCalls, SeeParametersEnd) {
  test::Snippet Parsed("struct Guard { __device__ ~Guard(); };\n"
                       "__device__ void f(Guard g) {}\n");
  EXPECT_TRUE(silentCallsOf(Parsed.function()).any());
  test::Snippet Without("__device__ void f(int n) {}\n");
  EXPECT_FALSE(silentCallsOf(Without.function()).any());
}

} // namespace
