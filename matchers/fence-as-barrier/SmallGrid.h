// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel for a grid of a few small blocks, thread by thread, and notes
// which places of global memory each thread touches and where it fences and
// synchronises. What holds for the small grid shows how threads' accesses
// relate in a large one (the small-scope hypothesis; Jackson: "Software
// Abstractions", section 5.1.3).
//
// Control flow and addresses are followed as far as they come from indices,
// constants and the host's scalars. Contents of memory are not: a condition
// that depends on them is one that may go either way, and what is done under it
// is done for nobody in particular, so it is left out of the trace. A thread's
// trace ends where it may have waited for another block.
//
// This runs all threads; how one runs is in small-grid/.

#ifndef BARRICADE_MATCHERS_FENCEASBARRIER_SMALLGRID_H
#define BARRICADE_MATCHERS_FENCEASBARRIER_SMALLGRID_H

#include "matchers/facts/KernelEffects.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <compare>
#include <optional>
#include <vector>

namespace clang {
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::fence_as_barrier {

/// The extents of a launch, x first.
struct LaunchShape {
  std::array<unsigned, 3> Grid = {1, 1, 1};
  std::array<unsigned, 3> Block = {1, 1, 1};

  unsigned blocks() const { return Grid[0] * Grid[1] * Grid[2]; }
  unsigned threads() const { return Block[0] * Block[1] * Block[2]; }
  bool isOneDimensional() const {
    return Grid[1] * Grid[2] * Block[1] * Block[2] == 1;
  }
};

/// An object that the host hands to the kernel: a parameter or a `__constant__`
/// variable, or what lies at an offset of it in bytes, such as a field.
struct HostValue {
  const clang::VarDecl *Var = nullptr;
  int64_t Offset = 0;
  auto operator<=>(const HostValue &) const = default;
};

/// Chooses the value of a scalar that the host hands over.
using ScalarChoice =
    llvm::function_ref<int64_t(const HostValue &, clang::QualType)>;

/// A place in global memory: what a pointer of the host's points at, or, with
/// `IsVariable`, a `__device__` variable.
struct GlobalPlace {
  HostValue Root;
  bool IsVariable = false;
  int64_t Offset = 0; ///< In bytes, from where the root points.
  auto operator<=>(const GlobalPlace &) const = default;
};

/// When in a thread's run something happened.
struct Moment {
  unsigned Order = 0;    ///< Counts the thread's own events.
  unsigned Interval = 0; ///< Block barriers that the thread has passed.
  unsigned Epoch = 0;    ///< Grid barriers that the thread has passed.
};

struct MemoryEvent {
  const clang::Expr *Access; ///< The lvalue.
  const clang::FunctionDecl *Function;
  GlobalPlace Where;
  unsigned Width; ///< In bytes.
  bool IsStore;
  std::optional<int64_t> Stored; ///< What is stored, where that is known.
  Moment When;
};

struct FenceEvent {
  const clang::Stmt *Fence;
  const clang::FunctionDecl *Function;
  Moment When;
};

/// What one thread surely does before it may have waited for another block.
struct ThreadTrace {
  std::vector<MemoryEvent> Accesses;
  std::vector<FenceEvent> Fences;
  /// Where the trace ends early, for the thread may have waited.
  std::optional<Moment> Waited;
};

/// What of a kernel does not depend on the choice of its scalars.
class SmallGrid {
public:
  /// \p Effects must outlive this object.
  SmallGrid(const KernelEffects &Effects, const LaunchShape &Shape);

  /// The traces of all threads, block by block. Nothing where the kernel cannot
  /// be followed: its runs take too long together, or it uses what is not
  /// modelled.
  std::optional<std::vector<ThreadTrace>> run(ScalarChoice Choose);

  const LaunchShape &shape() const { return Shape; }
  const KernelEffects &effects() const { return Effects; }
  /// Some thread could notice another block's writes: the kernel has atomics,
  /// volatile accesses, or calls that cannot be looked into.
  bool hasSignals() const { return HasSignals; }
  /// Might the kernel write what \p Access reads in \p Function?
  bool mayChange(const clang::Expr &Access,
                 const clang::FunctionDecl &Function);

private:
  const KernelEffects &Effects;
  LaunchShape Shape;
  bool HasSignals;
  unsigned Steps = 0; ///< Of all runs.
  llvm::DenseMap<const clang::Expr *, bool> Changeable;
};

} // namespace barricade::fence_as_barrier

#endif
