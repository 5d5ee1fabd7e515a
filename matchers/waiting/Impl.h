// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a loop is asked whether a thread may wait in it. Each question is a file
// of its own:
//
//   SignalReads.cpp   by which reads could another thread's writes be noticed
//   DecidingCode.cpp  what decides how often a loop runs
//   LoopEnd.cpp       which loops end whatever others write
//   AtomicLooks.cpp   does an atomic change what it finds
//   ExchangedValues.cpp  does a compared exchange change what it compares
//   FirstGuesses.cpp  does a load just guess what an exchange will find
//   LinkWalks.cpp     does what is found say where to look next
//   ThreadEnd.cpp     does a statement end its thread
//   BoundedWaits.cpp  does a loop wait until a counter ends it
//   LoopMoves.cpp     does a loop go on to other places
//   AsmLoops.cpp      is a piece of assembly a loop of its own
//   Waiting.cpp       does a loop, or a goto, wait, for its grid or the host
//   Poll.cpp          does a kernel look again and again at what others write
//
// For Waiting alone: what is asked from outside is there.

#ifndef BARRICADE_MATCHERS_WAITING_IMPL_H
#define BARRICADE_MATCHERS_WAITING_IMPL_H

#include "matchers/waiting/Waiting.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace clang {
class CallExpr;
class Expr;
class VarDecl;
} // namespace clang

namespace barricade::waiting {

/// Whether an lvalue of a function is one that a walk looks for.
using ReadQuestion =
    llvm::function_ref<bool(const clang::Expr &, const clang::FunctionDecl &)>;

/// What the statements that a walk has come by throw away: who calls an atomic
/// so does not look at what it finds.
class DiscardedValues {
public:
  /// Notes the values of statements right within \p S.
  void noteWithin(const clang::Stmt &S);
  bool contains(const clang::Expr &E) const { return Found.contains(&E); }

private:
  llvm::SmallPtrSet<const clang::Expr *, 16> Found;
  /// What the statement expression that comes next is.
  const clang::Stmt *Result = nullptr;
};

/// Reads by which another thread's writes could be noticed, and what makes
/// compilers read anew.
struct SignalReads {
  /// What is a signal whatever else is done.
  clang::SourceLocation Signal;
  /// A call of what cannot be looked into, lambdas among them.
  clang::SourceLocation UnseenCall;
  /// A read of plain memory that the kernel writes, and something that orders
  /// it among what other threads do.
  clang::SourceLocation PlainRead;
  bool Ordered = false;
  /// Something that cannot be looked into may order them, too.
  bool UnseenMayOrder = false;
  /// The threads of a block wait for each other.
  bool MeetsBlock = false;
  /// A thread sleeps.
  bool Sleeps = false;
  /// There is a fence for the host, too.
  bool FencesSystem = false;
  /// There is a fence of any scope.
  bool Fences = false;

  clang::SourceLocation found() const {
    return Signal.isValid() ? Signal
           : Ordered        ? PlainRead
                            : clang::SourceLocation();
  }

