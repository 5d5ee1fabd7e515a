// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compiler makes of one iteration of a loop: how many instructions, and
// which loads and stores are left. The source is executed once in the abstract;
// equal values are computed once, invariant ones before the loop, unused ones
// never. docs/rules/loop-facts.md has the model, test/ptx-counts compares it
// with nvcc's PTX.

#ifndef BARRICADE_MATCHERS_COST_INSTRUCTIONCOUNT_H
#define BARRICADE_MATCHERS_COST_INSTRUCTIONCOUNT_H

#include "matchers/cost/CostOnly.h"
#include "matchers/facts/AffineForm.h"
#include "matchers/facts/MemoryRoot.h"
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade {

class FunctionValues;

/// A load, store or atomic that is left in the loop.
struct MemoryOperation {
  enum KindTy { Load, Store, Atomic };
  KindTy Kind = Load;
  const clang::Expr *Where = nullptr; ///< The lvalue, or the call.
  clang::QualType Type;               ///< Of the object, a vector as a whole.
  AffineForm Address;  ///< In bytes, in values of the loop's function.
  MemoryRoot Root;     ///< In the loop's function, through calls.
  uint64_t Times = 1;  ///< Per iteration of the counted loop.
  bool Nested = false; ///< In a loop within the counted one.
};

/// What one iteration runs. Times and counts weigh a nested loop's parts by its
/// trip count where that is a constant, by one where not.
struct IterationCost {
  uint64_t Instructions = 0; ///< PTX instructions, memory operations included.
  std::vector<MemoryOperation> Memory; ///< In the order of the source.
  uint64_t Calls = 0;                  ///< To functions that cannot be seen.
  bool PassesGlobal = false;   ///< Global memory's address, to such a function.
  uint64_t Transcendental = 0; ///< sqrt, exp, sin, ...
  uint64_t Divisions = 0;      ///< `/` and `%` that do not become shifts.
  bool Innermost = true;       ///< No loop in it, calls included.
};

/// The cost of one iteration of \p Loop, which stands in \p Function, whose
/// values are \p Values.
CostOnly<IterationCost> countIteration(const clang::Stmt &Loop,
                                       const clang::FunctionDecl &Function,
                                       FunctionValues &Values,
                                       clang::ASTContext &Ctx);

} // namespace barricade

#endif
