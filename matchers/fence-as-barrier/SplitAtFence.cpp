// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/fence-as-barrier/SplitAtFence.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/LocalValues.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Waiting.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::fence_as_barrier {
namespace {

using Variables = decltype(FenceSplit::NamedByFirst);

/// Collects variables, those that types and attributes name included.
class NamedVariables : public ConstDynamicRecursiveASTVisitor {
public:
  explicit NamedVariables(Variables &Named) : Named(Named) {
    ShouldVisitImplicitCode = true;
  }

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      Named.insert(Var);
    // A part of one that has no name.
    if (const auto *Binding = dyn_cast<BindingDecl>(Ref->getDecl()))
      Named.insert(cast<VarDecl>(Binding->getDecomposedDecl()));
    return true;
  }

private:
  Variables &Named;
};

/// In the order of their declarations.
llvm::SmallVector<const VarDecl *, 16> inOrder(const Variables &Named) {
  llvm::SmallVector<const VarDecl *, 16> Result(Named.begin(), Named.end());
  sortByPlace(Result);
  return Result;
}

/// The variables that \p S names.
void addNamed(const Stmt &S, Variables &Named) {
  NamedVariables(Named).TraverseStmt(&S);
}

class Splitter {
public:
  Splitter(const KernelEffects &Effects, const Stmt &Fence)
      : Effects(Effects), Kernel(*Effects.Kernel), Fence(Fence),
        Locals(Kernel) {}

  FenceSplit run() {
    if (!cut())
      return std::move(Split);
    for (const Stmt *S : Before) {
      if (!isRepeatable(*S))
        checkExits(*S);
      checkDeclared(*S);
    }
    if (Split.WhyNot.empty())
      chooseRepeated();
    if (Split.WhyNot.empty())
      checkPlaces();
    if (Split.WhyNot.empty())
      checkCrossing();
    if (Split.WhyNot.empty())
      checkWaits();
    return std::move(Split);
  }

private:
  bool refuse(llvm::StringRef Why, SourceLocation Where) {
    if (Split.WhyNot.empty()) {
      Split.WhyNot = Why;
      Split.Where = Where;
    }
    return false;
  }

  /// Parts the kernel's statements.
  bool cut() {
    const auto *Body = dyn_cast<CompoundStmt>(Kernel.getBody());
    for (const Stmt *S : Body->body()) {
      const auto *E = dyn_cast<Expr>(S);
      if (E && E->IgnoreParenImpCasts() == &Fence)
        Split.Fence = S;
      else
        (Split.Fence ? After : Before).push_back(S);
    }
    if (!Split.Fence)
      return refuse("the fence is not a statement of the kernel's own block",
                    Fence.getBeginLoc());
    return !holds(Body, [](const Stmt &In) {
      return isa<GotoStmt, IndirectGotoStmt, LabelStmt>(In);
    }) || refuse("the kernel has jumps", Kernel.getLocation());
  }

