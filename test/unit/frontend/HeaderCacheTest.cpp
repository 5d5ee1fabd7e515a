// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parse after kept headers sees what it would see without them. The headers
// here are barricade's own for machines without a toolkit, in a folder that the
// tests may change.

#include "frontend/HeaderCache.h"
#include "frontend/Parse.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <gmock/gmock.h>
#include <thread>

using namespace llvm;
using namespace barricade;
using testing::HasSubstr;

namespace {

void write(const Twine &Path, StringRef Text) {
  const std::string Name = Path.str();
  ASSERT_FALSE(sys::fs::create_directories(sys::path::parent_path(Name)));
  std::error_code EC;
  raw_fd_ostream OS(Name, EC);
  ASSERT_FALSE(EC) << Name;
  OS << Text;
}

class HeaderCacheTest : public testing::Test {
protected:
  std::string Root;

  void SetUp() override {
    SmallString<128> Folder, Real;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("barricade-headers", Folder));
    ASSERT_FALSE(sys::fs::real_path(Folder, Real));
    Root = std::string(Real);
    write(Root + "/headers/fallback/cuda_runtime.h", R"(
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#include <library.h>
#ifdef LIMIT
enum { limit = LIMIT };
#else
enum { limit = 1 };
#endif
#ifdef ANOTHER_LIMIT
enum { another = limit };
#endif
__device__ inline int libraryFunction() { return limit; }
)");
    write(Root + "/system/library.h", "enum { library = 10 };\n");
    write(Root + "/src/a.cu", R"(
#include "user.h"
__device__ int f() { return libraryFunction(); }
enum { value = limit + library VALUE };
)");
    write(Root + "/src/user.h", "\n");
    write(Root + "/src/folder/none", "");
  }
  void TearDown() override { sys::fs::remove_directories(Root); }

  struct Result {
    TranslationUnit Unit;
    bool AfterHeaders = false; ///< It began after kept headers.
    std::vector<Probe> Seen;   ///< What those had asked.
    unsigned Kept = 0;         ///< What the folder has now.

    /// Of an enumerator in the device pass; -1: there is none.
    int64_t valueOf(StringRef Name) const {
      if (!Unit.parsed())
        return -1;
      clang::ASTContext &Context = Unit.Passes.back()->context();
      for (const clang::NamedDecl *D :
           Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name)))
        if (const auto *E = dyn_cast<clang::EnumConstantDecl>(D))
          return E->getInitVal().getExtValue();
      return -1;
    }
  };

  /// Another process, as it were.
  Result parse(std::vector<std::string> Flags = {}, bool Keep = true) {
    std::unique_ptr<HeaderCache> Cache;
    if (Keep)
      Cache = cantFail(HeaderCache::open(Root + "/cache"));
    Result R = parseWith(Cache.get(), std::move(Flags));
    std::error_code EC;
    for (sys::fs::directory_iterator I(Root + "/cache", EC), End;
         !EC && I != End; I.increment(EC))
      R.Kept += sys::path::filename(I->path()).starts_with("llvmcache-");
    return R;
  }

  Result parseWith(HeaderCache *Cache, std::vector<std::string> Flags) const {
    Result R;
    Flags.insert(Flags.begin(), {"clang++", "-x", "cuda", "-isystem",
                                 Root + "/system", "-DVALUE="});
    Flags.push_back("a.cu");
    clang::tooling::CompileCommand Command(Root + "/src", "a.cu", Flags, "");
    TranslateOptions Translating;
    Translating.NoToolkit = true;
    Translating.HeadersDir = Root + "/headers";
    Translation T = cantFail(translateCommand(Command, Translating));
    FileProbes Seen;
    ParseOptions Options;
    Options.Headers = Cache;
    Options.Seen = &Seen;
    R.Unit = parseTranslationUnit(std::get<TranslatedCommand>(std::move(T)),
                                  nullptr, Options);
    R.Seen = Seen.take();
    R.AfterHeaders = !R.Seen.empty();
    return R;
  }
};

