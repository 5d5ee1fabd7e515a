// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/BuildVariants.h"
#include "matchers/DeviceAllocations.h"
#include "matchers/DeviceFunctions.h"
#include "matchers/DeviceLimits.h"
#include "matchers/HostCode.h"
#include "matchers/Statements.h"
#include "matchers/facts/Copies.h"
#include "matchers/facts/EndingLoop.h"
#include "matchers/facts/KernelArguments.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/Purity.h"
#include "matchers/grid-barrier/ElementReads.h"
#include "matchers/grid-barrier/ErrorCheck.h"
#include "matchers/grid-barrier/HiddenLaunches.h"
#include "matchers/grid-barrier/HostCalls.h"
#include "matchers/grid-barrier/HostVariables.h"
#include "matchers/grid-barrier/HostWait.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/grid-barrier/OtherLoops.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/grid-barrier/UnitUses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

bool holdsLaunch(const Stmt &S) {
  return holds(
      &S, [](const Stmt &Inner) { return isa<CUDAKernelCallExpr>(Inner); });
}

/// Searches one function after the other.
class LoopFinder {
public:
  LoopFinder(ASTContext &Context, HiddenLaunches &Hidden)
      : Context(Context), Hidden(Hidden) {}

  std::vector<HostLoop> Loops;

  void search(const HostCode &Code) {
    for (const Stmt *Part : Code.Parts)
      search(Part, {Code.Function});
    if (Code.Function)
      searchJumps(Code.Function->getBody(), *Code.Function, /*InLambda=*/false);
  }

  /// Looks for the loops found in the template \p Pattern in its instances.
  void addInstances(const FunctionTemplateDecl &Pattern) {
    const size_t OfPattern = Loops.size();
    for (const FunctionDecl *Instance : Pattern.specializations()) {
      const FunctionDecl *Definition = Instance->getDefinition();
      if (!Definition || !Definition->isTemplateInstantiation())
        continue;
      LoopFinder Inner(Context, Hidden);
      Inner.search({Definition, codeOf(*Definition)});
      for (const HostLoop &Found : Inner.Loops) {
        const auto Same = llvm::find_if(Loops, [&](const HostLoop &L) {
          return Found.Loop->getBeginLoc() == L.Loop->getBeginLoc();
        });
        // What hides launches may be known in the instance only.
        if (Same == Loops.end())
          Loops.push_back({Found.Loop,
                           Found.Function,
                           Found.InLambda,
                           -1,
                           {},
                           Found.NoKeyword});
        else if (Same < Loops.begin() + OfPattern)
          Same->Instances.push_back(Found);
      }
    }
  }

private:
  /// Where a statement stands.
  struct Surroundings {
    const FunctionDecl *Function;
    bool InLambda = false;
    bool InPack = false; ///< It is repeated for each element of a pack.
    int Parent = -1;
  };

  void search(const Stmt *S, Surroundings In) {
    if (!S)
      return;
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      In.Function = functionAround(*Lambda, In.Function);
      In.InLambda = true;
      searchJumps(Lambda->getBody(), *Lambda->getCallOperator(), In.InLambda);
    }
    In.InPack |= isa<CXXFoldExpr, PackExpansionExpr>(S);
    if (isLoop(*S) && !isOnceLoop(*S, Context) &&
        (holdsLaunch(*S) || Hidden.isHeldBy(*S))) {
      Loops.push_back({S, In.Function, In.InLambda, In.Parent});
      In.Parent = int(Loops.size()) - 1;
      In.InPack = false;
    } else if (const auto Why = repetitionBy(*S, In.InPack)) {
      Loops.push_back({S,
                       In.Function,
                       In.InLambda,
                       -1,
                       {},
                       {blocker(*Why, S->getBeginLoc())}});
    }
    for (const Stmt *Child : S->children())
      search(Child, In);
  }

  /// What repeats a launch at \p S, without a keyword.
  std::optional<ReasonId> repetitionBy(const Stmt &S, bool InPack) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (Call && Hidden.areRepeatedBy(*Call))
      return ReasonId::LibraryLoop;
    if (Hidden.isRepeatedForArray(S))
      return ReasonId::ArrayLaunch;
    if (InPack && Call &&
        (isa<CUDAKernelCallExpr>(Call) || Hidden.reasonAgainst(*Call)))
      return ReasonId::PackLaunch;
    return std::nullopt;
  }

  void searchJumps(const Stmt *Body, const FunctionDecl &Function,
                   bool InLambda) {
    if (Body)
      llvm::append_range(Loops,
                         findGotoLoops(*Body, Function, InLambda, Hidden));
  }

  ASTContext &Context;
  HiddenLaunches &Hidden;
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

/// A part of \p Type has another size on the device.
bool holdsLongDouble(QualType Type) {
  Type = QualType(Type->getBaseElementTypeUnsafe(), 0).getCanonicalType();
  if (const auto *Complex = Type->getAs<ComplexType>())
    Type = Complex->getElementType();
  if (const CXXRecordDecl *Record = Type->getAsCXXRecordDecl())
    return llvm::any_of(Record->bases(),
                        [](const CXXBaseSpecifier &Base) {
                          return holdsLongDouble(Base.getType());
                        }) ||
           llvm::any_of(Record->fields(), [](const FieldDecl *Field) {
             return holdsLongDouble(Field->getType());
           });
  return Type->isSpecificBuiltinType(BuiltinType::LongDouble) ||
         Type->isSpecificBuiltinType(BuiltinType::Float128);
}

/// Of a type whose copies are the same on host and device, and need no code.
bool isPlainData(QualType Type, const ASTContext &Context) {
  Type = Type.getCanonicalType();
  if (Type.isVolatileQualified())
    return false;
  if (const auto *Builtin = Type->getAs<BuiltinType>())
    return Type->isIntegerType()
               ? Context.getTypeSize(Type) <= 64
               : Builtin->getKind() == BuiltinType::Float ||
                     Builtin->getKind() == BuiltinType::Double;
  if (Type->isEnumeralType() || Type->isPointerType())
    return true;
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  return Record && Record->hasDefinition() && !Record->isLambda() &&
         facts::isCopiedByAnyone(Type, Context) &&
         Record->hasTrivialDestructor() && !Record->hasVolatileMember() &&
         !holdsLongDouble(Type);
}

/// Evaluating \p S reads the value of \p Var, whatever else it does.
bool alwaysReads(const Stmt *S, const VarDecl &Var) {
  return alwaysEvaluates(S, [&](const Stmt &Part) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(&Part);
    const auto *Ref =
        Cast && Cast->getCastKind() == CK_LValueToRValue
            ? dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens())
            : nullptr;
    return Ref && Ref->getDecl() == &Var;
  });
}

/// Before the host first waits for anything in \p Loop, the loop's head or a
/// statement of its body's begin has read \p Var, or the loop does not run.
bool isReadBeforeWaits(const Stmt &Loop, const VarDecl &Var,
                       ASTContext &Context) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop);
      For && alwaysReads(For->getInit(), Var))
    return true;
  if (!isa<DoStmt>(Loop) && alwaysReads(conditionOf(Loop), Var))
    return true;
  const auto *Body = dyn_cast<CompoundStmt>(bodyOf(Loop));
  if (!Body)
    return false;
  for (const Stmt *S : Body->body()) {
    // Of a check, only what the call takes is sure to be read before it waits.
    if (const CallExpr *Call = readErrorCheck(S, Context).Call)
      return alwaysReads(Call, Var);
    if (!isa<Expr, DeclStmt>(S))
      return false;
    if (alwaysReads(S, Var))
      return true;
  }
  return false;
}

/// Such data can be declared without a value, and be assigned.
bool isAssignable(QualType Type, const ASTContext &Context) {
  Type = Context.getBaseElementType(Type);
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  return !Type.isConstQualified() && !Type->isReferenceType() &&
         (!Record ||
          (Record->isPOD() && !facts::hasAssignmentTemplate(*Record) &&
           llvm::all_of(Record->fields(), [&](const FieldDecl *Field) {
             return isAssignable(Field->getType(), Context);
           })));
}

/// Such data has an assignment, by which a copy's target gets its value.
bool hasAssignment(QualType Type, const ASTContext &Context) {
  Type = Context.getBaseElementType(Type);
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  if (Type.isConstQualified() || Type->isReferenceType() || !Record)
    return !Type.isConstQualified() && !Type->isReferenceType();
  if (facts::hasAssignmentTemplate(*Record))
    return false;
  for (const CXXMethodDecl *Method : Record->methods())
    if (Method->isCopyAssignmentOperator())
      return !Method->isDeleted() && Method->getAccess() == AS_public;
  return !Record->hasUserDeclaredMoveOperation() &&
         llvm::all_of(Record->bases(),
                      [&](const CXXBaseSpecifier &Base) {
                        return hasAssignment(Base.getType(), Context);
                      }) &&
         llvm::all_of(Record->fields(), [&](const FieldDecl *Field) {
           return hasAssignment(Field->getType(), Context);
         });
}

/// An array of such data, of one dimension.
bool isPlainArray(QualType Type, const ASTContext &Context) {
  const ConstantArrayType *Array = Context.getAsConstantArrayType(Type);
  return Array && isPlainData(Array->getElementType(), Context) &&
         isAssignable(Array->getElementType().getUnqualifiedType(), Context);
}

/// `dim3` and the like: made from whole numbers, on host and device alike.
bool isDim3(const CXXRecordDecl &Record, const SourceManager &SM) {
  return Record.getDeclName().isIdentifier() && Record.getName() == "dim3" &&
         SM.isInSystemHeader(SM.getExpansionLoc(Record.getLocation()));
}

class LoopReader {
public:
  LoopReader(const HostLoop &L, const Program &Whole, StepsOfKernel StepsOf)
      : Context(*Whole.host()->Context), Unit(Whole), FastMath(Whole.FastMath),
        SM(Context.getSourceManager()), Hidden(Context), StepsOf(StepsOf),
        Variables(*L.Function) {
    Result.Loop = L.Loop;
    Result.Function = L.Function;
  }

  RelaunchLoop read(const HostLoop &L) {
    refuseSurroundings(L);
    if (!Result.Blockers.empty())
      return std::move(Result);
    Result.Entry = entryOf(*Result.Loop);
    readStatement(*Result.Loop, /*InBlock=*/true);
    // A launch that is never made, as in an operand of sizeof.
    if (Result.Launches.empty() && Result.Blockers.empty())
      refuse(ReasonId::HostStatement, L.Loop->getBeginLoc());
    checkElements();
    checkResults();
    if (Result.Blockers.empty())
      checkGeometry();
    if (Result.Blockers.empty())
      checkWaits();
    if (Result.Blockers.empty())
      checkEnd();
    if (Result.Blockers.empty())
      checkBuffers();
    if (Result.Blockers.empty())
      checkVariables();
    if (Result.Blockers.empty())
      checkCopies();
    if (Result.Blockers.empty())
      checkForeignWaits();
    if (Result.Blockers.empty())
      checkHostWait();
    Result.Repeats = Result.Blockers.empty() && repeats();
    return std::move(Result);
  }

private:
  //===--- Blockers -----------------------------------------------------===//

  bool refuse(ReasonId Id, SourceLocation Where) {
    Result.Blockers.push_back(blocker(Id, Where));
    return false;
  }

