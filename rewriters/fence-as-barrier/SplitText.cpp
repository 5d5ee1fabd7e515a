// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/fence-as-barrier/SplitText.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/Purity.h"
#include "matchers/host/UnitUses.h"
#include "matchers/source/OpenEnds.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/FirstFree.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::fence_as_barrier {
namespace {

/// All calls of a function that the user wrote, those in instances of templates
/// included.
class CallsOf : public ConstDynamicRecursiveASTVisitor {
public:
  explicit CallsOf(const FunctionDecl &Function)
      : Function(*Function.getCanonicalDecl()) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  llvm::SmallPtrSet<const CallExpr *, 4> Found;

  bool namesOtherwise() const { return Mentions.size() > Found.size(); }

  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && Callee->getCanonicalDecl() == &Function)
      Found.insert(Call);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (Ref->getDecl()->getCanonicalDecl() == &Function)
      Mentions.insert(Ref);
    return true;
  }

private:
  const FunctionDecl &Function;
  llvm::SmallPtrSet<const DeclRefExpr *, 4> Mentions;
};

class SplitWriter {
public:
  SplitWriter(const FenceSplit &Split, const KernelEffects &Effects,
              const Program &Whole)
      : Split(Split), Effects(Effects), Kernel(*Effects.Kernel), Whole(Whole),
        Context(Kernel.getASTContext()), SM(Context.getSourceManager()),
        Source(Context), Host(*Whole.host()->Context), HostSource(Host),
        KernelsOthers(passOf(Context, Whole)), HostsOthers(*Whole.host()),
        RegistersMemory(host::UnitUses(Host).registersMemory()) {}

  SplitText write() {
    const UserCode Code = collectUserCode(Host);
    if (!checkKernel() || !checkLaunches(Code))
      return std::move(Text);
    chooseName();
    cutKernel();
    for (const CUDAKernelCallExpr *Launch : Launches)
      repeat(*Launch);
    if (!Text.WhyNot.empty())
      Text.Edits.clear();
    return std::move(Text);
  }

private:
  static const PassView &passOf(const ASTContext &Context,
                                const Program &Whole) {
    return *llvm::find_if(Whole.Passes, [&](const PassView &Pass) {
      return Pass.Context == &Context;
    });
  }

  bool refuse(llvm::StringRef Why) {
    Text.WhyNot = Why;
    return false;
  }

  bool checkKernel() {
    if (Kernel.isTemplated() || Kernel.isTemplateInstantiation() ||
        Kernel.isFunctionTemplateSpecialization() || isa<CXXMethodDecl>(Kernel))
      return refuse("the kernel is a template or a member");
    // Another file may launch what it can name.
    if (Kernel.getFormalLinkage() != Linkage::Internal ||
        Kernel.getPreviousDecl() || Kernel.getMostRecentDecl() != &Kernel ||
        !SM.isInMainFile(SM.getExpansionLoc(Kernel.getLocation())))
      return refuse("the kernel may be launched from elsewhere");
    Begin = Source.beforeAttributes(Kernel,
                                    SM.getExpansionLoc(Kernel.getBeginLoc()));
    if (isBehindOpenEnd(Begin, Context))
      return refuse("code of another build goes on with the kernel");
    if (mayBeElse())
      return refuse("another build, where macros are set otherwise, may have "
                    "something else in the kernel");
    Open = Kernel.getBody()->getBeginLoc();
    for (SourceLocation Where :
         {Kernel.getLocation(), Open, Split.Fence->getBeginLoc()})
      if (!SourceText::isWritable(Where))
        return refuse("a macro spells a part of the kernel");
    AfterFence = Source.afterStatement(*Split.Fence);
    for (const Stmt *S : Split.Repeated)
      if (!SourceText::isWritable(beginOf(*S)) ||
          Source.afterStatement(*S).isInvalid())
        return refuse("a macro spells a part of the kernel");
    return (AfterFence.isValid() &&
            !Source.hasDirectiveBetween(Begin,
                                        Kernel.getBody()->getEndLoc())) ||
           refuse("a preprocessor directive stands in the kernel");
  }

  /// What either half would not have then.
  bool mayBeElse() {
    return KernelsOthers.mayRespell(Kernel, /*IsShared=*/false,
                                    /*ChoosesCode=*/false) ||
           KernelsOthers.mayRespell(Begin,
                                    SM.getExpansionLoc(Kernel.getBeginLoc())) ||
           llvm::any_of(codeOf(Kernel), [&](const Stmt *Part) {
             return KernelsOthers.mayCallElse(*Part) ||
                    KernelsOthers.mayNameElse(*Part);
           });
  }

