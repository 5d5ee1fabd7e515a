// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/ErrorCheck.h"
#include "matchers/Statements.h"
#include "matchers/grid-barrier/HostCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// Follows a statement on the path on which the runtime reports success.
class CheckReader {
public:
  explicit CheckReader(ASTContext &Context) : Context(Context) {}

  const CallExpr *Call = nullptr; ///< The runtime's.

  /// \p S does nothing but ask.
  bool isQuiet(const Stmt &S) {
    if (const auto *Block = dyn_cast<CompoundStmt>(&S))
      return llvm::all_of(Block->body(),
                          [&](const Stmt *Child) { return isQuiet(*Child); });
    if (isOnceLoop(S, Context))
      return isQuiet(*bodyOf(S));
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      return llvm::all_of(Declaration->decls(),
                          [&](const Decl *D) { return isQuiet(*D); });
    if (const auto *If = dyn_cast<IfStmt>(&S))
      return !If->getInit() && !If->getConditionVariable() && !If->getElse() &&
             !If->isConsteval() && isFalse(*If->getCond()) &&
             !holds(If->getThen(), [](const Stmt &Inner) {
               return isa<BreakStmt, ContinueStmt>(Inner);
             });
    if (const auto *Return = dyn_cast<ReturnStmt>(&S))
      return Depth > 0 &&
             (!Return->getRetValue() || isHarmless(*Return->getRetValue()));
    if (const auto *E = dyn_cast<Expr>(&S))
      return isQuietCall(*E);
    return isa<NullStmt>(S);
  }

private:
  bool isQuiet(const Decl &D) {
    const auto *Var = dyn_cast<VarDecl>(&D);
    if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType())
      return false;
    if (!Var->getInit())
      return true;
    if (!isError(*Var->getInit()))
      return isHarmless(*Var->getInit());
    Errors.insert(Var);
    return true;
  }

  bool isHarmless(const Expr &E) const { return !E.HasSideEffects(Context); }

  /// The runtime's call, or that of a function which looks at its result.
  bool isQuietCall(const Expr &E) {
    const auto *Invoked = dyn_cast<CallExpr>(stripped(E));
    if (!Invoked)
      return false;
    if (isRuntimeCall(*Invoked))
      return true;
    const FunctionDecl *Callee = Invoked->getDirectCallee();
    Callee = Callee ? Callee->getDefinition() : nullptr;
    if (!Callee || !Callee->hasBody() || isa<CXXMethodDecl>(Callee) ||
        isa<CUDAKernelCallExpr>(Invoked) || Depth == MaxDepth ||
        Invoked->getNumArgs() != Callee->getNumParams())
      return false;
    for (unsigned I = 0; I < Callee->getNumParams(); ++I) {
      if (isError(*Invoked->getArg(I)))
        Errors.insert(Callee->getParamDecl(I));
      else if (!isHarmless(*Invoked->getArg(I)))
        return false;
    }
    ++Depth;
    const bool Quiet = isQuiet(*Callee->getBody());
    --Depth;
    return Quiet;
  }

  /// Notes the call; only one may be asked about.
  bool isRuntimeCall(const CallExpr &E) {
    switch (classifyHostCall(E, Context.getSourceManager())) {
    case HostCallKind::Query:
    case HostCallKind::Synchronise:
    case HostCallKind::Copy:
    case HostCallKind::Fill:
      break;
    default:
      return false;
    }
    if (Call && Call != &E)
      return false;
    Call = &E;
    return true;
  }

  /// Of the runtime's error type, and cudaSuccess.
  bool isError(const Expr &E) {
    const Expr *Plain = stripped(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Plain))
      return Errors.contains(Ref->getDecl());
    const auto *Invoked = dyn_cast<CallExpr>(Plain);
    return Invoked && isRuntimeCall(*Invoked);
  }

  /// \p Condition, without effects, does not hold.
  bool isFalse(const Expr &Condition) {
    const Expr *Plain = stripped(Condition);
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain)) {
      if (Op->getOpcode() == BO_LAnd)
        return isFalse(*Op->getLHS());
      if (Op->getOpcode() == BO_LOr)
        return isFalse(*Op->getLHS()) && isFalse(*Op->getRHS());
      return Op->getOpcode() == BO_NE && comparesWithSuccess(*Op);
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(Plain);
        Op && Op->getOpcode() == UO_LNot) {
      const auto *Equal = dyn_cast<BinaryOperator>(stripped(*Op->getSubExpr()));
      return Equal && Equal->getOpcode() == BO_EQ &&
             comparesWithSuccess(*Equal);
    }
    return isError(*Plain);
  }

  bool comparesWithSuccess(const BinaryOperator &Op) {
    const auto IsSuccess = [&](const Expr &E) {
      Expr::EvalResult Value;
      return E.EvaluateAsInt(Value, Context) && Value.Val.getInt() == 0;
    };
    return (IsSuccess(*Op.getRHS()) && isError(*Op.getLHS())) ||
           (IsSuccess(*Op.getLHS()) && isError(*Op.getRHS()));
  }

  static const Expr *stripped(const Expr &E) {
    const Expr *Plain = E.IgnoreParenCasts();
    if (const auto *Full = dyn_cast<FullExpr>(Plain))
      Plain = Full->getSubExpr()->IgnoreParenCasts();
    return Plain;
  }

  static constexpr unsigned MaxDepth = 4;
  ASTContext &Context;
  unsigned Depth = 0; ///< Of calls.
  llvm::SmallPtrSet<const ValueDecl *, 4> Errors;
};

} // namespace

const CallExpr *checkedCall(const Stmt &S, ASTContext &Context) {
  // What it declares might be used later.
  if (isa<DeclStmt>(S))
    return nullptr;
  CheckReader Reader(Context);
  return Reader.isQuiet(S) ? Reader.Call : nullptr;
}

CheckedResult checkedResult(const Stmt &First, const Stmt &Second,
                            ASTContext &Context) {
  const auto *Declaration = dyn_cast<DeclStmt>(&First);
  const auto *Var = Declaration && Declaration->isSingleDecl()
                        ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                        : nullptr;
  CheckReader Reader(Context);
  if (!Var || !isa<IfStmt>(Second) || !Reader.isQuiet(First) || !Reader.Call ||
      !Reader.isQuiet(Second))
    return {};
  return {Reader.Call, Var};
}

} // namespace barricade::grid_barrier
