// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of a host function: who names them where, and whether anything
// but the statements that name them may change them.

#ifndef BARRICADE_MATCHERS_HOST_HOSTVARIABLES_H
#define BARRICADE_MATCHERS_HOST_HOSTVARIABLES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace clang {
class CFG;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class GotoStmt;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::host {

/// The variable of which the lvalue \p E is the whole or a part: `v`, `v.x`,
/// `v[i]` of an array; null for what a pointer reaches.
const clang::DeclRefExpr *variableOf(const clang::Expr &E);

class HostVariables {
public:
  /// Reads the body of \p Function.
  explicit HostVariables(const clang::FunctionDecl &Function);
  ~HostVariables();

  /// The address of \p V, or a reference to it, goes where the source does not
  /// show what becomes of it.
  bool isShared(const clang::VarDecl &V) const {
    return Shared.contains(&V) || Told.contains(&V);
  }

  bool hasGoto() const { return HasGoto; }

  /// The value that \p V, declared outside of \p Loop, has after the loop may
  /// be looked at.
  bool livesOn(const clang::VarDecl &V, const clang::Stmt &Loop) const;

  /// The value that \p V has where \p Jump is made may be looked at.
  bool livesOn(const clang::VarDecl &V, const clang::GotoStmt &Jump) const;

  /// \p V, declared outside of \p Loop, may have been given a value when the
  /// loop begins.
  bool hasValueBefore(const clang::VarDecl &V, const clang::Stmt &Loop) const;

  /// Every way to \p Loop gives \p V, declared outside of it, a value, and all
  /// of its elements and members one: it can be copied, or asked, even if the
  /// loop does not run. What others may have set counts as set.
  bool isSetBefore(const clang::VarDecl &V, const clang::Stmt &Loop) const;

  using NameSet = llvm::SmallPtrSetImpl<const clang::Stmt *>;

  /// Every iteration of \p Loop gives \p V, declared outside of it, a value
  /// before it looks at it, be it by one of the names \p Filled.
  bool isSetAnew(const clang::VarDecl &V, const clang::Stmt &Loop,
                 const NameSet &Filled) const;

  /// From the beginning of \p Loop on, the value that \p V, declared outside of
  /// it, has before may be looked at, in the loop or behind it.
  bool mayBeReadFirst(const clang::VarDecl &V, const clang::Stmt &Loop,
                      const NameSet &Filled) const;

private:
  bool isFollowed(const clang::VarDecl &V) const;
  bool anyUseBefore(const clang::VarDecl &V, const clang::Stmt &Loop) const;

  const clang::FunctionDecl &Function;
  std::unique_ptr<clang::CFG> Graph; ///< Null where there is none.
  /// References that the graph shows.
  llvm::DenseSet<const clang::DeclRefExpr *> Followed;
  bool HasGoto;
  bool HasTry;
  llvm::DenseSet<const clang::VarDecl *> Shared;
  /// Known elsewhere since they were made, whether or not they were set then.
  llvm::DenseSet<const clang::VarDecl *> Told;
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::DeclRefExpr *, 4>>
      Uses;
};

} // namespace barricade::host

#endif
