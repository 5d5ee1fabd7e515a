// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs in the loop, in which order, under which conditions.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_STATEMENTS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_STATEMENTS_H

#include "matchers/grid-barrier/relaunch-loop/Copies.h"
#include "matchers/grid-barrier/relaunch-loop/Guards.h"
#include "matchers/grid-barrier/relaunch-loop/MovedChecks.h"
#include "matchers/grid-barrier/relaunch-loop/Values.h"

namespace clang {
class Decl;
class IfStmt;
} // namespace clang

namespace barricade::grid_barrier::relaunch_loop {

class StatementReader {
public:
  /// What is read goes to all of these.
  StatementReader(LoopReading &L, ValueReader &Values, Copies &OfDevice,
                  MovedChecks &Checks)
      : L(L), Values(Values), OfDevice(OfDevice), Checks(Checks) {}

  void readStatement(const clang::Stmt &S, bool InBlock) {
    readStatements(&S, InBlock);
  }

private:
  void readStatements(llvm::ArrayRef<const clang::Stmt *> Body, bool InBlock);
  void readPlainStatement(const clang::Stmt &S, bool InBlock);
  void readBranch(const clang::Stmt &Branch, const clang::Expr &Condition,
                  bool Is);
  void readIf(const clang::IfStmt &If);
  void readLoop(const clang::Stmt &Loop);
  void readDeclaration(const clang::Decl &D);
  void readExpressionStatement(const clang::Expr &E, bool InBlock);
  void readRuntimeCall(llvm::ArrayRef<const clang::Stmt *> Body,
                       const host::ErrorCheck &Check, bool InBlock);
  std::optional<LoopAction::KindTy>
  readRuntimeCall(const clang::CallExpr &Call);

  LoopReading &L;
  ValueReader &Values;
  Copies &OfDevice;
  MovedChecks &Checks;
  Guards Around;               ///< Of what is read now.
  bool UnderCondition = false; ///< Within an `if` of the loop.
  bool Certain = true; ///< Runs in the first iteration, whatever happens.
};

} // namespace barricade::grid_barrier::relaunch_loop

#endif
