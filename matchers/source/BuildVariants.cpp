// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/BuildVariants.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/Specialisations.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UsingDirectives.h"
#include "matchers/source/WrittenMacros.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade {
namespace {

/// What is asked of an expression or a type.
struct Question {
  bool OfType = false;         ///< Of variables only their types matter.
  bool FollowsNames = true;    ///< What variables and functions hold matters.
  bool FollowsTypedefs = true; ///< What they stand for matters.
  bool FollowsLayouts = false; ///< How types lie in memory matters.
  bool FixedArguments = false; ///< Those of the template around do not.
  /// Macros of compilers and libraries do: a language, a version.
  bool OfToolkit = false;
};

class VariantFinder : public ConstDynamicRecursiveASTVisitor {
public:
  VariantFinder(Question Asked, SourceLocation User, const ASTContext &Context)
      : Asked(Asked), Context(Context), SM(Context.getSourceManager()),
        Conditions(Context), User(SM.getExpansionLoc(User)) {
    ShouldVisitImplicitCode = true;
  }

  bool Found = false;

  /// Ends the search where what is spelled from \p Begin to \p End has a
  /// condition within, or behind it before anything else: what this build
  /// leaves out is no part of the tree.
  bool checkSpelling(SourceLocation Begin, SourceLocation End) {
    if (Found || Begin.isInvalid() || End.isInvalid())
      return !Found;
    Begin = SM.getExpansionLoc(Begin);
    End = SM.getExpansionRange(End).getEnd();
    Found = !isBuiltIn(Begin) && SM.isWrittenInSameFile(Begin, End) &&
            (Conditions.holdsConditionUpTo(Begin, End) ||
             Conditions.holdsOtherMacro(Begin, End, User));
    return !Found;
  }
  bool checkSpelling(const Expr &E) {
    return checkSpelling(E.getBeginLoc(), E.getEndLoc());
  }

  bool VisitStmt(const Stmt *S) override {
    // A number gives nothing another type.
    if (asksForTypes() && !isa<DeclRefExpr, MemberExpr>(S))
      return !Found;
    check(S->getBeginLoc());
    check(S->getEndLoc());
    return !Found;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    return asksForTypes() ? !Found : check(Op->getOperatorLoc());
  }
  bool TraverseTypeLoc(TypeLoc Loc, bool WithQualifier) override {
    check(Loc.getBeginLoc());
    follow(*Loc.getTypePtr());
    if (const auto Array = Loc.getAs<ArrayTypeLoc>();
        Array && Array.getSizeExpr())
      followIn(*Array.getSizeExpr(), /*OfType=*/false);
    return !Found &&
           ConstDynamicRecursiveASTVisitor::TraverseTypeLoc(Loc, WithQualifier);
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &Arg) override {
    if (Arg.getArgument().getKind() == TemplateArgument::Expression)
      followIn(*Arg.getSourceExpression(), /*OfType=*/false);
    // What a template makes of a class is told by all of that.
    if (Arg.getArgument().getKind() == TemplateArgument::Type &&
        Asked.FollowsNames)
      if (const auto *Class =
              Arg.getArgument().getAsType()->getAsCXXRecordDecl())
        followScope(*Class);
    return !Found &&
           ConstDynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(Arg);
  }
  bool
  TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc Qualifier) override {
    if (Qualifier && Asked.FollowsNames)
      followScope(Qualifier.getNestedNameSpecifier());
    return !Found &&
           ConstDynamicRecursiveASTVisitor::TraverseNestedNameSpecifierLoc(
               Qualifier);
  }
  bool TraverseType(QualType Type, bool WithQualifier) override {
    if (!Type.isNull())
      follow(*Type.getTypePtr());
    return !Found &&
           ConstDynamicRecursiveASTVisitor::TraverseType(Type, WithQualifier);
  }

