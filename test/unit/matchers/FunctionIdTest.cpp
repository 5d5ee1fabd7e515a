// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tells functions apart, and what they are called.

#include "matchers/source/FunctionId.h"
#include "HostSnippet.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <set>

using namespace barricade;

namespace {

struct Functions : clang::DynamicRecursiveASTVisitor {
  std::set<std::string> Ids, Stems;
  Functions() { ShouldVisitTemplateInstantiations = true; }
  bool VisitFunctionDecl(clang::FunctionDecl *F) override {
    if (!F->isImplicit() &&
        F->getASTContext().getSourceManager().isInMainFile(F->getLocation())) {
      Ids.insert(functionId(*F));
      Stems.insert(nameStem(*F));
    }
    return true;
  }
};

Functions functionsOf(const std::string &Text) {
  test::HostSnippet Code(Text);
  Functions Found;
  Found.TraverseDecl(Code.context().getTranslationUnitDecl());
  EXPECT_FALSE(Found.Ids.count(""));
  return Found;
}
size_t idsIn(const std::string &Text) { return functionsOf(Text).Ids.size(); }

TEST(FunctionId, TellsFunctionsApart) {
  EXPECT_EQ(idsIn("void f(int); void f(float); void g(int);"), 3u);
  EXPECT_EQ(idsIn("void f(); namespace n { void f(); }"), 2u);
  EXPECT_EQ(idsIn("struct A { void f(); void f() const; }; "
                  "struct B { void f(); };"),
            3u);
}

TEST(FunctionId, TakesOneForOne) {
  EXPECT_EQ(idsIn("void f(int); void f(int n) {} void f(int m);"), 1u);
  EXPECT_EQ(idsIn("template <class T> void f(T) {}\n"
                  "void g() { f(1); f(1.f); }"),
            2u);
  EXPECT_EQ(idsIn("template <class T> struct S { void f() {} };\n"
                  "template struct S<int>; template struct S<float>;"),
            1u);
  // A specialisation has its own text.
  EXPECT_EQ(idsIn("template <class T> void f(T) {}\n"
                  "template <> void f(int) {}"),
            2u);
}

TEST(FunctionId, IsTheSameInOtherUnits) {
  const std::string F = "__global__ void f(int n) {}";
  EXPECT_EQ(functionsOf(F).Ids, functionsOf("\nint other;\n" + F).Ids);
  EXPECT_NE(functionsOf(F).Ids, functionsOf("__global__ void f(long) {}").Ids);
}

TEST(FunctionId, NamesStems) {
  const auto Stems = [](const std::string &Text) {
    return functionsOf(Text).Stems;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(Stems("namespace n { void f(); }"), Names{"f"});
  EXPECT_EQ(Stems("struct S { S(int); ~S(); };"), Names{"S"});
  EXPECT_EQ(Stems("struct S { operator int(); void operator()(); };"),
            Names{"operators"});
  EXPECT_EQ(Stems("template <class T> void f(T) {} void g() { f(1); }"),
            (Names{"f", "g"}));
}

} // namespace
