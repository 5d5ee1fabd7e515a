// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pattern on the host: a loop whose iterations all ask the device for the
// same, and of which one number that the host reads back decides whether there
// is one more. The device can decide that by itself.
//
//   do {
//     found = 0;
//     cudaMemcpy(flag, &found, sizeof(int), cudaMemcpyHostToDevice);
//     expand<<<grid, block>>>(frontier, flag);
//     cudaMemcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
//     ++depth;
//   } while (found != 0 && depth < most);

#ifndef BARRICADE_MATCHERS_LAUNCHREGION_READLOOP_H
#define BARRICADE_MATCHERS_LAUNCHREGION_READLOOP_H

#include "clang/AST/OperationKinds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class CompoundStmt;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::launch_region {

struct ReadLoop {
  const clang::CompoundStmt *Body = nullptr;
  /// Of local variables to the device, and of the number back.
  std::vector<const clang::CallExpr *> Copies;
  const clang::VarDecl *Number = nullptr; ///< Of an arithmetic type.
  bool IsNumberWithin = false;            ///< The loop declares it.
  /// The loop goes on if `Number Comparison With` is GoesOnIf; no With: 0.
  clang::BinaryOperatorKind Comparison = clang::BO_NE;
  const clang::Expr *With = nullptr; ///< Has its value before the loop.
  bool GoesOnIf = true;
  /// It also ends once the counter, which goes up by one in each iteration, is
  /// no longer less than Bound, or somewhat later; null: there is none.
  const clang::VarDecl *Counter = nullptr;
  const clang::Expr *Bound = nullptr;
};

/// Such a part of a loop does nothing but launch, set or copy memory within the
/// device, wait, and compute from local variables that nobody else knows; apart
/// from calls of the runtime that are known.
using QuietTest = llvm::function_ref<bool(
    const clang::Stmt &, llvm::ArrayRef<const clang::CallExpr *> Known)>;

/// \p Loop as one of these.
std::optional<ReadLoop> readReadLoop(const clang::Stmt &Loop, QuietTest IsQuiet,
                                     clang::ASTContext &Context);

} // namespace barricade::launch_region

#endif
