// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/dependence/ElementOwners.h"
#include "matchers/dependence/IndexReader.h"
#include "matchers/dependence/OutsideGrid.h"
#include "matchers/facts/LocalValues.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::dependence {
namespace {

//===----------------------------------------------------------------------===//
// Lvalues
//===----------------------------------------------------------------------===//

/// `a[i] = 1` and `++a[i]` are lvalues, whose addresses may be taken. Those
/// that have been added here are only read, or not used at all. To be asked for
/// each node before those below it.
class PlainResults {
public:
  void addBelow(const Stmt &S) {
    if (isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt,
            SwitchStmt, SwitchCase, LabelStmt, AttributedStmt>(S))
      Plain.insert_range(S.children());
    if (const auto *Cast = dyn_cast<CastExpr>(&S);
        Cast && (Cast->getCastKind() == CK_LValueToRValue ||
                 Cast->getCastKind() == CK_ToVoid))
      Plain.insert(Cast->getSubExpr());
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    if (Op && Op->isCommaOp())
      Plain.insert(Op->getLHS());
    if (!Plain.contains(&S))
      return;
    if (isa<ParenExpr, FullExpr>(S))
      Plain.insert_range(S.children());
    else if (Op && (Op->isCommaOp() || Op->isAssignmentOp()))
      Plain.insert(Op->isCommaOp() ? Op->getRHS() : Op->getLHS());
    else if (const auto *Choice = dyn_cast<ConditionalOperator>(&S))
      Plain.insert({Choice->getTrueExpr(), Choice->getFalseExpr()});
  }

  bool includes(const Expr &E) const {
    return !E.isGLValue() || Plain.contains(&E);
  }

private:
  llvm::SmallPtrSet<const Stmt *, 32> Plain;
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Finds the accesses of a kernel's own body. What is not understood counts as
/// an access by anyone to all that its parameters point at.
class TouchFinder : public ConstDynamicRecursiveASTVisitor {
public:
  TouchFinder(const FunctionDecl &Kernel, std::optional<uint64_t> BlockThreads,
              bool FixedArguments)
      : Kernel(Kernel), Context(Kernel.getASTContext()), Locals(Kernel),
        Indices(Locals, Kernel, BlockThreads, FixedArguments) {
    ShouldVisitImplicitCode = true;
  }

  KernelTouches run(const FunctionDecl &Kernel) {
    const KernelEffects Effects =
        collectKernelEffects(Kernel, /*RestrictParams=*/false);
    if (!Effects.Asm.empty())
      setElsewhere(Effects.Asm.front().first->getBeginLoc());
    Result.Signal = findSignal(Effects);
    const HiddenPointers Hidden = findHiddenPointers(Effects);
    DropsConst = Hidden.DropsConst;
    if (Hidden.Found.isValid())
      setElsewhere(Hidden.Found);
    TraverseStmt(Kernel.getBody());
    for (const DeclRefExpr *Ref : PointerUses)
      if (!Understood.contains(Ref))
        addUse(*Ref);
    return std::move(Result);
  }

  //===--- Accesses -------------------------------------------------------===//

  bool VisitStmt(const Stmt *S) override {
    Results.addBelow(*S);
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue)
      addAccess(*Cast->getSubExpr(), /*Writes=*/false);
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp() && Results.includes(*Op))
      addAccess(*Op->getLHS(), /*Writes=*/true);
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp() && Results.includes(*Op))
      addAccess(*Op->getSubExpr(), /*Writes=*/true);
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const CallKind Kind = classifyCall(*Call, Context.getSourceManager());
    if ((Kind == CallKind::Atomic || Kind == CallKind::Store) &&
        Call->getNumArgs() > 0)
      addElement(*Call->getArg(0)->IgnoreParenImpCasts(), nullptr,
                 /*Writes=*/true);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    const CXXConstructorDecl &Constructor = *E->getConstructor();
    if (Constructor.isCopyOrMoveConstructor() && Constructor.isTrivial())
      addAccess(*E->getArg(0)->IgnoreParenImpCasts(), /*Writes=*/false);
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *Call) override {
    if (classifyCall(*Call, Context.getSourceManager()) ==
            CallKind::Assignment &&
        Results.includes(*Call)) {
      addAccess(*Call->getArg(0), /*Writes=*/true);
      addAccess(*Call->getArg(1)->IgnoreParenImpCasts(), /*Writes=*/false);
    }
    return true;
  }
  bool VisitCXXThisExpr(const CXXThisExpr *E) override {
    setElsewhere(E->getBeginLoc());
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && Var->hasLocalStorage() && holdsPointer(Var->getType(), Context))
      PointerUses.push_back(Ref);
    return true;
  }

