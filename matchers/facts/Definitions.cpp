// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Definitions.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace barricade;

/// The variable whose storage the lvalue \p E is a part of, `v` of `v.x` and
/// `v[i]`.
static const VarDecl *variableUnder(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return isPartOfBase(*Member) ? variableUnder(Member->getBase()) : nullptr;
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    const VarDecl *V = variableUnder(Subscript->getBase());
    return V && V->getType()->isArrayType() ? V : nullptr;
  }
  return variableOf(*E);
}

static bool isNarrowUnsigned(QualType T) {
  const auto *Builtin = T->getAs<BuiltinType>();
  return Builtin && Builtin->isUnsignedInteger() &&
         Builtin->getKind() <= BuiltinType::UInt;
}

/// Visits statements in the order in which they run, as far as the source's
/// order is that order; a for loop's increment comes after its body.
class Definitions::Walker {
public:
  Walker(Definitions &D, const ASTContext &Context) : D(D), Context(Context) {}

  void walk(const Stmt *S) {
    if (!S)
      return;
    if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(S))
      return walk(Pseudo->getSyntacticForm());
    if (const auto *Op = dyn_cast<BinaryOperator>(S))
      return walkBinary(*Op);
    switch (S->getStmtClass()) {
    case Stmt::ForStmtClass:
    case Stmt::WhileStmtClass:
    case Stmt::DoStmtClass:
    case Stmt::CXXForRangeStmtClass:
      return walkLoop(S);
    case Stmt::IfStmtClass:
      return walkIf(*cast<IfStmt>(S));
    case Stmt::SwitchStmtClass:
      walk(cast<SwitchStmt>(S)->getInit());
      walk(cast<SwitchStmt>(S)->getCond());
      return walkConditionally(cast<SwitchStmt>(S)->getBody());
    case Stmt::ConditionalOperatorClass: {
      const auto *Op = cast<ConditionalOperator>(S);
      walk(Op->getCond());
      walkConditionally(Op->getTrueExpr());
      return walkConditionally(Op->getFalseExpr());
    }
    case Stmt::LambdaExprClass:
      return walkLambda(*cast<LambdaExpr>(S));
    default:
      break;
    }
    visit(*S);
    for (const Stmt *Child : S->children())
      walk(Child);
    // Operands and initialisers are read before the variable is defined.
    if (const auto *Op = dyn_cast<UnaryOperator>(S))
      visitUnary(*Op);
    else if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      for (const Decl *Each : Declaration->decls())
        if (const auto *V = dyn_cast<VarDecl>(Each))
          visitDeclaration(*V);
  }