  bool TraverseVarDecl(const VarDecl *Var) override {
    if (!Asked.FollowsLayouts)
      return ConstDynamicRecursiveASTVisitor::TraverseVarDecl(Var);
    followDeclared(*Var);
    return !Found && (!Var->getInit() || TraverseStmt(Var->getInit()));
  }

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (Asked.FollowsNames && isa<UsingShadowDecl>(Ref->getFoundDecl()))
      check(Ref->getFoundDecl()->getLocation());
    return follow(*Ref->getDecl());
  }
  bool
  VisitConceptSpecializationExpr(const ConceptSpecializationExpr *E) override {
    const ConceptDecl &Concept = *E->getNamedConcept();
    if (!Asked.FollowsNames || facts::isLibraryCode(Concept) ||
        !Seen.insert(&Concept).second)
      return !Found;
    return check(Concept) && !(Found |= holdsConditions(Concept)) &&
           TraverseStmt(Concept.getConstraintExpr());
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    return follow(*Member->getMemberDecl());
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    return follow(*E->getConstructor());
  }
  bool VisitInitListExpr(const InitListExpr *List) override {
    const CXXRecordDecl *Class = List->getType()->getAsCXXRecordDecl();
    if (Class && Asked.FollowsNames && !Asked.OfType)
      followScope(*Class);
    return !Found;
  }
  bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitSubstNonTypeTemplateParmExpr(
      const SubstNonTypeTemplateParmExpr *) override {
    Found |= !Asked.FixedArguments;
    return !Found;
  }
  bool VisitSizeOfPackExpr(const SizeOfPackExpr *) override {
    Found |= !Asked.FixedArguments;
    return !Found;
  }
  bool
  VisitUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *E) override {
    const Type *Element = E->getTypeOfArgument()->getBaseElementTypeUnsafe();
    if (const RecordDecl *Record = Element->getAsRecordDecl())
      followContents(*Record);
    if (!E->isArgumentType())
      followIn(*E->getArgumentExpr(), /*OfType=*/true);
    return !Found;
  }

