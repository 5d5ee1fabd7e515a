// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a host function's variable `v` around its first loop.

#include "matchers/host/HostVariables.h"
#include "HostSnippet.h"

using namespace barricade;
using namespace barricade::host;

namespace {

struct Around {
  explicit Around(const std::string &Body)
      : Code("void other(int &r); void keep(int *p); int get(int x);\n"
             "int f(int n, int *device) { int v; int w = 0;\n" +
             Body + "\n}\n"),
        Variables(Code.function()) {}

  bool isShared() { return Variables.isShared(Code.variable("v")); }
  bool livesOn() { return Variables.livesOn(Code.variable("v"), Code.loop()); }
  bool hasValueBefore() {
    return Variables.hasValueBefore(Code.variable("v"), Code.loop());
  }
  bool isSetAnew() {
    const llvm::SmallPtrSet<const clang::Stmt *, 1> None;
    return Variables.isSetAnew(Code.variable("v"), Code.loop(), None);
  }

  test::HostSnippet Code;
  HostVariables Variables;
};

TEST(HostVariables, SeesWhoShares) {
  for (const char *Use :
       {"other(v);", "keep(&v);", "int &r = v;", "const int &r = v;",
        "auto f = [&] { return v; };", "auto f = [=] { return v; };",
        "(n ? v : w) = 1;", "const int &m = std::min(v, n);",
        "asm(\"\" : \"+r\"(v));"})
    EXPECT_TRUE(Around(std::string(Use) + " return 0;").isShared()) << Use;
}

TEST(HostVariables, UsesAtOnceShareNothing) {
  for (const char *Use :
       {"v = n;", "v += get(v);", "w = std::min(v, n);", "std::swap(v, w);",
        "cudaMemcpy(&v, device, sizeof(v), cudaMemcpyDeviceToHost);",
        "w = (n ? v : w);", "(void)v;", "w = sizeof(v);"})
    EXPECT_FALSE(Around(std::string(Use) + " return 0;").isShared()) << Use;
}

TEST(HostVariables, FollowsValuesPastLoops) {
  EXPECT_TRUE(Around("for (;n--;) v = n; return v;").livesOn());
  EXPECT_FALSE(Around("for (;n--;) v = n; return 0;").livesOn());
  EXPECT_FALSE(Around("for (;n--;) v = n; v = 3; return v;").livesOn());
  EXPECT_TRUE(Around("for (;n--;) v = n; if (n) v = 3; return v;").livesOn());
  EXPECT_TRUE(Around("int &r = v; for (;n--;) v = n; return r;").livesOn());
}

TEST(HostVariables, KnowsFirstValues) {
  EXPECT_FALSE(Around("for (;n--;) v = n; return v;").hasValueBefore());
  EXPECT_TRUE(Around("v = 1; for (;n--;) v = n; return v;").hasValueBefore());
  EXPECT_TRUE(Around("for (;n--;) v = n; return v;").isSetAnew());
  EXPECT_FALSE(Around("for (;n--;) v += n; return v;").isSetAnew());
  EXPECT_FALSE(
      Around("for (;n--;) { if (n) v = n; w = v; } return v;").isSetAnew());
}

} // namespace
