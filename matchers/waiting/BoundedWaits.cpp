// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that a counter ends at last may wait until then, and the counter may
// be large:
//
//   for (long long spins = 0; spins < limit && !*flag; ++spins)
//     ;
//
// It looks at the same places each time, which the kernel does not write, and
// leaves for what it finds there, whatever else it does meanwhile: whether that
// is work, or only shows that the thread still waits, nobody can tell. What is
// compared with something that the loop counts or sums up is one of its bounds.

#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/GenericLambdas.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "matchers/waiting/LoopMoves.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/SaveAndRestore.h"
#include <utility>

using namespace clang;

namespace barricade::waiting {
namespace {

class BoundedWait {
public:
  BoundedWait(const Stmt &Loop, const FunctionDecl &Function,
              const SourceManager &SM, const KernelEffects &Effects)
      : Loop(Loop), Function(Function), SM(SM), Effects(Effects),
        Moves(Loop, Function, SM, Effects), InLoop(Moves.inLoop()) {
    (void)holds(&Loop, [&](const Stmt &S) {
      Discarded.noteWithin(S);
      return false;
    });
    addExit(conditionOf(Loop));
    addExitsWithin(bodyOf(Loop));
    if (llvm::any_of(Exits, [&](const Stmt *Exit) { return isSkipped(*Exit); }))
      addSkips();
  }

  SourceLocation find() const {
    if (Exits.empty())
      return {};
    const SignalReads All = readSignals(&Loop, Function, SM, nothing);
    const auto Deciding = decidingExits();
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
  static bool nothing(const Expr &, const FunctionDecl &) { return false; }

  /// What decides of the exits, by way of memory, too: `*seen = *flag`.
  llvm::SmallVector<const Stmt *, 8> decidingExits() const {
    const auto Direct = decidingCode(Loop, Function, Exits);
    llvm::SmallVector<const Stmt *, 8> All(Exits.begin(), Exits.end());
    (void)holds(&Loop, [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      if (!Op || Op->getOpcode() != BO_Assign)
        return false;
      const auto IsRead = [&](const Stmt &Part) {
        const auto *Cast = dyn_cast<ImplicitCastExpr>(&Part);
        return Cast && Cast->getCastKind() == CK_LValueToRValue &&
               isSameAs(*Cast->getSubExpr()->IgnoreParens(), *Op->getLHS());
      };
      if (!localNamedBy(*Op->getLHS()->IgnoreParens()) &&
          llvm::any_of(Direct,
                       [&](const Stmt *Part) { return holds(Part, IsRead); }))
        All.push_back(Op->getRHS());
      return false;
    });
    return decidingCode(Loop, Function, All);
  }

  bool isSameAs(const Expr &A, const Expr &B) const {
    llvm::FoldingSetNodeID OfA, OfB;
    A.IgnoreParens()->Profile(OfA, Function.getASTContext(),
                              /*Canonical=*/true);
    B.IgnoreParens()->Profile(OfB, Function.getASTContext(),
                              /*Canonical=*/true);
    return OfA == OfB;
  }

  Told movedBy(const CallExpr &Call, const FunctionDecl &Callee,
               const FunctionDecl &In) const {
    Told Result = movesObject(Call, In) ? ObjectBit : 0;
    const unsigned First =
        isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee);
    for (const ParmVarDecl *Param : Callee.parameters()) {
      const unsigned Index = First + Param->getFunctionScopeIndex();
      if (Index < Call.getNumArgs() && !isOnePlace(*Call.getArg(Index), In))
        Result |= bitOf(*Param);
    }
    return Result;
  }

  /// The object whose function \p Call is may get other members, as far as the
  /// loop has it.
  bool movesObject(const CallExpr &Call, const FunctionDecl &In) const {
    const Expr *Object = objectOf(Call);
    if (!Object)
      return false;
    const VarDecl *Var = variableNamedBy(*Object);
    if (&In != &Function || !Var || !Var->hasLocalStorage() ||
        Var->getType()->isReferenceType())
      return !isOnePlace(*Object, In);
    const auto IsKept = [&](const facts::VariableUse &U) {
      return !Moves.changesPlace(U, *Var) || !Moves.isOfEachRound(*U.Name) ||
             holds(&Loop, [&](const Stmt &S) {
               const auto *By = dyn_cast<CallExpr>(&S);
               return By && objectOf(*By) == U.Name && keepsMembers(*By);
             });
    };
    return !llvm::all_of(InLoop.of(*Var), IsKept) ||
           (Moves.isOfLoop(*Var) && Var->getInit() &&
            Moves.goesOn(*Var->getInit()));
  }

