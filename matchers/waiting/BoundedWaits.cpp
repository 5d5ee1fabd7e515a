// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that a counter ends at last may wait until then, and the counter may
// be large:
//
//   for (long long spins = 0; spins < limit && !*flag; ++spins)
//     ;
//
// It looks at the same places each time, which the kernel does not write, and
// leaves for what it finds there. What is compared with something that the loop
// counts or sums up is one of its bounds; and one that does some work, other
// than on its way out, does not wait, but may be told to stop: it writes memory
// that others see, at other places in other rounds, or something made of what
// it finds at other places. What is always put at one place only shows that the
// thread still waits.

#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/GenericLambdas.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
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
    (void)holds(&Loop, [&](const Stmt &S) {
      Discarded.noteWithin(S);
      if (const auto *Call = dyn_cast<CallExpr>(&S))
        noteIdleArguments(*Call);
      return false;
    });
    addExit(conditionOf(Loop));
    addExitsWithin(bodyOf(Loop));
  }

  SourceLocation find() const {
    if (Exits.empty() || worksWhileGoingOn())
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

  using Statements = llvm::SmallVector<const Stmt *, 8>;

  /// The block's memory, and the thread's, keep what was seen.
  bool worksWhileGoingOn() const {
    const Statements Parts = goingOn(Loop, Function);
    auto Stored = readSignals(Parts, Function, SM, nothing).Stored;
    // Nobody follows the calls of lambdas.
    for (const Stmt *Part : Parts)
      (void)holds(Part, [&](const Stmt &S) {
        const auto *Call = dyn_cast<CallExpr>(&S);
        if (const FunctionDecl *Lambda = Call ? calledLambda(*Call) : nullptr)
          llvm::append_range(
              Stored,
              readSignals(Lambda->getBody(), *Lambda, SM, nothing).Stored);
        return false;
      });
    return llvm::any_of(Stored, [&](const SignalReads::Store &S) {
      return Effects.isWithinReachOfHost(*S.To, *S.In) && isWork(S, Parts);
    });
  }

  static const FunctionDecl *calledLambda(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    return Callee && isLambdaCallOperator(Callee) && Callee->hasBody()
               ? Callee
               : nullptr;
  }

  /// It stores at another place in another round, or what it has found at such
  /// places, or computed from what the kernel computes.
  bool isWork(const SignalReads::Store &S, const Statements &Parts) const {
    if (S.In != &Function)
      return isWorkWithin(S, Parts);
    const Statements Around = codeAround(*S.To);
    return !isFixed(*S.To) || sumsUpItsOwn(*S.To, Around) ||
           llvm::any_of(decidingCode(Loop, Function, Around),
                        [&](const Stmt *Part) {
                          return holds(Part, [&](const Stmt &Inner) {
                            return looksElsewhere(Inner, S);
                          });
                        });
  }

  /// Each thread makes something of an element of its own, \p To, again and
  /// again, other than to count.
  bool sumsUpItsOwn(const Expr &To, const Statements &Around) const {
    const ASTContext &Context = Function.getASTContext();
    const auto SumsUp = [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      if (!Op || !Op->isAssignmentOp() || !isSameAs(*Op->getLHS(), To))
        return false;
      if (Op->isCompoundAssignmentOp())
        return !To.getType()->isIntegerType() ||
               !facts::integerOf(*Op->getRHS(), Context);
      return holds(Op->getRHS(), [&](const Stmt &Part) {
        const auto *E = dyn_cast<Expr>(&Part);
        return E && isSameAs(*E, To);
      });
    };
    return isOfThread(To) && llvm::any_of(Around, [&](const Stmt *Part) {
             return holds(Part, SumsUp);
           });
  }

  /// Which thread it is says where \p S leads.
  static bool isOfThread(const Stmt &S, unsigned Depth = 0) {
    return holds(&S, [&](const Stmt &Part) {
      char Member = 0;
      const auto *E = dyn_cast<Expr>(&Part);
      const VarDecl *Var = variableNamedBy(Part);
      return (E && llvm::is_contained({"threadIdx", "blockIdx"},
                                      builtinIndexVariable(*E, Member))) ||
             (Var && Var->hasLocalStorage() && Var->getInit() && Depth < 4 &&
              isOfThread(*Var->getInit(), Depth + 1));
    });
  }

  /// The same in what the loop calls, and tells the same each time.
  bool isWorkWithin(const SignalReads::Store &S,
                    const Statements &Parts) const {
    // Idle ones may be where it stores.
    const auto IsElsewhere = [&](const Expr *Argument) {
      return Argument->getType()->isPointerType() && !isFixed(*Argument);
    };
    const auto IsToldElse = [&](const Stmt &Part) {
      const auto *Call = dyn_cast<CallExpr>(&Part);
      return Call &&
             (calledLambda(*Call) ||
              classifyCall(*Call, SM) == CallKind::Visible) &&
             (!isToldTheSame(*Call) ||
              llvm::any_of(Call->arguments(), IsElsewhere));
    };
    return codeHolds(*S.In,
                     [&](const Stmt &Inner) {
                       return isLoop(Inner) || looksElsewhere(Inner, S);
                     }) ||
           (isLambdaCallOperator(S.In) && !isFixed(*S.To)) ||
           llvm::any_of(Parts, [&](const Stmt *Part) {
             return holds(Part, IsToldElse);
           });
  }

  /// \p Inner of the function of \p S finds what other rounds do not, or what
  /// the kernel writes elsewhere than \p S does.
  bool looksElsewhere(const Stmt &Inner, const SignalReads::Store &S) const {
    if (const auto Look = atomicLook(Inner, *S.In))
      return Look->Effect == AtomicEffect::Changes;
    const auto *Cast = dyn_cast<ImplicitCastExpr>(&Inner);
    if (!Cast || Cast->getCastKind() != CK_LValueToRValue)
      return false;
    const Expr &Read = *Cast->getSubExpr()->IgnoreParens();
    const VarDecl *Var = variableNamedBy(Read);
    if (Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType())
      return false;
    // Of an object that the loop calls: see keepsMembers().
    if (const auto *Member = dyn_cast<MemberExpr>(&Read);
        Member && S.In != &Function &&
        isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()))
      return false;
    const bool IsOne =
        S.In == &Function || isLambdaCallOperator(S.In) ? isFixed(Read) : true;
    return !IsOne ||
           (!isSameAs(Read, *S.To) && !isForeign(Read, *S.In, Effects) &&
            !isOneOfAnyWrites(Read, *S.In));
  }

  bool isSameAs(const Expr &A, const Expr &B) const {
    llvm::FoldingSetNodeID OfA, OfB;
    A.IgnoreParens()->Profile(OfA, Function.getASTContext(),
                              /*Canonical=*/true);
    B.IgnoreParens()->Profile(OfB, Function.getASTContext(),
                              /*Canonical=*/true);
    return OfA == OfB;
  }

  /// The expression that \p E is part of, and the conditions in the loop under
  /// which it is evaluated.
  Statements codeAround(const Expr &E) const {
    Statements Found;
    addCodeAround(*bodyOf(Loop), E, Found);
    if (const auto *For = dyn_cast<ForStmt>(&Loop); For && For->getInc())
      addCodeAround(*For->getInc(), E, Found);
    return Found;
  }
  static void addCodeAround(const Stmt &S, const Expr &E, Statements &Found) {
    if (!holds(&S, [&](const Stmt &Part) { return &Part == &E; }))
      return;
    if (isa<Expr>(S)) {
      Found.push_back(&S);
      return;
    }
    const auto *If = dyn_cast<IfStmt>(&S);
    const auto *Switch = dyn_cast<SwitchStmt>(&S);
    const Expr *Condition = If          ? If->getCond()
                            : Switch    ? Switch->getCond()
                            : isLoop(S) ? conditionOf(S)
                                        : nullptr;
    if (Condition)
      Found.push_back(Condition);
    for (const Stmt *Child : S.children())
      if (Child)
        addCodeAround(*Child, E, Found);
  }

  /// \p Address leads to one place, in every round and within one.
  bool isFixed(const Expr &Address) const {
    const auto IsStepped = [&](const Stmt &S) {
      const VarDecl *Var = variableNamedBy(S);
      return Var && Var->hasLocalStorage() &&
             llvm::any_of(InLoop.of(*Var), [](const facts::VariableUse &U) {
               return U.Kind == facts::UseKind::Step;
             });
    };
    return !isMoved(&Address) &&
           llvm::none_of(
               decidingCode(Loop, Function, {&Address}),
               [&](const Stmt *Part) { return holds(Part, IsStepped); });
  }

  /// The loop gives \p Call the same arguments each time; the object whose
  /// function it is keeps its members, as far as the loop has it.
  bool isToldTheSame(const CallExpr &Call) const {
    const auto *Object = dyn_cast_or_null<DeclRefExpr>(objectOf(Call));
    const auto *Var = Object ? dyn_cast<VarDecl>(Object->getDecl()) : nullptr;
    if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType())
      return !isMoved(&Call);
    const auto IsKept = [&](const facts::VariableUse &U) {
      return !changesPlace(U, *Var) || holds(&Loop, [&](const Stmt &S) {
        const auto *By = dyn_cast<CallExpr>(&S);
        return By && objectOf(*By) == U.Name && keepsMembers(*By);
      });
    };
    return llvm::all_of(InLoop.of(*Var), IsKept) &&
           !(isOfLoop(*Var) && Var->getInit() && isMoved(Var->getInit())) &&
           llvm::none_of(Call.arguments(), [&](const Expr *Argument) {
             return Argument->IgnoreParenImpCasts() != Object &&
                    isMoved(Argument);
           });
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

  /// Notes what \p Call says by name and is not asked for: a counter, say.
  void noteIdleArguments(const CallExpr &Call) {
    const FunctionDecl *Callee = classifyCall(Call, SM) == CallKind::Visible
                                     ? calleeDefinition(Call)
                                     : nullptr;
    if (!Callee)
      return;
    const unsigned First =
        isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee);
    for (const ParmVarDecl *Param : Callee->parameters()) {
      const unsigned Index = First + Param->getFunctionScopeIndex();
      if (Index < Call.getNumArgs() && isIdle(*Param, *Callee))
        (void)holds(Call.getArg(Index), [&](const Stmt &S) {
          IdleNames.insert(&S);
          return false;
        });
    }
  }

  /// Nothing is made of what it is: it is thrown away, or told something.
  static bool isIdle(const ParmVarDecl &Param, const FunctionDecl &Callee) {
    llvm::SmallPtrSet<const Expr *, 4> Idle;
    return !codeHolds(Callee, [&](const Stmt &S) {
      const auto *Cast = dyn_cast<CastExpr>(&S);
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      if (Cast && Cast->getCastKind() == CK_ToVoid)
        Idle.insert(Cast->getSubExpr()->IgnoreParens());
      if (Op && Op->getOpcode() == BO_Assign)
        Idle.insert(&toldBy(*Op->getLHS(), Param));
      return variableNamedBy(S) == &Param && !Idle.contains(cast<Expr>(&S));
    });
  }

  /// Of `*got = ...`, where \p Param may be a pointer, `got`.
  static const Expr &toldBy(const Expr &To, const ParmVarDecl &Param) {
    const Expr *Plain = To.IgnoreParens();
    const auto *Deref = dyn_cast<UnaryOperator>(Plain);
    if (Deref && Deref->getOpcode() == UO_Deref)
      return *Deref->getSubExpr()->IgnoreParenImpCasts();
    return Param.getType()->isReferenceType() ? *Plain : To;
  }

  /// The local variable that \p S names, if what it is matters there.
  const VarDecl *localNamedBy(const Stmt &S) const {
    const VarDecl *Var = variableNamedBy(S);
    return Var && Var->hasLocalStorage() && !IdleNames.contains(&S) ? Var
                                                                    : nullptr;
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

  static bool skips(const Stmt *S) {
    return S && !isLoop(*S) && !isa<LambdaExpr>(S) &&
           (isa<ContinueStmt>(S) || llvm::any_of(S->children(), skips));
  }

  static bool isFarJump(const Stmt &S) {
    return isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(S) || endsThread(S);
  }
  static bool leaves(const Stmt *S, Jumps Whose) {
    return (Whose == Jumps::OfLoop && breaksOut(S)) || holds(S, isFarJump);
  }

  /// It names what the loop counts or sums up, for more than to know when to
  /// end.
  bool isBound(const Expr &Condition) const {
    return holds(&Condition, [&](const Stmt &S) {
      const VarDecl *Var = localNamedBy(S);
      return Var &&
             llvm::any_of(InLoop.of(*Var),
                          [](const facts::VariableUse &U) {
                            return U.Kind == facts::UseKind::Step;
                          }) &&
             isMoved(*Var, 0) && !onlyEnds(*Var, Condition);
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
  bool looksWithin(const CallExpr &Call, const FunctionDecl &Callee,
                   const FunctionDecl &In) const {
    if ((&In == &Function && !isToldTheSame(Call)) ||
        !Asked.insert(&Callee).second)
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

  /// What assembly writes in the kernel nobody knows, nor where an object's
  /// member leads; what the function that reads writes there itself can be
  /// seen.
  bool isOneOfAnyWrites(const Expr &Read, const FunctionDecl &In) const {
    const auto IsMember = [](const Stmt &S) { return isa<CXXThisExpr>(S); };
    const auto Writes = [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      return Op && Op->isAssignmentOp() && isSameAs(Read, *Op->getLHS());
    };
    return (Effects.OpaqueStore.isValid() || holds(&Read, IsMember)) &&
           isOnePlace(Read, In) && Effects.isWithinReachOfHost(Read, In) &&
           !codeHolds(In, Writes);
  }

  /// Nothing that the loop changes says where \p Address leads, or what it is;
  /// of what a lambda captures that is not known, but to the loop that calls
  /// it. A function that the loop calls is told the same each time.
  bool isOnePlace(const Expr &Address, const FunctionDecl &In) const {
    if (&In != &Function)
      return !isLambdaCallOperator(&In) || !isMoved(&Address);
    return !namesCaptured(Address) && !isMoved(&Address);
  }

  bool isMoved(const Stmt *E, unsigned Depth = 0) const {
    return holds(E, [&](const Stmt &S) {
      const VarDecl *Var = localNamedBy(S);
      const auto Look = atomicLook(S, Function);
      return (Look && Look->Effect != AtomicEffect::Keeps) ||
             (Var && isMoved(*Var, Depth + 1));
    });
  }

  /// What is set to something that leads on does so, too: to itself, say,
  /// unless it starts anew in each round and takes the same way each time.
  bool isMoved(const VarDecl &Var, unsigned Depth) const {
    if (Restarted.contains(&Var))
      return false;
    if (Depth > 8 ||
        (Var.getInit() && isOfLoop(Var) && isMoved(Var.getInit(), Depth)))
      return true;
    const bool IsRestarted = startsAnew(Var);
    if (IsRestarted)
      Restarted.insert(&Var);
    const bool IsMoved =
        llvm::any_of(InLoop.of(Var), [&](const facts::VariableUse &U) {
          if (!changesPlace(U, Var))
            return false;
          return IsRestarted ? !(isSetToOnePlace(U, Depth) ||
                                 takesSameStep(U, Depth)) ||
                                   !isDoneAlike(U, Depth)
                             : !isSetToOnePlace(U, Depth);
        });
    if (IsRestarted)
      Restarted.erase(&Var);
    return IsMoved;
  }

  /// Each round sets it before it does anything else to it.
  bool startsAnew(const VarDecl &Var) const {
    if (isOfLoop(Var) && Var.getInit())
      return true;
    const auto Uses = InLoop.of(Var);
    const auto *Block = dyn_cast_or_null<CompoundStmt>(bodyOf(Loop));
    return !Uses.empty() && Uses.front().Kind == facts::UseKind::Assign &&
           !Uses.front().IsPart && Block &&
           llvm::any_of(Block->body(), [&](const Stmt *S) {
             const auto *For = dyn_cast<ForStmt>(S);
             return alwaysEvaluates(
                 For ? For->getInit() : S,
                 [&](const Stmt &Part) { return &Part == Uses.front().By; });
           });
  }

  bool takesSameStep(const facts::VariableUse &U, unsigned Depth) const {
    const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
    return U.Kind == facts::UseKind::Step && !U.IsPart &&
           !(Op && isMoved(Op->getRHS(), Depth));
  }

  /// In each round as often as in the one before.
  bool isDoneAlike(const facts::VariableUse &U, unsigned Depth) const {
    return !holds(bodyOf(Loop), [&](const Stmt &S) {
      return isLoop(S) && conditionOf(S) &&
             holds(&S, [&](const Stmt &Part) { return &Part == U.By; }) &&
             isMoved(conditionOf(S), Depth + 1);
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
  /// Conditions under which a round goes on before it is over.
  llvm::SmallVector<const Expr *, 4> Skipping;
  /// Within arguments that nobody asks for.
  llvm::SmallPtrSet<const Stmt *, 8> IdleNames;
  DiscardedValues Discarded;
  /// Variables that are being asked about, and start anew in each round.
  mutable llvm::SmallPtrSet<const VarDecl *, 4> Restarted;
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
