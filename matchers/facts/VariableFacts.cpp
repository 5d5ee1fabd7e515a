// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/VariableFacts.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/NodeKinds.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace barricade::facts {

llvm::StringRef nameOf(UseKind Kind) {
  switch (Kind) {
  case UseKind::Read:
    return "read";
  case UseKind::Assign:
    return "assign";
  case UseKind::Step:
    return "step";
  case UseKind::Bind:
    return "bind";
  case UseKind::Address:
    return "address";
  case UseKind::AsmOutput:
    return "asm output";
  case UseKind::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown kind of use");
}

namespace {

/// The type that a reference of type \p T lets be changed is const.
bool refersToConst(QualType T, const ASTContext &Context) {
  return Context.getBaseElementType(T.getNonReferenceType()).isConstQualified();
}

/// Visits statements with what the node around does to them, if they are
/// lvalues.
class Walker {
public:
  explicit Walker(VariableFacts::Map &Uses) : Uses(Uses) {}

  /// What a node does to an lvalue: a use without its name.
  struct Holder {
    UseKind Kind = UseKind::Unknown;
    const Stmt *By = nullptr;
    const VarDecl *To = nullptr;
    bool IsConst = false;
    bool IsPart = false;

    Holder part() const {
      Holder Result = *this;
      Result.IsPart = true;
      return Result;
    }
    bool onlyReads() const { return Kind == UseKind::Read; }
  };

  /// A statement, or an expression whose value nobody takes.
  void run(const Stmt *S) { visit(S, read(S)); }
  /// What a member or base is made from.
  void runInitializer(const Expr *Init) { visit(Init, unknown(Init)); }

private:
  static Holder unknown(const Stmt *By) { return {UseKind::Unknown, By}; }
  static Holder read(const Stmt *By) { return {UseKind::Read, By}; }

  void record(const VarDecl &V, const Stmt &Name, const Holder &How) {
    Uses[V.getCanonicalDecl()].push_back(
        {How.Kind, &Name, How.By, How.To, How.IsConst, How.IsPart, Lambda});
  }

  void visit(const Stmt *S, const Holder &How) {
    if (!S)
      return;
    switch (useOf(*S)) {
    case NodeUse::Handled:
      return visitKnown(*S, How);
    case NodeUse::Statement:
      for (const Stmt *Child : S->children())
        visit(Child, read(S));
      return;
    case NodeUse::Operands:
      for (const Stmt *Child : S->children())
        visit(Child, unknown(S));
      return;
    case NodeUse::Unevaluated:
      return;
    case NodeUse::Unknown:
      return visitUnknown(*S);
    }
  }

  void visitKnown(const Stmt &S, const Holder &How) {
    if (const auto *Cast = dyn_cast<CastExpr>(&S))
      return visitCast(*Cast, How);
    if (const auto *Op = dyn_cast<BinaryOperator>(&S))
      return visitBinary(*Op, How);
    if (const auto *Call = dyn_cast<CallExpr>(&S))
      return visitCall(*Call, How);
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S))
      return visitConstruct(*Construct);
    if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(&S))
      return visitChoice(*Choice, How);
    if (const auto *Full = dyn_cast<FullExpr>(&S))
      return visit(Full->getSubExpr(), How);
    switch (S.getStmtClass()) {
    case Stmt::DeclRefExprClass:
      return visitReference(cast<DeclRefExpr>(S), How);
    case Stmt::ParenExprClass:
      return visit(cast<ParenExpr>(S).getSubExpr(), How);
    case Stmt::UnaryOperatorClass:
      return visitUnary(cast<UnaryOperator>(S), How);
    case Stmt::MemberExprClass:
      return visitMember(cast<MemberExpr>(S), How);
    case Stmt::ArraySubscriptExprClass:
      return visitSubscript(cast<ArraySubscriptExpr>(S), How);
    case Stmt::ExtVectorElementExprClass:
      return visit(cast<ExtVectorElementExpr>(S).getBase(), How.part());
    case Stmt::LambdaExprClass:
      return visitLambda(cast<LambdaExpr>(S));
    case Stmt::DeclStmtClass:
      for (const Decl *D : cast<DeclStmt>(S).decls())
        visitDeclaration(*D, cast<DeclStmt>(S));
      return;
    case Stmt::CXXForRangeStmtClass:
      return visitRangeFor(cast<CXXForRangeStmt>(S));
    case Stmt::GCCAsmStmtClass:
      return visitAsm(cast<GCCAsmStmt>(S));
    case Stmt::InitListExprClass:
      return visitList(cast<InitListExpr>(S));
    case Stmt::PseudoObjectExprClass:
      return visitPseudoObject(cast<PseudoObjectExpr>(S));
    case Stmt::AtomicExprClass:
      for (const Stmt *Child : S.children())
        visit(Child, unknown(&S));
      return;
    case Stmt::ArrayInitLoopExprClass:
      // Copies the elements of an array, one by one.
      visit(cast<ArrayInitLoopExpr>(S).getCommonExpr(), read(&S));
      return visit(cast<ArrayInitLoopExpr>(S).getSubExpr(), unknown(&S));
    default:
      return visitWrapper(S, How);
    }
  }

  /// Nodes that stand for another expression.
  void visitWrapper(const Stmt &S, const Holder &How) {
    switch (S.getStmtClass()) {
    case Stmt::MaterializeTemporaryExprClass:
      // What is bound is the temporary.
      return visit(cast<MaterializeTemporaryExpr>(S).getSubExpr(), unknown(&S));
    case Stmt::CXXBindTemporaryExprClass:
      return visit(cast<CXXBindTemporaryExpr>(S).getSubExpr(), unknown(&S));
    case Stmt::CXXStdInitializerListExprClass:
      return visit(cast<CXXStdInitializerListExpr>(S).getSubExpr(),
                   unknown(&S));
    case Stmt::SubstNonTypeTemplateParmExprClass:
      return visit(cast<SubstNonTypeTemplateParmExpr>(S).getReplacement(), How);
    case Stmt::CXXDefaultArgExprClass:
      return visit(cast<CXXDefaultArgExpr>(S).getExpr(), How);
    case Stmt::CXXDefaultInitExprClass:
      return visit(cast<CXXDefaultInitExpr>(S).getExpr(), How);
    case Stmt::CXXRewrittenBinaryOperatorClass:
      return visit(cast<CXXRewrittenBinaryOperator>(S).getSemanticForm(), How);
    case Stmt::OpaqueValueExprClass:
      return visit(cast<OpaqueValueExpr>(S).getSourceExpr(), How);
    case Stmt::GenericSelectionExprClass:
      if (const auto &E = cast<GenericSelectionExpr>(S); !E.isResultDependent())
        return visit(E.getResultExpr(), How);
      return visitUnknown(S);
    case Stmt::ChooseExprClass:
      if (const auto &E = cast<ChooseExpr>(S); !E.isConditionDependent())
        return visit(E.getChosenSubExpr(), How);
      return visitUnknown(S);
    case Stmt::PackIndexingExprClass:
      if (const auto &E = cast<PackIndexingExpr>(S);
          E.isFullySubstituted() && !E.isInstantiationDependent())
        return visit(E.getSelectedExpr(), How);
      return visitUnknown(S);
    default:
      return visitUnknown(S);
    }
  }

  /// All that \p S names, however it does.
  void visitUnknown(const Stmt &S) {
    struct Names : ConstDynamicRecursiveASTVisitor {
      Names() { ShouldVisitImplicitCode = true; }
      llvm::SmallVector<std::pair<const VarDecl *, const Stmt *>, 8> Found;
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
          Found.push_back({Var, Ref});
        else if (const auto *Binding = dyn_cast<BindingDecl>(Ref->getDecl()))
          visitBinding(*Binding, *Ref);
        return true;
      }
      void visitBinding(const BindingDecl &Binding, const DeclRefExpr &Ref) {
        if (Binding.getBinding())
          TraverseStmt(Binding.getBinding());
        else if (const auto *Whole =
                     dyn_cast_or_null<VarDecl>(Binding.getDecomposedDecl()))
          Found.push_back({Whole, &Ref});
      }
      bool VisitBlockExpr(const BlockExpr *Block) override {
        for (const BlockDecl::Capture &C : Block->getBlockDecl()->captures())
          Found.push_back({C.getVariable(), Block});
        return true;
      }
      bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
        for (const LambdaCapture &C : Lambda->captures())
          if (C.capturesVariable())
            if (const auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
              Found.push_back({Var, Lambda});
        return true;
      }
    } Visitor;
    Visitor.TraverseStmt(&S);
    for (const auto &[Var, Name] : Visitor.Found)
      record(*Var, *Name, unknown(&S));
  }

  void visitReference(const DeclRefExpr &Ref, const Holder &How) {
    if (const auto *Var = dyn_cast<VarDecl>(Ref.getDecl()))
      return record(*Var, Ref, How);
    const auto *Binding = dyn_cast<BindingDecl>(Ref.getDecl());
    if (!Binding)
      return;
    // A name for an element of what was taken apart.
    if (Binding->getBinding())
      visit(Binding->getBinding(), How.part());
    else if (const auto *Whole =
                 dyn_cast_or_null<VarDecl>(Binding->getDecomposedDecl()))
      record(*Whole, Ref, unknown(&Ref));
  }

  void visitCast(const CastExpr &Cast, const Holder &How) {
    const Expr *Sub = Cast.getSubExpr();
    switch (listedUse(Cast.getCastKind()).value_or(CastUse::Unknown)) {
    case CastUse::Value:
      return visit(Sub, unknown(&Cast));
    case CastUse::Load:
    case CastUse::Discard:
      return visit(Sub, read(&Cast));
    case CastUse::Same:
      if (!Cast.isGLValue())
        return visit(Sub, unknown(&Cast));
      // Under another type, or no longer const, the object is not followed.
      if (isa<ExplicitCastExpr>(Cast) && !How.onlyReads())
        return visit(Sub, unknown(&Cast));
      return visit(Sub, Cast.getCastKind() == CK_NoOp ? How : How.part());
    case CastUse::Decay:
      return visit(Sub, {UseKind::Address, &Cast});
    case CastUse::Unknown:
      return visitUnknown(Cast);
    }
  }

  /// What happens to the operand of an lvalue operator, `++i` or `i = 1`,
  /// after the operator: a name that reaches further is lost.
  void visitResult(const Expr &Whole, const Expr *Operand, const Holder &How) {
    if (Whole.isGLValue() && !How.onlyReads())
      visit(Operand, unknown(How.By));
  }

  void visitUnary(const UnaryOperator &Op, const Holder &How) {
    const Expr *Sub = Op.getSubExpr();
    switch (Op.getOpcode()) {
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec:
      visit(Sub, {UseKind::Step, &Op});
      return visitResult(Op, Sub, How);
    case UO_AddrOf:
      return visit(Sub, {UseKind::Address, &Op});
    case UO_Extension:
      return visit(Sub, How);
    case UO_Real:
    case UO_Imag:
      return visit(Sub, Op.isGLValue() ? How.part() : unknown(&Op));
    case UO_Deref:
    case UO_Plus:
    case UO_Minus:
    case UO_Not:
    case UO_LNot:
      return visit(Sub, unknown(&Op));
    default:
      return visitUnknown(Op);
    }
  }

  void visitBinary(const BinaryOperator &Op, const Holder &How) {
    const Expr *Left = Op.getLHS(), *Right = Op.getRHS();
    if (Op.isCommaOp()) {
      visit(Left, read(&Op));
      return visit(Right, How);
    }
    if (Op.isAssignmentOp()) {
      visit(Right, unknown(&Op));
      visit(
          Left,
          {Op.isCompoundAssignmentOp() ? UseKind::Step : UseKind::Assign, &Op});
      return visitResult(Op, Left, How);
    }
    if (Op.getOpcode() == BO_PtrMemD && Left->isGLValue())
      visit(Left, How.part());
    else
      visit(Left, unknown(&Op));
    visit(Right, unknown(&Op));
  }

  void visitChoice(const AbstractConditionalOperator &Choice,
                   const Holder &How) {
    // Which of the two it is is not known.
    Holder Arm = How.onlyReads() ? How : unknown(&Choice);
    if (const auto *Binary = dyn_cast<BinaryConditionalOperator>(&Choice))
      visit(Binary->getCommon(), Arm);
    visit(Choice.getCond(), Arm);
    visit(Choice.getTrueExpr(), Arm);
    visit(Choice.getFalseExpr(), Arm);
  }

  void visitMember(const MemberExpr &Member, const Holder &How) {
    const Expr *Base = Member.getBase();
    if (Member.isArrow())
      return visit(Base, unknown(&Member));
    if (const auto *Static = dyn_cast<VarDecl>(Member.getMemberDecl())) {
      record(*Static, Member, How);
      return visit(Base, read(&Member));
    }
    // A reference is read for what it refers to.
    if (Member.getMemberDecl()->getType()->isReferenceType())
      return visit(Base, read(&Member));
    visit(Base, isa<FieldDecl>(Member.getMemberDecl()) ? How.part()
                                                       : unknown(&Member));
  }

  void visitSubscript(const ArraySubscriptExpr &Subscript, const Holder &How) {
    visit(Subscript.getIdx(), unknown(&Subscript));
    const Expr *Base = Subscript.getBase();
    if (const auto *Decay = dyn_cast<ImplicitCastExpr>(Base->IgnoreParens());
        Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
      return visit(Decay->getSubExpr(), How.part());
    visit(Base, Base->isGLValue() ? How.part() : unknown(&Subscript));
  }

  //===--------------------------------------------------------------------===//
  // Calls
  //===--------------------------------------------------------------------===//

  /// An argument or an initialiser for \p To, which may be null.
  Holder boundTo(const VarDecl *To, const Stmt &By) const {
    if (!To || !To->getType()->isReferenceType())
      return unknown(&By);
    return {UseKind::Bind, &By, To,
            refersToConst(To->getType(), To->getASTContext())};
  }

  void visitCall(const CallExpr &Call, const Holder &How) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    // What a returned reference refers to is not followed.
    const bool IsLost = Call.isGLValue() && !How.onlyReads();
    auto VisitBound = [&](const Expr *E, const Holder &Bound) {
      visit(E, Bound);
      if (IsLost && E->isGLValue() && Bound.Kind != UseKind::Unknown)
        visit(E, unknown(&Call));
    };
    unsigned First = 0;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
      visitObject(*Member, VisitBound);
    } else if (isa<CXXOperatorCallExpr>(Call) && Method &&
               Method->isImplicitObjectMemberFunction()) {
      First = 1;
      VisitBound(Call.getArg(0), boundObject(*Method, Call));
    }
    if (!isa<CXXMemberCallExpr>(Call))
      visit(Call.getCallee(), read(&Call));
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(&Call))
      visit(Launch->getConfig(), unknown(&Call));
    const bool IsCopy = First && isTrivialAssignment(*Method);
    for (unsigned I = First; I < Call.getNumArgs(); ++I) {
      unsigned P = I - First;
      const ParmVarDecl *Param = Callee && P < Callee->getNumParams()
                                     ? Callee->getParamDecl(P)
                                     : nullptr;
      VisitBound(Call.getArg(I), IsCopy ? read(&Call) : boundTo(Param, Call));
    }
  }

  static bool isTrivialAssignment(const CXXMethodDecl &Method) {
    return Method.isTrivial() && (Method.isCopyAssignmentOperator() ||
                                  Method.isMoveAssignmentOperator());
  }

  static Holder boundObject(const CXXMethodDecl &Method, const CallExpr &Call) {
    if (isTrivialAssignment(Method))
      return {UseKind::Assign, &Call};
    return {UseKind::Bind, &Call, nullptr, Method.isConst()};
  }

  template <typename Fn>
  void visitObject(const CXXMemberCallExpr &Call, Fn VisitBound) {
    const auto *Member = dyn_cast<MemberExpr>(Call.getCallee()->IgnoreParens());
    const CXXMethodDecl *Method = Call.getMethodDecl();
    if (!Member || !Method)
      return visit(Call.getCallee(), unknown(&Call));
    if (Member->isArrow())
      return visit(Member->getBase(), unknown(&Call));
    if (Method->isStatic())
      return visit(Member->getBase(), read(&Call));
    VisitBound(Member->getBase(), boundObject(*Method, Call));
  }

  void visitConstruct(const CXXConstructExpr &Construct) {
    const CXXConstructorDecl *Callee = Construct.getConstructor();
    const bool IsCopy =
        Callee->isTrivial() && Callee->isCopyOrMoveConstructor();
    // One that is inherited passes on what it is given, without a name.
    const unsigned Followed =
        Callee->isInheritingConstructor() ? 0 : Callee->getNumParams();
    for (unsigned I = 0; I < Construct.getNumArgs(); ++I)
      visit(Construct.getArg(I),
            IsCopy         ? read(&Construct)
            : I < Followed ? boundTo(Callee->getParamDecl(I), Construct)
                           : unknown(&Construct));
  }

  /// References among the members may be bound in it.
  void visitList(const InitListExpr &List) {
    const InitListExpr *Semantic =
        List.isSemanticForm() ? &List : List.getSemanticForm();
    for (const Expr *Init : (Semantic ? *Semantic : List).inits())
      visit(Init, unknown(&List));
  }

  //===--------------------------------------------------------------------===//
  // Declarations and statements
  //===--------------------------------------------------------------------===//

  void visitDeclaration(const Decl &D, const DeclStmt &By) {
    const auto *Var = dyn_cast<VarDecl>(&D);
    if (!Var)
      return;
    Uses[Var->getCanonicalDecl()];
    visit(Var->getInit(), boundTo(Var, By));
    // Its function gets the variable's address.
    if (Var->hasAttr<CleanupAttr>())
      record(*Var, By, unknown(&By));
    if (const auto *Parts = dyn_cast<DecompositionDecl>(Var))
      for (const BindingDecl *Binding : Parts->bindings())
        if (const VarDecl *Holding = Binding->getHoldingVar()) {
          Uses[Holding->getCanonicalDecl()];
          visit(Holding->getInit(), boundTo(Holding, By));
        }
  }

  /// An array is only read where each iteration gets a plain copy, or a const
  /// reference that is only read itself.
  static bool onlyReadsArray(const CXXForRangeStmt &For) {
    const VarDecl &Each = *For.getLoopVariable();
    const ASTContext &Context = Each.getASTContext();
    const ArrayType *Array =
        Context.getAsArrayType(For.getRangeInit()->getType());
    if (!Array ||
        !Context.hasSameUnqualifiedType(Array->getElementType(),
                                        Each.getType().getNonReferenceType()))
      return false;
    return Each.getType()->isReferenceType()
               ? refersToConst(Each.getType(), Context) &&
                     VariableFacts(For.getBody()).isOnlyRead(Each)
               : Each.getType().isTriviallyCopyableType(Context);
  }

  void visitRangeFor(const CXXForRangeStmt &For) {
    const Expr *Range = For.getRangeInit();
    const bool OnlyReads = onlyReadsArray(For);
    for (const Stmt *Child : For.children())
      if (OnlyReads && Child == For.getRangeStmt())
        visit(Range, read(&For));
      else
        visit(Child, read(&For));
  }

  void visitAsm(const GCCAsmStmt &Asm) {
    for (unsigned I = 0; I < Asm.getNumOutputs(); ++I)
      visit(Asm.getOutputExpr(I), {UseKind::AsmOutput, &Asm});
    for (unsigned I = 0; I < Asm.getNumInputs(); ++I)
      visit(Asm.getInputExpr(I), unknown(&Asm));
  }

  /// `threadIdx.x` with Clang's headers, whose variables nobody can write.
  void visitPseudoObject(const PseudoObjectExpr &Pseudo) {
    const auto *Property =
        dyn_cast<MSPropertyRefExpr>(Pseudo.getSyntacticForm()->IgnoreParens());
    if (Property && isa<DeclRefExpr>(Property->getBaseExpr()->IgnoreParens()))
      return visit(Property->getBaseExpr(), read(&Pseudo));
    visitUnknown(Pseudo);
  }

  void visitLambda(const LambdaExpr &L) {
    // An instance of a generic lambda may do more than its body shows.
    if (L.isGenericLambda()) {
      llvm::SaveAndRestore Saved(Lambda, &L);
      return visitUnknown(L);
    }
    auto Init = L.capture_init_begin();
    for (const LambdaCapture &Capture : L.captures()) {
      const Expr *E = *Init++;
      const auto *Var = Capture.capturesVariable()
                            ? dyn_cast<VarDecl>(Capture.getCapturedVar())
                            : nullptr;
      if (Var && Var->isInitCapture()) {
        Uses[Var->getCanonicalDecl()];
        visit(Var->getInit(), boundTo(Var, L));
      } else if (Capture.capturesVariable() &&
                 Capture.getCaptureKind() == LCK_ByRef) {
        // What the body does to it is what happens to it.
      } else {
        visit(E, unknown(&L));
      }
    }
    llvm::SaveAndRestore Saved(Lambda, &L);
    visit(L.getBody(), unknown(&L));
  }

  VariableFacts::Map &Uses;
  const LambdaExpr *Lambda = nullptr;
};