  /// `__shared__` is a macro of CUDA's.
  SourceLocation beginOf(const Stmt &S) const {
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    const bool IsShared =
        Declaration && Declaration->isSingleDecl() &&
        Declaration->getSingleDecl()->hasAttr<CUDASharedAttr>();
    return IsShared ? SM.getExpansionLoc(S.getBeginLoc()) : S.getBeginLoc();
  }

  /// With the comment behind it.
  SourceLocation endOf(const Stmt &S) const {
    return Source.afterTrailingComment(Source.afterStatement(S));
  }

  bool isKernel(const FunctionDecl *Other) const {
    return Other && placeOf(Other->getLocation(), Host.getSourceManager()) ==
                        placeOf(Kernel.getLocation(), SM);
  }

  bool checkLaunches(const UserCode &Code) {
    for (const FunctionDecl *Function : Code.AddressTaken)
      if (isKernel(Function))
        return refuse("the kernel may be launched through a pointer");
    for (const KernelLaunch &L : Code.Launches)
      if (isKernel(L.Kernel) && !addLaunch(*L.Call, L.Caller))
        return false;
    if (Launches.empty())
      return refuse("no launch of the kernel is in sight");
    return countMentions() == Launches.size() + 1 ||
           refuse("the kernel is named where no launch of it is seen");
  }

  /// How often the file names the kernel, code that is not compiled and macros
  /// included.
  size_t countMentions() const {
    const FileID File = SM.getFileID(Kernel.getLocation());
    return Source.countWord(Kernel.getName(), SM.getLocForStartOfFile(File),
                            SM.getLocForEndOfFile(File));
  }

  /// A statement of a block, whose parts can be evaluated again, and which
  /// stands for one launch.
  bool addLaunch(const CUDAKernelCallExpr &Call, const FunctionDecl *Caller) {
    if (!Caller || Caller->isTemplated() || Caller->isTemplateInstantiation() ||
        Caller->hasAttr<CUDAGlobalAttr>() || Caller->hasAttr<CUDADeviceAttr>())
      return refuse("a launch stands in a template or runs on the device");
    if (!Host.getSourceManager().isInMainFile(Call.getBeginLoc()) ||
        !blockOf(statementOf(Call), Host) ||
        !SourceText::isWritable(Call.getBeginLoc()) ||
        !SourceText::isWritable(nameIn(Call)) ||
        HostSource.afterStatement(statementOf(Call)).isInvalid())
      return refuse("a launch is no statement that can be repeated");
    const auto IsPure = [&](const Expr *E) {
      return facts::isPure(*E, Host) && !mayChange(*E);
    };
    if (!llvm::all_of(Call.arguments(), IsPure) ||
        !llvm::all_of(Call.getConfig()->arguments(), IsPure))
      return refuse("an argument of a launch cannot be evaluated again");
    if (facts::dependsOnPlace(Call, Host.getSourceManager()))
      return refuse(PlaceDependent);
    if (mayBeElse(statementOf(Call)))
      return refuse("another build, where macros are set otherwise, may have "
                    "something else in a launch, or before it");
    Launches.push_back(&Call);
    return true;
  }

  /// \p Launch would be evaluated twice then, or be a part of something.
  bool mayBeElse(const Stmt &Launch) {
    const SourceLocation First = Launch.getBeginLoc();
    return isBehindOpenEnd(First, Host) || HostsOthers.mayBelongTo(Launch) ||
           HostsOthers.mayRespell(First, HostSource.afterStatement(Launch),
                                  {&Launch}) ||
           HostsOthers.mayCallElse(Launch) || HostsOthers.mayNameElse(Launch);
  }

