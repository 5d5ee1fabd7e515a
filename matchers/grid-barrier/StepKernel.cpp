// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/divergence/Divergence.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/Copies.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/host/UnitUses.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Waiting.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::grid_barrier {

bool *IndexUse::find(llvm::StringRef Name) {
  return llvm::StringSwitch<bool *>(Name)
      .Case("blockIdx", &BlockIndex)
      .Case("gridDim", &GridSize)
      .Case("threadIdx", &ThreadIndex)
      .Case("blockDim", &BlockSize)
      .Default(nullptr);
}

namespace {

bool isTranslationUnitLevel(const Decl &D) {
  return D.getDeclContext()->getRedeclContext()->isTranslationUnit();
}

bool isNamedLikeIndex(const NamedDecl &D) {
  IndexUse Any;
  return D.getDeclName().isIdentifier() && Any.find(D.getName());
}

/// Which of the kernel's own parameters pointers come from, through calls.
class ParameterTracer {
public:
  explicit ParameterTracer(const KernelEffects &Effects) : Effects(Effects) {}

  /// The root of the pointer \p E of the function \p In.
  MemoryRoot rootOf(const Expr &E, const FunctionDecl &In) const {
    return Effects.rootsOf(In).of(E);
  }
  /// Of all that the pointer \p Var of the function \p In is ever given.
  MemoryRoot rootOf(const VarDecl &Var, const FunctionDecl &In) const {
    return Effects.rootsOf(In).of(Var);
  }

  /// Appends the parameters that a pointer of this root may be derived from;
  /// false where it may also come from elsewhere than a block's or a thread's
  /// own memory.
  bool trace(const MemoryRoot &Root,
             llvm::SmallVectorImpl<const ParmVarDecl *> &Found,
             unsigned Depth = 0) const {
    if (Root.Space == MemorySpace::Shared || Root.Space == MemorySpace::Local)
      return true;
    const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(Root.Object);
    const auto *Function =
        Parameter ? dyn_cast<FunctionDecl>(Parameter->getDeclContext())
                  : nullptr;
    if (!Function || Depth > MaxCallDepth)
      return false;
    if (Function == Effects.Kernel) {
      if (!llvm::is_contained(Found, Parameter))
        Found.push_back(Parameter);
      return true;
    }
    unsigned Index = Parameter->getFunctionScopeIndex();
    auto Calls = Effects.callsOf(*Function);
    return !Root.Field && !Calls.empty() && !isa<CXXMethodDecl>(Function) &&
           llvm::all_of(Calls, [&](const KernelEffects::Site &Site) {
             return Index < Site.Call->getNumArgs() &&
                    traceArgument(*Site.Call->getArg(Index), *Site.Caller,
                                  Found, Depth + 1);
           });
  }

private:
  bool traceArgument(const Expr &Argument, const FunctionDecl &Caller,
                     llvm::SmallVectorImpl<const ParmVarDecl *> &Found,
                     unsigned Depth) const {
    return Argument.isNullPointerConstant(Caller.getASTContext(),
                                          Expr::NPC_ValueDependentIsNotNull) ||
           trace(rootOf(Argument, Caller), Found, Depth);
  }

  static constexpr unsigned MaxCallDepth = 16;
  const KernelEffects &Effects;
};

/// A part of \p Type is a pointer.
bool holdsPointer(QualType Type) {
  Type = QualType(Type->getBaseElementTypeUnsafe(), 0);
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition())
    return Type->isAnyPointerType() || Type->isReferenceType() ||
           Type->isDependentType();
  return llvm::any_of(Record->fields(),
                      [](const FieldDecl *Field) {
                        return holdsPointer(Field->getType());
                      }) ||
         llvm::any_of(Record->bases(), [](const CXXBaseSpecifier &Base) {
           return holdsPointer(Base.getType());
         });
}

/// \p E may see the bytes of a pointer as something else.
bool mayPunPointer(const Expr &E) {
  if (const auto *Member = dyn_cast<MemberExpr>(&E)) {
    const auto *Record =
        dyn_cast<RecordDecl>(Member->getMemberDecl()->getDeclContext());
    return Record && Record->isUnion() &&
           llvm::any_of(Record->fields(), [](const FieldDecl *Field) {
             return holdsPointer(Field->getType());
           });
  }
  const auto *Cast = dyn_cast<CastExpr>(&E);
  if (!Cast)
    return false;
  const QualType From = Cast->getSubExpr()->getType(), To = Cast->getType();
  switch (Cast->getCastKind()) {
  case CK_LValueBitCast:
  case CK_LValueToRValueBitCast:
    return holdsPointer(From) &&
           !(To->isPointerType() && From->isPointerType());
  case CK_BitCast:
    return From->isPointerType() && holdsPointer(From->getPointeeType());
  default:
    return false;
  }
}

