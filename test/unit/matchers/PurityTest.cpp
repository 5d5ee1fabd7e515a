// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Purity.h"
#include "Snippet.h"

using namespace barricade;
using namespace barricade::facts;

namespace {

constexpr const char *Before = R"(
struct S { int x; int a[2]; int &r; S *next; };
struct Counter { int n; int next() { return ++n; } int get() const { return n; } };
int twice(int x) { int y = x; if (y > 3) return 2 * y; return y + y; }
int counted(int x) { static int n; return x + ++n; }
int unknown(int x);
struct Base { virtual ~Base(); int k; };
struct Derived : Base { int n; };
thread_local int late = unknown(1);
extern thread_local int elsewhere;
int early;
struct Late { static thread_local int value; };
int ofLate() { return late; }
struct Peek { ~Peek() { ++early; } };
struct Holder { Peek peek; };
int given(Holder h) { return 1; }
__attribute__((weak)) int other(int x) { return x; }
int counting(int x) { using A = int[3]; return sizeof(A) + x; }
int computing(int x) { using A = int[unknown(1)]; return sizeof(A) + x; }
)";

/// How far the value `Value` reaches: "arithmetic", "parts", "memory", or
/// "calls" of pure functions; else "impure".
std::string reachOf(const std::string &Value) {
  test::Snippet Parsed(
      Before +
      std::string(
          "void f(int n, int m, int *p, S &s, S *q, "
          "Counter c, volatile int *v, Base *b2, Holder *h) { int b[4]; "
          "auto value = ") +
      Value + "; }");
  const clang::Expr &E = Parsed.initializer("value");
  if (isPure(E, {PureReach::Arithmetic}))
    return "arithmetic";
  if (isPure(E, {PureReach::Parts}))
    return "parts";
  if (isPure(E, {PureReach::Memory}))
    return "memory";
  return isPure(E, Parsed.context()) ? "calls" : "impure";
}

TEST(Purity, TellsHowFarValuesReach) {
  EXPECT_EQ(reachOf("n + 2 * m"), "arithmetic");
  EXPECT_EQ(reachOf("n > 0 ? -m : int(1.5f)"), "arithmetic");
  EXPECT_EQ(reachOf("sizeof(int) * n"), "arithmetic");
  EXPECT_EQ(reachOf("s.x + s.a[n]"), "parts");
  EXPECT_EQ(reachOf("b[n & 3]"), "parts");
  EXPECT_EQ(reachOf("p[n]"), "memory");
  EXPECT_EQ(reachOf("*p"), "memory");
  EXPECT_EQ(reachOf("q->x"), "memory");
  EXPECT_EQ(reachOf("s.r"), "memory");
  EXPECT_EQ(reachOf("s.next->x"), "memory");
  EXPECT_EQ(reachOf("&n"), "memory");
}

TEST(Purity, LooksIntoCalls) {
  EXPECT_EQ(reachOf("twice(n)"), "calls");
  EXPECT_EQ(reachOf("c.get()"), "calls");
  EXPECT_EQ(reachOf("counted(n)"), "impure");
  EXPECT_EQ(reachOf("c.next()"), "impure");
  EXPECT_EQ(reachOf("unknown(n)"), "impure");
  EXPECT_EQ(reachOf("twice(n++)"), "impure");
}

TEST(Purity, SeesWhatRunsWithoutACall) {
  EXPECT_EQ(reachOf("early"), "arithmetic");
  for (const char *Late : {"late", "elsewhere", "ofLate()", "Late::value"})
    EXPECT_EQ(reachOf(Late), "impure") << Late;
  EXPECT_EQ(reachOf("counting(n)"), "calls");
  EXPECT_EQ(reachOf("computing(n)"), "impure");
  EXPECT_EQ(reachOf("(int)(long)n"), "arithmetic");
  EXPECT_EQ(reachOf("static_cast<Derived &>(*b2).n"), "memory");
  EXPECT_EQ(reachOf("dynamic_cast<Derived &>(*b2).n"), "impure");
  EXPECT_EQ(reachOf("(int(*)[unknown(1)])p"), "impure");
}

// What the linker takes, and what a body does not show.
TEST(Purity, KnowsWhatRuns) {
  EXPECT_EQ(reachOf("other(n)"), "impure");
  EXPECT_EQ(reachOf("(h->~Holder(), n)"), "impure");
  EXPECT_EQ(reachOf("(h->peek.~Peek(), n)"), "impure");
  EXPECT_EQ(reachOf("given(*h)"), "impure");
}

TEST(Purity, FindsEffects) {
  for (const char *Value :
       {"++n", "n = 1", "n += m", "(n++, m)", "v[0]", "new int",
        "[] { return 1; }", "({ int x = n; x; })", "__sync_fetch_and_add(p, 1)",
        "n ? m-- : 0"})
    EXPECT_EQ(reachOf(Value), "impure") << Value;
}

TEST(Purity, AsksFirst) {
  test::Snippet Parsed("void f(int n, int m) { int value = n + m; }");
  const clang::Expr &E = Parsed.initializer("value");
  const auto IsN = [](const clang::Expr &Part) -> std::optional<bool> {
    const auto *Ref = llvm::dyn_cast<clang::DeclRefExpr>(&Part);
    return Ref ? std::optional(Ref->getDecl()->getName() == "n") : std::nullopt;
  };
  EXPECT_TRUE(isPure(E, {PureReach::Arithmetic}));
  EXPECT_FALSE(isPure(E, {PureReach::Arithmetic, IsN}));
}

} // namespace
