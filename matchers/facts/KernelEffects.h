// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel does besides computing: the functions it reaches, what they
// write, and how they synchronise. Flow-insensitive: everything that may happen
// anywhere in the kernel.

#ifndef BARRICADE_MATCHERS_FACTS_KERNELEFFECTS_H
#define BARRICADE_MATCHERS_FACTS_KERNELEFFECTS_H

#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/MemoryRoot.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <vector>

namespace clang {
class CallExpr;
class FunctionDecl;
class ParmVarDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade {

/// Whether other threads may write memory while the kernel runs: not at all; if
/// two pointers of the kernel, seen to be different ones, lead to one place; or
/// through what may be the very same pointer.
enum class ForeignWrites { None, ByAlias, Seen };

struct KernelEffects {
  /// A call of a function whose body is visible.
  struct Site {
    const clang::CallExpr *Call;
    const clang::FunctionDecl *Caller;
    const clang::FunctionDecl *Callee;
  };
  /// A run of such a function without a call; null: at the caller's end.
  struct SilentSite {
    const clang::Stmt *At;
    const clang::FunctionDecl *Caller;
    const clang::FunctionDecl *Callee;
  };
  /// A call that synchronises, or that nobody can look into.
  struct Sync {
    CallKind Kind;
    const clang::Stmt *At; ///< A call, unless it is unknown what runs there.
    const clang::FunctionDecl *Caller;
  };
  struct Store {
    MemoryReference Target;
    clang::SourceLocation Where;
    const clang::FunctionDecl *In; ///< Whose parameters the target is told by.
  };

  const clang::FunctionDecl *Kernel = nullptr;
  /// The kernel and all it reaches, callers before callees.
  std::vector<const clang::FunctionDecl *> Functions;
  std::vector<Site> Sites;
  std::vector<SilentSite> SilentSites;
  std::vector<Sync> Syncs;
  /// One for each kind of target, with the first place that writes it.
  std::vector<Store> Stores;
  /// Inline assembly, with the function that holds it.
  std::vector<std::pair<const clang::Stmt *, const clang::FunctionDecl *>> Asm;
  /// Set where something may write any memory.
  clang::SourceLocation OpaqueStore;
  /// Memory is looked at under other types than its own somewhere, so that
  /// types keep no accesses apart.
  bool HasTypePunning = false;
  /// `__constant__` variables whose addresses are used other than to read.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> ExposedConstants;
  /// Some function reaches itself.
  bool Recursive = false;
  /// nvcc's --restrict.
  bool RestrictParams = false;
  /// See Program::IgnoreReferences.
  bool IgnoreReferences = false;

  /// A place where memory that the lvalue or pointer \p Access reaches, read as
  /// \p Type in \p Function, may be written while the kernel runs. Invalid: by
  /// nothing in sight, and nothing is out of sight.
  clang::SourceLocation mayWrite(const clang::Expr &Access,
                                 clang::QualType Type,
                                 const clang::FunctionDecl &Function) const;

  /// What other threads may do to what the lvalue \p Access of \p Function
  /// reaches.
  ForeignWrites foreignWrites(const clang::Expr &Access,
                              const clang::FunctionDecl &Function) const;

  /// The host may change what \p Access, an lvalue of \p Function, is: it is
  /// neither a thread's nor a block's own, and no constant of the grid's.
  bool isWithinReachOfHost(const clang::Expr &Access,
                           const clang::FunctionDecl &Function) const;

  /// The roots of the accesses of \p Function, which the kernel reaches.
  const MemoryRoots &rootsOf(const clang::FunctionDecl &Function) const;

  /// All calls of \p Callee that the kernel may make; none where it runs
  /// without a call, too.
  llvm::SmallVector<Site, 4> callsOf(const clang::FunctionDecl &Callee) const;

private:
  /// A store to the memory that an access reaches.
  struct Writer {
    clang::SourceLocation Where; ///< Invalid: none.
    ForeignWrites How = ForeignWrites::None;
  };
  /// The one that is the surest to reach it.
  Writer writerOf(const clang::Expr &Access, clang::QualType Type,
                  const clang::FunctionDecl &Function) const;
  llvm::SmallVector<MemoryRoot, 2>
  rootsForCallers(const MemoryRoot &Root, const clang::FunctionDecl &Function,
                  unsigned Depth = 0) const;

  mutable std::map<const clang::FunctionDecl *, MemoryRoots> Roots;
  /// What callers pass for device functions' parameters.
  mutable std::map<const clang::ParmVarDecl *, llvm::SmallVector<MemoryRoot, 2>>
      Passed;
};

/// Collects the effects of \p Kernel, a kernel with a body.
KernelEffects collectKernelEffects(const clang::FunctionDecl &Kernel,
                                   bool RestrictParams);

} // namespace barricade

#endif
