// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/facts/Constants.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"
#include <limits>

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// `using namespace x;`, `using x::y;`, `namespace z = x;` in the body.
bool bringsNames(const FunctionDecl &Function) {
  return holds(Function.getBody(), [](const Stmt &S) {
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    return Declaration && llvm::any_of(Declaration->decls(), [](const Decl *D) {
             return isa<UsingDirectiveDecl, BaseUsingDecl, NamespaceAliasDecl>(
                 D);
           });
  });
}

class LocalNameVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  explicit LocalNameVisitor(const FunctionDecl &Function,
                            const Stmt *Part = nullptr)
      : Function(Function), Part(Part), BringsNames(bringsNames(Function)) {}

  SourceLocation Found;

  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *Launch) override {
    if (const auto *Kernel =
            dyn_cast<DeclRefExpr>(Launch->getCallee()->IgnoreParenImpCasts()))
      for (unsigned I = 0; I < Kernel->getNumTemplateArgs(); ++I)
        noteReplaced(*Kernel, I);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && Var->isLocalVarDeclOrParm() && InType && !Replaced.contains(Ref))
      return refuse(Ref->getBeginLoc());
    // Functions are called by names of the rewriter's, but for what the
    // compiler computes.
    const auto *Callee = dyn_cast<FunctionDecl>(Ref->getDecl());
    return (Var && Var->isLocalVarDeclOrParm()) ||
           (Callee && !Callee->isImmediateFunction()) ||
           (check(*Ref->getDecl(), Ref->getBeginLoc()) &&
            check(*Ref->getFoundDecl(), Ref->getBeginLoc()) &&
            (!isLocalAlias(Ref->getQualifierLoc()) ||
             refuse(Ref->getBeginLoc())));
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc Loc) override {
    if (InType && isLocalAlias(Loc))
      return refuse(Loc.getBeginLoc());
    return ConstDynamicRecursiveASTVisitor::TraverseNestedNameSpecifierLoc(Loc);
  }
  // Nobody reads what a type, a template's argument or an attribute names, so
  // that the variable may not be there.
  bool TraverseTypeLoc(TypeLoc Loc, bool WithQualifier) override {
    llvm::SaveAndRestore Inside(InType, true);
    return ConstDynamicRecursiveASTVisitor::TraverseTypeLoc(Loc, WithQualifier);
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &Arg) override {
    llvm::SaveAndRestore Inside(InType, true);
    return ConstDynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(Arg);
  }
  bool TraverseAttr(const Attr *A) override {
    llvm::SaveAndRestore Inside(InType, true);
    return ConstDynamicRecursiveASTVisitor::TraverseAttr(A);
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc Loc) override {
    return check(*Loc.getDecl(), Loc.getBeginLoc());
  }
  bool VisitUsingTypeLoc(UsingTypeLoc Loc) override {
    return check(*Loc.getDecl(), Loc.getBeginLoc());
  }
  bool VisitRecordTypeLoc(RecordTypeLoc Loc) override {
    return check(*Loc.getDecl(), Loc.getBeginLoc());
  }
  bool VisitEnumTypeLoc(EnumTypeLoc Loc) override {
    return check(*Loc.getDecl(), Loc.getBeginLoc());
  }
  bool VisitTemplateSpecializationTypeLoc(
      TemplateSpecializationTypeLoc Loc) override {
    const TemplateDecl *Template =
        Loc.getTypePtr()->getTemplateName().getAsTemplateDecl();
    return !Template || check(*Template, Loc.getBeginLoc());
  }

private:
  /// What the part declares itself stays there, and nothing else may use it.
  void noteReplaced(const DeclRefExpr &Kernel, unsigned I) {
    if (!Part || !localConstant(Kernel, I))
      return;
    const Expr *Name = Kernel.template_arguments()[I]
                           .getSourceExpression()
                           ->IgnoreParenImpCasts();
    if (!declares(Part, *variableNamedBy(*Name)))
      Replaced.insert(Name);
  }

  /// A namespace that is called so in the function only.
  static bool isLocalAlias(NestedNameSpecifierLoc Loc) {
    const NestedNameSpecifier Qualifier = Loc.getNestedNameSpecifier();
    return Qualifier.getKind() == NestedNameSpecifier::Kind::Namespace &&
           Qualifier.getAsNamespaceAndPrefix()
               .Namespace->getParentFunctionOrMethod();
  }

  /// Ends the search at the first place.
  bool check(const NamedDecl &D, SourceLocation Where) {
    const DeclContext *Space =
        D.getDeclContext()->getEnclosingNamespaceContext();
    // A friend's or a member's rights end with the function.
    const bool IsOpen = !isHidden(D) && (D.getAccess() == AS_none ||
                                         !isa<CXXMethodDecl>(Function));
    if (IsOpen && !D.getParentFunctionOrMethod() &&
        (!BringsNames || Space->Encloses(Function.getDeclContext())))
      return true;
    return refuse(Where);
  }

  bool refuse(SourceLocation Where) {
    Found = Where;
    return false;
  }

  const FunctionDecl &Function;
  const Stmt *Part; ///< Null: a type is asked about.
  const bool BringsNames;
  bool InType = false;
  /// By numbers.
  llvm::SmallPtrSet<const Expr *, 2> Replaced;
};

