// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/OwnAddress.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::facts {
namespace {

class Reader {
public:
  explicit Reader(llvm::function_ref<bool(const CallExpr &)> Forgets)
      : Forgets(Forgets) {}

  bool mayTell(QualType T) {
    const CXXRecordDecl *Class =
        T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!Class || !Seen.insert(Class->getCanonicalDecl()).second)
      return false;
    if (!Class->hasDefinition() || Class->isDependentContext())
      return true;
    return isLibraryCode(*Class) ? holdsOneThatMayTell(*Class)
                                 : mayTell(*Class->getDefinition());
  }

private:
  /// `std::pair<User, int>`
  bool holdsOneThatMayTell(const CXXRecordDecl &OfLibrary) {
    const auto *Instance =
        dyn_cast<ClassTemplateSpecializationDecl>(&OfLibrary);
    return Instance &&
           llvm::any_of(Instance->getTemplateArgs().asArray(),
                        [&](const TemplateArgument &A) { return isTold(A); });
  }
  bool isTold(const TemplateArgument &A) {
    return A.getKind() == TemplateArgument::Pack
               ? llvm::any_of(A.pack_elements(),
                              [&](const auto &Each) { return isTold(Each); })
               : A.getKind() == TemplateArgument::Type &&
                     mayTell(A.getAsType());
  }

  bool mayTell(const CXXRecordDecl &Class) {
    const auto OfBase = [&](const CXXBaseSpecifier &Base) {
      return mayTell(Base.getType());
    };
    const auto OfField = [&](const FieldDecl *Field) {
      return mayTell(Field->getType()) ||
             tellsIn(Field->getInClassInitializer());
    };
    return llvm::any_of(Class.bases(), OfBase) ||
           llvm::any_of(Class.fields(), OfField) ||
           llvm::any_of(Class.decls(),
                        [&](const Decl *D) { return makesAndTells(*D); });
  }

