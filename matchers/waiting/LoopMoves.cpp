// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/waiting/LoopMoves.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/Names.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::waiting {

using facts::UseKind;
using facts::VariableUse;

Told bitOf(const ParmVarDecl &Param) {
  const unsigned Index = Param.getFunctionScopeIndex();
  return Index < 63 ? Told(2) << Index : 0;
}

const FunctionDecl *calledLambda(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && isLambdaCallOperator(Callee) && Callee->hasBody() ? Callee
                                                                     : nullptr;
}

/// Its thread's, or its block's: nobody else writes it.
static bool isOwn(const VarDecl &Var) {
  return Var.hasLocalStorage() || Var.hasAttr<CUDASharedAttr>();
}

/// The thread's or block's variable that the lvalue \p E is a part of, and the
/// field of it that is named.
static std::pair<const VarDecl *, const FieldDecl *>
ownPartOf(const Expr &Whole) {
  const Expr *E = Whole.IgnoreParenImpCasts();
  const FieldDecl *Field = nullptr;
  for (;;) {
    if (const auto *Member = dyn_cast<MemberExpr>(E);
        Member && !Member->isArrow()) {
      Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      E = Member->getBase()->IgnoreParenImpCasts();
    } else if (const auto *At = dyn_cast<ArraySubscriptExpr>(E);
               At &&
               At->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()) {
      Field = nullptr;
      E = At->getBase()->IgnoreParenImpCasts();
    } else {
      break;
    }
  }
  const VarDecl *Var = variableNamedBy(*E);
  return Var && isOwn(*Var) ? std::pair(Var, Field)
                            : std::pair<const VarDecl *, const FieldDecl *>();
}

static const Expr *changedBy(const VariableUse &U) {
  if (const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By))
    return Op->getLHS();
  const auto *Step = dyn_cast_or_null<UnaryOperator>(U.By);
  return Step ? Step->getSubExpr() : nullptr;
}

/// Whoever swaps two comes back to the first.
static bool isSwap(const VariableUse &U) {
  const auto *Call = dyn_cast_or_null<CallExpr>(U.By);
  return Call && facts::calleeName(*Call).contains_insensitive("swap");
}

LoopMoves::LoopMoves(const Stmt &Loop, const FunctionDecl &Function,
                     const SourceManager &SM, const KernelEffects &Effects)
    : Loop(Loop), Function(Function), SM(SM), Effects(Effects),
      InLoop(repeatedParts(Loop)) {}

bool LoopMoves::goesOn(const Expr &E) const {
  Asked = 0;
  const Motion Of = E.isGLValue() ? ofNamed(E) : motionOf(E);
  return Of == Motion::GoesOn;
}

bool LoopMoves::goesOn(const VarDecl &Var) const {
  Asked = 0;
  return ofVariable(Var) == Motion::GoesOn;
}

bool LoopMoves::goesOnWithin(const Expr &E, const FunctionDecl &In,
                             Told ToldAnew) const {
  if (!ToldAnew)
    return false;
  const llvm::SaveAndRestore Inside(Within, &In);
  const llvm::SaveAndRestore Know(Anew, ToldAnew);
  return goesOn(E);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// What is no sum goes on where it is made of what is found at other places
/// each time.
Motion LoopMoves::mixed(Motion Of, const Expr &E) const {
  return Of == Motion::Stays ? Of
         : readsOn(E)        ? Motion::GoesOn
                             : Motion::Unknown;
}

/// \p E holds a read of memory that goes on.
bool LoopMoves::readsOn(const Expr &E) const {
  return holds(&E, [&](const Stmt &S) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
    return Cast && Cast->getCastKind() == CK_LValueToRValue &&
           !variableNamedBy(*Cast->getSubExpr()->IgnoreParens()) &&
           ++Asked < 2000 && placeOf(*Cast->getSubExpr()) == Motion::GoesOn;
  });
}