/// A const method may change its object after all.
bool mayCastConstAway(const CXXMethodDecl &Method) {
  if (isLibraryCode(Method))
    return false;
  const FunctionDecl *Definition = nullptr;
  if (!Method.hasBody(Definition) ||
      llvm::any_of(Method.getParent()->fields(),
                   [](const FieldDecl *F) { return F->isMutable(); }))
    return true;
  struct Casts : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    bool VisitExplicitCastExpr(const ExplicitCastExpr *Cast) override {
      Found |= Cast->isGLValue() || Cast->getType()->isPointerType();
      return !Found;
    }
    // Others get the object.
    bool VisitCXXThisExpr(const CXXThisExpr *This) override {
      Found |= !This->isImplicit();
      return !Found;
    }
  } Finder;
  Finder.ShouldVisitImplicitCode = true;
  Finder.TraverseStmt(Definition->getBody());
  return Finder.Found;
}

constexpr unsigned MaxDepth = 8;

} // namespace

VariableFacts::VariableFacts(const Stmt *S) { Walker(Uses).run(S); }

VariableFacts::VariableFacts(llvm::ArrayRef<const Stmt *> Parts) {
  Walker Walk(Uses);
  for (const Stmt *S : Parts)
    Walk.run(S);
}

VariableFacts::VariableFacts(const FunctionDecl &Function) {
  Walker Walk(Uses);
  for (const Stmt *Part : codeOf(Function))
    if (Part == Function.getBody())
      Walk.run(Part);
    else
      Walk.runInitializer(cast<Expr>(Part));
}