private:
  /// Whether this place is skipped in some iterations of its loop.
  bool isConditional() const { return In != (Scope ? Scope->In : nullptr); }

  void walkConditionally(const Stmt *S) {
    D.Branches.push_back(std::make_unique<Branch>(Branch{In}));
    llvm::SaveAndRestore<const Branch *> Saved(In, D.Branches.back().get());
    walk(S);
  }

  void walkIf(const IfStmt &If) {
    walk(If.getInit());
    walk(If.getConditionVariableDeclStmt());
    walk(If.getCond());
    if (If.isConstexpr() && !If.getCond()->isValueDependent())
      if (auto Taken = If.getNondiscardedCase(Context))
        return walk(*Taken);
    walkConditionally(If.getThen());
    walkConditionally(If.getElse());
  }

  void walkLoop(const Stmt *S) {
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      walk(For->getInit());
      enter(S, {For->getConditionVariableDeclStmt(), For->getCond(),
                For->getBody(), For->getInc()});
    } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(S)) {
      for (const Stmt *Setup :
           {Range->getInit(), static_cast<const Stmt *>(Range->getRangeStmt()),
            static_cast<const Stmt *>(Range->getBeginStmt()),
            static_cast<const Stmt *>(Range->getEndStmt())})
        walk(Setup);
      enter(S, {Range->getCond(), Range->getLoopVarStmt(), Range->getBody(),
                Range->getInc()});
    } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
      enter(S, {While->getConditionVariableDeclStmt(), While->getCond(),
                While->getBody()});
    } else {
      const auto *Do = cast<DoStmt>(S);
      enter(S, {Do->getBody(), Do->getCond()});
    }
  }

  void enter(const Stmt *S, std::initializer_list<const Stmt *> Parts) {
    D.Storage.push_back(std::make_unique<LoopScope>());
    LoopScope *Inner = D.Storage.back().get();
    Inner->Loop = S;
    Inner->Parent = Scope;
    Inner->In = In;
    Inner->Conditional = isConditional();
    D.Scopes[S] = Inner;
    llvm::SaveAndRestore SavedScope(Scope, Inner);
    for (const Stmt *Part : Parts)
      walk(Part);
  }

  void walkLambda(const LambdaExpr &Lambda) {
    for (const LambdaCapture &C : Lambda.captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
        if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar()))
          define(V, Definition::Unknown, &Lambda, nullptr);
    for (const Expr *Init : Lambda.capture_inits())
      walk(Init);
  }

  void walkBinary(const BinaryOperator &Op) {
    if (Op.isLogicalOp()) {
      walk(Op.getLHS());
      return walkConditionally(Op.getRHS());
    }
    walk(Op.getRHS());
    walk(Op.getLHS());
    if (Op.isAssignmentOp())
      visitAssignment(Op);
  }

  void visitAssignment(const BinaryOperator &Op) {
    const VarDecl *V = variableOf(*Op.getLHS());
    if (!V || V->getType()->isReferenceType())
      return define(variableUnder(Op.getLHS()), Definition::Unknown, &Op,
                    nullptr);
    const auto *Compound = dyn_cast<CompoundAssignOperator>(&Op);
    if (Op.getOpcode() == BO_AddAssign || Op.getOpcode() == BO_SubAssign)
      return define(V, Definition::Step, &Op, Op.getRHS(),
                    Op.getOpcode() == BO_SubAssign,
                    isNarrowUnsigned(Compound->getComputationResultType()));
    if (Compound)
      return define(V, Definition::Unknown, &Op, nullptr);
    // `v = v + x`, `v = x + v`, `v = v - x`.
    if (const auto *Sum =
            dyn_cast<BinaryOperator>(Op.getRHS()->IgnoreParenImpCasts())) {
      bool Wraps = isNarrowUnsigned(Sum->getType());
      bool IsSub = Sum->getOpcode() == BO_Sub;
      if (Sum->isAdditiveOp() && variableOf(*Sum->getLHS()) == V)
        return define(V, Definition::Step, &Op, Sum->getRHS(), IsSub, Wraps);
      if (Sum->isAdditiveOp() && !IsSub && variableOf(*Sum->getRHS()) == V)
        return define(V, Definition::Step, &Op, Sum->getLHS(), false, Wraps);
    }
    define(V, Definition::Set, &Op, Op.getRHS());
  }

  void visitUnary(const UnaryOperator &Op) {
    if (Op.isIncrementDecrementOp()) {
      if (const VarDecl *V = variableOf(*Op.getSubExpr()))
        define(V, Definition::Step, &Op, nullptr, Op.isDecrementOp(),
               isNarrowUnsigned(V->getType()));
      else
        define(variableUnder(Op.getSubExpr()), Definition::Unknown, &Op,
               nullptr);
    } else if (Op.getOpcode() == UO_AddrOf) {
      const VarDecl *V = variableUnder(Op.getSubExpr());
      if (V && !V->getType()->isArrayType())
        define(V, Definition::Unknown, &Op, nullptr);
    }
  }

  void visit(const Stmt &S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
      D.Uses[Ref] = {Scope, ++D.LastRank, In};
    } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
      visitCall(*Call);
    } else if (isa<ContinueStmt>(S)) {
      if (Scope)
        Scope->HasContinue = true;
    } else if (isa<BreakStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(S)) {
      markExit(S);
    }
  }

  /// A break of a switch is taken for one of the loop: rare, and safe.
  void markExit(const Stmt &S) {
    for (LoopScope *L = Scope; L; L = const_cast<LoopScope *>(L->Parent)) {
      L->HasExit = true;
      if (isa<BreakStmt>(S))
        return;
    }
  }

  void visitDeclaration(const VarDecl &V) {
    D.Variables[&V].Scope = Scope;
    if (!V.getInit() || V.isStaticLocal())
      return;
    if (V.getType()->isReferenceType() &&
        !V.getType().getNonReferenceType().isConstQualified())
      define(variableUnder(V.getInit()), Definition::Unknown, V.getInit(),
             nullptr);
    define(&V, Definition::Set, V.getInit(), V.getInit());
  }

  /// Arguments that are bound to references of non-const type may change.
  void visitCall(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
      const Expr *Arg = Call.getArg(I);
      if (!Arg->isLValue())
        continue;
      bool IsObject = isa<CXXOperatorCallExpr>(Call) && I == 0 &&
                      isa_and_nonnull<CXXMethodDecl>(Callee);
      unsigned Param = isa<CXXOperatorCallExpr>(Call) &&
                               isa_and_nonnull<CXXMethodDecl>(Callee)
                           ? I - 1
                           : I;
      if (!IsObject && Callee && Param < Callee->getNumParams() &&
          Callee->getParamDecl(Param)
              ->getType()
              .getNonReferenceType()
              .isConstQualified())
        continue;
      define(variableUnder(Arg), Definition::Unknown, &Call, nullptr);
    }
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
      if (const CXXMethodDecl *Method = Member->getMethodDecl();
          Method && !Method->isConst())
        define(variableUnder(Member->getImplicitObjectArgument()),
               Definition::Unknown, &Call, nullptr);
  }

  void define(const VarDecl *V, Definition::KindTy Kind, const Stmt *Where,
              const Expr *Value, bool Negated = false, bool MayWrap = false) {
    if (!V)
      return;
    D.Variables[V].All.push_back({Kind,
                                  Where,
                                  Value,
                                  Negated,
                                  isConditional(),
                                  MayWrap,
                                  {Scope, ++D.LastRank, In}});
  }

  Definitions &D;
  LoopScope *Scope = nullptr;
  const Branch *In = nullptr;
  const ASTContext &Context;
};