static Motion sumOf(Motion A, Motion B) {
  if (A == Motion::Stays)
    return B == Motion::Carried ? Motion::Stepped : B;
  if (B == Motion::Stays)
    return A == Motion::Carried ? Motion::Stepped : A;
  const auto IsOwn = [](Motion M) {
    return M == Motion::Carried || M == Motion::Stepped;
  };
  if (IsOwn(A) || IsOwn(B))
    return A == Motion::GoesOn || B == Motion::GoesOn ? Motion::Stepped
                                                      : Motion::Unknown;
  return A == Motion::GoesOn || B == Motion::GoesOn ? Motion::GoesOn
                                                    : Motion::Unknown;
}

Motion LoopMoves::motionOf(const Expr &Whole) const {
  const Expr &E = *Whole.IgnoreParens();
  char Member = 0;
  if (++Asked > 2000)
    return Motion::Unknown;
  if (!builtinIndexVariable(E, Member).empty())
    return Motion::Stays;
  if (const auto *Cast = dyn_cast<CastExpr>(&E))
    return ofCast(*Cast);
  if (const auto *Op = dyn_cast<BinaryOperator>(&E))
    return ofBinary(*Op);
  if (const auto *Op = dyn_cast<UnaryOperator>(&E)) {
    if (Op->isIncrementDecrementOp())
      return ofLoad(*Op->getSubExpr());
    // What a function is told of a variable is its value.
    if (Op->getOpcode() == UO_AddrOf)
      return ofNamed(*Op->getSubExpr());
    if (Op->getOpcode() == UO_Minus || Op->getOpcode() == UO_Plus) {
      const Motion Of = motionOf(*Op->getSubExpr());
      return Of == Motion::GoesOn ? Of : mixed(Of, E);
    }
  }
  if (const auto *Either = dyn_cast<AbstractConditionalOperator>(&E)) {
    const Motion If = motionOf(*Either->getCond());
    const Motion A = motionOf(*Either->getTrueExpr()),
                 B = motionOf(*Either->getFalseExpr());
    if (A == B && (A == Motion::GoesOn || If == Motion::Stays))
      return A;
    return If == Motion::Stays && (A == Motion::GoesOn || B == Motion::GoesOn)
               ? Motion::GoesOn
               : mixed(Motion::Unknown, E);
  }
  if (const auto *Call = dyn_cast<CallExpr>(&E))
    return ofCall(*Call);
  if (isa<CXXThisExpr>(E))
    return Within && (Anew & ObjectBit) ? Motion::GoesOn : Motion::Stays;
  if (isa<LambdaExpr>(E))
    return Motion::Stays;
  if (isa<CXXConstructExpr, InitListExpr>(E))
    return ofParts(E);
  if (isa<FullExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr,
          SubstNonTypeTemplateParmExpr>(E)) {
    const Stmt *Part = *E.child_begin();
    const auto *Inner = dyn_cast_or_null<Expr>(Part);
    return !Inner               ? Motion::Stays
           : Inner->isGLValue() ? placeOf(*Inner)
                                : motionOf(*Inner);
  }
  if (E.isGLValue())
    return ofNamed(E);
  return mixed(E.children().empty() ? Motion::Stays : ofParts(E), E) ==
                 Motion::Stays
             ? Motion::Stays
             : mixed(Motion::Unknown, E);
}

/// Of what is made of several: it is another one as soon as one of them is.
Motion LoopMoves::ofParts(const Expr &E) const {
  Motion Of = Motion::Stays;
  for (const Stmt *Child : E.children()) {
    const auto *Part = dyn_cast_or_null<Expr>(Child);
    if (!Part)
      continue;
    const Motion Next = Part->isGLValue() ? ofNamed(*Part) : motionOf(*Part);
    if (Next == Motion::GoesOn)
      return Next;
    if (Next != Motion::Stays)
      Of = Motion::Unknown;
  }
  return Of;
}

/// What is named stands for its value where that is a variable.
Motion LoopMoves::ofNamed(const Expr &E) const {
  const auto [Var, Field] = ownPartOf(E);
  if (Var && !isa<ArraySubscriptExpr>(E.IgnoreParenImpCasts()))
    return ofVariable(*Var, Field);
  return placeOf(E);
}

