// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/LeftOutFiles.h"
#include "SourceSnippet.h"
#include "matchers/source/WrittenMacros.h"
#include "llvm/Support/Path.h"

using namespace barricade;

namespace {

/// A source, and headers in the folders /user and /library.
struct Source : test::SourceSnippet {
  explicit Source(const std::string &Code,
                  const clang::tooling::FileContentMappings &Headers = {})
      : SourceSnippet(Code, "/user/main.cpp",
                      {"-std=c++17", "-Wno-everything", "-I/user",
                       "-isystem/library", "-DHERE"},
                      Headers) {
    addLeftOutFiles(Unit->getASTContext(), Unit->getPreprocessor());
  }

  /// Those that this build does not include, as they come.
  std::string leftOut() const {
    std::string Names;
    Conditions.forEachUserFile([&](clang::FileID File) {
      const auto Entry = SM().getFileEntryRefForID(File);
      if (Entry && !Conditions.isIncluded(*Entry))
        Names += llvm::sys::path::stem(Entry->getName()).str() + " ";
    });
    return Names;
  }
};

std::string leftOutOf(const std::string &Code,
                      const clang::tooling::FileContentMappings &Headers) {
  return Source(Code, Headers).leftOut();
}

TEST(LeftOutFiles, AreThoseOfOtherBranches) {
  const clang::tooling::FileContentMappings Two = {{"/user/a.h", "int a;\n"},
                                                   {"/user/b.h", "int b;\n"}};
  EXPECT_EQ(leftOutOf("#include \"a.h\"\n", Two), "");
  EXPECT_EQ(leftOutOf("#ifdef HERE\n#include \"a.h\"\n#endif\n", Two), "");
  EXPECT_EQ(leftOutOf("#ifdef X\n#include \"a.h\"\n#endif\n", Two), "a ");
  EXPECT_EQ(leftOutOf("#ifdef X\n#include <a.h>\n#endif\n", Two), "a ");
  EXPECT_EQ(leftOutOf("#ifdef X\n#inc\\\nlude <a.h>\n#endif\n", Two), "a ");
  EXPECT_EQ(leftOutOf("#ifdef X\n#include \"a.h\"\n#else\n"
                      "#include \"b.h\"\n#endif\n",
                      Two),
            "a ");
  EXPECT_EQ(leftOutOf("#if __has_include(\"c.h\")\n#include \"a.h\"\n"
                      "#include \"b.h\"\n#endif\n",
                      Two),
            "a b ");
  // It is included elsewhere.
  EXPECT_EQ(
      leftOutOf("#ifdef X\n#include \"a.h\"\n#endif\n#include \"a.h\"\n", Two),
      "");
  EXPECT_EQ(leftOutOf("#ifdef X\n#include \"c.h\"\n#include X\n#endif\n", Two),
            "");
  EXPECT_EQ(leftOutOf("// #include \"a.h\"\n#define X #include \"a.h\"\n", Two),
            "");
  // No build of CUDA's does.
  EXPECT_EQ(leftOutOf("#ifndef __cplusplus\n#include \"a.h\"\n#endif\n", Two),
            "");
}

TEST(LeftOutFiles, AreThoseThatTheyInclude) {
  EXPECT_EQ(leftOutOf("#ifdef X\n#include \"sub/a.h\"\n#endif\n",
                      {{"/user/sub/a.h", "#include \"b.h\"\n#include \"a.h\"\n"
                                         "#include \"c.h\"\n"},
                       {"/user/sub/b.h", "#include \"a.h\"\n"},
                       {"/user/c.h", ""},
                       {"/user/b.h", ""}}),
            "a b c ");
}

TEST(LeftOutFiles, AreNoLibrarys) {
  EXPECT_EQ(leftOutOf("#ifdef X\n#include <l.h>\n#include <p.h>\n"
                      "#include <a.h>\n#endif\n",
                      {{"/library/l.h", "#include <m.h>\n"},
                       {"/library/m.h", ""},
                       {"/user/p.h", "#pragma GCC system_header\n"},
                       {"/user/a.h", "// A #pragma: system_header\n"}}),
            "a ");
  EXPECT_EQ(
      leftOutOf("#ifdef X\n#include <cublas.h>\n#endif\n",
                {{"/user/cublas.h", ""}, {"/user/cuda_runtime_api.h", ""}}),
      "");
}

TEST(LeftOutFiles, StandUnderAConditionAsAWhole) {
  const Source S("#ifdef X\n#include \"a.h\"\n#endif\n#define NEAR 2\n"
                 "int near;\n#ifdef Y\n#include \"b.h\"\n#endif\n",
                 {{"/user/a.h", "int far; int two;\n#define FAR 1\n"},
                  {"/user/b.h", "#ifndef B_H\n#define B_H\n#undef NEAR\n"
                                "#endif\n"}});
  const clang::SourceLocation Far = S.at("int far"), Near = S.at("near");
  EXPECT_FALSE(S.Conditions.conditionsAround(Far).empty());
  EXPECT_TRUE(S.Conditions.hasOtherCondition(Far, Near));
  EXPECT_FALSE(S.Conditions.hasOtherCondition(S.at("two"), Far));
  EXPECT_TRUE(S.Conditions.isInOtherBranch(Far, Near));
  EXPECT_TRUE(S.Conditions.standsInBranch(Far));
  EXPECT_TRUE(S.Conditions.holdsUnderCondition(S.SM().getFileID(Far), "two"));
  EXPECT_FALSE(S.Conditions.hasOtherCondition(Near, Far));
  // They have their places where they are included.
  EXPECT_TRUE(S.SM().isBeforeInTranslationUnit(Far, Near));
  EXPECT_TRUE(S.SM().isBeforeInTranslationUnit(Near, S.at("#undef")));
  EXPECT_TRUE(mayBeMacro("FAR", S.Unit->getASTContext()));
  EXPECT_TRUE(mayUndefine("NEAR", S.Unit->getASTContext()));
}

TEST(LeftOutFiles, MayBeIncludedBehindTheSameGuard) {
  const std::string Begin = "#ifndef G\n#define G\n", End = "#endif\n";
  const Source S("#include \"a.h\"\n#include \"b.h\"\nint user;\n",
                 {{"/user/a.h", Begin + "int a;\n" + End},
                  {"/user/b.h", Begin + "int b;\n" + End}});
  EXPECT_EQ(S.leftOut(), "");
  EXPECT_TRUE(S.Conditions.hasOtherCondition(S.at("int b"), S.at("user")));
  // In another build it may be this one.
  EXPECT_TRUE(S.Conditions.isInOtherBranch(S.at("int a"), S.at("user")));
  const Source Alone("#include \"a.h\"\n#include \"a.h\"\nint user;\n",
                     {{"/user/a.h", Begin + "int a;\n" + End}});
  EXPECT_FALSE(
      Alone.Conditions.hasOtherCondition(Alone.at("int a"), Alone.at("user")));
}

TEST(LeftOutFiles, AreAskedForWhatIsMissing) {
  const Source S("#ifdef HERE\n#include \"a.h\"\nint same;\n#endif\n"
                 "#include \"b.h\"\nint user;\n",
                 {{"/user/a.h", "int a;\n"}, {"/user/b.h", "int b;\n"}});
  EXPECT_TRUE(S.Conditions.mayBeMissing(S.at("int a"), S.at("user")));
  EXPECT_FALSE(S.Conditions.mayBeMissing(S.at("int a"), S.at("same")));
  EXPECT_FALSE(S.Conditions.mayBeMissing(S.at("int b"), S.at("user")));
  EXPECT_FALSE(S.Conditions.mayBeMissing(S.at("user"), S.at("int a")));
}

} // namespace
