// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What repeats launches by gotos and by calls of itself.

#include "matchers/grid-barrier/OtherLoops.h"
#include "HostSnippet.h"
#include "clang/AST/ExprCXX.h"

using namespace barricade;
using namespace barricade::grid_barrier;

namespace {

const std::string Device = R"(
__global__ void k();
void launch() { k<<<1, 1>>>(); }
void quiet() {}
)";

/// The labels at which loops begin.
std::string gotosIn(const std::string &Body, const std::string &Before = "") {
  test::HostSnippet Code(Device + Before + "\nvoid f(int n, bool b) {\n" +
                         Body + "\n}\n");
  host::HiddenLaunches Hidden(Code.context());
  std::string Names;
  const auto Loops = findGotoLoops(*Code.function().getBody(), Code.function(),
                                   /*InLambda=*/false, Hidden);
  for (const HostLoop &L : Loops) {
    EXPECT_EQ(L.NoKeyword.size(), 1u);
    EXPECT_EQ(L.Function, &Code.function());
    const auto *Label = llvm::dyn_cast<clang::LabelStmt>(L.Loop);
    Names += (Names.empty() ? "" : " ") +
             (Label ? std::string(Label->getName()) : "?");
  }
  return Names;
}

TEST(OtherLoops, FindsGotosBack) {
  EXPECT_EQ(gotosIn("again: k<<<1, 1>>>(); if (n--) goto again;"), "again");
  EXPECT_EQ(gotosIn("again: if (!n--) return; k<<<1, 1>>>(); goto again;"),
            "again");
  EXPECT_EQ(gotosIn("again: launch(); if (n--) goto again;"), "again");
  EXPECT_EQ(gotosIn("again: STEP if (n--) goto again;",
                    "#define STEP k<<<1, 1>>>();"),
            "again");
  EXPECT_EQ(gotosIn("again: k<<<1, 1>>>(); if (n--) BACK",
                    "#define BACK goto again;"),
            "again");
  EXPECT_EQ(gotosIn("again: if (b) k<<<1, 1>>>(); if (n--) goto again;"),
            "again");
  EXPECT_EQ(gotosIn("again: for (int i = 0; i < n; ++i) k<<<1, 1>>>(); "
                    "if (n--) goto again;"),
            "again");
  EXPECT_EQ(gotosIn("for (int i = 0; i < n; ++i) { again: k<<<1, 1>>>(); "
                    "if (b) goto again; }"),
            "again");
  EXPECT_EQ(gotosIn("void *to = &&again; again: k<<<1, 1>>>(); "
                    "if (n--) goto *to;"),
            "again");
}

TEST(OtherLoops, LeavesOtherGotos) {
  EXPECT_EQ(gotosIn("if (b) goto done; k<<<1, 1>>>(); done:;"), "");
  EXPECT_EQ(gotosIn("again: quiet(); if (n--) goto again;"), "");
  EXPECT_EQ(gotosIn("k<<<1, 1>>>(); again: if (n--) goto again;"), "");
  EXPECT_EQ(gotosIn("again: if (n--) goto again; k<<<1, 1>>>();"), "");
  EXPECT_EQ(gotosIn("again: if (b) { k<<<1, 1>>>(); return; } "
                    "if (n--) goto again;"),
            "");
  // A round of the loop around.
  EXPECT_EQ(gotosIn("for (int i = 0; i < n; ++i) { if (b) goto next; "
                    "k<<<1, 1>>>(); next:; }"),
            "");
  EXPECT_EQ(gotosIn("while (n--) { k<<<1, 1>>>(); if (b) goto out; } out:;"),
            "");
  EXPECT_EQ(gotosIn("while (n--) { again: if (b) goto again; "
                    "k<<<1, 1>>>(); }"),
            "");
}

TEST(OtherLoops, TakesLambdasForCalled) {
  EXPECT_EQ(gotosIn("again: auto l = [] { launch(); }; if (n--) goto again;"),
            "again");
  EXPECT_EQ(gotosIn("auto l = [] { launch(); }; again: if (n--) goto again;"),
            "");
}