/// Where the lvalue \p Whole is.
Motion LoopMoves::placeOf(const Expr &Whole) const {
  const Expr &E = *Whole.IgnoreParens();
  if (const VarDecl *Var = variableNamedBy(E))
    return Var->getType()->isReferenceType() ||
                   (Within && isa<ParmVarDecl>(Var))
               ? ofVariable(*Var)
               : Motion::Stays;
  if (const auto *At = dyn_cast<ArraySubscriptExpr>(&E))
    return sumOf(motionOf(*At->getBase()), motionOf(*At->getIdx()));
  if (const auto *Op = dyn_cast<UnaryOperator>(&E);
      Op && Op->getOpcode() == UO_Deref)
    return motionOf(*Op->getSubExpr());
  if (const auto *Member = dyn_cast<MemberExpr>(&E))
    return Member->isArrow() ? motionOf(*Member->getBase())
                             : placeOf(*Member->getBase());
  if (const auto *Cast = dyn_cast<CastExpr>(&E);
      Cast && Cast->getSubExpr()->isGLValue())
    return placeOf(*Cast->getSubExpr());
  if (isa<DeclRefExpr>(E))
    return Motion::Stays;
  return motionOf(E);
}

Motion LoopMoves::ofCast(const CastExpr &Cast) const {
  const Expr &Sub = *Cast.getSubExpr();
  switch (Cast.getCastKind()) {
  case CK_LValueToRValue:
    return ofLoad(Sub);
  case CK_IntegralToBoolean:
  case CK_PointerToBoolean:
  case CK_FloatingToBoolean:
    return mixed(motionOf(Sub), Sub);
  case CK_IntegralCast: {
    const ASTContext &Context = Function.getASTContext();
    // A small one is a large one's remainder.
    const bool IsNarrow = !Cast.getType()->isDependentType() &&
                          Context.getIntWidth(Cast.getType()) < 32 &&
                          Context.getIntWidth(Cast.getType()) <
                              Context.getIntWidth(Sub.getType());
    return IsNarrow ? mixed(motionOf(Sub), Sub) : motionOf(Sub);
  }
  default:
    return Sub.isGLValue() ? placeOf(Sub) : motionOf(Sub);
  }
}

/// What is found at \p Place; what others may write there decides nothing.
Motion LoopMoves::ofLoad(const Expr &Place) const {
  const auto [Var, Field] = ownPartOf(Place);
  const bool IsWhole = Var && variableNamedBy(*Place.IgnoreParens());
  if (Var && (IsWhole || !Var->getType()->isReferenceType())) {
    if (!IsWhole && placeOf(Place) == Motion::GoesOn)
      return Motion::GoesOn;
    const Motion Of = ofVariable(*Var, Field);
    return isa<ArraySubscriptExpr>(Place.IgnoreParens()) &&
                   placeOf(Place) != Motion::Stays
               ? mixed(Motion::Unknown, Place)
               : Of;
  }
  const Motion Of = placeOf(Place);
  if (Of == Motion::GoesOn)
    return Of;
  return Of == Motion::Stays && !Effects.isWithinReachOfHost(
                                    Place, Within ? *Within : Function)
             ? Motion::Stays
             : Motion::Unknown;
}

Motion LoopMoves::ofBinary(const BinaryOperator &Op) const {
  if (Op.isAssignmentOp())
    return ofLoad(*Op.getLHS());
  if (Op.getOpcode() == BO_Comma)
    return motionOf(*Op.getRHS());
  const Motion A = motionOf(*Op.getLHS()), B = motionOf(*Op.getRHS());
  if (A == Motion::Stays && B == Motion::Stays)
    return Motion::Stays;
  const auto IsNumber = [&](const Expr &E, int64_t Number) {
    const auto Value = facts::integerOf(E, Function.getASTContext());
    return Value && *Value == Number;
  };
  switch (Op.getOpcode()) {
  case BO_Add:
    return IsNumber(*Op.getRHS(), 0)   ? A
           : IsNumber(*Op.getLHS(), 0) ? B
                                       : sumOf(A, B);
  case BO_Sub:
    if (IsNumber(*Op.getRHS(), 0))
      return A;
    if (B == Motion::Stays || (B == Motion::GoesOn && A != Motion::GoesOn))
      return sumOf(A, B);
    return mixed(Motion::Unknown, Op);
  case BO_Mul:
  case BO_Shl: {
    const bool GoesOn =
        (A == Motion::GoesOn && (B == Motion::Stays || B == A)) ||
        (B == Motion::GoesOn && A == Motion::Stays);
    return GoesOn && !IsNumber(*Op.getLHS(), 0) && !IsNumber(*Op.getRHS(), 0)
               ? Motion::GoesOn
               : mixed(Motion::Unknown, Op);
  }
  default:
    return mixed(Motion::Unknown, Op);
  }
}

