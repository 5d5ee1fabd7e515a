// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instances of generic lambdas, and what only they know.

#include "matchers/source/GenericLambdas.h"
#include "HostSnippet.h"
#include "clang/AST/ExprCXX.h"

using namespace barricade;

namespace {

const clang::LambdaExpr *firstLambda(const clang::Stmt *In) {
  const clang::LambdaExpr *First = nullptr;
  (void)holds(In, [&](const clang::Stmt &S) {
    First = llvm::dyn_cast<clang::LambdaExpr>(&S);
    return First != nullptr;
  });
  return First;
}

/// The parameter types of the instances of the first lambda.
std::string instancesIn(const std::string &Body) {
  test::HostSnippet Code("void f(int n, float x) {\n" + Body + "\n}\n");
  std::string Types;
  for (const clang::FunctionDecl *Instance :
       callInstancesOf(*firstLambda(Code.function().getBody()))) {
    EXPECT_TRUE(Instance->hasBody());
    EXPECT_FALSE(Instance->isDependentContext());
    Types += Types.empty() ? "" : " ";
    for (const clang::ParmVarDecl *P : Instance->parameters())
      Types += P->getType().getAsString();
  }
  return Types;
}

TEST(GenericLambdas, FindsInstances) {
  EXPECT_EQ(instancesIn("auto g = [](auto v) { return v; }; g(n);"), "int");
  EXPECT_EQ(instancesIn("auto g = [](auto v) { return v; }; g(n); g(x); g(n);"),
            "int float");
  EXPECT_EQ(instancesIn("[&](auto &v) { v = n; }(x);"), "float &");
  EXPECT_EQ(instancesIn("auto g = [](auto v, int) {}; g(x, n);"), "floatint");
  EXPECT_EQ(instancesIn("auto g = [](auto... v) {}; g(x, n);"), "floatint");
}

TEST(GenericLambdas, LeavesOtherLambdas) {
  EXPECT_EQ(instancesIn("auto g = [](int v) { return v; }; g(n);"), "");
  EXPECT_EQ(instancesIn("auto g = [](auto v) { return v; };"), "");
  // Its type is asked for, and no more.
  EXPECT_EQ(instancesIn("auto g = [](auto v) -> int { return v; }; "
                        "using T = decltype(g(n));"),
            "");
  // That of a lambda within.
  EXPECT_EQ(instancesIn("auto g = [&] { [](auto v) {}(n); }; g();"), "");
}

/// Each statement of the first lambda's body: `p` of a pattern, else `-`.
std::string patternsIn(const std::string &Body,
                       const std::string &Parameters = "auto v") {
  test::HostSnippet Code("int take(int); template <class T> T make(T);\n"
                         "void f(int n, float x) {\n[&](" +
                         Parameters + ") { " + Body + " };\n}\n");
  std::string Text;
  const clang::LambdaExpr &Lambda = *firstLambda(Code.function().getBody());
  for (const clang::Stmt *S : Lambda.getBody()->children())
    Text += isOfPattern(*S) ? "p" : "-";
  return Text;
}

TEST(GenericLambdas, TellsPatterns) {
  EXPECT_EQ(patternsIn("take(n); take(v); n = 3; n = v;"), "-p-p");
  EXPECT_EQ(patternsIn("make(n); make(v); make<decltype(v)>(n);"), "-pp");
  EXPECT_EQ(patternsIn("auto w = v; auto m = n;"), "p-");
  EXPECT_EQ(patternsIn("if (n) { x = 3; } if (n) { x = v; }"), "-p");
  EXPECT_EQ(patternsIn("decltype(v) w; w + 1;"), "-p");
  EXPECT_EQ(patternsIn("take(v); n = v;", "int v"), "--");
  EXPECT_EQ(patternsIn("n = sizeof(v) + 1;"), "p");
  EXPECT_EQ(patternsIn("[](auto w) { w = 1; }; [](int w) { w = 1; };", ""),
            "p-");
}

} // namespace
