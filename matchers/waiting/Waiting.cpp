// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/waiting/Waiting.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/source/GenericLambdas.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace barricade {

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace waiting {

SourceLocation
findInLoops(const FunctionDecl &Function,
            llvm::function_ref<SourceLocation(const Stmt &)> Find) {
  SourceLocation Found;
  codeHolds(Function, [&](const Stmt &S) {
    if (isLoop(S) && !isOfPattern(S))
      Found = Find(S);
    return Found.isValid();
  });
  return Found;
}

static bool whatever(const Expr &, const FunctionDecl &) { return true; }

/// The reads in what decides how often \p Loop runs, of what \p MayBeWritten
/// says.
static SignalReads readsThatDecide(const Stmt &Loop,
                                   const FunctionDecl &Function,
                                   const SourceManager &SM,
                                   ReadQuestion MayBeWritten) {
  return readSignals(decidingCode(Loop, Function), Function, SM, MayBeWritten);
}

/// A plain read of memory that others write, and that decides how often \p Loop
/// runs, where no counter ends it anyway. Compilers may read once what nothing
/// in the loop can change, but often do not: where its address changes, or
/// where not every iteration reads it. Of two different pointers it is asked
/// that they have to read anew, for one of \p Stored, the loop's own stores,
/// may change what is read: most kernels that read by one and write by another
/// are called with different memory.
static SourceLocation
decidingRead(const Stmt &Loop, const FunctionDecl &Function,
             const SourceManager &SM, llvm::ArrayRef<SignalReads::Store> Stored,
             const KernelEffects &Effects, ReadQuestion IsAskedAbout) {
  if (isBounded(Loop, Function))
    return {};
  const auto IsReadAnew = [&](const Expr &Read, const FunctionDecl &In) {
    const ForeignWrites Writes = Effects.foreignWrites(Read, In);
    return IsAskedAbout(Read, In) &&
           (Writes == ForeignWrites::Seen ||
            (Writes == ForeignWrites::ByAlias &&
             llvm::any_of(Stored, [&](const SignalReads::Store &S) {
               return typesMayAlias(S.To->getType(), Read.getType(),
                                    Function.getASTContext());
             })));
  };
  return readsThatDecide(Loop, Function, SM, IsReadAnew).PlainRead;
}

bool isForeign(const Expr &Read, const FunctionDecl &In,
               const KernelEffects &Effects) {
  return namesCaptured(Read) ||
         (Effects.foreignWrites(Read, In) != ForeignWrites::Seen &&
          Effects.isWithinReachOfHost(Read, In));
}

SourceLocation waitForHost(const Stmt &Loop, const FunctionDecl &Function,
                           const SourceManager &SM,
                           const KernelEffects &Effects,
                           ReadQuestion IsAskedAbout) {
  if (onlyCounts(Loop, Function) || isBounded(Loop, Function))
    return {};
  const auto IsForeign = [&](const Expr &Read, const FunctionDecl &In) {
    return isForeign(Read, In, Effects) && IsAskedAbout(Read, In);
  };
  const SignalReads All = readSignals(&Loop, Function, SM, IsForeign);
  if (!All.Ordered && !All.MeetsBlock && !All.UnseenMayOrder)
    return {};
  const SignalReads Deciding = readsThatDecide(Loop, Function, SM, IsForeign);
  return Deciding.PlainRead.isValid() ? Deciding.PlainRead
                                      : Deciding.UnseenCall;
}

SourceLocation waitByRecursion(const FunctionDecl &Function,
                               const SourceManager &SM,
                               const KernelEffects &Effects) {
  const SignalReads All =
      readSignals(Function.getBody(), Function, SM,
                  [&](const Expr &Read, const FunctionDecl &In) {
                    return isForeign(Read, In, Effects);
                  });
  return All.Ordered || All.MeetsBlock ? All.PlainRead : SourceLocation();
}

/// By reads that \p IsAskedAbout, of what others may write.
static SourceLocation findWaitBy(const Stmt &Loop, const FunctionDecl &Function,
                                 const SourceManager &SM,
                                 const KernelEffects &Effects,
                                 ReadQuestion IsAskedAbout) {
  const auto MayBeWritten = [&](const Expr &Read, const FunctionDecl &In) {
    return Effects.foreignWrites(Read, In) != ForeignWrites::None &&
           IsAskedAbout(Read, In);
  };
  const SignalReads Reads = readSignals(&Loop, Function, SM, MayBeWritten);
  const SourceLocation Found =
      Reads.found().isValid() ? Reads.found()
                              : decidingRead(Loop, Function, SM, Reads.Stored,
                                             Effects, IsAskedAbout);
  if (Found.isInvalid() && Reads.FencesSystem)
    return waitForHost(Loop, Function, SM, Effects, whatever);
  if (Found.isInvalid() || onlyCounts(Loop, Function) ||
      isRetriedExchange(Loop, Function))
    return {};
  return Found;
}

} // namespace waiting

