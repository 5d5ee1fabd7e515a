//===- PreambleTest.cpp - Parses that begin after the headers -------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parse.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>
#include <set>

using namespace llvm;
using namespace barricade;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

namespace {

constexpr StringLiteral Library = R"(
namespace lib {
template <class T> __host__ __device__ int hostOnly(T t) { return t; }
template <class T> __host__ __device__ int inner(T t) { return t; }
template <class T> __host__ __device__ int both(T t) { return inner(t); }
template <class F> __host__ __device__ int call(F f) { return f(1); }
template <class T> struct Box {
  __host__ __device__ int get() { return 1; }
  __host__ __device__ int unused() { return 1; }
};
inline __device__ int notAskedFor() { return 1; }
static int alsoNot() { return 1; }
} // namespace lib
)";

constexpr StringLiteral UserHeader = R"(
struct Functor {
  template <class T> __host__ __device__ int operator()(T t) { return t; }
};
__device__ int fromHeader() { return 1; }
)";

constexpr StringLiteral Source = R"(#include <lib.h>
#include "user.h"
// The host's uses come first, and only first uses are queued by Clang.
int host() {
  lib::Box<int> b;
  return lib::hostOnly(1) + lib::both(1) + lib::inner(1) + lib::call(Functor())
         + b.get();
}
__global__ void kernel(int *p) {
  lib::Box<int> b;
  *p = lib::both(2) + b.get();
}
)";

class PreambleTest : public testing::Test {
protected:
  std::map<std::string, std::string> Files = {{"/sys/lib.h", Library.str()},
                                              {"/src/user.h", UserHeader.str()},
                                              {"/src/a.cu", Source.str()}};
  PreambleCache Preambles;

  TranslationUnit parse() {
    auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
    for (const auto &[Path, Text] : Files)
      Memory->addFile(Path, 0, MemoryBuffer::getMemBufferCopy(Text));
    auto FS = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(
        IntrusiveRefCntPtr<vfs::FileSystem>(
            vfs::createPhysicalFileSystem().release()));
    FS->pushOverlay(Memory);
    clang::tooling::CompileCommand Command(
        "/", "/src/a.cu", {"nvcc", "-isystem", "/sys", "/src/a.cu"}, "");
    TranslateOptions Translating;
    Translating.NoToolkit = true;
    Translating.FS = FS;
    Translation T = cantFail(translateCommand(Command, Translating));
    ParseOptions Options;
    Options.Preambles = &Preambles;
    return parseTranslationUnit(std::get<TranslatedCommand>(std::move(T)), FS,
                                Options);
  }
};

/// Names of the functions that have a body and are no templates themselves.
std::set<std::string> instantiated(const ParsedPass &P) {
  struct Visitor : clang::ConstDynamicRecursiveASTVisitor {
    std::set<std::string> Names;
    Visitor() { ShouldVisitTemplateInstantiations = true; }
    bool VisitFunctionDecl(const clang::FunctionDecl *F) override {
      if (F->isThisDeclarationADefinition() && !F->isDependentContext())
        Names.insert(F->getQualifiedNameAsString());
      return true;
    }
  } V;
  // Of the library, too, which the traversal's scope leaves out.
  for (const clang::Decl *D : P.context().getTranslationUnitDecl()->decls())
    V.TraverseDecl(D);
  return V.Names;
}

TEST_F(PreambleTest, DeviceCodeGetsItsTemplatesHostCodeDoesNot) {
  for (const char *Round : {"built", "kept"}) {
    SCOPED_TRACE(Round);
    TranslationUnit TU = parse();
    ASSERT_TRUE(TU.parsed()) << TU.Diagnostics;
    for (const auto &Pass : TU.Passes) {
      std::set<std::string> Names = instantiated(*Pass);
      EXPECT_THAT(Names,
                  IsSupersetOf({"lib::both", "lib::inner", "lib::Box<int>::get",
                                "lib::call", "Functor::operator()"}));
      EXPECT_THAT(Names, Not(Contains("lib::hostOnly")));
      EXPECT_THAT(Names, Not(Contains("lib::Box<int>::unused")));
    }
    Files["/src/a.cu"] += "int more;\n";
  }
}

