// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which objects may tell others where they are.

#include "matchers/facts/OwnAddress.h"
#include "HostSnippet.h"
#include "clang/AST/Decl.h"

using namespace barricade;
using namespace barricade::facts;

namespace {

/// Of the type S, which \p Code declares, of which an object is made.
bool mayTell(const std::string &Code) {
  test::HostSnippet Parsed(
      "#include \"/toolkit/include/c++/vector\"\n"
      "void *Known; struct Any { void keep(int &); }; int source();\n"
      "void fill(void *, int);\n" +
          Code + "\nvoid f() { S made{}; }\n",
      {{"/toolkit/include/c++/vector",
        "namespace std { template <typename T> struct vector {"
        " vector(); T *at; void resize(int); int size(); T *data();"
        " T &operator[](int); }; }"}});
  const clang::VarDecl *Made = nullptr;
  (void)holds(Parsed.function().getBody(), [&](const clang::Stmt &S) {
    if (const auto *Declaration = llvm::dyn_cast<clang::DeclStmt>(&S))
      Made = llvm::cast<clang::VarDecl>(Declaration->getSingleDecl());
    return false;
  });
  return mayTellOwnAddress(Made->getType(), [](const clang::CallExpr &Call) {
    const clang::FunctionDecl *Callee = Call.getDirectCallee();
    return Callee && Callee->getNameAsString() == "fill";
  });
}

TEST(OwnAddress, StaysWithPlainObjects) {
  for (const char *Code :
       {"using S = int;", "struct S { int a, *b, c[3]; };",
        "struct S { int n = 3; S() {} };",
        "struct S { int n; S(int by = 2) : n(by) { n += by; ++n; } };",
        "struct S { int n[4]; S() { for (int i = 0; i < 4; ++i) n[i] = i; } };",
        "struct S { int n; S() { set(source()); } void set(int by) "
        "{ this->n = by; } };",
        "struct S { std::vector<int> all; S() { all.resize(3); all[1] = 2; "
        "all[0] += all[1] + all.size(); } };",
        "struct S { int *a; S(int n = 1) { fill(&a, n); fill((void **)&a, 2); "
        "} "
        "};",
        "struct P { float x; P() : x(0) {} }; struct S : P { P next; };",
        "struct S { int n; S() = default; S(const S &) = delete; };",
        "struct P { int n; P() : n(1) {} }; using S = std::vector<P>;",
        "struct S { int n; S() { S other(3); *this = other; } S(int) {} };",
        "template <int N> struct A { int n; A() : n(N) {} A(long); };"
        "using S = A<3>;"})
    EXPECT_FALSE(mayTell(Code)) << Code;
}

TEST(OwnAddress, IsToldByWhatMakesTheObject) {
  for (const char *Code :
       {"struct S { S() { Known = this; } };",
        "struct S { S(); };",
        "struct S { int n; S() { Known = &n; } };",
        "struct S { int n[2]; S() { Known = n; } };",
        "struct S { int n; S() { int *at = n ? &n : nullptr; Known = at; } };",
        "struct S { int n; Any any; S() { any.keep(n); } };",
        "struct S { int n; S() { int &same = n; Known = &same; } };",
        "struct S { void *self = this; };",
        "struct S { S() { tell(); } void tell() { Known = this; } };",
        "struct S { S() { tell(); } virtual void tell(); };",
        "struct S { int n; S() { auto go = [this] { return &n; }; "
        "Known = go(); } };",
        "struct B { B(void *at) { Known = at; } }; struct S : B { S() : "
        "B(this) "
        "{} };",
        "struct P { P() { Known = this; } }; struct S { P part; };",
        "struct P { P() { Known = this; } }; using S = P[2];",
        "struct S { template <typename T> S(T) { Known = this; } S() : S(1) {} "
        "};",
        "struct S { S() {} S(const S &); };",
        "struct S { std::vector<int> all; S() { Known = &all[0]; } };",
        "struct S { std::vector<int> all; S() { Known = all.data(); } };",
        "struct S { std::vector<int> all; S() { fill(this, 1); } };",
        "struct S { int n; S() { auto go = [at = this] { return at; }; } };",
        "struct S { int n; S() { auto go = [at = &n] { return at; }; } };",
        "struct S { int n; S() { int &same = (n = 1); Known = &same; } };",
        "struct S { int n; S() { Known = &++n; } };",
        "struct P { P() { Known = this; } }; using S = std::vector<P>;"})
    EXPECT_TRUE(mayTell(Code)) << Code;
}

} // namespace
