// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a launch is seen to run again and again.

#include "matchers/cost/Repetition.h"
#include "CostReader.h"
#include "HostSnippet.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace barricade;

namespace {

/// The only launch, and the function in whose body it stands.
struct Launch : clang::DynamicRecursiveASTVisitor {
  const clang::FunctionDecl *Function = nullptr;
  const clang::Stmt *Call = nullptr;
  bool VisitFunctionDecl(clang::FunctionDecl *F) override {
    if (F->doesThisDeclarationHaveABody() && !Call)
      (void)holds(F->getBody(), [&](const clang::Stmt &S) {
        if (llvm::isa<clang::CUDAKernelCallExpr>(S)) {
          Function = F;
          Call = &S;
        }
        return Call != nullptr;
      });
    return true;
  }
};

bool isRepeated(const std::string &Text) {
  test::HostSnippet Code(
      "__global__ void k();\n#define LAUNCH k<<<1, 1>>>()\n" + Text);
  Launch Found;
  Found.TraverseDecl(Code.context().getTranslationUnitDecl());
  return test::CostReader::of(
      isSeenRepeated(*Found.Call, *Found.Function, Code.context()));
}

const std::string F = "void f() { LAUNCH; }\n";

TEST(Repetition, SeesLoopsAround) {
  EXPECT_FALSE(isRepeated("void f(int n) { LAUNCH; }"));
  EXPECT_TRUE(isRepeated("void f(int n) { for (;;) LAUNCH; }"));
  EXPECT_TRUE(isRepeated("void f(int n) { while (n--) { if (n) LAUNCH; } }"));
  EXPECT_TRUE(isRepeated("void f(int n) { do LAUNCH; while (n--); }"));
  EXPECT_TRUE(isRepeated("void f(int (&a)[4]) { for (int x : a) LAUNCH; }"));
  EXPECT_TRUE(
      isRepeated("void f(int n) { while (n--) do LAUNCH; while (0); }"));
  EXPECT_FALSE(isRepeated("void f(int n) { do LAUNCH; while (0); }"));
  EXPECT_FALSE(isRepeated("void f(int n) { while (n--) ; LAUNCH; }"));
  EXPECT_FALSE(isRepeated("void f(int n) { LAUNCH; while (n--) ; }"));
  EXPECT_FALSE(isRepeated("void f(int n) { switch (n) { case 1: LAUNCH; } }"));
}

TEST(Repetition, SeesLoopsOfCallers) {
  EXPECT_FALSE(isRepeated(F + "void g() { f(); }"));
  EXPECT_TRUE(isRepeated(F + "void g(int n) { while (n--) f(); }"));
  EXPECT_TRUE(isRepeated(F + "void g() { f(); }\n"
                             "void h(int n) { while (n--) g(); }"));
  EXPECT_TRUE(
      isRepeated("void f();\nvoid g(int n) { while (n--) f(); }\n" + F));
  EXPECT_FALSE(isRepeated(F + "void g(int n) { do f(); while (false); }"));
  EXPECT_FALSE(isRepeated(F + "void g(int n) { while (n--) ; f(); }"));
  EXPECT_FALSE(isRepeated(F + "void g() { f(); f(); }"));
  EXPECT_FALSE(isRepeated(F + "int once = (f(), 1);"));
  // Others are called there.
  EXPECT_FALSE(isRepeated(F + "void f(int);\n"
                              "void g(int n) { while (n--) f(n); f(); }"));
  EXPECT_FALSE(isRepeated(F + "namespace n { void f(); }\n"
                              "void g(int n) { while (n--) n::f(); }"));
  EXPECT_FALSE(isRepeated(F + "void g() { f(); }\nvoid h(int n) "
                              "{ auto g = [] {}; while (n--) g(); }"));
}

TEST(Repetition, SeesNames) {
  EXPECT_TRUE(isRepeated(F + "void call(void (*)());\n"
                             "void g(int n) { while (n--) call(f); }"));
  EXPECT_TRUE(isRepeated(F + "void g(int n) { while (n--) [] { f(); }(); }"));
  EXPECT_FALSE(isRepeated(F + "void g() { [] { f(); }(); }"));
}

TEST(Repetition, SeesMembers) {
  const std::string S = "struct S { S() {} void f() { LAUNCH; } };\n";
  EXPECT_TRUE(isRepeated(S + "void g(S s, int n) { while (n--) s.f(); }"));
  EXPECT_FALSE(
      isRepeated(S + "void g(S s, int n) { while (n--) S t; s.f(); }"));
  const std::string Begins = "struct S { S() { LAUNCH; } void f() {} };\n";
  EXPECT_TRUE(isRepeated(Begins + "void g(int n) { while (n--) S s; }"));
  EXPECT_FALSE(
      isRepeated(Begins + "void g(int n) { S s; while (n--) s.f(); }"));
}

TEST(Repetition, TakesInstancesForOne) {
  const std::string T = "template <class T> void f(T) { LAUNCH; }\n";
  EXPECT_TRUE(isRepeated(T + "void g(int n) { while (n--) f(n); }"));
  EXPECT_FALSE(isRepeated(T + "void g(int n) { f(n); f(1.f); }"));
}

TEST(Repetition, EndsAtRecursion) {
  EXPECT_FALSE(isRepeated("void g();\nvoid f() { LAUNCH; g(); }\n"
                          "void g() { f(); }"));
  EXPECT_TRUE(isRepeated("void g();\nvoid f() { LAUNCH; g(); }\n"
                         "void g() { for (;;) f(); }"));
}

} // namespace