TEST_F(HeaderCacheTest, TheSecondRunReadsWhatTheFirstKept) {
  EXPECT_EQ(parse({}, /*Keep=*/false).valueOf("value"), 11);
  for (int Run = 0; Run < 2; ++Run) {
    Result R = parse();
    EXPECT_TRUE(R.AfterHeaders);
    EXPECT_EQ(R.valueOf("value"), 11) << R.Unit.Diagnostics;
    EXPECT_EQ(R.Kept, 2u) << "a host and a device pass";
    EXPECT_TRUE(any_of(R.Seen, [&](const Probe &P) {
      return P.Asked == Probe::Kind::Content &&
             P.Path == Root + "/system/library.h";
    })) << "whoever keeps results must know";
    // Of the headers, a traversal shows nothing; lookup finds all.
    clang::ASTContext &Context = R.Unit.Passes.back()->context();
    for (const clang::Decl *D : Context.getTraversalScope())
      EXPECT_FALSE(D->isFromASTFile());
    EXPECT_EQ(R.valueOf("limit"), 1);
  }
}

TEST_F(HeaderCacheTest, OnlyMacrosThatHeadersMentionTellThemApart) {
  parse();
  EXPECT_EQ(parse({"-UVALUE", "-DVALUE=+5"}).Kept, 2u);
  EXPECT_EQ(parse({"-UVALUE", "-DVALUE=+5"}).valueOf("value"), 16);
  Result R = parse({"-D", "LIMIT=7"});
  EXPECT_TRUE(R.AfterHeaders);
  EXPECT_EQ(R.valueOf("value"), 17);
  EXPECT_EQ(R.Kept, 4u);
  EXPECT_EQ(parse({"-DLIMIT=8", "-ULIMIT"}).valueOf("value"), 11);
  EXPECT_EQ(parse({"-DLIMIT=8"}).valueOf("value"), 18);
  EXPECT_EQ(parse({"-DLIMIT=8"}).valueOf("another"), -1);
  EXPECT_EQ(parse({"-DLIMIT=8", "-DANOTHER_LIMIT"}).valueOf("another"), 8);
}

TEST_F(HeaderCacheTest, OtherLanguagesHaveOtherHeaders) {
  EXPECT_EQ(parse({"-std=c++17"}).Kept, 2u);
  EXPECT_EQ(parse({"-std=c++20"}).Kept, 4u);
  EXPECT_EQ(parse({"-std=c++20", "-I", "folder", "-Wall"}).Kept, 4u);
}

TEST_F(HeaderCacheTest, ChangedHeadersAreReadAnew) {
  parse();
  write(Root + "/system/library.h", "enum { library = 20 };\n");
  Result R = parse();
  EXPECT_TRUE(R.AfterHeaders);
  EXPECT_EQ(R.valueOf("value"), 21);
}

TEST_F(HeaderCacheTest, AHeaderThatComesBeforeIsRead) {
  parse({"-isystem", Root + "/first", "-isystem", Root + "/system"});
  write(Root + "/first/library.h", "enum { library = 30 };\n");
  EXPECT_EQ(parse({"-isystem", Root + "/first", "-isystem", Root + "/system"})
                .valueOf("value"),
            parse({"-isystem", Root + "/first", "-isystem", Root + "/system"},
                  /*Keep=*/false)
                .valueOf("value"));
}

TEST_F(HeaderCacheTest, TheUsersFoldersComeFirst) {
  EXPECT_TRUE(parse({"-Ifolder"}).AfterHeaders);
  write(Root + "/src/folder/library.h", "enum { library = 40 };\n");
  for (const char *Flag : {"-Ifolder", "-I./folder"}) {
    Result R = parse({Flag});
    EXPECT_FALSE(R.AfterHeaders) << Flag;
    EXPECT_EQ(R.valueOf("value"), 41) << Flag;
  }
  // What -iquote names is not asked for <library.h>; nobody needs to know.
  EXPECT_EQ(parse({"-iquote", "folder"}).valueOf("value"), 11);
  EXPECT_TRUE(parse().AfterHeaders);
  // Clang drops what it looks into anyway, but not the same file elsewhere.
  EXPECT_TRUE(parse({"-I", Root + "/system"}).AfterHeaders);
  ASSERT_FALSE(sys::fs::create_directories(Root + "/farm"));
  ASSERT_FALSE(sys::fs::create_link(Root + "/system/library.h",
                                    Root + "/farm/library.h"));
  EXPECT_FALSE(parse({"-I", Root + "/farm"}).AfterHeaders);
  EXPECT_FALSE(parse({"-iquote", Root + "/system"}).AfterHeaders);
  // A map of headers, which nobody looks into here.
  write(Root + "/src/some.hmap", "");
  EXPECT_FALSE(parse({"-I", "some.hmap"}).AfterHeaders);
}

