// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements of a guarded block that end up in an `if` of their own, while code
// behind them still needs what they declare.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_GUARDEDRUN_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_GUARDEDRUN_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class DeclStmt;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::artificial_barrier {

/// A declaration that moves out of the `if`, before it.
struct HoistedDeclaration {
  const clang::DeclStmt *Declaration;
  /// It moves with its value. Otherwise its variables are assigned theirs where
  /// the declaration stood.
  bool AsItIs;
};

/// Consecutive statements of a block, and what becomes of them.
struct GuardedRun {
  /// The first and the last ones, which declare and compute nothing that only
  /// some threads may: they stay where they are, for all threads.
  llvm::ArrayRef<clang::Stmt *> FreeBefore, FreeAfter;
  /// Those under the `if`.
  llvm::ArrayRef<clang::Stmt *> Guarded;
  /// Of those, what code behind the `if` needs.
  llvm::SmallVector<HoistedDeclaration, 2> Hoisted;
  /// Set where a declaration can be neither left nor moved.
  clang::SourceLocation Obstacle;
};

/// The variables of which some code does more than read or set values: who has
/// an address or a reference may use it later, and overloads, deduced types and
/// decltype see whether a variable is const.
class IndirectUses {
public:
  explicit IndirectUses(const clang::Stmt &Code);
  bool contains(const clang::VarDecl &Var) const {
    return Indirect.contains(&Var);
  }

private:
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Indirect;
};

/// Splits \p Statements of a function's body, which \p Rest follows in the same
/// block. \p InFunction: of that body. \p IsInFile: a declaration's text can be
/// found in the file, without which it cannot stand by itself.
GuardedRun
planGuardedRun(llvm::ArrayRef<clang::Stmt *> Statements,
               llvm::ArrayRef<clang::Stmt *> Rest,
               const IndirectUses &InFunction,
               llvm::function_ref<bool(const clang::DeclStmt &)> IsInFile,
               clang::ASTContext &Context);

/// A type that a variable may have without a value, and be assigned later.
bool isPlainScalar(const clang::VarDecl &Var);

/// The variables that \p Code names.
llvm::SmallPtrSet<const clang::VarDecl *, 16>
variablesNamedIn(llvm::ArrayRef<clang::Stmt *> Code);

} // namespace barricade::artificial_barrier

#endif