  /// What an assignment or a step of \p In writes to memory.
  struct Store {
    const clang::Expr *To;
    const clang::FunctionDecl *In;
  };
  llvm::SmallVector<Store, 8> Stored;
};

/// Where a compared exchange has what it expects from.
enum class Expected {
  Given,   ///< From what is written there.
  Renewed, ///< It is told what was found, too, where that is something else.
};

/// A compared exchange of \p Function puts \p New, another value, in place of
/// \p Old, as far as can be told.
bool exchangeTakes(const clang::Expr &Old, const clang::Expr &New,
                   const clang::FunctionDecl &Function,
                   Expected How = Expected::Given);

/// The values of \p E of \p Function as far as they are seen: \p E itself, and
/// of local variables what is put into them.
llvm::SmallVector<const clang::Expr *, 4>
valuesOf(const clang::Expr &E, const clang::FunctionDecl &Function);

/// What an atomic does to the value that it finds.
enum class AtomicEffect {
  Changes,       ///< It leaves another one.
  Keeps,         ///< It may leave it as it is, by what is known of it.
  KeepsOnceDone, ///< So it does from the second time on, by the same operand.
  Unknown,       ///< Nothing is known of its operand.
};

/// An atomic that tells what it finds.
struct AtomicLook {
  AtomicEffect Effect = AtomicEffect::Unknown;
  /// What it looks at: a pointer, or an object of libcu++.
  const clang::Expr *Place = nullptr;
  const clang::Expr *Operand = nullptr; ///< Null: it has none.
  /// What it finds is put into an argument, whoever throws away its result.
  bool TellsByArgument = false;
};

/// What \p S, code of \p Function, is; nothing where it is no such atomic.
std::optional<AtomicLook> atomicLook(const clang::Stmt &S,
                                     const clang::FunctionDecl &Function);

/// What \p Var of \p Function begins with is a load that guesses what an
/// exchange will find, by which no thread waits. \p IsRepeated: somebody else
/// may run what \p Effects are of again and again.
bool isFirstGuess(const clang::VarDecl &Var,
                  const clang::FunctionDecl &Function,
                  const KernelEffects &Effects, bool IsRepeated);

/// \p Look, a call of \p Function's of an atomic on its first argument, finds
/// where to look next, until a place leads to itself.
bool followsLinks(const clang::CallExpr &Look,
                  const clang::FunctionDecl &Function);

/// Those of \p Code of \p Function, null or not, and of all that it calls. \p
/// MayBeWritten says which memory is asked about.
SignalReads readSignals(llvm::ArrayRef<const clang::Stmt *> Code,
                        const clang::FunctionDecl &Function,
                        const clang::SourceManager &SM,
                        ReadQuestion MayBeWritten);

/// What runs in every iteration; some may be null.
llvm::SmallVector<const clang::Stmt *, 4>
repeatedParts(const clang::Stmt &Loop);

/// Nothing follows \p S in its thread: it traps, exits, or calls what does so
/// at last.
bool endsThread(const clang::Stmt &S);

/// What decides how often \p Loop runs: its conditions, those of the jumps out
/// of it, and all that gives the variables in them their values.
llvm::SmallVector<const clang::Stmt *, 8>
decidingCode(const clang::Stmt &Loop, const clang::FunctionDecl &Function);

/// Of \p Conditions alone.
llvm::SmallVector<const clang::Stmt *, 8>
decidingCode(const clang::Stmt &Loop, const clang::FunctionDecl &Function,
             llvm::ArrayRef<const clang::Stmt *> Conditions);

/// Nothing but counters end the loop. One with a bound may still wait until
/// then: for what comes in time, as long as nobody is held up.
bool onlyCounts(const clang::Stmt &Loop, const clang::FunctionDecl &Function);

/// A counter ends \p Loop at last, if nothing else does.
bool isBounded(const clang::Stmt &Loop, const clang::FunctionDecl &Function);

/// \p E of \p Function is never 0 nor negative: numbers, extents of the grid,
/// and their sums and products.
bool isPositive(const clang::Expr &E, const clang::FunctionDecl &Function);

/// \code
///   do {
///     assumed = old;
///     old = atomicCAS(address, assumed, f(assumed));
///   } while (assumed != old);
/// \endcode
/// It repeats only if another thread's exchange came between, not until one
/// comes (CUDA C++ Programming Guide, "Atomic Functions", its example). The
/// address is always the same, and so are the types: otherwise two that never
/// are equal would be compared for ever.
bool isRetriedExchange(const clang::Stmt &Loop,
                       const clang::FunctionDecl &Function);

/// A part of \p E is a variable that the lambda around it captures.
bool namesCaptured(const clang::Expr &E);

/// Every iteration of \p Loop evaluates the address of \p Read to the same, or,
/// of what a lambda captures, may do so.
bool readsSamePlace(const clang::Expr &Read, const clang::Stmt &Loop,
                    const clang::FunctionDecl &Function);

/// What the kernel writes is its own affair; the rest may be somebody else's,
/// and nobody knows where what a lambda captures leads.
bool isForeign(const clang::Expr &Read, const clang::FunctionDecl &In,
               const KernelEffects &Effects);

/// A read by which a loop of \p Function waits until a counter ends it.
clang::SourceLocation findBoundedWait(const clang::FunctionDecl &Function,
                                      const clang::SourceManager &SM,
                                      const KernelEffects &Effects);

/// The first place that \p Find has for a loop of \p Function's, lambdas
/// included.
clang::SourceLocation findInLoops(
    const clang::FunctionDecl &Function,
    llvm::function_ref<clang::SourceLocation(const clang::Stmt &)> Find);

/// \p S is assembly that branches back and looks at other memory than the
/// block's, as far as can be seen.
bool loopsByItself(const clang::Stmt &S);

/// A goto of \p Function, or of its assembly, that leads back.
clang::SourceLocation backwardGoto(const clang::FunctionDecl &Function,
                                   const clang::SourceManager &SM);

/// A read that decides when \p Loop ends, of what the host may write and
/// \p IsAskedAbout, or a call that decides and may make such reads, if anything
/// makes compilers read anew.
clang::SourceLocation waitForHost(const clang::Stmt &Loop,
                                  const clang::FunctionDecl &Function,
                                  const clang::SourceManager &SM,
                                  const KernelEffects &Effects,
                                  ReadQuestion IsAskedAbout);

/// The same of \p Function, which may call itself: any such read may decide.
clang::SourceLocation waitByRecursion(const clang::FunctionDecl &Function,
                                      const clang::SourceManager &SM,
                                      const KernelEffects &Effects);

} // namespace barricade::waiting

#endif
