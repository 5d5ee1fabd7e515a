// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files say of macros in all builds.

#include "matchers/source/WrittenMacros.h"
#include "SourceSnippet.h"

using namespace barricade;

namespace {

struct Source : test::SourceSnippet {
  explicit Source(const std::string &Code)
      : SourceSnippet(Code + "int here;\n", "/user/main.cpp",
                      {"-std=c++17", "-Wno-everything", "-DGIVEN="}) {}

  const clang::ASTContext &context() const { return Unit->getASTContext(); }
  bool mayBeOther(llvm::StringRef Name) const {
    return mayBeOtherMacro(Name, at("int here"), context());
  }
};

TEST(WrittenMacros, MayBeOthers) {
  const Source S("#define ONCE 1\n#define MADE OTHER\n#define LOOP LOOP ONCE\n"
                 "#ifdef A\n#define OTHER 1\n#else\n#define OTHER 2\n#endif\n"
                 "#ifndef DEFAULT\n#define DEFAULT 1\n#endif\n"
                 "#define UNDONE\n#ifdef A\n#undef UNDONE\n#endif\n"
                 "#define AGAIN 1\n#undef AGAIN\n#define AGAIN 2\n");
  EXPECT_TRUE(S.mayBeOther("MADE"));
  EXPECT_TRUE(S.mayBeOther("OTHER"));
  EXPECT_TRUE(S.mayBeOther("DEFAULT"));
  EXPECT_TRUE(S.mayBeOther("UNDONE"));
  EXPECT_TRUE(S.mayBeOther("GIVEN"));
  EXPECT_FALSE(S.mayBeOther("ONCE"));
  EXPECT_FALSE(S.mayBeOther("LOOP"));
  EXPECT_FALSE(S.mayBeOther("AGAIN"));
  EXPECT_FALSE(S.mayBeOther("NONE"));
}

TEST(WrittenMacros, AreTheSameUnderOneCondition) {
  const Source S("#ifndef A\n#define X 1\nint there;\n#endif\n");
  EXPECT_FALSE(mayBeOtherMacro("X", S.at("int there"), S.context()));
  EXPECT_TRUE(S.mayBeOther("X"));
}

TEST(WrittenMacros, BelongToDeclarations) {
  const Source S(
      "#ifdef A\n#define API static\n#define BEGIN namespace n {\n"
      "#else\n#define API\n#define BEGIN\n#endif\n#define ALL BEGIN\n"
      "#define NOTE(x) [[deprecated(x)]]\n#define EMPTY\n");
  EXPECT_TRUE(isOfNextDeclaration("API", S.context()));
  EXPECT_TRUE(isOfNextDeclaration("NOTE", S.context()));
  EXPECT_TRUE(isOfNextDeclaration("EMPTY", S.context()));
  EXPECT_FALSE(isOfNextDeclaration("BEGIN", S.context()));
  EXPECT_FALSE(isOfNextDeclaration("ALL", S.context()));
  EXPECT_FALSE(isOfNextDeclaration("NONE", S.context()));
}

TEST(WrittenMacros, HoldWords) {
  const Source S("#ifdef A\n#define CHECK(x) if (x) goto out\n#else\n"
                 "#define CHECK(x)\n#endif\n#define ALL(x) CHECK(x)\n");
  EXPECT_TRUE(mayHoldWord("CHECK", "goto", S.context()));
  EXPECT_TRUE(mayHoldWord("ALL", "goto", S.context()));
  EXPECT_FALSE(mayHoldWord("ALL", "case", S.context()));
  EXPECT_FALSE(mayHoldWord("goto", "goto", S.context()));
}

} // namespace