llvm::ArrayRef<VariableUse> VariableFacts::of(const VarDecl &V) const {
  auto It = Uses.find(V.getCanonicalDecl());
  return It == Uses.end() ? llvm::ArrayRef<VariableUse>() : It->second;
}

bool VariableFacts::mayChange(const VariableUse &U) const {
  return mayChange(U, 0);
}

bool VariableFacts::isOnlyRead(const VarDecl &V) const {
  return isOnlyRead(V, 0);
}

bool VariableFacts::mayChange(const VariableUse &U, unsigned Depth) const {
  if (U.Kind == UseKind::Read)
    return false;
  if (U.Kind != UseKind::Bind || Depth > MaxDepth)
    return true;
  if (const auto *Param = dyn_cast_or_null<ParmVarDecl>(U.To))
    return parameterMayChange(*Param, Depth);
  if (U.To)
    return !isOnlyRead(*U.To, Depth + 1);
  const auto *Call = dyn_cast_or_null<CallExpr>(U.By);
  const auto *Method =
      Call ? dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee()) : nullptr;
  return !U.IsConst || !Method || mayCastConstAway(*Method);
}

bool VariableFacts::isOnlyRead(const VarDecl &V, unsigned Depth) const {
  return llvm::none_of(
      of(V), [&](const VariableUse &U) { return mayChange(U, Depth); });
}