private:
  /// And for nothing else.
  bool asksForTypes() const { return Asked.OfType && Asked.FollowsLayouts; }

  /// Ends the search where another build may have something else there.
  bool check(SourceLocation Where) {
    Found = Found || isOther(Where);
    return !Found;
  }

  /// The same where it has another declaration, be it a specialisation.
  bool check(const Decl &D) {
    Found = Found || isOther(D.getLocation()) ||
            mayNominateElse(D, User, Context) ||
            maySpecialiseElse(D, User, Context);
    return !Found;
  }

  bool isOther(SourceLocation Where) const {
    while (Where.isMacroID()) {
      const SourceLocation Spelled = SM.getImmediateSpellingLoc(Where);
      if (Spelled.isMacroID()
              ? isOther(Spelled)
              : !SM.isMacroArgExpansion(Where) &&
                    isOtherMacro(Spelled, SM.getExpansionLoc(Where)))
        return true;
      Where = SM.getImmediateExpansionRange(Where).getBegin();
    }
    return Where.isValid() && !isBuiltIn(Where) &&
           Conditions.isInOtherBranch(Where, User);
  }

  bool isOtherMacro(SourceLocation Definition, SourceLocation Use) const {
    return isBuiltIn(Definition)
               ? Asked.OfToolkit
               : Conditions.isInOtherBranch(Definition, User,
                                            /*IsMacro=*/true) ||
                     mayBeRedefined(Definition, Use, User, Context);
  }

  /// Of the compiler or a library. What no file holds otherwise, the command
  /// line does, or pasting made.
  bool isBuiltIn(SourceLocation Where) const {
    return SM.isWrittenInBuiltinFile(Where) || SM.isInSystemHeader(Where);
  }

  bool follow(const NamedDecl &D) {
    if (Found || !Asked.FollowsNames || !Seen.insert(&D).second)
      return !Found;
    // Users may specialise a library's templates for types of their own.
    if (facts::isLibraryCode(D)) {
      Found = maySpecialiseElse(D, User, Context);
      return !Found;
    }
    check(D);
    if (const auto *Var = dyn_cast<VarDecl>(&D))
      followVariable(*Var);
    else if (const auto *Constant = dyn_cast<EnumConstantDecl>(&D))
      followEnum(*cast<EnumDecl>(Constant->getDeclContext()), *Constant);
    else if (const auto *Function = dyn_cast<FunctionDecl>(&D))
      followFunction(*Function);
    else if (const auto *Field = dyn_cast<FieldDecl>(&D))
      followDeclared(*Field);
    else if (const auto *Binding = dyn_cast<BindingDecl>(&D))
      followBinding(*Binding);
    else
      Found = true;
    return !Found;
  }

  /// What a name is looked up in.
  void followScope(NestedNameSpecifier Scope) {
    if (Scope.getKind() == NestedNameSpecifier::Kind::Namespace)
      check(*Scope.getAsNamespaceAndPrefix().Namespace);
    else if (const auto *Record = Scope.getAsRecordDecl())
      followScope(*Record);
  }

  /// And in its bases.
  void followScope(const CXXRecordDecl &Named) {
    const CXXRecordDecl *Class = Named.getDefinition();
    if (Found || !Class || !Scopes.insert(Class).second)
      return;
    if (facts::isLibraryCode(*Class)) {
      Found = maySpecialiseElse(*Class, User, Context);
      return;
    }
    check(*Class);
    Found |= holdsConditions(*Class);
    if (const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(Class))
      followTemplate(*Instance->getSpecializedTemplate());
    for (const CXXBaseSpecifier &Base : Class->bases()) {
      TraverseTypeLoc(Base.getTypeSourceInfo()->getTypeLoc(),
                      /*WithQualifier=*/true);
      if (const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl())
        followScope(*Of);
    }
  }

  /// What it leaves to defaults, and by which concepts a specialisation is
  /// chosen.
  void followTemplate(const ClassTemplateDecl &Template) {
    for (const RedeclarableTemplateDecl *Each : Template.redecls())
      check(Each->getLocation());
    for (const Decl *Each : specialisationsOf(Template)) {
      const auto *Partial =
          dyn_cast<ClassTemplatePartialSpecializationDecl>(Each);
      llvm::SmallVector<AssociatedConstraint, 2> Constraints;
      if (Partial)
        Partial->getAssociatedConstraints(Constraints);
      for (const AssociatedConstraint &C : Constraints)
        TraverseStmt(C.ConstraintExpr);
    }
  }

  void followDeclared(const DeclaratorDecl &D) {
    const TypeSourceInfo *Type = D.getTypeSourceInfo();
    if (!Type)
      return;
    TypeLoc Loc = Type->getTypeLoc();
    checkSpelling(Loc.getBeginLoc(), D.getLocation());
    // How many elements a variable has changes nothing about where they are.
    if (Asked.FollowsLayouts && isa<VarDecl>(D))
      while (const auto Array = Loc.getAsAdjusted<ArrayTypeLoc>())
        Loc = Array.getElementLoc();
    TraverseTypeLoc(Loc, /*WithQualifier=*/true);
  }

  void followVariable(const VarDecl &Var) {
    followDeclared(Var);
    if (!Var.getInit() || isa<ParmVarDecl>(Var))
      return;
    if (!Asked.OfType || Var.getType()->getContainedDeducedType())
      checkSpelling(Var.getLocation(), Var.getEndLoc());
    if (!Asked.OfType)
      TraverseStmt(Var.getAnyInitializer());
    else if (Var.getType()->getContainedDeducedType())
      TraverseStmt(Var.getInit());
  }

  /// Of parts of what is declared with them.
  void followBinding(const BindingDecl &Binding) {
    if (const ValueDecl *Whole = Binding.getDecomposedDecl())
      follow(*Whole);
    if (!Found && Binding.getBinding())
      TraverseStmt(Binding.getBinding());
  }

  /// What an enumerator is depends on those before it, and on all what it is
  /// promoted to.
  void followEnum(const EnumDecl &Enum, const EnumConstantDecl &Constant) {
    if (Asked.OfType)
      followUnderlying(Enum);
    Found |= !Asked.OfType && holdsConditions(Enum);
    for (const EnumConstantDecl *Each : Enum.enumerators()) {
      if (Found || Asked.OfType)
        return;
      if (Each->getInitExpr() && checkSpelling(*Each->getInitExpr()))
        TraverseStmt(Each->getInitExpr());
      if (Each == &Constant)
        return;
    }
  }

  void followFunction(const FunctionDecl &Function) {
    if (const TypeSourceInfo *Type = Function.getTypeSourceInfo();
        Type && !isa<CXXConstructorDecl>(Function))
      if (const auto Loc = Type->getTypeLoc().getAsAdjusted<FunctionTypeLoc>())
        TraverseTypeLoc(Loc.getReturnLoc(), /*WithQualifier=*/true);
    if (const FunctionTemplateDecl *Template = Function.getPrimaryTemplate();
        Template && Asked.FollowsLayouts)
      followDefaults(*Template);
    if (Asked.OfType && !Function.getReturnType()->getContainedAutoType())
      return;
    // Another member may suit better.
    if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
        Method && !Asked.OfType)
      followScope(*Method->getParent());
    if (!Function.doesThisDeclarationHaveABody() && !Function.getDefinition() &&
        !Function.isImplicit()) {
      Found = true;
      return;
    }
    for (const Stmt *Part : codeOf(Function))
      if (checkSpelling(Part->getBeginLoc(), Part->getEndLoc()))
        TraverseStmt(Part);
  }

  void follow(const Type &T) {
    if (!Asked.FollowsTypedefs || Found)
      return;
    if (const auto *Typedef = dyn_cast<TypedefType>(&T))
      followTypedef(*Typedef->getDecl());
    else if (const auto *Using = dyn_cast<UsingType>(&T))
      followUsing(*Using->getDecl());
    else if (const auto *Special = dyn_cast<TemplateSpecializationType>(&T))
      followAlias(*Special);
    else if (const auto *Decltype = dyn_cast<DecltypeType>(&T))
      followIn(*Decltype->getUnderlyingExpr(), /*OfType=*/true);
    else if (const auto *TypeOf = dyn_cast<TypeOfExprType>(&T))
      followIn(*TypeOf->getUnderlyingExpr(), /*OfType=*/true);
    else if (const auto *Parameter = dyn_cast<SubstTemplateTypeParmType>(&T))
      followParameter(*Parameter);
    else if (const auto *Deduced = dyn_cast<DeducedType>(&T))
      followDeduced(*Deduced);
    else if (const auto *Tag = dyn_cast<TagType>(&T);
             Tag && Asked.FollowsLayouts)
      followTag(*Tag->getDecl());
  }

  /// What layouts rest on is asked of the argument where it is given.
  void followParameter(const SubstTemplateTypeParmType &Parameter) {
    Found |= (!Asked.OfType || Asked.FollowsLayouts) && !Asked.FixedArguments;
    if (Asked.FollowsLayouts)
      TraverseType(Parameter.getReplacementType(), /*WithQualifier=*/true);
  }

  void followDeduced(const DeducedType &Deduced) {
    if (Asked.FollowsLayouts && !Deduced.getDeducedType().isNull())
      TraverseType(Deduced.getDeducedType(), /*WithQualifier=*/true);
  }

  /// Of what an instance is given and does not name.
  void followDefaults(const TemplateDecl &Template) {
    if (facts::isLibraryCode(Template) || !Seen.insert(&Template).second)
      return;
    for (const NamedDecl *Each : *Template.getTemplateParameters()) {
      if (const auto *Type = dyn_cast<TemplateTypeParmDecl>(Each);
          Type && Type->hasDefaultArgument())
        TraverseTemplateArgumentLoc(Type->getDefaultArgument());
      if (const auto *Number = dyn_cast<NonTypeTemplateParmDecl>(Each);
          Number && Number->hasDefaultArgument())
        TraverseTemplateArgumentLoc(Number->getDefaultArgument());
      if (const auto *Inner = dyn_cast<TemplateTemplateParmDecl>(Each))
        Found |= Inner->hasDefaultArgument();
    }
  }

  void followTag(const TagDecl &Tag) {
    if (const auto *Record = dyn_cast<RecordDecl>(&Tag))
      followContents(*Record);
    else
      followUnderlying(*cast<EnumDecl>(&Tag));
  }

  void followUnderlying(const EnumDecl &Named) {
    const EnumDecl *Defined = Named.getDefinition();
    const EnumDecl &Enum = Defined ? *Defined : Named;
    if (facts::isLibraryCode(Enum) || !Seen.insert(&Enum).second ||
        !check(Enum))
      return;
    if (const TypeSourceInfo *Type = Enum.getIntegerTypeSourceInfo()) {
      TraverseTypeLoc(Type->getTypeLoc(), /*WithQualifier=*/true);
      return;
    }
    if (Enum.isFixed())
      return;
    // Its numbers choose the type.
    Found |= holdsConditions(Enum);
    for (const EnumConstantDecl *Each : Enum.enumerators())
      if (Each->getInitExpr())
        followIn(*Each->getInitExpr(), /*OfType=*/false);
  }

  void followTypedef(const TypedefNameDecl &Typedef) {
    if (facts::isLibraryCode(Typedef) || !Seen.insert(&Typedef).second)
      return;
    if (check(Typedef))
      TraverseTypeLoc(Typedef.getTypeSourceInfo()->getTypeLoc(),
                      /*WithQualifier=*/true);
  }

  void followUsing(const UsingShadowDecl &Using) {
    if (!check(Using))
      return;
    if (const auto *Typedef = dyn_cast<TypedefNameDecl>(Using.getTargetDecl()))
      followTypedef(*Typedef);
  }

  void followAlias(const TemplateSpecializationType &Special) {
    const auto *Alias = dyn_cast_or_null<TypeAliasTemplateDecl>(
        Special.getTemplateName().getAsTemplateDecl());
    if (const TagDecl *Tag = Special.getAsTagDecl();
        Tag && Asked.FollowsLayouts)
      followTag(*Tag);
    if (!Alias)
      return;
    if (Asked.FollowsLayouts)
      followDefaults(*Alias);
    followTypedef(*Alias->getTemplatedDecl());
    if (Asked.FollowsLayouts && Special.isTypeAlias())
      TraverseType(Special.getAliasedType(), /*WithQualifier=*/true);
  }

  /// \p E, of which something else is asked than of what it stands in.
  void followIn(const Expr &E, bool OfType) {
    if (Found || Asked.OfType == OfType)
      return; // Followed anyway.
    Question Other = Asked;
    Other.OfType = OfType;
    VariantFinder Inner(Other, User, Context);
    Inner.TraverseStmt(&E);
    Found |= Inner.Found;
  }

  /// Of what the size depends on.
  void followContents(const RecordDecl &Named) {
    const RecordDecl *Defined = Named.getDefinition();
    const RecordDecl &Record = Defined ? *Defined : Named;
    if (Found || facts::isLibraryCode(Record) || !Seen.insert(&Record).second)
      return;
    if (!check(Record) || (Found |= holdsConditions(Record)))
      return;
    if (const auto *Instance =
            dyn_cast<ClassTemplateSpecializationDecl>(&Record);
        Instance && Asked.FollowsLayouts)
      followDefaults(*Instance->getSpecializedTemplate());
    if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record);
        Class && Class->hasDefinition())
      for (const CXXBaseSpecifier &Base : Class->bases()) {
        if (Asked.FollowsLayouts && Base.getTypeSourceInfo())
          TraverseTypeLoc(Base.getTypeSourceInfo()->getTypeLoc(),
                          /*WithQualifier=*/true);
        if (const RecordDecl *Of = Base.getType()->getAsRecordDecl())
          followContents(*Of);
      }
    for (const FieldDecl *Field : Record.fields()) {
      followDeclared(*Field);
      if (const RecordDecl *Of =
              Field->getType()->getBaseElementTypeUnsafe()->getAsRecordDecl())
        followContents(*Of);
    }
  }

  bool holdsConditions(const Decl &D) const {
    const SourceLocation Begin = SM.getExpansionLoc(D.getBeginLoc());
    const SourceLocation End = SM.getExpansionLoc(D.getEndLoc());
    return !SM.isWrittenInSameFile(Begin, End) ||
           Conditions.holdsDirective(Begin, End);
  }

  const Question Asked;
  const ASTContext &Context;
  const SourceManager &SM;
  const SourceConditions Conditions;
  const SourceLocation User;
  llvm::SmallPtrSet<const Decl *, 16> Seen;
  llvm::SmallPtrSet<const CXXRecordDecl *, 4> Scopes; ///< Looked into.
};

} // namespace

