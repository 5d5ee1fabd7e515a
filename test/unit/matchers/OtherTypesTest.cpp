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
  EXPECT_TRUE(InTemplate(Loud + either("typedef Loud r;", "typedef int r;")));
}

} // namespace
