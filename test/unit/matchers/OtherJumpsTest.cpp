// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions of another build may jump past a loop's place.

#include "matchers/source/OtherJumps.h"
#include "SourceSnippet.h"
#include "matchers/source/LeftOutFiles.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

using namespace barricade;

namespace {

const std::string Loop = "for (int i = 0; i < n; ++i) g(i);\n";

/// \p Macros stand before a function, of which \p Begin comes before the loop,
/// and \p End behind it. It may include \p Header, "a.inc".
bool mayJump(const std::string &Macros, const std::string &Begin,
             const std::string &End, const std::string &Header = "") {
  const test::SourceSnippet S("void g(int);\n" + Macros + "void f(int n) {\n" +
                                  Begin + Loop + End + "}\n",
                              "/user/main.cpp",
                              {"-std=c++17", "-Wno-everything"},
                              {{"/user/a.inc", Header}});
  clang::ASTContext &Context = S.Unit->getASTContext();
  addLeftOutFiles(Context, S.Unit->getPreprocessor());
  const clang::FunctionDecl *Function = nullptr;
  for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls())
    if (const clang::FunctionDecl *Each = D->getAsFunction();
        Each && Each->hasBody())
      Function = Each;
  const clang::Stmt *First = nullptr;
  (void)codeHolds(*Function, [&](const clang::Stmt &Part) {
    First = First || !isLoop(Part) ? First : &Part;
    return First != nullptr;
  });
  return mayJumpPast(*First, *Function, Context);
}

std::string inA(const std::string &Text) {
  return "#ifdef A\n" + Text + "\n#endif\n";
}

TEST(OtherJumps, Gotos) {
  EXPECT_TRUE(mayJump("", inA("if (n) goto out;"), inA("out:;")));
  EXPECT_FALSE(mayJump("", "", ""));
  EXPECT_FALSE(mayJump("", "if (n < 0) goto out;\n", "out:;\n"));
  EXPECT_FALSE(mayJump("", inA("g(1);"), inA("// goto")));
}

TEST(OtherJumps, GotosOfMacros) {
  const std::string Other = "#ifdef A\n#define CHECK(x) if (!(x)) goto out\n"
                            "#else\n#define CHECK(x) g(x)\n#endif\n";
  EXPECT_TRUE(mayJump(Other, "CHECK(n);\n", inA("out:;")));
  EXPECT_TRUE(
      mayJump(Other + "#define ALL(x) CHECK(x)\n", "ALL(n);\n", inA("out:;")));
  // The tree shows those of this build.
  EXPECT_FALSE(mayJump("#define CHECK(x) if (!(x)) goto out\n", "CHECK(n);\n",
                       "out:;\n"));
  EXPECT_TRUE(mayJump("#define CHECK(x) if (!(x)) goto out\n", inA("CHECK(n);"),
                      inA("out:;")));
  EXPECT_FALSE(mayJump(Other, "g(n);\n", ""));
}

TEST(OtherJumps, GotosOfFiles) {
  const std::string Include = "#include \"a.inc\"\n";
  EXPECT_TRUE(mayJump("", inA(Include), inA("out:;"), "if (n) goto out;\n"));
  EXPECT_TRUE(mayJump("", Include, inA("out:;"), inA("if (n) goto out;")));
  EXPECT_FALSE(mayJump("", Include, "out:;\n", "if (n) goto out;\n"));
  EXPECT_FALSE(mayJump("", inA(Include), "", "g(n);\n"));
  EXPECT_FALSE(mayJump("", inA(Include), "", Include));
}

TEST(OtherJumps, Cases) {
  const std::string Begin = inA("switch (n) {\ncase 0:\ng(0);");
  EXPECT_TRUE(mayJump("", Begin, inA("break;\ndefault:\ng(1); }")));
  EXPECT_TRUE(mayJump("", Begin, inA("break;\ncase 1:\ng(1); }")));
  EXPECT_TRUE(mayJump("", "switch (n) {\ncase 0:\ng(0);\n",
                      inA("break;\ncase 1:\ng(1);") + "}\n"));
  // All of it is before the loop, or behind.
  const std::string Whole =
      inA("switch (n) {\ncase 0: { g(0); }\ndefault: g(1); }");
  EXPECT_FALSE(mayJump("", Whole, ""));
  EXPECT_FALSE(mayJump("", "", Whole));
  EXPECT_FALSE(mayJump("", Begin, inA("}")));
}

} // namespace
