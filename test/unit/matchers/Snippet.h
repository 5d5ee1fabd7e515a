// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code from a string: the few declarations of CUDA that the tests use,
// and a way to the loops and variables of a snippet.

#ifndef BARRICADE_TEST_UNIT_MATCHERS_SNIPPET_H
#define BARRICADE_TEST_UNIT_MATCHERS_SNIPPET_H

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

namespace barricade::test {

/// Plain declarations, as the fallback headers have them; `property` says
/// whether threadIdx and its like have properties, as with Clang's CUDA
/// headers.
inline std::string prelude(bool Properties) {
  std::string Text = R"(# 1 "prelude.h" 1 3
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
typedef decltype(sizeof(0)) size_t;
struct uint3 { unsigned x, y, z; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
__device__ void __syncthreads();
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ int __syncthreads_or(int predicate);
__device__ int __syncthreads_count(int predicate);
__device__ int __shfl_sync(unsigned mask, int value, int lane, int width = 32);
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ void __syncwarp(unsigned mask);
__device__ long long clock64();
__device__ int atomicCAS(int *address, int compare, int value);
__device__ unsigned atomicCAS(unsigned *address, unsigned compare, unsigned value);
__device__ int atomicAdd(int *address, int value);
__device__ float sqrtf(float x);
template <typename T> __device__ T __ldg(const T *address);
)";
  for (const char *Name : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
    std::string Type = "__cuda_builtin_" + std::string(Name) + "_t";
    if (Properties) {
      Text += "struct " + Type + " {";
      for (char Dim : {'x', 'y', 'z'})
        Text += std::string("__declspec(property(get = get_") + Dim +
                ")) unsigned " + Dim + "; static __device__ unsigned get_" +
                Dim + "();";
      Text += "};\nextern const __device__ __attribute__((weak)) " + Type +
              " " + Name + ";\n";
    } else {
      Text += "extern const __device__ uint3 " + std::string(Name) + ";\n";
    }
  }
  return Text + "# 1 \"snippet.cu\" 2\n";
}

/// A parsed snippet with its last function and, in source order, its loops.
class Snippet : clang::RecursiveASTVisitor<Snippet> {
public:
  explicit Snippet(const std::string &Code, bool Properties = false) {
    Text = prelude(Properties) + Code;
    Unit = clang::tooling::buildASTFromCodeWithArgs(
        Text,
        {"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only",
         "--cuda-gpu-arch=sm_90", "-fms-extensions", "-std=c++17",
         "-Wno-everything"},
        "snippet.cu");
    EXPECT_TRUE(Unit && !Unit->getDiagnostics().hasErrorOccurred()) << Code;
    TraverseDecl(context().getTranslationUnitDecl());
  }

  clang::ASTContext &context() { return Unit->getASTContext(); }
  clang::Preprocessor &preprocessor() { return Unit->getPreprocessor(); }
  const clang::FunctionDecl &function() const { return *Function; }
  const clang::Stmt &loop(unsigned Index = 0) const { return *Loops.at(Index); }
  unsigned loopCount() const { return Loops.size(); }
  /// The variables with initialisers, by name.
  const std::map<std::string, const clang::Expr *> &initializers() const {
    return Initializers;
  }
  const clang::Expr &initializer(llvm::StringRef Variable) const {
    return *Initializers.at(Variable.str());
  }

private:
  friend class clang::RecursiveASTVisitor<Snippet>;
  bool VisitFunctionDecl(clang::FunctionDecl *F) {
    if (F->isThisDeclarationADefinition())
      Function = F;
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *V) {
    if (V->getInit())
      Initializers[V->getNameAsString()] = V->getInit();
    return true;
  }
  bool visitLoop(clang::Stmt *S) {
    Loops.push_back(S);
    return true;
  }
  bool VisitForStmt(clang::ForStmt *S) { return visitLoop(S); }
  bool VisitWhileStmt(clang::WhileStmt *S) { return visitLoop(S); }
  bool VisitDoStmt(clang::DoStmt *S) { return visitLoop(S); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *S) { return visitLoop(S); }

  std::string Text; ///< Clang keeps no copy of it.
  std::unique_ptr<clang::ASTUnit> Unit;
  const clang::FunctionDecl *Function = nullptr;
  std::vector<const clang::Stmt *> Loops;
  std::map<std::string, const clang::Expr *> Initializers;
};

} // namespace barricade::test

#endif
