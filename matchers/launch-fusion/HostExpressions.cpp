// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-fusion/HostExpressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::launch_fusion {
namespace {

constexpr unsigned MaxCallDepth = 4;

class PurityCheck {
public:
  explicit PurityCheck(const ASTContext &Context) : Context(Context) {}

  bool value(const Expr *Whole) {
    if (!Whole)
      return true;
    const Expr &E = *Whole->IgnoreParens();
    if (E.getType().isVolatileQualified())
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
      return isa<EnumConstantDecl, FunctionDecl, VarDecl>(Ref->getDecl());
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
      return value(Default->getExpr());
    if (const auto *Op = dyn_cast<UnaryOperator>(&E))
      return !Op->isIncrementDecrementOp() && value(Op->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return !Op->isAssignmentOp() && value(Op->getLHS()) &&
             value(Op->getRHS());
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E))
      return construction(*Construct);
    if (const auto *Call = dyn_cast<CallExpr>(&E))
      return call(*Call);
    if (const auto *List = dyn_cast<InitListExpr>(&E);
        List && !value(List->getArrayFiller()))
      return false;
    return isa<IntegerLiteral, FloatingLiteral, CharacterLiteral,
               CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, GNUNullExpr,
               ImplicitValueInitExpr, CXXScalarValueInitExpr, CXXThisExpr,
               UnaryExprOrTypeTraitExpr, CastExpr, MemberExpr,
               ArraySubscriptExpr, ConditionalOperator, InitListExpr, FullExpr,
               MaterializeTemporaryExpr, SubstNonTypeTemplateParmExpr>(E) &&
           llvm::all_of(E.children(), [&](const Stmt *Child) {
             return value(dyn_cast_or_null<Expr>(Child));
           });
  }

private:
  bool construction(const CXXConstructExpr &E) {
    const CXXConstructorDecl &Constructor = *E.getConstructor();
    const CXXRecordDecl &Record = *Constructor.getParent();
    const bool IsPlain = Constructor.isTrivial() ||
                         (Record.getDeclName().isIdentifier() &&
                          Record.getName() == "dim3" && isOfSystem(Record));
    return IsPlain && llvm::all_of(E.arguments(),
                                   [&](const Expr *Arg) { return value(Arg); });
  }

  bool isOfSystem(const Decl &D) const {
    const SourceManager &SM = Context.getSourceManager();
    return SM.isInSystemHeader(SM.getExpansionLoc(D.getLocation()));
  }

  bool call(const CallExpr &Call) {
    if (isa<CUDAKernelCallExpr>(Call) || !value(calledObject(Call)) ||
        !llvm::all_of(Call.arguments(),
                      [&](const Expr *Arg) { return value(Arg); }))
      return false;
    const FunctionDecl *Callee = Call.getDirectCallee();
    return Callee && function(*Callee);
  }

  static const Expr *calledObject(const CallExpr &Call) {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
    return Member ? Member->getImplicitObjectArgument() : nullptr;
  }