  /// No error is found that ends the loop before its launches are tried.
  void checkEnd() {
    const bool Checks = llvm::any_of(
        Result.Actions, [](const auto &A) { return A.isChecked(); });
    const bool RunsBefore = Result.Grids == GridForm::Computed ||
                            Result.Waiting == WaitForm::Sometimes;
    if ((isUnconditional(*Result.Loop) && !breaksOut(bodyOf(*Result.Loop))) ||
        (Checks && RunsBefore &&
         holds(Result.Loop, [&](const Stmt &S) { return mayRunFor(S); })))
      refuse(ReasonId::Endless, Result.Loop->getBeginLoc());
  }

  /// A loop that is not seen to end by itself.
  bool mayRunFor(const Stmt &S) const {
    return isLoop(S) && !isOnceLoop(S, Context) &&
           !facts::isSeenToEnd(S, Context, [&](const VarDecl &Var) {
             return Variables.isShared(Var);
           });
  }

  /// No condition ends it.
  bool isUnconditional(const Stmt &Loop) const {
    const Expr *Condition = conditionOf(Loop);
    return !isa<CXXForRangeStmt>(Loop) &&
           (!Condition || constantCondition(Condition, Context) == true);
  }

  void refuseSurroundings(const HostLoop &L) {
    const SourceLocation Where = L.Loop->getBeginLoc();
    const auto *Method = dyn_cast<CXXMethodDecl>(L.Function);
    if (L.Function->isDependentContext() || !facts::mayBeKernelOf(*L.Function))
      refuse(ReasonId::HostTemplate, Where);
    if (L.InLambda)
      refuse(ReasonId::InLambda, Where);
    if (Method && !Method->getParent()->isLambda())
      refuse(ReasonId::MemberFunction, Where);
    if (L.Function->hasAttr<CUDADeviceAttr>())
      refuse(ReasonId::DeviceFunction, Where);
    if (!Method &&
        !L.Function->getLexicalDeclContext()->getRedeclContext()->Equals(
            L.Function->getDeclContext()->getRedeclContext()))
      refuse(ReasonId::OutOfLine, Where);
    if (!Method && !facts::mayGiveKernelsItsName(*L.Function))
      refuse(ReasonId::BeyondAscii, Where);
    if (isFallback(*L.Loop, Context))
      refuse(ReasonId::Fallback, Where);
    if (isUnconditional(*L.Loop) && !leavesEarly(*L.Loop))
      refuse(ReasonId::Endless, Where);
    if (!Unit.HostOption.empty())
      refuse(ReasonId::HostOption, Where);
    if (const SourceLocation Name = findLocalName(*L.Loop, *L.Function);
        Name.isValid())
      refuse(ReasonId::LocalName, Name);
  }

  //===--- Statements -----------------------------------------------------===//

  void readStatement(const Stmt &S, bool InBlock) {
    readStatements(&S, InBlock);
  }

  /// Statements that follow each other.
  void readStatements(llvm::ArrayRef<const Stmt *> Body, bool InBlock) {
    while (!Body.empty()) {
      const ErrorCheck Check = runtimeCheck(Body);
      if (Check.Call)
        readRuntimeCall(Body.take_front(Check.Length), Check, InBlock);
      else
        readPlainStatement(*Body.front(), InBlock);
      Body = Body.drop_front(std::max<size_t>(Check.Length, 1));
    }
  }

