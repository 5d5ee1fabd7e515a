// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a function, and where in them its variables are defined and
// used: one walk over the body, so that questions about single variables are
// cheap.

#ifndef BARRICADE_MATCHERS_FACTS_DEFINITIONS_H
#define BARRICADE_MATCHERS_FACTS_DEFINITIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace clang {
class ASTContext;
class DeclRefExpr;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade {

namespace facts {
struct VariableUse;
} // namespace facts

/// A branch of an if, a switch, `?:` or `&&`: what is in it may not run.
struct Branch {
  const Branch *Parent = nullptr;
};

/// A loop of the function and what its control flow allows to conclude.
struct LoopScope {
  const clang::Stmt *Loop = nullptr;
  const LoopScope *Parent = nullptr;
  const Branch *In = nullptr; ///< The branch in which it stands.
  bool Conditional = false;   ///< Not entered in every iteration of the parent.
  bool HasContinue = false;   ///< May skip a part of its body.
  bool HasExit = false;       ///< May end by break, return or goto.

  /// Whether this is \p Inner or around it.
  bool contains(const LoopScope *Inner) const {
    while (Inner && Inner != this)
      Inner = Inner->Parent;
    return Inner == this;
  }
};

/// A place in the function: its loop, its rank in the order of the source, and
/// the branch in which it stands.
struct ProgramPoint {
  const LoopScope *Scope = nullptr; ///< Null outside of all loops.
  unsigned Rank = 0;
  const Branch *In = nullptr;

  /// Whether this point has run whenever the later point \p Use runs, in the
  /// same iteration of the loops around this point.
  bool comesBefore(const ProgramPoint &Use) const {
    const Branch *B = Use.In;
    while (B && B != In)
      B = B->Parent;
    return Rank < Use.Rank && B == In && (!Scope || Scope->contains(Use.Scope));
  }
};

/// A statement that gives a variable its value.
struct Definition {
  enum KindTy {
    Set,     ///< `v = Value`, the initialiser included.
    Step,    ///< `v += Value`, `v -= Value`, `++v`, `v = v + Value`.
    Unknown, ///< Something else: `v *= 2`, `f(&v)`, `T &r = v`.
  };
  KindTy Kind = Unknown;
  const clang::Stmt *Where = nullptr;
  const clang::Expr *Value = nullptr; ///< Null for ++ and --: one.
  bool Negated = false;               ///< The step is minus `Value`.
  bool Conditional = false; ///< Not run in every iteration of its loop.
  bool MayWrap = false; ///< A step in unsigned arithmetic of at most 32 bits.
  ProgramPoint At;
};

class Definitions {
public:
  /// Reads \p Body, which must outlive this object.
  Definitions(const clang::Stmt *Body, const clang::ASTContext &Context);

  llvm::ArrayRef<Definition> of(const clang::VarDecl *V) const;
  /// Where \p Ref stands; the function's end for a reference it does not hold.
  ProgramPoint pointOf(const clang::DeclRefExpr *Ref) const;
  /// Null for a statement that is no loop of the function.
  const LoopScope *scopeOf(const clang::Stmt *Loop) const;
  /// The innermost loop around the declaration of \p V.
  const LoopScope *declarationScope(const clang::VarDecl *V) const;

private:
  class Walker;
  bool isDefinedBy(const clang::VarDecl &V, const facts::VariableUse &U) const;
  void defineAnywhere(const clang::VarDecl &V, const clang::Stmt &Where);

  struct Variable {
    const LoopScope *Scope = nullptr;
    llvm::SmallVector<Definition, 2> All;
  };
  llvm::DenseMap<const clang::VarDecl *, Variable> Variables;
  llvm::DenseMap<const clang::DeclRefExpr *, ProgramPoint> Uses;
  llvm::DenseMap<const clang::Stmt *, const LoopScope *> Scopes;
  std::vector<std::unique_ptr<LoopScope>> Storage;
  std::vector<std::unique_ptr<Branch>> Branches;
  unsigned LastRank = 0;
};

} // namespace barricade

#endif
