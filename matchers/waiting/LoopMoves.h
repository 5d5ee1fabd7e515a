// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a loop goes on to another place in each round, or looks at the same
// ones again and again:
//
//   flags[i], *p++                        goes on
//   flags[i & 1], flags[k], k ^= 1        comes back
//   flags[e], e += flags[e]               stays until another thread moves it
//
// What goes on comes to an end with the memory that it walks through; all else
// may be how a thread waits.

#ifndef BARRICADE_MATCHERS_WAITING_LOOPMOVES_H
#define BARRICADE_MATCHERS_WAITING_LOOPMOVES_H

#include "matchers/facts/VariableFacts.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cstdint>

namespace clang {
class ArraySubscriptExpr;
class BinaryOperator;
class CallExpr;
class CastExpr;
class Expr;
class FieldDecl;
class FunctionDecl;
class MemberExpr;
class ParmVarDecl;
class SourceManager;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade {

struct KernelEffects;

namespace waiting {

/// What another round may tell a function otherwise, a bit for each: its
/// object, and its parameters.
using Told = uint64_t;
constexpr Told ObjectBit = 1;
Told bitOf(const clang::ParmVarDecl &Param);

/// The lambda that \p Call calls, or null.
const clang::FunctionDecl *calledLambda(const clang::CallExpr &Call);

/// \p S, which may be null, ends a round early by a `continue`.
bool skips(const clang::Stmt *S);

/// How what one round of a loop has stands to what the next one has.
enum class Motion {
  Stays,   ///< It is the same.
  Carried, ///< It is what a variable that is asked about was before.
  Stepped, ///< That, and something more: `k + 1`.
  GoesOn,  ///< Another one each time, by what the loop counts or walks over.
  Unknown, ///< It may come back, or wait for what others write.
};

/// The values and places of a loop, which must outlive this object.
class LoopMoves {
public:
  LoopMoves(const clang::Stmt &Loop, const clang::FunctionDecl &Function,
            const clang::SourceManager &SM, const KernelEffects &Effects);

  /// The variables of what each round runs.
  const facts::VariableFacts &inLoop() const { return InLoop; }

  /// The place or value \p E of the loop's function goes on.
  bool goesOn(const clang::Expr &E) const;
  /// The value of \p Var does so.
  bool goesOn(const clang::VarDecl &Var) const;
  /// \p E of \p In, a function that the loop calls and tells \p Anew otherwise
  /// in each round, does so.
  bool goesOnWithin(const clang::Expr &E, const clang::FunctionDecl &In,
                    Told Anew) const;

  /// No round that another one follows goes without \p E: what only some do may
  /// wait for what is found there.
  bool isOfEachRound(const clang::Stmt &E) const;
  /// \p Var is declared in the loop.
  bool isOfLoop(const clang::VarDecl &Var) const;
  /// \p U, a use of \p Var, may lead it elsewhere.
  bool changesPlace(const facts::VariableUse &U,
                    const clang::VarDecl &Var) const;

private:
  bool alwaysComesTo(const clang::Stmt &S, const clang::Stmt &E) const;
  bool startsAnew(const clang::VarDecl &Var) const;
  bool isDoneAlike(const facts::VariableUse &U) const;
  bool conditionGoesOn(const clang::Expr &Condition) const;
  bool readsOn(const clang::Expr &E) const;

  Motion motionOf(const clang::Expr &E) const;
  Motion placeOf(const clang::Expr &E) const;
  Motion ofNamed(const clang::Expr &E) const;
  Motion ofCast(const clang::CastExpr &Cast) const;
  Motion ofLoad(const clang::Expr &Place) const;
  Motion ofBinary(const clang::BinaryOperator &Op) const;
  Motion ofCall(const clang::CallExpr &Call) const;
  Motion ofParts(const clang::Expr &E) const;
  Motion mixed(Motion Of, const clang::Expr &E) const;
  Motion ofVariable(const clang::VarDecl &Var,
                    const clang::FieldDecl *Part = nullptr) const;
  Motion ofRestarted(const clang::VarDecl &Var, bool IsSet,
                     llvm::ArrayRef<facts::VariableUse> Changes) const;
  Motion ofCarried(const clang::VarDecl &Var,
                   llvm::ArrayRef<facts::VariableUse> Changes) const;
  Motion ofTold(const clang::VarDecl &Var) const;
  Motion amountOf(const facts::VariableUse &Step) const;
  bool readsForeign(const clang::FunctionDecl &Callee) const;
  bool returnsOn(const clang::CallExpr &Call,
                 const clang::FunctionDecl &Callee) const;

  const clang::Stmt &Loop;
  const clang::FunctionDecl &Function;
  const clang::SourceManager &SM;
  const KernelEffects &Effects;
  const facts::VariableFacts InLoop;
  /// Variables that are being asked about: those that start anew in each round,
  /// and those that go on from what they were.
  mutable llvm::SmallPtrSet<const clang::VarDecl *, 4> Restarted, Carried;
  /// What has been asked since the outermost question.
  mutable unsigned Asked = 0;
  /// The function that the loop calls and that is being looked into, and what
  /// it is told.
  mutable const clang::FunctionDecl *Within = nullptr;
  mutable Told Anew = 0;
};

} // namespace waiting
} // namespace barricade

#endif
