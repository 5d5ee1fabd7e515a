// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which templates a name rests on, and which of them another build may
// specialise.

#include "matchers/source/Specialisations.h"
#include "HostSnippet.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"

using namespace barricade;

namespace {

/// What `v` begins with names first.
const clang::ValueDecl &namedBy(test::HostSnippet &Code) {
  const clang::ValueDecl *Named = nullptr;
  (void)holds(Code.variable("v").getInit(), [&](const clang::Stmt &S) {
    if (const auto *Ref = llvm::dyn_cast<clang::DeclRefExpr>(&S))
      Named = Ref->getDecl();
    return Named != nullptr;
  });
  return *Named;
}

std::string around(const std::string &Init, const std::string &Before) {
  test::HostSnippet Code(Before + "void f() { auto v = " + Init + "; }\n");
  std::string Names;
  for (const clang::TemplateDecl *Each : templatesAround(namedBy(Code)))
    Names += (Names.empty() ? "" : " ") + Each->getNameAsString();
  return Names;
}

TEST(Specialisations, FindsTemplatesAround) {
  const std::string Templates =
      "template <class T> struct Tr { static constexpr int Off = 0;\n"
      "  struct In { static constexpr int Deep = 0; };\n"
      "  template <class U> static constexpr int get() { return 0; }\n"
      "  template <class U> struct Two { static constexpr int Off = 0; }; };\n"
      "template <> struct Tr<char> { static constexpr int Off = 1; };\n"
      "template <class T> constexpr int Var = 0;\n"
      "template <class T> constexpr int call() { return 0; }\n"
      "template <> constexpr int call<char>() { return 1; }\n"
      "namespace n { template <class T> constexpr int Spaced = 0; }\n"
      "template <class T> using Same = Tr<T>;\n"
      "struct Plain { static constexpr int Off = 0; };\n"
      "struct Derived : Tr<int> {};\nconstexpr int One = Var<int>;\n";
  EXPECT_EQ(around("Tr<int>::Off", Templates), "Tr");
  EXPECT_EQ(around("Tr<char>::Off", Templates), "Tr");
  EXPECT_EQ(around("Same<int>::Off", Templates), "Tr");
  EXPECT_EQ(around("Derived::Off", Templates), "Tr");
  EXPECT_EQ(around("Tr<int>::In::Deep", Templates), "Tr");
  EXPECT_EQ(around("Tr<int>::get<int>()", Templates), "get Tr");
  EXPECT_EQ(around("Tr<int>::Two<int>::Off", Templates), "Two Tr");
  EXPECT_EQ(around("Var<int>", Templates), "Var");
  EXPECT_EQ(around("call<int>()", Templates), "call");
  EXPECT_EQ(around("call<char>()", Templates), "call");
  EXPECT_EQ(around("n::Spaced<int>", Templates), "Spaced");
  // Their own code names no template around them.
  EXPECT_EQ(around("Plain::Off", Templates), "");
  EXPECT_EQ(around("One", Templates), "");
}

const std::string Primary =
    "template <class T> struct Tr { static constexpr int Off = 0;\n"
    "  static constexpr int get() { return 0; } };\n";

/// Of what `v` begins with, where it begins.
bool mayElse(const std::string &Declarations,
             const std::string &Init = "Tr<int>::Off",
             const test::LibraryHeaders &Headers = {}) {
  test::HostSnippet Code(
      Declarations + "\nvoid f() {\nauto v = " + Init + ";\n}\n", Headers);
  return maySpecialiseElse(namedBy(Code), Code.variable("v").getLocation(),
                           Code.context());
}

std::string leftOut(const std::string &Code) {
  return Primary + "#ifdef OLD\n" + Code + "\n#endif\n";
}

TEST(Specialisations, SeesWhatIsLeftOut) {
  EXPECT_FALSE(mayElse(Primary));
  for (const char *Code :
       {"template <> struct Tr<int> { static constexpr int Off = 1; };",
        "template <> struct Tr<long> { static constexpr int Off = 1; };",
        "template <class T> struct Tr<T *> { static constexpr int Off = 1; };",
        "template <> constexpr int Tr<int>::get() { return 1; }",
        "template <>\nstruct\nTr\n<int> { static constexpr int Off = 1; };",
        "template <> struct ::Tr<int> { static constexpr int Off = 1; };"})
    EXPECT_TRUE(mayElse(leftOut(Code))) << Code;
  EXPECT_TRUE(mayElse(leftOut("template <> constexpr int Tr<int>::get() "
                              "{ return 1; }"),
                      "Tr<int>::get()"));
}

TEST(Specialisations, LeavesOtherMentions) {
  for (const char *Code :
       {"// template <> struct Tr<int> {};",
        "/* template <> struct Tr<int> {}; */",
        "const char *text = \"template <> struct Tr<int> {};\";",
        "constexpr int Old = Tr<int>::Off;", "Tr<int> object;",
        "template <> struct Other<Tr<int>> {};",
        "template <> struct Other<int, Tr<int>> {};",
        "template <class T> int take(Tr<T> x);",
        "template <class T, class U = Tr<T>> struct Other;",
        "template <> struct Tra<int> {};", "template <> struct Xtr<int> {};",
        "template <class T> struct Other { Tr<T> member; };",
        "template <class T> int other() { return Tr<T>::Off; }"})
    EXPECT_FALSE(mayElse(leftOut(Code))) << Code;
}

TEST(Specialisations, LeavesWhatThisBuildHas) {
  const std::string Mine =
      "template <> struct Tr<int> { static constexpr int Off = 1; };\n";
  EXPECT_FALSE(mayElse(Primary + Mine));
  EXPECT_FALSE(mayElse(Primary + "#ifndef OLD\n" + Mine + "#endif\n"));
  // One of the two is not compiled.
  EXPECT_TRUE(mayElse(Primary + "#ifndef OLD\n" + Mine + "#else\n" + Mine +
                      "#endif\n"));
  EXPECT_TRUE(mayElse(Primary + "#ifdef OLD\n" + Mine +
                      "#elif !defined OLDER\n" + Mine + "#endif\n"));
}

// Where the user stands under the same condition, no build has only one.
TEST(Specialisations, KnowsTheUsersConditions) {
  const std::string Mine =
      "template <> struct Tr<int> { static constexpr int Off = 1; };\n";
  const auto At = [&](const std::string &Before, const std::string &After) {
    test::HostSnippet Code(Primary + Before + "void f() { auto v = " +
                           "Tr<long>::Off; }\n" + After);
    return maySpecialiseElse(namedBy(Code), Code.variable("v").getLocation(),
                             Code.context());
  };
  EXPECT_FALSE(At("#ifndef OLD\n" + Mine, "#endif\n"));
  EXPECT_TRUE(At("#ifdef OLD\n" + Mine + "#else\n", "#endif\n"));
  EXPECT_TRUE(
      At("#ifndef OLD\n#ifdef OLDER\n" + Mine + "#endif\n", "#endif\n"));
}

TEST(Specialisations, FollowsVariablesAndFunctions) {
  const std::string Templates =
      "template <class T> constexpr int Var = 0;\n"
      "template <class T> constexpr int get() { return 0; }\n"
      "#ifdef OLD\n";
  EXPECT_TRUE(mayElse(Templates + "template <> constexpr int Var<int> = 1;\n"
                                  "#endif\n",
                      "Var<int>"));
  EXPECT_TRUE(mayElse(Templates + "template <class T> constexpr int Var<T *> = "
                                  "1;\n#endif\n",
                      "Var<int>"));
  EXPECT_TRUE(mayElse(Templates + "template <> constexpr int get<int>() "
                                  "{ return 1; }\n#endif\n",
                      "get<int>()"));
  // The type is deduced: there is no `<`.
  EXPECT_TRUE(mayElse("template <class T> constexpr int take(T) { return 0; }\n"
                      "#ifdef OLD\ntemplate <> constexpr int take(int) "
                      "{ return 1; }\n#endif\n",
                      "take(1)"));
  EXPECT_FALSE(mayElse(Templates + "template <> constexpr int Var<int> = "
                                   "get<int>();\n#endif\n",
                       "get<int>()"));
}

TEST(Specialisations, FollowsMacros) {
  const std::string Define = "#define ADD(T) template <> struct Tr<T> "
                             "{ static constexpr int Off = 1; };\n";
  EXPECT_TRUE(mayElse(Primary + Define + "#ifdef OLD\nADD(int)\n#endif\n"));
  EXPECT_TRUE(mayElse(Primary + "#ifdef OLD\n" + Define +
                      "#else\n#define ADD(T)\n#endif\nADD(int)\n"));
  EXPECT_FALSE(mayElse(Primary + Define + "ADD(int)\n"));
  EXPECT_FALSE(mayElse(Primary + "#define NAME(T) Tr<T>\n"
                                 "#ifdef OLD\nNAME(int) old;\n#endif\n"));
}

// A macro may stand for a part of the head alone.
TEST(Specialisations, FollowsMacrosInHeads) {
  EXPECT_TRUE(mayElse("#define FULL template <>\n" +
                      leftOut("FULL struct Tr<int> "
                              "{ static constexpr int Off = 1; };")));
  EXPECT_TRUE(mayElse(leftOut("#define FULL template <>\n"
                              "int g;\nFULL struct Tr<int> "
                              "{ static constexpr int Off = 1; };")));
  EXPECT_TRUE(mayElse("#define MINE Tr\n" +
                      leftOut("template <> struct MINE<int> "
                              "{ static constexpr int Off = 1; };")));
}

TEST(Specialisations, LooksIntoHeaders) {
  const auto With = [](const std::string &Header, const char *Path) {
    return mayElse("#include \"" + std::string(Path) + "\"\n", "Tr<int>::Off",
                   {{Path, Header}});
  };
  const std::string Other =
      leftOut("template <> struct Tr<int> { static constexpr int Off = 1; };");
  // Libraries are as they are, but for what users specialise of them.
  EXPECT_FALSE(With(Other, "/toolkit/tr.h"));
  EXPECT_TRUE(mayElse("#include \"/toolkit/tr.h\"\n#ifdef OLD\ntemplate <> "
                      "struct Tr<int> { static constexpr int Off = 1; };\n"
                      "#endif\n",
                      "Tr<int>::Off", {{"/toolkit/tr.h", Primary}}));
  EXPECT_TRUE(mayElse(Other));
}

/// Of `f` in \p Code.
bool mayHaveOthers(const std::string &Code) {
  test::HostSnippet Parsed("template <class T> void f(T) {}\n" + Code);
  for (const clang::Decl *D :
       Parsed.context().getTranslationUnitDecl()->decls())
    if (const auto *Template = llvm::dyn_cast<clang::FunctionTemplateDecl>(D);
        Template && Template->getName() == "f")
      return mayInstantiateElse(*Template);
  ADD_FAILURE();
  return false;
}

std::string omitted(const std::string &Code) {
  return "#ifdef OLD\n" + Code + "\n#endif\n";
}

TEST(Specialisations, KnowsInstances) {
  EXPECT_FALSE(mayHaveOthers("void g() { f(1); }"));
  EXPECT_FALSE(mayHaveOthers(omitted("void g() {}")));
  EXPECT_FALSE(mayHaveOthers("#ifndef OLD\ntemplate void f(int);\n#endif\n"));
  EXPECT_FALSE(mayHaveOthers("template <class T> void g(T x) { f(x); }\n"
                             "void h() { g(1); }\n"));
}

TEST(Specialisations, SeesInstancesThatAreLeftOut) {
  for (const std::string Before :
       {"", "#define MAKE(T) template void f(T);\n",
        "template <class T> void g(T x) { f(x); }\n",
        "template <class T> void h(T x) { f(x); }\n"
        "template <class T> struct G { void g(T x) { h(x); } };\n",
        "void k() { auto g = [](auto x) { f(x); }; g(1); }\n"})
    EXPECT_EQ(mayHaveOthers(Before + omitted("template struct G<int>;") +
                            omitted("void n() { g(1); }") +
                            omitted("MAKE(int)")),
              !Before.empty())
        << Before;
  EXPECT_TRUE(mayHaveOthers(omitted("template void f(int);")));
  EXPECT_TRUE(mayHaveOthers("void g() {\n" + omitted("f(1);") + "}\n"));
}

} // namespace