TEST_F(PreambleTest, TraversalShowsWhatTheUserWrote) {
  TranslationUnit TU = parse();
  ASSERT_TRUE(TU.parsed()) << TU.Diagnostics;
  for (const auto &Pass : TU.Passes) {
    std::vector<std::string> Names;
    for (const clang::Decl *D : Pass->context().getTraversalScope())
      Names.push_back(cast<clang::NamedDecl>(D)->getNameAsString());
    EXPECT_THAT(Names, IsSupersetOf({"Functor", "fromHeader", "kernel"}));
    EXPECT_THAT(Names, Not(Contains("lib")));
    EXPECT_THAT(Pass->userFiles(), Contains("/src/user.h"));
    EXPECT_FALSE(Pass->mentionsCudaArch());
  }
}

TEST_F(PreambleTest, LibraryIsReadBackOnDemandOnly) {
  TranslationUnit TU = parse();
  ASSERT_TRUE(TU.parsed()) << TU.Diagnostics;
  for (const auto &Pass : TU.Passes) {
    // A declaration that is read brings its name along.
    const clang::IdentifierTable &Read = Pass->context().Idents;
    EXPECT_NE(Read.find("both"), Read.end());
    EXPECT_EQ(Read.find("notAskedFor"), Read.end());
    EXPECT_EQ(Read.find("alsoNot"), Read.end());
  }
}

TEST_F(PreambleTest, ChangedHeaderIsReadAgain) {
  ASSERT_TRUE(parse().parsed());
  size_t Before = Preambles.size();
  EXPECT_GT(Before, 0u);
  ASSERT_TRUE(parse().parsed());
  EXPECT_EQ(Preambles.size(), Before);
  Files["/src/user.h"] += "#define __CUDA_ARCH_SEEN __CUDA_ARCH__\n";
  TranslationUnit TU = parse();
  ASSERT_TRUE(TU.parsed());
  EXPECT_TRUE(TU.Passes[0]->mentionsCudaArch());
  Files["/src/a.cu"] = "int one;\n" + Files["/src/a.cu"];
  EXPECT_TRUE(parse().parsed());
}

TEST_F(PreambleTest, ErrorsOfHeadersAreThoseOfAWholeParse) {
  Files["/src/user.h"] = "\n#error wrong\n";
  for (const char *Round : {"first", "again"}) {
    SCOPED_TRACE(Round);
    TranslationUnit TU = parse();
    EXPECT_FALSE(TU.parsed());
    EXPECT_THAT(TU.Diagnostics, HasSubstr("/src/user.h:2:2: error: wrong"));
    ASSERT_TRUE(TU.FirstError);
    EXPECT_EQ(TU.FirstError->File, "/src/user.h");
    EXPECT_EQ(TU.FirstError->Line, 2u);
    EXPECT_EQ(TU.FirstError->Message, "wrong");
  }
  Files["/src/user.h"] = UserHeader.str();
  EXPECT_TRUE(parse().parsed());
}

TEST_F(PreambleTest, UnusedPreamblesAreForgotten) {
  ASSERT_TRUE(parse().parsed());
  Preambles.dropUnused();
  EXPECT_GT(Preambles.size(), 0u);
  Preambles.dropUnused();
  EXPECT_EQ(Preambles.size(), 0u);
}

TEST_F(PreambleTest, LaunchesAreRepairedAsEver) {
  Files["/src/a.cu"] += "void f(int *p) { kernel<< <1, 2>> >(p); }\n";
  for (int Round = 0; Round < 2; ++Round) {
    TranslationUnit TU = parse();
    EXPECT_TRUE(TU.parsed()) << TU.Diagnostics;
    EXPECT_EQ(TU.UnrepairedTexts.count("/src/a.cu"), 1u);
  }
}

} // namespace
