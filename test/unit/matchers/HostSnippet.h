// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code from a string: the few declarations of CUDA's runtime that the
// tests use, in a header of the toolkit's name, and a way to a function and its
// loops.

#ifndef BARRICADE_TEST_UNIT_MATCHERS_HOSTSNIPPET_H
#define BARRICADE_TEST_UNIT_MATCHERS_HOSTSNIPPET_H

#include "matchers/Program.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

namespace barricade::test {

inline constexpr const char *RuntimeHeader = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef decltype(sizeof(0)) size_t;
struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
};
enum cudaError { cudaSuccess, cudaErrorUnknown };
typedef cudaError cudaError_t;
typedef struct CUstream_st *cudaStream_t;
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0,
                                                void * = 0);
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **,
                                        size_t, cudaStream_t);
extern "C" cudaError_t cudaDeviceSynchronize();
extern "C" cudaError_t cudaGetLastError();
extern "C" cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
extern "C" cudaError_t cudaMalloc(void **, size_t);
extern "C" const char *cudaGetErrorString(cudaError_t);
extern "C" int printf(const char *, ...);
extern "C" [[noreturn]] void exit(int);
namespace std {
template <typename T> void swap(T &a, T &b);
template <typename T> const T &min(const T &a, const T &b);
} // namespace std
)";

/// The texts of system headers, each by its path, from the toolkit's folder on
/// unless it is a whole one.
using LibraryHeaders = std::vector<std::pair<std::string, std::string>>;

/// The host pass of a snippet, which may include \p Headers of libraries.
class HostSnippet {
public:
  explicit HostSnippet(const std::string &Code,
                       const LibraryHeaders &Headers = {})
      : Text(Code), Files(filesOf(Headers)),
        Unit(clang::tooling::buildASTFromCodeWithArgs(
            Text,
            {"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-host-only",
             "-std=c++17", "-Wno-everything", "-isystem/toolkit", "-include",
             "/toolkit/cuda_runtime.h"},
            "snippet.cu", "test",
            std::make_shared<clang::PCHContainerOperations>(),
            clang::tooling::getClangStripDependencyFileAdjuster(), Files)) {
    EXPECT_TRUE(Unit && !Unit->getDiagnostics().hasErrorOccurred()) << Code;
  }

  clang::ASTContext &context() { return Unit->getASTContext(); }
  PassView pass() { return {&context(), &Unit->getPreprocessor(), false, 0}; }

  /// The last function.
  const clang::FunctionDecl &function() {
    const clang::FunctionDecl *Last = nullptr;
    for (const clang::Decl *D : context().getTranslationUnitDecl()->decls())
      if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
          F && F->hasBody())
        Last = F;
    return *Last;
  }

  /// Its first loop.
  const clang::Stmt &loop() {
    const clang::Stmt *First = nullptr;
    (void)codeHolds(function(), [&](const clang::Stmt &S) {
      if (!First && isLoop(S))
        First = &S;
      return First != nullptr;
    });
    return *First;
  }

  /// The variable of its name in the function.
  const clang::VarDecl &variable(llvm::StringRef Name) {
    for (const clang::Decl *D : function().decls())
      if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D);
          V && V->getName() == Name)
        return *V;
    ADD_FAILURE() << "no variable " << Name.str();
    abort();
  }

private:
  static clang::tooling::FileContentMappings
  filesOf(const LibraryHeaders &Headers) {
    const std::string Start = "#pragma clang system_header\n";
    clang::tooling::FileContentMappings Files = {
        {"/toolkit/cuda_runtime.h", Start + RuntimeHeader}};
    for (const auto &[Path, Text] : Headers)
      Files.emplace_back(Path.front() == '/' ? Path : "/toolkit/" + Path,
                         Start + Text);
    return Files;
  }

  // Clang keeps no copies of these.
  std::string Text;
  clang::tooling::FileContentMappings Files;
  std::unique_ptr<clang::ASTUnit> Unit;
};

} // namespace barricade::test

#endif
