// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that ask whether a call of the CUDA runtime failed, and do nothing
// where it did not. What they do on an error may be anything that leaves the
// loop, or tells the user: what goes on and changes variables would do so in
// each iteration that follows.
//
//   #define CHECK(call) \
//     do { \
//       cudaError_t error = (call); \
//       if (error != cudaSuccess) { fprintf(stderr, ...); exit(1); } \
//     } while (0)
//
//   CHECK(cudaGetLastError());
//   error = cudaGetLastError(); // with a look at it right behind
//   if (error != cudaSuccess) goto failed;
//   if (cudaDeviceSynchronize() != cudaSuccess) return false;
//   checkCudaErrors(cudaMemset(p, 0, n)); // a function that is visible

#ifndef BARRICADE_MATCHERS_HOST_ERRORCHECK_H
#define BARRICADE_MATCHERS_HOST_ERRORCHECK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class CallExpr;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::host {

/// What the first of some statements check in such a way.
struct ErrorCheck {
  /// The runtime's call; of several, which only ask or wait, one that waits if
  /// there is one. Null: they check nothing.
  const clang::CallExpr *Call = nullptr;
  size_t Length = 0; ///< Statements that belong to the check.
  /// All calls of the runtime's whose results it looks at.
  llvm::SmallVector<const clang::CallExpr *, 2> Calls;
  /// Something is done on an error.
  bool Asks = false;
  /// On an error nothing is done but to tell the user, return or end the
  /// program.
  bool OnlyTells = false;
  /// Variables for the result that the statements leave behind: declared by
  /// them, or assigned.
  llvm::SmallVector<const clang::VarDecl *, 2> Declared, Assigned;
  /// All that is evaluated where the runtime reports success, the calls
  /// included, in functions that are called, too.
  llvm::SmallVector<const clang::Stmt *, 4> OnSuccess;
};

/// The check that \p Body, which follow each other, begin with. A check that
/// may leave a loop by `break` or `continue` is none.
ErrorCheck readErrorCheck(llvm::ArrayRef<const clang::Stmt *> Body,
                          clang::ASTContext &Context);

/// Something in \p S goes by how long a string is, or by what it says, while
/// the program is compiled: all but where it is given to somebody, as a
/// pointer. So a check may, by the text of what it is given.
bool measuresStrings(const clang::Stmt &S);

} // namespace barricade::host

#endif