/// The type of \p Var is written by names that only its function knows, or by
/// `typeof`, which Clang prints as C does.
bool isSpelledLocally(const VarDecl &Var) {
  const auto *Function = dyn_cast<FunctionDecl>(Var.getDeclContext());
  const TypeSourceInfo *Written = Var.getTypeSourceInfo();
  if (!Function || !Written)
    return false;
  LocalNameVisitor Visitor(*Function);
  Visitor.TraverseTypeLoc(Written->getTypeLoc(), /*WithQualifier=*/true);
  return Visitor.Found.isValid() || Var.getType()->getAs<TypeOfExprType>() ||
         Var.getType()->getAs<TypeOfType>();
}

} // namespace

/// A number of any integer type may be given for it: it is neither deduced nor
/// an enumeration.
static bool takesNumbers(const FunctionDecl &Kernel, unsigned I) {
  const FunctionTemplateDecl *Template = Kernel.getPrimaryTemplate();
  if (!Template || I >= Template->getTemplateParameters()->size())
    return false;
  const auto *Parameter = dyn_cast<NonTypeTemplateParmDecl>(
      Template->getTemplateParameters()->getParam(I));
  return Parameter && !Parameter->isParameterPack() &&
         Parameter->getType()->isIntegerType() &&
         !Parameter->getType()->isEnumeralType();
}

std::optional<llvm::APSInt> localConstant(const DeclRefExpr &Kernel,
                                          unsigned I) {
  const auto *Function = dyn_cast<FunctionDecl>(Kernel.getDecl());
  const TemplateArgumentLoc &Argument = Kernel.template_arguments()[I];
  if (!Function || !takesNumbers(*Function, I) ||
      Argument.getArgument().getKind() != TemplateArgument::Expression)
    return std::nullopt;
  const ASTContext &Context = Function->getASTContext();
  const Expr &Name = *Argument.getSourceExpression();
  const VarDecl *Var = variableNamedBy(*Name.IgnoreParenImpCasts());
  if (!Var || !Var->isLocalVarDecl() || !Var->getType()->isIntegerType() ||
      Var->getType()->isEnumeralType() ||
      valueMayDiffer(Name, Name.getBeginLoc(), Context))
    return std::nullopt;
  // The literals of larger ones, and of the least, have no sign.
  const auto Number = facts::integerOf(Name, Context);
  return Number && Number->isRepresentableByInt64() &&
                 Number->getExtValue() != std::numeric_limits<int64_t>::min()
             ? Number
             : std::nullopt;
}

SourceLocation findLocalName(const Stmt &Part, const FunctionDecl &Function) {
  LocalNameVisitor Visitor(Function, &Part);
  Visitor.TraverseStmt(&Part);
  return Visitor.Found;
}

bool isHidden(const Decl &D) {
  const auto *Outer = dyn_cast<TagDecl>(D.getDeclContext());
  return D.getAccess() == AS_private || D.getAccess() == AS_protected ||
         (Outer && isHidden(*Outer));
}

/// A function or a variable has the name, too: `struct stat`.
static bool isHiddenByValue(const TagDecl &Tag) {
  return Tag.getIdentifier() &&
         llvm::any_of(Tag.getDeclContext()->getRedeclContext()->lookup(
                          Tag.getDeclName()),
                      [](const NamedDecl *D) {
                        return isa<ValueDecl, FunctionTemplateDecl>(
                            D->getUnderlyingDecl());
                      });
}

bool isNamedOutside(QualType Type) {
  QualType Element = Type.getCanonicalType();
  while (Element->isAnyPointerType() || Element->isArrayType())
    Element = Element->isArrayType()
                  ? QualType(Element->getArrayElementTypeNoTypeQual(), 0)
                  : Element->getPointeeType();
  if (const TagDecl *Tag = Element->getAsTagDecl();
      Tag && (isHidden(*Tag) || isHiddenByValue(*Tag)))
    return false;
  const Linkage Known = Type.getCanonicalType()->getLinkage();
  return Known != Linkage::None && Known != Linkage::VisibleNone;
}

