// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/OtherTypes.h"
#include "test/unit/matchers/HostSnippet.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "gtest/gtest.h"
#include <string>

using namespace barricade;

namespace {

/// Of the type of `x` in `void f() { ... }`.
bool mayElse(const std::string &Before, const std::string &Declares,
             const test::LibraryHeaders &Headers = {}) {
  test::HostSnippet Parsed(Before + "\nvoid f() { " + Declares + " }\n",
                           Headers);
  const auto *Body =
      llvm::cast<clang::CompoundStmt>(Parsed.function().getBody());
  const auto *Declared = llvm::cast<clang::DeclStmt>(Body->body_front());
  const auto *Var = llvm::cast<clang::VarDecl>(Declared->getSingleDecl());
  return mayRunElse(Var->getType(), Var->getLocation(), Parsed.context());
}

std::string either(const std::string &Left, const std::string &Here) {
  return "#ifdef OLD\n" + Left + "\n#else\n" + Here + "\n#endif\n";
}

const std::string Loud = "struct Loud { Loud(int); ~Loud(); };\n";

TEST(OtherTypes, NumbersHaveNoCode) {
  EXPECT_FALSE(mayElse("", "int x;"));
  EXPECT_FALSE(mayElse(Loud, "Loud x(1);"));
  EXPECT_FALSE(mayElse(either("typedef double real;", "typedef float real;"),
                       "real x;"));
  EXPECT_FALSE(mayElse(
      either("using real = unsigned long;", "typedef unsigned short real;"),
      "const real x = 1;"));
  EXPECT_FALSE(mayElse(either("#define REAL double", "#define REAL float") +
                           "typedef REAL real;",
                       "real x;"));
  EXPECT_FALSE(
      mayElse(either("struct P { float a, b[3]; };", "struct P { float a; };"),
              "P x;"));
  EXPECT_FALSE(mayElse(either("typedef struct { float a; } P;",
                              "typedef struct Q { float b; } P;"),
                       "P x;"));
  EXPECT_FALSE(mayElse(Loud + either("void f(Loud);", ""), "int x;"));
  EXPECT_FALSE(mayElse(either("enum class E : unsigned char { A = (1 << 2) };",
                              "enum E : int { A };"),
                       "E x;"));
  EXPECT_FALSE(mayElse(either("template <typename T> using A = const T *;",
                              "template <class T> using A = T *;"),
                       "A<float> x = nullptr;"));
  // What this build has is what it is.
  EXPECT_FALSE(mayElse("template <class T> struct S { typedef T type; T a; "
                       "int f(int i) { return i * a; } };\n"
                       "typedef S<int>::type real;\n"
                       "struct P { S<real> s; S<real>::type t; };\n",
                       "P x;"));
  EXPECT_FALSE(
      mayElse(either("struct P { int l; };",
                     Loud + "struct P { Loud l{1}; struct Other; void f() { "
                            "Other *o = nullptr; } };"),
              "P x;"));
}

TEST(OtherTypes, SystemHeadersHaveTheirConditions) {
  const test::LibraryHeaders Sizes = {
      {"/toolkit/sizes.h", either("typedef long wide;", "typedef int wide;")}};
  EXPECT_FALSE(mayElse("#include <sizes.h>\n", "wide x;", Sizes));
}

TEST(OtherTypes, ClassesOfOtherBuildsMayHaveCode) {
  for (const std::string Else :
       {"typedef Loud real;", "using real = Loud;", "typedef Loud a, real;",
        "typedef Loud real[1];", "typedef struct Loud real;",
        "struct real { real(int); };", "class real : Loud {};",
        "struct __align__(8) real { Loud a; };", "#define REAL Loud",
        "typedef Unknown real;", "#include <real.h>",
        "typedef struct { real2(); } real;", "using space::real;"}) {
    const std::string Before = Loud + either(Else, "typedef int real;");
    EXPECT_TRUE(mayElse(Before, "real x = 1;")) << Else;
    EXPECT_TRUE(mayElse(Before + "typedef real other;\n", "other x[2];"))
        << Else;
    EXPECT_TRUE(mayElse(Before + "struct S { real r; };\n", "S x;")) << Else;
    EXPECT_TRUE(mayElse(Before + "template <class T> struct S { T r; };\n",
                        "S<real> x;"))
        << Else;
    EXPECT_TRUE(mayElse(Before, "auto x = real(1);")) << Else;
    EXPECT_FALSE(mayElse(Before, "real *x;")) << Else;
    EXPECT_FALSE(mayElse(Before, "int x;")) << Else;
  }
  EXPECT_TRUE(
      mayElse(either("struct P { float a; ~P(); };", "struct P { float a; };"),
              "P x;"));
}

TEST(OtherTypes, PartsOfClassesMayBeOfOtherBuilds) {
  const auto With = [](const std::string &Part) {
    return mayElse(Loud + "struct P {\n  float a;\n#ifdef OLD\n" + Part +
                       "\n#endif\n};\n",
                   "P x;");
  };
  EXPECT_FALSE(With("float b; int f(int) const { return 1; }"));
  EXPECT_TRUE(With("~P();"));
  EXPECT_TRUE(With("P(const P &);"));
  EXPECT_TRUE(With("operator int() const;"));
  EXPECT_TRUE(With("Loud loud;"));
  EXPECT_TRUE(With("P &operator=(const P &);"));
  EXPECT_TRUE(With("#include \"members.inc\""));
  EXPECT_FALSE(
      With("friend bool operator==(P a, const P &b) { return true; }"));
}

/// A macro that is the one or the other, and nothing here.
std::string macro(const std::string &Left, const std::string &Here = "") {
  return either("#define M " + Left, "#define M " + Here);
}

TEST(OtherTypes, MacrosMayBePartsOfClasses) {
  EXPECT_TRUE(
      mayElse(Loud + macro(": Loud") + "struct P M { int a; };", "P x;"));
  EXPECT_TRUE(mayElse(Loud + macro("Loud loud;") + "struct P { M };", "P x;"));
  EXPECT_TRUE(mayElse(macro("~P();") + "struct P { M int a; };", "P x;"));
  EXPECT_TRUE(mayElse(Loud + either("#define M(x) Loud", "#define M(x) int") +
                          "typedef M(1) real;",
                      "real x = 1;"));
  EXPECT_TRUE(
      mayElse(Loud + macro("typedef Loud real;", "typedef int real;") + "M",
              "real x = 1;"));
  EXPECT_FALSE(mayElse(macro("__device__") + "struct P { M int f() const { "
                                             "return 1; } };",
                       "P x;"));
  EXPECT_FALSE(
      mayElse(macro("__forceinline", "inline __attribute__((always_inline))") +
                  "struct P { M int f() const { return 1; } };",
              "P x;"));
  EXPECT_FALSE(mayElse(macro("__declspec(align(8))", "__attribute__((aligned(8"
                                                     ")))") +
                           "struct M P { int a; };",
                       "P x;"));
  EXPECT_FALSE(mayElse("#ifndef N\n#define N 4\n#endif\n"
                       "struct P { float a[N]; };",
                       "P x;"));
  EXPECT_FALSE(mayElse(
      either("#define W unsigned __int64", "#define W unsigned long long") +
          "typedef W wide;",
      "wide x;"));
}

TEST(OtherTypes, TypesMayComeFromOthers) {
  const std::string Functions = Loud + either("Loud g(int);", "int g(int);") +
                                "struct G { decltype(g(1)) a; };\n";
  EXPECT_TRUE(mayElse(Functions, "decltype(g(1)) x = 1;"));
  EXPECT_FALSE(mayElse("int g(int);", "decltype(g(1)) x = 1;"));
  const std::string Chosen =
      Loud +
      "template <bool B> struct Sel { typedef int type; };\n"
      "template <> struct Sel<true> { typedef Loud type; };\n" +
      either("constexpr bool traced = true;", "constexpr bool traced = false;");
  EXPECT_TRUE(mayElse(Chosen, "Sel<traced>::type x = 1;"));
  EXPECT_FALSE(mayElse(Chosen, "Sel<false>::type x = 1;"));
}

TEST(OtherTypes, ArgumentsMayBeWhatAnyAliasIs) {
  const auto InTemplate = [](const std::string &Before) {
    test::HostSnippet Parsed(
        Before + "template <class T> struct S { T x; };\nS<int> s;\n");
    const clang::FieldDecl *Field = nullptr;
    for (const auto *D : Parsed.context().getTranslationUnitDecl()->decls())
      if (const auto *Var = llvm::dyn_cast<clang::VarDecl>(D))
        Field = *Var->getType()->getAsRecordDecl()->field_begin();
    return mayRunElse(Field->getType(), Field->getLocation(), Parsed.context());
  };
  EXPECT_FALSE(InTemplate(""));
  EXPECT_FALSE(
      InTemplate(either("typedef double real;", "typedef float real;")));
  EXPECT_FALSE(InTemplate(Loud + either("struct P { P(); };", "")));
  EXPECT_FALSE(InTemplate(either("#define API api", "#define API")));
  EXPECT_FALSE(InTemplate(either("#define POW powf", "#define POW pow")));
  EXPECT_TRUE(InTemplate(Loud + either("#define R Loud", "#define R int")));
  EXPECT_TRUE(InTemplate(Loud + either("typedef Loud r;", "typedef int r;")));
}

} // namespace
