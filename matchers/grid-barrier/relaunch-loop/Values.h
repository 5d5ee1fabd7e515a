// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the device compute the same values as the host: what the loop's
// expressions are made of.
//
//   Values.cpp      expressions of all kinds, and parts of variables
//   Operators.cpp   operators and conversions
//   Calls.cpp       calls and constructors
//   References.cpp  names of variables

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_VALUES_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_VALUES_H

#include "matchers/grid-barrier/relaunch-loop/Reading.h"
#include "matchers/host/HiddenLaunches.h"

namespace clang {
class BinaryOperator;
class CastExpr;
class CXXConstructExpr;
class CXXOperatorCallExpr;
class MemberExpr;
class QualType;
class UnaryExprOrTypeTraitExpr;
class UnaryOperator;
} // namespace clang

namespace barricade::grid_barrier::relaunch_loop {

class ValueReader {
public:
  explicit ValueReader(LoopReading &L) : L(L), Hidden(L.Context) {}

  /// Sees to it that the device computes the same value as the host.
  bool readValue(const clang::Expr &Whole);
  /// Within braces, a constant may become a narrower type; a parameter, which
  /// it would be, may not.
  bool readBraced(const clang::Expr &E);
  /// The same of what must not write.
  bool readArgument(const clang::Expr &E);
  /// The same of what decides which statements run.
  void readControl(const clang::Expr &E);
  /// An expression that the host evaluates once, before the loop.
  void readOutside(const clang::Expr &E);
  /// The lvalue \p E, already read, is changed.
  bool readWrite(const clang::Expr &E);

  /// Adds the blocker of a call; always false.
  ReasonId reasonAgainst(const clang::CallExpr &Call);
  bool refuseCall(const clang::CallExpr &Call);

  /// What is read until the step ends belongs to \p S, which only computes.
  void beginStep(const clang::Stmt &S, bool InBlock);
  void endStep() { InStep = false; }
  /// What statements do to variables, and what decides whether they run.
  void note(const clang::VarDecl &Var, bool Write);

  bool Capturing = true;    ///< Reading what the device evaluates.
  bool InArguments = false; ///< Reading what must not write.
  bool InControl = false;   ///< Reading what decides what runs.

private:
  // Parts of variables.
  bool readMember(const clang::MemberExpr &Member);
  bool readElement(const clang::ArraySubscriptExpr &Element);
  bool readSize(const clang::UnaryExprOrTypeTraitExpr &Trait);

  // Calls.
  bool readCall(const clang::CallExpr &Call);
  bool readKnownCall(const clang::CallExpr &Call);
  bool readConstruction(const clang::CXXConstructExpr &Construct);
  bool isTrivialCopy(const clang::CXXOperatorCallExpr &Call) const;

  // Operators.
  bool readCast(const clang::CastExpr &Cast);
  bool readUnary(const clang::UnaryOperator &Op);
  bool readBinary(const clang::BinaryOperator &Op);
  bool checkConversion(const clang::CastExpr &Cast);
  bool checkFloating(const clang::Expr &Whole, clang::QualType Type);
  bool checkNoProduct(const clang::BinaryOperator &Op);

  // Names.
  bool readReference(const clang::DeclRefExpr &Ref);
  bool isNamedDirectly(const clang::VarDecl &Var) const;

  LoopReading &L;
  host::HiddenLaunches Hidden;
  bool InStep = false; ///< Reading the last of the steps.
};

} // namespace barricade::grid_barrier::relaunch_loop

#endif
