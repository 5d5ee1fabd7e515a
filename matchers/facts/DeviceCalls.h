// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call in device code means for synchronisation: the one table of CUDA's
// built-in functions. Sources: CUDA C++ Programming Guide, "C++ Language
// Extensions"; PTX ISA, "Special Registers" and "Parallel Synchronization and
// Communication Instructions".

#ifndef BARRICADE_MATCHERS_FACTS_DEVICECALLS_H
#define BARRICADE_MATCHERS_FACTS_DEVICECALLS_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
class SourceManager;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade {

enum class CallKind {
  BlockBarrier, ///< __syncthreads() and its voting forms.
  NamedBarrier, ///< bar.sync with an id, cuda::barrier, cooperative groups.
  GridBarrier,  ///< waits for other blocks.
  WarpSync,     ///< __syncwarp().
  Fence,        ///< __threadfence*(): orders, does not wait.
  Exchange,     ///< shuffles, votes, matches: values of other lanes.
  Atomic,       ///< reads and writes memory that others share.
  Load,         ///< __ldg and the cache-hinted loads: `*arg0`.
  Store,        ///< __stcg and the cache-hinted stores: `*arg0 = arg1`.
  Assignment,   ///< a struct's trivial `operator=`: `arg0 = arg1`.
  Clock,        ///< clocks and timers.
  UniformIndex, ///< a special register that a block shares (ctaid, ntid, ...).
  ThreadIndex,  ///< a special register of the thread or its warp.
  Pure,         ///< a function of its arguments' values alone.
  Print,        ///< printf, assert: no value, no synchronisation.
  Trap,         ///< ends the whole grid.
  Visible,      ///< has a body in this translation unit: look inside.
  Unknown,      ///< anything might happen.
};

/// A cache-hinted load of CUDA's, which a loop makes each time anew; what
/// `__ldg` reads nobody writes meanwhile.
bool loadsAnew(const clang::FunctionDecl &Function);

/// Classifies the call by its callee.
CallKind classifyCall(const clang::CallExpr &Call,
                      const clang::SourceManager &SM);

/// True for __syncthreads_or, _and and _count: barriers whose value every
/// thread of the block shares.
bool isBlockVote(const clang::CallExpr &Call);

/// True for a texture fetch. It reads memory that no argument shows, and
/// nothing keeps the kernel from writing it.
bool fetchesTexture(const clang::CallExpr &Call);

/// True for what waits for the other lanes of the warp: __syncwarp, and the
/// shuffles, votes and matches that take a mask.
bool waitsForLanes(const clang::CallExpr &Call);

/// True for what waits for the grid before: cudaGridDependencySynchronize, and
/// the runtime's name for it.
bool waitsForPreviousGrid(const clang::CallExpr &Call);

/// The first statement of \p Kernel, a definition, where that waits for the
/// grid before, by whatever name; else null.
const clang::Stmt *firstGridWait(const clang::FunctionDecl &Kernel);

/// True for barricade::coherent: its argument, in a way that tells compilers
/// less of it.
bool isCoherentPointer(const clang::CallExpr &Call);

/// The body that \p Call runs, or null: a direct callee whose definition is in
/// this translation unit.
const clang::FunctionDecl *calleeDefinition(const clang::CallExpr &Call);

/// The built-in index variable that \p E reads a member of (`threadIdx.x`, as
/// Clang's pseudo-object or as a plain member), or an empty name. \p Member is
/// set to 'x', 'y', 'z' (or 'w' for `warpSize` and whole-object reads).
llvm::StringRef builtinIndexVariable(const clang::Expr &E, char &Member);

/// The same for `x` of `auto [x, y, z] = threadIdx`. It is what the member was
/// unless \p Holding, the variable behind it, is changed.
llvm::StringRef builtinIndexBinding(const clang::Expr &E, char &Member,
                                    const clang::VarDecl *&Holding);

} // namespace barricade

#endif
