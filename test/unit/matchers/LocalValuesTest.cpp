// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a function's variable `v` keeps its first value, or grows at one
// place.

#include "matchers/facts/LocalValues.h"
#include "Snippet.h"

using namespace barricade;

namespace {

/// "constant", "step v += 2", both or neither, for the last `v` of a function
/// with the body.
std::string valuesOf(const std::string &Body) {
  test::Snippet Parsed("struct S { int x; __device__ void set(); };\n"
                       "__device__ void look(const int &); \n"
                       "__device__ void seen(const int &r) {}\n"
                       "__device__ void change(int &);\n"
                       "__device__ void keep(int *);\n"
                       "__global__ void k(int a, int *p, S s) {\n" +
                       Body + "\n}\n");
  const clang::VarDecl *Var = nullptr;
  for (const clang::Decl *D : Parsed.function().decls())
    if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D);
        V && V->getNameAsString() == "v")
      Var = V;
  const LocalValues Values(Parsed.function());
  std::string Text = Values.isConstant(*Var) ? "constant" : "";
  if (const auto *Step = Values.onlyStep(*Var)) {
    std::string Code;
    llvm::raw_string_ostream(Code) << (Text.empty() ? "step " : ", step ");
    llvm::raw_string_ostream Out(Code);
    Step->printPretty(Out, nullptr, Parsed.context().getPrintingPolicy());
    Text += Code;
  }
  return Text;
}

TEST(LocalValues, AreConstantWhereOnlyRead) {
  for (const char *Body :
       {"int v = a; p[v] = v + v;", "const int v = a; seen(v);",
        "int v = a; seen(v);", "int v = a; const int &r = v; p[0] = r;",
        "int v = a; [=] { return v; }();", "int v = a; [&] { return v; }();",
        "for (int i = 0; i < a; ++i) { int v = i; p[v] = 0; }",
        "int v = a; { int v = 3; p[v] = 0; }", "int v = a; (void)sizeof(++v);",
        "int v{a}; asm(\"\" : : \"r\"(v));", "S v = s; p[0] = v.x;"})
    EXPECT_EQ(valuesOf(Body), "constant") << Body;
}

TEST(LocalValues, AreNoneWhereAnythingMayChangeThem) {
  for (const char *Body :
       {"int v = a; v = 1;",
        "int v = a; ++v;",
        "int v = a; v--;",
        "int v = a; change(v);",
        "int v = a; keep(&v);",
        "int v = a; int &r = v; r = 1;",
        "int v = a; *&v = 1;",
        "int v = a; [&] { v = 1; }();",
        "int v = a; asm(\"\" : \"+r\"(v));",
        "int v = a; (a ? v : a) = 1;",
        "int v = a; (v) = 1;",
        "int v = a; (a, v) = 1;",
        "S v = s; v.x = 1;",
        "S v = s; v.set();",
        "S v = s; auto &[x] = v; x = 1;",
        "int v[2] = {}; v[a] = 1;",
        "const int v = a; const_cast<int &>(v) = 1;",
        "int v = a; reinterpret_cast<unsigned &>(v) = 1;",
        "int v = a; const int &r = v; const_cast<int &>(r) = 1;",
        "int v = a; auto f = [&r = v] { r = 1; }; f();",
        "int v = a; int *q = &v; *q = 1;",
        "int v = a; int &r = v, &t = r; t = 1;"})
    EXPECT_EQ(valuesOf(Body), "") << Body;
}

TEST(LocalValues, AreNoneWhereTheValueComesFromElsewhere) {
  EXPECT_EQ(valuesOf("int v; p[v] = 0;"), "");
  EXPECT_EQ(valuesOf("int &v = a; p[v] = 0;"), "");
  EXPECT_EQ(valuesOf("const int &v = p[0]; p[v] = 0;"), "");
  EXPECT_EQ(valuesOf("__shared__ int v; p[v] = 0;"), "");
  EXPECT_EQ(valuesOf("static const int v = 3; p[v] = 0;"), "");
}

TEST(LocalValues, GrowByTheirOnlyStep) {
  EXPECT_EQ(valuesOf("int v = a; v += 2;"), "step v += 2");
  EXPECT_EQ(valuesOf("int v; v += a;"), "step v += a");
  EXPECT_EQ(valuesOf("for (int v = a; v < 9; v += 2) seen(v);"), "step v += 2");
  EXPECT_EQ(valuesOf("int v = a; while (v < 9) (v) += p[v];"),
            "step (v) += p[v]");
}

TEST(LocalValues, HaveNoOnlyStepWhereMoreHappens) {
  for (const char *Body :
       {"int v = a; v += 2; v += 2;", "int v = a; v -= 2;", "int v = a; ++v;",
        "int v = a; v = v + 2;", "int v = a; v += 2; v = 0;",
        "int v = a; v += v++;", "int v = a; v += 2; change(v);",
        "int v = a; v += 2; keep(&v);", "int v = a; [&] { v += 2; }();",
        "int v = a; int &r = v; r += 2;",
        "int v = a; int &r = v; v += 2; r = 0;", "S v = s; v.x += 2;",
        "int v[2] = {}; v[0] += 2;", "int v = a; change(v += 2);",
        "int v = a; (v += 2) = 3;", "static int v; v += 2;",
        "__shared__ int v; v += 2;"})
    EXPECT_EQ(valuesOf(Body), "") << Body;
  // Others change what a reference leads to.
  EXPECT_EQ(valuesOf("int &v = a; v += 2; a = 0;"), "");
  EXPECT_EQ(valuesOf("int &v = p[0]; v += 2; p[0] = 0;"), "");
}

} // namespace