  void readPlainStatement(const Stmt &S, bool InBlock) {
    if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
      const std::vector<const Stmt *> Body(Block->body_begin(),
                                           Block->body_end());
      readStatements(Body, /*InBlock=*/true);
    } else if (const auto *If = dyn_cast<IfStmt>(&S)) {
      readIf(*If);
    } else if (isLoop(S)) {
      readLoop(S);
    } else if (const auto *Declaration = dyn_cast<DeclStmt>(&S)) {
      beginStep(S, InBlock);
      for (const Decl *D : Declaration->decls())
        readDeclaration(*D);
      endStep();
    } else if (const auto *E = dyn_cast<Expr>(&S)) {
      readExpressionStatement(*E, InBlock);
    } else if (isa<BreakStmt, ContinueStmt>(S)) {
      Certain = false;
    } else if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(S)) {
      refuse(ReasonId::Jump, S.getBeginLoc());
    } else if (!isa<NullStmt>(S)) {
      refuse(ReasonId::HostStatement, S.getBeginLoc());
    }
  }

  /// The runtime's call that \p Body begins with, and what looks at its result.
  ErrorCheck runtimeCheck(llvm::ArrayRef<const Stmt *> Body) const {
    const Stmt &First = *Body.front();
    const bool IsUsersBlock =
        isa<CompoundStmt>(First) && First.getBeginLoc().isFileID();
    return IsUsersBlock ? ErrorCheck() : readErrorCheck(Body, Context);
  }

  /// Variables for errors move with their checks: nothing else in the loop may
  /// ask them. Behind the loop they must be what they were.
  void checkResults() {
    for (const auto &[Var, Uses] : UsesInChecks)
      if (countUses(*Var, *Result.Loop) != Uses)
        refuse(ReasonId::HostStatement, Var->getLocation());
    // What the loop changes has another value behind it.
    for (const DeclRefExpr *Ref : MovedReads)
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
          Var && Writes.contains(Var))
        refuse(ReasonId::HostStatement, Ref->getBeginLoc());
    // Where the host never waits, the loop runs as it was.
    const bool WaitsOnce = llvm::count_if(Result.Actions, [](const auto &A) {
                             return A.waits();
                           }) == 1;
    for (const auto &[Index, G] : GuardedChecks)
      if (const LoopAction &A = Result.Actions[Index];
          !mayVary(G) && !(WaitsOnce && A.waits()))
        refuse(ReasonId::HostStatement, A.Call->getBeginLoc());
    const bool AsksEntry = Result.Entry.Always || Result.Entry.Condition;
    for (const auto &[Var, Index] : AssignedInChecks) {
      LoopAction &A = Result.Actions[Index];
      if (Variables.isShared(*Var))
        refuse(ReasonId::SharedVariable, A.Statement->getBeginLoc());
      if (!Variables.livesOn(*Var, *Result.Loop))
        continue;
      A.OnlyOnEntry = true;
      if (!A.Certain || !A.isHoisted() || !AsksEntry)
        refuse(ReasonId::HostStatement, A.Statement->getBeginLoc());
    }
  }

  /// What must be, or must not be, for a statement of the loop to run.
  struct Guard {
    const Expr *Condition = nullptr; ///< Null: a loop within has iterations.
    bool Is = true;
  };

  /// \p G may hold in one iteration and not in another one, or holds in all.
  bool mayVary(const Guard &G) const {
    return G.Condition && (constantCondition(G.Condition, Context) == G.Is ||
                           holds(G.Condition, [&](const Stmt &S) {
                             const auto *Ref = dyn_cast<DeclRefExpr>(&S);
                             const auto *Var =
                                 Ref ? dyn_cast<VarDecl>(Ref->getDecl())
                                     : nullptr;
                             return Var && Writes.contains(Var);
                           }));
  }

  /// Adds each part of \p Condition that has to be, or must not be.
  void addGuards(const Expr &Condition, bool Is) {
    const Expr &Plain = *Condition.IgnoreParenImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(&Plain);
    const auto *Not = dyn_cast<UnaryOperator>(&Plain);
    if (Op && Op->getOpcode() == (Is ? BO_LAnd : BO_LOr)) {
      addGuards(*Op->getLHS(), Is);
      addGuards(*Op->getRHS(), Is);
    } else if (Not && Not->getOpcode() == UO_LNot) {
      addGuards(*Not->getSubExpr(), !Is);
    } else {
      Guards.push_back({&Condition, Is});
    }
  }

  /// Reads \p Branch of an `if`.
  void readBranch(const Stmt &Branch, const Expr &Condition, bool Is) {
    const size_t Around = Guards.size();
    const SaveAndRestore OnCondition(UnderCondition, true);
    addGuards(Condition, Is);
    readStatement(Branch, /*InBlock=*/false);
    Guards.resize(Around);
  }

  static bool leavesIteration(const Stmt *S) {
    return S && holds(S, [](const Stmt &Part) {
             return isa<BreakStmt, ContinueStmt>(Part);
           });
  }

  static unsigned countUses(const VarDecl &Var, const Stmt &In) {
    unsigned Count = 0;
    (void)holds(&In, [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      Count += Ref && Ref->getDecl() == &Var;
      return false;
    });
    return Count;
  }

  void readIf(const IfStmt &If) {
    // What is constant here may be a parameter of the kernel.
    if (If.getInit() || If.getConditionVariable() || If.isConsteval() ||
        If.isConstexpr())
      return void(refuse(ReasonId::HostStatement, If.getBeginLoc()));
    readControl(*If.getCond());
    {
      const SaveAndRestore Maybe(Certain, false);
      readBranch(*If.getThen(), *If.getCond(), true);
      if (If.getElse())
        readBranch(*If.getElse(), *If.getCond(), false);
    }
    Certain &= !leavesIteration(&If);
    // To the end of the loop's body.
    if (leavesIteration(If.getThen()))
      addGuards(*If.getCond(), false);
    else if (leavesIteration(If.getElse()))
      addGuards(*If.getCond(), true);
  }

  void readLoop(const Stmt &Loop) {
    if (const auto *For = dyn_cast<ForStmt>(&Loop)) {
      if (For->getConditionVariable())
        return void(refuse(ReasonId::HostStatement, Loop.getBeginLoc()));
      const SaveAndRestore Decides(InControl, true);
      if (const auto *Declaration =
              dyn_cast_or_null<DeclStmt>(For->getInit())) {
        for (const Decl *D : Declaration->decls())
          readDeclaration(*D);
      } else if (For->getInit()) {
        readValue(*cast<Expr>(For->getInit()));
      }
      if (For->getInc())
        readValue(*For->getInc());
    } else if (const auto *While = dyn_cast<WhileStmt>(&Loop);
               (While && While->getConditionVariable()) ||
               isa<CXXForRangeStmt>(Loop)) {
      return void(refuse(ReasonId::HostStatement, Loop.getBeginLoc()));
    }
    if (const Expr *Condition = conditionOf(Loop)) {
      Conditions.push_back(Condition);
      readControl(*Condition);
    }
    const SaveAndRestore OfBody(Certain, &Loop == Result.Loop ||
                                             (Certain && entryOf(Loop).Always));
    const size_t Around = Guards.size();
    // What comes with a launch comes wherever that does.
    if (&Loop != Result.Loop && !entryOf(Loop).Always &&
        !holds(&Loop, [](const Stmt &S) { return isa<CUDAKernelCallExpr>(S); }))
      Guards.push_back({});
    readStatement(*bodyOf(Loop), /*InBlock=*/false);
    Guards.resize(Around);
  }

  void readControl(const Expr &E) {
    const SaveAndRestore Decides(InControl, true);
    readValue(E);
  }

  void readDeclaration(const Decl &D) {
    const auto *Var = dyn_cast<VarDecl>(&D);
    if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType() ||
        !isPlainData(Var->getType(), Context))
      return void(refuse(ReasonId::HostVariable, D.getLocation()));
    if (hidesDeviceName(*Var))
      return void(refuse(ReasonId::NameClash, D.getLocation()));
    if (facts::dependsOnPlace(*Var, SM))
      return void(refuse(ReasonId::PlaceDependent, D.getLocation()));
    Locals.insert(Var);
    note(*Var, /*Write=*/true);
    if (!Var->getInit())
      return;
    const bool IsHosts = callsHost(*Var->getInit());
    if (IsHosts)
      OfHost.push_back(Var);
    const SaveAndRestore OnHost(Capturing, Capturing && !IsHosts);
    if (Var->getInitStyle() == VarDecl::ListInit)
      readBraced(*Var->getInit());
    else
      readValue(*Var->getInit());
  }

  void readExpressionStatement(const Expr &E, bool InBlock) {
    const Expr *Plain = withoutCleanups(E);
    const auto *Call = dyn_cast<CallExpr>(Plain);
    if (!Call || isa<CXXOperatorCallExpr>(Call)) {
      beginStep(E, InBlock);
      readValue(E);
      return endStep();
    }
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(Call)) {
      Result.Actions.push_back(
          {LoopAction::Launch, &E, InBlock, unsigned(Result.Launches.size())});
      return readLaunch(*Launch);
    }
    switch (classifyHostCall(*Call, SM)) {
    case HostCallKind::Swap:
      Result.Actions.push_back({LoopAction::Swap, &E, InBlock, 0, Call});
      beginStep(E, InBlock);
      for (const Expr *Arg : Call->arguments())
        if (readValue(*Arg))
          readWrite(*Arg);
      return endStep();
    case HostCallKind::Timing:
      return void(refuse(ReasonId::Timing, E.getBeginLoc()));
    default:
      return void(refuseCall(*Call));
    }
  }

  bool refuseCall(const CallExpr &Call) {
    const Stmt &S = Call;
    const ReasonId Id =
        isa<CUDAKernelCallExpr>(Call)
            ? ReasonId::LaunchInExpression
            : Hidden.reasonAgainst(Call).value_or(ReasonId::HostCall);
    return refuse(Id, S.getBeginLoc());
  }

  /// \p Body is what \p Check consists of.
  void readRuntimeCall(llvm::ArrayRef<const Stmt *> Body,
                       const ErrorCheck &Check, bool InBlock) {
    const CallExpr &Call = *Check.Call;
    const std::optional<LoopAction::KindTy> Kind = readRuntimeCall(Call);
    if (!Kind)
      return;
    LoopAction A = {*Kind, Body.front(), InBlock, 0, &Call};
    if (Body.size() > 1)
      A.Last = Body.back();
    A.Certain = Certain;
    A.OnlyOnEntry = Kind == LoopAction::Synchronise;
    // Behind the loop it would wait even where the host never did.
    if (Kind == LoopAction::Synchronise && UnderCondition)
      refuse(ReasonId::HostStatement, Call.getBeginLoc());
    if (A.isChecked())
      for (const Guard &G : Guards)
        GuardedChecks.push_back({Result.Actions.size(), G});
    for (const VarDecl *Var : Check.Assigned)
      AssignedInChecks.push_back({Var, Result.Actions.size()});
    Result.Actions.push_back(A);
    for (const Stmt *S : Body) {
      if (A.isHoisted())
        checkMovesOut(*S);
      else
        checkMovesOut(*S, &Call);
      for (const auto &Variables : {Check.Declared, Check.Assigned})
        for (const VarDecl *Var : Variables)
          UsesInChecks[Var] += countUses(*Var, *S);
    }
    OfChecks.insert_range(Check.Declared);
  }

  std::optional<LoopAction::KindTy> readRuntimeCall(const CallExpr &Call) {
    switch (classifyHostCall(Call, SM)) {
    case HostCallKind::Copy:
      return readCopy(Call);
    case HostCallKind::Fill:
      if (!readFill(Call))
        return std::nullopt;
      return LoopAction::Fill;
    case HostCallKind::Synchronise:
      Result.Waits = true;
      for (const Expr *Arg : Call.arguments())
        readOutside(*Arg);
      return LoopAction::Synchronise;
    default:
      return LoopAction::Query;
    }
  }

  /// Behind the loop, its own variables are gone, and what another check
  /// declares. A label or a static variable cannot be there twice. \p Left
  /// stays where it is.
  void checkMovesOut(const Stmt &S, const Stmt *Left = nullptr) {
    if (&S == Left)
      return;
    if (isa<LabelStmt>(S) || declaresStatic(S))
      refuse(ReasonId::HostStatement, S.getBeginLoc());
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
      MovedReads.push_back(Ref);
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (Locals.contains(Var) || OfChecks.contains(Var))
        refuse(ReasonId::HostStatement, S.getBeginLoc());
    }
    for (const Stmt *Child : S.children())
      if (Child)
        checkMovesOut(*Child, Left);
  }

  static bool declaresStatic(const Stmt &S) {
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    return Declaration && llvm::any_of(Declaration->decls(), [](const Decl *D) {
             const auto *Var = dyn_cast<VarDecl>(D);
             return Var && Var->isStaticLocal();
           });
  }

  /// When \p Loop runs its body, as far as can be asked before it.
  LoopEntry entryOf(const Stmt &Loop) const {
    LoopEntry Entry;
    const Expr *Condition = conditionOf(Loop);
    const auto *For = dyn_cast<ForStmt>(&Loop);
    Entry.Always = isa<DoStmt>(Loop) || !Condition;
    if (Entry.Always || Condition->HasSideEffects(Context) ||
        (For && For->getInit() && !addFirstValues(*For->getInit(), Entry)))
      return Entry;
    Entry.Condition = Condition;
    Entry.Always = holdsAtFirst(*Condition, Entry);
    return Entry;
  }

  /// The values that \p Init, of a for loop, gives to variables.
  bool addFirstValues(const Stmt &Init, LoopEntry &Entry) const {
    const auto Add = [&](const VarDecl *Var, const Expr *Value) {
      // `int i = 0, j = i`: outside of the loop there is no i.
      const bool Refers = Value && isa<DeclStmt>(Init) &&
                          llvm::any_of(Entry.First, [&](const auto &Earlier) {
                            return countUses(*Earlier.first, *Value) > 0;
                          });
      if (!Var || !Value || Refers || Value->HasSideEffects(Context) ||
          !Var->getType()->isScalarType())
        return false;
      Entry.First.push_back({Var, Value});
      return true;
    };
    if (const auto *Declaration = dyn_cast<DeclStmt>(&Init))
      return llvm::all_of(Declaration->decls(), [&](const Decl *D) {
        const auto *Var = dyn_cast<VarDecl>(D);
        return Add(Var, Var ? Var->getInit() : nullptr);
      });
    const auto *Op = dyn_cast<BinaryOperator>(&Init);
    const auto *Ref = Op && Op->getOpcode() == BO_Assign
                          ? dyn_cast<DeclRefExpr>(Op->getLHS())
                          : nullptr;
    return Ref && Add(dyn_cast<VarDecl>(Ref->getDecl()), Op->getRHS());
  }

  /// Compares constants, of which none is negative.
  bool holdsAtFirst(const Expr &Condition, const LoopEntry &Entry) const {
    const auto Constant = [&](const Expr &E) {
      const Expr *Plain = E.IgnoreParenImpCasts();
      for (const auto &[Var, Value] : Entry.First)
        if (const auto *Ref = dyn_cast<DeclRefExpr>(Plain);
            Ref && Ref->getDecl() == Var)
          Plain = Value;
      Expr::EvalResult Result;
      return Plain->EvaluateAsInt(Result, Context) &&
                     !Result.Val.getInt().isNegative()
                 ? std::optional(Result.Val.getInt())
                 : std::nullopt;
    };
    const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
    if (!Op || !Op->isRelationalOp())
      return false;
    const auto Left = Constant(*Op->getLHS()), Right = Constant(*Op->getRHS());
    if (!Left || !Right)
      return false;
    const int Order = llvm::APSInt::compareValues(*Left, *Right);
    switch (Op->getOpcode()) {
    case BO_LT:
      return Order < 0;
    case BO_LE:
      return Order <= 0;
    case BO_GT:
      return Order > 0;
    default:
      return Order >= 0;
    }
  }

  void beginStep(const Stmt &S, bool InBlock) {
    Result.Steps.push_back({&S, InBlock, {}, {}});
    InStep = true;
  }
  void endStep() { InStep = false; }

  //===--- Copies ---------------------------------------------------------===//

  /// A copy of one variable, or within the device.
  std::optional<LoopAction::KindTy> readCopy(const CallExpr &Call) {
    const bool Async = Call.getNumArgs() == 5;
    const Expr &To = *Call.getArg(0), &From = *Call.getArg(1);
    Expr::EvalResult Kind;
    if (!Call.getArg(3)->EvaluateAsInt(Kind, Context))
      return refuseCopy(Call);
    // The values of cudaMemcpyKind.
    switch (Kind.Val.getInt().getZExtValue()) {
    case 1:
      if (Async || !readOneValue(To, From, *Call.getArg(2)))
        return refuseCopy(Call);
      Streams.push_back({&Call, nullptr});
      Targets.push_back(To.IgnoreParenImpCasts());
      // Memory of the host that is not pinned waits for the stream.
      Result.Waits = true;
      return LoopAction::Upload;
    case 2:
      if (Async || !readOneValue(From, To, *Call.getArg(2)))
        return refuseCopy(Call);
      Streams.push_back({&Call, nullptr});
      Result.Waits = Result.ReadsBack = true;
      Flags.push_back(From.IgnoreParenImpCasts());
      readWrite(*addressed(To));
      addFilled(*addressed(To), Call);
      return LoopAction::ReadBack;
    case 3:
      readStream(Call, Async ? Call.getArg(4) : nullptr);
      if (!readOnDevice(To) || !readOnDevice(From) ||
          !readValue(*Call.getArg(2)))
        return refuseCopy(Call);
      Targets.push_back(To.IgnoreParenImpCasts());
      if (!Async)
        Fills.push_back(&Call);
      return LoopAction::Copy;
    default:
      return refuseCopy(Call);
    }
  }

  /// \p Target gets its value from the device, after all else that \p Call
  /// looks at.
  void addFilled(const Expr &Target, const CallExpr &Call) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Target.IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && countUses(*Var, Call) == 1)
      Filled.insert(Ref);
  }

  std::optional<LoopAction::KindTy> refuseCopy(const CallExpr &Call) {
    refuse(ReasonId::HostCopy, Call.getBeginLoc());
    return std::nullopt;
  }

  bool readFill(const CallExpr &Call) {
    const bool Async = Call.getNumArgs() == 4;
    readStream(Call, Async ? Call.getArg(3) : nullptr);
    Targets.push_back(Call.getArg(0)->IgnoreParenImpCasts());
    if (!Async)
      Fills.push_back(&Call);
    return (readOnDevice(*Call.getArg(0)) && readValue(*Call.getArg(1)) &&
            readValue(*Call.getArg(2))) ||
           refuse(ReasonId::HostCopy, Call.getBeginLoc());
  }

  /// Asked for few loops, and then often.
  const UnitUses &unitUses() const {
    if (!Uses)
      Uses.emplace(Context);
    return *Uses;
  }

  /// The host may reach what is there, and then waits for a fill: it is not
  /// from cudaMalloc in this function, and the unit has memory of that kind, or
  /// a function that is not seen may have made it.
  bool mayBeShared(const Expr &Pointer) const {
    const auto IsManaged = [&](const Stmt &S) {
      const auto *Call = dyn_cast<CallExpr>(&S);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      return Callee && Callee->getIdentifier() &&
             Callee->getName() == "cudaMallocManaged";
    };
    const DeviceAllocations Memory(*Result.Function);
    const bool IsOwn = Memory.reachesOnlyOwn(Pointer) &&
                       !holds(Result.Function->getBody(), IsManaged);
    return !IsOwn &&
           (unitUses().sharesMemory() || Memory.comesFromUnseen(Pointer));
  }

  /// Of a copy, which must be the launches'.
  void readStream(const CallExpr &Copy, const Expr *Stream) {
    if (Stream)
      readOutside(*Stream);
    Streams.push_back({&Copy, Stream});
  }

  /// The local variable whose address \p E is, or null.
  static const Expr *addressed(const Expr &E) {
    const auto *Op = dyn_cast<UnaryOperator>(E.IgnoreParenCasts());
    return Op && Op->getOpcode() == UO_AddrOf &&
                   isa<DeclRefExpr>(Op->getSubExpr()->IgnoreParens())
               ? Op->getSubExpr()->IgnoreParens()
               : nullptr;
  }

  /// A pointer into device memory that some launch of the loop takes, too.
  bool readOnDevice(const Expr &Pointer) {
    Buffers.push_back(Pointer.IgnoreParenImpCasts());
    return readValue(*Pointer.IgnoreImpCasts());
  }

  /// All \p Bytes of the variable at \p Host, and a value of its type on the
  /// device.
  bool readOneValue(const Expr &Device, const Expr &Host, const Expr &Bytes) {
    const Expr *Variable = addressed(Host);
    const QualType Pointee =
        Device.IgnoreParenImpCasts()->getType()->getPointeeType();
    Expr::EvalResult Size;
    return Variable && !Pointee.isNull() &&
           // An array has no assignment.
           !Pointee->isArrayType() &&
           Context.hasSameUnqualifiedType(Pointee, Variable->getType()) &&
           !Pointee.isVolatileQualified() &&
           hasAssignment(Variable->getType(), Context) &&
           Bytes.EvaluateAsInt(Size, Context) &&
           Size.Val.getInt().getZExtValue() ==
               uint64_t(Context.getTypeSizeInChars(Pointee).getQuantity()) &&
           readValue(*Variable) && readOnDevice(Device);
  }

  //===--- Launches -------------------------------------------------------===//

  void readLaunch(const CUDAKernelCallExpr &Call) {
    const LoopLaunch Launch = launchOf(Call);
    if (!Call.getDirectCallee())
      return void(refuse(ReasonId::KernelPointer, Call.getBeginLoc()));
    if (!Launch.Kernel)
      return void(refuse(ReasonId::KernelNotVisible, Call.getBeginLoc()));
    if (!Launch.Callee)
      return void(refuse(ReasonId::HostStatement, Call.getBeginLoc()));
    if (facts::dependsOnPlace(*Launch.Callee, SM))
      refuse(ReasonId::PlaceDependent, Call.getBeginLoc());
    const SaveAndRestore NoWrites(InArguments, true);
    for (const Expr *Arg : Call.arguments())
      if (!isa<CXXDefaultArgExpr>(Arg))
        readValue(*Arg);
      else if (!defaultInteger(*Arg, Context))
        refuse(ReasonId::DefaultArgument, Call.getBeginLoc());
      else if (facts::dependsOnPlace(*Arg, SM))
        refuse(ReasonId::PlaceDependent, Call.getBeginLoc());
    for (const Expr *E : {Launch.SharedBytes, Launch.Stream})
      if (E)
        readOutside(*E);
    const SaveAndRestore OnHost(Capturing, false);
    readValue(*Launch.Grid);
    readValue(*Launch.Block);
    Result.Launches.push_back(Launch);
  }

  //===--- Values ---------------------------------------------------------===//

  /// An expression that the host evaluates once, before the loop.
  void readOutside(const Expr &E) {
    const SaveAndRestore OnHost(Capturing, false);
    const SaveAndRestore NoWrites(InArguments, true);
    readValue(E);
    Outside.push_back(&E);
  }

  /// The innermost part of \p S that depends on its place.
  const Stmt &dependentPart(const Stmt &S) const {
    const auto Inner = llvm::find_if(S.children(), [&](const Stmt *Child) {
      return Child && facts::dependsOnPlace(*Child, SM);
    });
    return Inner != S.child_end() ? dependentPart(**Inner) : S;
  }

  /// Sees to it that the device computes the same value as the host.
  bool readValue(const Expr &Whole) {
    const Expr &E = *Whole.IgnoreParens();
    if (facts::dependsOnPlace(E, SM))
      return refuse(ReasonId::PlaceDependent, dependentPart(E).getBeginLoc());
    if (isa<IntegerLiteral, CXXBoolLiteralExpr, CharacterLiteral,
            FloatingLiteral, CXXNullPtrLiteralExpr, GNUNullExpr,
            ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
      return true;
    if (const auto *Constant = dyn_cast<ConstantExpr>(&E);
        Constant && isComputedByCompiler(*Constant))
      return true;
    if (const auto *Full = dyn_cast<FullExpr>(&E))
      return readValue(*Full->getSubExpr());
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(&E))
      return readValue(*Temporary->getSubExpr());
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
      return readValue(*Default->getExpr());
    if (const auto *Argument = dyn_cast<SubstNonTypeTemplateParmExpr>(&E))
      return readValue(*Argument->getReplacement());
    if (const auto *Braces = dyn_cast<CXXFunctionalCastExpr>(&E);
        Braces && Braces->isListInitialization() &&
        !readBraced(*Braces->getSubExpr()))
      return false;
    if (const auto *Cast = dyn_cast<CastExpr>(&E))
      return readCast(*Cast);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
      return readReference(*Ref);
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return readMember(*Member);
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&E))
      return readElement(*Element);
    if (const auto *Op = dyn_cast<UnaryOperator>(&E))
      return readUnary(*Op);
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return readBinary(*Op);
    if (const auto *Op = dyn_cast<ConditionalOperator>(&E))
      return readValue(*Op->getCond()) && readValue(*Op->getTrueExpr()) &&
             readValue(*Op->getFalseExpr());
    if (const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(&E))
      return readSize(*Trait);
    if (const auto *List = dyn_cast<InitListExpr>(&E))
      return isPlainData(List->getType(), Context)
                 ? llvm::all_of(List->inits(),
                                [&](const Expr *I) { return readBraced(*I); })
                 : refuse(ReasonId::HostVariable, E.getBeginLoc());
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E))
      return readConstruction(*Construct);
    if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E);
        Call && isTrivialCopy(*Call))
      return readValue(*Call->getArg(1)) && readValue(*Call->getArg(0)) &&
             readWrite(*Call->getArg(0));
    if (const auto *Call = dyn_cast<CallExpr>(&E))
      return readCall(*Call);
    return refuse(ReasonId::HostStatement, E.getBeginLoc());
  }

  /// A call of a `consteval` function: the same number wherever it stands. A
  /// constant of this function's would be a parameter of the kernel.
  static bool isComputedByCompiler(const ConstantExpr &E) {
    const auto *Call = E.isImmediateInvocation()
                           ? dyn_cast<CallExpr>(E.getSubExpr()->IgnoreParens())
                           : nullptr;
    return Call && Call->getType()->isArithmeticType() &&
           !isa_and_nonnull<CXXMethodDecl>(Call->getDirectCallee()) &&
           !holds(Call, [](const Stmt &S) {
             const auto *Ref = dyn_cast<DeclRefExpr>(&S);
             // A default argument may ask where the call stands.
             return isa<CXXDefaultArgExpr, SourceLocExpr>(S) ||
                    (Ref && isa<VarDecl>(Ref->getDecl()));
           });
  }

  /// `v.x`, which is a part of v and no reference to something else. A friend's
  /// rights stay where it is.
  bool readMember(const MemberExpr &Member) {
    const auto *Field = dyn_cast<FieldDecl>(Member.getMemberDecl());
    if (!Field || Member.isArrow() || Field->getType()->isReferenceType())
      return refuse(ReasonId::HostMemory, Member.getBeginLoc());
    if (Field->getAccess() == AS_private || Field->getAccess() == AS_protected)
      return refuse(ReasonId::LocalName, Member.getBeginLoc());
    return readValue(*Member.getBase());
  }

  /// `v[i]` of an array that is a variable, or a part of one. What a pointer
  /// reaches is the host's, but a few elements can be copied.
  bool readElement(const ArraySubscriptExpr &Element) {
    if (const DeclRefExpr *Pointer = pointerOf(Element);
        Pointer && Capturing && !InControl) {
      const auto *Var = cast<VarDecl>(Pointer->getDecl());
      if (!Element.getType()->isScalarType() ||
          !isPlainData(Element.getType(), Context))
        return refuse(ReasonId::HostVariable, Element.getBeginLoc());
      ElementReads[Var].push_back(&Element);
      return readReference(*Pointer) && readValue(*Element.getIdx());
    }
    const auto *Decay =
        dyn_cast<ImplicitCastExpr>(Element.getBase()->IgnoreParens());
    if (!variableOf(Element) || !Decay || Element.getBase() != Element.getLHS())
      return refuse(ReasonId::HostMemory, Element.getBeginLoc());
    return readValue(*Decay->getSubExpr()) && readValue(*Element.getIdx());
  }

  /// `p` of `p[i]`, where it is a local variable from outside of the loop.
  const DeclRefExpr *pointerOf(const ArraySubscriptExpr &Element) const {
    const auto *Read = dyn_cast<ImplicitCastExpr>(Element.getBase());
    const auto *Ref =
        Read && Read->getCastKind() == CK_LValueToRValue &&
                Element.getBase() == Element.getLHS()
            ? dyn_cast<DeclRefExpr>(Read->getSubExpr()->IgnoreParens())
            : nullptr;
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Var && Var->hasLocalStorage() && Var->getType()->isPointerType() &&
                   !Locals.contains(Var)
               ? Ref
               : nullptr;
  }

  /// Within braces, a constant may become a narrower type; a parameter, which
  /// it would be, may not.
  bool readBraced(const Expr &E) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(E.IgnoreParens());
    const bool Converts =
        Cast && !llvm::is_contained({CK_LValueToRValue, CK_NoOp,
                                     CK_ArrayToPointerDecay, CK_NullToPointer},
                                    Cast->getCastKind());
    if (Capturing && Converts && holds(Cast, [&](const Stmt &S) {
          const auto *Ref = dyn_cast<DeclRefExpr>(&S);
          const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
          return Var && !Locals.contains(Var) &&
                 Var->getType().isConstQualified() && !isNamedDirectly(*Var);
        }))
      return refuse(ReasonId::LocalName, E.getBeginLoc());
    return readValue(E);
  }

  /// Of a variable's size, too, the device has to know the variable.
  bool readSize(const UnaryExprOrTypeTraitExpr &Trait) {
    const QualType Type = Trait.getTypeOfArgument();
    if (Type->isVariableArrayType() || (Capturing && holdsLongDouble(Type)))
      return refuse(ReasonId::HostStatement, Trait.getBeginLoc());
    return Trait.isArgumentType() ||
           !holds(Trait.getArgumentExpr(), [&](const Stmt &S) {
             // The kernel's array has elements, and is no pointer.
             const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
             if (Cast && Cast->getCastKind() == CK_ArrayToPointerDecay &&
                 !isa_and_nonnull<ArraySubscriptExpr>(parentOf(*Cast, Context)))
               return !refuse(ReasonId::HostMemory, Cast->getBeginLoc());
             const auto *Ref = dyn_cast<DeclRefExpr>(&S);
             return Ref && isa<VarDecl>(Ref->getDecl()) && !readReference(*Ref);
           });
  }

  /// `a = b` of plain data.
  bool isTrivialCopy(const CXXOperatorCallExpr &Call) const {
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getCalleeDecl());
    return Call.getOperator() == OO_Equal && Method && Method->isTrivial() &&
           !facts::hasAssignmentTemplate(*Method->getParent()) &&
           isPlainData(Call.getArg(0)->getType(), Context);
  }

  /// The host alone may call whatever only computes.
  bool readCall(const CallExpr &Call) {
    if (!readKnownCall(Call) && (Capturing || !returnedValue(Call)))
      return refuseCall(Call);
    return llvm::all_of(Call.arguments(),
                        [&](const Expr *Arg) { return readValue(*Arg); });
  }

  /// A function that the device has, too, with the same results.
  bool readKnownCall(const CallExpr &Call) {
    switch (classifyHostCall(Call, SM)) {
    case HostCallKind::Rounding:
      // Of whole numbers, a template of the host's would be called.
      return Call.getNumArgs() == 1 &&
             Call.getArg(0)->getType()->isFloatingType() &&
             isPlainData(Call.getArg(0)->getType(), Context) &&
             checkFloating(Call, Call.getArg(0)->getType());
    case HostCallKind::Extremum: {
      if (!Call.getDirectCallee()->isInStdNamespace())
        return true;
      const auto *Callee =
          dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
      if (!Callee || Callee->getBeginLoc().isMacroID() ||
          Callee->getLocation().isMacroID())
        return false;
      if (Capturing)
        Result.StdExtrema.push_back(Callee);
      return true;
    }
    default:
      return false;
    }
  }

  /// What a function returns that does nothing but compute it from its
  /// arguments; null for other functions.
  const Expr *returnedValue(const CallExpr &Call) const {
    const FunctionDecl *Callee = Call.getDirectCallee();
    Callee = Callee ? Callee->getDefinition() : nullptr;
    const auto *Body =
        Callee ? dyn_cast_or_null<CompoundStmt>(Callee->getBody()) : nullptr;
    const auto *Return = Body && Body->size() == 1
                             ? dyn_cast<ReturnStmt>(Body->body_front())
                             : nullptr;
    const Expr *Value = Return ? Return->getRetValue() : nullptr;
    // Of the arguments alone: what memory holds may change in the loop, or be
    // there only if the loop runs.
    const auto Known = [&](const Expr &Part) -> std::optional<bool> {
      const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      if (Var && !isa<ParmVarDecl>(Var) &&
          (Var->getType()->isReferenceType() ||
           !Var->isUsableInConstantExpressions(Context)))
        return false;
      return std::nullopt;
    };
    return Value && !isa<CXXMethodDecl>(Callee) &&
                   facts::isPure(*Value, {facts::PureReach::Parts, Known})
               ? Value
               : nullptr;
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
    case CK_PointerToBoolean:
    case CK_ConstructorConversion:
    case CK_FloatingCast:
    case CK_FloatingToBoolean:
      return isPlainData(Cast.getType(), Context)
                 ? readValue(*Cast.getSubExpr()) && checkConversion(Cast)
                 : refuse(ReasonId::HostVariable, Cast.getBeginLoc());
    default:
      return refuse(ReasonId::HostStatement, Cast.getBeginLoc());
    }
  }

  /// Denormal numbers come out of these, or go in.
  bool checkConversion(const CastExpr &Cast) {
    if (Cast.getCastKind() == CK_FloatingCast)
      return checkFloating(Cast, Cast.getType()) &&
             checkFloating(Cast, Cast.getSubExpr()->getType());
    return Cast.getCastKind() != CK_FloatingToBoolean ||
           checkFloating(Cast, Cast.getSubExpr()->getType());
  }

  bool readConstruction(const CXXConstructExpr &Construct) {
    const CXXConstructorDecl &Constructor = *Construct.getConstructor();
    const bool NeedsNoCode =
        Constructor.isTrivial() && (Constructor.isCopyOrMoveConstructor() ||
                                    Constructor.isDefaultConstructor());
    if (!isPlainData(Construct.getType(), Context) ||
        !(NeedsNoCode || isDim3(*Constructor.getParent(), SM)))
      return refuse(ReasonId::HostVariable, Construct.getBeginLoc());
    return llvm::all_of(Construct.arguments(), [&](const Expr *Arg) {
      return Construct.isListInitialization() ? readBraced(*Arg)
                                              : readValue(*Arg);
    });
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
      return readValue(*Op.getSubExpr()) && checkFloating(Op, Op.getType()) &&
             readWrite(*Op.getSubExpr());
    case UO_AddrOf:
      // `&p[i]` is `p + i`.
      if (const auto *Element =
              dyn_cast<ArraySubscriptExpr>(Op.getSubExpr()->IgnoreParens()))
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
    const bool Computes = Op.isMultiplicativeOp() || Op.isAdditiveOp() ||
                          Op.isComparisonOp() || Op.isCompoundAssignmentOp();
    return readValue(*Op.getLHS()) && readValue(*Op.getRHS()) &&
           (!Computes || checkFloating(Op, computedType(Op))) &&
           (!isMultiplication(Op) || checkNoProduct(Op)) &&
           (!Op.isAssignmentOp() || readWrite(*Op.getLHS()));
  }

  /// Host and device do the same to numbers of \p Type: IEEE 754's operations,
  /// but where either build may flush, approximate or reorder.
  bool checkFloating(const Expr &Whole, QualType Type) {
    const bool IsSingle = Type->isSpecificBuiltinType(BuiltinType::Float);
    return !Capturing || !Type->isFloatingType() ||
           !(Context.getLangOpts().FastMath || (IsSingle && FastMath) ||
             !Unit.HostFloatOption.empty() ||
             unitUses().setsFloatingEnvironment()) ||
           refuse(ReasonId::FloatArithmetic, Whole.getBeginLoc());
  }

  static QualType computedType(const BinaryOperator &Op) {
    const auto *Compound = dyn_cast<CompoundAssignOperator>(&Op);
    return Compound ? Compound->getComputationLHSType()
                    : Op.getLHS()->getType();
  }

  static bool isMultiplication(const BinaryOperator &Op) {
    return Op.getOpcode() == BO_Mul || Op.getOpcode() == BO_MulAssign;
  }

  /// Whatever adds a product may be contracted, the kernel's statements too.
  bool checkNoProduct(const BinaryOperator &Op) {
    return !Capturing || !computedType(Op)->isFloatingType() ||
           refuse(ReasonId::FloatArithmetic, Op.getBeginLoc());
  }

  /// A constant that kernels know as well.
  bool isNamedDirectly(const VarDecl &Var) const {
    return !Var.isLocalVarDeclOrParm() &&
           Var.isUsableInConstantExpressions(Context) &&
           Var.getType()->isIntegralOrEnumerationType();
  }

  bool readReference(const DeclRefExpr &Ref) {
    if (isa<EnumConstantDecl>(Ref.getDecl()))
      return true;
    const auto *Var = dyn_cast<VarDecl>(Ref.getDecl());
    if (!Var)
      return refuse(ReasonId::HostStatement, Ref.getBeginLoc());
    if (facts::isInitialisedByUse(*Var))
      return refuse(ReasonId::HostStatement, Ref.getBeginLoc());
    note(*Var, /*Write=*/false);
    if (Locals.contains(Var))
      return true;
    if (isNamedDirectly(*Var))
      return true;
    Reads.insert({Var, &Ref});
    // Nothing in the loop calls what might change it.
    if (!Var->hasLocalStorage() &&
        (Var->hasAttr<CUDADeviceAttr>() || Var->hasAttr<CUDAConstantAttr>()))
      return refuse(ReasonId::GlobalVariable, Ref.getBeginLoc());
    const QualType Type = Var->getType().getNonReferenceType();
    if (!isPlainData(Type, Context) && !isPlainArray(Type, Context))
      return refuse(ReasonId::HostVariable, Ref.getBeginLoc());
    if (!Capturing)
      return true;
    if (!isNamedOutside(copyType(*Var)) ||
        !facts::isNamedByAnyone(copyType(*Var)))
      return refuse(ReasonId::LocalName, Ref.getBeginLoc());
    if (hidesDeviceName(*Var))
      return refuse(ReasonId::NameClash, Ref.getBeginLoc());
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
    const auto *Var = cast<VarDecl>(Ref->getDecl());
    if (!Var->hasLocalStorage())
      return refuse(ReasonId::GlobalVariable, E.getBeginLoc());
    note(*Var, /*Write=*/true);
    Writes.insert({Var, Ref});
    return true;
  }

  /// What statements do to variables, and what decides whether they run.
  void note(const VarDecl &Var, bool Write) {
    if (InControl)
      Result.Control.insert(&Var);
    else if (InStep)
      (Write ? Result.Steps.back().Writes : Result.Steps.back().Reads)
          .push_back(&Var);
  }

  //===--- The whole loop -------------------------------------------------===//

  /// Of arrays known by pointers the kernel gets copies of elements. They are
  /// made before the loop, if that runs, and stay true: the loop's statements
  /// change nothing but variables of which no address is known; what a kernel
  /// writes the host may read only after it has waited.
  void checkElements() {
    for (const auto &[Var, Reads] : ElementReads) {
      const bool IsAsked = Result.Entry.Always || Result.Entry.Condition;
      const bool IsKept =
          !Writes.contains(Var) && !Variables.isShared(*Var) &&
          Variables.hasValueBefore(*Var, *Result.Loop) &&
          countUses(*Var, *Result.Loop) == Reads.size() &&
          (!Result.Waits || !mayWriteElements(Reads.front()->getType()));
      const unsigned Count =
          IsAsked && IsKept
              ? countElementsRead(*Var, Reads, *Result.Loop, Variables, Context)
              : 0;
      if (Count == 0)
        refuse(ReasonId::HostMemory, Reads.front()->getBeginLoc());
      else
        Result.Elements[Var] = Count;
    }
  }

  /// The loop may write elements of \p Type, which the host reads. An object
  /// that is a pointer is not written as anything else ([basic.lval]).
  bool mayWriteElements(QualType Type) const {
    const bool MayWriteAddresses =
        !buffersAreOwn() ||
        llvm::any_of(Result.Launches, [&](const LoopLaunch &Launch) {
          return llvm::any_of(
              StepsOf(*Launch.Kernel),
              [](const StepKernel *Step) { return Step->MayWriteAddresses; });
        });
    return (!Type->isPointerType() || MayWriteAddresses) &&
           mayWriteHostMemory();
  }

  void checkVariables() {
    for (const auto &[Var, Ref] : Writes) {
      if (Locals.contains(Var))
        continue;
      Result.Changed.insert(Var);
      if (Var->getType()->isReferenceType() || Variables.isShared(*Var))
        refuse(ReasonId::SharedVariable, Ref->getBeginLoc());
      if (!Variables.livesOn(*Var, *Result.Loop))
        continue;
      Result.LiveOn.insert(Var);
      // The host gets values back one by one.
      if (Result.ReadsBack && !(isPlainData(Var->getType(), Context) &&
                                hasAssignment(Var->getType(), Context)))
        refuse(ReasonId::HostVariable, Ref->getBeginLoc());
    }
    for (const VarDecl *Var : Result.Captures)
      if (Var->hasLocalStorage())
        readValueBefore(*Var);
    checkParameterSize();
    // Where the host waits, the device may have written what it can reach.
    if (!Result.Waits)
      return;
    for (const auto &[Var, Ref] : Reads)
      if (!Var->hasLocalStorage() && !Var->isStaticLocal() &&
          !Var->getType().isConstQualified())
        checkUnreached(*Var, ReasonId::GlobalVariable, *Ref);
      else if (Var->getType()->isReferenceType() || Variables.isShared(*Var))
        checkUnreached(*Var, ReasonId::SharedVariable, *Ref);
  }

  /// Whether \p Var, a capture, has a value before the loop that the loop
  /// needs.
  void readValueBefore(const VarDecl &Var) {
    const bool IsUnset = !Variables.hasValueBefore(Var, *Result.Loop);
    if (IsUnset)
      Result.Unset.insert(&Var);
    // Of arrays and classes all is copied.
    if (!IsUnset && !Var.getType()->isScalarType() &&
        !Variables.isSetBefore(Var, *Result.Loop))
      refuse(ReasonId::UnsetVariable, Reads.lookup(&Var)->getBeginLoc());
    // What has been given a value where it is declared can be copied.
    if (!IsUnset && (isa<ParmVarDecl>(Var) || Var.getInit() ||
                     !Var.getType()->isScalarType()))
      return;
    if (Variables.isSetAnew(Var, *Result.Loop, Filled))
      Result.SetAnew.insert(&Var);
    if (!Variables.mayBeReadFirst(Var, *Result.Loop, Filled))
      Result.NotAsked.insert(&Var);
  }

  /// \p Var keeps its value while the loop runs, though others know of it. What
  /// was launched before does not write it: that would be a race with a read
  /// for which the host has not waited.
  void checkUnreached(const VarDecl &Var, ReasonId Id, const DeclRefExpr &Ref) {
    // The function's own references may be bound to managed memory of its own.
    const bool MayBeOwn =
        Var.getType()->isReferenceType() && Var.isLocalVarDecl();
    if (MayBeOwn || !isReadBeforeWaits(*Result.Loop, Var, Context) ||
        mayWriteHostMemory())
      refuse(Id, Ref.getBeginLoc());
  }

  /// What the loop fills and copies is what the function has allocated.
  bool buffersAreOwn() const {
    const DeviceAllocations Memory(*Result.Function);
    return llvm::all_of(Buffers, [&](const Expr *Buffer) {
      return Memory.reachesOnlyOwn(*Buffer);
    });
  }

  /// The loop may write other memory than what the function has allocated on
  /// the device, variables apart.
  bool mayWriteHostMemory() const {
    const DeviceAllocations Memory(*Result.Function);
    if (!buffersAreOwn())
      return true;
    return llvm::any_of(Result.Launches, [&](const LoopLaunch &Launch) {
      return llvm::any_of(StepsOf(*Launch.Kernel), [&](const StepKernel *Step) {
        return Step->WritesElsewhere.isValid() ||
               llvm::any_of(Step->Written, [&](const ParmVarDecl *Pointer) {
                 return !Memory.reachesOnlyOwn(
                     *Launch.Call->getArg(Pointer->getFunctionScopeIndex()));
               });
      });
    });
  }

  /// At worst each parameter is aligned as the largest.
  void checkParameterSize() {
    uint64_t Bytes = sizeof(uint64_t) * (1 + Result.LiveOn.size());
    for (const LoopLaunch &Launch : Result.Launches)
      Bytes += Launch.GridFromHost ? 4 * sizeof(uint32_t) : 0;
    for (const VarDecl *Var : Result.Captures) {
      const uint64_t Elements = Result.Elements.lookup(Var);
      const auto Info = Context.getTypeInfoInChars(
          Elements ? Var->getType()->getPointeeType() : copyType(*Var));
      Bytes += llvm::alignTo(Info.Width.getQuantity() *
                                 std::max<uint64_t>(Elements, 1),
                             std::max<uint64_t>(Info.Align.getQuantity(), 16));
    }
    if (Bytes > MaxParameterBytes)
      refuse(ReasonId::ParameterSize, Result.Loop->getBeginLoc());
  }

  /// Every buffer that is filled or copied is one that a launch uses, so it is
  /// memory that the device can reach.
  void checkBuffers() {
    for (const Expr *Buffer : Buffers)
      if (llvm::none_of(Result.Launches, [&](const LoopLaunch &Launch) {
            return llvm::any_of(Launch.Call->arguments(), [&](const Expr *Arg) {
              return same(Arg->IgnoreParenImpCasts(), Buffer);
            });
          }))
        refuse(ReasonId::HostCopy, Buffer->getBeginLoc());
  }

  /// The host is to wait once for what it waits for in the loop, and only if it
  /// does there.
  void checkWaits() {
    std::vector<const LoopAction *> Sure, Unsure;
    for (const LoopAction &A : Result.Actions)
      if (A.waits())
        (A.Certain ? Sure : Unsure).push_back(&A);
    const auto IsCovered = [&](const LoopAction *A) {
      return llvm::any_of(
          Sure, [&](const LoopAction *Other) { return covers(*Other, *A); });
    };
    llvm::erase_if(Unsure, IsCovered);
    for (const LoopAction *A : Unsure)
      if (!Sure.empty() || !covers(*A, *Unsure.front()) ||
          !covers(*Unsure.front(), *A))
        refuse(ReasonId::HostStatement, A->Call->getBeginLoc());
    const bool AsksEntry = Result.Entry.Always || Result.Entry.Condition;
    if (!Unsure.empty() || (!Sure.empty() && !AsksEntry))
      Result.Waiting = WaitForm::Sometimes;
  }

  /// What the loop waits for in other streams the host will wait for before the
  /// loop's work is launched: nothing there may be waiting for that. Who waits
  /// for one such stream has put something there, perhaps in another file.
  void checkForeignWaits() {
    for (const LoopAction &A : Result.Actions)
      if (A.Kind == LoopAction::Synchronise && !A.OwnStream &&
          (A.Call->getNumArgs() == 1 || mayHoldUpStreams()))
        return void(refuse(ReasonId::WaitMoves, A.Call->getBeginLoc()));
  }

  void checkHostWait() {
    if (const auto Wait = findHostWait(Unit, unitUses()))
      Result.Blockers.push_back(blockerOf(
          *Wait, blocker(ReasonId::HostWait, Result.Loop->getBeginLoc())));
  }

  bool mayHoldUpStreams() const {
    return unitUses().mayHoldUpStreams() ||
           llvm::any_of(collectUserCode(Context).Kernels,
                        [&](const FunctionDecl *Kernel) {
                          return llvm::any_of(StepsOf(*Kernel), mayWait);
                        });
  }

  /// A kernel may wait for another one: it spins, or comes again and again to
  /// what nobody can look into.
  static bool mayWait(const StepKernel *Step) {
    const auto Has = [&](ReasonId Id) {
      return llvm::any_of(Step->Blockers, [&](const Blocker &H) {
        return H.Why.Id == ReasonTable[unsigned(Id)].Id;
      });
    };
    const auto Repeats = [](const FunctionDecl *Function) {
      return holds(Function->getBody(), [](const Stmt &S) {
        return isLoop(S) || isa<GotoStmt, IndirectGotoStmt>(S);
      });
    };
    return Has(ReasonId::SpinWait) || Has(ReasonId::Unanalysable) ||
           ((Has(ReasonId::InlineAsm) || Has(ReasonId::UnknownCall)) &&
            llvm::any_of(Step->Functions, Repeats));
  }

  /// No fill makes the host wait, and what is read back the loop itself writes:
  /// a kernel, through a parameter that gets the same pointer, or a copy.
  void checkCopies() {
    const auto IsWritten = [&](const Expr *Flag) {
      const auto IsSame = [&](const Expr *Other) {
        return same(Other->IgnoreParenImpCasts(), Flag);
      };
      return llvm::any_of(Targets, IsSame) ||
             llvm::any_of(Result.Launches, [&](const LoopLaunch &Launch) {
               const auto Writes = [&](const StepKernel *Step) {
                 return llvm::any_of(Step->Written,
                                     [&](const ParmVarDecl *Pointer) {
                                       return IsSame(Launch.Call->getArg(
                                           Pointer->getFunctionScopeIndex()));
                                     });
               };
               return llvm::any_of(StepsOf(*Launch.Kernel), Writes);
             });
    };
    for (const CallExpr *Fill : Fills)
      if (mayBeShared(*Fill->getArg(0)) ||
          (Fill->getNumArgs() == 4 && mayBeShared(*Fill->getArg(1))))
        refuse(ReasonId::HostCopy, Fill->getBeginLoc());
    for (const Expr *Condition : Conditions)
      if (asksOthers(*Condition))
        refuse(ReasonId::FlagNotWritten, Condition->getBeginLoc());
    for (const Expr *Flag : Flags)
      if (!IsWritten(Flag))
        refuse(ReasonId::FlagNotWritten, Flag->getBeginLoc());
  }

  /// It reads variables that live outside, and the loop changes none of them:
  /// if it ever fails, then by somebody else.
  bool asksOthers(const Expr &Condition) const {
    bool ReadsAny = false, ReadsOwn = false;
    (void)holds(&Condition, [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      if (const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr) {
        ReadsAny |= !Var->isUsableInConstantExpressions(Context);
        ReadsOwn |= Writes.contains(Var) || Locals.contains(Var);
      }
      return false;
    });
    return ReadsAny && !ReadsOwn;
  }

  /// Who waits for \p Wait has waited for \p Other.
  bool covers(const LoopAction &Wait, const LoopAction &Other) const {
    const auto IsOwn = [](const LoopAction &A) {
      return A.Kind == LoopAction::ReadBack || A.Kind == LoopAction::Upload ||
             A.OwnStream;
    };
    return (IsOwn(Wait) && IsOwn(Other)) || same(Wait.Call, Other.Call) ||
           (Wait.Kind == LoopAction::Synchronise &&
            Wait.Call->getNumArgs() == 0);
  }

  /// What the host evaluates before the loop, even if that does not run, has a
  /// value there.
  bool hasValuesBefore(const Stmt &S) const {
    if (isa<UnaryExprOrTypeTraitExpr>(S))
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return (!Var || Locals.contains(Var) || Writes.contains(Var) ||
            Variables.isSetBefore(*Var, *Result.Loop)) &&
           llvm::all_of(S.children(), [&](const Stmt *Child) {
             return !Child || hasValuesBefore(*Child);
           });
  }

  void checkGeometry() {
    for (const LoopLaunch &Each : Result.Launches)
      for (const Expr *E : {Each.Grid, Each.Block})
        if (!hasValuesBefore(*E))
          refuse(ReasonId::UnsetVariable, E->getBeginLoc());
    for (const VarDecl *Var : Locals)
      if (isSettled(*Var) && !hasValuesBefore(*Var->getInit()))
        refuse(ReasonId::UnsetVariable, Var->getLocation());
    for (const Expr *E : Outside)
      if (!isKnownBefore(*E))
        refuse(ReasonId::VaryingGeometry, E->getBeginLoc());
      else if (!hasValuesBefore(*E))
        refuse(ReasonId::UnsetVariable, E->getBeginLoc());
    const LoopLaunch &First = Result.Launches.front();
    for (const auto &[Copy, Stream] : Streams)
      if (!sameStream(First.Stream, Stream))
        refuse(ReasonId::OtherStream, Copy->getBeginLoc());
    for (LoopAction &A : Result.Actions)
      A.OwnStream = A.Kind == LoopAction::Synchronise &&
                    A.Call->getNumArgs() == 1 &&
                    sameStream(First.Stream, A.Call->getArg(0));
    for (const VarDecl *Var : Locals)
      if (isSettled(*Var))
        Result.Settled.insert(Var);
    bool SameGrid = chooseBlock(), Varying = false;
    for (const LoopLaunch &Each : Result.Launches) {
      if (!sameStream(First.Stream, Each.Stream))
        refuse(ReasonId::SeveralGeometries, Each.Call->getBeginLoc());
      // A kernel may have more than it asks for.
      if (!Result.SharedBytes)
        Result.SharedBytes = Each.SharedBytes;
      else if (Each.SharedBytes && !same(Result.SharedBytes, Each.SharedBytes))
        refuse(ReasonId::SeveralGeometries, Each.Call->getBeginLoc());
      SameGrid &= sameExtents(*First.Grid, *Each.Grid, Context);
      Varying |= !isKnownBefore(*Each.Grid) || !isKnownBefore(*Each.Block);
    }
    if (SameGrid && !Varying)
      return findHostOnly();
    Result.Grids = Varying ? GridForm::Computed : GridForm::Several;
    // The device has to know them, too.
    for (LoopLaunch &Each : Result.Launches) {
      Each.GridFromHost = isKnownBefore(*Each.Grid) && callsHost(*Each.Grid);
      if ((Each.GridFromHost || readArgument(*Each.Grid)) &&
          (!Each.LogicalThreads || readArgument(*Each.Block)) && Varying &&
          Result.ReadsBack)
        refuse(ReasonId::VaryingGeometry, Each.Grid->getBeginLoc());
    }
    findHostOnly();
  }

  /// Of the settled variables those that nothing but launches' configurations
  /// name, as far as the host evaluates them, and each other's values.
  void findHostOnly() {
    Result.HostOnly = Result.Settled;
    const auto CountOnHost = [&](const VarDecl &Var) {
      unsigned Count = 0;
      const auto Add = [&](const Expr *E) {
        Count += E ? countUses(Var, *E) : 0;
      };
      for (const LoopLaunch &Each : Result.Launches) {
        Add(Each.SharedBytes);
        Add(Each.Stream);
        if (Result.Grids == GridForm::Same || Each.GridFromHost)
          Add(Each.Grid);
        if (!Each.LogicalThreads)
          Add(Each.Block);
      }
      for (const VarDecl *Other : Result.HostOnly)
        Add(Other->getInit());
      return Count;
    };
    // Whole statements go, if their text is not to change otherwise.
    const auto GoesWith = [&](const HostStep &Step, const VarDecl *Var) {
      const auto *Declaration = dyn_cast<DeclStmt>(Step.Statement);
      return Declaration && llvm::is_contained(Declaration->decls(), Var) &&
             llvm::all_of(Declaration->decls(),
                          [&](const Decl *D) {
                            return Result.HostOnly.contains(
                                dyn_cast<VarDecl>(D));
                          }) &&
             !holds(Declaration, [&](const Stmt &S) {
               return llvm::is_contained(Result.StdExtrema, &S);
             });
    };
    const auto IsNeeded = [&](const VarDecl *Var) {
      return CountOnHost(*Var) < countUses(*Var, *Result.Loop) ||
             llvm::none_of(
                 Result.Steps,
                 [&](const HostStep &Step) { return GoesWith(Step, Var); });
    };
    for (auto Found = Result.HostOnly.begin();
         (Found = llvm::find_if(Result.HostOnly, IsNeeded)) !=
         Result.HostOnly.end();)
      Result.HostOnly.erase(*Found);
    for (const VarDecl *Var : OfHost)
      if (!Result.HostOnly.contains(Var))
        refuse(ReasonId::HostCall, Var->getInit()->getBeginLoc());
  }

  /// Finds the block of the persistent kernel, and the launches whose logical
  /// threads it has to run; true where there are none. Threads that meet within
  /// their block can do so in a block of their own size only.
  bool chooseBlock() {
    const LoopLaunch *Chosen = nullptr;
    const auto Threads = [&](const LoopLaunch &L) {
      return constantExtent(*L.Block, Context).value_or(0);
    };
    const bool SameBlock =
        llvm::all_of(Result.Launches, [&](const LoopLaunch &Each) {
          return sameExtents(*Result.Launches.front().Block, *Each.Block,
                             Context);
        });
    for (const LoopLaunch &Each : Result.Launches) {
      if (!isKnownBefore(*Each.Block))
        continue;
      if (!SameBlock && !standsAlone(*Each.Kernel)) {
        Chosen = &Each;
        break;
      }
      if (!Chosen || Threads(Each) > Threads(*Chosen))
        Chosen = &Each;
    }
    if (!Chosen)
      return refuse(ReasonId::VaryingGeometry,
                    Result.Launches.front().Block->getBeginLoc());
    Result.Block = Chosen->Block;
    for (LoopLaunch &Each : Result.Launches) {
      Each.LogicalThreads = !sameExtents(*Result.Block, *Each.Block, Context);
      if (Each.LogicalThreads && !maySpread(Each))
        refuse(ReasonId::SeveralGeometries, Each.Call->getBeginLoc());
    }
    return SameBlock;
  }

  bool standsAlone(const FunctionDecl &Kernel) const {
    return llvm::all_of(StepsOf(Kernel), [](const StepKernel *Step) {
      return Step->ThreadsStandAlone;
    });
  }

  /// Its threads may run in other blocks, and the launch is no error that is
  /// known by its block alone.
  bool maySpread(const LoopLaunch &L) const {
    if (!standsAlone(*L.Kernel))
      return false;
    const auto *Bounds = L.Kernel->getAttr<CUDALaunchBoundsAttr>();
    if (!Bounds)
      return true;
    Expr::EvalResult Most;
    const auto Threads = constantExtent(*L.Block, Context);
    return Threads && Bounds->getMaxThreads()->EvaluateAsInt(Most, Context) &&
           *Threads <= Most.Val.getInt().getZExtValue();
  }

  /// It calls functions that the device does not have, or names a variable of
  /// the loop that begins with what they return.
  bool callsHost(const Expr &E) const {
    return holds(&E, [&](const Stmt &S) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
        const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        return Var && llvm::is_contained(OfHost, Var);
      }
      const auto *Call = dyn_cast<CallExpr>(&S);
      return Call && classifyHostCall(*Call, SM) == HostCallKind::Unknown &&
             returnedValue(*Call);
    });
  }

  /// The host can evaluate it before the loop, even if that does not run.
  bool isKnownBefore(const Expr &E) const {
    return isInvariant(E) && !mayTrap(E);
  }

  bool repeats() const {
    return llvm::all_of(Result.Actions, [&](const LoopAction &A) {
      return A.Kind == LoopAction::Synchronise || A.Kind == LoopAction::Query ||
             (A.Kind == LoopAction::Launch &&
              llvm::all_of(Result.Launches[A.Index].Call->arguments(),
                           [&](const Expr *Arg) { return isInvariant(*Arg); }));
    });
  }

  bool readArgument(const Expr &E) {
    const SaveAndRestore NoWrites(InArguments, true);
    return readValue(E);
  }

  bool isInvariant(const Expr &E) const {
    return !holds(&E, [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      return Var && (Writes.contains(Var) ||
                     (Locals.contains(Var) && !isSettled(*Var)));
    });
  }

  /// The loop's own variable has one value, which is known before the loop.
  bool isSettled(const VarDecl &Var) const {
    return !Writes.contains(&Var) && !Variables.isShared(Var) &&
           Var.getInit() && countUses(Var, *Var.getInit()) == 0 &&
           isSpelledAlone(*Var.getInit()) && isKnownBefore(*Var.getInit());
  }

  /// The text of \p Init may stand in place of the variable: it is neither in
  /// the declaration's name, as in `dim3 block;`, nor a list in braces, and
  /// `(int())` would be a type.
  static bool isSpelledAlone(const Expr &Init) {
    const Expr *Spelled = Init.IgnoreUnlessSpelledInSource();
    const auto *Construct = dyn_cast<CXXConstructExpr>(Spelled);
    return !isa<InitListExpr, CXXScalarValueInitExpr, ImplicitValueInitExpr>(
               Spelled) &&
           !(Construct && Construct->getParenOrBraceRange().isInvalid());
  }

  /// Divides by what may be zero where the loop does not run at all, reads what
  /// may not be there, or has no value.
  bool mayTrap(const Expr &E) const {
    return holds(&E, [&](const Stmt &S) {
      if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&S))
        return !isWithinArray(*Element);
      if (const auto *Call = dyn_cast<CallExpr>(&S))
        return mayTrapWithin(*Call);
      if (const auto *Cast = dyn_cast<CastExpr>(&S))
        return Cast->getCastKind() == CK_FloatingToIntegral &&
               mayBeNoNumber(*Cast->getSubExpr());
      if (const auto *Op = dyn_cast<BinaryOperator>(&S);
          Op && (Op->isShiftOp() || mayOverflow(*Op)))
        return !Op->isShiftOp() || !isShift(*Op);
      const Expr *Divisor = divisorOf(S);
      return Divisor && !isNonZero(*Divisor);
    });
  }

  /// `v[i]` of an array that is a variable, with a constant for i.
  bool isWithinArray(const ArraySubscriptExpr &Element) const {
    const ConstantArrayType *Array = Context.getAsConstantArrayType(
        Element.getBase()->IgnoreParenImpCasts()->getType());
    const auto Index = constantExtents(*Element.getIdx(), Context)[0];
    return variableOf(Element) && Array && Index &&
           *Index < Array->getSize().getZExtValue();
  }

  /// A product of numbers none of which is known; a constant's fits for what
  /// sizes there are.
  bool mayOverflow(const BinaryOperator &Op) const {
    const auto IsKnown = [&](const Expr &E) {
      return constantExtents(E, Context)[0].has_value();
    };
    return Op.getOpcode() == BO_Mul &&
           Op.getType()->isSignedIntegerOrEnumerationType() &&
           !IsKnown(*Op.getLHS()) && !IsKnown(*Op.getRHS());
  }

  /// By a constant that the type has bits for.
  bool isShift(const BinaryOperator &Op) const {
    const auto Amount = constantExtents(*Op.getRHS(), Context)[0];
    return Amount && *Amount < Context.getIntWidth(Op.getType());
  }

  /// An infinity, for instance: of a quotient whose divisor may be zero.
  bool mayBeNoNumber(const Expr &E) const {
    return holds(&E, [&](const Stmt &S) {
      const Expr *Divisor = divisorOf(S);
      if (!Divisor || !Divisor->getType()->isFloatingType())
        return false;
      const Expr &Plain = *Divisor->IgnoreParenCasts();
      Expr::EvalResult Value;
      return Plain.getType()->isFloatingType()
                 ? !Divisor->EvaluateAsRValue(Value, Context) ||
                       !Value.Val.isFloat() || Value.Val.getFloat().isZero()
                 : !isNonZero(Plain);
    });
  }

  bool mayTrapWithin(const CallExpr &Call) const {
    const HostCallKind Kind = classifyHostCall(Call, SM);
    if (Kind == HostCallKind::Rounding || Kind == HostCallKind::Extremum)
      return false;
    const Expr *Value = returnedValue(Call);
    return !Value || holds(Value, [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      const auto *Cast = dyn_cast<CastExpr>(&S);
      if (isa<ArraySubscriptExpr>(S) ||
          (Op && Op->isShiftOp() && !isShift(*Op)) ||
          (Cast && Cast->getCastKind() == CK_FloatingToIntegral &&
           mayBeNoNumber(*Cast->getSubExpr())))
        return true;
      const Expr *Divisor = divisorOf(S);
      if (!Divisor || isNonZero(*Divisor))
        return false;
      const auto *Ref = dyn_cast<DeclRefExpr>(Divisor->IgnoreParenImpCasts());
      const auto *Param = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
      return !Param || !isNonZero(*Call.getArg(Param->getFunctionScopeIndex()));
    });
  }

  static const Expr *divisorOf(const Stmt &S) {
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    return Op && (Op->getOpcode() == BO_Div || Op->getOpcode() == BO_Rem)
               ? Op->getRHS()
               : nullptr;
  }

  /// Or a divisor of another kind than whole numbers.
  bool isNonZero(const Expr &E) const {
    return E.getType()->isFloatingType() ||
           constantExtents(E, Context)[0].value_or(0) != 0;
  }

  bool sameStream(const Expr *A, const Expr *B) const {
    if (isDefaultStream(A) || isDefaultStream(B))
      return isDefaultStream(A) && isDefaultStream(B);
    return same(A->IgnoreParenImpCasts(), B->IgnoreParenImpCasts());
  }

  /// Left out, `0`, `NULL` or `nullptr`.
  bool isDefaultStream(const Expr *Stream) const {
    const Expr *Plain = Stream ? Stream->IgnoreParenCasts() : nullptr;
    if (const auto *Default = dyn_cast_or_null<CXXDefaultArgExpr>(Plain))
      Plain = Default->getExpr()->IgnoreParenCasts();
    return !Plain ||
           Plain->isNullPointerConstant(Context, Expr::NPC_NeverValueDependent);
  }

  bool same(const Expr *A, const Expr *B) const {
    return sameExpression(A, B, Context);
  }

  ASTContext &Context;
  const Program &Unit;
  const bool FastMath; ///< Of the device.
  mutable std::optional<UnitUses> Uses;
  const SourceManager &SM;
  HiddenLaunches Hidden;
  StepsOfKernel StepsOf;
  HostVariables Variables;
  RelaunchLoop Result;

  llvm::SmallPtrSet<const VarDecl *, 8> Locals; ///< Declared in the loop.
  /// Each variable from outside or changed, with one place.
  llvm::MapVector<const VarDecl *, const DeclRefExpr *> Reads, Writes;
  std::vector<const Expr *> Outside; ///< Evaluated before the loop.
  std::vector<std::pair<const CallExpr *, const Expr *>>
      Streams;                       ///< Of copies.
  std::vector<const Expr *> Buffers; ///< Filled or copied.
  std::vector<const Expr *> Flags;   ///< Of the device, read back.
  NameSet Filled; ///< Names of variables that get the values of flags.
  std::vector<const CallExpr *>
      Fills; ///< And copies that may make the host wait.
  std::vector<const Expr *> Targets;    ///< Of the device, which copies write.
  std::vector<const Expr *> Conditions; ///< Of loops.
  /// In statements that move out of the loop.
  std::vector<const DeclRefExpr *> MovedReads;
  /// Of arrays that variables from outside point at.
  llvm::MapVector<const VarDecl *, std::vector<const ArraySubscriptExpr *>>
      ElementReads;
  /// Of variables for errors: how often the checks name them.
  llvm::MapVector<const VarDecl *, unsigned> UsesInChecks;
  /// Such variables that the checks read so far declare.
  llvm::SmallPtrSet<const VarDecl *, 4> OfChecks;
  /// Such variables from elsewhere, and the actions that assign them.
  std::vector<std::pair<const VarDecl *, size_t>> AssignedInChecks;
  std::vector<Guard> Guards; ///< Of what is read now.
  /// Actions whose results are looked at, each with a guard.
  std::vector<std::pair<size_t, Guard>> GuardedChecks;
  /// The loop's own variables that only the host can compute.
  std::vector<const VarDecl *> OfHost;
  bool UnderCondition = false; ///< Within an `if` of the loop.
  bool Certain = true;      ///< Runs in the first iteration, whatever happens.
  bool Capturing = true;    ///< Reading what the device evaluates.
  bool InArguments = false; ///< Reading what must not write.
  bool InControl = false;   ///< Reading what decides what runs.
  bool InStep = false;      ///< Reading the last of the steps.
};

} // namespace

