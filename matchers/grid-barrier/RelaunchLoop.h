// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule grid-barrier's pattern on the host: a loop that launches kernels and
// does nothing else that a kernel could not do as well (papers: P3).
//
//   for (int t = 0; t < steps; ++t) {
//     jacobi<<<(n + 255) / 256, 256>>>(a, b, n);
//     std::swap(a, b);
//   }
//
// Such a loop may run on the device, in every thread: it computes from values
// that are copied into the kernel, so all threads come to all launches, now
// calls of steps with a grid barrier after each. On the host it may run without
// the launches, to give its variables the values that they have after it.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_H

#include "matchers/Program.h"
#include "matchers/grid-barrier/Reasons.h"
#include "matchers/host/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::host {
class HostWaits;
} // namespace barricade::host

namespace barricade::grid_barrier {

struct StepKernel;

/// A launch of the loop.
struct LoopLaunch : host::Launch {
  /// Its blocks have another size than the persistent kernel's: that runs its
  /// logical threads.
  bool LogicalThreads = false;
  /// Its grid is computed by functions that only the host has, once, before the
  /// loop.
  bool GridFromHost = false;
};

/// A statement of the loop for which the device has another.
struct LoopAction {
  enum KindTy {
    Launch,      ///< A step and a grid barrier.
    Swap,        ///< `std::swap(a, b)`.
    Synchronise, ///< Nothing in the loop, but once after it.
    Query,       ///< The same.
    Upload,      ///< cudaMemcpy of a variable to the device.
    ReadBack,    ///< cudaMemcpy of a variable from the device.
    Fill,        ///< cudaMemset.
    Copy,        ///< cudaMemcpy within the device.
  };
  KindTy Kind;
  const clang::Stmt *Statement;
  /// Stands in a block, so that it may become several statements or none.
  bool InBlock;
  /// Of `Launch`: index into the loop's launches.
  unsigned Index = 0;
  /// Of all others; the statement may be one that checks its result.
  const clang::CallExpr *Call = nullptr;
  /// Of `Synchronise`: waits for nothing but the launches' stream.
  bool OwnStream = false;
  /// The last statement of those that check the result; null: there is one.
  const clang::Stmt *Last = nullptr;
  /// Every iteration comes to it that the loop begins with.
  bool Certain = false;
  /// It must not run unless the loop's body does.
  bool OnlyOnEntry = false;
  /// Of `ReadBack` and `Upload`: each iteration ends with such reads, and
  /// begins with that upload. A barrier in which it is stored is enough for
  /// all.
  bool OfRoundTrip = false;

