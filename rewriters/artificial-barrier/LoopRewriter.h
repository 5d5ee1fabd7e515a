// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes an artificial barrier into a loop, as a plan says. Decides nothing:
// what can fail here is the text alone, where macros or directives stand in the
// way, names or types cannot be written, or there is no room for a declaration.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPREWRITER_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPREWRITER_H

#include "matchers/Finding.h"
#include "matchers/artificial-barrier/GuardPlan.h"
#include "matchers/artificial-barrier/LoopBarrier.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace barricade::artificial_barrier {

/// Edits, or why the text does not allow them.
struct RewriteResult {
  /// As findings name it, where it is not the plan's.
  llvm::StringRef Form;
  std::vector<Edit> Edits;
  std::vector<Blocker> Blockers;

  void refuse(ReasonId Id, clang::SourceLocation Where) {
    Blockers.push_back(blocker(Id, Where));
  }
};

/// Appends the barrier to the body of a uniform loop.
///
/// Before: for (k = 0; k < n; ++k) { s += a[k]; }
/// After:  for (k = 0; k < n; ++k) { s += a[k]; __syncthreads(); }
RewriteResult appendBarrier(const clang::Stmt &Loop,
                            clang::ASTContext &Context);

/// The same where a `continue` would skip the end of the body: appends the
/// barrier to the increment.
RewriteResult appendToIncrement(const clang::ForStmt &Loop,
                                clang::ASTContext &Context);

/// What the loop's flag is called, and how it begins.
struct FlagNames {
  std::string Flag;           ///< A name unused in the file.
  std::string Start = "true"; ///< The flag's first value.
  std::string Round;          ///< A counter's name, for an interval.
  /// The caller sees to it that a declaration may stand before the loop.
  bool MayDeclare = false;
};

/// Keeps all threads in the loop until the last is done.
///
/// Before: for (i = tid; i < n; i += stride) { s += a[i]; }
/// After:  bool active = true;
///         for (i = tid; __syncthreads_or(active = active && (i < n));
///              active ? (void)(i += stride) : (void)0) if (active) {
///           s += a[i];
///         }
///
/// The vote is the barrier. Conditions and increments are evaluated exactly as
/// often as before, and in the same order. With an interval of K the barrier
/// stands around an inner loop of K iterations.
RewriteResult keepAllThreads(const KeptLoop &Plan, const FlagNames &Names,
                             clang::ASTContext &Context);

/// What the rounds of a strided loop are called.
struct RoundsForm {
  std::string Leader; ///< The leader's counter, a name unused in the file.
  std::string Round;  ///< A counter's name, for an interval.
  unsigned Interval = 1;
  bool Barrier = true; ///< False: the same loop, and nobody waits.
};

/// Counts the rounds of a strided loop with the leader's counter.
///
/// Before: for (int i = threadIdx.x; i < n; i += 64) { s += a[i]; }
/// After:  for (int i = threadIdx.x, leader = 0; leader < n;
///              i += i < n ? 64 : 0, leader += 64, __syncthreads())
///           if (i < n) {
///           s += a[i];
///         }
///
/// The condition must be free of side effects, as findStridedLoop sees to, so
/// that it may be asked more often. Where another thread than the leader may be
/// the last, a vote follows once the leader is done, and so the loop goes on
/// until all are: `leader < n || __syncthreads_or(i < n)`. Nothing where the
/// text does not allow it.
std::optional<RewriteResult> writeRounds(const clang::Stmt &Loop,
                                         const StridedLoop &Strided,
                                         const RoundsForm &Form,
                                         const clang::FunctionDecl &Function,
                                         clang::ASTContext &Context);

/// A loop under a guard, and its names. Its flag starts as the guards say.
struct NamedLoop {
  const clang::Stmt *Loop;
  FlagNames Names;
};

/// Gives a name that is new where the outermost guard stands.
using NameSource = llvm::function_ref<std::string(llvm::StringRef Base)>;

/// Moves the conditions around loops so that all threads come to them. A loop
/// around them that does not run equally often for all keeps all threads until
/// the last is done, and its flag is such a condition, too.
///
/// Before: if (i < n) { float s = a[i]; for (...) s += a[k]; out[i] = s; }
/// After:  const bool inside = i < n;
///         float s;
///         if (inside) { s = a[i]; }
///         bool active = inside;
///         for (...) if (active) s += a[k];
///         if (inside) { out[i] = s; }
///
/// Before: for (j = tid; j < n; ++j)
///           for (...) s += a[k];
/// After:  bool staying = true;
///         for (j = tid; __syncthreads_or(staying = staying && (j < n));
///              staying ? (void)(++j) : (void)0) {
///           bool active = staying;
///           for (...) if (active) s += a[k];
///         }
///
/// \p Plan, without blockers, is for an `if` or a loop that holds all of \p
/// Loops, in either branch; all other `if`s, blocks and loops between it and
/// them are moved alike.
RewriteResult moveGuards(const GuardPlan &Plan, llvm::ArrayRef<NamedLoop> Loops,
                         NameSource NewName,
                         const clang::FunctionDecl &Function,
                         clang::ASTContext &Context);

/// What the plan asks of the text.
TextQuestions textQuestions(clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif
