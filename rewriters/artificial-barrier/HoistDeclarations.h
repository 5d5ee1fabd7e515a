// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements of a guarded block that end up in an `if` of their own, while code
// behind them still needs what they declare.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_HOISTDECLARATIONS_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_HOISTDECLARATIONS_H

#include "matchers/Finding.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::artificial_barrier {

/// Consecutive statements of a block, and what becomes of them.
struct GuardedRun {
  /// The first and the last ones, which declare and compute nothing that only
  /// some threads may: they stay where they are, for all threads.
  llvm::ArrayRef<clang::Stmt *> FreeBefore, FreeAfter;
  /// Those under the `if`.
  llvm::ArrayRef<clang::Stmt *> Guarded;
  /// Declarations to write before the `if`, a line each.
  std::vector<std::string> Hoisted;
  /// Turn the declarations that were hoisted into assignments.
  std::vector<Edit> Edits;
  /// The names that are declared outside of the `if`.
  llvm::StringSet<> Names;
  /// Set where a declaration can be neither left nor moved.
  clang::SourceLocation Obstacle;
};

/// Splits \p Statements of the body of \p Function, which \p Rest follows in
/// the same block.
GuardedRun guardRun(llvm::ArrayRef<clang::Stmt *> Statements,
                    llvm::ArrayRef<clang::Stmt *> Rest,
                    const clang::FunctionDecl &Function,
                    clang::ASTContext &Context);

/// A type that a variable may have without a value, and be assigned later.
bool isPlainScalar(const clang::VarDecl &Var);

} // namespace barricade::artificial_barrier

#endif