  /// Nothing is left of it in the loop.
  bool isHoisted() const { return Kind == Synchronise || Kind == Query; }
  /// A copy or a fill: it stays in the loop, but not what checks its result.
  bool isCopy() const {
    return Kind == Upload || Kind == ReadBack || Kind == Fill || Kind == Copy;
  }
  /// The host waits there for the launches before.
  bool waits() const {
    return Kind == Synchronise || Kind == ReadBack || Kind == Upload;
  }
  /// Something may look at its result.
  bool isChecked() const;
};

/// When a loop runs its body at all.
struct LoopEntry {
  bool Always = false;
  /// What must hold before the loop, where it can be asked there; variables
  /// that the loop begins with stand for their first values.
  const clang::Expr *Condition = nullptr;
  llvm::SmallVector<std::pair<const clang::VarDecl *, const clang::Expr *>, 1>
      First;
};

/// A statement that only computes: the host needs it outside of the persistent
/// kernel only for what it changes.
struct HostStep {
  const clang::Stmt *Statement;
  bool InBlock;
  llvm::SmallVector<const clang::VarDecl *, 2> Reads, Writes;
};

/// What tells the host, before a loop, whether the loop waits for the device.
enum class WaitForm {
  OnEntry,   ///< It waits if its body runs, or never.
  Sometimes, ///< The loop's arithmetic up to the first wait.
};

/// How the launches' grids relate.
enum class GridForm {
  Same,     ///< One grid for all, which the loop does not change.
  Several,  ///< The loop does not change any.
  Computed, ///< Each iteration has its own; the host can tell them before.
};

/// What a fill or a copy within the device touches, in terms of what the host
/// knows before the loop and whenever an iteration begins.
struct DeviceRange {
  /// Where it begins, which the loop does not change; or null.
  const clang::Expr *Where = nullptr;
  /// It begins where this pointer from outside of the loop leads.
  const clang::VarDecl *Pointer = nullptr;
  const clang::Expr *Bytes = nullptr;
  /// It has a value only where the loop's body runs.
  bool MayTrap = false;
};

struct RelaunchLoop {
  const clang::Stmt *Loop = nullptr;
  const clang::FunctionDecl *Function = nullptr;
  std::vector<LoopLaunch> Launches; ///< In the order of the source, not empty.
  std::vector<LoopAction> Actions;  ///< In the order of the source.
  std::vector<HostStep> Steps;      ///< In the order of the source.
  /// std::min and std::max, as called where the device has to evaluate it.
  std::vector<const clang::DeclRefExpr *> StdExtrema;
  /// Variables from outside of the loop that the device needs, by first use.
  llvm::SetVector<const clang::VarDecl *> Captures;
  /// Of those, the ones that have no value before the loop.
  llvm::SmallPtrSet<const clang::VarDecl *, 2> Unset;
  /// Of the captures, those that may have no value before the loop and that no
  /// iteration takes over from what was before it.
  llvm::SmallPtrSet<const clang::VarDecl *, 2> SetAnew;
  /// Those that may have none before the loop, and of which nobody looks at it.
  llvm::SmallPtrSet<const clang::VarDecl *, 2> NotAsked;
  /// Of the captures, pointers to arrays of the host: how many elements the
  /// device gets in their place, none of which is there unless the loop runs.
  llvm::SmallDenseMap<const clang::VarDecl *, unsigned, 2> Elements;
  /// Variables from outside of the loop that it changes.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Changed;
  /// Of those, the ones that the host looks at afterwards.
  llvm::SetVector<const clang::VarDecl *> LiveOn;
  /// What decides which statements run, and how often.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Control;
  /// It depends on what kernels compute.
  bool ReadsBack = false;
  /// Each iteration launches the same kernels with the same arguments, and does
  /// nothing else to memory.
  bool Repeats = false;
  /// The host waits for the device in the loop.
  bool Waits = false;
  WaitForm Waiting = WaitForm::OnEntry;
  /// Asked where what moves out of the loop must not run unless the loop does.
  LoopEntry Entry;
  /// The loop's own variables that always have the value they begin with, which
  /// the host knows before the loop.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Invariants;
  /// Of those, the ones that the device does not need: all that a statement
  /// declares, or none.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> HostOnly;
  GridForm Grids = GridForm::Same;
  /// The persistent kernel's; the loop does not change it.
  const clang::Expr *Block = nullptr;
  /// Dynamic shared memory of the launches that ask for some, or null.
  const clang::Expr *SharedBytes = nullptr;
  /// Where CUDA itself would refuse one, the loop stays as it is.
  std::vector<DeviceRange> Ranges;
  std::vector<Blocker> Blockers;
};

/// A host loop with a launch in it; Parent is the nearest such loop around it.
struct HostLoop {
  const clang::Stmt *Loop;
  /// Null: what repeats a call without a keyword may stand in none.
  const clang::FunctionDecl *Function;
  bool InLambda;
  int Parent; ///< Index in the list, -1: none.
  /// Of a loop in a function template: the loop in each instance.
  std::vector<HostLoop> Instances = {};
  /// Of what repeats launches without a keyword; Loop is where it begins.
  std::vector<Blocker> NoKeyword = {};
};

/// All host loops outside of system headers that hold a launch in their text,
/// or hide one, outer loops before inner ones. Templates are looked at as
/// written.
std::vector<HostLoop> findHostLoops(const PassView &Host);

/// What the device passes know of a launched kernel.
using StepsOfKernel = llvm::function_ref<std::vector<const StepKernel *>(
    const clang::FunctionDecl &Kernel)>;

/// What \p L, of the host pass of \p Whole, does, and whether a kernel may do
/// it.
RelaunchLoop readRelaunchLoop(const HostLoop &L, const Program &Whole,
                              StepsOfKernel StepsOf, host::HostWaits &Waits);

/// A loop's text without some statements, for the values of some variables.
struct HostSlice {
  std::vector<const HostStep *> Unneeded;
  /// What is left changes variables from outside of the loop.
  bool HasEffects = false;
};

/// The part of \p L that computes \p Wanted, and runs as often as the loop.
HostSlice sliceFor(const RelaunchLoop &L,
                   llvm::ArrayRef<const clang::VarDecl *> Wanted);

/// The names in \p S, which may be null, as they stand there.
using NameSet = llvm::SmallPtrSet<const clang::Stmt *, 16>;
void addNames(const clang::Stmt *S, NameSet &Into);

/// The names in \p L that only the host evaluates, for the kernel's launch.
NameSet namesForHost(const RelaunchLoop &L);

} // namespace barricade::grid_barrier

#endif
