// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values and which statements depend on the thread: a forward taint
// analysis over Clang's CFG. Data flows through variables, struct fields,
// arrays, references and visible calls; control flows through the influence
// region of every divergent branch, that is, all blocks between the branch and
// its immediate post-dominator (as in Coutinho et al., "Divergence Analysis and
// Optimizations", PACT 2011, without their affine refinement).
//
// "Block-uniform" means: equal for all threads of a block that have not exited.
//
// How it is found is in divergence/.

#ifndef BARRICADE_MATCHERS_DIVERGENCE_DIVERGENCE_H
#define BARRICADE_MATCHERS_DIVERGENCE_DIVERGENCE_H

#include "matchers/facts/KernelEffects.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <vector>

namespace clang {
class Expr;
class FunctionDecl;
class ReturnStmt;
class Stmt;
} // namespace clang

namespace barricade {

enum class TaintKind {
  ThreadIndex, ///< threadIdx and the special registers of thread and warp.
  Clock,
  Atomic,       ///< the result of an atomic.
  Exchange,     ///< a value of another lane.
  GlobalMemory, ///< global memory that the kernel itself may write.
  SharedMemory, ///< shared memory that the kernel writes.
  Volatile,     ///< a volatile read: anybody may write.
  UnknownCall,
  InlineAsm,
  AddressTaken, ///< a local variable that a pointer may change.
  Control,      ///< assigned where only some threads arrive.
  Parameter,    ///< inside summaries: whatever the caller passes.
};

/// Where thread dependence enters.
struct TaintOrigin {
  TaintKind Kind;
  clang::SourceLocation Where;
  /// For memory: a store that may write it. For Control: the branch.
  clang::SourceLocation Related;
  unsigned ParameterIndex = 0;
};

/// Null: block-uniform.
using Taint = const TaintOrigin *;

/// "the thread index", "an atomic's result", ...
llvm::StringRef describe(TaintKind Kind);

/// A branch that threads of one block may take differently.
struct DivergentBranch {
  const clang::Stmt *Terminator; ///< The if, loop, switch, `?:`, `&&` or `||`.
  const clang::Expr *Condition;
  Taint Why;
};

/// The divergence of one function in the context of one kernel.
class FunctionDivergence {
public:
  ~FunctionDivergence();

  /// Is the value of \p E, where it stands, the same for all threads?
  Taint taintOf(const clang::Expr &E) const;

  /// The divergent branches that decide which threads come to the end of an
  /// iteration of \p Loop, and how often. Empty: every thread of the block that
  /// entered this function comes there equally often. Nothing where the loop is
  /// not part of the function's control flow graph, so that nothing is known.
  std::optional<llvm::SmallVector<DivergentBranch, 2>>
  branchesOver(const clang::Stmt &Loop) const;

  /// The divergent branches that decide which threads evaluate \p S; nothing
  /// where \p S is not part of the control flow graph.
  std::optional<llvm::SmallVector<DivergentBranch, 2>>
  branchesOverStatement(const clang::Stmt &S) const;

  /// Returns that some threads take and others do not, and that may be taken
  /// before \p S, a call or the last iteration of a loop, ends. Only kernels
  /// have them: in a device function a return brings the thread back to the
  /// others.
  llvm::SmallVector<const clang::ReturnStmt *, 2>
  divergentExitsBefore(const clang::Stmt &S) const;

  /// May a thread come to \p Later, or if that is a loop to the end of an
  /// iteration, after it came to \p Earlier? Both are calls or loops of the
  /// function.
  bool mayFollow(const clang::Stmt &Later, const clang::Stmt &Earlier) const;

  /// Does every thread that comes to \p Later come to \p Earlier before, or if
  /// that is a loop to its end? Both are calls or loops of the function.
  bool mustFollow(const clang::Stmt &Later, const clang::Stmt &Earlier) const;

  /// The loop never gets to a second iteration.
  bool neverRepeats(const clang::Stmt &Loop) const;

  struct Impl;
  explicit FunctionDivergence(std::unique_ptr<Impl> I);

private:
  friend class KernelDivergence;
  std::unique_ptr<Impl> I;
};

/// How a function is entered.
struct EntryState {
  /// A divergent branch around a call of it, in some caller; null: every thread
  /// of the block calls it equally often.
  const clang::CallExpr *DivergentCall = nullptr;
  Taint Why = nullptr;
  /// Returns from the kernel that some threads take before they come here.
  llvm::SmallVector<const clang::ReturnStmt *, 2> Exits;
};

/// The divergence of a kernel and of all functions that it reaches. Functions
/// are analysed for the union of what their callers pass.
class KernelDivergence {
public:
  KernelDivergence(const KernelEffects &Effects, clang::ASTContext &Context);
  ~KernelDivergence();

  const FunctionDivergence &of(const clang::FunctionDecl &Function) const;
  EntryState entryOf(const clang::FunctionDecl &Function) const;

  struct Impl;

private:
  std::unique_ptr<Impl> I;
};

} // namespace barricade

#endif
