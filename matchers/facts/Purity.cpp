// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Purity.h"
#include "matchers/facts/LinkedCode.h"
#include "matchers/facts/NodeKinds.h"
#include "matchers/facts/SilentCalls.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::facts {
namespace {

constexpr unsigned MaxCallDepth = 4;

/// Not `dynamic_cast`, which may throw, nor one whose type has a length to
/// compute. What a user's function converts is seen at its call.
bool isPlainCast(const CastExpr &Cast) {
  const auto *Explicit = dyn_cast<ExplicitCastExpr>(&Cast);
  return listedUse(Cast.getCastKind()).value_or(CastUse::Unknown) !=
             CastUse::Unknown &&
         !(Explicit && Explicit->getTypeAsWritten()->isVariablyModifiedType());
}

/// The variable that \p E names, or the static member.
const VarDecl *namedVariable(const Expr &E) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
    return dyn_cast<VarDecl>(Ref->getDecl());
  const auto *Member = dyn_cast<MemberExpr>(&E);
  return Member ? dyn_cast<VarDecl>(Member->getMemberDecl()) : nullptr;
}

bool isOfSystem(const Decl &D) {
  const SourceManager &SM = D.getASTContext().getSourceManager();
  return SM.isInSystemHeader(SM.getExpansionLoc(D.getLocation()));
}

class Walker {
public:
  explicit Walker(const PureScope &Scope) : Scope(Scope) {}

  bool value(const Expr *Whole) {
    if (!Whole)
      return true;
    const Expr &E = *Whole->IgnoreParens();
    if (E.getType().isNull() || E.getType().isVolatileQualified() ||
        E.getType()->isAtomicType())
      return false;
    if (const VarDecl *Var = namedVariable(E); Var && isInitialisedByUse(*Var))
      return false;
    if (Scope.Known)
      if (const std::optional<bool> Answer = Scope.Known(E))
        return *Answer;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
      return isa<EnumConstantDecl, FunctionDecl, VarDecl>(Ref->getDecl());
    if (const auto *Op = dyn_cast<UnaryOperator>(&E))
      return !Op->isIncrementDecrementOp() && reaches(*Op) &&
             value(Op->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return !Op->isAssignmentOp() &&
             (!Op->isPtrMemOp() || Scope.Reach == PureReach::Memory) &&
             value(Op->getLHS()) && value(Op->getRHS());
    if (const auto *Call = dyn_cast<CallExpr>(&E))
      return call(*Call);
    return isListed(E) && llvm::all_of(E.children(), [&](const Stmt *Child) {
             return value(dyn_cast_or_null<Expr>(Child));
           });
  }

private:
  bool reaches(const UnaryOperator &Op) const {
    return Scope.Reach == PureReach::Memory ||
           (Op.getOpcode() != UO_Deref && Op.getOpcode() != UO_AddrOf);
  }

  /// A node that does nothing but what its operands do.
  bool isListed(const Expr &E) {
    if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr,
            UnaryExprOrTypeTraitExpr, ConditionalOperator, ConstantExpr,
            SubstNonTypeTemplateParmExpr>(E))
      return true;
    if (const auto *Cast = dyn_cast<CastExpr>(&E))
      return isPlainCast(*Cast);
    if (Scope.Reach == PureReach::Arithmetic)
      return false;
    if (isa<CharacterLiteral, CXXNullPtrLiteralExpr, GNUNullExpr,
            ImplicitValueInitExpr, CXXScalarValueInitExpr, FullExpr>(E))
      return true;
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return Scope.Reach == PureReach::Memory || isPartOfBase(*Member);
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&E))
      return Scope.Reach == PureReach::Memory || isOfArray(*Element);
    return Scope.Reach == PureReach::Memory && isObject(E);
  }

  /// Of an array itself, not of what a pointer leads to.
  static bool isOfArray(const ArraySubscriptExpr &Element) {
    const auto *Decay =
        dyn_cast<ImplicitCastExpr>(Element.getBase()->IgnoreParens());
    return Decay && Decay->getCastKind() == CK_ArrayToPointerDecay;
  }

  bool isObject(const Expr &E) {
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
      return value(Default->getExpr());
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E))
      return construction(*Construct);
    if (const auto *List = dyn_cast<InitListExpr>(&E))
      return value(List->getArrayFiller());
    return isa<CXXThisExpr, MaterializeTemporaryExpr>(E);
  }

  static bool construction(const CXXConstructExpr &E) {
    const CXXConstructorDecl &Constructor = *E.getConstructor();
    const CXXRecordDecl &Record = *Constructor.getParent();
    return Constructor.isTrivial() ||
           (Record.getDeclName().isIdentifier() && Record.getName() == "dim3" &&
            isOfSystem(Record));
  }

  bool call(const CallExpr &Call) {
    return !isa<CUDAKernelCallExpr>(Call) && Scope.Calls &&
           value(calledObject(Call)) &&
           llvm::all_of(Call.arguments(),
                        [&](const Expr *Arg) { return value(Arg); }) &&
           Scope.Calls(Call);
  }

  static const Expr *calledObject(const CallExpr &Call) {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
    return Member ? Member->getImplicitObjectArgument() : nullptr;
  }

  const PureScope &Scope;
};

/// Looks into the functions that are called.
class Functions {
public:
  explicit Functions(const ASTContext &Context) : Context(Context) {}

  bool value(const Expr *E) {
    if (!E)
      return true;
    const auto IsPureCall = [&](const CallExpr &Call) {
      const FunctionDecl *Callee = Call.getDirectCallee();
      return Callee && function(*Callee);
    };
    return isPure(*E, {PureReach::Memory, nullptr, IsPureCall});
  }

private:
  bool function(const FunctionDecl &Callee) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    if (Method && Method->isVirtual())
      return false;
    if (isRelabelled(Callee))
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
    const FunctionDecl *Definition = linkedBody(Callee);
    if (Depth == MaxCallDepth || !Definition || !runsByItself(*Definition))
      return false;
    ++Depth;
    const bool IsPure = body(*Definition->getBody());
    --Depth;
    return IsPure;
  }

  /// What its body shows is all that it does: no destructors, of a member's or
  /// of what it is given.
  static bool runsByItself(const FunctionDecl &Definition) {
    return silentCallsOf(Definition).Callees.empty();
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
        return isSilentDeclaration(*D) ||
               (Var && isPlainVariable(*Var) && value(Var->getInit()));
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

} // namespace

bool isInitialisedByUse(const VarDecl &Var) {
  return Var.getTLSKind() == VarDecl::TLS_Dynamic;
}

bool isSilentDeclaration(const Decl &D) {
  const auto *Type = dyn_cast<TypedefNameDecl>(&D);
  return Type ? !Type->getUnderlyingType()->isVariablyModifiedType()
              : isa<StaticAssertDecl, EmptyDecl>(D);
}

bool isPlainVariable(const VarDecl &Var) {
  const auto *Whole = dyn_cast<DecompositionDecl>(&Var);
  return Var.hasLocalStorage() && !Var.hasAttr<CleanupAttr>() &&
         !Var.getType().isDestructedType() &&
         !Var.getType()->isVariablyModifiedType() &&
         !(Whole &&
           llvm::any_of(Whole->bindings(), [](const BindingDecl *Binding) {
             return Binding->getHoldingVar() != nullptr;
           }));
}

bool isPure(const Expr &E, const PureScope &Scope) {
  return Walker(Scope).value(&E);
}

bool isPure(const Expr &E, const ASTContext &Context) {
  return Functions(Context).value(&E);
}

} // namespace barricade::facts
