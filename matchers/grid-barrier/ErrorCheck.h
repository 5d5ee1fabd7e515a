// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that ask whether a call of the CUDA runtime failed, and do nothing
// where it did not. What they do on an error may be anything.
//
//   #define CHECK(call) \
//     do { \
//       cudaError_t error = (call); \
//       if (error != cudaSuccess) { fprintf(stderr, ...); exit(1); } \
//     } while (0)
//
//   CHECK(cudaGetLastError());
//   if (cudaDeviceSynchronize() != cudaSuccess) return false;
//   checkCudaErrors(cudaMemset(p, 0, n)); // a function that is visible

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_ERRORCHECK_H
#define BARRICADE_MATCHERS_GRIDBARRIER_ERRORCHECK_H

namespace clang {
class ASTContext;
class CallExpr;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::grid_barrier {

/// The one call of the runtime that \p S checks in such a way; null where \p S
/// is no such statement, or leaves a loop by `break` or `continue`.
const clang::CallExpr *checkedCall(const clang::Stmt &S,
                                   clang::ASTContext &Context);

/// The same of two statements that follow each other:
///
///   cudaError_t error = cudaGetLastError();
///   if (error != cudaSuccess) { fprintf(stderr, ...); exit(1); }
struct CheckedResult {
  const clang::CallExpr *Call = nullptr; ///< Null: they are something else.
  const clang::VarDecl *Variable = nullptr;
};
CheckedResult checkedResult(const clang::Stmt &First, const clang::Stmt &Second,
                            clang::ASTContext &Context);

} // namespace barricade::grid_barrier

#endif