using LambdaSet = llvm::SmallPtrSet<const CXXRecordDecl *, 4>;

/// Looks through one function of the kernel for all that a flow-insensitive
/// look can tell.
class FunctionInspector : public ConstDynamicRecursiveASTVisitor {
public:
  FunctionInspector(const FunctionDecl &Function, const ParameterTracer &Tracer,
                    StepKernel &Step, LambdaSet &Lambdas)
      : Function(Function), Tracer(Tracer), Step(Step),
        IsKernel(&Function == Step.Kernel),
        SM(Function.getASTContext().getSourceManager()), Lambdas(Lambdas) {
    ShouldVisitImplicitCode = true;
  }

  void run() {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
    if (Method && Method->getMethodQualifiers().hasRestrict())
      add(ReasonId::ReadOnlyLoad, Method->getLocation());
    for (const ParmVarDecl *P : Function.parameters())
      if (P->getType().isRestrictQualified())
        notePromise(Tracer.rootOf(*P, Function), P->getLocation());
    for (const Stmt *Part : codeOf(Function))
      TraverseStmt(Part);
  }

  /// Where something is promised: `p + (q - p)` is q by the promise for p.
  void notePromisesByDistance() {
    const auto Note = [&](const Expr &Pointer) {
      notePromise(Tracer.rootOf(Pointer, Function), Pointer.getBeginLoc());
    };
    (void)codeHolds(Function, [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      if (Op && Op->getOpcode() == BO_Sub &&
          Op->getRHS()->getType()->isPointerType()) {
        Note(*Op->getLHS());
        Note(*Op->getRHS());
      }
      const auto *Cast = dyn_cast<CastExpr>(&S);
      if (Cast && Cast->getCastKind() == CK_PointerToIntegral)
        Note(*Cast->getSubExpr());
      if (const auto *E = dyn_cast<Expr>(&S); E && mayPunPointer(*E))
        add(ReasonId::ReadOnlyLoad, E->getBeginLoc());
      return false;
    });
  }

  //===--------------------------------------------------------------------===//
  // Built-in variables
  //===--------------------------------------------------------------------===//

  bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
    // A generic lambda's body is a pattern. What its instances run, conversions
    // and operators for instance, does not show in it.
    if (!Lambda->isGenericLambda())
      Lambdas.insert(Lambda->getLambdaClass());
    Scopes.push_back(Lambda->getCaptureDefault() != LCD_None);
    bool Continue = ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    Scopes.pop_back();
    return Continue;
  }
  bool TraverseCXXRecordDecl(const CXXRecordDecl *Record) override {
    Scopes.push_back(Record->isLambda());
    bool Continue =
        ConstDynamicRecursiveASTVisitor::TraverseCXXRecordDecl(Record);
    Scopes.pop_back();
    return Continue;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    checkOwnName(*Ref);
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || !Var->getDeclName().isIdentifier())
      return true;
    if (Var->hasAttr<CUDASharedAttr>())
      noteShared(*Var);
    if (Var->hasAttr<CUDAConstantAttr>() && Step.ReadsConstants.isInvalid())
      Step.ReadsConstants = Ref->getBeginLoc();
    if (bool *Field = Step.Indices.find(Var->getName());
        Field && isTranslationUnitLevel(*Var)) {
      *Field = true;
      checkIndex(*Ref, Field);
    }
    return true;
  }
  bool VisitNamedDecl(const NamedDecl *D) override {
    if (IsKernel && isNamedLikeIndex(*D))
      add(ReasonId::IndexScope, D->getLocation());
    return true;
  }
  bool VisitExpr(const Expr *E) override {
    if (IsKernel)
      if (const SourceLocation Where = facts::ownNameAskedBy(*E, SM);
          Where.isValid())
        add(ReasonId::FunctionName, Where);
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  bool VisitVarDecl(const VarDecl *Var) override {
    if (Var->hasAttr<CUDASharedAttr>())
      noteShared(*Var);
    // A lambda's parameters, and elements, get what is not seen here.
    const bool OfLambda = isa<ParmVarDecl>(Var) &&
                          Var->getDeclContext() != &Function &&
                          Var->getDeclContext()->isFunctionOrMethod();
    if (Var->getType().isRestrictQualified() &&
        (OfLambda || Var->getType()->isArrayType()))
      add(ReasonId::ReadOnlyLoad, Var->getLocation());
    else if (Var->getType().isRestrictQualified() && Var->isLocalVarDecl())
      notePromise(Tracer.rootOf(*Var, Function), Var->getLocation());
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Reads
  //===--------------------------------------------------------------------===//

  bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue)
      noteRead(*Cast->getSubExpr());
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    // In records nothing can be hidden.
    if (Member->getMemberDecl()->getType().isRestrictQualified())
      add(ReasonId::ReadOnlyLoad, Member->getBeginLoc());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isCompoundAssignmentOp())
      noteRead(*Op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      noteRead(*Op->getSubExpr());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    if (Construct->getConstructor()->isCopyOrMoveConstructor())
      noteRead(*Construct->getArg(0));
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Calls
  //===--------------------------------------------------------------------===//

  bool VisitAtomicExpr(const AtomicExpr *) override {
    Step.ThreadsStandAlone = false; // Scopes differ from compiler to compiler.
    return true;
  }
  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *Call) override {
    add(ReasonId::DynamicParallelism, Call->getBeginLoc());
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || isa<CUDAKernelCallExpr>(Call))
      return true;
    const CallKind Kind = classifyCall(*Call, SM);
    if (Kind == CallKind::Atomic || Kind == CallKind::Fence)
      Step.ThreadsStandAlone &= !isOfBlock(*Call, *Callee);
    if (!Callee->getDeclName().isIdentifier())
      return true;
    llvm::StringRef Name = Callee->getName();
    switch (Kind) {
    case CallKind::Clock:
      add(ReasonId::SpecialRegister, Call->getBeginLoc());
      break;
    case CallKind::UniformIndex:
      if (Name.contains("ctaid"))
        add(ReasonId::SpecialRegister, Call->getBeginLoc());
      break;
    case CallKind::ThreadIndex:
      checkThreadIndex(*Call, Name);
      break;
    case CallKind::Print:
      if (Name.contains("printf"))
        add(ReasonId::Print, Call->getBeginLoc());
      break;
    case CallKind::Load:
      noteReadThrough(*Call->getArg(0));
      noteReadOnly(Tracer.rootOf(*Call->getArg(0), Function),
                   Call->getBeginLoc());
      break;
    case CallKind::Atomic:
      if (Call->getNumArgs() > 0)
        noteReadThrough(*Call->getArg(0));
      break;
    case CallKind::Fence:
      break;
    default:
      checkName(*Call, Name);
      break;
    }
    return true;
  }