  static const Expr *objectOf(const CallExpr &Call) {
    const Expr *Object = nullptr;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
      Object = Member->getImplicitObjectArgument();
    else if (isa<CXXOperatorCallExpr>(Call) && Call.getNumArgs() > 0 &&
             isa_and_nonnull<CXXMethodDecl>(Call.getDirectCallee()))
      Object = Call.getArg(0);
    return Object ? Object->IgnoreParenImpCasts() : nullptr;
  }

  /// What is called sets none of its object's members by their names.
  static bool keepsMembers(const CallExpr &Call) {
    const FunctionDecl *Callee = calleeDefinition(Call);
    return Callee && !codeHolds(*Callee, [](const Stmt &S) {
             const auto *Op = dyn_cast<BinaryOperator>(&S);
             const auto *Step = dyn_cast<UnaryOperator>(&S);
             const Expr *To = Op && Op->isAssignmentOp() ? Op->getLHS()
                              : Step && (Step->isIncrementDecrementOp() ||
                                         Step->getOpcode() == UO_AddrOf)
                                  ? Step->getSubExpr()
                                  : nullptr;
             return To && isa<MemberExpr>(To->IgnoreParens());
           });
  }

  static const VarDecl *localNamedBy(const Stmt &S) {
    const VarDecl *Var = variableNamedBy(S);
    return Var && Var->hasLocalStorage() ? Var : nullptr;
  }

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

  /// Whose a `break` is, and a `continue`.
  enum class Jumps { OfLoop, OfSwitch, OfOther };

  void addExitsWithin(const Stmt *S, Jumps Whose = Jumps::OfLoop) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (leavesBy(*S, Whose))
      addSkips();
    const auto *If = dyn_cast<IfStmt>(S);
    const auto *Switch = dyn_cast<SwitchStmt>(S);
    const bool MaySkip = Whose != Jumps::OfOther;
    if (If)
      addBranch(*If->getCond(),
                leaves(If->getThen(), Whose) || leaves(If->getElse(), Whose),
                MaySkip && (skips(If->getThen()) || skips(If->getElse())));
    if (Switch)
      addBranch(*Switch->getCond(), holds(Switch->getBody(), isFarJump),
                MaySkip && skips(Switch->getBody()));
    const Jumps Within = isLoop(*S)                         ? Jumps::OfOther
                         : Switch && Whose == Jumps::OfLoop ? Jumps::OfSwitch
                                                            : Whose;
    for (const Stmt *Child : S->children())
      addExitsWithin(Child, Within);
  }

  static bool leavesBy(const Stmt &S, Jumps Whose) {
    return isFarJump(S) || (isa<BreakStmt>(S) && Whose == Jumps::OfLoop);
  }

  void addBranch(const Expr &Condition, bool Leaves, bool Skips) {
    if (Leaves)
      addExit(&Condition);
    else if (Skips)
      Skipping.push_back(&Condition);
  }

  /// `if (!*flag) continue; break;`
  void addSkips() {
    for (const Expr *Condition : Skipping)
      addExit(Condition);
    Skipping.clear();
  }

  /// What \p Exit looks at changes only in some rounds.
  bool isSkipped(const Stmt &Exit) const {
    return holds(&Exit, [&](const Stmt &S) {
      const VarDecl *Var = localNamedBy(S);
      return Var && llvm::any_of(InLoop.of(*Var), [&](const auto &U) {
               return Moves.changesPlace(U, *Var) &&
                      !Moves.isOfEachRound(*U.Name);
             });
    });
  }

  static bool isFarJump(const Stmt &S) {
    return isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(S) || endsThread(S);
  }
  static bool leaves(const Stmt *S, Jumps Whose) {
    return (Whose == Jumps::OfLoop && breaksOut(S)) || holds(S, isFarJump);
  }

  /// It names what the loop counts or sums up, for more than to know when to
  /// end, and not just to tell it a function.
  bool isBound(const Expr &Condition) const {
    return names(Condition, [&](const Stmt &S) {
      const VarDecl *Var = localNamedBy(S);
      return Var && !isTold(Condition, S) &&
             llvm::any_of(InLoop.of(*Var),
                          [](const facts::VariableUse &U) {
                            return U.Kind == facts::UseKind::Step;
                          }) &&
             Moves.goesOn(*Var) && !onlyEnds(*Var, Condition);
    });
  }

