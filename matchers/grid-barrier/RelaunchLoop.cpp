// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/Statements.h"
#include "matchers/UserDeclarations.h"
#include "matchers/grid-barrier/HostCalls.h"
#include "matchers/grid-barrier/HostVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

bool holdsLaunch(const Stmt &S) {
  return holds(&S, [](const Stmt &Inner) {
    return isa<CUDAKernelCallExpr>(Inner);
  });
}

class HostLoopVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  explicit HostLoopVisitor(ASTContext &Context) : Context(Context) {}

  std::vector<HostLoop> Loops;

  bool VisitFunctionDecl(const FunctionDecl *Function) override {
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    if (Function->doesThisDeclarationHaveABody() &&
        !Function->hasAttr<CUDAGlobalAttr>() &&
        !(Method && Method->getParent()->isLambda()))
      search(Function->getBody(), *Function, /*InLambda=*/false, -1);
    return true;
  }

private:
  void search(const Stmt *S, const FunctionDecl &Function, bool InLambda,
              int Parent) {
    if (!S)
      return;
    if (isLoop(*S) && !isOnceLoop(*S, Context) && holdsLaunch(*S)) {
      Loops.push_back({S, &Function, InLambda, Parent});
      Parent = int(Loops.size()) - 1;
    }
    for (const Stmt *Child : S->children())
      search(Child, Function, InLambda || isa<LambdaExpr>(S), Parent);
  }

  ASTContext &Context;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

const Expr *withoutCleanups(const Expr &E) {
  const Expr *Plain = E.IgnoreParens();
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(Plain))
    Plain = Cleanups->getSubExpr()->IgnoreParens();
  return Plain;
}

/// Of a type whose copies are the same on host and device, and need no code.
bool isPlainData(QualType Type, const ASTContext &Context) {
  Type = Type.getCanonicalType();
  if (Type.isVolatileQualified())
    return false;
  if (const auto *Builtin = Type->getAs<BuiltinType>())
    return Type->isIntegerType() ? Context.getTypeSize(Type) <= 64
                                 : Builtin->getKind() == BuiltinType::Float ||
                                       Builtin->getKind() == BuiltinType::Double;
  if (Type->isEnumeralType() || Type->isPointerType())
    return true;
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  return Record && Record->hasDefinition() && !Record->isLambda() &&
         Type.isTriviallyCopyableType(Context) &&
         Record->hasTrivialDestructor() && !Record->hasVolatileMember();
}

/// `dim3` and the like: made from whole numbers, on host and device alike.
bool isDim3(const CXXRecordDecl &Record, const SourceManager &SM) {
  return Record.getDeclName().isIdentifier() && Record.getName() == "dim3" &&
         SM.isInSystemHeader(SM.getExpansionLoc(Record.getLocation()));
}

class LoopReader {
public:
  LoopReader(const HostLoop &L, const PassView &Host)
      : Context(*Host.Context), SM(Context.getSourceManager()),
        Variables(*L.Function) {
    Result.Loop = L.Loop;
    Result.Function = L.Function;
  }

  RelaunchLoop read(const HostLoop &L) {
    refuseSurroundings(L);
    if (!Result.Hindrances.empty())
      return std::move(Result);
    readStatement(*Result.Loop, /*InBlock=*/true);
    if (Result.Hindrances.empty())
      checkVariables();
    if (Result.Hindrances.empty())
      checkGeometry();
    return std::move(Result);
  }

private:
  //===--- Hindrances -----------------------------------------------------===//

  bool refuse(ReasonId Id, SourceLocation Where) {
    Result.Hindrances.push_back(hindrance(Id, Where));
    return false;
  }

  void refuseSurroundings(const HostLoop &L) {
    const SourceLocation Where = L.Loop->getBeginLoc();
    const auto *Method = dyn_cast<CXXMethodDecl>(L.Function);
    if (L.Function->isDependentContext())
      refuse(ReasonId::HostTemplate, Where);
    if (L.InLambda)
      refuse(ReasonId::InLambda, Where);
    if (Method)
      refuse(ReasonId::MemberFunction, Where);
    if (isFallback(*L.Loop))
      refuse(ReasonId::Fallback, Where);
  }