private:
  void add(ReasonId Id, SourceLocation Where) {
    Step.Blockers.push_back(blocker(Id, Where));
  }

  /// The atomic or fence may be enough for the threads of one block only: by
  /// its name, by a scope among its arguments or one of its class's.
  bool isOfBlock(const CallExpr &Call, const FunctionDecl &Callee) const {
    const llvm::StringRef Name =
        Callee.getDeclName().isIdentifier() ? Callee.getName() : "";
    if (Name.contains("_block") || Name.contains("cta"))
      return true;
    if (const auto *Method = dyn_cast<CXXMethodDecl>(&Callee))
      return isOfBlock(*Method->getParent());
    // The last enumerators are the device and the system; libcu++ has the
    // reverse order.
    if (Name.starts_with("__nv_atomic"))
      return !isLastArgument(Call, 3, 4);
    return Name == "atomic_thread_fence" && Call.getNumArgs() > 1 &&
           !isLastArgument(Call, 0, 1);
  }

  bool isLastArgument(const CallExpr &Call, int A, int B) const {
    const unsigned Count = Call.getNumArgs();
    const auto Value = Count > 0 ? facts::integerOf(*Call.getArg(Count - 1),
                                                    Function.getASTContext())
                                 : std::nullopt;
    return Value && (*Value == A || *Value == B);
  }

  /// An atomic's class is of libcu++'s scope for blocks, or of one that is not
  /// known.
  static bool isOfBlock(const CXXRecordDecl &Atomic) {
    const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(&Atomic);
    if (!Special)
      return true;
    for (const TemplateArgument &Arg : Special->getTemplateArgs().asArray())
      if (Arg.getKind() == TemplateArgument::Integral &&
          Arg.getIntegralType()->isEnumeralType())
        return Arg.getAsIntegral() != 0 && Arg.getAsIntegral() != 1;
    // std's have the system's.
    return !Atomic.isInStdNamespace() &&
           !llvm::StringRef(Atomic.getQualifiedNameAsString())
                .starts_with("cuda::std::");
  }

  /// A parameter of that name must be what the reference then means.
  void checkIndex(const DeclRefExpr &Ref, const bool *Field) {
    // Those of the thread stay what they are unless the caller asks.
    bool OfThread =
        Field == &Step.Indices.ThreadIndex || Field == &Step.Indices.BlockSize;
    bool InBody =
        IsKernel && !Ref.hasQualifier() &&
        llvm::all_of(Scopes, [](bool Captures) { return Captures; }) &&
        isWithinBody(Ref.getLocation());
    if (InBody)
      return;
    if (OfThread)
      Step.ThreadsStandAlone = false;
    else
      add(IsKernel ? ReasonId::IndexScope : ReasonId::IndexInCallee,
          Ref.getLocation());
  }

  /// A step stands before its kernel, which has to be declared by then.
  void checkOwnName(const DeclRefExpr &Ref) {
    const auto *Named = dyn_cast<FunctionDecl>(Ref.getDecl());
    if (!IsKernel || !Named)
      return;
    const FunctionDecl &Own = spelledFunction(Function);
    const FunctionTemplateDecl *Template = Own.getDescribedFunctionTemplate();
    const Decl &Declared =
        Template ? static_cast<const Decl &>(*Template) : Own;
    if (spelledFunction(*Named).getCanonicalDecl() == Own.getCanonicalDecl() &&
        !Declared.getPreviousDecl())
      add(ReasonId::KernelShape, Ref.getLocation());
  }

  bool isWithinBody(SourceLocation Where) const {
    SourceLocation File = SM.getExpansionLoc(Where);
    return !SM.isBeforeInTranslationUnit(File,
                                         Function.getBody()->getBeginLoc()) &&
           !SM.isBeforeInTranslationUnit(Function.getBody()->getEndLoc(), File);
  }

  void noteShared(const VarDecl &Var) {
    Step.UsesSharedMemory = true;
    if (Var.hasExternalStorage()) {
      Step.UsesDynamicSharedMemory = true;
      return;
    }
    if (llvm::is_contained(Step.Shared, Var.getCanonicalDecl()))
      return;
    Step.Shared.push_back(Var.getCanonicalDecl());
    ASTContext &Context = Function.getASTContext();
    auto Info = Context.getTypeInfoInChars(Var.getType());
    // At worst the whole alignment is lost in front of it.
    Step.StaticSharedBytes +=
        (Info.Width + Context.getDeclAlign(&Var)).getQuantity() - 1;
  }

  /// The value of the lvalue \p E is looked at.
  void noteRead(const Expr &E) {
    const Expr *Place = E.IgnoreParenImpCasts();
    while (const auto *Member = dyn_cast<MemberExpr>(Place)) {
      if (!isPartOfBase(*Member))
        break;
      Place = Member->getBase()->IgnoreParenImpCasts();
    }
    if (!isa<DeclRefExpr>(Place))
      noteReadThrough(*Place);
  }

  void noteReadThrough(const Expr &E) {
    const MemoryRoot Root = Tracer.rootOf(E, Function);
    if (Root.Space == MemorySpace::Shared || Root.Space == MemorySpace::Local ||
        (Root.Object && Root.Object->hasGlobalStorage()))
      return;
    llvm::SmallVector<const ParmVarDecl *, 4> Pointers;
    Step.ReadsElsewhere |= !Tracer.trace(Root, Pointers);
    for (const ParmVarDecl *Pointer : Pointers)
      if (!llvm::is_contained(Step.Read, Pointer))
        Step.Read.push_back(Pointer);
  }

  /// Something `__restrict__` leads to \p Root. nvcc may take the read-only
  /// path where that is a parameter of the persistent kernel's, which it cannot
  /// see to be one (barricade::coherent).
  void notePromise(const MemoryRoot &Root, SourceLocation Where) {
    llvm::SmallVector<const ParmVarDecl *, 4> Pointers;
    if (!Tracer.trace(Root, Pointers) ||
        !llvm::all_of(Pointers, [](const ParmVarDecl *Pointer) {
          return Pointer->getType()->isPointerType();
        }))
      return add(ReasonId::ReadOnlyLoad, Where);
    for (const ParmVarDecl *Pointer : Pointers)
      if (!llvm::is_contained(Step.Promised, Pointer))
        Step.Promised.push_back(Pointer);
  }

  void noteReadOnly(const MemoryRoot &Root, SourceLocation Where) {
    llvm::SmallVector<const ParmVarDecl *, 4> Pointers;
    if (!Tracer.trace(Root, Pointers))
      return add(ReasonId::ReadOnlyLoad, Where);
    for (const ParmVarDecl *Pointer : Pointers)
      Step.ReadOnlyLoads.push_back({Pointer, Where});
  }

  void checkThreadIndex(const CallExpr &Call, llvm::StringRef Name) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Call.getDirectCallee());
    if (Method &&
        Method->getParent()->getName() == "__cuda_builtin_threadIdx_t")
      return;
    Step.ThreadsStandAlone = false;
    bool OfGroup = !Name.starts_with("__");
    bool OfBlock =
        llvm::StringSwitch<bool>(Name)
            .Cases({"this_thread_block", "tiled_partition", "coalesced_threads",
                    "thread_index", "group_dim", "dim_threads",
                    "meta_group_rank", "meta_group_size"},
                   true)
            .Cases({"thread_rank", "size", "num_threads"},
                   Method && !Method->getParent()->getName().contains("grid"))
            .Default(false);
    if (OfGroup ? !OfBlock : !Name.contains("tid") && !Name.contains("lane"))
      add(OfGroup ? ReasonId::CooperativeGroups : ReasonId::SpecialRegister,
          Call.getBeginLoc());
  }

  /// What the classification by synchronisation does not tell apart.
  void checkName(const CallExpr &Call, llvm::StringRef Name) {
    if (!SM.isInSystemHeader(Call.getDirectCallee()->getLocation()))
      return;
    if (Name.starts_with("tex") || Name.starts_with("surf") ||
        Name.starts_with("__nv_tex") || Name.starts_with("__tex"))
      add(ReasonId::Texture, Call.getBeginLoc());
  }

  const FunctionDecl &Function;
  const ParameterTracer &Tracer;
  StepKernel &Step;
  bool IsKernel;
  const SourceManager &SM;
  /// Around the current place: does a lambda capture what its body names? A
  /// local class does not.
  llvm::SmallVector<bool, 4> Scopes;
  /// Lambdas whose bodies have been seen as part of the functions around them.
  LambdaSet &Lambdas;
};