/// What the library makes of a number such that another one gives another.
static bool keepsApart(llvm::StringRef Name) {
  return Name.starts_with("__ld") || Name.starts_with("__shfl") ||
         Name.starts_with("__ffs") || Name.starts_with("__clz") ||
         Name.starts_with("__mul24") || Name.starts_with("__umul24") ||
         Name.starts_with("__cvta");
}

Motion LoopMoves::ofCall(const CallExpr &Call) const {
  if (const auto Look = atomicLook(Call, Function)) {
    if (Look->Effect == AtomicEffect::Changes ||
        Look->Effect == AtomicEffect::Unknown || followsLinks(Call, Function))
      return Motion::GoesOn;
    return Look->Place && (Look->Place->isGLValue()
                               ? placeOf(*Look->Place)
                               : motionOf(*Look->Place)) == Motion::GoesOn
               ? Motion::GoesOn
               : Motion::Unknown;
  }
  const Expr *Object = nullptr;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
    Object = Member->getImplicitObjectArgument();
  Motion Of = !Object               ? Motion::Stays
              : Object->isGLValue() ? ofNamed(*Object)
                                    : motionOf(*Object);
  for (const Expr *Argument : Call.arguments()) {
    const Motion Next =
        Argument->isGLValue() ? ofNamed(*Argument) : motionOf(*Argument);
    Of = Of == Motion::Stays || Next == Motion::GoesOn ? Next : Of;
  }
  const FunctionDecl *Visible = classifyCall(Call, SM) == CallKind::Visible
                                    ? calleeDefinition(Call)
                                    : calledLambda(Call);
  const llvm::StringRef Name = facts::calleeName(Call);
  if (Of == Motion::Stays)
    return Name.starts_with("__ld") || (Visible && readsForeign(*Visible))
               ? Motion::Unknown
               : Of;
  const bool IsOperator =
      isa<CXXOperatorCallExpr>(Call) &&
      cast<CXXOperatorCallExpr>(Call).getOperator() != OO_Percent;
  if (Of == Motion::GoesOn &&
      (Visible ? returnsOn(Call, *Visible) : keepsApart(Name) || IsOperator))
    return Of;
  return mixed(Motion::Unknown, Call);
}

bool LoopMoves::readsForeign(const FunctionDecl &Callee) const {
  return codeHolds(Callee, [&](const Stmt &S) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
    return atomicLook(S, Callee) ||
           (Cast && Cast->getCastKind() == CK_LValueToRValue &&
            !variableNamedBy(*Cast->getSubExpr()->IgnoreParens()) &&
            Effects.isWithinReachOfHost(*Cast->getSubExpr(), Callee));
  });
}

/// All that \p Callee returns goes on with what \p Call tells it.
bool LoopMoves::returnsOn(const CallExpr &Call,
                          const FunctionDecl &Callee) const {
  if (Within == &Callee || ++Asked > 200)
    return false;
  const unsigned First =
      isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee);
  Told Moved = 0;
  for (const ParmVarDecl *Param : Callee.parameters()) {
    const unsigned Index = First + Param->getFunctionScopeIndex();
    if (Index >= Call.getNumArgs())
      continue;
    const Expr &Given = *Call.getArg(Index);
    if ((Given.isGLValue() ? ofNamed(Given) : motionOf(Given)) ==
        Motion::GoesOn)
      Moved |= bitOf(*Param);
  }
  const llvm::SaveAndRestore Inside(Within, &Callee);
  const llvm::SaveAndRestore Know(Anew, Moved);
  bool Returns = false;
  return !codeHolds(Callee, [&](const Stmt &S) {
    const auto *Return = dyn_cast<ReturnStmt>(&S);
    const Expr *Value = Return ? Return->getRetValue() : nullptr;
    Returns |= Value != nullptr;
    return Value && (Value->isGLValue() ? ofNamed(*Value) : motionOf(*Value)) !=
                        Motion::GoesOn;
  }) && Returns;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