std::vector<HostLoop> findHostLoops(const PassView &Host) {
  std::vector<HostLoop> Loops;
  HiddenLaunches Hidden(*Host.Context);
  bool Launches = false;
  forEachHostCode(*Host.Context, [&](const HostCode &Code) {
    Launches |= Code.Function && Hidden.launches(*Code.Function);
    LoopFinder Finder(*Host.Context, Hidden);
    Finder.search(Code);
    if (const auto *Template =
            Code.Function ? Code.Function->getDescribedFunctionTemplate()
                          : nullptr)
      Finder.addInstances(*Template);
    const int First = int(Loops.size());
    for (HostLoop &L : Finder.Loops) {
      L.Parent += L.Parent >= 0 ? First : 0;
      Loops.push_back(std::move(L));
    }
  });
  if (Launches)
    llvm::append_range(Loops, findRecursions(*Host.Context, Loops, Hidden));
  return Loops;
}

std::optional<llvm::APSInt> defaultInteger(const Expr &Argument,
                                           const ASTContext &Context) {
  const auto *Default = dyn_cast<CXXDefaultArgExpr>(&Argument);
  Expr::EvalResult Value;
  if (!Default || !Default->getType()->isIntegerType() ||
      Default->getType()->isEnumeralType() ||
      !Default->getExpr()->EvaluateAsInt(Value, Context))
    return std::nullopt;
  return Value.Val.getInt();
}

