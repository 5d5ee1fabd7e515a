// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that a counter ends at last may wait until then, and the counter may
// be large:
//
//   for (long long spins = 0; spins < limit && !*flag; ++spins)
//     ;
//
// It looks at one place each time, which the kernel does not write, and leaves
// for what it finds there. What is compared with something that the loop counts
// or sums up is one of its bounds; and one that writes memory does not wait,
// but may be told to stop.

#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/GenericLambdas.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::waiting {
namespace {

class BoundedWait {
public:
  BoundedWait(const Stmt &Loop, const FunctionDecl &Function,
              const SourceManager &SM, const KernelEffects &Effects)
      : Loop(Loop), Function(Function), SM(SM), Effects(Effects),
        InLoop(repeatedParts(Loop)) {
    addExit(conditionOf(Loop));
    addExitsWithin(bodyOf(Loop));
    (void)holds(&Loop, [&](const Stmt &S) {
      Discarded.noteWithin(S);
      return false;
    });
  }

  SourceLocation find() const {
    if (Exits.empty())
      return {};
    const auto Nothing = [](const Expr &, const FunctionDecl &) {
      return false;
    };
    const SignalReads All = readSignals(&Loop, Function, SM, Nothing);
    if (!All.Stored.empty())
      return {};
    const auto Deciding = decidingCode(Loop, Function, Exits);
    SourceLocation Found;
    for (const Stmt *Part : Deciding)
      (void)holds(Part, [&](const Stmt &S) {
        if (looksAnew(S, Function, Discarded))
          Found = S.getBeginLoc();
        return Found.isValid();
      });
    if (Found.isValid() || !(All.Fences || All.Sleeps))
      return Found;
    return readSignals(Deciding, Function, SM,
                       [&](const Expr &Read, const FunctionDecl &In) {
                         return &In == &Function && isOneForeignPlace(Read, In);
                       })
        .PlainRead;
  }

private:
  /// Of conditions, each alone may end the loop.
  void addExit(const Expr *Condition) {
    if (const auto *Not = Condition ? dyn_cast<UnaryOperator>(
                                          Condition->IgnoreParenImpCasts())
                                    : nullptr;
        Not && Not->getOpcode() == UO_LNot)
      return addExit(Not->getSubExpr());
    const auto *Op =
        Condition ? dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts())
                  : nullptr;
    if (Op && Op->isLogicalOp()) {
      addExit(Op->getLHS());
      addExit(Op->getRHS());
    } else if (Condition && !isBound(*Condition)) {
      Exits.push_back(Condition);
    }
  }

  void addExitsWithin(const Stmt *S) {
    if (!S || isLoop(*S) || isa<LambdaExpr>(S))
      return;
    if (const auto *If = dyn_cast<IfStmt>(S);
        If && (leaves(If->getThen()) || leaves(If->getElse())))
      addExit(If->getCond());
    if (const auto *Switch = dyn_cast<SwitchStmt>(S);
        Switch && holds(Switch->getBody(), isFarJump))
      addExit(Switch->getCond());
    for (const Stmt *Child : S->children())
      addExitsWithin(Child);
  }

  static bool isFarJump(const Stmt &S) {
    return isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(S);
  }
  static bool leaves(const Stmt *S) {
    return breaksOut(S) || holds(S, isFarJump);
  }

  /// It names what the loop counts or sums up, for more than to know when to
  /// end.
  bool isBound(const Expr &Condition) const {
    return holds(&Condition, [&](const Stmt &S) {
      const VarDecl *Var = variableNamedBy(S);
      return Var &&
             llvm::any_of(InLoop.of(*Var),
                          [](const facts::VariableUse &U) {
                            return U.Kind == facts::UseKind::Step;
                          }) &&
             !onlyEnds(*Var, Condition);
    });
  }

  /// Whoever counts for \p Condition alone, or sums up what it finds at one
  /// place, counts how long it waits: `t < *bound`, `seen |= *flag`.
  bool onlyEnds(const VarDecl &Var, const Expr &Condition) const {
    return llvm::all_of(InLoop.of(Var), [&](const facts::VariableUse &U) {
      if (U.Kind != facts::UseKind::Step)
        return holds(&Condition, [&](const Stmt &S) { return &S == U.Name; });
      const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
      return !U.IsPart && (!Op || !isMoved(Op->getRHS()));
    });
  }