private:
  void setElsewhere(SourceLocation Where) {
    if (Result.Elsewhere.isInvalid())
      Result.Elsewhere = Where;
  }

  /// An access to the lvalue \p E.
  void addAccess(const Expr &Lvalue, bool Writes) {
    const Expr *E = Lvalue.IgnoreParens();
    // A member lies in its element.
    while (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow())
        return;
      E = Member->getBase()->IgnoreParens();
    }
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
      addElement(*Element->getBase()->IgnoreParens(), Element->getIdx(),
                 Writes);
    else if (const auto *Op = dyn_cast<UnaryOperator>(E);
             Op && Op->getOpcode() == UO_Deref)
      addElement(*Op->getSubExpr()->IgnoreParens(), nullptr, Writes);
  }

  /// An access to `Pointer[Index]`, or `*Pointer`.
  void addElement(const Expr &Pointer, const Expr *Index, bool Writes) {
    if (!Pointer.getType()->isPointerType())
      return;
    const QualType Element = Pointer.getType()->getPointeeType();
    Address At = address(Pointer);
    if (!At.Root)
      return;
    if (Index)
      At.Index = plus(At.Index, Indices.read(*Index));
    Touch T;
    T.Pointer = At.Root;
    T.Writes = Writes;
    T.Width = Element->isIncompleteType()
                  ? 0
                  : unsigned(Context.getTypeSizeInChars(Element).getQuantity());
    T.Who = At.Index && T.Width ? ownerOf(*At.Index) : Owner();
    T.Where = Pointer.getBeginLoc();
    Result.Touches.push_back(T);
    Understood.insert(At.Refs.begin(), At.Refs.end());
  }

  /// Where a pointer points: elements of its own type from a parameter on.
  struct Address {
    const ParmVarDecl *Root = nullptr;
    std::optional<AffineForm> Index;
    llvm::SmallVector<const DeclRefExpr *, 4> Refs; ///< That it is made from.
  };

  static std::optional<AffineForm> plus(const std::optional<AffineForm> &A,
                                        const std::optional<AffineForm> &B) {
    return A && B ? std::optional(*A + *B) : std::nullopt;
  }

  Address address(const Expr &Whole, unsigned Depth = 0) const {
    const Expr &E = *Whole.IgnoreParens();
    if (Depth > IndexReader::MaxDepth)
      return {};
    if (const auto *Cast = dyn_cast<CastExpr>(&E))
      return castAddress(*Cast, Depth);
    if (const auto *Op = dyn_cast<UnaryOperator>(&E);
        Op && Op->getOpcode() == UO_AddrOf)
      if (const auto *Element =
              dyn_cast<ArraySubscriptExpr>(Op->getSubExpr()->IgnoreParens())) {
        Address At = address(*Element->getBase(), Depth);
        At.Index = plus(At.Index, Indices.read(*Element->getIdx()));
        return At;
      }
    if (const auto *Op = dyn_cast<BinaryOperator>(&E);
        Op && Op->getOpcode() == BO_Add) {
      const bool PointerFirst = Op->getLHS()->getType()->isPointerType();
      Address At = address(PointerFirst ? *Op->getLHS() : *Op->getRHS(), Depth);
      At.Index = plus(
          At.Index, Indices.read(PointerFirst ? *Op->getRHS() : *Op->getLHS()));
      return At;
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    return Ref ? variableAddress(*Ref, Depth) : Address();
  }

  Address castAddress(const CastExpr &Cast, unsigned Depth) const {
    if (!Cast.getSubExpr()->getType()->isPointerType())
      return {};
    Address At = address(*Cast.getSubExpr(), Depth);
    const bool KeepsType = Context.hasSameUnqualifiedType(
        Cast.getType()->getPointeeType(),
        Cast.getSubExpr()->getType()->getPointeeType());
    // Elements of another size are counted anew, and a base may lie behind
    // another one.
    if ((!KeepsType && At.Index && !At.Index->isZero()) || !Cast.path_empty())
      At.Index = std::nullopt;
    return At;
  }

  Address variableAddress(const DeclRefExpr &Ref, unsigned Depth) const {
    const auto *Var = dyn_cast<VarDecl>(Ref.getDecl());
    if (!Var || !Var->getType()->isPointerType() || !Locals.isConstant(*Var))
      return {};
    Address At;
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Var)) {
      if (Parameter->getDeclContext() != &Kernel)
        return {}; // of a lambda
      At.Root = Parameter;
      At.Index = AffineForm(0);
    } else {
      At = address(*Var->getInit(), Depth + 1);
    }
    At.Refs.push_back(&Ref);
    return At;
  }

  /// A pointer goes where it is not followed.
  void addUse(const DeclRefExpr &Ref) {
    const auto *Parameter = dyn_cast<ParmVarDecl>(Ref.getDecl());
    if (!Parameter || !Parameter->getType()->isPointerType())
      return setElsewhere(Ref.getBeginLoc());
    const bool MayWrite =
        DropsConst ||
        !Parameter->getType()->getPointeeType().isConstQualified();
    Result.Touches.push_back(
        {Parameter, MayWrite, 0, Owner(), Ref.getBeginLoc()});
  }

  Owner ownerOf(const AffineForm &Index) const {
    Owner Who;
    Who.Offset = Index.constantTerm();
    if (Who.Offset < -IndexReader::MaxOffset ||
        Who.Offset > IndexReader::MaxOffset)
      return {};
    AffineForm Rest = Index - AffineForm(Who.Offset);
    const AffineForm Number = Indices.threadNumber();
    if (const ParmVarDecl *Distance = Indices.shiftIn(Rest)) {
      Rest = Rest - IndexReader::shiftBy(*Distance);
      Who.Distance = Distance;
    }
    const VarDecl *Counter = Indices.counterIn(Rest);
    Who.Strides = Counter;
    Who.Limit = Counter ? Indices.limitOf(*Counter) : nullptr;
    if (Who.Strides || Rest == Number)
      Who.Kind = Who.Distance ? Owner::Partner : Owner::Thread;
    else if (Who.Distance)
      return {};
    else if (Rest == IndexReader::blockIndex())
      Who.Kind = Owner::Block;
    else if (isWithinBlock(Index -
                           IndexReader::blockIndex() * Indices.blockSize()))
      Who = {Owner::BlockChunk};
    return Who;
  }

  /// Surely from 0 to the block's size.
  bool isWithinBlock(const AffineForm &Local) const {
    return Local.isZero() || Local == Indices.mirrored() ||
           Local == Indices.lastOfBlock();
  }

  const FunctionDecl &Kernel;
  ASTContext &Context;
  const LocalValues Locals;
  const IndexReader Indices;
  KernelTouches Result;
  PlainResults Results;
  bool DropsConst = false; ///< As HiddenPointers says.
  std::vector<const DeclRefExpr *> PointerUses;
  llvm::SmallPtrSet<const DeclRefExpr *, 32> Understood;
};

} // namespace