bool valueMayDiffer(const Expr &E, SourceLocation User,
                    const ASTContext &Context, bool FixedArguments) {
  Question Asked;
  Asked.FixedArguments = FixedArguments;
  Asked.OfToolkit = true;
  VariantFinder Finder(Asked, User, Context);
  if (Finder.checkSpelling(E))
    Finder.TraverseStmt(&E);
  return Finder.Found;
}

Extents3 fixedExtents(const Expr &E, ASTContext &Context) {
  Extents3 Known = constantExtents(E, Context);
  if (!valueMayDiffer(E, E.getBeginLoc(), Context))
    return Known;
  const Expr *Plain = E.IgnoreUnlessSpelledInSource();
  const auto *Construct = dyn_cast<CXXConstructExpr>(Plain);
  const bool IsNumber = Plain->getType()->isIntegerType();
  for (unsigned I = 0; I < 3; ++I)
    if (!(I > 0 && IsNumber) &&
        !(Construct && I < Construct->getNumArgs() &&
          Construct->getNumArgs() > 1 &&
          !valueMayDiffer(*Construct->getArg(I), E.getBeginLoc(), Context)))
      Known[I] = std::nullopt;
  return Known;
}

bool spellingMayDiffer(const Expr &E, const ASTContext &Context) {
  Question Asked;
  Asked.FollowsNames = false;
  Asked.FixedArguments = true;
  VariantFinder Finder(Asked, E.getBeginLoc(), Context);
  if (Finder.checkSpelling(E))
    Finder.TraverseStmt(&E);
  return Finder.Found;
}