TEST_F(HeaderCacheTest, RelativeFoldersOfTheEnvironmentKeepNothing) {
  write(Root + "/src/folder/library.h", "enum { library = 50 };\n");
  for (const char *Name : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    setenv(Name, "folder", /*Overwrite=*/1);
    Result Kept = parse(), Whole = parse({}, /*Keep=*/false);
    unsetenv(Name);
    EXPECT_FALSE(Kept.AfterHeaders) << Name;
    EXPECT_EQ(Kept.valueOf("value"), Whole.valueOf("value")) << Name;
  }
}

TEST_F(HeaderCacheTest, ThreadsShareWhatIsKept) {
  std::unique_ptr<HeaderCache> Cache =
      cantFail(HeaderCache::open(Root + "/cache"));
  std::vector<std::thread> Threads;
  std::atomic<unsigned> Right = 0;
  for (unsigned I = 0; I < 8; ++I)
    Threads.emplace_back([&] {
      for (unsigned Turn = 0; Turn < 20; ++Turn)
        Right += parseWith(Cache.get(), {}).valueOf("value") == 11;
    });
  for (std::thread &Each : Threads)
    Each.join();
  EXPECT_EQ(Right, 160u);
}

TEST_F(HeaderCacheTest, AFolderOfNoDiskTellsNothingApart) {
  parse();
  EXPECT_EQ(parse({"-idirafter", "/no/such/folder"}).Kept, 2u);
  EXPECT_TRUE(parse({"-idirafter", "/no/such/folder"}).AfterHeaders);
  EXPECT_EQ(parse({"-idirafter", Root + "/src/folder"}).Kept, 4u);
}

TEST_F(HeaderCacheTest, TheUsersOwnHeadersComeAfter) {
  write(Root + "/src/./before.h", "enum { before = limit + 2 };\n");
  Result R = parse({"-include", "before.h"});
  EXPECT_TRUE(R.AfterHeaders);
  EXPECT_EQ(R.valueOf("before"), 3);
  EXPECT_THAT(R.Unit.Files.Paths, testing::Contains(Root + "/src/./before.h"));
}

TEST_F(HeaderCacheTest, UnknownArgumentsKeepNothing) {
  write(Root + "/src/macros.h", "#define LIMIT 9\n");
  Result R = parse({"-imacros", "macros.h"});
  EXPECT_FALSE(R.AfterHeaders);
  EXPECT_EQ(R.valueOf("value"), 19);
  EXPECT_EQ(R.Kept, 0u);
}

TEST_F(HeaderCacheTest, DamagedEntriesAreNotThere) {
  parse();
  std::error_code EC;
  for (sys::fs::directory_iterator I(Root + "/cache", EC), End; !EC && I != End;
       I.increment(EC)) {
    auto Text = MemoryBuffer::getFile(I->path());
    ASSERT_TRUE(bool(Text));
    std::string Damaged = (*Text)->getBuffer().str();
    if (Damaged.size() < 1000)
      continue;
    Damaged[Damaged.size() / 2] ^= 1;
    write(I->path(), Damaged);
  }
  Result R = parse();
  EXPECT_TRUE(R.AfterHeaders);
  EXPECT_EQ(R.valueOf("value"), 11);
}

TEST_F(HeaderCacheTest, ErrorsAreThoseOfTheWholeSource) {
  write(Root + "/src/a.cu", "__global__ void k() {}\nint limit;\n");
  Result Kept = parse(), Whole = parse({}, /*Keep=*/false);
  EXPECT_FALSE(Kept.Unit.parsed());
  EXPECT_EQ(Kept.Unit.Diagnostics, Whole.Unit.Diagnostics);
  EXPECT_THAT(Kept.Unit.Diagnostics, HasSubstr("redefinition of 'limit'"));
  ASSERT_TRUE(Kept.Unit.FirstError);
  EXPECT_EQ(Kept.Unit.FirstError->Line, 2u);
}

} // namespace
