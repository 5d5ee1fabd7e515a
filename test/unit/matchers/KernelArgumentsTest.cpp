// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc takes for template arguments, and for names, of kernels.

#include "matchers/facts/KernelArguments.h"
#include "Snippet.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"

using namespace barricade;
using namespace clang::ast_matchers;

namespace {

/// Anybody can name the type of the variable `v`.
bool isNamed(const std::string &Code) {
  test::Snippet Parsed(Code);
  const auto Found = match(varDecl(hasName("v")).bind("v"), Parsed.context());
  EXPECT_FALSE(Found.empty()) << Code;
  return facts::isNamedByAnyone(
      Found.front().getNodeAs<clang::VarDecl>("v")->getType());
}

TEST(KernelArguments, PlainTypesHaveNames) {
  for (const char *Code :
       {"int v;", "const volatile float *v;", "_BitInt(12) v;",
        "struct S { struct Part {}; }; S::Part *v;", "enum class E { A } v;",
        "typedef struct { int x; } Name; Name v;",
        "namespace n { inline namespace m { struct S {}; } } n::S *v[3];",
        "template <class T, int N> struct P {}; P<P<int, 1>, 2> *v;",
        "int (*v)(float, const double &);",
        "template <class... T> struct P {}; P<int, float> *v;",
        "namespace { struct S {}; } S *v;", "float4 v;"})
    EXPECT_TRUE(isNamed(Code)) << Code;
}

TEST(KernelArguments, SomeTypesNobodyNames) {
  for (const char *Code :
       {"struct { int x; } v;", "enum { A } v;", "auto v = [] {};",
        "void f() { struct S {} v; }",
        "void f() { struct S { struct In {}; }; S::In *v; }",
        "class C { struct In {}; static In v; };",
        "class C { protected: enum In { A }; static In v; };",
        "class C { struct In { struct Deep {}; }; static In::Deep v; };",
        "class C { template <class T> struct In {}; static In<int> *v; };",
        "struct { struct In {} *v; } o; auto *w = o.v; decltype(o.v) v;",
        "struct \u00c4 {} v;", "namespace \u00e4 { struct S {}; } \u00e4::S v;",
        "struct \u00c4 { struct In {}; }; \u00c4::In v;",
        "typedef struct { int x; } \u00c4; \u00c4 v;"})
    EXPECT_FALSE(isNamed(Code)) << Code;
}

TEST(KernelArguments, OnePartIsEnough) {
  const std::string Local = "template <class... T> struct P {};\n"
                            "void f() { struct S {}; ";
  for (const char *Variable :
       {"S *v;", "S &v = *(S *)0;", "S v[2];", "const S *const *v;",
        "S (*v)(int);", "int (*v)(int, S *);", "P<int, S> v;", "P<P<S>> *v;",
        "P<int(S)> *v;"})
    EXPECT_FALSE(isNamed(Local + Variable + " }")) << Variable;
  // Not followed, so refused.
  EXPECT_FALSE(isNamed("struct S {}; int S::*v;"));
  EXPECT_FALSE(isNamed("int v __attribute__((vector_size(16)));"));
  EXPECT_FALSE(isNamed("template <int *> struct P {}; __device__ int x; "
                       "P<&x> *v;"));
  EXPECT_FALSE(isNamed("template <template <class> class> struct P {}; "
                       "template <class> struct Q {}; P<Q> *v;"));
}

/// A kernel may have the template arguments of the function `f` that \p Call
/// calls.
bool mayBeKernel(const std::string &Code, const std::string &Call) {
  test::Snippet Parsed(Code + "\nvoid g() { " + Call + "; }");
  const auto Found = match(
      callExpr(callee(functionDecl(hasName("f")).bind("f"))), Parsed.context());
  EXPECT_FALSE(Found.empty()) << Code;
  return facts::mayBeKernelOf(
      *Found.front().getNodeAs<clang::FunctionDecl>("f"));
}

TEST(KernelArguments, TakesTypesAndWholeNumbers) {
  const std::string Type = "template <class T> void f(T t) {}";
  EXPECT_TRUE(mayBeKernel("void f(int) {}", "f(3)"));
  EXPECT_TRUE(mayBeKernel(Type, "f(3)"));
  EXPECT_TRUE(mayBeKernel(Type, "struct S {}; f(int())"));
  EXPECT_FALSE(mayBeKernel(Type, "struct S {}; f(S())"));
  EXPECT_FALSE(mayBeKernel(Type, "f([] {})"));
  EXPECT_TRUE(
      mayBeKernel("template <class... T> void f(T... t) {}", "f(1, 2.0f)"));
  EXPECT_FALSE(
      mayBeKernel("template <class... T> void f(T... t) {}", "f(1, [] {})"));
  EXPECT_TRUE(
      mayBeKernel("template <int N, bool B> void f() {}", "f<-3, true>()"));
  EXPECT_FALSE(mayBeKernel("int x; template <int *P> void f() {}", "f<&x>()"));
  EXPECT_FALSE(
      mayBeKernel("template <void (*F)()> void f() {} void h() {}", "f<h>()"));
  EXPECT_FALSE(mayBeKernel("template <template <class> class P> void f() {} "
                           "template <class> struct Q {};",
                           "f<Q>()"));
}

// nvcc writes the enumerator.
TEST(KernelArguments, ValuesOfEnumerationsNeedANameOfTheirOwn) {
  const std::string Enum = "enum class E { A, B = 4, \u00c4 = 6 };\n"
                           "template <E V> void f() {}";
  EXPECT_TRUE(mayBeKernel(Enum, "f<E::A>()"));
  EXPECT_TRUE(mayBeKernel(Enum, "f<E(4)>()"));
  EXPECT_FALSE(mayBeKernel(Enum, "f<E(5)>()"));
  EXPECT_FALSE(mayBeKernel(Enum, "f<E(6)>()"));
  EXPECT_FALSE(
      mayBeKernel("template <auto V> void f() {}", "enum In { A }; f<A>()"));
}

/// A kernel may have the name of the function `f`, or of the last one.
bool givesName(const std::string &Code) {
  test::Snippet Parsed(Code);
  return facts::mayGiveKernelsItsName(Parsed.function());
}

TEST(KernelArguments, NamesAreOfPlainLetters) {
  for (const char *Code :
       {"void f() {}", "namespace { void f() {} }", "struct S { void f() {} };",
        "struct S { S() {} };", "struct S { operator int() { return 1; } };",
        "struct S { bool operator!() { return true; } };",
        "struct \u00c4 { void f() {} };"})
    EXPECT_TRUE(givesName(Code)) << Code;
  for (const char *Code :
       {"void \u00e4() {}", "namespace \u00e4 { void f() {} }",
        "namespace \u00e4 { namespace b { void f() {} } }",
        "namespace \u00e4 { struct S { void f() {} }; }",
        "struct \u00c4 { \u00c4() {} };", "struct \u00c4 { ~\u00c4() {} };"})
    EXPECT_FALSE(givesName(Code)) << Code;
}

} // namespace
