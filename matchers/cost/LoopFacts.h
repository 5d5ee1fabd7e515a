// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one iteration of a loop costs: its memory accesses, each with its index
// as an affine form and its locality among the threads of a block, and the
// numbers T and R that decide whether an artificial barrier is worth trying
// (papers: P2, system 6). docs/rules/loop-facts.md says how they are counted.

#ifndef BARRICADE_MATCHERS_COST_LOOPFACTS_H
#define BARRICADE_MATCHERS_COST_LOOPFACTS_H

#include "matchers/Finding.h"
#include "matchers/cost/CostOnly.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade {

/// One memory access of a loop.
struct LoopAccess {
  AccessFact Fact;
  const clang::Expr *Expr = nullptr; ///< The access, in the AST's lifetime.
  bool Nested = false;               ///< In a loop within the loop.
  uint64_t PerIteration = 1; ///< Times per iteration, by nested trip counts.
};

/// Facts of one loop. All counts are per iteration of that loop. Both arms of
/// an `if` count; a nested loop counts as often as its constant trip count,
/// once where that is not known.
struct LoopFacts {
  std::vector<LoopAccess> Accesses; ///< In the order of the source.
  uint64_t Instructions = 0;        ///< P2's T, memory operations included.
  uint64_t MemoryOperations = 0;    ///< Loads, stores, atomics of any space.
  uint64_t GlobalAccesses = 0;      ///< Of those, to global or unknown space.
  uint64_t Calls = 0;               ///< Calls to functions that cannot be seen.
  bool PassesGlobal = false;        ///< Some of these are given global memory.
  uint64_t Transcendental = 0;      ///< sqrt, exp, sin, ...
  uint64_t Divisions = 0;           ///< `/` and `%` that are not shifts.
  unsigned Depth = 1;    ///< 1 for a loop in no other loop of its function.
  bool Innermost = true; ///< No loop within it.
  std::optional<uint64_t> TripCount; ///< Iterations, where a constant.

  /// The loop's threads reach for global memory, as far as can be seen or not.
  bool hasTraffic() const { return GlobalAccesses > 0 || PassesGlobal; }
  /// P2's R, 0 to 1.
  double memoryRatio() const {
    return Instructions ? double(MemoryOperations) / double(Instructions) : 0;
  }
  /// `instructions`, `memory-ratio`, `memory-operations`, `global-accesses`,
  /// `calls`, `transcendental`, `divisions`, `depth`, `innermost`, and
  /// `trip-count` where known.
  std::vector<Fact> facts() const;
  std::vector<AccessFact> accessFacts() const;
};

/// Facts of \p Loop (for, while, do or range-for) in the body of \p Function.
/// Edits nothing and keeps nothing; takes microseconds to a few milliseconds.
CostOnly<LoopFacts> collectLoopFacts(const clang::Stmt &Loop,
                                     const clang::FunctionDecl &Function,
                                     clang::ASTContext &Ctx);

} // namespace barricade

#endif
