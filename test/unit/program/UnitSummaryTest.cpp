// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/UnitSummary.h"
#include "../matchers/Snippet.h"
#include "matchers/source/SourcePlaces.h"
#include "program/ProgramIndex.h"
#include "clang/AST/ASTContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace barricade;
using namespace barricade::program;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

namespace {

/// A device pass as the unit called \p File.
struct SummarisedSnippet {
  explicit SummarisedSnippet(const std::string &Code,
                             const std::string &File = "unit.cu")
      : Parsed(Code) {
    Unit.Passes.push_back(
        {&Parsed.context(), &Parsed.preprocessor(), /*IsDevice=*/true, 90});
    Unit.RelocatableDeviceCode = true;
    // All snippets are of one name to Clang: this unit has it.
    std::string Path =
        File == "a.cu" ? barricade::placeOf(Parsed.function().getLocation(),
                                            Parsed.context().getSourceManager())
                             .File
                       : File;
    Summary = summarise(Unit, {File, "command", {{Path, hashOf(Code)}}});
  }

  /// What is claimed of the functions whose key begins with \p Key.
  std::vector<std::string> usesOf(llvm::StringRef Key) const {
    std::vector<std::string> Result;
    for (const Record &R : Summary.Records)
      if (R.Kind == FunctionKind && llvm::StringRef(R.Key).starts_with(Key))
        for (const Claim &Each : R.Claims)
          Result.push_back(Each.says().getString("is")->str());
    return Result;
  }

  std::vector<std::string> keysOf(llvm::StringRef Kind) const {
    std::vector<std::string> Result;
    for (const Record &R : Summary.Records)
      if (R.Kind == Kind)
        Result.push_back(R.Key);
    return Result;
  }