  /// A part of \p S that does not just say where memory is passes \p Test.
  static bool names(const Stmt &S,
                    llvm::function_ref<bool(const Stmt &)> Test) {
    if (isa<ArraySubscriptExpr>(S))
      return false;
    const auto *Op = dyn_cast<UnaryOperator>(&S);
    return !(Op && Op->getOpcode() == UO_Deref) &&
           (Test(S) || llvm::any_of(S.children(), [&](const Stmt *Part) {
              return Part && names(*Part, Test);
            }));
  }

  /// A call in \p Condition that can be looked into is told \p Name.
  bool isTold(const Expr &Condition, const Stmt &Name) const {
    return holds(&Condition, [&](const Stmt &S) {
      const auto *Call = dyn_cast<CallExpr>(&S);
      return Call &&
             (calledLambda(*Call) ||
              classifyCall(*Call, SM) == CallKind::Visible) &&
             contains(Call, &Name);
    });
  }

  /// Whoever counts for \p Condition alone, or sums up what it finds at one
  /// place, counts how long it waits: `t < *bound`, `seen |= *flag`.
  bool onlyEnds(const VarDecl &Var, const Expr &Condition) const {
    return llvm::all_of(InLoop.of(Var), [&](const facts::VariableUse &U) {
      if (U.Kind != facts::UseKind::Step)
        return contains(&Condition, U.Name);
      const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
      return !U.IsPart && (!Op || !Moves.goesOn(*Op->getRHS()));
    });
  }

  /// Compilers make such a read of \p In each time; or it calls what does.
  bool looksAnew(const Stmt &S, const FunctionDecl &In,
                 const DiscardedValues &Unused) const {
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&S))
      return Cast->getCastKind() == CK_LValueToRValue &&
             Cast->getSubExpr()->getType().isVolatileQualified() &&
             (isOneForeignPlace(*Cast->getSubExpr(), In) ||
              isOneOfAnyWrites(*Cast->getSubExpr(), In));
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
      return looksWithin(*Call, *calleeDefinition(*Call), In);
    if (const FunctionDecl *Lambda = calledLambda(*Call))
      return looksWithin(*Call, *Lambda, In);
    if (Call->getNumArgs() == 0)
      return false;
    const Expr &Place = *Call->getArg(0);
    // Nobody loads by __ldcv what nobody else writes.
    return isOnePlace(Place, In) &&
           (facts::nameOf(Callee) == "__ldcv" ||
            (loadsAnew(*Callee) && isForeign(Place, In, Effects)));
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
  bool looksWithin(const CallExpr &Call, const FunctionDecl &Callee,
                   const FunctionDecl &In) const {
    const Told Moved = movedBy(Call, Callee, In);
    if (!Asked.insert({&Callee, Moved}).second)
      return false;
    const llvm::SaveAndRestore Within(MovedHere, Moved);
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

  /// What assembly writes in the kernel nobody knows, nor where an object's
  /// member or a pointer that is found somewhere leads; what the function that
  /// reads writes there itself can be seen.
  bool isOneOfAnyWrites(const Expr &Read, const FunctionDecl &In) const {
    const auto IsMember = [](const Stmt &S) { return isa<CXXThisExpr>(S); };
    const auto Writes = [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      return Op && Op->isAssignmentOp() && isSameAs(Read, *Op->getLHS());
    };
    return (Effects.OpaqueStore.isValid() || holds(&Read, IsMember) ||
            !Effects.rootsOf(In).of(Read)) &&
           isOnePlace(Read, In) && Effects.isWithinReachOfHost(Read, In) &&
           !codeHolds(In, Writes);
  }

  /// Each round finds \p Address at the same place, or comes back to it; of
  /// what a lambda captures that is not known, but to the loop that calls it.
  bool isOnePlace(const Expr &Address, const FunctionDecl &In) const {
    if (&In == &Function)
      return !namesCaptured(Address) && !Moves.goesOn(Address);
    return !Moves.goesOnWithin(Address, In, MovedHere) &&
           !(isLambdaCallOperator(&In) && Moves.goesOn(Address));
  }

  const Stmt &Loop;
  const FunctionDecl &Function;
  const SourceManager &SM;
  const KernelEffects &Effects;
  const LoopMoves Moves;
  const facts::VariableFacts &InLoop;
  llvm::SmallVector<const Stmt *, 4> Exits;
  /// Conditions under which a round goes on before it is over.
  llvm::SmallVector<const Expr *, 4> Skipping;
  DiscardedValues Discarded;
  /// What the function that is being looked into is told.
  mutable Told MovedHere = 0;
  /// Functions that have been looked into, with what they were told.
  mutable llvm::SmallSet<std::pair<const FunctionDecl *, Told>, 8> Asked;
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
