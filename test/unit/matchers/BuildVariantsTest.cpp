// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a number or a type now and may be another one in another build.

#include "matchers/source/BuildVariants.h"
#include "HostSnippet.h"
#include "clang/AST/Expr.h"

using namespace barricade;

namespace {

const std::string Macros = "#ifndef OPEN\n#define OPEN 256\n#endif\n"
                           "#define FIXED 16\n"
                           "#ifndef REAL\n#define REAL float\n#endif\n"
                           "constexpr int Half = FIXED / 2;\n"
                           "constexpr int Open = OPEN / 2;\n"
                           "typedef REAL Real; typedef float Single;\n";

/// The value that `v` begins with may differ.
bool differs(const std::string &Init, const std::string &Before = "") {
  test::HostSnippet Code(Macros + Before + "void f() { dim3 v = " + Init +
                         "; }\n");
  const clang::VarDecl &V = Code.variable("v");
  return valueMayDiffer(*V.getInit(), V.getLocation(), Code.context());
}

TEST(BuildVariants, TellsFixedValuesFromOthers) {
  for (const char *Init : {"3", "FIXED", "Half", "FIXED * 2 + Half",
                           "dim3(2, FIXED)", "sizeof(float)"})
    EXPECT_FALSE(differs(Init)) << Init;
  for (const char *Init : {"OPEN", "Open", "OPEN / 256", "Half + Open",
                           "dim3(2, OPEN)", "sizeof(Real)"})
    EXPECT_TRUE(differs(Init)) << Init;
}

TEST(BuildVariants, KnowThatToolkitsAndLanguagesChange) {
  for (const char *Init : {"__cplusplus / 100", "__GNUC__", "LANGUAGE",
                           "dim3(2, LANGUAGE)", "Language"})
    EXPECT_TRUE(differs(Init, "#define LANGUAGE (__cplusplus / 100)\n"
                              "constexpr int Language = LANGUAGE;\n"))
        << Init;
}

TEST(BuildVariants, FollowsConditions) {
  EXPECT_TRUE(differs("N", "#ifdef FAST\n#define N 1\n#else\n#define N 2\n"
                           "#endif\n"));
  EXPECT_TRUE(differs("N", "#ifdef FAST\nconstexpr int N = 1;\n#else\n"
                           "constexpr int N = 2;\n#endif\n"));
  EXPECT_TRUE(differs("E", "enum { D,\n#ifdef FAST\nX,\n#endif\nE };\n"));
  EXPECT_TRUE(differs("N", "#define N OPEN\n"));
  EXPECT_FALSE(differs("N", "#define N FIXED\n"));
}

// No tree has what stands for nothing.
TEST(BuildVariants, SeesMacrosThatStandForNothing) {
  const std::string Twice =
      "#ifdef WIDE\n#define TWICE * 2\n#define MUL(x) * x\n"
      "#define NEG -\n#else\n#define TWICE\n"
      "#define MUL(x)\n#define NEG\n#endif\n"
      "#define NOTHING\n"
      "constexpr int Threads = 32 TWICE;\n"
      "enum { Blocks = 4 TWICE };\n"
      "constexpr int twice(int x) { return x TWICE; }\n"
      "constexpr int same(int x) { return x NOTHING; }\n";
  for (const char *Init :
       {"4 TWICE", "(4 TWICE)", "4 TWICE + 0", "NEG 4", "4 MUL(2)",
        "dim3(4 TWICE)", "same(4 TWICE)", "twice(4)", "Threads", "Blocks"})
    EXPECT_TRUE(differs(Init, Twice)) << Init;
  for (const char *Init : {"4", "4 NOTHING", "same(4)"})
    EXPECT_FALSE(differs(Init, Twice)) << Init;
}

// Not only where the definition stands that holds in this build.
TEST(BuildVariants, FollowsRedefinitions) {
  const std::string Other = "#ifdef WIDE\n#undef N\n#define N 2\n#endif\n";
  EXPECT_TRUE(differs("N", "#define N 1\n" + Other));
  EXPECT_TRUE(differs("N + 1", "#define M 1\n#define N M\n" + Other));
  EXPECT_TRUE(differs("f(1)",
                      "constexpr int f(int x) { return x; }\n"
                      "constexpr int g(int x) { return -x; }\n"
                      "#define CALL f\n#ifdef WIDE\n#undef CALL\n"
                      "#define CALL g\n#endif\n#define f(x) CALL(x)\n"));
  EXPECT_TRUE(differs("N", "#define N 1\n#if WIDE\n#undef N\n#endif\n"));
  // What is defined behind says what holds.
  EXPECT_FALSE(differs("N", "#ifdef N\n#undef N\n#endif\n#define N 1\n"));
  EXPECT_FALSE(differs("N", "#define N 1\n#undef N\n#define N 3\n"));
  EXPECT_FALSE(differs("N", "#define N 1\nconstexpr int M = N;\n#undef N\n"
                            "#define N 3\n#ifdef WIDE\n#undef M\n#endif\n"));
  EXPECT_FALSE(differs("M", "#define N 1\nconstexpr int M = N;\n" + Other));
  EXPECT_FALSE(differs("N", "#define N 1\n#ifndef __CUDACC__\n#undef N\n"
                            "#define N 3\n#endif\n"));
}

// What this build leaves out is no part of the tree.
TEST(BuildVariants, FollowsConditionsWithinDeclarations) {
  EXPECT_TRUE(differs("N", "constexpr int N =\n#ifdef WIDE\n3 *\n#endif\n"
                           "2;\n"));
  EXPECT_TRUE(differs("N", "constexpr int N = 2\n#ifdef WIDE\n* 3\n#endif\n"
                           ";\n"));
  EXPECT_TRUE(differs("2\n#ifdef WIDE\n* 3\n#endif\n"));
  EXPECT_FALSE(differs("N", "constexpr int N = 2;\n#ifdef WIDE\n#endif\n"));
  EXPECT_FALSE(differs("N", "constexpr int N =\n#pragma once\n2;\n"));
}

TEST(BuildVariants, FollowsSpecialisations) {
  const std::string Templates =
      "template <class T> struct Tr { static constexpr int Off = 0; };\n"
      "template <class T> constexpr int Var = 0;\n"
      "template <class T> constexpr int get() { return 0; }\n"
      "template <class T> struct Own { static constexpr int Off = 0; };\n"
      "template <> struct Own<int> { static constexpr int Off = 1; };\n";
  const std::string LeftOut =
      "#ifdef OLD\n"
      "template <> struct Tr<int> { static constexpr int Off = 1; };\n"
      "template <> constexpr int Var<int> = 1;\n"
      "template <> constexpr int get<int>() { return 1; }\n"
      "template <class T> int other(Own<T>, int = Own<int>::Off);\n"
      "#endif\n";
  for (const char *Init : {"Tr<int>::Off", "Var<int>", "get<int>()"}) {
    EXPECT_TRUE(differs(Init, Templates + LeftOut)) << Init;
    EXPECT_FALSE(differs(Init, Templates)) << Init;
  }
  // The same in all builds, whoever names it under a condition.
  for (const char *Init : {"Own<int>::Off", "Own<long>::Off"})
    EXPECT_FALSE(differs(Init, Templates + LeftOut)) << Init;
  EXPECT_TRUE(differs("Tr<int>::Off",
                      Templates + "#define ADD(T) template <> struct Tr<T> { "
                                  "static constexpr int Off = 1; };\n"
                                  "#ifdef OLD\nADD(int)\n#endif\n"));
}

// What a name is looked up in, and what a template or a function is given.
TEST(BuildVariants, FollowsScopesAndClasses) {
  const std::string If = "\n#ifdef OLD\n", End = "\n#endif\n";
  const auto With = [&](const std::string &Before, const std::string &Optional,
                        const std::string &Behind, const std::string &Init) {
    EXPECT_TRUE(differs(Init, Before + If + Optional + End + Behind)) << Init;
    EXPECT_FALSE(differs(Init, Before + Behind)) << Init;
  };
  const std::string Trait = "template <class T> struct Tr { static constexpr "
                            "int Off = 3; };\n";
  With("struct A { static constexpr int Off = 0; }; struct B : A {",
       "static constexpr int Other = 1;", "};", "B::Off");
  With("struct A { static constexpr int Off = 0; }; struct Tag {};\n"
       "struct B : A",
       ", Tag", "{ };", "B::Off");
  With(Trait + "struct My {", "int more;", "};", "Tr<My>::Off");
  With("struct S { constexpr int off(long) const { return 0; }",
       "constexpr int off(int) const { return 1; }", "};", "S{}.off(3)");
  With("struct S { constexpr int off(long) const { return 0; } };\n"
       "struct D : S {",
       "constexpr int off(int) const { return 1; }", "};", "D{}.off(3)");
  With("struct Tag {}; struct My", ": Tag",
       "{ };\nconstexpr int f(const Tag &) { return 1; }\n"
       "constexpr int f(...) { return 0; }\n",
       "f(My{})");
}

TEST(BuildVariants, FollowsNamespaces) {
  const std::string Both = "namespace a { constexpr int Off = 0; }\n"
                           "namespace b { constexpr int Off = 1; }\n";
  const auto Either = [](const std::string &A, const std::string &B) {
    return "#ifdef OLD\n" + A + "\n#else\n" + B + "\n#endif\n";
  };
  EXPECT_TRUE(
      differs("t::Off", Both + Either("namespace t = b;", "namespace t = a;")));
  EXPECT_TRUE(differs("Off", Both + Either("using b::Off;", "using a::Off;")));
  EXPECT_TRUE(differs(
      "Off", Both + Either("using namespace b;", "using namespace a;")));
  EXPECT_TRUE(
      differs("c::Off", Both + "namespace c {\n" +
                            Either("using namespace b;", "using namespace a;") +
                            "}\n"));
  EXPECT_FALSE(differs("t::Off", Both + "namespace t = a;\n"));
  EXPECT_FALSE(differs("Off", Both + "using a::Off;\n"));
  EXPECT_FALSE(differs("Off", Both + "using namespace a;\n"));
  EXPECT_FALSE(differs("a::Off", Both));
}

/// The function that \p Before declares last.
const clang::FunctionDecl &lastFunction(test::HostSnippet &Code) {
  const clang::FunctionDecl *Last = nullptr;
  for (const clang::Decl *D : Code.context().getTranslationUnitDecl()->decls())
    if (const clang::FunctionDecl *Function = D->getAsFunction())
      Last = Function;
  return *Last;
}

TEST(BuildVariants, TellsCode) {
  const auto Differs = [](const std::string &Definition) {
    test::HostSnippet Code(Macros + Definition + "\n");
    return codeMayDiffer(lastFunction(Code));
  };
  EXPECT_FALSE(Differs("int f(int n) { return n + FIXED; }"));
  EXPECT_FALSE(Differs("int f(int n) { return n + Open; }")); // Names only.
  EXPECT_TRUE(Differs("int f(int n) { return n + OPEN; }"));
  EXPECT_TRUE(Differs("int f(REAL x) { return 1; }"));
  EXPECT_TRUE(Differs("int f(int n) {\n#ifdef FAST\nn = 1;\n#endif\n"
                      "return n; }"));
}

TEST(BuildVariants, TellsSpelling) {
  const auto Differs = [](const std::string &Init) {
    test::HostSnippet Code(Macros + "void f() { int v = " + Init + "; }\n");
    return spellingMayDiffer(*Code.variable("v").getInit(), Code.context());
  };
  for (const char *Init : {"3", "FIXED", "Half", "Open", "Open + 1"})
    EXPECT_FALSE(Differs(Init)) << Init;
  for (const char *Init : {"OPEN", "Half + OPEN", "(int)sizeof(REAL)"})
    EXPECT_TRUE(Differs(Init)) << Init;
}

TEST(BuildVariants, TellsLayouts) {
  const auto Differs = [](const std::string &Definition) {
    test::HostSnippet Code(Macros + Definition + "\n");
    return typesMayDiffer(lastFunction(Code), /*FixedArguments=*/true);
  };
  const std::string Fixed = "struct A { float x; int n; };\n",
                    Varied = "struct B { Real x; int n; };\n",
                    Optional = "struct C { float x;\n#ifdef FAST\nint n;\n"
                               "#endif\n};\n";
  EXPECT_FALSE(Differs("float f(float *x) { return *x; }"));
  EXPECT_FALSE(Differs(Fixed + "float f(A *x) { return x->x; }"));
  EXPECT_FALSE(Differs("int f() { return OPEN; }")); // A number is no type.
  EXPECT_TRUE(Differs("float f(Real *x) { return *x; }"));
  EXPECT_TRUE(Differs(Varied + "float f(B *x) { return x->x; }"));
  EXPECT_TRUE(Differs(Optional + "float f(C *x) { return x->x; }"));
  EXPECT_TRUE(Differs(Varied + "float f(void *x) { return ((B *)x)->x; }"));
  EXPECT_TRUE(Differs(Varied + "int f() { return sizeof(B); }"));
}

TEST(BuildVariants, ReadsFixedExtents) {
  const auto Extents = [](const std::string &Init) {
    test::HostSnippet Code(Macros + "void f(int n) { dim3 v = " + Init +
                           "; }\n");
    std::string Text;
    for (const auto &Each :
         fixedExtents(*Code.variable("v").getInit(), Code.context()))
      Text += (Text.empty() ? "" : " ") +
              (Each ? std::to_string(*Each) : std::string("?"));
    return Text;
  };
  EXPECT_EQ(Extents("64"), "64 1 1");
  EXPECT_EQ(Extents("dim3(4, FIXED)"), "4 16 1");
  EXPECT_EQ(Extents("dim3(4, OPEN)"), "4 ? 1");
  EXPECT_EQ(Extents("OPEN"), "? 1 1");
  EXPECT_EQ(Extents("n"), "? 1 1");
  EXPECT_EQ(Extents("dim3(n, 2)"), "? 2 1");
}

TEST(BuildVariants, TellsTypes) {
  const auto Differs = [](const std::string &Declaration, bool AsNamed) {
    test::HostSnippet Code(Macros + "void f() { " + Declaration + " }\n");
    return typeMayDiffer(Code.variable("v"), AsNamed);
  };
  for (const bool AsNamed : {false, true}) {
    EXPECT_FALSE(Differs("float v;", AsNamed));
    EXPECT_FALSE(Differs("Single *v;", AsNamed));
    EXPECT_TRUE(Differs("REAL v;", AsNamed));
    EXPECT_TRUE(Differs("REAL *v;", AsNamed));
    EXPECT_TRUE(Differs("int v[OPEN];", AsNamed));
    EXPECT_FALSE(Differs("int v[FIXED];", AsNamed));
  }
  EXPECT_FALSE(Differs("Real v;", true));
  EXPECT_TRUE(Differs("Real v;", false));
  EXPECT_TRUE(Differs("auto v = Real();", false));
}

TEST(BuildVariants, TellsTypesOfInitializers) {
  const auto Differs = [](const std::string &Declaration,
                          const std::string &Before = "") {
    test::HostSnippet Code(Macros + Before + "void f(int n) { " + Declaration +
                           " }\n");
    return typeMayDiffer(Code.variable("v"), /*AsNamed=*/true);
  };
  const std::string Wide = "\n#ifdef WIDE\n", Else = "\n#else\n",
                    End = "\n#endif\n";
  EXPECT_TRUE(Differs("auto v =" + Wide + "3l" + Else + "3" + End + ";"));
  EXPECT_TRUE(Differs("auto v =" + Wide + "3l *" + End + "3;"));
  EXPECT_TRUE(Differs("auto v = 3" + Wide + "* 3l" + End + ";"));
  EXPECT_TRUE(Differs("unsigned" + Wide + "long" + End + "v = 3;"));
  EXPECT_FALSE(Differs("int v =" + Wide + "3l" + Else + "3" + End + ";"));
  EXPECT_FALSE(Differs("auto v = 3;" + Wide + "int w;" + End));
  EXPECT_FALSE(Differs(Wide + "int w;" + End + "auto v = 3;"));
  // Of what has such an initialiser, or such a type.
  EXPECT_TRUE(Differs("auto v = M;",
                      "const auto M =" + Wide + "3l" + Else + "3" + End + ";"));
  EXPECT_TRUE(
      Differs("auto v = M;",
              "static int" + Wide + "w = 3; static long" + End + "M = 4;"));
  EXPECT_FALSE(Differs("auto v = M;",
                       "const int M =" + Wide + "3l" + Else + "3" + End + ";"));
  // An enumeration that has no type of its own has that of its numbers.
  for (const char *Enum :
       {"enum E { A,\n#ifdef WIDE\nB = 3000000000l\n#else\nB\n#endif\n};",
        "enum { A =\n#ifdef WIDE\n3000000000l\n#else\n100\n#endif\n};",
        "enum { A,\n#ifdef WIDE\nB = 3000000000l\n#endif\n};",
        "enum { A = OPEN };", "enum E : REAL_INT { A };"})
    EXPECT_TRUE(Differs("auto v = +A;", "#ifndef REAL_INT\n#define REAL_INT "
                                        "int\n#endif\n" +
                                            std::string(Enum) + "\n"))
        << Enum;
  for (const char *Enum :
       {"enum { A = FIXED };", "enum E : int { A,\n#ifdef WIDE\nB\n#endif\n};"})
    EXPECT_FALSE(Differs("auto v = +A;", Enum)) << Enum;
  // Its macros are other ones behind the first definition.
  const std::string Index = "#define INDEX int\n#ifdef WIDE\n#undef INDEX\n"
                            "#define INDEX long\n#endif\n";
  for (const char *Of : {"INDEX v = 3;", "auto v = (INDEX)n;",
                         "auto v = static_cast<INDEX>(n);"})
    EXPECT_TRUE(Differs(Of, Index)) << Of;
  EXPECT_TRUE(Differs("auto v = n * SUFFIX(3);",
                      "#define SUFFIX(x) x\n#ifdef WIDE\n#undef SUFFIX\n"
                      "#define SUFFIX(x) x##l\n#endif\n"));
  EXPECT_FALSE(Differs("INDEX v = 3;", "#define INDEX int\n"));
}

} // namespace
