// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose declarations are a library's, and what functions are called.

#include "matchers/facts/LibraryCode.h"
#include "HostSnippet.h"
#include "matchers/facts/Names.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace barricade;

namespace {

/// The last declaration of the name, with one header at a path.
bool isLibrary(const std::string &Name, const std::string &Code,
               const std::string &Path = "", const std::string &Header = "") {
  test::LibraryHeaders Headers;
  std::string Include;
  if (!Path.empty()) {
    Headers.push_back({Path, Header});
    Include =
        "#include \"" + (Path[0] == '/' ? Path : "/toolkit/" + Path) + "\"\n";
  }
  test::HostSnippet Parsed(Include + Code, Headers);
  const clang::ASTContext &Context = Parsed.context();
  const clang::NamedDecl *Last = nullptr;
  for (clang::NamedDecl *D :
       Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name)))
    if (!Last || Context.getSourceManager().isBeforeInTranslationUnit(
                     Last->getLocation(), D->getLocation()))
      Last = D;
  if (!Last) {
    ADD_FAILURE() << "no " << Name;
    return false;
  }
  return facts::isLibraryCode(*Last);
}

TEST(LibraryCode, KnowsTheToolkitByWhatItDeclares) {
  EXPECT_TRUE(isLibrary("uint3", ""));
  EXPECT_TRUE(isLibrary("cudaMalloc", ""));
  EXPECT_TRUE(isLibrary("g", "", "math.h", "void g();"));
  EXPECT_TRUE(isLibrary("g", "", "crt/math.h", "void g();"));
}

TEST(LibraryCode, KnowsStandardAndCompilersFolders) {
  EXPECT_TRUE(isLibrary("g", "", "/usr/include/c++/13/vector", "void g();"));
  EXPECT_TRUE(isLibrary("g", "", "/opt/lib/clang/22/include/x.h", "void g();"));
  EXPECT_TRUE(isLibrary(
      "g", "", "/usr/include/x86_64-linux-gnu/c++/13/bits/x.h", "void g();"));
  EXPECT_TRUE(isLibrary("g", "", "/opt/include/c++/v1/vector", "void g();"));
}

// The build may call any folder a system's.
TEST(LibraryCode, LeavesUsersHeaders) {
  EXPECT_FALSE(isLibrary("g", "", "/home/u/include/x.h", "void g();"));
  EXPECT_FALSE(isLibrary("g", "", "/toolkits/x.h", "void g();"));
  EXPECT_FALSE(isLibrary("g", "", "/opt/c++ish/x.h", "void g();"));
  EXPECT_FALSE(isLibrary("g", "", "/opt/clang/x.h", "void g();"));
  EXPECT_FALSE(isLibrary("g", "", "/home/u/c++/inc/x.h", "void g();"));
  EXPECT_FALSE(isLibrary("g", "", "/home/u/include/c++/x.h", "void g();"));
  EXPECT_FALSE(isLibrary("g", "", "/home/u/lib/clang/x.h", "void g();"));
  EXPECT_FALSE(
      isLibrary("g", "", "/home/u/include/x.h", "struct uint3; void g();"));
  EXPECT_FALSE(isLibrary("g", "void g();"));
}

// Who declares first has it.
TEST(LibraryCode, AsksForTheFirstDeclaration) {
  EXPECT_TRUE(isLibrary("cudaGetLastError",
                        "extern \"C\" cudaError_t cudaGetLastError();"));
  EXPECT_TRUE(isLibrary("g", "void g();", "math.h", "void g();"));
  EXPECT_TRUE(isLibrary("g", "void g() {}", "math.h", "void g();"));
  // An overload is another function.
  EXPECT_FALSE(isLibrary("g", "void g(int);", "math.h", "void g();"));
}

TEST(LibraryCode, MacrosBelongToWhoUsesThem) {
  EXPECT_FALSE(
      isLibrary("g", "MAKE(g)", "math.h", "#define MAKE(x) void x();"));
  EXPECT_TRUE(
      isLibrary("g", "", "math.h", "#define MAKE(x) void x();\nMAKE(g)"));
}

TEST(LibraryCode, OperatorsHaveNoNames) {
  test::HostSnippet Code("struct S { S(); operator int(); S &operator+(int); "
                         "void plain(); ~S(); };");
  std::string Names;
  for (const clang::Decl *D : Code.context().getTranslationUnitDecl()->decls())
    if (const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(D);
        Class && Class->getName() == "S")
      for (const clang::CXXMethodDecl *M : Class->methods())
        if (!M->isImplicit())
          Names += "[" + facts::nameOf(M).str() + "]";
  EXPECT_EQ(Names, "[][][][plain][]");
  EXPECT_EQ(facts::nameOf(nullptr), "");
}

} // namespace