bool codeMayDiffer(const FunctionDecl &Function) {
  const ASTContext &Context = Function.getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  if (facts::isLibraryCode(Function))
    return false;
  const SourceLocation Begin = SM.getExpansionLoc(Function.getBeginLoc()),
                       End = SM.getExpansionLoc(Function.getEndLoc());
  const SourceConditions Conditions(Context);
  if (!SM.isWrittenInSameFile(Begin, End) ||
      Conditions.holdsCondition(Begin, End) ||
      Conditions.holdsOtherMacro(Begin, End, Begin))
    return true;
  Question Asked;
  Asked.FollowsNames = false;
  Asked.FixedArguments = true;
  VariantFinder Finder(Asked, Begin, Context);
  for (const ParmVarDecl *Parameter : Function.parameters())
    if (const TypeSourceInfo *Type = Parameter->getTypeSourceInfo())
      Finder.TraverseTypeLoc(Type->getTypeLoc(), /*WithQualifier=*/true);
  for (const Stmt *Part : codeOf(Function))
    Finder.TraverseStmt(Part);
  return Finder.Found;
}

bool typeMayDiffer(const Expr &E, const ASTContext &Context) {
  Question Asked;
  Asked.OfType = true;
  VariantFinder Finder(Asked, E.getBeginLoc(), Context);
  if (Finder.checkSpelling(E))
    Finder.TraverseStmt(&E);
  return Finder.Found;
}