Definitions::Definitions(const Stmt *Body, const ASTContext &Context) {
  Walker(*this, Context).walk(Body);
  ++LastRank;
  const facts::VariableFacts Facts(Body);
  for (const auto &[Var, Uses] : Facts)
    for (const facts::VariableUse &U : Uses)
      if (Var->hasLocalStorage() && !Var->getType()->isArrayType() &&
          Facts.mayChange(U) && !isDefinedBy(*Var, U)) {
        defineAnywhere(*Var, *U.Name);
        break;
      }
}

/// The walk found the assignment or step that \p U is.
bool Definitions::isDefinedBy(const VarDecl &V,
                              const facts::VariableUse &U) const {
  return !U.In &&
         (U.Kind == facts::UseKind::Assign || U.Kind == facts::UseKind::Step) &&
         llvm::any_of(of(&V),
                      [&](const Definition &D) { return D.Where == U.By; });
}

/// Something that is not followed may set \p V at any place.
void Definitions::defineAnywhere(const VarDecl &V, const Stmt &Where) {
  llvm::SmallVector<Definition, 2> &All = Variables[&V].All;
  auto Define = [&](const LoopScope *Scope) {
    Definition D;
    D.Where = &Where;
    D.Conditional = true;
    D.At.Scope = Scope;
    All.push_back(D);
  };
  Define(nullptr);
  for (const auto &Scope : Storage)
    Define(Scope.get());
}

llvm::ArrayRef<Definition> Definitions::of(const VarDecl *V) const {
  auto It = Variables.find(V);
  return It == Variables.end() ? llvm::ArrayRef<Definition>() : It->second.All;
}

ProgramPoint Definitions::pointOf(const DeclRefExpr *Ref) const {
  auto It = Uses.find(Ref);
  return It == Uses.end() ? ProgramPoint{nullptr, LastRank, nullptr}
                          : It->second;
}

const LoopScope *Definitions::scopeOf(const Stmt *Loop) const {
  return Scopes.lookup(Loop);
}

const LoopScope *Definitions::declarationScope(const VarDecl *V) const {
  auto It = Variables.find(V);
  return It == Variables.end() ? nullptr : It->second.Scope;
}