bool LoopAction::isChecked() const {
  if (Last)
    return true;
  const auto *E = dyn_cast<Expr>(Statement);
  return Call && !isa<DeclStmt>(Statement) &&
         !(E && E->IgnoreUnlessSpelledInSource()->IgnoreParenCasts() == Call);
}

LoopLaunch launchOf(const CUDAKernelCallExpr &Call) {
  LoopLaunch Launch;
  Launch.Call = &Call;
  if (const FunctionDecl *Kernel = Call.getDirectCallee())
    Launch.Kernel = Kernel->getDefinition();
  Launch.Callee =
      dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
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
  return Launch;
}

static bool isSpelledAlike(const Expr &A, const Expr &B,
                           const ASTContext &Context) {
  const auto TextOf = [&](const Expr &E) {
    const SourceManager &SM = Context.getSourceManager();
    return Lexer::getSourceText(SM.getExpansionRange(E.getSourceRange()), SM,
                                Context.getLangOpts());
  };
  return !TextOf(A).empty() && TextOf(A) == TextOf(B);
}

/// Two that are the same now only, by numbers of macros, are not the same.
bool sameExpression(const Expr *A, const Expr *B, const ASTContext &Context) {
  if (!A || !B)
    return A == B;
  llvm::FoldingSetNodeID IdA, IdB;
  A->Profile(IdA, Context, /*Canonical=*/true);
  B->Profile(IdB, Context, /*Canonical=*/true);
  return IdA == IdB &&
         (A == B || isSpelledAlike(*A, *B, Context) ||
          (!spellingMayDiffer(*A, Context) && !spellingMayDiffer(*B, Context)));
}

