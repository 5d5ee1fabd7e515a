// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/SilentCalls.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::waiting {
void DiscardedValues::noteWithin(const Stmt &S) {
  const auto Note = [&](const Stmt *Part) {
    if (const auto *E = dyn_cast_or_null<Expr>(Part); E && E != Result)
      Found.insert(E->IgnoreParenCasts());
  };
  if (const auto *Whole = dyn_cast<StmtExpr>(&S))
    Result = Whole->getSubStmt()->body_empty()
                 ? nullptr
                 : Whole->getSubStmt()->body_back();
  if (const auto *If = dyn_cast<IfStmt>(&S)) {
    Note(If->getThen());
    Note(If->getElse());
  } else if (isLoop(S)) {
    Note(bodyOf(S));
  } else if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    llvm::for_each(Block->body(), Note);
  }
}

namespace {

/// Looks through visible calls, too.
class SignalFinder : public ConstDynamicRecursiveASTVisitor,
                     public SignalReads {
public:
  SignalFinder(const SourceManager &SM, ReadQuestion MayBeWritten,
               const FunctionDecl &Function)
      : SM(SM), MayBeWritten(MayBeWritten), Function(&Function) {
    ShouldVisitImplicitCode = true;
  }

  bool VisitExpr(const Expr *E) override {
    // The message of a static_assert has no type.
    if (!E->isLValue() || E->getType().isNull())
      return true;
    if (E->getType().isVolatileQualified())
      note(Signal, E->getExprLoc());
    else if (isMemory(*E) && MayBeWritten(*E, *Function))
      note(PlainRead, E->getExprLoc());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp())
      noteStore(*Op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      noteStore(*Op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *Call) override {
    // An atomic's `+=` is asked about as what it is.
    if (Call->isAssignmentOp() && Call->getNumArgs() > 0 &&
        classifyCall(*Call, SM) != CallKind::Atomic)
      noteStore(*Call->getArg(0));
    return true;
  }
  bool VisitAtomicExpr(const AtomicExpr *E) override {
    note(Signal, E->getBeginLoc());
    return true;
  }
  bool VisitAsmStmt(const AsmStmt *Asm) override {
    note(Signal, Asm->getAsmLoc());
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    note(Signal, Lambda->getBeginLoc());
    return true;
  }
  bool VisitStmt(const Stmt *S) override {
    Discarded.noteWithin(*S);
    const SilentCalls Calls = silentCallsOf(*S);
    if (Calls.AreSeveral ||
        llvm::any_of(Calls.Callees, [](const FunctionDecl *Callee) {
          return !facts::isLibraryCode(*Callee);
        }))
      note(Signal, S->getBeginLoc());
    return true;
  }
  bool VisitInitListExpr(const InitListExpr *List) override {
    return TraverseStmt(List->getArrayFiller());
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    switch (classifyCall(*Call, SM)) {
    case CallKind::Atomic:
      Ordered = true;
      if (!Discarded.contains(*Call))
        note(Signal, Call->getBeginLoc());
      break;
    case CallKind::Load:
      if (loadsAnew(*Call->getDirectCallee()))
        note(Signal, Call->getBeginLoc());
      break;
    case CallKind::Clock:
      // Who sleeps waits for something.
      if (Call->getDirectCallee()->getName().contains("nanosleep")) {
        note(Signal, Call->getBeginLoc());
        Sleeps = true;
      }
      Ordered = true;
      break;
    case CallKind::Unknown:
      note(UnseenCall, Call->getBeginLoc());
      UnseenMayOrder |= mayOrder(Call->getDirectCallee());
      [[fallthrough]];
    case CallKind::NamedBarrier:
    case CallKind::GridBarrier:
      note(Signal, Call->getBeginLoc());
      break;
    case CallKind::Visible:
      follow(*calleeDefinition(*Call));
      break;
    // A loop that the whole block goes round together holds none of it up.
    case CallKind::BlockBarrier:
      MeetsBlock = true;
      break;
    case CallKind::Pure:
    case CallKind::Assignment:
    case CallKind::UniformIndex:
    case CallKind::ThreadIndex:
      break;
    case CallKind::Fence:
      FencesSystem |= facts::calleeName(*Call).contains("sys");
      Fences = true;
      Ordered = true;
      break;
    default:
      Ordered = true;
      break;
    }
    return true;
  }

private:
  /// The lvalue \p E leads to memory other than by its parts, which are asked
  /// for themselves.
  static bool isMemory(const Expr &E) {
    if (const auto *Op = dyn_cast<UnaryOperator>(&E))
      return Op->getOpcode() == UO_Deref;
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return Op->isPtrMemOp();
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return !isa<FunctionDecl>(Member->getMemberDecl()) &&
             !isPartOfBase(*Member);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
      return isMemory(*Ref);
    // What a call returns a reference to is seen in what it calls.
    return !isa<ParenExpr, CastExpr, AbstractConditionalOperator, CallExpr,
                FullExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr,
                CXXDefaultArgExpr, CXXDefaultInitExpr, OpaqueValueExpr,
                PseudoObjectExpr, MSPropertyRefExpr, GenericSelectionExpr,
                ChooseExpr, SubstNonTypeTemplateParmExpr, StringLiteral,
                PredefinedExpr, SourceLocExpr, CompoundLiteralExpr,
                InitListExpr>(E);
  }

  static bool isMemory(const DeclRefExpr &Ref) {
    char Member = 0;
    const auto *Var = dyn_cast<VarDecl>(Ref.getDecl());
    return isa<BindingDecl>(Ref.getDecl()) ||
           (Var && builtinIndexVariable(Ref, Member).empty() &&
            (!Var->hasLocalStorage() || Var->getType()->isReferenceType()) &&
            !Var->getType()->isArrayType());
  }

  void noteStore(const Expr &To) {
    const auto IsMemory = [](const Stmt &S) {
      const auto *E = dyn_cast<Expr>(&S);
      return E && isMemory(*E);
    };
    if (holds(&To, IsMemory))
      Stored.push_back({&To, Function});
  }

  /// Where a lambda's captures lead nobody knows, but what it does can be seen.
  bool mayOrder(const FunctionDecl *Callee) const {
    if (!Callee || !isLambdaCallOperator(Callee) || !Callee->hasBody() ||
        Lambdas.contains(Callee))
      return true;
    SignalFinder Within(SM, MayBeWritten, *Callee);
    Within.Lambdas = Lambdas;
    Within.Lambdas.insert(Callee);
    Within.TraverseStmt(Callee->getBody());
    return Within.Ordered || Within.MeetsBlock || Within.FencesSystem ||
           Within.UnseenMayOrder;
  }

  void follow(const FunctionDecl &Callee) {
    if (!Visited.insert(&Callee).second)
      return;
    const FunctionDecl *Outer = Function;
    Function = &Callee;
    TraverseStmt(Callee.getBody());
    Function = Outer;
  }

  static void note(SourceLocation &Slot, SourceLocation Where) {
    if (Slot.isInvalid())
      Slot = Where;
  }

  const SourceManager &SM;
  ReadQuestion MayBeWritten;
  const FunctionDecl *Function;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Visited;
  llvm::SmallPtrSet<const FunctionDecl *, 4> Lambdas; ///< Looked into now.
  DiscardedValues Discarded;
};

} // namespace

SignalReads readSignals(llvm::ArrayRef<const Stmt *> Code,
                        const FunctionDecl &Function, const SourceManager &SM,
                        ReadQuestion MayBeWritten) {
  SignalFinder Finder(SM, MayBeWritten, Function);
  for (const Stmt *Part : Code)
    Finder.TraverseStmt(Part);
  return Finder;
}

} // namespace barricade::waiting
