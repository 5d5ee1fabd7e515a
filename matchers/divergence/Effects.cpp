// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a statement leaves in variables.

#include "matchers/divergence/Impl.h"
#include "matchers/divergence/LocalParts.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade {

using namespace divergence;

void FunctionDivergence::Impl::setLocation(const Location &L, Taint Value,
                                           bool Strong) {
  if (Value) {
    Current.try_emplace(L, Value);
    return;
  }
  if (!Strong || Shared.contains(L.first))
    return;
  if (L.second) {
    Current.erase(L);
    return;
  }
  llvm::SmallVector<Location, 4> Dead;
  for (const auto &[Other, T] : Current)
    if (Other.first == L.first)
      Dead.push_back(Other);
  for (const Location &Other : Dead)
    Current.erase(Other);
}

void FunctionDivergence::Impl::assign(const Expr &Target, Taint Value,
                                      const Expr &At) {
  if (CurrentBranch.isValid())
    Value = join(Value, Kernel.intern(TaintKind::Control, At.getExprLoc(),
                                      CurrentBranch));
  if (auto L = locationOf(Target)) {
    // A field of a field is known by the outer one only, and a bit field by the
    // first one, so they stay tainted; two bases may have one field twice.
    const auto *Member = dyn_cast<MemberExpr>(Target.IgnoreParens());
    bool Part =
        Member && (!isa<DeclRefExpr>(Member->getBase()->IgnoreParens()) ||
                   !L->second || Member->refersToBitField());
    setLocation(*L, Value, !Part);
    return;
  }
  MemoryRoot Root = Kernel.Effects.rootsOf(Function).of(Target);
  Value = join(Value, addressOf(Target));
  if (Root.Space == MemorySpace::Local && Root)
    setLocation({Root.Object, nullptr}, Value, /*Strong=*/false);
  else if (!Root)
    taintNamed(Target, Value);
}

/// Whatever an assignment that is not understood may write.
void FunctionDivergence::Impl::taintNamed(const Stmt &Target, Taint Value) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&Target))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->hasLocalStorage())
      setLocation({Var, nullptr}, Value, /*Strong=*/false);
  for (const Stmt *Child : Target.children())
    if (Child)
      taintNamed(*Child, Value);
}

/// A callee may change what it gets by reference.
void FunctionDivergence::Impl::assignReferences(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  CallKind Kind = classifyCall(Call, Kernel.Context.getSourceManager());
  unsigned Offset =
      isa<CXXOperatorCallExpr>(Call) && Callee && isa<CXXMethodDecl>(Callee);
  const llvm::SmallVector<Argument, 8> Args = argumentsOf(Call);
  const Summary *Known =
      Kind == CallKind::Visible && !Offset && !isa<CXXMemberCallExpr>(Call)
          ? &Kernel.summarize(*calleeDefinition(Call), Args)
          : nullptr;
  llvm::SmallVector<std::pair<const Expr *, Taint>, 4> Results;
  for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
    const Expr *Arg = Call.getArg(I);
    QualType ParamType;
    if (Callee && I >= Offset && I - Offset < Callee->getNumParams())
      ParamType = Callee->getParamDecl(I - Offset)->getType();
    bool Changeable = Arg->isLValue() &&
                      (ParamType.isNull() ||
                       (ParamType->isReferenceType() &&
                        !ParamType.getNonReferenceType().isConstQualified()));
    if (!Changeable || Kind == CallKind::Assignment)
      continue;
    Taint After = Kernel.intern(TaintKind::UnknownCall, Call.getBeginLoc());
    if (Known && I < Known->References.size()) {
      After = Known->References[I];
      if (After && After->Kind == TaintKind::Parameter)
        After = After->ParameterIndex < Args.size()
                    ? Args[After->ParameterIndex].Why
                    : Kernel.intern(TaintKind::UnknownCall, Call.getBeginLoc());
    }
    Results.push_back({Arg, After});
  }
  // One variable may be passed twice: what taints it comes last.
  for (bool Tainting : {false, true})
    for (const auto &[Arg, After] : Results)
      if ((After != nullptr) == Tainting)
        assign(*Arg, After, Call);
}

/// What \p Var gets where it is declared; for a reference to memory, which
/// memory that is.
Taint FunctionDivergence::Impl::initialValueOf(const VarDecl &Var) const {
  const Expr *Init = Var.getInit();
  if (!Init)
    return nullptr;
  return Var.getType()->isReferenceType() && !isTemporary(*Init)
             ? addressOf(*Init)
             : valueOf(Init);
}

void FunctionDivergence::Impl::evaluate(const Stmt *S, bool Influenced) {
  if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
    for (const auto *D : Decl->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D);
          Var && Var->hasLocalStorage()) {
        Taint Value = initialValueOf(*Var);
        // A variable that lives only where some threads are is theirs alone,
        // but a loop may bring it past the others.
        if (Influenced && Var->getInit())
          Value = join(Value, Kernel.intern(TaintKind::Control,
                                            Var->getLocation(), CurrentBranch));
        setLocation({Var, nullptr}, Value, /*Strong=*/true);
      }
    return;
  }
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    Taint Value =
        Return->getRetValue() ? valueOf(Return->getRetValue()) : nullptr;
    if (Influenced)
      Value = join(Value, Kernel.intern(TaintKind::Control,
                                        Return->getBeginLoc(), CurrentBranch));
    if (Value && !Result) {
      Result = Value;
      Changed = true;
    }
    return;
  }
  if (const auto *Asm = dyn_cast<AsmStmt>(S)) {
    Taint Value = Kernel.intern(TaintKind::InlineAsm, Asm->getAsmLoc());
    if (const auto *Gcc = dyn_cast<GCCAsmStmt>(Asm))
      for (unsigned I = 0; I < Gcc->getNumOutputs(); ++I)
        taintNamed(*Gcc->getOutputExpr(I), Value);
    return;
  }
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return;
  Taint Value = valueOf(E);
  if (const auto *Op = dyn_cast<BinaryOperator>(E);
      Op && Op->isAssignmentOp()) {
    if (Op->isCompoundAssignmentOp())
      Value = join(valueOf(Op->getLHS()), valueOf(Op->getRHS()));
    assign(*Op->getLHS(), Value, *E);
  } else if (const auto *Op = dyn_cast<UnaryOperator>(E);
             Op && Op->isIncrementDecrementOp()) {
    Value = valueOf(Op->getSubExpr());
    assign(*Op->getSubExpr(), Value, *E);
  } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (Call->getDirectCallee() &&
        classifyCall(*Call, Kernel.Context.getSourceManager()) ==
            CallKind::Assignment)
      assign(*Call->getArg(0), Value, *E);
    assignReferences(*Call);
  }
  if (Value && !Values.lookup(E)) {
    Values[E] = Value;
    Changed = true;
  }
}

} // namespace barricade
