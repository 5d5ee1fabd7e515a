// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/UnitUses.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/GenericLambdas.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "matchers/source/WrittenNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace clang;

namespace barricade::host {
namespace {

/// Who declares these anywhere has the written text mean something else: what
/// is written on the host may stand where a variable or a member hides them.
bool isHiddenByAny(llvm::StringRef Name) {
  return Name == "__gpu_sync" || llvm::is_contained(NamesWrittenOnHost, Name);
}

/// The same, for declarations outside of functions and classes.
bool isHiddenFromOutside(llvm::StringRef Name) {
  return isHiddenByAny(Name) || llvm::is_contained(NamesWrittenOnDevice, Name);
}

/// Names that the header of cooperative groups, with what it includes, gives
/// something in the global namespace, or needs to find there.
bool isNameOfGroups(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"cooperative_groups", "cuda"}, true)
      .Cases({"half", "half2", "nv_half", "nv_half2", "nv_bfloat16"}, true)
      .Cases({"nv_bfloat162", "__half", "__half2", "__nv_bfloat16"}, true)
      .Default(false);
}

/// Device code may write constant memory other than by its name: it hands on
/// more of it than what it reads, by a pointer or a reference that may be
/// written through. That leads to `const`, or some cast takes that away.
class ConstantPointers : public ConstDynamicRecursiveASTVisitor {
public:
  bool mayWrite() const { return Any || (AnyConst && DropsConst); }

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    Any |= isConstantMemory(*Ref) && !Harmless.contains(Ref);
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
    const Expr &Of = *Cast->getSubExpr();
    if (Cast->getCastKind() == CK_LValueToRValue)
      noteHarmless(Of);
    const QualType To = reachedType(*Cast);
    if (Cast->getCastKind() == CK_NoOp && !To.isNull() && To.isConstQualified())
      AnyConst |= noteHarmless(Of);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Copy) override {
    const CXXConstructorDecl &Constructor = *Copy->getConstructor();
    if (Constructor.isCopyConstructor() && Constructor.isTrivial())
      noteHarmless(*Copy->getArg(0));
    return true;
  }
  bool
  VisitUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *Size) override {
    if (!Size->isArgumentType())
      noteHarmless(*Size->getArgumentExpr());
    return true;
  }
  bool VisitCXXForRangeStmt(const CXXForRangeStmt *Loop) override {
    const QualType Type = Loop->getLoopVariable()->getType();
    if (!Type->isReferenceType())
      noteHarmless(*Loop->getRangeInit());
    else if (Type->getPointeeType().isConstQualified())
      AnyConst |= noteHarmless(*Loop->getRangeInit());
    return true;
  }
  /// What depends on a template's arguments is seen in its instances only.
  bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
    if (!Lambda->getCallOperator()->isDependentContext())
      return ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    for (const Expr *Capture : Lambda->capture_inits())
      TraverseStmt(Capture);
    for (const FunctionDecl *Instance : callInstancesOf(*Lambda))
      TraverseStmt(Instance->getBody());
    return true;
  }
  bool VisitExplicitCastExpr(const ExplicitCastExpr *Cast) override {
    const QualType Of = Cast->getSubExprAsWritten()->getType();
    const QualType From = Cast->isGLValue()   ? Of
                          : Of->isArrayType() ? elementOf(Of)
                                              : Of->getPointeeType();
    const QualType To = reachedType(*Cast);
    DropsConst |= !From.isNull() && !To.isNull() && From.isConstQualified() &&
                  !To.isConstQualified();
    return true;
  }

private:
  static bool isConstantMemory(const DeclRefExpr &Ref) {
    return Ref.getDecl()->hasAttr<CUDAConstantAttr>();
  }

  static QualType elementOf(QualType Array) {
    return Array->getAsArrayTypeUnsafe()->getElementType();
  }

  /// Of what \p E is, or leads to.
  static QualType reachedType(const Expr &E) {
    return E.isGLValue() ? E.getType() : E.getType()->getPointeeType();
  }

  /// Whatever is done to \p E, whole objects, their elements or members, writes
  /// nothing. \returns whether some of it is constant memory not noted yet.
  bool noteHarmless(const Expr &E) {
    const Expr *Part = E.IgnoreParenImpCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(Part))
      return noteHarmless(*Member->getBase());
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Part))
      return noteHarmless(*Element->getBase());
    if (const auto *Select = dyn_cast<ConditionalOperator>(Part)) {
      const bool First = noteHarmless(*Select->getTrueExpr());
      return noteHarmless(*Select->getFalseExpr()) || First;
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(Part);
    return Ref && isConstantMemory(*Ref) && Harmless.insert(Ref).second;
  }

  bool Any = false, AnyConst = false, DropsConst = false;
  llvm::SmallPtrSet<const Stmt *, 16> Harmless;
};