  test::Snippet Parsed;
  Program Unit;
  UnitSummary Summary;
};

TEST(UnitSummary, TellsOfDefinitionsAndUses) {
  const SummarisedSnippet S("__device__ void called();\n"
                            "__device__ void unused();\n"
                            "__device__ void taken();\n"
                            "__device__ void own() { called(); }\n"
                            "__device__ void (*pointer)() = taken;\n");
  EXPECT_THAT(S.usesOf("c:@F@called#"),
              UnorderedElementsAre("declaration", "call"));
  EXPECT_THAT(S.usesOf("c:@F@unused#"), ElementsAre("declaration"));
  EXPECT_THAT(S.usesOf("c:@F@taken#"),
              UnorderedElementsAre("declaration", "address"));
  EXPECT_THAT(S.usesOf("c:@F@own#"), ElementsAre("definition"));
}

TEST(UnitSummary, CountsWhatTemplatesUseOnceTheyAreInstantiated) {
  const std::string Template =
      "__device__ void called(int);\n"
      "template <typename T> __device__ void through(T t) { called(t); }\n";
  EXPECT_THAT(SummarisedSnippet(Template).usesOf("c:@F@called#"),
              Not(Contains("call")));
  EXPECT_THAT(
      SummarisedSnippet(Template + "__device__ void f() { through(1); }")
          .usesOf("c:@F@called#"),
      Contains("call"));
}

TEST(UnitSummary, CountsVirtualMethodsAsTaken) {
  const SummarisedSnippet S("struct S { __device__ virtual void f() {} "
                            "__device__ void g() {} };");
  EXPECT_THAT(S.usesOf("c:@S@S@F@f#"), Contains("virtual"));
  EXPECT_THAT(S.usesOf("c:@S@S@F@g#"), ElementsAre("definition"));
}

TEST(UnitSummary, KeepsApartWhatIsEachUnitsOwn) {
  const std::string Code = "static __device__ void f() {}\n"
                           "namespace { __device__ void g() {} }\n"
                           "__device__ void h() { f(); g(); }";
  const SummarisedSnippet A(Code, "x/a.cu"), B(Code, "y/a.cu");
  const auto Keys = A.keysOf(FunctionKind);
  EXPECT_THAT(Keys, Contains("c:@F@h#"));
  EXPECT_EQ(Keys.size(), 3u);
  for (const std::string &Key : B.keysOf(FunctionKind))
    if (Key != "c:@F@h#")
      EXPECT_THAT(Keys, Not(Contains(Key)));
  EXPECT_THAT(A.keysOf(SymbolKind), ElementsAre("_Z1hv"));
}

TEST(UnitSummary, KnowsWhatTheLinkerIsTold) {
  const SummarisedSnippet S(
      "extern \"C\" __device__ void plain() {}\n"
      "__device__ void other() __asm__(\"named\");\n"
      "__device__ void f() { other(); asm(\"mov.u64 %%rd1, word;\"); }\n"
      "template <typename T> __device__ void t(T) {}\n"
      "__device__ void g() { t(1); t(1.f); }\n");
  const auto Symbols = S.keysOf(SymbolKind);
  for (const char *Symbol :
       {"plain", "named", "_Z1fv", "word", "_Z1tIiEvT_", "_Z1tIfEvT_"})
    EXPECT_THAT(Symbols, Contains(Symbol));
}

TEST(UnitSummary, ListsVariablesOfTheDevice) {
  const SummarisedSnippet S("__constant__ int table[4]; __device__ float sum;\n"
                            "static __device__ int own; extern __device__ int "
                            "there; int host;");
  EXPECT_THAT(S.keysOf(GlobalKind),
              ElementsAre("c:@sum", "c:@table", "c:@there",
                          HasSubstr("own@" + S.Summary.Unit)));
}

std::string hashIn(const SummarisedSnippet &S) {
  for (const Record &R : S.Summary.Records)
    for (const Claim &Each : R.Claims)
      if (Each.says("is", "definition"))
        return Each.says().getString("hash")->str();
  return "none";
}

TEST(UnitSummary, HashesDefinitionsAsTheCompilerSeesThem) {
  const std::string Text = "__device__ float f(float a) { return a * N; }";
  const std::string Two = hashIn(SummarisedSnippet("#define N 2\n" + Text));
  EXPECT_EQ(Two, hashIn(SummarisedSnippet("#define N 2\n\n// as it was\n"
                                          "__device__ float f(float a) {\n"
                                          "  return a * N;\n}")));
  EXPECT_NE(Two, hashIn(SummarisedSnippet("#define N 3\n" + Text)));
  EXPECT_NE(Two, hashIn(SummarisedSnippet(
                     "#define N 2\n__device__ float f(float a);\n"
                     "__device__ float f(float b) { return b / N; }")));
}

TEST(UnitSummary, HasOtherContentsAfterAnyChange) {
  const SummarisedSnippet A("__device__ void f() {}");
  EXPECT_EQ(A.Summary.Contents,
            SummarisedSnippet("__device__ void f() {}").Summary.Contents);
  const SummarisedSnippet B("__device__ void f() { }");
  EXPECT_EQ(A.Summary.Unit, B.Summary.Unit);
  EXPECT_NE(A.Summary.Contents, B.Summary.Contents);
}

/// The index of \p All.
RecordFile indexOf(std::initializer_list<const SummarisedSnippet *> All) {
  std::map<std::pair<std::string, std::string>, Record> Records;
  for (const SummarisedSnippet *Each : All)
    for (const Record &R : Each->Summary.Records) {
      auto [It, IsNew] = Records.try_emplace({R.Kind, R.Key}, R);
      if (!IsNew)
        It->second = combined({It->second, R});
    }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  RecordWriter Writer(OS);
  for (const auto &[Key, R] : Records)
    Writer.add(R);
  Writer.finish();
  return cantFail(
      RecordFile::read(llvm::MemoryBuffer::getMemBufferCopy(Text, "index")));
}

TEST(ProgramIndex, KnowsWhatOthersDo) {
  const SummarisedSnippet A("__device__ void f() {}", "a.cu"),
      Declares("__device__ void f(); __device__ void g() {}", "b.cu"),
      Calls("__device__ void f(); __device__ void h() { f(); }", "c.cu");
  const ProgramIndex Without(indexOf({&A, &Declares})),
      With(indexOf({&A, &Declares, &Calls}));
  EXPECT_TRUE(Without.lists(A.Summary));
  EXPECT_FALSE(Without.lists(Calls.Summary));
  const auto Uses = [&](const ProgramIndex &Index, bool IsWorldClosed) {
    return IndexedUnits(Index, A.Summary.Unit, IsWorldClosed)
        .usesOf(A.Parsed.function());
  };
  EXPECT_TRUE(Uses(Without, true).AreNone);
  EXPECT_FALSE(Uses(Without, false).AreNone);
  const OtherUses Called = Uses(With, true);
  EXPECT_FALSE(Called.AreNone);
  ASSERT_EQ(Called.Known.size(), 1u);
  EXPECT_EQ(Called.Known[0].Text, "'h' calls it");
}

TEST(ProgramIndex, TakesTheSameSymbolForTheSameFunction) {
  const SummarisedSnippet A("__device__ void f() {}", "a.cu"),
      B("extern \"C\" __device__ void _Z1fv() {}", "b.cu");
  const ProgramIndex Index(indexOf({&A, &B}));
  EXPECT_FALSE(IndexedUnits(Index, A.Summary.Unit, true)
                   .usesOf(A.Parsed.function())
                   .AreNone);
}

TEST(ProgramIndex, KnowsWhoIncludesAFile) {
  const SummarisedSnippet A("__device__ void f() {}", "b.cu"),
      B("__device__ void g() {}", "c.cu");
  const ProgramIndex Index(indexOf({&A, &B}));
  EXPECT_FALSE(Index.mayBeReadByOthers("b.cu", A.Summary.Unit));
  EXPECT_TRUE(Index.mayBeReadByOthers("b.cu", B.Summary.Unit));
  EXPECT_TRUE(Index.mayBeReadByOthers("none.cu", A.Summary.Unit));
}

TEST(ProgramIndex, SaysWhichFileIsMissing) {
  const SummarisedSnippet A("__device__ void f() {}", "there.cu");
  const ProgramIndex Index(indexOf({&A}));
  EXPECT_EQ(Index.firstMissing({"there.cu"}), "");
  EXPECT_EQ(Index.firstMissing({"there.cu", "b.cu"}), "b.cu");
  EXPECT_THAT(Index.whyStale(), StartsWith("'there.cu' cannot be read"));
}

} // namespace
