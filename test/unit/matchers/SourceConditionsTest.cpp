// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under which conditions places of the source are compiled.

#include "matchers/source/SourceConditions.h"
#include "SourceSnippet.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"

using namespace barricade;

namespace {

/// A source in which `A` and `B` are the places asked about.
struct Asked : test::SourceSnippet {
  explicit Asked(const std::string &Code,
                 const clang::tooling::FileContentMappings &Headers = {})
      : SourceSnippet(Code, "a.cpp",
                      {"-std=c++17", "-Wno-everything", "-Dlong_one=1"},
                      Headers) {}
};

const std::string A = "int A;\n", B = "int B;\n";

bool sameBetween(const std::string &Text) {
  const Asked Q(Text);
  return Q.Conditions.haveSameConditions(Q.at("A;"), Q.at("B;"));
}

TEST(SourceConditions, ComparesPlaces) {
  EXPECT_TRUE(sameBetween(A + B));
  EXPECT_TRUE(sameBetween(A + "#if 1\nint x;\n#endif\n" + B));
  EXPECT_TRUE(sameBetween(A + "#ifdef X\n#elif Y\n#else\n#endif\n" + B));
  EXPECT_TRUE(sameBetween(A + "#if 1\n#if 1\n#else\n#endif\n#endif\n" + B));
  EXPECT_TRUE(sameBetween("#if 1\n" + A + B + "#endif\n"));
  EXPECT_TRUE(sameBetween(A + "#pragma once\n#define X #if\n" + B));
  EXPECT_FALSE(sameBetween(A + "#if 1\n" + B + "#endif\n"));
  EXPECT_FALSE(sameBetween("#if 1\n" + A + "#endif\n" + B));
  EXPECT_FALSE(sameBetween("#if 1\n" + A + "#else\n" + B + "#endif\n"));
  EXPECT_FALSE(sameBetween("#if 1\n" + A + "#elif 1\n" + B + "#endif\n"));
  // One ends, another begins.
  EXPECT_FALSE(sameBetween("#if 1\n" + A + "#endif\n#if 1\n" + B + "#endif\n"));
  EXPECT_FALSE(sameBetween(A + "#if 1\n#endif\n#ifndef X\n" + B + "#endif\n"));
}

TEST(SourceConditions, ReadsDirectivesAsTheCompilerDoes) {
  EXPECT_FALSE(sameBetween(A + "  #  if 1\n" + B + "#endif\n"));
  EXPECT_FALSE(sameBetween(A + "#\\\nif 1\n" + B + "#endif\n"));
  EXPECT_FALSE(sameBetween(A + "/**/ # /**/ if 1\n" + B + "#endif\n"));
  EXPECT_FALSE(sameBetween(A + "%:if 1\n" + B + "%:endif\n"));
  EXPECT_TRUE(sameBetween(A + "// #if 1\n" + B));
  EXPECT_TRUE(sameBetween(A + "/*\n#if 1\n*/\n" + B));
  EXPECT_TRUE(sameBetween(A + "const char *x = R\"(\n#if 1\n)\";\n" + B));
  EXPECT_TRUE(sameBetween(A + "#define X \\\n 1 \\\n 2\n" + B));
}

/// `begins-branches` of each condition around `A`, `e` for an else.
std::string around(const std::string &Text) {
  const Asked Q(Text);
  std::string Result;
  for (const auto &C : Q.Conditions.conditionsAround(Q.at("A;")))
    Result += (Result.empty() ? "" : " ") + std::to_string(C.Begin) + "-" +
              std::to_string(C.Branches) + (C.HasElse ? "e" : "");
  return Result;
}

TEST(SourceConditions, FindsConditionsAround) {
  EXPECT_EQ(around(A), "");
  EXPECT_EQ(around("#if 1\n" + A + "#endif\n"), "0-1");
  EXPECT_EQ(around("#if 1\n" + A + "#else\n#endif\n"), "0-2e");
  EXPECT_EQ(around("#if 0\n#elif 1\n" + A + "#elif 1\n#endif\n"), "0-3");
  EXPECT_EQ(around("#if 0\n#elif 1\n" + A + "#else\n#endif\n"), "0-3e");
  EXPECT_EQ(around("#if 1\n#if 1\n" + A + "#else\n#endif\n#endif\n"),
            "0-1 6-2e");
  EXPECT_EQ(around("#if 1\n#endif\n" + A + "#if 1\n#endif\n"), "");
  EXPECT_EQ(around("#if 0\n#if 1\n#else\n#endif\n#else\n" + A + "#endif\n"),
            "0-2e");
}

TEST(SourceConditions, LeavesGuardsOut) {
  const std::string Guard = "#ifndef G\n#define G\n";
  EXPECT_EQ(around(Guard + A + "#endif\n"), "");
  EXPECT_EQ(around("// Of all.\n" + Guard + A + "#endif // G\n/* End. */\n"),
            "");
  EXPECT_EQ(around("#pragma once\n" + Guard + A + "#endif"), "");
  EXPECT_EQ(around(Guard + "#if 1\n" + A + "#endif\n#endif\n"), "20-1");
  // These look like one.
  EXPECT_EQ(around(Guard + A + "#endif\nint x;\n"), "0-1");
  EXPECT_EQ(around(Guard + A + "#else\n#endif\n"), "0-2e");
  EXPECT_EQ(around("#ifndef G\n#define H\n" + A + "#endif\n"), "0-1");
  EXPECT_EQ(around("#ifdef long_one\n#define G\n" + A + "#endif\n"), "0-1");
  EXPECT_EQ(around("#define X\n" + Guard + A + "#endif\n"), "10-1");
  EXPECT_EQ(around(Guard + "#endif\n#ifndef K\n#define K\n" + A + "#endif\n"),
            "27-1");
}

/// `A` is under a condition that `B`'s place is not under.
bool other(const std::string &Text) {
  const Asked Q(Text);
  return Q.Conditions.hasOtherCondition(Q.at("A;"), Q.at("B;"));
}
bool inOtherBranch(const std::string &Text, bool IsMacro = false) {
  const Asked Q(Text);
  return Q.Conditions.isInOtherBranch(Q.at("A;"), Q.at("B;"), IsMacro);
}

TEST(SourceConditions, TellsTheUsersConditions) {
  EXPECT_FALSE(other(A + B));
  EXPECT_FALSE(other(A + "#if 1\n" + B + "#endif\n"));
  EXPECT_FALSE(other("#if 1\n" + A + B + "#endif\n"));
  EXPECT_FALSE(other("#if 1\n" + A + B + "#else\n#endif\n"));
  EXPECT_FALSE(other("#if 1\n" + B + A + "#else\n#endif\n"));
  EXPECT_FALSE(other("#if 1\n" + A + "#if 1\n" + B + "#endif\n#endif\n"));
  EXPECT_TRUE(other("#if 1\n" + A + "#endif\n" + B));
  EXPECT_TRUE(other(B + "#if 1\n" + A + "#endif\n"));
  EXPECT_TRUE(other("#if 0\n" + A + "#else\n" + B + "#endif\n"));
  EXPECT_TRUE(other("#if 1\n" + B + "#else\n" + A + "#endif\n"));
  EXPECT_TRUE(other("#if 1\n#if 1\n" + A + "#endif\n" + B + "#endif\n"));
}

TEST(SourceConditions, TellsOtherBranches) {
  EXPECT_FALSE(inOtherBranch(A + B));
  // Without it, nothing of the name is there.
  EXPECT_FALSE(inOtherBranch("#if 1\n" + A + "#endif\n" + B));
  EXPECT_TRUE(inOtherBranch("#if 1\n" + A + "#else\n#endif\n" + B));
  EXPECT_TRUE(inOtherBranch("#if 1\n" + A + "#elif 1\n#endif\n" + B));
  EXPECT_TRUE(
      inOtherBranch("#if 1\n#if 1\n" + A + "#endif\n#else\n#endif\n" + B));
  EXPECT_FALSE(inOtherBranch("#if 1\n" + A + B + "#else\n#endif\n"));
  EXPECT_TRUE(inOtherBranch("#if 0\n" + B + "#else\n" + A + "#endif\n"));
  // A command line may have said it before.
  EXPECT_TRUE(inOtherBranch("#ifndef M\n#define M A;\n#endif\n" + B, true));
  EXPECT_FALSE(inOtherBranch("#ifndef M\n#define M A;\n#endif\n" + B, false));
  EXPECT_FALSE(inOtherBranch("#define M A;\n" + B, true));
}

TEST(SourceConditions, LooksWhereFilesAreIncluded) {
  const auto Differs = [](const std::string &Main, const std::string &Header) {
    const Asked Q(Main, {{"/a.h", Header}});
    return Q.Conditions.isInOtherBranch(Q.at("A;"), Q.at("B;"));
  };
  const std::string Include = "#include \"/a.h\"\n";
  EXPECT_FALSE(Differs(Include + B, A));
  EXPECT_FALSE(Differs("#if 1\n" + Include + "#endif\n" + B, A));
  EXPECT_TRUE(Differs("#if 1\n" + Include + "#else\n#endif\n" + B, A));
  EXPECT_FALSE(Differs("#if 1\n" + Include + B + "#else\n#endif\n", A));
  EXPECT_TRUE(Differs(Include + B, "#if 1\n" + A + "#else\n#endif\n"));
  EXPECT_FALSE(Differs(Include + B, "#ifndef G\n#define G\n" + A + "#endif\n"));
  // The user in the header, what he uses before its inclusion.
  EXPECT_TRUE(Differs("#if 1\n" + A + "#else\n#endif\n" + Include, B));
  EXPECT_FALSE(Differs("#if 1\n" + A + Include + "#else\n#endif\n", B));
}

TEST(SourceConditions, TakesCommandLinesForBranches) {
  const Asked Q(A);
  EXPECT_FALSE(Q.Conditions.standsInBranch(Q.at("A;")));
  EXPECT_TRUE(Q.Conditions.standsInBranch(Q.at("long_one")));
  const Asked Else("#if 1\n" + A + "#else\n#endif\n");
  EXPECT_TRUE(Else.Conditions.standsInBranch(Else.at("A;")));
  const Asked Alone("#if 1\n" + A + "#endif\n");
  EXPECT_FALSE(Alone.Conditions.standsInBranch(Alone.at("A;")));
}

TEST(SourceConditions, AsksForDirectives) {
  const auto Of = [](const std::string &Between) {
    const Asked Q(A + Between + B);
    const auto Begin = Q.at("A;"), End = Q.at("B;");
    EXPECT_TRUE(Q.Conditions.holdsDirective(Begin, End) ||
                !Q.Conditions.holdsCondition(Begin, End));
    std::string Names = Q.Conditions.holdsCondition(Begin, End)   ? "condition:"
                        : Q.Conditions.holdsDirective(Begin, End) ? "pragma:"
                                                                  : "";
    Q.Conditions.forEachDirective(
        Begin, End, [&](clang::SourceLocation, llvm::StringRef Name) {
          Names += " " + Name.str();
        });
    return Names;
  };
  EXPECT_EQ(Of(""), "");
  EXPECT_EQ(Of("// #if 1\n"), "");
  EXPECT_EQ(Of("#pragma once\n"), "pragma: pragma");
  EXPECT_EQ(Of("#define X\n#undef X\n"), "condition: define undef");
  EXPECT_EQ(Of("#if 1\n#endif\n"), "condition: if endif");
  EXPECT_EQ(Of("#\n#pragma once\n"), "condition:  pragma");
  EXPECT_EQ(Of("_Pragma(\"once\")\n"), "");
}

TEST(SourceConditions, FindsWordsUnderConditions) {
  const auto Holds = [](const std::string &Text) {
    const Asked Q(Text + A);
    bool Found = false;
    Q.Conditions.forEachUserFile([&](clang::FileID File) {
      Found |= Q.Conditions.holdsUnderCondition(File, "word");
    });
    return Found;
  };
  EXPECT_TRUE(Holds("#if 0\nword\n#endif\n"));
  EXPECT_TRUE(Holds("#if 0\n#else\n// word\n#endif\n"));
  EXPECT_TRUE(Holds("#ifdef word\n#endif\n"));
  EXPECT_FALSE(Holds("int word;\n#if 0\n#endif\n"));
  EXPECT_FALSE(Holds("#if 0\n#endif\nint word;\n"));
}

TEST(SourceConditions, GivesTokens) {
  const auto Of = [](const std::string &Text, bool WithComments) {
    const Asked Q(Text);
    std::string Names;
    Q.Conditions.forEachToken(
        Q.at("A;"), Q.at("B;"),
        [&](const clang::Token &T) {
          Names += T.is(clang::tok::raw_identifier)
                       ? T.getRawIdentifier().str() + " "
                   : T.is(clang::tok::comment) ? "comment "
                                               : "";
        },
        WithComments);
    return Names;
  };
  EXPECT_EQ(Of("int A; /* x */ int c; int B;", false), "A int c int ");
  EXPECT_EQ(Of("int A; /* x */ int c; int B;", true), "A comment int c int ");
}

TEST(SourceConditions, JoinsWordsOfSeveralLines) {
  const Asked Q("#if 1\n#de\\\nfine TW\\\n\\\nO 2\n#endif\n" + A + B);
  const clang::FileID File = Q.Unit->getSourceManager().getMainFileID();
  EXPECT_TRUE(Q.Conditions.holdsWord(File, "TWO"));
  EXPECT_TRUE(Q.Conditions.holdsUnderCondition(File, "TWO"));
  std::string Names;
  Q.Conditions.forEachDefinitionToken(
      File, [&](const clang::Token &Name, const clang::Token &) {
        Names += Name.getRawIdentifier().str() + " ";
      });
  EXPECT_EQ(Names, "TWO TWO ");
  const Asked Plain("#define TWO \\\n  2\n" + A + B);
  EXPECT_FALSE(Plain.Conditions.holdsWord(
      Plain.Unit->getSourceManager().getMainFileID(), "THREE"));
}

TEST(SourceConditions, LeavesFilesOfTheSystem) {
  const Asked Q(
      "#include \"/s.h\"\n#include \"/u.h\"\n" + A,
      {{"/s.h", "#pragma GCC system_header\nint s;\n"}, {"/u.h", "int u;\n"}});
  std::string Texts;
  Q.Conditions.forEachUserFile([&](clang::FileID File) {
    Texts += Q.Unit->getSourceManager().getBufferData(File);
  });
  EXPECT_NE(Texts.find("int u;"), std::string::npos);
  EXPECT_NE(Texts.find("int A;"), std::string::npos);
}

TEST(SourceConditions, KnowsWhatHoldsInEveryBuild) {
  const auto IsUnderOne = [](const std::string &Condition) {
    const Asked Q(Condition + "\n" + A + "#endif\n" + B);
    return !Q.Conditions.conditionsAround(Q.at("A;")).empty();
  };
  for (const char *Settled :
       {"#ifdef __cplusplus", "#ifndef __CUDACC__", "# if defined(__CUDACC__)",
        "#if defined __CUDACC__ || defined(OTHER)", "#if !defined(__CUDACC__)",
        "#if defined(OTHER) || \\\n defined(__CUDACC__)",
        "#if (defined OTHER) || ((defined(__cplusplus)))",
        "#if !(defined(__CUDACC__))"})
    EXPECT_FALSE(IsUnderOne(Settled)) << Settled;
  for (const char *Open :
       {"#ifdef OTHER", "#if defined(__CUDACC__) && defined(OTHER)",
        "#if __CUDACC__ > 1", "#if !defined(OTHER) || !defined(__CUDACC__)",
        "#if 0", "#if 1", "#ifndef OTHER", "#ifdef __CUDA_ARCH__",
        "#if OTHER ? 0 : 0 || defined(__CUDACC__)",
        "#ifdef __CUDACC__\n#elif 1",
        "#if !(defined(OTHER) || defined(__CUDACC__))",
        "#if VERSION > (2 || defined(__CUDACC__))",
        "#if defined(OTHER) == (0 || defined(__CUDACC__))",
        "#if defined(OTHER) == 0 || defined(__CUDACC__)",
        "#if (defined(OTHER) || defined(__CUDACC__)) == defined(MORE)",
        "#if !defined(__CUDACC__) || defined(__CUDACC__)",
        "#if !defined(OTHER) == defined(__CUDACC__)",
        "#if CHOICE || defined(__CUDACC__)",
        "#if defined(OTHER) || defined(MORE)"})
    EXPECT_TRUE(IsUnderOne(Open)) << Open;
  // A source may take the word away, and give it once more.
  EXPECT_TRUE(IsUnderOne("#ifdef OTHER\n#undef __CUDACC__\n#endif\n"
                         "#ifdef __CUDACC__"));
  EXPECT_FALSE(IsUnderOne("#ifdef OTHER\n#define __CUDACC__\n#undef MORE\n"
                          "#endif\n#ifdef __CUDACC__"));
}

TEST(SourceConditions, LeavesOutWhatNoBuildCompiles) {
  const auto LeavesOut = [](const std::string &Text) {
    const Asked Q(Text);
    return Q.Conditions.isNeverCompiled(Q.at("A;"));
  };
  EXPECT_TRUE(LeavesOut("#if !defined(__CUDACC__)\n" + A + "#endif\n"));
  EXPECT_TRUE(LeavesOut("#ifdef __cplusplus\n#else\n" + A + "#endif\n"));
  EXPECT_TRUE(LeavesOut("#ifndef __CUDACC__\n" + A + "#else\n#endif\n"));
  EXPECT_FALSE(LeavesOut("#ifndef __CUDACC__\n#else\n" + A + "#endif\n"));
  EXPECT_FALSE(LeavesOut("#ifdef __CUDACC__\n" + A + "#else\n#endif\n"));
  EXPECT_FALSE(LeavesOut("#if OTHER\n" + A + "#endif\n"));
  EXPECT_FALSE(LeavesOut("#ifndef __CUDACC__\n#elif 1\n" + A + "#endif\n"));
}

} // namespace