SourceLocation findWait(const Stmt &Loop, const FunctionDecl &Function,
                        const SourceManager &SM, const KernelEffects &Effects) {
  return waiting::findWaitBy(Loop, Function, SM, Effects, waiting::whatever);
}

SourceLocation findHostWait(const Stmt &Loop, const FunctionDecl &Function,
                            const SourceManager &SM,
                            const KernelEffects &Effects) {
  const SourceLocation Found =
      waiting::findWaitBy(Loop, Function, SM, Effects,
                          [&](const Expr &Read, const FunctionDecl &In) {
                            return Effects.isWithinReachOfHost(Read, In);
                          });
  return Found.isValid() ? Found
                         : waiting::waitForHost(Loop, Function, SM, Effects,
                                                waiting::whatever);
}

//===----------------------------------------------------------------------===//
// Gotos
//===----------------------------------------------------------------------===//

namespace waiting {

SourceLocation backwardGoto(const FunctionDecl &Function,
                            const SourceManager &SM) {
  struct GotoFinder : ConstDynamicRecursiveASTVisitor {
    explicit GotoFinder(const SourceManager &SM) : SM(SM) {}
    const SourceManager &SM;
    SourceLocation Backward;
    bool VisitGotoStmt(const GotoStmt *Goto) override {
      const Stmt *Target = Goto->getLabel()->getStmt();
      if (Target && SM.isBeforeInTranslationUnit(Target->getBeginLoc(),
                                                 Goto->getBeginLoc()))
        Backward = Goto->getBeginLoc();
      return true;
    }
    bool VisitAsmStmt(const AsmStmt *Asm) override {
      if (loopsByItself(*Asm))
        Backward = Asm->getAsmLoc();
      return true;
    }
  } Finder(SM);
  Finder.TraverseStmt(Function.getBody());
  return Finder.Backward;
}
/// Of reads of what \p MayBeWritten says.
static SourceLocation findGotoWaitBy(const FunctionDecl &Function,
                                     const SourceManager &SM,
                                     ReadQuestion MayBeWritten) {
  if (backwardGoto(Function, SM).isInvalid())
    return {};
  // What decides how often it runs is not looked for: any read may.
  const SignalReads Reads =
      readSignals(Function.getBody(), Function, SM, MayBeWritten);
  return Reads.Signal.isValid() ? Reads.Signal : Reads.PlainRead;
}

} // namespace waiting

SourceLocation findGotoWait(const FunctionDecl &Function,
                            const SourceManager &SM,
                            const KernelEffects &Effects) {
  return waiting::findGotoWaitBy(
      Function, SM, [&](const Expr &Read, const FunctionDecl &In) {
        return Effects.foreignWrites(Read, In) != ForeignWrites::None;
      });
}

SourceLocation findHostGotoWait(const FunctionDecl &Function,
                                const SourceManager &SM,
                                const KernelEffects &Effects) {
  return waiting::findGotoWaitBy(Function, SM,
                                 [&](const Expr &Read, const FunctionDecl &In) {
                                   return Effects.isWithinReachOfHost(Read, In);
                                 });
}

} // namespace barricade