/// Device code may have \p Var, or what it is initialised with is evaluated
/// there.
bool isOfDevice(const VarDecl &Var) {
  const auto *Function = dyn_cast<FunctionDecl>(Var.getDeclContext());
  const Decl &Owner = isa<ParmVarDecl>(Var) && Function ? cast<Decl>(*Function)
                                                        : cast<Decl>(Var);
  return Owner.hasAttr<CUDADeviceAttr>() || Owner.hasAttr<CUDAGlobalAttr>() ||
         Owner.hasAttr<CUDAConstantAttr>() || Var.isConstexpr();
}

/// The prelude's word for it (frontend/prelude/language.h).
bool isManaged(const Decl &D) {
  return llvm::any_of(D.specific_attrs<AnnotateAttr>(), [](const auto *Note) {
    return Note->getAnnotation() == "managed";
  });
}

bool isAsm(const Stmt &S) {
  const auto *Asm = dyn_cast<GCCAsmStmt>(&S);
  // What has no instructions, as compilers' barriers, does nothing.
  return isa<AsmStmt>(S) &&
         !(Asm && llvm::StringRef(Asm->getAsmString()).trim().empty());
}

/// \p Method of a stream's sets whom it tells what it is given.
bool setsReader(const CXXMethodDecl &Method) {
  return Method.getDeclName().isIdentifier() && Method.getNumParams() > 0 &&
         facts::isLibraryCode(Method) &&
         llvm::StringSwitch<bool>(Method.getName())
             .Cases({"rdbuf", "imbue", "pubimbue", "tie", "copyfmt"}, true)
             .Default(false);
}

/// `std::cout.rdbuf(&own)`; a local stream's is its function's affair.
bool redirects(const CXXMemberCallExpr &Call) {
  const CXXMethodDecl *Method = Call.getMethodDecl();
  if (!Method || Call.getNumArgs() == 0 || !setsReader(*Method))
    return false;
  const VarDecl *Stream =
      variableNamedBy(*Call.getImplicitObjectArgument()->IgnoreParenImpCasts());
  const Expr *Given = Call.getArg(0);
  return !(Stream && Stream->hasLocalStorage() &&
           Stream->getType()->isRecordType()) &&
         !Given->isNullPointerConstant(Stream ? Stream->getASTContext()
                                              : Method->getASTContext(),
                                       Expr::NPC_ValueDependentIsNotNull);
}

class NameVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  explicit NameVisitor(const SourceManager &SM) : SM(SM) {
    ShouldVisitTemplateInstantiations = true;
  }

  llvm::StringSet<> Functions;
  bool NamesManaged = false, HasNameOfRuntime = false, HasNameOfGroups = false,
       JumpsFar = false, HasHostAsm = false, RedirectsStreams = false;
  ConstantPointers Constants;

  bool VisitFunctionDecl(const FunctionDecl *Function) override {
    if (!Function->doesThisDeclarationHaveABody())
      return true;
    HasHostAsm |= mayRunOnHost(*Function) && codeHolds(*Function, isAsm);
    if (!Function->hasAttr<CUDAGlobalAttr>() &&
        !Function->hasAttr<CUDADeviceAttr>())
      return true;
    if (!Function->isDependentContext())
      for (const Stmt *Part : codeOf(*Function))
        Constants.TraverseStmt(Part);
    return true;
  }
  // What no function's code shows.
  bool VisitVarDecl(const VarDecl *Var) override {
    if ((isa<ParmVarDecl>(Var) || Var->hasGlobalStorage()) &&
        !Var->getDeclContext()->isDependentContext() && isOfDevice(*Var))
      Constants.TraverseStmt(Var->getInit());
    return true;
  }
  bool VisitFieldDecl(const FieldDecl *Field) override {
    if (!Field->getParent()->isDependentContext())
      Constants.TraverseStmt(Field->getInClassInitializer());
    return true;
  }

  bool VisitCXXMemberCallExpr(const CXXMemberCallExpr *Call) override {
    RedirectsStreams |= redirects(*Call);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    // `&std::ostream::rdbuf`
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Ref->getDecl()))
      RedirectsStreams |= setsReader(*Method);
    if (const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl())) {
      add(Function->getDeclName());
      JumpsFar |= isJumpFar(*Function);
      follow(*Function);
    }
    NamesManaged |= isManaged(*Ref->getDecl());
    noteMemory(*Ref->getFoundDecl());
    return true;
  }
  /// A lambda, or assembly beside all functions.
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    HasHostAsm |= mayRunOnHost(*Lambda->getCallOperator()) &&
                  holds(Lambda->getBody(), isAsm);
    for (const FunctionDecl *Instance : callInstancesOf(*Lambda))
      TraverseStmt(Instance->getBody());
    return true;
  }
  bool VisitFileScopeAsmDecl(const FileScopeAsmDecl *) override {
    HasHostAsm = true;
    return true;
  }
  bool VisitOverloadExpr(const OverloadExpr *E) override {
    add(E->getName());
    return true;
  }
  // What libraries call such memory: `thrust::universal_vector`.
  bool VisitMemberExpr(const MemberExpr *Member) override {
    noteMemory(*Member->getMemberDecl());
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Member->getMemberDecl()))
      follow(*Method);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    follow(*E->getConstructor());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc Loc) override {
    noteMemory(*Loc.getDecl());
    return true;
  }
  bool VisitUsingTypeLoc(UsingTypeLoc Loc) override {
    noteMemory(*Loc.getDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc Loc) override {
    noteMemory(*Loc.getDecl());
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(
      TemplateSpecializationTypeLoc Loc) override {
    if (const TemplateDecl *Template =
            Loc.getTypePtr()->getTemplateName().getAsTemplateDecl())
      noteMemory(*Template);
    return true;
  }
  bool VisitNamedDecl(const NamedDecl *D) override {
    if (!D->getDeclName().isIdentifier() || isOfRuntime(*D))
      return true;
    // Members and variables of functions matter where the written text looks
    // their names up.
    const bool IsOutside =
        D->getDeclContext()->getRedeclContext()->isFileContext();
    HasNameOfRuntime |= IsOutside ? isHiddenFromOutside(D->getName())
                                  : isHiddenByAny(D->getName());
    HasNameOfGroups |= IsOutside && isNameOfGroups(D->getName());
    return true;
  }
  /// Any header may have put something into a namespace of the user's.
  bool VisitNamespaceDecl(const NamespaceDecl *Space) override {
    const IdentifierTable &Known = Space->getASTContext().Idents;
    const auto Declares = [&](llvm::StringRef Name) {
      const IdentifierInfo *Found = knownIdentifier(Name, Known);
      return Found && llvm::any_of(Space->lookup(Found), [&](const auto *D) {
               const NamedDecl &Named = *D->getUnderlyingDecl();
               return !facts::isLibraryCode(Named) &&
                      !isInRuntimeHeader(
                          SM.getExpansionLoc(Named.getLocation()), SM);
             });
    };
    HasNameOfRuntime |= llvm::any_of(NamesWrittenOnHost, Declares) ||
                        llvm::any_of(NamesWrittenOnDevice, Declares);
    return true;
  }

private:
  /// Headers that the build calls a system's may be anybody's.
  void follow(const FunctionDecl &Function) {
    const FunctionDecl *Defined = Function.getDefinition();
    if (Defined && SM.isInSystemHeader(Defined->getLocation()) &&
        !facts::isLibraryCode(*Defined) && Followed.insert(Defined).second)
      for (const Stmt *Part : codeOf(*Defined))
        TraverseStmt(Part);
  }
  /// A declaration of a library's is called after memory that host and device
  /// share.
  void noteMemory(const NamedDecl &D) {
    if (!D.getIdentifier() || !SM.isInSystemHeader(D.getLocation()) ||
        D.isInStdNamespace())
      return;
    NamesManaged |= llvm::any_of(
        llvm::ArrayRef<llvm::StringRef>{"managed", "universal", "unified",
                                        "pinned", "hostalloc", "host_alloc",
                                        "mallochost", "host_memory"},
        [&](llvm::StringRef Word) {
          return D.getName().contains_insensitive(Word);
        });
  }
  void add(DeclarationName Name) {
    if (Name.isIdentifier())
      Functions.insert(Name.getAsIdentifierInfo()->getName());
  }
  /// Aliases of what the libraries have are none of the user's.
  bool isOfRuntime(const NamedDecl &D) const {
    const SourceLocation Where = SM.getExpansionLoc(D.getLocation());
    return Where.isInvalid() || SM.isInSystemHeader(Where) ||
           isa<UsingDirectiveDecl>(D) ||
           (isa<UsingShadowDecl>(D) &&
            facts::isLibraryCode(*D.getUnderlyingDecl())) ||
           isInRuntimeHeader(Where, SM);
  }

  const SourceManager &SM;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Followed;
};

} // namespace

