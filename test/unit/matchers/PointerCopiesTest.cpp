// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pointers a loop of launches only hands on, and among whom.

#include "matchers/dependence/PointerCopies.h"
#include "RelaunchSnippet.h"

using namespace barricade;

namespace {

/// What `p`, or another variable, may get its value from; `?`: from anywhere.
std::string sourcesOf(const std::string &Body, llvm::StringRef Variable = "p",
                      const std::string &Before = "") {
  test::RelaunchSnippet S(
      "__global__ void k(const float *) {}\nfloat *make(float *);\n"
      "void swap(float *&, float *&);\nvoid take(float **);\n"
      "struct Pair { float *a, *b; };\n" +
      Before +
      "\nvoid f(int n, float *p, float *q, float *r, const float *c, double "
      "*d, "
      "Pair s) {\nfor (int i = 0; i < n; ++i) { k<<<1, 1>>>(p); " +
      Body + " }\n}\n");
  EXPECT_TRUE(S.Loop.Loop) << Body;
  const dependence::PointerCopies Copies(S.Loop);
  const clang::VarDecl &Var = S.Code.variable(Variable);
  if (!Copies.isKnown(Var))
    return "?";
  std::string Names;
  for (const clang::VarDecl *Each : Copies.relatives(Var))
    Names += (Names.empty() ? "" : " ") + Each->getNameAsString();
  return Names;
}

TEST(PointerCopies, FollowsWhatIsHandedOn) {
  EXPECT_EQ(sourcesOf(""), "p");
  EXPECT_EQ(sourcesOf("std::swap(p, q);"), "p q");
  EXPECT_EQ(sourcesOf("std::swap(q, r);"), "p");
  EXPECT_EQ(sourcesOf("if (i & 1) std::swap(p, q);"), "p q");
  EXPECT_EQ(sourcesOf("float *t = p; p = q; q = t;"), "p q t");
  EXPECT_EQ(sourcesOf("float *t = p; p = q; q = t;", "t"), "p q t");
  EXPECT_EQ(sourcesOf("float *t; t = p; p = q; q = t;"), "p q t");
  EXPECT_EQ(sourcesOf("p = q; q = r;"), "p q r");
  EXPECT_EQ(sourcesOf("p = (i & 1) ? q : r;"), "p q r");
  EXPECT_EQ(sourcesOf("p = i ? q : (i & 1 ? (p) : r);"), "p q r");
  EXPECT_EQ(sourcesOf("c = p;", "c"), "p c");
}

TEST(PointerCopies, KnowsNoneThatGetsAnotherValue) {
  for (const char *Body :
       {"p += i;", "++p;", "p--;", "p = q + 1;", "p = nullptr;", "p = make(p);",
        "p = i ? q : q + 1;", "p = i ? nullptr : q;", "p = (float *)d;",
        "p = s.a;", "float *t = q + 1; p = t;", "p = (q += 1);",
        "float *t = make(q); if (i) p = t;"})
    EXPECT_EQ(sourcesOf(Body), "?") << Body;
  // Who gets it from such a one, by others.
  EXPECT_EQ(sourcesOf("p = q; q = r; ++r;"), "?");
  EXPECT_EQ(sourcesOf("std::swap(p, q); q = make(q);"), "?");
  EXPECT_EQ(sourcesOf("q = make(q);"), "p");
}

TEST(PointerCopies, KnowsNoneThatOthersMayChange) {
  for (const char *Body :
       {"float *&t = p; t = r;", "float **t = &p; *t = r;", "take(&p);",
        "swap(p, q);", "[&] { p = q; }();", "auto t = [&] { ++p; };",
        "float *&t = p; std::swap(t, q);"})
    EXPECT_EQ(sourcesOf(Body), "?") << Body;
  EXPECT_EQ(sourcesOf("[=] { return p; }();"), "p");
}

TEST(PointerCopies, KnowsDeclarationsEverywhere) {
  EXPECT_EQ(sourcesOf("if (float *t = make(q)) p = t;"), "?");
  EXPECT_EQ(sourcesOf("if (float *t = q) p = t;"), "p q t");
  EXPECT_EQ(sourcesOf("while (float *t = make(q)) { p = t; break; }"), "?");
  EXPECT_EQ(sourcesOf("for (float *t = q + 1; t != q; t = q) p = t;"), "?");
  EXPECT_EQ(sourcesOf("float *ts[2] = {q + 1, r}; for (float *t : ts) p = t;"),
            "?");
  EXPECT_EQ(sourcesOf("auto [x, y] = s; p = x;"), "?");
  EXPECT_EQ(sourcesOf("static float *t = make(q); p = t;"), "?");
  EXPECT_EQ(sourcesOf("try { k<<<1, 1>>>(q); } catch (float *t) { p = t; }"),
            "?");
}

// Of one name, but another variable.
TEST(PointerCopies, TellsShadowsApart) {
  EXPECT_EQ(sourcesOf("{ float *q = r + 1; ++q; } p = q;", "r"), "r");
  EXPECT_EQ(sourcesOf("p = q; { float *r = nullptr; q = r; }", "p"), "?");
}

TEST(PointerCopies, AsksForPointersOfOneType) {
  EXPECT_EQ(sourcesOf("d = (double *)p;", "d"), "?");
  EXPECT_EQ(sourcesOf("void *v = p; p = (float *)v;"), "?");
  EXPECT_EQ(sourcesOf("", "n"), "?");
  EXPECT_EQ(sourcesOf("", "s"), "?");
}

} // namespace
