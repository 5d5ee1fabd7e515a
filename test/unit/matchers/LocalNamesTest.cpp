// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that only a function knows, and types for copies of its variables.

#include "matchers/grid-barrier/LocalNames.h"
#include "HostSnippet.h"
#include "matchers/facts/KernelArguments.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace barricade;
using namespace barricade::grid_barrier;

namespace {

/// What stands where the first loop of a function names what only that knows.
std::string localName(const std::string &Body, const std::string &Before = "",
                      const std::string &Head = "void f(int n)") {
  test::HostSnippet Code(Before + Head + " { " + Body + " }\n");
  const clang::SourceLocation Where =
      findLocalName(Code.loop(), Code.function());
  const clang::ASTContext &Context = Code.context();
  return Where.isInvalid()
             ? ""
             : clang::Lexer::getSourceText(
                   clang::CharSourceRange::getTokenRange(Where),
                   Context.getSourceManager(), Context.getLangOpts())
                   .str();
}

TEST(LocalNames, SeesTypesOfTheFunction) {
  EXPECT_EQ(localName("struct L {}; while (n--) L l;"), "L");
  EXPECT_EQ(localName("while (n--) { struct L {}; L l; }"), "L");
  EXPECT_EQ(localName("typedef int T; while (n--) T t = 0;"), "T");
  EXPECT_EQ(localName("using T = int; while (n--) n = (T)n;"), "T");
  EXPECT_EQ(localName("enum E { A }; while (n--) E e;"), "E");
  EXPECT_EQ(localName("struct L {}; while (n--) B<L> b;",
                      "template <typename T> struct B {};\n"),
            "L");
  EXPECT_EQ(localName("struct L {}; while (n--) n = sizeof(L);"), "L");
  // The one from outside is hidden.
  EXPECT_EQ(
      localName("struct T { int x; }; while (n--) T t;", "struct T {};\n"),
      "T");
}

TEST(LocalNames, SeesConstantsOfTheFunction) {
  EXPECT_EQ(localName("enum { N = 3 }; while (n--) n -= N;"), "N");
  EXPECT_EQ(localName("while (n--) n -= N;", "enum { N = 3 };\n"), "");
}

// A kernel may be named by a number instead.
TEST(LocalNames, KnowsNumbersOfLaunches) {
  const auto OfLaunch = [](const std::string &Constant,
                           const std::string &Argument,
                           const std::string &Parameter = "int N") {
    return localName(Constant + " while (n--) k<" + Argument + "><<<1, 1>>>();",
                     "template <" + Parameter +
                         "> __attribute__((global)) void k() {}\n");
  };
  EXPECT_EQ(OfLaunch("const int w = 3;", "w"), "");
  EXPECT_EQ(OfLaunch("constexpr unsigned h = 3, w = 2 * h;", "w"), "");
  EXPECT_EQ(OfLaunch("constexpr long w = -3;", "w", "long N"), "");
  EXPECT_EQ(OfLaunch("constexpr int w = 3;", "w + 1"), "w");
  // No literal has this value without a suffix, or none at all.
  EXPECT_EQ(OfLaunch("constexpr unsigned long w = -1;", "w", "unsigned long N"),
            "w");
  EXPECT_EQ(
      OfLaunch("constexpr long w = -0x7fffffffffffffff - 1;", "w", "long N"),
      "w");
  EXPECT_EQ(OfLaunch("constexpr int w = 3;", "w", "auto N"), "w");
  EXPECT_EQ(OfLaunch("constexpr int w = 3;", "w", "int... N"), "w");
  EXPECT_EQ(OfLaunch("enum E { A }; constexpr E w = A;", "w"), "w");
  EXPECT_EQ(localName("while (n--) { constexpr int w = 3; k<w><<<1, 1>>>(); }",
                      "template <int N> __attribute__((global)) void k() {}\n"),
            "w");
}

// Variables become parameters: where they are read, but not within a type.
TEST(LocalNames, VariablesCountInTypesOnly) {
  EXPECT_EQ(localName("int w = 1; while (n--) n -= w;"), "");
  EXPECT_EQ(localName("int w = 1; while (n--) decltype(w) v = 0;"), "w");
  EXPECT_EQ(localName("const int w = 1; while (n--) int v[w];"), "w");
  EXPECT_EQ(localName("constexpr int w = 1; while (n--) B<w> b;",
                      "template <int N> struct B {};\n"),
            "w");
  EXPECT_EQ(localName("constexpr int w = 1; while (n--) g<w>();",
                      "template <int N> void g();\n"),
            "w");
}

TEST(LocalNames, LeavesNamesFromOutside) {
  const std::string Outside =
      "struct G { int x; }; namespace a { typedef float R; int y; }\n"
      "template <typename T> struct B { T t; }; void g();\n";
  for (const char *Loop : {"G v;", "a::R v;", "B<G> v;", "n += a::y;", "g();",
                           "auto v = sizeof(G);", "n = static_cast<int>(n);"})
    EXPECT_EQ(localName(std::string("while (n--) { ") + Loop + " }", Outside),
              "")
        << Loop;
}

TEST(LocalNames, SeesNamespacesOfTheFunction) {
  const std::string Outside = "namespace a { struct S {}; int y; }\nint z;\n";
  EXPECT_EQ(localName("namespace b = a; while (n--) b::S s;", Outside), "b");
  EXPECT_EQ(localName("namespace b = a; while (n--) n += b::y;", Outside), "b");
  EXPECT_EQ(localName("using namespace a; while (n--) n += y;", Outside), "y");
  EXPECT_EQ(localName("using a::S; while (n--) S s;", Outside), "S");
  EXPECT_EQ(localName("using namespace a; while (n--) n += z;", Outside), "");
  EXPECT_EQ(localName("while (n--) n += a::y;", Outside), "");
}

TEST(LocalNames, SeesWhatOnlyMembersAndFriendsMayName) {
  EXPECT_NE(localName("while (n--) C::P p;",
                      "class C { struct P {}; friend void f(int); };\n"),
            "");
  EXPECT_NE(localName("while (n--) C::Q q;",
                      "class C { struct P {}; using Q = P; "
                      "friend void f(int); };\n"),
            "");
  EXPECT_EQ(
      localName("while (n--) C::P p;", "class C { public: struct P {}; };\n"),
      "");
  EXPECT_NE(localName("while (n--) P p;",
                      "struct C { struct P {}; void f(int); };\n",
                      "void C::f(int n)"),
            "");
}

TEST(LocalNames, SeesThroughMacros) {
  EXPECT_NE(localName("struct L {}; while (n--) MAKE(L);",
                      "#define MAKE(T) T made\n"),
            "");
  EXPECT_EQ(localName("while (n--) MAKE(int);", "#define MAKE(T) T made\n"),
            "");
}

struct Declared {
  explicit Declared(const std::string &Body, const std::string &Before = "")
      : Code(Before + "void f(int n) { " + Body + " }\n") {}