  /// The kernel may write what \p Part, of an argument, reads: then it would be
  /// another value behind the first half.
  bool mayChange(const Stmt &Part) const {
    return holds(&Part, [&](const Stmt &S) {
      if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&S))
        return Cast->getCastKind() == CK_LValueToRValue &&
               isWithinReach(*Cast->getSubExpr()) && mayWrite(Cast->getType());
      if (const auto *Copy = dyn_cast<CXXConstructExpr>(&S))
        return Copy->getConstructor()->isCopyOrMoveConstructor() &&
               isWithinReach(*Copy->getArg(0)) && mayWrite(Copy->getType());
      if (const auto *Left = dyn_cast<CXXDefaultArgExpr>(&S))
        return mayChange(*Left->getExpr());
      const auto *Call = dyn_cast<CallExpr>(&S);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      const FunctionDecl *Definition = nullptr;
      return Callee && Callee->hasBody(Definition) &&
             !Host.getSourceManager().isInSystemHeader(
                 Definition->getLocation()) &&
             mayChange(*Definition->getBody());
    });
  }

  /// A kernel may know the place of the host's \p Object: where a pointer leads
  /// to, for memory that host and device share may be another file's; a managed
  /// variable; or what a reference is bound to, unless all that it is ever
  /// bound to is seen and the host's own.
  bool isWithinReach(const Expr &Object) const {
    const Expr &E = *Object.IgnoreParenImpCasts();
    if (E.isTypeDependent())
      return true;
    if (E.isPRValue() || isa<MaterializeTemporaryExpr>(E))
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
      return isWithinReach(*Ref->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return Member->isArrow() ||
             Member->getMemberDecl()->getType()->isReferenceType() ||
             isWithinReach(*Member->getBase());
    const auto *Element = dyn_cast<ArraySubscriptExpr>(&E);
    const auto *Array =
        Element ? dyn_cast<ImplicitCastExpr>(Element->getBase()) : nullptr;
    return !Array || Array->getCastKind() != CK_ArrayToPointerDecay ||
           isWithinReach(*Array->getSubExpr());
  }

  bool isWithinReach(const ValueDecl &Named) const {
    const auto *Var = dyn_cast<VarDecl>(&Named);
    if (!Var || Var->hasAttr<CUDADeviceAttr>() || RegistersMemory)
      return true; // A structured binding, for instance, names a part.
    if (!Var->getType()->isReferenceType())
      return false;
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Var))
      return mayBeBoundWithinReach(*Parameter);
    return !Var->getInit() || isWithinReach(*Var->getInit());
  }

  /// Of a function that others may call, or that is named other than to be
  /// called, it may be bound to anything.
  bool mayBeBoundWithinReach(const ParmVarDecl &Parameter) const {
    const auto *Function = dyn_cast<FunctionDecl>(Parameter.getDeclContext());
    if (!Function || Function->isExternallyVisible() ||
        isa<CXXMethodDecl>(Function) || Function->isTemplated())
      return true;
    if (!Binding.insert(&Parameter).second)
      return false; // Its own callers bind it to what the others do.
    const llvm::scope_exit Done([&] { Binding.erase(&Parameter); });
    CallsOf Calls(*Function);
    for (const Decl *D : userDeclarations(Host))
      Calls.TraverseDecl(D);
    const unsigned Index = Parameter.getFunctionScopeIndex();
    return Calls.namesOtherwise() ||
           llvm::any_of(Calls.Found, [&](const CallExpr *Call) {
             return Index >= Call->getNumArgs() ||
                    isWithinReach(*Call->getArg(Index));
           });
  }

  /// The kernel may write a value of the host's type \p Type.
  bool mayWrite(QualType Type) const {
    return Effects.OpaqueStore.isValid() || Effects.HasTypePunning ||
           llvm::any_of(Effects.Stores, [&](const KernelEffects::Store &S) {
             return S.Target.Root.Space != MemorySpace::Shared &&
                    S.Target.Root.Space != MemorySpace::Local &&
                    mayHold(S.Target.Type, Type);
           });
  }

  /// What is written as \p Stored, of the device's pass, may be read as \p
  /// Type: an address may be a whole number, too.
  bool mayHold(QualType Stored, QualType Type) const {
    return Stored.isNull() || !Stored->isScalarType() || Stored->isCharType() ||
           !Type->isScalarType() ||
           (Stored->isFloatingType() == Type->isFloatingType() &&
            Context.getTypeSize(Stored) == Host.getTypeSize(Type));
  }

  const Stmt &statementOf(const CUDAKernelCallExpr &Call) const {
    const Stmt *Parent = parentOf(Call, Host);
    return Parent && isa<ExprWithCleanups>(Parent) ? *Parent : Call;
  }

  /// Where the kernel's own name stands, behind those of its namespaces.
  static SourceLocation nameIn(const CUDAKernelCallExpr &Call) {
    const Expr &Callee = *Call.getCallee()->IgnoreParenImpCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(&Callee);
    return Ref ? Ref->getLocation() : Callee.getExprLoc();
  }

  void chooseName() {
    Name = firstFree(restName(Kernel.getName()),
                     [&](const std::string &Candidate) {
                       return !isNameTaken(Candidate, Host) &&
                              !isNameTaken(Candidate, Context);
                     });
  }

  std::string withName(llvm::StringRef Before, llvm::StringRef After) const {
    return (Before + Name + After).str();
  }

  /// Ends the kernel at the fence and begins the other one.
  void cutKernel() {
    const std::string Line = Source.lineEnding(Begin).str();
    const std::string Margin = Source.indentation(Begin).str();
    const auto Range = [&](SourceLocation From, SourceLocation To) {
      return Source.text(CharSourceRange::getCharRange(From, To));
    };
    std::string New =
        "}" + Line + Line + Margin +
        withName(Range(Begin, Kernel.getLocation()), restParameters()) + "{";
    const std::string Inner =
        Line + Source.indentation(Split.Fence->getBeginLoc()).str();
    for (const Stmt *S : Split.Repeated) {
      const bool Moves = llvm::is_contained(Split.OnlyAfter, S);
      New += Inner + markFor(*S, Split.NamedBySecond).str() +
             Range(beginOf(*S), endOf(*S)).str();
      if (Moves)
        Text.Edits.push_back(Source.removal(beginOf(*S), endOf(*S)));
      else if (StringRef Mark = markFor(*S, Split.NamedByFirst); !Mark.empty())
        Text.Edits.push_back(Source.insertion(beginOf(*S), Mark.str()));
    }
    // Behind them may be a comment, which must not go on.
    if (!Split.Repeated.empty() &&
        !Source.isLastOnLine(Source.afterTrailingComment(AfterFence)))
      New += Inner;
    // The brace goes to the margin.
    const SourceLocation Fence = Split.Fence->getBeginLoc();
    const SourceLocation Start =
        Source.isFirstOnLine(Fence) ? Source.lineStart(Fence) : Fence;
    Text.Edits.push_back(Source.replacement(
        Start, AfterFence, (Start == Fence ? std::string() : Margin) + New));
  }

  /// What goes in front of \p S where it declares variables of which not all
  /// are in \p Named.
  llvm::StringRef
  markFor(const Stmt &S,
          const decltype(FenceSplit::NamedByFirst) &Named) const {
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    return Declaration &&
                   llvm::any_of(Declaration->decls(),
                                [&](const Decl *D) {
                                  return !D->hasAttr<UnusedAttr>() &&
                                         !Named.contains(cast<VarDecl>(D));
                                })
               ? maybeUnused()
               : "";
  }

  /// An attribute for what is not used.
  llvm::StringRef maybeUnused() const {
    return Context.getLangOpts().CPlusPlus17 ? "[[maybe_unused]] "
                                             : "__attribute__((unused)) ";
  }

  /// From behind the second kernel's name to its body.
  std::string restParameters() {
    SourceLocation From = Source.afterToken(Kernel.getLocation());
    std::string Result;
    for (const ParmVarDecl *P : Kernel.parameters()) {
      if (!isWarnedOf(*P))
        continue;
      const bool First = Split.NamedByFirst.contains(P),
                 Second = Split.NamedBySecond.contains(P);
      const SourceLocation Place = SM.getExpansionLoc(P->getBeginLoc());
      if (!(First && Second) && !SourceText::isWritable(P->getBeginLoc()))
        refuse("a macro spells a part of the kernel");
      if (!First)
        Text.Edits.push_back(Source.insertion(Place, maybeUnused().str()));
      if (Second)
        continue;
      Result += Source.text(CharSourceRange::getCharRange(From, Place));
      Result += maybeUnused();
      From = Place;
    }
    return Result +
           Source.text(CharSourceRange::getCharRange(From, Open)).str();
  }

  /// The kernel uses \p P, and the build warns of parameters that a kernel does
  /// not use.
  bool isWarnedOf(const ParmVarDecl &P) const {
    return Whole.WarnsOfUnusedParameters && P.isReferenced() &&
           !P.hasAttr<UnusedAttr>();
  }

  void repeat(const CUDAKernelCallExpr &Call) {
    const Stmt &S = statementOf(Call);
    const SourceLocation First = S.getBeginLoc(),
                         End = HostSource.afterStatement(S);
    const SourceLocation Callee = nameIn(Call);
    const auto Range = [&](SourceLocation From, SourceLocation To) {
      return HostSource.text(CharSourceRange::getCharRange(From, To));
    };
    Text.Edits.push_back(HostSource.insertion(
        HostSource.afterTrailingComment(End),
        HostSource.lineEnding(First).str() +
            HostSource.indentation(First).str() +
            withName(Range(First, Callee),
                     Range(HostSource.afterToken(Callee), End))));
  }

  const FenceSplit &Split;
  const KernelEffects &Effects;
  const FunctionDecl &Kernel;
  const Program &Whole;
  ASTContext &Context; ///< Of the kernel's pass.
  const SourceManager &SM;
  const SourceText Source;
  ASTContext &Host;
  const SourceText HostSource;
  OtherBuilds KernelsOthers, HostsOthers;
  /// Any of the host's memory may be the device's, too.
  const bool RegistersMemory;
  /// Parameters whose arguments are looked at.
  mutable llvm::SmallPtrSet<const ParmVarDecl *, 4> Binding;
  SourceLocation Begin, Open, AfterFence; ///< Of the kernel.
  std::vector<const CUDAKernelCallExpr *> Launches;
  std::string Name; ///< Of the second half.
  SplitText Text;
};

} // namespace

SplitText writeSplit(const FenceSplit &Split, const KernelEffects &Effects,
                     const Program &Whole) {
  return SplitWriter(Split, Effects, Whole).write();
}

} // namespace barricade::fence_as_barrier