  /// The same for the thread whenever it is evaluated: made of parameters,
  /// indices and constants.
  bool isPure(const Expr &Whole) const {
    const Expr &E = *Whole.IgnoreParenImpCasts();
    char Member;
    if (!builtinIndexVariable(E, Member).empty())
      return true;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      return isa<EnumConstantDecl>(Ref->getDecl()) ||
             (Var && !Var->getType()->isReferenceType() &&
              (Var->isConstexpr() ||
               (Locals.isConstant(*Var) &&
                (isa<ParmVarDecl>(Var) || Pure.contains(Var)))));
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(&E))
      return (Op->isArithmeticOp() || Op->getOpcode() == UO_LNot) &&
             !Op->isIncrementDecrementOp() && isPure(*Op->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return !Op->isAssignmentOp() && !Op->isPtrMemOp() &&
             isPure(*Op->getLHS()) && isPure(*Op->getRHS());
    if (const auto *Op = dyn_cast<ConditionalOperator>(&E))
      return isPure(*Op->getCond()) && isPure(*Op->getTrueExpr()) &&
             isPure(*Op->getFalseExpr());
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(&E))
      return Cast->getType()->isScalarType() && isPure(*Cast->getSubExpr());
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return isPartOfBase(*Member) && isPure(*Member->getBase());
    return isa<IntegerLiteral, FloatingLiteral, CharacterLiteral,
               CXXBoolLiteralExpr, CXXNullPtrLiteralExpr,
               UnaryExprOrTypeTraitExpr>(E);
  }

  /// It has the same value wherever it is declared.
  bool isRepeatableVariable(const VarDecl &Var) const {
    return Var.isConstexpr() ||
           (Var.hasLocalStorage() && Var.getInit() &&
            (Var.getType()->isIntegerType() ||
             Var.getType()->isPointerType()) &&
            Locals.isConstant(Var) && isPure(*Var.getInit()));
  }

  /// A declaration of pure values, or of shared memory.
  bool isRepeatableDeclaration(const DeclStmt &Declaration) {
    for (const Decl *D : Declaration.decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (Var && Var->hasAttr<CUDASharedAttr>() && Declaration.isSingleDecl())
        return true;
      if (!Var || !isRepeatableVariable(*Var)) {
        for (const Decl *Each : Declaration.decls())
          Pure.erase(dyn_cast<VarDecl>(Each));
        return false;
      }
      Pure.insert(Var);
    }
    return true;
  }

  /// The return that is all there is in \p S; otherwise null.
  static const ReturnStmt *onlyReturnIn(const Stmt &S) {
    const auto *Block = dyn_cast<CompoundStmt>(&S);
    return dyn_cast<ReturnStmt>(
        Block && Block->size() == 1 ? Block->body_front() : &S);
  }

  /// `return (void)atomicAdd(n, 1);`, say.
  bool hasEffect(const ReturnStmt &Return) const {
    const Expr *Value = Return.getRetValue();
    return Value && Value->HasSideEffects(Kernel.getASTContext());
  }

  bool isRepeatable(const Stmt &S) {
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      return isRepeatableDeclaration(*Declaration) && repeat(S);
    const auto *If = dyn_cast<IfStmt>(&S);
    if (!If || If->getElse() || If->getInit() || If->getConditionVariable() ||
        If->isConsteval() || !isPure(*If->getCond()))
      return false;
    const ReturnStmt *Return = onlyReturnIn(*If->getThen());
    return Return && !hasEffect(*Return) && repeat(S);
  }

  bool repeat(const Stmt &S) {
    Repeatable.push_back(&S);
    return true;
  }

  void checkExits(const Stmt &S) {
    const auto ReturnsWith = [&](const Stmt &In) {
      const auto *Return = dyn_cast<ReturnStmt>(&In);
      return Return && hasEffect(*Return);
    };
    if (holds(&S, ReturnsWith))
      refuse("what a thread does as it returns before the fence would be done "
             "by both halves",
             S.getBeginLoc());
    if (holds(&S, [](const Stmt &In) { return isa<ReturnStmt>(In); }))
      refuse("a thread returns before the fence for what the second half does "
             "not know",
             S.getBeginLoc());
  }

  /// Behind the fence the name may mean something else, or nothing.
  void checkDeclared(const Stmt &S) {
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    if (Declaration && !llvm::all_of(Declaration->decls(), [](const Decl *D) {
          return isa<VarDecl, StaticAssertDecl, EmptyDecl>(D);
        }))
      refuse("a name that is no variable's is declared before the fence",
             S.getBeginLoc());
    if (Declaration && llvm::any_of(Declaration->decls(), [&](const Decl *D) {
          return isa<VarDecl>(D) && runsCodeAtEnd(*cast<VarDecl>(D));
        }))
      refuse("an object that ends behind the fence would end at it",
             S.getBeginLoc());
  }

  /// So does what \p Var, a reference, keeps alive.
  static bool runsCodeAtEnd(const VarDecl &Var) {
    return Var.hasAttr<CleanupAttr>() || Var.getType().isDestructedType() ||
           holds(Var.getInit(), [](const Stmt &S) {
             const auto *Kept = dyn_cast<MaterializeTemporaryExpr>(&S);
             return Kept && Kept->getExtendingDecl() &&
                    Kept->getType().isDestructedType();
           });
  }

  /// Of what can be repeated, early returns and what they and the second half
  /// need.
  void chooseRepeated() {
    for (const Stmt *S : After)
      addNamed(*S, Split.NamedBySecond);
    for (const Stmt *S : Before)
      if (!llvm::is_contained(Repeatable, S) || isa<IfStmt>(S))
        addNamed(*S, Split.NamedByFirst);
    for (const Stmt *S : llvm::reverse(Repeatable)) {
      const bool Exits = isa<IfStmt>(S);
      const bool Needed = Exits || declares(*S, Split.NamedBySecond);
      // What nobody needs stays where it is.
      const bool First = Exits || !Needed || declares(*S, Split.NamedByFirst);
      if (First)
        addNamed(*S, Split.NamedByFirst);
      if (!Needed)
        continue;
      addNamed(*S, Split.NamedBySecond);
      Split.Repeated.insert(Split.Repeated.begin(), S);
      if (!First)
        Split.OnlyAfter.insert(Split.OnlyAfter.begin(), S);
    }
  }

  /// The second half is a function of another name, and what is written once
  /// more, in it or before it, stands elsewhere.
  void checkPlaces() {
    const SourceManager &SM = Kernel.getASTContext().getSourceManager();
    for (const auto &Part : {Split.Repeated, After})
      for (const Stmt *S : Part)
        if (const SourceLocation Where = facts::findOwnName(*S, SM);
            Where.isValid())
          refuse("the kernel asks for its own name", Where);
    for (const Stmt *S : Split.Repeated)
      if (facts::dependsOnPlace(*S, SM))
        refuse(PlaceDependent, S->getBeginLoc());
    for (const ParmVarDecl *P : Kernel.parameters())
      if (facts::dependsOnPlace(*P, SM))
        refuse(PlaceDependent, P->getLocation());
    for (const auto *Bounds : Kernel.specific_attrs<CUDALaunchBoundsAttr>())
      for (const Expr *E : {Bounds->getMaxThreads(), Bounds->getMinBlocks(),
                            Bounds->getMaxBlocks()})
        if (E && facts::dependsOnPlace(*E, SM))
          refuse(PlaceDependent, Bounds->getLocation());
  }

  static bool declares(const Stmt &S, const Variables &Named) {
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    return Declaration &&
           llvm::any_of(Declaration->decls(), [&](const Decl *D) {
             return Named.contains(cast<VarDecl>(D));
           });
  }

  /// Nothing but memory of the GPU lives across the fence.
  void checkCrossing() {
    Variables NamedBefore, Known;
    for (const Stmt *S : Before)
      if (!llvm::is_contained(Repeatable, S))
        addNamed(*S, NamedBefore);
    for (const auto &Part : {Split.Repeated, After})
      for (const Stmt *S : Part)
        (void)holds(S, [&](const Stmt &In) {
          if (const auto *Declaration = dyn_cast<DeclStmt>(&In))
            for (const Decl *D : Declaration->decls())
              if (const auto *Var = dyn_cast<VarDecl>(D))
                Known.insert(Var);
          return false;
        });
    for (const VarDecl *Var : inOrder(Split.NamedBySecond))
      if (isa<ParmVarDecl>(Var)
              ? !Locals.isConstant(*Var) && NamedBefore.contains(Var)
              : Var->isLocalVarDecl() && !Known.contains(Var))
        refuse("a variable lives across the fence", Var->getLocation());
    checkShared(NamedBefore, Split.NamedBySecond);
  }

  /// Shared memory, that of called functions included, is used by one half
  /// only. \p First and \p Second are named by the halves themselves.
  void checkShared(Variables First, Variables Second) {
    for (const FunctionDecl *Function : Effects.Functions) {
      if (Function == &Kernel)
        continue;
      const unsigned Halves = halvesThatCall(*Function);
      if (Halves & FirstHalf)
        addNamedIn(*Function, First);
      if (Halves & SecondHalf)
        addNamedIn(*Function, Second);
    }
    for (const VarDecl *B : inOrder(Second))
      for (const VarDecl *A : First)
        if (A->hasAttr<CUDASharedAttr>() && B->hasAttr<CUDASharedAttr>() &&
            isSameMemory(*A, *B))
          refuse("shared memory lives across the fence", B->getLocation());
  }

  /// All that is `extern` is the one piece of memory that the launch gives.
  static bool isSameMemory(const VarDecl &A, const VarDecl &B) {
    return A.getCanonicalDecl() == B.getCanonicalDecl() ||
           (A.hasExternalStorage() && B.hasExternalStorage());
  }

  static void addNamedIn(const FunctionDecl &Function, Variables &Named) {
    for (const Stmt *Part : codeOf(Function))
      addNamed(*Part, Named);
  }

  /// Bits.
  enum Half : unsigned { FirstHalf = 1, SecondHalf = 2, BothHalves = 3 };

  /// The halves that may come to \p Function, which both do where calls of it
  /// are not all seen.
  unsigned halvesThatCall(const FunctionDecl &Function) {
    if (Effects.Recursive ||
        isa<CXXConstructorDecl, CXXDestructorDecl>(Function))
      return BothHalves;
    unsigned Halves = 0;
    for (const KernelEffects::Site &Site : Effects.callsOf(Function))
      Halves |= Site.Caller != &Kernel ? halvesThatCall(*Site.Caller)
                                       : halvesWith(*Site.Call);
    return Halves ? Halves : BothHalves;
  }

  /// All of the first half comes before any of the second one: nobody may wait
  /// there for what the second half does.
  void checkWaits() {
    const auto Refuse = [&](SourceLocation Where) {
      refuse("a thread may wait for what another one does behind the fence",
             Where);
    };
    for (const KernelEffects::Sync &S : Effects.Syncs)
      if (llvm::is_contained({CallKind::NamedBarrier, CallKind::GridBarrier,
                              CallKind::Unknown},
                             S.Kind))
        Refuse(S.At->getBeginLoc());
    for (const FunctionDecl *Function : Effects.Functions) {
      SourceLocation Wait;
      if (Function == &Kernel)
        Wait = waitIn(Before, Kernel);
      else if (halvesThatCall(*Function) & FirstHalf)
        Wait = waitIn(codeOf(*Function), *Function);
      if (Wait.isValid())
        Refuse(Wait);
    }
  }

  /// \p Parts, of \p Function, may wait for other threads.
  SourceLocation waitIn(llvm::ArrayRef<const Stmt *> Parts,
                        const FunctionDecl &Function) const {
    const SourceManager &SM = Kernel.getASTContext().getSourceManager();
    SourceLocation Found = findGotoWait(Function, SM, Effects);
    for (const Stmt *Part : Parts)
      (void)holds(Part, [&](const Stmt &S) {
        if (isLoop(S) && Found.isInvalid())
          Found = findWait(S, Function, SM, Effects);
        return Found.isValid();
      });
    return Found;
  }

  /// Both where the call is made by a declaration elsewhere that each asks.
  unsigned halvesWith(const CallExpr &Call) const {
    const auto Holds = [&](const Stmt *S) {
      return holds(S, [&](const Stmt &In) { return &In == &Call; });
    };
    const unsigned Halves = (llvm::any_of(Before, Holds) ? FirstHalf : 0u) |
                            (llvm::any_of(After, Holds) ? SecondHalf : 0u);
    return Halves ? Halves : unsigned(BothHalves);
  }

  const KernelEffects &Effects;
  const FunctionDecl &Kernel;
  const Stmt &Fence;
  const LocalValues Locals;
  FenceSplit Split;
  std::vector<const Stmt *> Before, After, Repeatable;
  Variables Pure;
};

} // namespace

FenceSplit splitAtFence(const KernelEffects &Effects, const Stmt &Fence) {
  return Splitter(Effects, Fence).run();
}

std::string restName(llvm::StringRef Kernel) {
  return (Kernel + "_rest").str();
}

bool isRestOf(const FunctionDecl &Rest, const FunctionDecl &Kernel) {
  const auto TypeOf = [](const ParmVarDecl *P) {
    return P->getType().getCanonicalType();
  };
  llvm::StringRef Name = Rest.getName();
  return Name.consume_front(restName(Kernel.getName())) &&
         llvm::all_of(Name, llvm::isDigit) &&
         Rest.getFormalLinkage() == Linkage::Internal &&
         Rest.getDeclContext()->Equals(Kernel.getDeclContext()) &&
         llvm::equal(llvm::map_range(Rest.parameters(), TypeOf),
                     llvm::map_range(Kernel.parameters(), TypeOf));
}

} // namespace barricade::fence_as_barrier