  /// Compilers make such a read of \p In each time; or it calls what does.
  bool looksAnew(const Stmt &S, const FunctionDecl &In,
                 const DiscardedValues &Unused) const {
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&S))
      return Cast->getCastKind() == CK_LValueToRValue &&
             Cast->getSubExpr()->getType().isVolatileQualified() &&
             isOneForeignPlace(*Cast->getSubExpr(), In);
    if (const auto *Asm = dyn_cast<GCCAsmStmt>(&S))
      return looksAnew(*Asm, In);
    if (const auto Look = atomicLook(S, In))
      return waitsBy(*Look, In) &&
             (Look->TellsByArgument || !Unused.contains(cast<Expr>(S)));
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee)
      return false;
    if (classifyCall(*Call, SM) == CallKind::Visible)
      return looksWithin(*Call, In);
    if (Call->getNumArgs() == 0)
      return false;
    const Expr &Place = *Call->getArg(0);
    // Nobody loads by __ldcv what nobody else writes.
    return isOnePlace(Place, In) &&
           (facts::nameOf(Callee) == "__ldcv" ||
            (loadsAnew(*Callee) &&
             Effects.mayWrite(Place, Place.getType()->getPointeeType(), In)
                 .isInvalid()));
  }

  /// The block's own memory is none that somebody else writes.
  bool looksAnew(const GCCAsmStmt &Asm, const FunctionDecl &In) const {
    const std::string Text = Asm.generateAsmString(Function.getASTContext());
    const llvm::StringRef Code = Text;
    return (!facts::isPlainAsm(Asm) || Code.contains("ld")) &&
           Code.contains("[") && !Code.contains(".shared") &&
           llvm::all_of(llvm::seq(Asm.getNumInputs()), [&](unsigned I) {
             return isOnePlace(*Asm.getInputExpr(I), In);
           });
  }

  /// What is told the same each time looks at the same places.
  bool looksWithin(const CallExpr &Call, const FunctionDecl &In) const {
    const FunctionDecl &Callee = *calleeDefinition(Call);
    if (!isOnePlace(Call, In) || !Asked.insert(&Callee).second)
      return false;
    DiscardedValues Unused;
    return codeHolds(Callee, [&](const Stmt &S) {
      Unused.noteWithin(S);
      return looksAnew(S, Callee, Unused);
    });
  }

  /// It keeps what it finds, each time at one place that others may write.
  bool waitsBy(const AtomicLook &Look, const FunctionDecl &In) const {
    return (Look.Effect == AtomicEffect::Keeps ||
            (Look.Effect == AtomicEffect::KeepsOnceDone &&
             isOnePlace(*Look.Operand, In))) &&
           isOnePlace(*Look.Place, In) &&
           (!Look.Place->getType()->isPointerType() ||
            Effects.isWithinReachOfHost(*Look.Place, In));
  }

  bool isOneForeignPlace(const Expr &Read, const FunctionDecl &In) const {
    return isOnePlace(Read, In) && isForeign(Read, In, Effects);
  }

  /// Nothing that the loop changes says where \p Address leads, or what it is;
  /// of what a lambda captures that is not known. A function that the loop
  /// calls is told the same each time.
  bool isOnePlace(const Expr &Address, const FunctionDecl &In) const {
    return &In != &Function || (!namesCaptured(Address) && !isMoved(&Address));
  }

  bool isMoved(const Stmt *E, unsigned Depth = 0) const {
    return holds(E, [&](const Stmt &S) {
      const VarDecl *Var = variableNamedBy(S);
      const auto Look = atomicLook(S, Function);
      return (Look && Look->Effect != AtomicEffect::Keeps) ||
             (Var && Var->hasLocalStorage() && isMoved(*Var, Depth + 1));
    });
  }

  /// What is set to something that leads on does so, too: to itself, say.
  bool isMoved(const VarDecl &Var, unsigned Depth) const {
    return Depth > 8 ||
           (Var.getInit() && isOfLoop(Var) && isMoved(Var.getInit(), Depth)) ||
           llvm::any_of(InLoop.of(Var), [&](const facts::VariableUse &U) {
             return changesPlace(U, Var) && !isSetToOnePlace(U, Depth);
           });
  }

  bool isOfLoop(const VarDecl &Var) const {
    return llvm::any_of(repeatedParts(Loop),
                        [&](const Stmt *Part) { return declares(Part, Var); });
  }

  /// Whatever is done to what a reference names, or by an object of libcu++'s,
  /// they stand for the same; and assembly does not change what it takes.
  bool changesPlace(const facts::VariableUse &U, const VarDecl &Var) const {
    const CXXRecordDecl *Class = classOf(Var.getType());
    const bool IsTaken =
        U.Kind == facts::UseKind::Unknown && isa_and_nonnull<AsmStmt>(U.By);
    return InLoop.mayChange(U) && !Var.getType()->isReferenceType() &&
           !(Class && isMeetingPlace(*Class)) && !IsTaken;
  }

  bool isSetToOnePlace(const facts::VariableUse &U, unsigned Depth) const {
    const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
    return U.Kind == facts::UseKind::Assign && !U.IsPart && Op &&
           !isMoved(Op->getRHS(), Depth);
  }

  const Stmt &Loop;
  const FunctionDecl &Function;
  const SourceManager &SM;
  const KernelEffects &Effects;
  const facts::VariableFacts InLoop;
  llvm::SmallVector<const Stmt *, 4> Exits;
  DiscardedValues Discarded;
  /// Functions that have been looked into.
  mutable llvm::SmallPtrSet<const FunctionDecl *, 8> Asked;
};

} // namespace

SourceLocation findBoundedWait(const FunctionDecl &Function,
                               const SourceManager &SM,
                               const KernelEffects &Effects) {
  return findInLoops(Function, [&](const Stmt &Loop) {
    return isBounded(Loop, Function)
               ? BoundedWait(Loop, Function, SM, Effects).find()
               : SourceLocation();
  });
}

} // namespace barricade::waiting
