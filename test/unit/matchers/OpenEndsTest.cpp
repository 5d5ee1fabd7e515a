// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which places follow code of another build that goes on with what stands
// there.

#include "matchers/source/OpenEnds.h"
#include "matchers/source/LeftOutFiles.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace barricade;

namespace {

/// Something that is put where `HERE` stands in \p Text follows such code.
bool isOpen(const std::string &Text,
            const clang::tooling::FileContentMappings &Headers = {}) {
  const auto Unit = clang::tooling::buildASTFromCodeWithArgs(
      Text, {"-std=c++17", "-Wno-everything"}, "a.cpp", "test",
      std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), Headers);
  addLeftOutFiles(Unit->getASTContext(), Unit->getPreprocessor());
  const clang::SourceManager &SM = Unit->getSourceManager();
  const size_t Here = Text.find("HERE");
  EXPECT_NE(Here, std::string::npos) << Text;
  return llvm::any_of(openEndsIn(SM.getMainFileID(), Unit->getASTContext()),
                      [&](const OpenEnd &End) { return End.contains(Here); });
}

TEST(OpenEnds, WhatAnotherBuildGoesOnWith) {
  EXPECT_TRUE(isOpen("int f(int n) {\n#ifdef A\nif (n)\n#endif\nHERE(); }"));
  EXPECT_TRUE(isOpen("int f(int n) {\n#ifdef A\nif (n) n = 1; else\n#endif\n"
                     "HERE(); }"));
  EXPECT_TRUE(
      isOpen("int f(int n) {\n#ifdef A\n#else\nreturn\n#endif\nHERE; }"));
  EXPECT_TRUE(isOpen("#ifdef A\nstatic\n#endif\nHERE x;"));
  EXPECT_TRUE(isOpen("void f() {\n#ifdef A\nagain:\n#endif\nHERE(); }"));
  EXPECT_TRUE(isOpen("void f() {\n#ifdef A\n#pragma omp parallel for\n#endif\n"
                     "HERE(); }"));
}

TEST(OpenEnds, NotWhatEndsByItself) {
  EXPECT_FALSE(isOpen("void f() {\n#ifdef A\ng();\n#endif\nHERE(); }"));
  EXPECT_FALSE(isOpen("void f() {\n#ifdef A\nif (1) {\n#endif\nHERE(); }"));
  EXPECT_FALSE(isOpen("void f() {\n#ifdef A\nif (1)\n#endif\ng(); HERE(); }"));
  EXPECT_FALSE(
      isOpen("void f() {\n#ifdef A\n#define X(y) y +\n#endif\nHERE(); }"));
  EXPECT_FALSE(isOpen("void f() {\n#pragma omp parallel for\nHERE(); }"));
  EXPECT_FALSE(isOpen("int f(int n) { if (n)\n#ifdef A\n;\n#endif\nHERE(); }"));
}

// Of several branches each may be the one; of none, what stands before.
TEST(OpenEnds, NestedAndNone) {
  EXPECT_TRUE(isOpen("void f() {\n#ifdef A\ng();\n#elif defined(B)\nif (1)\n"
                     "#endif\nHERE(); }"));
  EXPECT_TRUE(isOpen("void f() {\n#ifdef A\nif (1)\n#ifdef B\n{ }\n#endif\n"
                     "#endif\nHERE(); }"));
  EXPECT_TRUE(isOpen("void f() {\n#ifdef A\nif (1)\n#endif\n#ifdef B\n#endif\n"
                     "HERE(); }"));
  EXPECT_TRUE(isOpen("void f() {\n#ifdef A\nif (1)\n#endif\n#ifdef B\nHERE();\n"
                     "#endif\n}"));
  EXPECT_FALSE(
      isOpen("void f() {\n#ifdef A\nif (1)\n#ifdef B\n{ }\n#else\ng();\n"
             "#endif\n#endif\nHERE(); }"));
}

const std::string Trace = "#ifdef A\n#define TRACE(x) if (verbose)\n#else\n"
                          "#define TRACE(x) puts(x);\n#endif\n";

TEST(OpenEnds, MacrosThatAnotherBuildHasOtherwise) {
  EXPECT_TRUE(isOpen(Trace + "void f() { TRACE(\"f\") HERE(); }"));
  EXPECT_TRUE(isOpen(Trace + "void f() { if (1) TRACE(\"f\") HERE(); }"));
  EXPECT_TRUE(isOpen(Trace + "#define LOG(x) TRACE(x)\n"
                             "void f() { LOG(\"f\") HERE(); }"));
  EXPECT_TRUE(isOpen("#ifndef CHECK\n#define CHECK\n#endif\n"
                     "void f() { CHECK HERE(); }"));
  EXPECT_TRUE(
      isOpen("#define CHECK\n#ifdef A\n#undef CHECK\n"
             "#define CHECK if (1)\n#endif\nvoid f() { CHECK HERE(); }"));
  EXPECT_TRUE(isOpen(Trace + "void f() { TRACE(\"f\")\n#ifdef B\ng();\n"
                             "#endif\nHERE(); }"));
  EXPECT_TRUE(isOpen("#ifdef A\n#define API static\n#else\n#define API\n"
                     "#endif\nAPI HERE f();"));
}