std::string describe(const Owner &Who) {
  std::string Element = "element";
  if (Who.Offset)
    Element +=
        (Who.Offset > 0 ? " - " : " + ") + std::to_string(std::abs(Who.Offset));
  switch (Who.Kind) {
  case Owner::Thread:
    return "thread " + Element + (Who.Strides ? " modulo threads" : "") +
           (Who.Limit ? ", if " + Who.Limit->getNameAsString() +
                            " + threads fits an int"
                      : "");
  case Owner::BlockChunk:
    return "a thread of block element / blockDim.x";
  case Owner::Partner:
    return "the partner, by xor, of thread " + Element;
  case Owner::Block:
    return "a thread of block " + Element;
  case Owner::Anyone:
    return "any thread";
  }
  llvm_unreachable("all owners have words");
}

KernelTouches findTouches(const FunctionDecl &Kernel,
                          std::optional<uint64_t> BlockThreads,
                          bool FixedArguments) {
  return TouchFinder(Kernel, BlockThreads, FixedArguments).run(Kernel);
}

bool isAskable(const Expr &Argument, const ASTContext &Host) {
  const Expr &E = *Argument.IgnoreImpCasts();
  return E.getType()->isIntegerType() && Host.getIntWidth(E.getType()) <= 64 &&
         !isa<CXXDefaultArgExpr, InitListExpr>(E.IgnoreParenImpCasts()) &&
         !E.HasSideEffects(Host);
}

Scope scopeBetween(const Touch &First, const Touch &Second) {
  const Owner &A = First.Who, &B = Second.Who;
  const auto IsUnknown = [](const Owner &Who) {
    return Who.Kind == Owner::Partner || Who.Kind == Owner::Anyone;
  };
  if (First.Width != Second.Width || IsUnknown(A) || IsUnknown(B))
    return Scope::Grid;
  if (A.Kind == Owner::Thread && B.Kind == Owner::Thread)
    return A.Offset == B.Offset ? Scope::None : Scope::Grid;
  if (A.Kind == Owner::Block || B.Kind == Owner::Block)
    return A.Kind == B.Kind && A.Offset == B.Offset ? Scope::Block
                                                    : Scope::Grid;
  return A.Offset == B.Offset ? Scope::Block : Scope::Grid;
}

} // namespace barricade::dependence