bool typeMayDiffer(const VarDecl &Var, bool AsNamed) {
  Question Asked;
  Asked.OfType = true;
  const SourceLocation User = Var.getLocation();
  const ASTContext &Context = Var.getASTContext();
  if (Var.getType()->getContainedDeducedType() && Var.getInit()) {
    // As seen from the name: a condition may begin behind that.
    VariantFinder Finder(Asked, User, Context);
    if (Finder.checkSpelling(User, Var.getEndLoc()))
      Finder.TraverseStmt(Var.getInit());
    if (Finder.Found)
      return true;
  }
  Asked.FollowsTypedefs = !AsNamed;
  VariantFinder Finder(Asked, User, Context);
  if (const TypeSourceInfo *Type = Var.getTypeSourceInfo())
    if (Finder.checkSpelling(Type->getTypeLoc().getBeginLoc(), User))
      Finder.TraverseTypeLoc(Type->getTypeLoc(), /*WithQualifier=*/true);
  return Finder.Found;
}

static Question aboutLayouts(bool FixedArguments) {
  Question Asked;
  Asked.OfType = true;
  Asked.FollowsLayouts = true;
  Asked.FixedArguments = FixedArguments;
  return Asked;
}

bool typesMayDiffer(const FunctionDecl &Function, bool FixedArguments) {
  if (facts::isLibraryCode(Function))
    return false;
  VariantFinder Finder(aboutLayouts(FixedArguments), Function.getLocation(),
                       Function.getASTContext());
  for (const ParmVarDecl *Parameter : Function.parameters())
    if (const TypeSourceInfo *Type = Parameter->getTypeSourceInfo())
      Finder.TraverseTypeLoc(Type->getTypeLoc(), /*WithQualifier=*/true);
  for (const Stmt *Part : codeOf(Function))
    if (!Finder.Found)
      Finder.TraverseStmt(Part);
  return Finder.Found;
}