TEST(OpenEnds, MacrosThatAreTheSameOrEnd) {
  EXPECT_FALSE(isOpen("#define TRACE(x) puts(x);\n"
                      "void f() { TRACE(\"f\") HERE(); }"));
  EXPECT_FALSE(isOpen("#define NOTHING\nvoid f() { NOTHING HERE(); }"));
  EXPECT_FALSE(isOpen(Trace + "void f() { TRACE(\"f\"); HERE(); }"));
  EXPECT_FALSE(isOpen(Trace + "void f() { TRACE(HERE) }"));
  EXPECT_FALSE(isOpen(Trace + "void f() { TRACE((1), HERE(2)) }"));
  // They are no more than a part of it.
  EXPECT_FALSE(isOpen("#ifndef N\n#define N 4\n#endif\n"
                      "void f(int n) { g(n, N HERE); }"));
  // All of the file is under the same condition.
  EXPECT_FALSE(isOpen("#ifndef B\n" + Trace + "#endif\nvoid f() { HERE(); }"));
  EXPECT_FALSE(isOpen("#ifndef B\n#define CHECK(x) x;\n"
                      "void f() { CHECK(1) HERE(); }\n#endif"));
}

TEST(OpenEnds, FilesThatAnotherBuildIncludes) {
  const auto IsOpen = [](const std::string &Header, const std::string &Rest) {
    return isOpen("void f(int n) {\n" + Rest, {{"a.inc", Header}});
  };
  const std::string Included =
      "#ifdef A\n#include \"a.inc\"\n#endif\nHERE(); }";
  EXPECT_TRUE(IsOpen("if (n)\n", Included));
  EXPECT_TRUE(IsOpen("#ifndef G\n#define G\nif (n)\n#endif\n", Included));
  EXPECT_TRUE(IsOpen("g();\n#ifdef A\nif (n)\n#endif\n",
                     "#include \"./a.inc\"\nHERE(); }"));
  EXPECT_TRUE(IsOpen("if (n)\n#include \"a.inc\"\n", Included));
  EXPECT_FALSE(IsOpen("if (n) g();\n", Included));
  EXPECT_FALSE(IsOpen("#define N if (n)\n", Included));
  EXPECT_FALSE(IsOpen("if (n)\n", "#include \"a.inc\"\nHERE(); }"));
  EXPECT_FALSE(IsOpen("", "#ifdef A\nif (n)\n#include \"a.inc\"\n{}\n#endif\n"
                          "HERE(); }"));
  // Code that goes on with the file's ends there.
  EXPECT_FALSE(IsOpen("g();\n", "#ifdef A\nif (n)\n#endif\n"
                                "#include \"a.inc\"\nHERE(); }"));
}

TEST(OpenEnds, ClassesOfAnotherBuild) {
  const auto IsOpen = [](const std::string &Begin, const std::string &End) {
    return isOpen("#ifdef A\n" + Begin +
                  "\n#endif\nint g();\nHERE void f() {}\n" + "#ifdef A\n" +
                  End + "\n#endif\n");
  };
  EXPECT_TRUE(IsOpen("struct S {", "};"));
  EXPECT_TRUE(IsOpen("template <class T> class S : B<T> {", "};"));
  EXPECT_TRUE(IsOpen("#else\nstruct S {", "#else\n};"));
  EXPECT_TRUE(isOpen("#ifdef A\nstruct S {\n#else\nnamespace s {\n#endif\n"
                     "void f() {} HERE\n}"));
  EXPECT_FALSE(IsOpen("namespace n {", "}"));
  EXPECT_FALSE(IsOpen("extern \"C\" {", "}"));
  EXPECT_FALSE(IsOpen("struct S { int x; };", ""));
  EXPECT_FALSE(IsOpen("template <class T> void h() {}", ""));
  // It is one in all builds that have it, or ends before.
  EXPECT_FALSE(isOpen("struct S {\nvoid f();\nHERE int x;\n};"));
  EXPECT_FALSE(isOpen("#ifdef A\n#else\nstruct S {\nHERE int x;\n};\n#endif"));
  EXPECT_FALSE(isOpen("#ifdef A\nstruct S {\n#endif\nint g();\n#ifdef A\n};\n"
                      "#endif\nHERE void f();"));
  // What stands in its functions is no member.
  EXPECT_FALSE(isOpen("#ifdef A\nstruct S {\n#endif\nvoid f() { HERE(); }\n"
                      "#ifdef A\n};\n#endif"));
}

} // namespace
