// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which host code does no more than compute. Which values are pure: PurityTest.

#include "matchers/host/HostExpressions.h"
#include "HostSnippet.h"
#include "matchers/facts/Purity.h"
#include <set>

using namespace barricade;
using namespace barricade::host;

namespace {

const std::string Before = R"(
int unknown(int);
int twice(int x) { return 2 * x; }
int global;
struct Plain { int x; };
struct Ends { int x; ~Ends(); };
struct Copies { int x; Copies(); Copies(const Copies &); };
struct Assigns { int x; Assigns &operator=(int); Assigns &operator++(); };
void cleaned(int *);
)";

/// The variables that the first statement changes; `?`: it does more.
std::string changedBy(const std::string &Statement) {
  test::HostSnippet Code(
      Before +
      "void f(int n, int m, float x, int *p, volatile int *vp, int &r, "
      "volatile int v, Plain s, Copies c, Assigns a) {\n" +
      Statement + "\n}\n");
  const clang::Stmt &S = **Code.function().getBody()->child_begin();
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Changed;
  if (!isPureStatement(S, Code.context(), Changed))
    return "?";
  std::set<std::string> Names;
  for (const clang::VarDecl *Var : Changed)
    Names.insert(Var->getNameAsString());
  std::string Text;
  for (const std::string &Name : Names)
    Text += (Text.empty() ? "" : " ") + Name;
  return Text;
}

TEST(HostExpressions, TakesAssignmentsOfLocals) {
  EXPECT_EQ(changedBy("n = 3;"), "n");
  EXPECT_EQ(changedBy("(n) = twice(m) + global;"), "n");
  EXPECT_EQ(changedBy("n += m;"), "n");
  EXPECT_EQ(changedBy("x /= *p;"), "x");
  EXPECT_EQ(changedBy("++n;"), "n");
  EXPECT_EQ(changedBy("(n--);"), "n");
  EXPECT_EQ(changedBy("p = p + 1;"), "p");
  EXPECT_EQ(changedBy("++p;"), "p");
  EXPECT_EQ(changedBy(";"), "");
}

TEST(HostExpressions, LeavesOtherTargets) {
  for (const char *Statement :
       {"global = 3;", "*p = 3;", "p[n] = 3;", "++*p;", "r = 3;", "++r;",
        "s.x = 3;", "v = 3;", "++v;", "*vp = 3;", "a = 3;", "++a;",
        "(n ? n : m) = 3;", "n, m = 3;", "(n = 3) = 4;"})
    EXPECT_EQ(changedBy(Statement), "?") << Statement;
}

TEST(HostExpressions, LeavesWhatDoesMore) {
  for (const char *Statement :
       {"n = unknown(m);", "n = ++m;", "n = m = 3;", "n = *vp;", "n = v;",
        "unknown(n);", "n + m;", "if (n) m = 3;", "{ n = 3; }", "return;",
        "for (;;) n = 3;", "n += unknown(1);", "n = [&] { return ++m; }();",
        "cudaDeviceSynchronize();", "delete p;", "p = new int;",
        "label: n = 3;", "asm(\"\");", "c = c;"})
    EXPECT_EQ(changedBy(Statement), "?") << Statement;
}

TEST(HostExpressions, TakesDeclarations) {
  for (const char *Statement :
       {"int t;", "int t = twice(n);", "const int t = n, u = m;",
        "auto t = p + 1;", "Plain t = s;", "Plain t{n};", "int t[4] = {n};",
        "using T = int;", "typedef int T;", "static_assert(true);",
        "using namespace std;", "using std::swap;", "dim3 t(n, m);"})
    EXPECT_EQ(changedBy(Statement), "") << Statement;
}

TEST(HostExpressions, LeavesOtherDeclarations) {
  for (const char *Statement :
       {"int t = unknown(n);", "int t = n, u = unknown(t);", "int &t = n;",
        "const int &t = 3;", "volatile int t = n;", "static int t = 3;",
        "Ends t;", "Copies t;", "Copies t = c;", "int t[n];", "int t = *vp;",
        "extern int t;", "thread_local int t = 3;", "using T = int[n];",
        "int t __attribute__((cleanup(cleaned))) = 3;"})
    EXPECT_EQ(changedBy(Statement), "?") << Statement;
}

TEST(HostExpressions, KnowsPureValues) {
  const auto Is = [](const std::string &Value) {
    test::HostSnippet Code(Before +
                           "void f(int n, int *p, volatile int *v) { "
                           "int value = " +
                           Value + "; }\n");
    return facts::isPure(*Code.variable("value").getInit(), Code.context());
  };
  for (const char *Value :
       {"3", "n", "*p", "global", "twice(n)", "n ? *p : p[2]", "int(2.5f)"})
    EXPECT_TRUE(Is(Value)) << Value;
  for (const char *Value : {"unknown(n)", "++n", "*v", "n = 3", "*new int",
                            "twice(n++)", "n ? unknown(n) : 3"})
    EXPECT_FALSE(Is(Value)) << Value;
}

} // namespace