Motion LoopMoves::ofVariable(const VarDecl &Var, const FieldDecl *Part) const {
  if (Restarted.contains(&Var))
    return Motion::Stays;
  if (Carried.contains(&Var))
    return Motion::Carried;
  if (++Asked > 2000)
    return Motion::Unknown;
  if (Within && (!isa<ParmVarDecl>(Var) || Var.getDeclContext() == Within) &&
      Var.getParentFunctionOrMethod() == Within)
    return ofTold(Var);
  const bool IsSet = isOfLoop(Var) && Var.getInit();
  llvm::SmallVector<VariableUse, 8> Changes;
  for (const VariableUse &U : InLoop.of(Var)) {
    const Expr *To = changedBy(U);
    const FieldDecl *Other = To && U.IsPart ? ownPartOf(*To).second : nullptr;
    if (changesPlace(U, Var) && !(Part && Other && Part != Other))
      Changes.push_back(U);
  }
  if (!IsSet && Changes.empty())
    return Motion::Stays;
  auto &Open = startsAnew(Var) ? Restarted : Carried;
  Open.insert(&Var);
  const Motion Of = &Open == &Restarted ? ofRestarted(Var, IsSet, Changes)
                                        : ofCarried(Var, Changes);
  Open.erase(&Var);
  return Of;
}

/// Of a variable of the function that the loop calls.
Motion LoopMoves::ofTold(const VarDecl &Var) const {
  if (const auto *Param = dyn_cast<ParmVarDecl>(&Var);
      Param && (Anew & bitOf(*Param)))
    return codeHolds(*Within,
                     [&](const Stmt &S) {
                       const auto *Op = dyn_cast<CompoundAssignOperator>(&S);
                       return Op && !Op->isAdditiveOp() &&
                              Op->getOpcode() != BO_AddAssign &&
                              Op->getOpcode() != BO_SubAssign &&
                              variableOf(*Op->getLHS()) == &Var;
                     })
               ? Motion::Unknown
               : Motion::GoesOn;
  Restarted.insert(&Var);
  Motion Of = Motion::Stays;
  const auto Take = [&](const Expr &E) {
    const Motion Next = E.isGLValue() ? ofNamed(E) : motionOf(E);
    if (Of != Motion::GoesOn && Next != Motion::Stays)
      Of = Next;
  };
  if (Var.getInit() && !isa<ParmVarDecl>(Var))
    Take(*Var.getInit());
  codeHolds(*Within, [&](const Stmt &S) {
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    if (!Op || !Op->isAssignmentOp() || variableOf(*Op->getLHS()) != &Var)
      return false;
    const bool IsSum = Op->getOpcode() == BO_Assign ||
                       Op->getOpcode() == BO_AddAssign ||
                       Op->getOpcode() == BO_SubAssign;
    if (IsSum)
      Take(*Op->getRHS());
    else
      Of = Motion::Unknown;
    return !IsSum;
  });
  Restarted.erase(&Var);
  return Of;
}

/// What the step \p U adds; one by one it is the same each time.
Motion LoopMoves::amountOf(const VariableUse &U) const {
  const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
  return Op ? motionOf(*Op->getRHS()) : Motion::Stays;
}

