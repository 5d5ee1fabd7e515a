// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes an artificial barrier into a loop. Decides nothing about threads: the
// caller says which form is legal; what can fail here is the text alone.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPREWRITER_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPREWRITER_H

#include "matchers/Finding.h"
#include "matchers/artificial-barrier/LoopBarrier.h"
#include <optional>
#include <string>
#include <vector>

namespace barricade::artificial_barrier {

/// Edits, or why the text does not allow them.
struct RewriteResult {
  std::vector<Edit> Edits;
  std::vector<Hindrance> Hindrances;

  void refuse(ReasonId Id, clang::SourceLocation Where) {
    Hindrances.push_back(hindrance(Id, Where));
  }
};

/// Appends the barrier to the body of a uniform loop.
///
/// Before: for (k = 0; k < n; ++k) { s += a[k]; }
/// After:  for (k = 0; k < n; ++k) { s += a[k]; __syncthreads(); }
RewriteResult appendBarrier(const clang::Stmt &Loop,
                            clang::ASTContext &Context);

/// How a loop with a flag that says whether this thread is still in it looks.
struct ActiveForm {
  std::string Flag;           ///< The flag's name, unused in the file.
  std::string Start = "true"; ///< The flag's first value.
  std::string Round;          ///< A counter's name, for an interval.
  unsigned Interval = 1;      ///< Iterations from barrier to barrier.
  /// Threads leave at different times: vote. Otherwise the flag is the same for
  /// all, and a plain barrier does.
  bool Vote = true;
  bool Barrier = true; ///< False: the same loop, and nobody waits.
};

/// Keeps all threads in the loop until the last is done.
///
/// Before: for (i = tid; i < n; i += stride) { s += a[i]; }
/// After:  bool active = true;
///         for (i = tid; __syncthreads_or(active = active && (i < n));
///              active ? (void)(i += stride) : (void)0) if (active) { s += a[i]; }
///
/// The vote is the barrier. Conditions and increments are evaluated exactly as
/// often as before, and in the same order. With an interval of K the barrier
/// stands around an inner loop of K iterations.
RewriteResult keepAllThreads(const clang::Stmt &Loop, const ActiveForm &Form,
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
///              i += i < n ? 64 : 0, leader += 64, __syncthreads()) if (i < n) {
///           s += a[i];
///         }
///
/// The condition must be free of side effects, as findStridedLoop sees to, so
/// that it may be asked more often. Where another thread than the leader may be
/// the last, a vote follows once the leader is done, and so the loop goes on
/// until all are: `leader < n || __syncthreads_or(i < n)`. Nothing where the text
/// does not allow it.
std::optional<RewriteResult> writeRounds(const clang::Stmt &Loop,
                                         const StridedLoop &Strided,
                                         const RoundsForm &Form,
                                         const clang::FunctionDecl &Function,
                                         clang::ASTContext &Context);

/// Moves the conditions around a loop so that all threads come to it.
///
/// Before: if (i < n) { float s = 0; for (...) s += a[i]; out[i] = s; }
/// After:  const bool inside = i < n; float s;
///         if (inside) { s = 0; }
///         for (...) s += a[i];
///         if (inside) { out[i] = s; }
///
/// The loop itself is then written by keepAllThreads, which starts with the
/// innermost guard's flag. \p Names holds one unused name per guard.
RewriteResult moveGuards(llvm::ArrayRef<const clang::IfStmt *> Guards,
                         llvm::ArrayRef<std::string> Names,
                         const clang::Stmt &Loop,
                         const clang::FunctionDecl &Function,
                         clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif
