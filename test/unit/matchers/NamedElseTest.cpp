// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables another build names where this one does not.

#include "matchers/source/NamedElse.h"
#include "HostSnippet.h"

using namespace barricade;

namespace {

/// What \p Ask says of `v` of a function. \p Before: what stands before that.
bool isSaid(bool (*Ask)(const clang::VarDecl &, const clang::FunctionDecl &),
            const std::string &Body, const std::string &Before) {
  test::HostSnippet Code("void use(int);\n" + Before + "\nvoid f(int n) {\n" +
                         "int v = 0;\n" + Body + "\n}\n");
  return Ask(Code.variable("v"), Code.function());
}
bool isNamed(const std::string &Body, const std::string &Before = "") {
  return isSaid(isNamedElse, Body, Before);
}
bool isUsed(const std::string &Body, const std::string &Before = "") {
  return isSaid(mayBeUsedElse, Body, Before);
}
bool isChanged(const std::string &Body) {
  return isSaid(mayBeChangedElse, Body, "");
}
bool isTried(const std::string &Body, const std::string &Before = "") {
  return isSaid(
      [](const clang::VarDecl &, const clang::FunctionDecl &F) {
        return isWrittenElse("try", F);
      },
      Body, Before);
}

TEST(NamedElse, InWhatIsLeftOut) {
  EXPECT_FALSE(isNamed("use(v); v = n; ++v;"));
  EXPECT_TRUE(isNamed("#ifdef X\nuse(v);\n#endif"));
  EXPECT_TRUE(isNamed("#ifdef X\nv = n;\n#else\nuse(n);\n#endif"));
  EXPECT_FALSE(isNamed("#ifdef X\nuse(n);\n#endif\nuse(v);"));
  EXPECT_FALSE(isNamed("#ifdef X\nuse(n); // v\n#endif"));
  // This build has it.
  EXPECT_FALSE(isNamed("#ifndef X\nuse(v);\n#endif"));
}

TEST(NamedElse, ByMacros) {
  EXPECT_TRUE(isNamed("LOG(v);", "#define LOG(x)"));
  EXPECT_FALSE(isNamed("LOG(v);", "#define LOG(x) use(x)"));
  EXPECT_FALSE(isNamed("LOG(n);", "#define LOG(x)"));
  // One that is always the same is seen by the tree.
  EXPECT_FALSE(isNamed("SHOW();", "#define SHOW() use(v)"));
  EXPECT_TRUE(isNamed("SHOW();", "#ifdef X\n#define SHOW() use(v)\n#else\n"
                                 "#define SHOW()\n#endif"));
  EXPECT_TRUE(isNamed("SHOW();", "#define OF_V use(v)\n#ifdef X\n"
                                 "#define SHOW() OF_V\n#else\n"
                                 "#define SHOW()\n#endif"));
  EXPECT_FALSE(isNamed("SHOW();", "#ifdef X\n#define SHOW() use(n)\n#else\n"
                                  "#define SHOW()\n#endif"));
  EXPECT_TRUE(isNamed("SHOW(use);", "#ifdef X\n#define SHOW(a) a##_it\n#else\n"
                                    "#define SHOW(a) a(n)\n#endif"));
}

TEST(NamedElse, ByMacrosThatDropWhatTheyName) {
  const std::string Drops = "#define DROP(x)\n";
  EXPECT_TRUE(isNamed("SHOW;", Drops + "#define SHOW DROP(v)"));
  EXPECT_FALSE(isNamed("SHOW;", Drops + "#define SHOW DROP(n); use(v)"));
  // A parameter's name, and one that the macro declares.
  EXPECT_FALSE(isNamed("SHOW(n);", "#define SHOW(v) use(v)"));
  EXPECT_FALSE(isNamed("SHOW(n);", "#define SHOW(x) { int v = x; use(v); }"));
  EXPECT_TRUE(isNamed("SHOW(use);",
                      "#define assert(x)\n#define SHOW(x) assert(x##_it)"));
}

TEST(NamedElse, BesideMacros) {
  const auto Either = [](const std::string &A, const std::string &B) {
    return "#ifdef X\n#define " + A + "\n#else\n#define " + B + "\n#endif";
  };
  EXPECT_FALSE(isUsed("v = n;"));
  EXPECT_TRUE(isUsed("LOG(v);", Either("LOG(x) use(x)", "LOG(x) x = 0")));
  EXPECT_TRUE(isUsed("LOG(v);", Either("LOG(x) use(x)", "LOG(x) sizeof(x)")));
  EXPECT_TRUE(isUsed("v RESET;", Either("RESET", "RESET = 0")));
  EXPECT_FALSE(isUsed("use(n RESET); v = 0;", Either("RESET", "RESET + 0")));
  EXPECT_TRUE(isUsed("FINISH; use(v);", Either("FINISH", "FINISH return")));
  EXPECT_FALSE(isUsed("use(v); FINISH;", Either("FINISH", "FINISH return")));
  // What is left out puts the name together.
  EXPECT_TRUE(
      isUsed("#ifdef X\nuse(CAT(v, ));\n#endif", "#define CAT(a, b) a##b"));
  EXPECT_FALSE(
      isUsed("int xy = 1; use(CAT(x, y)); v = 0;", "#define CAT(a, b) a##b"));
}

TEST(NamedElse, WhatStandsBeforeOperands) {
  const auto Else = [](const std::string &Body) {
    return isChanged("#ifdef X\n" + Body + "\n#endif");
  };
  EXPECT_FALSE(Else("if (v < 1) return;"));
  EXPECT_FALSE(Else("use(n - v + 1);"));
  EXPECT_TRUE(Else("if (--v < 1) return;"));
  EXPECT_TRUE(Else("int *p = &v + 1;"));
  EXPECT_TRUE(Else("in >> v < 3;"));
}

TEST(NamedElse, OperatorsThatChangeWhatTheyAreGiven) {
  const auto Else = [](const std::string &Before) {
    return isSaid(mayBeChangedElse, "#ifdef X\nif (v % 2) return;\n#endif",
                  Before);
  };
  EXPECT_FALSE(Else("struct S { S operator%(int) const; S &operator+=(S &); "
                    "void operator()(const int &); };"));
  EXPECT_TRUE(Else("struct S { S operator%(int &); };"));
  EXPECT_TRUE(Else("struct S { void operator()(int, int &x); };"));
  EXPECT_TRUE(Else("#ifdef X\nstruct S {}; S operator%(int &&, S);\n#endif"));
  EXPECT_TRUE(Else("struct S {}; template <typename T> S operator%(T &, S);"));
}

TEST(NamedElse, OtherSpellings) {
  EXPECT_TRUE(isUsed("#ifdef X\nuse(gr\\u00f6);\n#endif"));
}

TEST(NamedElse, Words) {
  EXPECT_FALSE(isTried("++n;"));
  EXPECT_FALSE(isTried("try { ++n; } catch (...) {}"));
  EXPECT_TRUE(isTried("#ifdef X\ntry {\n#endif\n++n;\n#ifdef X\n} catch "
                      "(...) {}\n#endif"));
  EXPECT_TRUE(isTried("GUARD", "#ifdef X\n#define GUARD try {\n#else\n"
                               "#define GUARD\n#endif"));
}

} // namespace
