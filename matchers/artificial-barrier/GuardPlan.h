// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions around loops move inside, so that all threads of the block come to
// the loops: whether they may, and what becomes of each statement around the
// loops. Before and after are shown at moveGuards in
// rewriters/artificial-barrier/LoopRewriter.h. The plan holds no text.
//
//   1. Each statement with a loop in it gets its kind, outermost first: a loop
//      that takes a barrier, a guard that becomes a flag, a block, a loop that
//      all threads run alike, or one that must keep all threads, which is such
//      a guard, too. Another statement is an obstacle.
//   2. A block falls into parts: statements with loops, skips (`if (c)
//      continue;` in a loop that keeps all threads), which become flags, and
//      runs of others between them, which go under an `if` on the flag
//      (GuardedRun).
//   3. A thread that jumps away in what is under a flag would be missed at a
//      later barrier: at a loop behind it, or in the next iteration of one
//      around. In the order in which statements are run, the first jump blocks.
//   4. What a loop starts with under a guard is kept from the other threads
//      (LoopStart), and the loop may keep all threads (KeptLoop).

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_GUARDPLAN_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_GUARDPLAN_H

#include "matchers/artificial-barrier/GuardedRun.h"
#include "matchers/artificial-barrier/KeptLoop.h"
#include "matchers/artificial-barrier/LoopBarrier.h"
#include "matchers/artificial-barrier/LoopStart.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <memory>
#include <vector>

namespace clang {
class ASTContext;
class DeclStmt;
class IfStmt;
class Stmt;
} // namespace clang

namespace barricade::artificial_barrier {

struct SharedStatement;

/// `if (c) continue;` or `if (c) break;` before a loop in the body of a loop
/// that keeps all threads.
struct Skip {
  bool Leaves = false; ///< By the `break`: the thread is done with the loop.
  /// The threads that go on get a flag of their own. Otherwise it is the
  /// loop's.
  bool MakesFlag = false;
};

/// A piece of a block.
struct GuardedPart {
  /// A statement with a loop in it, or a skip. Null: the piece is a run.
  const clang::Stmt *Single = nullptr;
  std::unique_ptr<SharedStatement> WithLoop;
  std::optional<Skip> Skipping;
  GuardedRun Run;
};

/// A statement that all threads come to, for the loops in it that take a
/// barrier, or such a loop.
struct SharedStatement {
  enum class Kind { BarrierLoop, VotingLoop, UniformLoop, Guard, Block };
  Kind What = Kind::Block;
  const clang::Stmt *Statement = nullptr; ///< Without its attributes.
  KeptLoop Kept;                          ///< Of barrier and voting loops.
  LoopStart Start;                        ///< Of the same.
  /// The body of a voting or uniform loop; of a guard the branches that hold
  /// loops. Null: a branch stays under its flag.
  std::unique_ptr<SharedStatement> Inner, Else;
  std::vector<GuardedPart> Parts; ///< Of a block.
};

struct GuardPlan {
  std::unique_ptr<SharedStatement> Outermost;
  /// Where there are any, the rest is not complete.
  std::vector<Blocker> Blockers;
};

/// What only the text can tell, and parts depend on.
struct TextQuestions {
  /// The declaration can be found in the file: a part of a macro cannot stand
  /// by itself.
  std::function<bool(const clang::DeclStmt &)> IsInFile;
  /// What the user says of the jump in the `if` would be lost with the jump.
  std::function<bool(const clang::IfStmt &)> CommentsJump;
};

/// Plans for all of \p Loops, which share their outermost statement.
GuardPlan planGuards(llvm::ArrayRef<const LoopCandidate *> Loops,
                     const BarrierSettings &Settings, const TextQuestions &Text,
                     clang::ASTContext &Context);

/// \p S without attributes.
const clang::Stmt &withoutAttributes(const clang::Stmt &S);

} // namespace barricade::artificial_barrier

#endif
