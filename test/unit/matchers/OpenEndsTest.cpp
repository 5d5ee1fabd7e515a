// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which places follow code of another build that goes on with what stands
// there.

#include "matchers/source/OpenEnds.h"
#include "HostSnippet.h"
#include "matchers/source/SourceConditions.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace barricade;

namespace {

/// Something that is put where `HERE` stands in \p Text follows such code.
bool isOpen(const std::string &Text) {
  const auto Unit = clang::tooling::buildASTFromCodeWithArgs(
      Text, {"-std=c++17", "-Wno-everything"}, "a.cpp");
  const clang::SourceManager &SM = Unit->getSourceManager();
  const SourceConditions Source(Unit->getASTContext());
  const size_t Here = Text.find("HERE");
  EXPECT_NE(Here, std::string::npos) << Text;
  return llvm::any_of(openEndsIn(SM.getMainFileID(), Source, SM),
                      [&](const auto &Range) {
                        return Range.first <= Here && Here <= Range.second;
                      });
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

} // namespace