  bool function(const FunctionDecl &Callee) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    if (Method && Method->isVirtual())
      return false;
    if (const unsigned Builtin = Callee.getBuiltinID())
      return Context.BuiltinInfo.isConst(Builtin) ||
             Context.BuiltinInfo.isConstWithoutErrnoAndExceptions(Builtin);
    // Bodies of library templates may have been left out.
    if (Method && isOfSystem(Callee) && Callee.getNumParams() == 0 &&
        Callee.getDeclName().isIdentifier() &&
        isPlainHolder(*Method->getParent()) &&
        llvm::StringSwitch<bool>(Callee.getName())
            .Cases({"data", "get", "size"}, true)
            .Default(false))
      return true;
    const FunctionDecl *Definition = nullptr;
    if (Depth == MaxCallDepth || !Callee.hasBody(Definition) ||
        Callee.hasAttr<WeakAttr>())
      return false;
    ++Depth;
    const bool IsPure = body(*Definition->getBody());
    --Depth;
    return IsPure;
  }

  /// A library's container or pointer: others, as std::future, may wait.
  static bool isPlainHolder(const CXXRecordDecl &Class) {
    const std::string Name = Class.getQualifiedNameAsString();
    return (Class.isInStdNamespace() ||
            llvm::StringRef(Name).starts_with("thrust::")) &&
           Class.getIdentifier() &&
           llvm::StringSwitch<bool>(Class.getName())
               .Cases({"array", "vector", "basic_string", "basic_string_view"},
                      true)
               .Cases({"span", "unique_ptr", "shared_ptr", "__shared_ptr"},
                      true)
               .Cases({"device_vector", "host_vector", "vector_base"}, true)
               .Cases({"device_ptr", "pointer", "initializer_list"}, true)
               .Default(false);
  }

  bool body(const Stmt &S) {
    if (isa<NullStmt>(S))
      return true;
    if (const auto *Return = dyn_cast<ReturnStmt>(&S))
      return value(Return->getRetValue());
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      return llvm::all_of(Declaration->decls(), [&](const Decl *D) {
        const auto *Var = dyn_cast<VarDecl>(D);
        return isa<TypedefNameDecl, StaticAssertDecl>(D) ||
               (Var && Var->hasLocalStorage() &&
                !Var->getType().isDestructedType() &&
                !Var->hasAttr<CleanupAttr>() && value(Var->getInit()));
      });
    if (const auto *If = dyn_cast<IfStmt>(&S))
      return !If->getInit() && !If->getConditionVariable() &&
             !If->isConsteval() && value(If->getCond()) &&
             body(*If->getThen()) && (!If->getElse() || body(*If->getElse()));
    const auto *Block = dyn_cast<CompoundStmt>(&S);
    return Block && llvm::all_of(Block->body(), [&](const Stmt *Child) {
             return body(*Child);
           });
  }

  const ASTContext &Context;
  unsigned Depth = 0;
};

/// Copies of it run no code.
bool isPlain(QualType Type, const ASTContext &Context) {
  return !Type->isReferenceType() && !Type.isVolatileQualified() &&
         Type.isTriviallyCopyableType(Context) && !Type.isDestructedType();
}

} // namespace

bool isPureValue(const Expr &E, const ASTContext &Context) {
  return PurityCheck(Context).value(&E);
}

bool isPureStatement(const Stmt &S, const ASTContext &Context,
                     llvm::SmallPtrSetImpl<const VarDecl *> &Changed) {
  if (isa<NullStmt>(S))
    return true;
  if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
    return llvm::all_of(Declaration->decls(), [&](const Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      return isa<TypedefNameDecl, StaticAssertDecl, UsingDecl,
                 UsingDirectiveDecl>(D) ||
             (Var && Var->hasLocalStorage() &&
              isPlain(Var->getType(), Context) &&
              (!Var->getInit() || isPureValue(*Var->getInit(), Context)));
    });
  const Expr *Target = nullptr;
  if (const auto *E = dyn_cast<Expr>(&S)) {
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<ExprWithCleanups>(E))
      E = Full->getSubExpr()->IgnoreParens();
    if (const auto *Op = dyn_cast<BinaryOperator>(E);
        Op && Op->isAssignmentOp() && isPureValue(*Op->getRHS(), Context))
      Target = Op->getLHS();
    else if (const auto *Op = dyn_cast<UnaryOperator>(E);
             Op && Op->isIncrementDecrementOp())
      Target = Op->getSubExpr();
  }
  const auto *Ref =
      Target ? dyn_cast<DeclRefExpr>(Target->IgnoreParens()) : nullptr;
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || !Var->hasLocalStorage() || !isPlain(Var->getType(), Context))
    return false;
  Changed.insert(Var);
  return true;
}

} // namespace barricade::launch_fusion