UnitUses::UnitUses(ASTContext &Context) {
  NameVisitor Visitor(Context.getSourceManager());
  for (const Decl *D : userDeclarations(Context))
    Visitor.TraverseDecl(D);
  Functions = std::move(Visitor.Functions);
  addOfOtherBuilds(Context);
  NamesManaged = Visitor.NamesManaged;
  HasHostAsm = Visitor.HasHostAsm;
  PointsAtConstants = Visitor.Constants.mayWrite();
  HasRuntimeNames = Visitor.HasNameOfRuntime;
  HasGroupsNames = Visitor.HasNameOfGroups;
  JumpsFar = Visitor.JumpsFar;
  RedirectsStreams = Visitor.RedirectsStreams;
}

/// What is named under a condition may be named in another build.
void UnitUses::addOfOtherBuilds(ASTContext &Context) {
  const SourceConditions Conditions(Context);
  const SourceManager &SM = Context.getSourceManager();
  Conditions.forEachUserFile([&](FileID File) {
    if (!isInRuntimeHeader(SM.getLocForStartOfFile(File), SM))
      Conditions.forEachWordUnderCondition(
          File, [&](llvm::StringRef Word) { Functions.insert(Word); });
  });
}

bool redirectsStreams(ASTContext &Context) {
  struct Answer {
    std::optional<bool> Is;
  };
  const auto Known = onePerContext<Answer>(Context);
  if (!Known->Is)
    Known->Is = UnitUses(Context).redirectsStreams();
  return *Known->Is;
}

bool UnitUses::anyName(llvm::ArrayRef<llvm::StringRef> Prefixes) const {
  return llvm::any_of(Functions.keys(), [&](llvm::StringRef Name) {
    return llvm::any_of(Prefixes, [&](llvm::StringRef Prefix) {
      return Name.starts_with(Prefix);
    });
  });
}

bool UnitUses::putsHostIntoStreams() const {
  return anyName({"cudaLaunchHostFunc", "cudaStreamAddCallback",
                  "cuLaunchHostFunc", "cuStreamAddCallback",
                  "cuStreamWaitValue", "cuStreamBatchMemOp"});
}

bool UnitUses::mayHoldUpStreams() const {
  return anyName({"cuStreamWait", "cuStreamBatch", "cuStreamAddCallback",
                  "cuLaunchHostFunc", "cuGetProcAddress", "cuGraph",
                  "cuWaitExternal", "cudaLaunchHostFunc",
                  "cudaStreamAddCallback", "cudaWaitExternal", "cudaGraphAdd",
                  "cudaGetDriverEntryPoint", "dlsym"});
}

bool UnitUses::sharesMemory() const {
  return NamesManaged || anyName({"cudaMallocManaged",
                                  "cudaMallocHost",
                                  "cudaHost",
                                  "cudaMallocFromPool",
                                  "cudaMemPool",
                                  "cudaMemAdvise",
                                  "cudaMemPrefetch",
                                  "cudaStreamAttachMem",
                                  "cudaIpcOpenMemHandle",
                                  "cudaImportExternal",
                                  "cudaExternalMemory",
                                  "cudaGraphics",
                                  "cudaDeviceEnablePeerAccess",
                                  "cudaDeviceSetMemPool",
                                  "cudaSetDeviceFlags",
                                  "cuMemAllocManaged",
                                  "cuMemHost",
                                  "cuMemAllocHost",
                                  "cuMemAllocFromPool",
                                  "cuMemPool",
                                  "cuMemAdvise",
                                  "cuMemPrefetch",
                                  "cuMemCreate",
                                  "cuMemMap",
                                  "cuStreamAttachMem",
                                  "cuIpcOpenMemHandle",
                                  "cuImportExternal",
                                  "cuExternalMemory",
                                  "cuGraphics",
                                  "cuCtxEnablePeerAccess",
                                  "cuDeviceSetMemPool"});
}

bool UnitUses::registersMemory() const {
  return anyName({"cudaHostRegister", "cuMemHostRegister"});
}

bool UnitUses::setsFloatingEnvironment() const {
  return HasHostAsm ||
         anyName({"fesetround", "fesetenv", "feupdateenv", "feholdexcept",
                  "_mm_setcsr", "__builtin_ia32_ldmxcsr", "fesetmode"});
}

bool UnitUses::takesSymbolAddresses() const {
  return PointsAtConstants ||
         anyName({"cudaGetSymbolAddress", "cuModuleGetGlobal",
                  "cuLibraryGetGlobal", "cudaLibraryGetGlobal"});
}

} // namespace barricade::host