/// Plain assembly whose result may be one from before a barrier, or from a
/// register that tells where in the grid it runs. (A load without "memory" is
/// one that the compiler may move.)
bool readsPastBarrier(const AsmStmt &Asm) {
  const std::string Text = cast<GCCAsmStmt>(Asm).getAsmString();
  if (llvm::StringRef(Text).contains("ld"))
    return true;
  // `%%smid`, or `$smid` for the `%smid` that nvcc takes, too.
  for (size_t At = Text.find_first_of("%$"); At != std::string::npos;
       At = Text.find_first_of("%$", At + 1))
    if (At + 1 == Text.size() || !llvm::isDigit(Text[At + 1]))
      return true;
  return false;
}

class KernelInspector {
public:
  KernelInspector(const FunctionDecl &Kernel, const Program &Whole)
      : Whole(Whole), Context(Kernel.getASTContext()),
        SM(Context.getSourceManager()),
        Effects(collectKernelEffects(Kernel, /*RestrictParams=*/false)),
        Divergence(Effects, Context), Tracer(Effects) {
    Step.Kernel = &Kernel;
    Step.Functions = Effects.Functions;
    Step.ThreadsStandAlone = true;
  }

  StepKernel run() {
    checkDeclaration();
    for (const FunctionDecl *Function : Effects.Functions) {
      FunctionInspector(*Function, Tracer, Step, Lambdas).run();
      checkWaits(*Function);
    }
    if (!Step.Promised.empty())
      for (const FunctionDecl *Function : Effects.Functions)
        FunctionInspector(*Function, Tracer, Step, Lambdas)
            .notePromisesByDistance();
    for (const KernelEffects::Sync &S : Effects.Syncs)
      checkSync(S);
    for (const auto &[Asm, Function] : Effects.Asm)
      if (!facts::isPlainAsm(*cast<AsmStmt>(Asm)) ||
          readsPastBarrier(*cast<AsmStmt>(Asm)))
        add(ReasonId::InlineAsm, Asm->getBeginLoc());
    if (Effects.Recursive)
      add(ReasonId::Recursion, Step.Kernel->getLocation());
    Step.Products = facts::productsOf(*Step.Kernel);
    if (Step.Products.Any && Step.Products.Least == facts::Varies::Never)
      add(ReasonId::Rounding, Step.Products.Where);
    findStores();
    // Who knows the address of constant memory may write it.
    const PassView *Host = Whole.host();
    if (Step.ReadsConstants.isValid() &&
        (WritesConstants || !Effects.ExposedConstants.empty() ||
         (Host && host::UnitUses(*Host->Context).takesSymbolAddresses())))
      add(ReasonId::ConstantMemory, Step.ReadsConstants);
    Step.ThreadsStandAlone &= !Step.WaitsForBlock && !Step.UsesSharedMemory &&
                              llvm::none_of(Effects.Asm, isOfBlock);
    return std::move(Step);
  }

private:
  void add(ReasonId Id, SourceLocation Where,
           std::vector<std::pair<SourceLocation, std::string>> Notes = {}) {
    Step.Blockers.push_back(blocker(Id, Where, std::move(Notes)));
  }

