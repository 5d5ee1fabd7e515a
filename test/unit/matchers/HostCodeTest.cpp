// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All code that the host may run, in functions and beside them, and what the
// device's functions are and who calls them.

#include "matchers/source/HostCode.h"
#include "HostSnippet.h"
#include "Snippet.h"
#include "matchers/facts/DeviceFunctions.h"
#include "clang/AST/Expr.h"

using namespace barricade;

namespace {

/// The functions that hold a call of `mark`, `-` for none.
std::string marked(const std::string &Text) {
  test::HostSnippet Code(
      "__attribute__((host, device)) int mark(int n = 0);\n" + Text);
  std::string Found;
  forEachHostCode(Code.context(), [&](const HostCode &Each) {
    for (const clang::Stmt *Part : Each.Parts)
      if (holds(Part, [](const clang::Stmt &S) {
            const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
            const clang::FunctionDecl *Callee =
                Call ? Call->getDirectCallee() : nullptr;
            return Callee && Callee->getNameAsString() == "mark";
          }))
        Found += (Found.empty() ? "" : " ") +
                 (Each.Function ? Each.Function->getNameAsString() : "-");
  });
  return Found;
}

TEST(HostCode, FindsFunctions) {
  EXPECT_EQ(
      marked("void f() { mark(); } void g() {} int h() { return mark(); }"),
      "f h");
  EXPECT_EQ(marked("namespace a { void f() { mark(); } }"), "f");
  EXPECT_EQ(marked("struct S { void f() { mark(); } };"), "f");
  EXPECT_EQ(marked("struct S { int n; S() : n(mark()) {} };"), "S");
  EXPECT_EQ(marked("void f() { auto l = [] { mark(); }; l(); }"), "f");
  EXPECT_EQ(marked("template <typename T> void f() { mark(); } "
                   "void g() { f<int>(); f<char>(); }"),
            "f");
  EXPECT_EQ(marked("__global__ void k() { mark(); }\nvoid f() { mark(); }"),
            "f");
}

TEST(HostCode, FindsWhatIsInNoFunction) {
  EXPECT_EQ(marked("int v = mark();"), "-");
  EXPECT_EQ(marked("int v = [] { return mark(); }();"), "-");
  EXPECT_EQ(marked("struct S { int n = mark(); };"), "-");
  EXPECT_EQ(marked("void f(int n = mark());"), "-");
  EXPECT_EQ(marked("void f() { static int v = mark(); }"), "f");
}

std::string names(llvm::ArrayRef<const clang::FunctionDecl *> Functions) {
  std::string Text;
  for (const clang::FunctionDecl *F : Functions)
    Text += (Text.empty() ? "" : " ") + F->getNameAsString();
  return Text;
}

TEST(DeviceFunctions, ListsTheUsers) {
  test::Snippet S("__device__ int d() { return 1; } __device__ int e();\n"
                  "template <typename T> __global__ void t(T *p) {}\n"
                  "template <typename T> __global__ void u(T *p) {}\n"
                  "template __global__ void t<int>(int *);\n"
                  "template __global__ void t<char>(char *);\n"
                  "__global__ void k(int *p) { *p = d(); }\nvoid host() {}\n");
  const UserCode Code = collectUserCode(S.context());
  EXPECT_EQ(names(Code.Kernels), "t t k");
  EXPECT_EQ(names(Code.DeviceFunctions), "d");
  EXPECT_EQ(names(Code.Uninstantiated), "u");
  EXPECT_FALSE(Code.RedefinesBarrier);
  EXPECT_TRUE(Code.AddressTaken.empty());
}

bool hasSeenCallers(const std::string &Text, bool IsExported = false) {
  test::Snippet S(Text);
  const UserCode Code = collectUserCode(S.context());
  for (const clang::FunctionDecl *F : Code.DeviceFunctions)
    if (F->getName() == "d")
      return hasSeenCallersOnly(
          *F, Code, [&](const clang::FunctionDecl &) { return IsExported; });
  ADD_FAILURE() << Text;
  return false;
}

TEST(DeviceFunctions, KnowsWhoCalls) {
  const std::string D = "__device__ int d() { return 1; }\n";
  EXPECT_TRUE(hasSeenCallers(D + "__global__ void k(int *p) { *p = d(); }"));
  EXPECT_TRUE(hasSeenCallers(D + "__device__ int e() { return d(); }\n"
                                 "__global__ void k(int *p) { *p = e(); }"));
  EXPECT_FALSE(
      hasSeenCallers(D + "__global__ void k(int *p) { *p = d(); }", true));
  EXPECT_FALSE(hasSeenCallers(D + "__global__ void k(int *p) "
                                  "{ int (*f)() = d; *p = f() + d(); }"));
  EXPECT_FALSE(hasSeenCallers(D + "__device__ int (*f)() = d;\n"
                                  "__global__ void k(int *p) { *p = d(); }"));
}

TEST(DeviceFunctions, SeesBarriersRedefined) {
  test::Snippet S("namespace m { __device__ void __syncthreads() {} }\n"
                  "__global__ void k() { m::__syncthreads(); }");
  EXPECT_TRUE(collectUserCode(S.context()).RedefinesBarrier);
}

TEST(DeviceFunctions, ReadsConstantExtents) {
  const auto Extent = [](const std::string &Init) -> int64_t {
    test::HostSnippet S("void f(int n) { constexpr int C = 6; const dim3 c(4); "
                        "dim3 v(3); v.x = n; dim3 g = " +
                        Init + "; }");
    return constantExtent(*S.variable("g").getInit(), S.context()).value_or(-1);
  };
  EXPECT_EQ(Extent("8"), 8);
  EXPECT_EQ(Extent("C * 2"), 12);
  EXPECT_EQ(Extent("dim3(2, 3)"), 6);
  EXPECT_EQ(Extent("dim3(2, C, 4)"), 48);
  EXPECT_EQ(Extent("n"), -1);
  EXPECT_EQ(Extent("dim3(2, n)"), -1);
  EXPECT_EQ(Extent("v"), -1);
}

} // namespace