/// Which way the step \p U goes: 1 up, -1 down, 0 stands still or is no sum.
static int directionOf(const VariableUse &U, const ASTContext &Context) {
  if (const auto *Op = dyn_cast_or_null<UnaryOperator>(U.By))
    return Op->isIncrementOp() ? 1 : -1;
  const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
  if (!Op ||
      (Op->getOpcode() != BO_AddAssign && Op->getOpcode() != BO_SubAssign))
    return 0;
  const int Way = Op->getOpcode() == BO_AddAssign ? 1 : -1;
  const auto Number = facts::integerOf(*Op->getRHS(), Context);
  return !Number ? Way : *Number == 0 ? 0 : Number->isNegative() ? -Way : Way;
}

/// \p Var starts in each round from what it is set to.
Motion LoopMoves::ofRestarted(const VarDecl &Var, bool IsSet,
                              llvm::ArrayRef<VariableUse> Changes) const {
  const Expr *Init = IsSet ? Var.getInit() : nullptr;
  Motion Of = !Init               ? Motion::Stays
              : Init->isGLValue() ? ofNamed(*Init)
                                  : motionOf(*Init);
  for (const VariableUse &U : Changes) {
    const bool IsAlways = isOfEachRound(*U.Name);
    const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
    if (U.Kind == UseKind::Assign && Op) {
      const Motion Next = motionOf(*Op->getRHS());
      if (U.IsPart)
        Of = Next == Motion::GoesOn && IsAlways ? Next
             : Of == Motion::Stays              ? Next
                                                : Of;
      else
        Of = IsAlways || Of == Next ? Next : Motion::Unknown;
    } else if (U.Kind == UseKind::Step) {
      const Motion By = amountOf(U);
      if (IsAlways && !isDoneAlike(U))
        Of = Motion::GoesOn;
      else if (directionOf(U, Function.getASTContext()) == 0)
        Of = By == Motion::Stays && Of == Motion::Stays ? Of
             : Op && readsOn(*Op->getRHS())             ? Motion::GoesOn
                                                        : Motion::Unknown;
      else if (By == Motion::GoesOn && IsAlways)
        Of = By;
      else if (By != Motion::Stays || !IsAlways)
        Of = Of == Motion::GoesOn ? Of : Motion::Unknown;
    } else if (IsAlways) {
      Of = isSwap(U) ? Motion::Unknown : Motion::GoesOn;
    }
  }
  return Of;
}

/// \p Var goes on from what it was: where all that changes it leads one way.
Motion LoopMoves::ofCarried(const VarDecl &Var,
                            llvm::ArrayRef<VariableUse> Changes) const {
  const ASTContext &Context = Function.getASTContext();
  bool Goes = false, ComesBack = false;
  int Way = 0;
  for (const VariableUse &U : Changes) {
    const bool IsAlways = isOfEachRound(*U.Name);
    const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
    if (U.Kind == UseKind::Assign && Op) {
      const Motion To = motionOf(*Op->getRHS());
      Goes |= IsAlways && (To == Motion::Stepped || To == Motion::GoesOn);
      ComesBack |= To == Motion::Unknown || To == Motion::Stays ||
                   (To == Motion::GoesOn && !IsAlways);
    } else if (U.Kind == UseKind::Step) {
      const Motion By = amountOf(U);
      const int Next = directionOf(U, Context);
      // `x &= x - 1` takes one bit after the other.
      const bool Drops =
          Op && Op->getOpcode() == BO_AndAssign && By == Motion::Stepped;
      const bool Sums = Next != 0 ? By == Motion::Stays || By == Motion::GoesOn
                                  : Drops || (Op && readsOn(*Op->getRHS()));
      Goes |= IsAlways && Sums;
      ComesBack |= !Sums || (Next != 0 && Way == -Next);
      Way = Next != 0 ? Next : Way;
    } else {
      Goes |= IsAlways && !isSwap(U);
      ComesBack |= isSwap(U);
    }
  }
  const QualType Type = Var.getType();
  // A small number comes round.
  if (Type->isIntegerType() && !Type->isDependentType() &&
      Context.getIntWidth(Type) < 32)
    ComesBack = true;
  return Goes && !ComesBack ? Motion::GoesOn : Motion::Unknown;
}