  void checkDeclaration() {
    const FunctionDecl &Kernel = *Step.Kernel;
    if (Whole.RestrictKernelPointers)
      add(ReasonId::RestrictOption, Kernel.getLocation());
    if (Kernel.hasAttr<CUDAClusterDimsAttr>())
      add(ReasonId::Cluster, Kernel.getLocation());
    if (const FunctionTemplateDecl *Template =
            spelledFunction(Kernel).getDescribedFunctionTemplate())
      for (const NamedDecl *Parameter : *Template->getTemplateParameters())
        if (facts::dependsOnPlace(*Parameter, SM))
          add(ReasonId::PlaceDependent, Parameter->getLocation());
    if (isFriend(Kernel))
      add(ReasonId::KernelFriend, Kernel.getLocation());
    const auto CheckName = [&](const NamedDecl &Parameter) {
      if (isNamedLikeIndex(Parameter))
        add(ReasonId::IndexScope, Parameter.getLocation());
    };
    for (const ParmVarDecl *P : Kernel.parameters()) {
      CheckName(*P);
      if (!facts::isCopiedAnywhere(P->getType(), Context) ||
          P->hasAttr<CUDAGridConstantAttr>())
        add(ReasonId::ParameterType, P->getLocation());
    }
    if (const FunctionTemplateDecl *Template = Kernel.getPrimaryTemplate())
      for (const NamedDecl *P : *Template->getTemplateParameters())
        CheckName(*P);
  }

  /// Of some class, itself or as an instance of a template.
  static bool isFriend(const FunctionDecl &Kernel) {
    const auto Is = [](const Decl &D) {
      return llvm::any_of(D.redecls(), [](const Decl *Each) {
        return Each->getFriendObjectKind() != Decl::FOK_None;
      });
    };
    const FunctionTemplateDecl *Template = Kernel.getPrimaryTemplate();
    return Is(Kernel) ||
           (Template && (Is(*Template) || Is(*Template->getTemplatedDecl())));
  }

  //===--------------------------------------------------------------------===//
  // Synchronisation
  //===--------------------------------------------------------------------===//

  void checkSync(const KernelEffects::Sync &S) {
    SourceLocation Where = S.At->getBeginLoc();
    switch (S.Kind) {
    case CallKind::BlockBarrier:
      Step.WaitsForBlock = true;
      checkArrival(S, ReasonId::DivergentBarrier);
      break;
    case CallKind::WarpSync:
    case CallKind::Exchange:
      Step.ThreadsStandAlone = false;
      checkArrival(S, ReasonId::WarpExchange);
      break;
    case CallKind::NamedBarrier:
      add(ReasonId::NamedBarrier, Where);
      break;
    case CallKind::GridBarrier:
      add(ReasonId::GridSync, Where);
      break;
    case CallKind::Trap:
      Step.MayTrap = true;
      break;
    case CallKind::Unknown:
      if (!isa<CUDAKernelCallExpr>(S.At) && !callsSeenLambda(*S.At))
        add(ReasonId::UnknownCall, Where);
      break;
    default:
      break;
    }
  }