bool VariableFacts::parameterMayChange(const ParmVarDecl &Param,
                                       unsigned Depth) const {
  const auto *Callee = dyn_cast<FunctionDecl>(Param.getDeclContext());
  if (!Callee)
    return true;
  if (isLibraryCode(*Callee))
    return !refersToConst(Param.getType(), Param.getASTContext());
  const FunctionDecl *Definition = nullptr;
  const unsigned Index = Param.getFunctionScopeIndex();
  if (!Callee->hasBody(Definition) || Index >= Definition->getNumParams())
    return true;
  const ParmVarDecl *There = Definition->getParamDecl(Index);
  // A function that calls itself does the worst.
  auto [It, IsNew] = Parameters.try_emplace(There, true);
  if (IsNew) {
    bool May = !VariableFacts(*Definition).isOnlyRead(*There, Depth + 1);
    Parameters[There] = May;
    return May;
  }
  return It->second;
}

bool VariableFacts::staysInCall(const ParmVarDecl &Param) const {
  return staysInCall(Param, 0);
}

bool VariableFacts::staysInCall(const ParmVarDecl &Param, unsigned Depth) {
  const auto *Callee = dyn_cast<FunctionDecl>(Param.getDeclContext());
  if (!Callee || isa<CXXConstructorDecl>(Callee) || Depth > MaxDepth)
    return false;
  // A library may give back an object that holds the reference.
  if (isLibraryCode(*Callee))
    return !Callee->getReturnType()->isRecordType();
  const FunctionDecl *Definition = nullptr;
  const unsigned Index = Param.getFunctionScopeIndex();
  return Callee->hasBody(Definition) && Index < Definition->getNumParams() &&
         VariableFacts(*Definition)
             .staysHere(*Definition->getParamDecl(Index), Depth + 1);
}