QualType canonicalCopyType(const VarDecl &Var) {
  const QualType Type = Var.getType()
                            .getNonReferenceType()
                            .getCanonicalType()
                            .getUnqualifiedType();
  // What a namespace declares may hide what is outside of it.
  const bool InNamespace = !Var.getDeclContext()
                                ->getEnclosingNamespaceContext()
                                ->isTranslationUnit();
  return Type->isDependentType() ? Type
                                 : TypeName::getFullyQualifiedType(
                                       Type, Var.getASTContext(), InNamespace);
}

/// The name of the macro, one word, that spells all of \p Type; empty: none.
static llvm::StringRef macroOf(TypeLoc Type, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = Type.getBeginLoc(), End = Type.getEndLoc();
  if (!Begin.isMacroID() || !End.isMacroID())
    return "";
  const SourceRange Use = SM.getExpansionRange(Begin).getAsRange();
  if (Use.getBegin() != Use.getEnd() ||
      Use != SM.getExpansionRange(End).getAsRange())
    return "";
  return Lexer::getSourceText(CharSourceRange::getTokenRange(Use), SM,
                              Context.getLangOpts());
}

/// \p Type, pointers to what a macro spells, by the macro's name: so that it is
/// written as it is in all builds. Null where it is something else.
static QualType typeByMacro(TypeLoc Type, ASTContext &Context) {
  if (const auto Qualified = Type.getAs<QualifiedTypeLoc>()) {
    const QualType Plain = typeByMacro(Qualified.getUnqualifiedLoc(), Context);
    return Plain.isNull() ? Plain
                          : Context.getQualifiedType(
                                Plain, Type.getType().getLocalQualifiers());
  }
  if (const auto Pointer = Type.getAs<PointerTypeLoc>()) {
    const TypeLoc Pointee = Pointer.getPointeeLoc();
    QualType To = typeByMacro(Pointee, Context);
    // Whether the macro spells qualifiers, too, nobody tells.
    const bool IsPlain = !Pointee.getAs<QualifiedTypeLoc>();
    if (const llvm::StringRef Macro = macroOf(Pointee, Context);
        To.isNull() && IsPlain && !Macro.empty())
      To = Context.getTypedefType(
          ElaboratedTypeKeyword::None, std::nullopt,
          TypedefDecl::Create(
              Context, Context.getTranslationUnitDecl(), {}, {},
              &Context.Idents.get(Macro),
              Context.getTrivialTypeSourceInfo(Pointee.getType())));
    return To.isNull() || Pointer.getStarLoc().isMacroID()
               ? QualType()
               : Context.getPointerType(To);
  }
  return {};
}

static bool isCopiedByCanonicalType(const VarDecl &Var) {
  return Var.getType()->getContainedAutoType() || isSpelledLocally(Var);
}

/// Where the macro is the same in all builds, what it stands for is.
static QualType typeByMacro(const VarDecl &Var) {
  const TypeSourceInfo *Written = Var.getTypeSourceInfo();
  return Written && Written->getType()->isPointerType() &&
                 typeMayDiffer(Var, /*AsNamed=*/true)
             ? typeByMacro(Written->getTypeLoc(), Var.getASTContext())
             : QualType();
}

llvm::StringRef macroOfType(const VarDecl &Var) {
  if (isCopiedByCanonicalType(Var))
    return "";
  QualType Type = typeByMacro(Var);
  while (!Type.isNull() && Type->isPointerType())
    Type = Type->getPointeeType();
  const auto *Macro =
      Type.isNull() ? nullptr : dyn_cast<TypedefType>(Type.getTypePtr());
  return Macro ? Macro->getDecl()->getName() : "";
}

QualType copyType(const VarDecl &Var) {
  if (isCopiedByCanonicalType(Var))
    return canonicalCopyType(Var);
  const QualType ByMacro = typeByMacro(Var);
  return (ByMacro.isNull() ? Var.getType().getNonReferenceType() : ByMacro)
      .getUnqualifiedType();
}

bool losesName(const VarDecl &Var, bool IsCanonical) {
  const bool AsNamed = !IsCanonical && !isCopiedByCanonicalType(Var);
  return typeMayDiffer(Var, AsNamed) &&
         !(AsNamed && !typeByMacro(Var).isNull());
}

bool hidesDeviceName(const VarDecl &Var) {
  return Var.getDeclName().isIdentifier() &&
         llvm::StringSwitch<bool>(Var.getName())
             .Cases({"blockIdx", "gridDim", "threadIdx", "blockDim", "warpSize",
                     "uint3", "dim3"},
                    true)
             .Default(false);
}

} // namespace barricade::grid_barrier