bool typesMayDiffer(const Expr &E, const ASTContext &Context) {
  VariantFinder Finder(aboutLayouts(/*FixedArguments=*/true), E.getBeginLoc(),
                       Context);
  Finder.TraverseStmt(&E);
  return Finder.Found;
}

bool templateArgumentMayDiffer(const DeclRefExpr &Callee, unsigned I,
                               const Expr &Call, const ASTContext &Context) {
  VariantFinder Finder({}, Callee.getBeginLoc(), Context);
  if (I < Callee.getNumTemplateArgs()) {
    Finder.TraverseTemplateArgumentLoc(Callee.getTemplateArgs()[I]);
    return Finder.Found;
  }
  const auto *Function = dyn_cast<FunctionDecl>(Callee.getDecl());
  const FunctionTemplateDecl *Template =
      Function ? Function->getPrimaryTemplate() : nullptr;
  if (!Template || I >= Template->getTemplateParameters()->size())
    return true;
  const NamedDecl *Parameter = Template->getTemplateParameters()->getParam(I);
  if (const auto *Type = dyn_cast<TemplateTypeParmDecl>(Parameter)) {
    if (Type->hasDefaultArgument())
      Finder.TraverseTemplateArgumentLoc(Type->getDefaultArgument());
    return Finder.Found || typeMayDiffer(Call, Context);
  }
  const auto *Number = dyn_cast<NonTypeTemplateParmDecl>(Parameter);
  if (!Number || !Number->hasDefaultArgument())
    return true; // Deduced from an array's bounds, or the like.
  Finder.TraverseTemplateArgumentLoc(Number->getDefaultArgument());
  return Finder.Found;
}

bool templateArgumentsMayDiffer(const DeclRefExpr &Callee, const Expr &Call,
                                const ASTContext &Context) {
  const auto *Function = dyn_cast<FunctionDecl>(Callee.getDecl());
  const TemplateArgumentList *All =
      Function ? Function->getTemplateSpecializationArgs() : nullptr;
  for (unsigned I = 0; All && I < All->size(); ++I)
    if (templateArgumentMayDiffer(Callee, I, Call, Context))
      return true;
  return false;
}

} // namespace barricade