TEST(OtherLoops, FindsTwoLoops) {
  EXPECT_EQ(gotosIn("a: k<<<1, 1>>>(); if (n--) goto a; quiet(); "
                    "c: k<<<1, 1>>>(); if (n--) goto c;")
                .size(),
            3u);
  EXPECT_EQ(gotosIn("a: quiet(); if (n--) goto a; "
                    "c: k<<<1, 1>>>(); if (n--) goto c;"),
            "c");
}

/// Of each recursion: who calls first, and how many calls there are.
std::string recursionsIn(const std::string &Text, bool LoopsKnown = false) {
  test::HostSnippet Code(Device + Text);
  host::HiddenLaunches Hidden(Code.context());
  std::vector<HostLoop> Loops;
  if (LoopsKnown)
    Loops.push_back({&Code.loop(), &Code.function(), false, -1});
  std::string Names;
  for (const HostLoop &L : findRecursions(Code.context(), Loops, Hidden))
    Names += (Names.empty() ? "" : "; ") + L.Function->getNameAsString() + ":" +
             std::to_string(L.NoKeyword.size()) + (L.InLambda ? " lambda" : "");
  return Names;
}

TEST(OtherLoops, FindsRecursions) {
  EXPECT_EQ(recursionsIn("void f(int n) { launch(); if (n) f(n - 1); }"),
            "f:1");
  EXPECT_EQ(recursionsIn("void f(int n) { k<<<1, 1>>>(); if (n) f(n - 1); "
                         "else f(n - 2); }"),
            "f:2");
  EXPECT_EQ(recursionsIn("void g(int n);\n"
                         "void f(int n) { if (n) g(n - 1); }\n"
                         "void g(int n) { launch(); f(n); }"),
            "f:2");
  EXPECT_EQ(recursionsIn("struct S { void f(int n) { launch(); if (n) "
                         "f(n - 1); } };"),
            "f:1");
  EXPECT_EQ(recursionsIn("namespace n { void f(int n) { launch(); if (n) "
                         "f(n - 1); } }"),
            "f:1");
  EXPECT_EQ(recursionsIn("template <int N> void f() { launch(); "
                         "if constexpr (N > 0) f<N - 1>(); }\n"
                         "void g() { f<3>(); }")
                .substr(0, 2),
            "f:");
  EXPECT_EQ(recursionsIn("void f(int n, int m = 0) { launch(); "
                         "if (n) f(n - 1); }"),
            "f:1");
}

TEST(OtherLoops, LeavesOtherCalls) {
  EXPECT_EQ(recursionsIn("void f(int n) { quiet(); if (n) f(n - 1); }"), "");
  EXPECT_EQ(recursionsIn("void f(int n) { launch(); launch(); }"), "");
  // Overloads, and one of another class, are others.
  EXPECT_EQ(recursionsIn("void f(long n) { launch(); }\n"
                         "void f(int n) { f(long(n)); launch(); }"),
            "");
  EXPECT_EQ(recursionsIn("struct A { void f() { launch(); } };\n"
                         "struct B { A a; void f() { a.f(); launch(); } };"),
            "");
  // It calls itself, and then something that launches is called elsewhere.
  EXPECT_EQ(recursionsIn("void f(int n) { if (n) f(n - 1); }\n"
                         "void g() { f(3); launch(); }"),
            "");
  // One that is given itself to call.
  EXPECT_EQ(recursionsIn("template <class F> void run(F f) { f(); }\n"
                         "void g() { run([] { run([] { launch(); }); }); }"),
            "");
}

TEST(OtherLoops, LeavesCallsOfKnownLoops) {
  const std::string Text = "void f(int n) { launch(); "
                           "for (int i = 0; i < n; ++i) f(n - 1); }";
  EXPECT_EQ(recursionsIn(Text), "f:1");
  EXPECT_EQ(recursionsIn(Text, /*LoopsKnown=*/true), "");
  EXPECT_EQ(recursionsIn("void f(int n) { launch(); f(n - 2); "
                         "for (int i = 0; i < n; ++i) f(n - 1); }",
                         /*LoopsKnown=*/true),
            "f:1");
}

} // namespace