void addOnce(const Expr &New, std::vector<const Expr *> &Into,
             const ASTContext &Context) {
  if (llvm::none_of(Into, [&](const Expr *Known) {
        return sameExpression(Known, &New, Context);
      }))
    Into.push_back(&New);
}

bool sameExtents(const Expr &A, const Expr &B, ASTContext &Context) {
  if (sameExpression(&A, &B, Context))
    return true;
  const Extents3 OfA = constantExtents(A, Context),
                 OfB = constantExtents(B, Context);
  const auto IsKnown = [](const std::optional<uint64_t> &E) {
    return E.has_value();
  };
  return OfA == OfB && llvm::all_of(OfA, IsKnown) &&
         !valueMayDiffer(A, A.getBeginLoc(), Context) &&
         !valueMayDiffer(B, B.getBeginLoc(), Context);
}

RelaunchLoop readRelaunchLoop(const HostLoop &L, const Program &Whole,
                              StepsOfKernel StepsOf) {
  if (!L.NoKeyword.empty()) {
    RelaunchLoop Refused;
    Refused.Blockers = L.NoKeyword;
    return Refused;
  }
  return LoopReader(L, Whole, StepsOf).read(L);
}

HostSlice sliceFor(const RelaunchLoop &L,
                   llvm::ArrayRef<const VarDecl *> Wanted) {
  llvm::SmallPtrSet<const VarDecl *, 16> Needed;
  Needed.insert_range(L.Control);
  Needed.insert_range(Wanted);
  HostSlice Slice;
  for (const HostStep &Step : L.Steps)
    Slice.Unneeded.push_back(&Step);
  const auto IsNeeded = [&](const HostStep *Step) {
    return llvm::any_of(
        Step->Writes, [&](const VarDecl *Var) { return Needed.contains(Var); });
  };
  for (auto Found = Slice.Unneeded.begin();
       (Found = llvm::find_if(Slice.Unneeded, IsNeeded)) !=
       Slice.Unneeded.end();) {
    Needed.insert_range((*Found)->Reads);
    Slice.Unneeded.erase(Found);
  }
  Slice.HasEffects = llvm::any_of(
      Needed, [&](const VarDecl *Var) { return L.Changed.contains(Var); });
  return Slice;
}

void addNames(const Stmt *S, NameSet &Into) {
  (void)holds(S, [&](const Stmt &Part) {
    if (isa<DeclRefExpr>(Part))
      Into.insert(&Part);
    return false;
  });
}

NameSet namesForHost(const RelaunchLoop &L) {
  NameSet All;
  for (const LoopLaunch &Launch : L.Launches) {
    addNames(Launch.SharedBytes, All);
    addNames(Launch.Stream, All);
    if (L.Grids == GridForm::Same)
      addNames(Launch.Grid, All);
    if (!Launch.LogicalThreads)
      addNames(Launch.Block, All);
  }
  for (const VarDecl *Var : L.HostOnly)
    addNames(Var->getInit(), All);
  return All;
}

} // namespace barricade::grid_barrier