  /// What runs where a persistent launch was refused stays as it is.
  bool isFallback(const Stmt &Loop) {
    const Stmt *S = &Loop;
    while (S) {
      const DynTypedNodeList Parents = Context.getParents(*S);
      S = Parents.empty() ? nullptr : Parents[0].get<Stmt>();
      const auto *If = dyn_cast_or_null<IfStmt>(S);
      if (If && holds(If->getCond(), [](const Stmt &Inner) {
            const auto *Call = dyn_cast<CallExpr>(&Inner);
            const FunctionDecl *Callee =
                Call ? Call->getDirectCallee() : nullptr;
            return Callee && Callee->getQualifiedNameAsString().starts_with(
                                 "barricade::launch_persistent");
          }))
        return true;
    }
    return false;
  }

  //===--- Statements -----------------------------------------------------===//

  void readStatement(const Stmt &S, bool InBlock) {
    if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
      for (const Stmt *Child : Block->body())
        readStatement(*Child, /*InBlock=*/true);
    } else if (const auto *If = dyn_cast<IfStmt>(&S)) {
      readIf(*If);
    } else if (isLoop(S)) {
      readLoop(S);
    } else if (const auto *Declaration = dyn_cast<DeclStmt>(&S)) {
      for (const Decl *D : Declaration->decls())
        readDeclaration(*D);
    } else if (const auto *E = dyn_cast<Expr>(&S)) {
      readExpressionStatement(*E, InBlock);
    } else if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(S)) {
      refuse(ReasonId::Jump, S.getBeginLoc());
    } else if (!isa<NullStmt, BreakStmt, ContinueStmt>(S)) {
      refuse(ReasonId::HostStatement, S.getBeginLoc());
    }
  }

  void readIf(const IfStmt &If) {
    if (If.getInit() || If.getConditionVariable() || If.isConsteval())
      return void(refuse(ReasonId::HostStatement, If.getBeginLoc()));
    readValue(*If.getCond());
    readStatement(*If.getThen(), /*InBlock=*/false);
    if (If.getElse())
      readStatement(*If.getElse(), /*InBlock=*/false);
  }

  void readLoop(const Stmt &Loop) {
    if (const auto *For = dyn_cast<ForStmt>(&Loop)) {
      if (For->getConditionVariable())
        return void(refuse(ReasonId::HostStatement, Loop.getBeginLoc()));
      if (For->getInit())
        readStatement(*For->getInit(), /*InBlock=*/false);
      if (For->getInc())
        readValue(*For->getInc());
    } else if (const auto *While = dyn_cast<WhileStmt>(&Loop);
               (While && While->getConditionVariable()) ||
               isa<CXXForRangeStmt>(Loop)) {
      return void(refuse(ReasonId::HostStatement, Loop.getBeginLoc()));
    }
    if (const Expr *Condition = conditionOf(Loop))
      readValue(*Condition);
    readStatement(*bodyOf(Loop), /*InBlock=*/false);
  }

  void readDeclaration(const Decl &D) {
    const auto *Var = dyn_cast<VarDecl>(&D);
    if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType() ||
        !isPlainData(Var->getType(), Context))
      return void(refuse(ReasonId::HostVariable, D.getLocation()));
    Locals.insert(Var);
    if (Var->getInit())
      readValue(*Var->getInit());
  }

  void readExpressionStatement(const Expr &E, bool InBlock) {
    const Expr *Plain = withoutCleanups(E);
    const auto *Call = dyn_cast<CallExpr>(Plain);
    if (!Call || isa<CXXOperatorCallExpr>(Call))
      return void(readValue(E));
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(Call)) {
      add(LoopAction::Launch, E, InBlock);
      return readLaunch(*Launch);
    }
    switch (classifyHostCall(*Call, SM)) {
    case HostCallKind::Swap:
      add(LoopAction::Swap, E, InBlock);
      for (const Expr *Arg : Call->arguments())
        if (readValue(*Arg))
          readWrite(*Arg);
      return;
    case HostCallKind::Synchronise:
      add(LoopAction::Synchronise, E, InBlock);
      Waits = true;
      for (const Expr *Arg : Call->arguments())
        readOutside(*Arg);
      return;
    case HostCallKind::Timing:
      return void(refuse(ReasonId::Timing, E.getBeginLoc()));
    case HostCallKind::Runtime:
    case HostCallKind::Unknown:
      return void(refuse(ReasonId::HostCall, E.getBeginLoc()));
    }
  }

  void add(LoopAction::KindTy Kind, const Expr &E, bool InBlock) {
    Result.Actions.push_back(
        {Kind, &E, InBlock, unsigned(Result.Launches.size())});
  }

  void readLaunch(const CUDAKernelCallExpr &Call) {
    LoopLaunch Launch;
    Launch.Call = &Call;
    const FunctionDecl *Kernel = Call.getDirectCallee();
    if (!Kernel)
      return void(refuse(ReasonId::KernelPointer, Call.getBeginLoc()));
    Launch.Kernel = Kernel->getDefinition();
    if (!Launch.Kernel)
      return void(refuse(ReasonId::KernelNotVisible, Call.getBeginLoc()));
    Launch.Callee =
        dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
    if (!Launch.Callee || !namesConstantsOnly(*Launch.Callee))
      return void(refuse(ReasonId::HostStatement, Call.getBeginLoc()));
    const SaveAndRestore NoWrites(InArguments, true);
    for (const Expr *Arg : Call.arguments())
      if (isa<CXXDefaultArgExpr>(Arg))
        refuse(ReasonId::DefaultArgument, Call.getBeginLoc());
      else
        readValue(*Arg);
    const CallExpr &Config = *Call.getConfig();
    const auto Written = [&](unsigned I) {
      return I < Config.getNumArgs() && !isa<CXXDefaultArgExpr>(Config.getArg(I))
                 ? Config.getArg(I)
                 : nullptr;
    };
    Launch.Grid = Written(0);
    Launch.Block = Written(1);
    Launch.SharedBytes = Written(2);
    Launch.Stream = Written(3);
    for (const Expr *E :
         {Launch.Grid, Launch.Block, Launch.SharedBytes, Launch.Stream})
      if (E)
        readOutside(*E);
    Result.Launches.push_back(Launch);
  }

  /// Template arguments are spelled again where local constants are unknown.
  static bool namesConstantsOnly(const DeclRefExpr &Callee) {
    return llvm::none_of(
        Callee.template_arguments(), [](const TemplateArgumentLoc &Arg) {
          return Arg.getArgument().getKind() == TemplateArgument::Expression &&
                 holds(Arg.getSourceExpression(), [](const Stmt &S) {
                   const auto *Ref = dyn_cast<DeclRefExpr>(&S);
                   const auto *Var =
                       Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
                   return Var && Var->isLocalVarDeclOrParm();
                 });
        });
  }

  //===--- Values ---------------------------------------------------------===//

  /// An expression that the host evaluates once, before the loop.
  void readOutside(const Expr &E) {
    const SaveAndRestore OnHost(Capturing, false);
    const SaveAndRestore NoWrites(InArguments, true);
    readValue(E);
    Outside.push_back(&E);
  }

  /// Sees to it that the device computes the same value as the host.
  bool readValue(const Expr &Whole) {
    const Expr &E = *Whole.IgnoreParens();
    if (isa<IntegerLiteral, CXXBoolLiteralExpr, CharacterLiteral,
            FloatingLiteral, CXXNullPtrLiteralExpr, GNUNullExpr,
            ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
      return true;
    if (const auto *Full = dyn_cast<FullExpr>(&E))
      return readValue(*Full->getSubExpr());
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(&E))
      return readValue(*Temporary->getSubExpr());
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
      return readValue(*Default->getExpr());
    if (const auto *Cast = dyn_cast<CastExpr>(&E))
      return readCast(*Cast);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
      return readReference(*Ref);
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return !Member->isArrow() && isa<FieldDecl>(Member->getMemberDecl())
                 ? readValue(*Member->getBase())
                 : refuse(ReasonId::HostMemory, E.getBeginLoc());
    if (const auto *Op = dyn_cast<UnaryOperator>(&E))
      return readUnary(*Op);
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return readBinary(*Op);
    if (const auto *Op = dyn_cast<ConditionalOperator>(&E))
      return readValue(*Op->getCond()) && readValue(*Op->getTrueExpr()) &&
             readValue(*Op->getFalseExpr());
    if (const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(&E))
      return !Trait->getTypeOfArgument()->isVariableArrayType() ||
             refuse(ReasonId::HostStatement, E.getBeginLoc());
    if (const auto *List = dyn_cast<InitListExpr>(&E))
      return isPlainData(List->getType(), Context)
                 ? llvm::all_of(List->inits(),
                                [&](const Expr *I) { return readValue(*I); })
                 : refuse(ReasonId::HostVariable, E.getBeginLoc());
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E))
      return readConstruction(*Construct);
    return refuse(isa<CallExpr>(E) ? ReasonId::HostCall
                                   : ReasonId::HostStatement,
                  E.getBeginLoc());
  }

  bool readCast(const CastExpr &Cast) {
    switch (Cast.getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_BitCast:
    case CK_NullToPointer:
    case CK_IntegralCast:
    case CK_IntegralToBoolean:
    case CK_IntegralToFloating:
    case CK_FloatingToIntegral:
    case CK_FloatingCast:
    case CK_FloatingToBoolean:
    case CK_PointerToBoolean:
    case CK_ConstructorConversion:
      return isPlainData(Cast.getType(), Context)
                 ? readValue(*Cast.getSubExpr())
                 : refuse(ReasonId::HostVariable, Cast.getBeginLoc());
    default:
      return refuse(ReasonId::HostStatement, Cast.getBeginLoc());
    }
  }

  bool readConstruction(const CXXConstructExpr &Construct) {
    const CXXConstructorDecl &Constructor = *Construct.getConstructor();
    const bool Copies =
        Constructor.isCopyOrMoveConstructor() && Constructor.isTrivial();
    if (!isPlainData(Construct.getType(), Context) ||
        !(Copies || isDim3(*Constructor.getParent(), SM)))
      return refuse(ReasonId::HostVariable, Construct.getBeginLoc());
    return llvm::all_of(Construct.arguments(),
                        [&](const Expr *Arg) { return readValue(*Arg); });
  }

  bool readUnary(const UnaryOperator &Op) {
    switch (Op.getOpcode()) {
    case UO_Plus:
    case UO_Minus:
    case UO_Not:
    case UO_LNot:
      return readValue(*Op.getSubExpr());
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec:
      return readValue(*Op.getSubExpr()) && refuseFloating(Op) &&
             readWrite(*Op.getSubExpr());
    case UO_AddrOf:
      // `&p[i]` is `p + i`.
      if (const auto *Element = dyn_cast<ArraySubscriptExpr>(
              Op.getSubExpr()->IgnoreParens()))
        return readValue(*Element->getBase()) && readValue(*Element->getIdx());
      return refuse(ReasonId::HostMemory, Op.getBeginLoc());
    case UO_Deref:
      return refuse(ReasonId::HostMemory, Op.getBeginLoc());
    default:
      return refuse(ReasonId::HostStatement, Op.getBeginLoc());
    }
  }

  bool readBinary(const BinaryOperator &Op) {
    if (Op.isPtrMemOp())
      return refuse(ReasonId::HostMemory, Op.getBeginLoc());
    return readValue(*Op.getLHS()) && readValue(*Op.getRHS()) &&
           (!(Op.isMultiplicativeOp() || Op.isAdditiveOp() ||
              Op.isCompoundAssignmentOp()) ||
            refuseFloating(Op)) &&
           (!Op.isAssignmentOp() || readWrite(*Op.getLHS()));
  }

  /// Floating-point arithmetic may be contracted, flushed or approximated on
  /// either side, as the build's options say.
  bool refuseFloating(const Expr &E) {
    return !E.getType()->isFloatingType() ||
           refuse(ReasonId::FloatArithmetic, E.getBeginLoc());
  }

  bool readReference(const DeclRefExpr &Ref) {
    if (isa<EnumConstantDecl>(Ref.getDecl()))
      return true;
    const auto *Var = dyn_cast<VarDecl>(Ref.getDecl());
    if (!Var)
      return refuse(ReasonId::HostStatement, Ref.getBeginLoc());
    if (Locals.contains(Var))
      return true;
    if (!Var->isLocalVarDeclOrParm() && Var->isUsableInConstantExpressions(Context) &&
        Var->getType()->isIntegralOrEnumerationType())
      return true;
    Reads.insert({Var, &Ref});
    if (!Var->hasLocalStorage())
      return refuse(ReasonId::GlobalVariable, Ref.getBeginLoc());
    if (!isPlainData(Var->getType().getNonReferenceType(), Context))
      return refuse(ReasonId::HostVariable, Ref.getBeginLoc());
    if (Capturing)
      Result.Captures.insert(Var);
    return true;
  }

  /// The lvalue \p E, already read, is changed.
  bool readWrite(const Expr &E) {
    const DeclRefExpr *Ref = variableOf(E);
    if (!Ref)
      return refuse(ReasonId::HostMemory, E.getBeginLoc());
    if (InArguments)
      return refuse(ReasonId::HostStatement, E.getBeginLoc());
    Writes.insert({cast<VarDecl>(Ref->getDecl()), Ref});
    return true;
  }

  //===--- The whole loop -------------------------------------------------===//

  void checkVariables() {
    for (const auto &[Var, Ref] : Writes) {
      if (Locals.contains(Var))
        continue;
      if (Var->getType()->isReferenceType() || Variables.isShared(*Var))
        refuse(ReasonId::SharedVariable, Ref->getBeginLoc());
      Result.ValuesLiveOn |= Variables.livesOn(*Var, *Result.Loop);
    }
    // Where the host waits, the device may have written what it can reach.
    if (Waits)
      for (const auto &[Var, Ref] : Reads)
        if (Var->getType()->isReferenceType() || Variables.isShared(*Var))
          refuse(ReasonId::SharedVariable, Ref->getBeginLoc());
  }

  void checkGeometry() {
    for (const Expr *E : Outside)
      if (!isInvariant(*E))
        refuse(ReasonId::VaryingGeometry, E->getBeginLoc());
    const LoopLaunch &First = Result.Launches.front();
    for (const LoopLaunch &Other : llvm::drop_begin(Result.Launches))
      if (!same(First.Grid, Other.Grid) || !same(First.Block, Other.Block) ||
          !same(First.SharedBytes, Other.SharedBytes) ||
          !same(First.Stream, Other.Stream))
        refuse(ReasonId::SeveralGeometries, Other.Call->getBeginLoc());
  }

  bool isInvariant(const Expr &E) const {
    return !holds(&E, [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      return Var && (Locals.contains(Var) || Writes.contains(Var));
    });
  }

  bool same(const Expr *A, const Expr *B) const {
    if (!A || !B)
      return A == B;
    llvm::FoldingSetNodeID IdA, IdB;
    A->Profile(IdA, Context, /*Canonical=*/true);
    B->Profile(IdB, Context, /*Canonical=*/true);
    return IdA == IdB;
  }

  ASTContext &Context;
  const SourceManager &SM;
  HostVariables Variables;
  RelaunchLoop Result;

  llvm::SmallPtrSet<const VarDecl *, 8> Locals; ///< Declared in the loop.
  /// Each variable from outside or changed, with one place.
  llvm::MapVector<const VarDecl *, const DeclRefExpr *> Reads, Writes;
  std::vector<const Expr *> Outside;
  bool Waits = false;
  bool Capturing = true;
  bool InArguments = false;
};

} // namespace

std::vector<HostLoop> findHostLoops(const PassView &Host) {
  HostLoopVisitor Visitor(*Host.Context);
  for (const Decl *D : userDeclarations(*Host.Context))
    Visitor.TraverseDecl(D);
  return std::move(Visitor.Loops);
}

RelaunchLoop readRelaunchLoop(const HostLoop &L, const PassView &Host) {
  return LoopReader(L, Host).read(L);
}

} // namespace barricade::grid_barrier