  bool callsSeenLambda(const Stmt &S) const {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(
        Call ? Call->getDirectCallee() : nullptr);
    return Method && Lambdas.contains(Method->getParent());
  }

  /// Where threads meet, every thread of the block must come: in a kernel those
  /// that have exited are not waited for, in a step they are elsewhere.
  void checkArrival(const KernelEffects::Sync &S, ReasonId Id) {
    SourceLocation Where = S.At->getBeginLoc();
    const FunctionDivergence &Here = Divergence.of(*S.Caller);
    EntryState Entry = Divergence.entryOf(*S.Caller);
    auto Branches = Here.branchesOverStatement(*S.At);
    if (!Branches)
      return add(ReasonId::Unanalysable, Where);
    auto Exits = Here.divergentExitsBefore(*S.At);
    llvm::append_range(Exits, Entry.Exits);
    for (const ReturnStmt *Exit : Exits)
      add(ReasonId::EarlyExit, Exit->getBeginLoc(),
          {{Where, "the other threads meet here"}});
    if (Entry.Why)
      add(Id, Where, {{Entry.Why->Where, dependsThrough(Entry.Why)}});
    else if (!Branches->empty())
      add(Id, Where,
          {{Branches->front().Why->Where,
            dependsThrough(Branches->front().Why)}});
  }

  /// Assembly with the scope of a block.
  static bool
  isOfBlock(const std::pair<const Stmt *, const FunctionDecl *> &Asm) {
    const auto *Text = dyn_cast<GCCAsmStmt>(Asm.first);
    return !Text || llvm::StringRef(Text->getAsmString()).contains("cta");
  }

  static std::string dependsThrough(Taint Why) {
    return "it depends on the thread through " + describe(Why->Kind).str();
  }

  void checkWaits(const FunctionDecl &Function) {
    auto Note = [&](SourceLocation Where, SourceLocation Wait) {
      if (Wait.isValid())
        add(ReasonId::SpinWait, Where,
            {{Wait, "another thread may change what this reads"}});
    };
    codeHolds(Function, [&](const Stmt &S) {
      if (isLoop(S))
        Note(S.getBeginLoc(), findWait(S, Function, SM, Effects));
      if (isa<IndirectGotoStmt>(S))
        add(ReasonId::Unanalysable, S.getBeginLoc());
      return false;
    });
    SourceLocation Wait = findGotoWait(Function, SM, Effects);
    Note(Wait, Wait);
  }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  void findStores() {
    Step.WritesElsewhere = Effects.OpaqueStore;
    Step.MayWriteAddresses =
        Effects.OpaqueStore.isValid() || Effects.HasTypePunning;
    for (const KernelEffects::Store &S : Effects.Stores)
      noteStore(S);
  }

  void noteStore(const KernelEffects::Store &S) {
    if (S.Target.Root.Space == MemorySpace::Shared ||
        S.Target.Root.Space == MemorySpace::Local)
      return;
    WritesConstants |= S.Target.Root.Space == MemorySpace::Constant;
    Step.MayWriteAddresses |= mayHoldAddress(S.Target.Type);
    llvm::SmallVector<const ParmVarDecl *, 4> Pointers;
    if (!Tracer.trace(S.Target.Root, Pointers) &&
        Step.WritesElsewhere.isInvalid())
      Step.WritesElsewhere = S.Where;
    for (const ParmVarDecl *Pointer : Pointers)
      if (!llvm::is_contained(Step.Written, Pointer))
        Step.Written.push_back(Pointer);
  }

  /// Null: bytes.
  bool mayHoldAddress(QualType Type) const {
    return Type.isNull() || !Type->isArithmeticType() || Type->isCharType() ||
           (Type->isIntegerType() && Context.getTypeSize(Type) >= 64);
  }

  const Program &Whole;
  ASTContext &Context;
  const SourceManager &SM;
  const KernelEffects Effects;
  const KernelDivergence Divergence;
  const ParameterTracer Tracer;
  LambdaSet Lambdas;
  bool WritesConstants = false;
  StepKernel Step;
};

} // namespace

StepKernel inspectStep(const FunctionDecl &Kernel, const Program &Whole,
                       const PassView &Pass) {
  return KernelInspector(Kernel, Whole).run();
}

} // namespace barricade::grid_barrier