  const clang::VarDecl &v() { return Code.variable("v"); }
  bool isNamedOutside() { return grid_barrier::isNamedOutside(v().getType()); }
  std::string copyType() { return grid_barrier::copyType(v()).getAsString(); }
  std::string canonical() { return canonicalCopyType(v()).getAsString(); }

  test::HostSnippet Code;
};

TEST(LocalNames, KnowsTypesWithNames) {
  const std::string Outside =
      "struct G {}; namespace { struct H {}; } template <typename T> struct B "
      "{}; typedef struct { int x; } Named; enum E {};\n";
  for (const char *Body : {"int v;", "G v;", "H v;", "B<G> *v;", "E v[3];",
                           "Named v;", "void (*v)(G);", "const G &v = G();"})
    EXPECT_TRUE(Declared(Body, Outside).isNamedOutside()) << Body;
  for (const char *Body :
       {"struct L {}; L v;", "struct L {}; L *v;", "struct L {}; L v[2][3];",
        "struct { int x; } v;", "struct L {}; void (*v)(L);", "C::P *v;",
        "struct stat v;", "struct stat *v;"})
    EXPECT_FALSE(Declared(Body, Outside +
                                    "class C { struct P {}; friend void f(int);"
                                    " };\nstruct stat {}; void stat();\n")
                     .isNamedOutside())
        << Body;
}

// What is made of a type without a name is for facts::isNamedByAnyone.
TEST(LocalNames, LeavesArgumentsOfTemplates) {
  const std::string Outside =
      "template <typename T> struct B {}; struct G {};\n";
  const auto IsTaken = [&](const std::string &Body) {
    return facts::isNamedByAnyone(Declared(Body, Outside).v().getType());
  };
  for (const char *Body :
       {"struct L {}; B<L> v;", "struct L {}; B<B<L *>> v;", "auto v = [] {};",
        "auto l = [] {}; B<decltype(l)> v;"})
    EXPECT_FALSE(IsTaken(Body)) << Body;
  EXPECT_TRUE(IsTaken("B<B<G *>> v;"));
}

TEST(LocalNames, CopiesByNamesThatHold) {
  const std::string Outside = "typedef float Real; namespace a { struct S {}; "
                              "typedef S T; }\n";
  const auto Copy = [&](const std::string &Body) {
    return Declared(Body, Outside).copyType();
  };
  EXPECT_EQ(Copy("const int v = n;"), "int");
  EXPECT_EQ(Copy("const int &v = n;"), "int");
  EXPECT_EQ(Copy("Real v;"), "Real");
  EXPECT_EQ(Copy("const Real *const v = nullptr;"), "const Real *");
  EXPECT_EQ(Copy("auto v = Real();"), "float");
  EXPECT_EQ(Copy("using R = Real; R v;"), "float");
  EXPECT_EQ(Copy("a::T v;"), "a::T");
  EXPECT_EQ(Copy("using namespace a; T v;"), "a::S");
  EXPECT_EQ(Copy("__typeof__(n) v;"), "int");
  EXPECT_EQ(Declared("Real v;", Outside).canonical(), "float");
  EXPECT_EQ(Declared("const a::T &v = a::S();", Outside).canonical(), "a::S");
}

// What a macro stands for may be something else in another build.
TEST(LocalNames, KeepsMacrosThatMayDiffer) {
  const std::string Open = "#ifndef REAL\n#define REAL float\n#endif\n";
  Declared ByMacro("REAL *v;", Open);
  EXPECT_EQ(macroOfType(ByMacro.v()), "REAL");
  EXPECT_EQ(ByMacro.copyType(), "REAL *");
  EXPECT_FALSE(losesName(ByMacro.v(), /*IsCanonical=*/false));
  EXPECT_TRUE(losesName(ByMacro.v(), /*IsCanonical=*/true));
  Declared Value("REAL v;", Open);
  EXPECT_EQ(macroOfType(Value.v()), "");
  EXPECT_TRUE(losesName(Value.v(), /*IsCanonical=*/false));
  Declared Fixed("REAL *v;", "#define REAL float\n");
  EXPECT_EQ(Fixed.copyType(), "float *");
  EXPECT_FALSE(losesName(Fixed.v(), /*IsCanonical=*/true));
  // A name that each build has.
  Declared Named("Real v;", Open + "typedef REAL Real;\n");
  EXPECT_FALSE(losesName(Named.v(), /*IsCanonical=*/false));
  EXPECT_TRUE(losesName(Named.v(), /*IsCanonical=*/true));
}

TEST(LocalNames, SeesVariablesThatHideTheDevices) {
  test::HostSnippet Code("void f() { int blockIdx, dim3, warpSize, v; }");
  for (const char *Name : {"blockIdx", "dim3", "warpSize"})
    EXPECT_TRUE(hidesDeviceName(Code.variable(Name))) << Name;
  EXPECT_FALSE(hidesDeviceName(Code.variable("v")));
}

} // namespace
