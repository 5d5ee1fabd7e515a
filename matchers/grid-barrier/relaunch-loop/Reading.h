// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of launches while it is read: what its statements have shown so far,
// and what is to be said of it. Each question that is asked of it is a file of
// its own. What the loop's text holds:
//
//   Surroundings.cpp   may a loop be rewritten where it stands
//   Statements.cpp     what runs, in which order, under which conditions
//   Launches.cpp       which kernel does a launch run, with which arguments
//   Copies.cpp         what do copies and fills move, and in which stream
//   Values.cpp         does the device compute the same value as the host
//   Operators.cpp      the same of an operator
//   Calls.cpp          the same of a call
//   References.cpp     may the device have a variable, and who changes it
//   MovedChecks.cpp    may what looks at errors stand behind the loop
//
// What then is asked of the whole, in this order, as Phases.h has it:
//
//   Elements.cpp       which elements of arrays does the device need
//   Geometry.cpp       which grids and blocks, and in which stream
//   HostOnly.cpp       which variables does only the host need
//   Waits.cpp          where does the host wait, and who may wait for it
//   Ending.cpp         does the loop end by itself
//   Variables.cpp      which values go to the device, and which come back
//   Invariance.cpp     what is the same in each iteration
//
// What asks for no more than an expression, a type or a loop:
//
//   Data.cpp           may data of a type be copied and assigned
//   Entry.cpp          when does a loop run its body
//   Guards.cpp         what must hold for a statement to run
//   HostFunctions.cpp  what does a function only compute
//   HostMemory.cpp     may the loop write memory that the host reads
//   Sameness.cpp       are two parts of launches the same
//   Traps.cpp          may an expression have no value
//
// Finding.cpp finds the loops, HostSlice.cpp takes what was read apart again.
//
// For RelaunchLoop alone: what is asked from outside is there.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_READING_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_READING_H

#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/host/HostVariables.h"
#include "matchers/host/UnitUses.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/MapVector.h"

namespace clang {
class ArraySubscriptExpr;
class SourceManager;
} // namespace clang

namespace barricade::grid_barrier::relaunch_loop {

struct LoopReading {
  LoopReading(const HostLoop &L, const Program &Whole, StepsOfKernel StepsOf,
              host::HostWaits &Waits);

  /// Adds a blocker; always false.
  bool refuse(ReasonId Id, clang::SourceLocation Where);

  /// Asked for few loops, and then often.
  const host::UnitUses &unitUses() const;

  /// The value that \p V, declared outside of the loop, has after it may be
  /// looked at, in this build or another one.
  bool livesOn(const clang::VarDecl &V) const;

  /// The host can be asked before the loop whether that runs its body.
  bool asksEntry() const {
    return Result.Entry.Always || Result.Entry.Condition;
  }

  clang::ASTContext &Context;
  const Program &Unit;
  const clang::SourceManager &SM;
  StepsOfKernel StepsOf;
  host::HostWaits &Waits;
  host::HostVariables Variables;
  RelaunchLoop Result;

  llvm::SmallPtrSet<const clang::VarDecl *, 8>
      Locals; ///< Declared in the loop.
  /// Each variable from outside or changed, with one place.
  llvm::MapVector<const clang::VarDecl *, const clang::DeclRefExpr *> Reads,
      Writes;
  /// The loop's own variables that only the host can compute.
  std::vector<const clang::VarDecl *> OfHost;
  std::vector<const clang::Expr *> Outside;    ///< Evaluated before the loop.
  std::vector<const clang::Expr *> Conditions; ///< Of loops.
  /// Of arrays that variables from outside point at.
  llvm::MapVector<const clang::VarDecl *,
                  std::vector<const clang::ArraySubscriptExpr *>>
      ElementReads;
  std::vector<std::pair<const clang::CallExpr *, const clang::Expr *>>
      Streams;                              ///< Of copies.
  std::vector<const clang::Expr *> Buffers; ///< Filled or copied.
  NameSet Filled; ///< Names of variables that get the values of copies.

private:
  mutable std::optional<host::UnitUses> Uses;
};

/// How often \p In names \p Var.
unsigned countUses(const clang::VarDecl &Var, const clang::Stmt &In);

} // namespace barricade::grid_barrier::relaunch_loop

#endif