bool LoopMoves::changesPlace(const VariableUse &U, const VarDecl &Var) const {
  const CXXRecordDecl *Class = classOf(Var.getType());
  // Assembly does not change what it takes; and whatever is done to what a
  // reference names, or by an object of libcu++'s, they stand for the same.
  const bool IsTaken =
      U.Kind == UseKind::Unknown && isa_and_nonnull<AsmStmt>(U.By);
  return InLoop.mayChange(U) && !Var.getType()->isReferenceType() &&
         !(Class && isMeetingPlace(*Class)) && !IsTaken;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

bool LoopMoves::isOfLoop(const VarDecl &Var) const {
  return llvm::any_of(repeatedParts(Loop),
                      [&](const Stmt *Part) { return declares(Part, Var); });
}

/// Each round sets it before it does anything else to it.
bool LoopMoves::startsAnew(const VarDecl &Var) const {
  if (isOfLoop(Var) && Var.getInit())
    return true;
  const auto Uses = InLoop.of(Var);
  const auto *Block = dyn_cast_or_null<CompoundStmt>(bodyOf(Loop));
  return !Uses.empty() && Uses.front().Kind == UseKind::Assign &&
         !Uses.front().IsPart && Block &&
         llvm::any_of(Block->body(), [&](const Stmt *S) {
           const auto *For = dyn_cast<ForStmt>(S);
           return alwaysEvaluates(
               For ? For->getInit() : S,
               [&](const Stmt &Part) { return &Part == Uses.front().By; });
         });
}

/// In each round as often as in the one before.
bool LoopMoves::isDoneAlike(const VariableUse &U) const {
  return !holds(bodyOf(Loop), [&](const Stmt &S) {
    return isLoop(S) && conditionOf(S) && contains(&S, U.By) &&
           conditionGoesOn(*conditionOf(S));
  });
}

/// Something that \p Condition compares goes on.
bool LoopMoves::conditionGoesOn(const Expr &Condition) const {
  const Expr &E = *Condition.IgnoreParenImpCasts();
  const auto *Op = dyn_cast<BinaryOperator>(&E);
  if (Op && (Op->isLogicalOp() || Op->isComparisonOp()))
    return conditionGoesOn(*Op->getLHS()) || conditionGoesOn(*Op->getRHS());
  return (E.isGLValue() ? ofLoad(E) : motionOf(E)) == Motion::GoesOn;
}

bool LoopMoves::isOfEachRound(const Stmt &E) const {
  const auto Is = [&](const Stmt &S) { return &S == &E; };
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const Stmt *Body = bodyOf(Loop);
  if (holds(Body, Is))
    return alwaysComesTo(*Body, E);
  return !holds(conditionOf(Loop), Is) ||
         alwaysEvaluates(conditionOf(Loop), Is) ||
         (For && holds(For->getInc(), Is));
}

bool skips(const Stmt *S) {
  return S && !isLoop(*S) && !isa<LambdaExpr>(S) &&
         (isa<ContinueStmt>(S) || llvm::any_of(S->children(), skips));
}

/// \p S, which holds \p E, evaluates it if it comes to its end.
bool LoopMoves::alwaysComesTo(const Stmt &S, const Stmt &E) const {
  const auto Is = [&](const Stmt &Part) { return &Part == &E; };
  if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    const auto Found = llvm::find_if(
        Block->body(), [&](const Stmt *Part) { return holds(Part, Is); });
    return llvm::none_of(llvm::make_range(Block->body_begin(), Found), skips) &&
           alwaysComesTo(**Found, E);
  }
  if (isLoop(S) && onlyCounts(S, Function) && holds(bodyOf(S), Is))
    return alwaysComesTo(*bodyOf(S), E);
  if (const auto *For = dyn_cast<ForStmt>(&S))
    return holds(For->getInit(), Is) ||
           (onlyCounts(S, Function) && holds(For->getInc(), Is)) ||
           alwaysEvaluates(For->getCond(), Is);
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return alwaysEvaluates(If->getCond(), Is);
  if (const auto *Switch = dyn_cast<SwitchStmt>(&S))
    return alwaysEvaluates(Switch->getCond(), Is);
  return alwaysEvaluates(isLoop(S) ? conditionOf(S) : &S, Is);
}

} // namespace barricade::waiting