  /// A constructor, or the template of some.
  bool makesAndTells(const Decl &Member) {
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Member))
      return Constructor->isUserProvided() && tellsIn(*Constructor);
    const auto *Template = dyn_cast<FunctionTemplateDecl>(&Member);
    return Template && isa<CXXConstructorDecl>(Template->getTemplatedDecl()) &&
           llvm::any_of(
               Template->specializations(),
               [&](const FunctionDecl *Each) { return tellsIn(*Each); });
  }

  bool tellsIn(const FunctionDecl &Function) {
    const FunctionDecl *Body = Function.getDefinition();
    if (!Body || !Body->hasBody())
      return !isNeverUsed(Function);
    return Functions.insert(Body).second &&
           llvm::any_of(codeOf(*Body),
                        [&](const Stmt *Part) { return tellsIn(Part); });
  }

  /// Of an instance nobody uses there is no body.
  static bool isNeverUsed(const FunctionDecl &Function) {
    return Function.isDeleted() || Function.getTemplateSpecializationKind() ==
                                       TSK_ImplicitInstantiation;
  }

  /// In \p S, which may be null, an object's address is more than a way to its
  /// values. \p IsDiscarded: nobody uses the value of \p S.
  bool tellsIn(const Stmt *S, bool IsDiscarded = false) {
    if (!S)
      return false;
    if (const Expr *Part = valueTaken(*S, IsDiscarded);
        Part && isOwnPart(*Part))
      return tellsInIndices(*Part) || llvm::any_of(S->children(), [&](auto *E) {
               return E && !isSame(E, Part) && tellsIn(E);
             });
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(S))
      return tellsInCall(*Call, IsDiscarded);
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && Forgets(*Call))
      return llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
        return tellsInForgotten(*Argument);
      });
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
      return llvm::any_of(Lambda->capture_inits(),
                          [&](const Expr *E) { return tellsIn(E); }) ||
             tellsIn(Lambda->getBody());
    const bool AreDiscarded =
        isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt,
            SwitchCase, LabelStmt>(S) ||
        (isa<FullExpr>(S) && IsDiscarded);
    return isa<CXXThisExpr>(S) ||
           llvm::any_of(S->children(), [&](const Stmt *E) {
             return tellsIn(E, AreDiscarded);
           });
  }

  static bool isSame(const Stmt *Child, const Expr *Part) {
    const auto *E = dyn_cast<Expr>(Child);
    return E && E->IgnoreParens() == Part;
  }

  /// Of what \p S reads or writes the value, or calls an operator that gives
  /// nobody an address.
  static const Expr *valueTaken(const Stmt &S, bool IsDiscarded) {
    const Expr *Of = nullptr;
    if (const auto *Cast = dyn_cast<CastExpr>(&S);
        Cast && Cast->getCastKind() == CK_LValueToRValue)
      Of = Cast->getSubExpr();
    else if (const auto *Op = dyn_cast<BinaryOperator>(&S);
             Op && Op->isAssignmentOp() && (IsDiscarded || !Op->isGLValue()))
      Of = Op->getLHS();
    else if (const auto *Step = dyn_cast<UnaryOperator>(&S);
             Step && Step->isIncrementDecrementOp() &&
             (IsDiscarded || !Step->isGLValue()))
      Of = Step->getSubExpr();
    else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&S);
             Call && isHarmless(*Call, IsDiscarded))
      Of = Call->getArg(0);
    return Of ? Of->IgnoreParens() : nullptr;
  }

  /// A library's, or one that copies bytes, whose result leads to no object.
  static bool isHarmless(const CallExpr &Call, bool IsDiscarded) {
    const auto *Method =
        dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
    return Method && (isLibraryCode(*Method) || Method->isTrivial()) &&
           (IsDiscarded ||
            (!Call.isGLValue() && Call.getType()->isArithmeticType()));
  }

  /// The object that is made, a member, or an element or a member of one.
  static bool isOwnPart(const Expr &E) {
    const Expr *Plain = E.IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Plain);
        Cast && Cast->getCastKind() != CK_LValueToRValue)
      return isOwnPart(*Cast->getSubExpr());
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Plain))
      return isOwnPart(*Element->getBase());
    if (const auto *Op = dyn_cast<UnaryOperator>(Plain))
      return Op->getOpcode() == UO_Deref && isa<CXXThisExpr>(Op->getSubExpr());
    if (isElementOfLibrarys(*Plain))
      return isOwnPart(*cast<CallExpr>(Plain)->getArg(0));
    const auto *Member = dyn_cast<MemberExpr>(Plain);
    return Member && !Member->getMemberDecl()->getType()->isReferenceType() &&
           (Member->isArrow()
                ? isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts())
                : isOwnPart(*Member->getBase()));
  }

  /// `array[i]`
  static bool isElementOfLibrarys(const Expr &E) {
    const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E);
    return Call && Call->getOperator() == OO_Subscript &&
           Call->getDirectCallee() && isLibraryCode(*Call->getDirectCallee());
  }

  bool tellsInIndices(const Expr &Part) {
    const Expr *Plain = Part.IgnoreParenImpCasts();
    if (isElementOfLibrarys(*Plain)) {
      const auto *Call = cast<CallExpr>(Plain);
      return tellsIn(Call->getArg(1)) || tellsInIndices(*Call->getArg(0));
    }
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Plain))
      return tellsIn(Element->getIdx()) || tellsInIndices(*Element->getBase());
    const auto *Member = dyn_cast<MemberExpr>(Plain);
    return Member && !Member->isArrow() && tellsInIndices(*Member->getBase());
  }

  /// Another function of the object's, or a library's of one of its parts.
  bool tellsInCall(const CXXMemberCallExpr &Call, bool IsDiscarded) {
    const Expr *Object = Call.getImplicitObjectArgument();
    const CXXMethodDecl *Callee = Call.getMethodDecl();
    const bool IsOwn =
        Object && isa<CXXThisExpr>(Object->IgnoreParenImpCasts());
    if (llvm::any_of(Call.arguments(),
                     [&](const Expr *E) { return tellsIn(E); }))
      return true;
    if (!Callee || !Object)
      return true;
    if (IsOwn)
      return Callee->isVirtual() || tellsIn(*Callee);
    if (isOwnPart(*Object) && isHarmless(Call, IsDiscarded))
      return tellsInIndices(*Object);
    return tellsIn(Object);
  }

  /// `cudaMalloc(&data, n)` forgets where `data` is.
  bool tellsInForgotten(const Expr &Argument) {
    const auto *Op = dyn_cast<UnaryOperator>(Argument.IgnoreParenCasts());
    return Op && Op->getOpcode() == UO_AddrOf && isOwnPart(*Op->getSubExpr())
               ? tellsInIndices(*Op->getSubExpr())
               : tellsIn(&Argument);
  }

  const llvm::function_ref<bool(const CallExpr &)> Forgets;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Seen;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Functions;
};

} // namespace

bool mayTellOwnAddress(QualType T,
                       llvm::function_ref<bool(const CallExpr &)> Forgets) {
  return Reader(Forgets).mayTell(T);
}

} // namespace barricade::facts