bool VariableFacts::staysHere(const VarDecl &Reference, unsigned Depth) const {
  return Depth <= MaxDepth &&
         llvm::all_of(of(Reference), [&](const VariableUse &U) {
           switch (U.Kind) {
           case UseKind::Read:
             return true;
           case UseKind::Assign:
           case UseKind::Step:
           case UseKind::AsmOutput:
             return !U.In;
           case UseKind::Bind:
             if (const auto *Param = dyn_cast_or_null<ParmVarDecl>(U.To))
               return !U.In && staysInCall(*Param, Depth);
             return U.To && U.To->hasLocalStorage() &&
                    staysHere(*U.To, Depth + 1);
           case UseKind::Address:
           case UseKind::Unknown:
             return false;
           }
           llvm_unreachable("unknown kind of use");
         });
}

bool VariableFacts::changesByNameOnly(const VarDecl &V) const {
  return llvm::all_of(of(V), [&](const VariableUse &U) {
    return !mayChange(U) ||
           (!U.In && (U.Kind == UseKind::Assign || U.Kind == UseKind::Step));
  });
}

bool beginsUnset(const VarDecl &V) {
  return V.isLocalVarDecl() && V.hasLocalStorage() && !V.getInit() &&
         !V.isExceptionVariable() && !V.getType()->isReferenceType();
}

std::string describe(const VariableUse &U) {
  std::string Text = nameOf(U.Kind).str();
  if (U.IsPart)
    Text += " part";
  if (U.IsConst)
    Text += " const";
  if (U.To)
    Text +=
        U.To->getName().empty() ? " unnamed" : " " + U.To->getNameAsString();
  if (U.In)
    Text += " in lambda";
  return Text;
}

void VariableFacts::dump(llvm::raw_ostream &Out) const {
  for (const auto &[Var, All] : Uses)
    for (const VariableUse &U : All)
      Out << Var->getName() << ": " << describe(U) << '\n';
}

} // namespace barricade::facts
