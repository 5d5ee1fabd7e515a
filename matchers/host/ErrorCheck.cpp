// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/ErrorCheck.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/LinkedCode.h"
#include "matchers/facts/Names.h"
#include "matchers/host/HostCalls.h"
#include "matchers/host/HostVariables.h"
#include "matchers/host/Printing.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::host {
namespace {

using Variables = llvm::SmallPtrSetImpl<const ValueDecl *>;

/// Tells statements that do nothing but tell the user, or leave the program,
/// and change no variables but their own. What is not listed may do anything.
class Telling {
public:
  explicit Telling(const Variables &Known) { Own.insert_range(Known); }

  bool onlyTells(const Stmt &S) {
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      return llvm::all_of(Declaration->decls(),
                          [&](const Decl *D) { return declaresOwn(*D); });
    if (isa<CompoundStmt, IfStmt, NullStmt, ReturnStmt, LabelStmt, SwitchCase,
            CXXThrowExpr>(S))
      return partsTell(S);
    if (isa<BreakStmt>(S))
      return Switches > 0;
    if (isa<SwitchStmt>(S)) {
      const llvm::SaveAndRestore Within(Switches, Switches + 1);
      return partsTell(S);
    }
    const auto *E = dyn_cast<Expr>(&S);
    return E && (isValue(*E) || isStep(*E) || isTellingCall(*E) ||
                 isLibraryObject(*E));
  }

private:
  bool partsTell(const Stmt &S) {
    const bool IsOfLibrary = isa<CXXConstructExpr>(S);
    return llvm::all_of(S.children(), [&](const Stmt *Child) {
      return !Child || onlyTells(*Child) ||
             (IsOfLibrary && isa<CXXDefaultArgExpr>(Child));
    });
  }

  /// A variable that nothing is done for when it goes.
  bool declaresOwn(const Decl &D) {
    const auto *Var = dyn_cast<VarDecl>(&D);
    if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType() ||
        Var->needsDestruction(D.getASTContext()) ||
        (Var->getInit() && !onlyTells(*Var->getInit())))
      return false;
    Own.insert(Var);
    return true;
  }

  /// Made of values, without an effect of its own.
  bool isValue(const Expr &E) {
    if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral,
            CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, GNUNullExpr, DeclRefExpr,
            PredefinedExpr, SourceLocExpr, UnaryExprOrTypeTraitExpr,
            CXXThisExpr>(E))
      return true;
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
      return onlyTells(*Default->getExpr());
    if (const auto *Op = dyn_cast<UnaryOperator>(&E);
        Op && (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf))
      return false;
    if (const auto *Op = dyn_cast<BinaryOperator>(&E);
        Op && Op->isAssignmentOp())
      return false;
    if (const auto *Cast = dyn_cast<CastExpr>(&E);
        Cast && Cast->getConversionFunction() &&
        !isOfSystem(*Cast->getConversionFunction()))
      return false;
    return isa<ParenExpr, CastExpr, UnaryOperator, BinaryOperator, MemberExpr,
               ConditionalOperator, ArraySubscriptExpr, FullExpr,
               MaterializeTemporaryExpr>(E) &&
           partsTell(E);
  }

  /// Gives one of its own variables a value.
  bool isStep(const Expr &E) {
    const Expr *Target = nullptr;
    if (const auto *Op = dyn_cast<BinaryOperator>(&E);
        Op && Op->isAssignmentOp())
      Target = Op->getLHS();
    else if (const auto *Step = dyn_cast<UnaryOperator>(&E);
             Step && Step->isIncrementDecrementOp())
      Target = Step->getSubExpr();
    const auto *Ref = dyn_cast_or_null<DeclRefExpr>(
        Target ? Target->IgnoreParens() : nullptr);
    return Ref && Own.contains(Ref->getDecl()) &&
           !Ref->getDecl()->getType()->isReferenceType() && partsTell(E);
  }

  bool isTellingCall(const Expr &E) {
    const auto *Call = dyn_cast<CallExpr>(&E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && !isa<CUDAKernelCallExpr>(E) &&
           (Callee->isNoReturn() ||
            (isOfSystem(*Callee)
                 ? isKnown(*Callee) || isPrinting(*Call) || joins(*Callee)
                 : onlyTellsWithin(*Callee))) &&
           llvm::none_of(Call->arguments(), mayBeFilled) && partsTell(E);
  }

  /// A function of the program's that does no more, such as one that names the
  /// error.
  bool onlyTellsWithin(const FunctionDecl &Callee) const {
    const FunctionDecl *Body = facts::linkedBody(Callee);
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    if (!Body || (Method && Method->isVirtual()) || Depth == MostDepth)
      return false;
    llvm::SmallPtrSet<const ValueDecl *, 4> Given;
    for (const ParmVarDecl *Param : Body->parameters())
      Given.insert(Param);
    Telling Within(Given);
    Within.Depth = Depth + 1;
    return Within.onlyTells(*Body->getBody());
  }

  /// What `%n` is given.
  static bool mayBeFilled(const Expr *Argument) {
    const QualType Pointee =
        Argument->IgnoreParenImpCasts()->getType()->getPointeeType();
    return !Pointee.isNull() && Pointee->isIntegerType() &&
           !Pointee->isAnyCharacterType() && !Pointee.isConstQualified();
  }

  static bool isKnown(const FunctionDecl &Callee) {
    const llvm::StringRef Name = facts::nameOf(&Callee);
    if (const auto *Method = dyn_cast<CXXMethodDecl>(&Callee))
      return Method->isConst() && llvm::StringSwitch<bool>(Name)
                                      .Cases({"c_str", "data", "size", "length",
                                              "empty", "what", "str"},
                                             true)
                                      .Default(false);
    return llvm::StringSwitch<bool>(Name)
        .Cases({"printf", "fprintf", "puts", "fputs", "putchar", "fputc",
                "perror", "fflush", "vprintf", "vfprintf"},
               true)
        .Cases({"strerror", "to_string", "cudaGetErrorString",
                "cudaGetErrorName", "cudaGetLastError", "cudaPeekAtLastError"},
               true)
        .Default(false);
  }

  /// `text + text`.
  static bool joins(const FunctionDecl &Callee) {
    const CXXRecordDecl *Class = Callee.getReturnType()->getAsCXXRecordDecl();
    return Callee.getOverloadedOperator() == OO_Plus && Class && isText(*Class);
  }
  /// The library's, such as std::runtime_error.
  static bool isException(const CXXRecordDecl &Class) {
    return isOfSystem(Class) && Class.hasDefinition() &&
           (Class.getQualifiedNameAsString() == "std::exception" ||
            llvm::any_of(Class.bases(), [](const CXXBaseSpecifier &Base) {
              const auto *Of = Base.getType()->getAsCXXRecordDecl();
              return Of && isException(*Of);
            }));
  }

  /// A temporary text, or an exception.
  bool isLibraryObject(const Expr &E) {
    const CXXRecordDecl *Class = E.getType()->getAsCXXRecordDecl();
    return isa<CXXConstructExpr, CXXBindTemporaryExpr>(E) && Class &&
           (isText(*Class) || isException(*Class)) && partsTell(E);
  }

  static bool isOfSystem(const Decl &D) {
    const SourceManager &SM = D.getASTContext().getSourceManager();
    return D.getLocation().isInvalid() ||
           SM.isInSystemHeader(D.getLocation()) || facts::isLibraryCode(D);
  }

  llvm::SmallPtrSet<const ValueDecl *, 8> Own;
  static constexpr unsigned MostDepth = 4;
  unsigned Depth = 0;    ///< Of calls.
  unsigned Switches = 0; ///< Around, which a `break` leaves.
};

/// Follows statements on the path on which the runtime reports success.
class CheckReader {
public:
  explicit CheckReader(ASTContext &Context) : Context(&Context) {}

  llvm::SmallVector<const CallExpr *, 2> Calls; ///< The runtime's.
  /// Variables for errors: declared by a statement of its own, or assigned, but
  /// declared elsewhere.
  llvm::SmallVector<const VarDecl *, 2> Declared, Assigned;
  /// Errors are told, or end the program, and nothing else is done.
  bool OnlyTells = true;
  bool Asks = false; ///< Something is done on an error.
  /// What is evaluated where there is none.
  llvm::SmallVector<const Stmt *, 4> OnSuccess;

  /// \p S, which is not part of another statement, does nothing but ask.
  bool read(const Stmt &S) {
    if (!isQuiet(S))
      return false;
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      for (const Decl *D : Declaration->decls())
        Declared.push_back(cast<VarDecl>(D));
    return true;
  }

  /// How many variables for errors there are outside of statements.
  size_t countKept() const { return Declared.size() + Assigned.size(); }

  bool asks(const Stmt &S) const {
    return holds(&S, [&](const Stmt &Inner) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&Inner);
      return Ref && Errors.contains(Ref->getDecl());
    });
  }

  /// The call that stands for all.
  const CallExpr *mainCall() const {
    const auto Waits = llvm::find_if(Calls, [&](const CallExpr *Call) {
      return kindOf(*Call) == HostCallKind::Synchronise;
    });
    return Waits != Calls.end() ? *Waits : Calls.front();
  }

private:
  /// \p S does nothing but ask.
  bool isQuiet(const Stmt &S) {
    if (const auto *Block = dyn_cast<CompoundStmt>(&S))
      return isQuiet(*Block);
    if (isOnceLoop(S, *Context))
      return isQuiet(*bodyOf(S));
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      return llvm::all_of(Declaration->decls(),
                          [&](const Decl *D) { return isQuiet(*D); });
    if (const auto *If = dyn_cast<IfStmt>(&S))
      return isQuiet(*If);
    if (const auto *Return = dyn_cast<ReturnStmt>(&S))
      return Depth > 0 && (!Return->getRetValue() ||
                           isHarmlessOnSuccess(*Return->getRetValue()));
    if (const auto *E = dyn_cast<Expr>(&S))
      return isErrorOnSuccess(*E) || isQuietCall(*E) || isQuietChoice(*E);
    return isa<NullStmt>(S);
  }

  bool isQuiet(const CompoundStmt &Block) {
    const Stmt *const *Next = Block.body_begin();
    while (Next != Block.body_end() && !returnsOnSuccess(**Next))
      if (!isQuiet(**Next++))
        return false;
    if (Next == Block.body_end())
      return true;
    // The rest is for errors.
    Asks = true;
    const llvm::ArrayRef<const Stmt *> Rest(std::next(Next), Block.body_end());
    const auto Leaves = [&](const Stmt *S) { return surelyLeaves(*S); };
    const auto Tells = [&](const Stmt *S) { return onlyTells(*S); };
    if (llvm::all_of(Rest, Tells))
      return true;
    OnlyTells = false;
    const auto Goes = [](const Stmt *S) {
      return holds(S, [](const Stmt &Inner) {
        return isa<ReturnStmt, GotoStmt, BreakStmt, ContinueStmt>(Inner);
      });
    };
    return llvm::any_of(Rest, Leaves) && llvm::none_of(Rest, Goes);
  }

  /// `if (error == cudaSuccess) return;` in a function of the check's.
  bool returnsOnSuccess(const Stmt &S) {
    const auto *If = dyn_cast<IfStmt>(&S);
    if (!If || Depth == 0 || If->getElse() || If->getInit() ||
        If->getConditionVariable() || If->isConsteval())
      return false;
    const Stmt *Then = If->getThen();
    if (const auto *Block = dyn_cast<CompoundStmt>(Then))
      Then = Block->size() == 1 ? Block->body_front() : Then;
    const auto *Return = dyn_cast<ReturnStmt>(Then);
    return Return && !Return->getRetValue() &&
           isEvaluated(*If->getCond(), isTrue(*If->getCond()));
  }

  bool isQuiet(const IfStmt &If) {
    return (!If.getInit() || isQuiet(*If.getInit())) &&
           (!If.getConditionVariable() ||
            isQuiet(*If.getConditionVariable())) &&
           !If.getElse() && !If.isConsteval() &&
           isEvaluated(*If.getCond(), isFalse(*If.getCond())) &&
           leavesOrTells(*If.getThen()) &&
           !holds(If.getThen(), [](const Stmt &Inner) {
             return isa<BreakStmt, ContinueStmt>(Inner);
           });
  }

  bool isQuiet(const Decl &D) {
    const auto *Var = dyn_cast<VarDecl>(&D);
    if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType() ||
        Var->getType()->isVariablyModifiedType() ||
        Var->needsDestruction(*Context))
      return false;
    Own.insert(Var);
    // What looks at it may be called several times.
    const bool IsError = Var->getInit() && isErrorOnSuccess(*Var->getInit());
    setError(*Var, IsError);
    return IsError || !Var->getInit() || isHarmlessOnSuccess(*Var->getInit());
  }

  /// \p Is, and if so, \p E is evaluated on success.
  bool isEvaluated(const Expr &E, bool Is) {
    if (Is)
      OnSuccess.push_back(&E);
    return Is;
  }
  bool isErrorOnSuccess(const Expr &E) { return isEvaluated(E, isError(E)); }
  bool isHarmlessOnSuccess(const Expr &E) {
    return isEvaluated(E, isHarmless(E));
  }

  bool isHarmless(const Expr &E) const { return !E.HasSideEffects(*Context); }

  /// A function that looks at the result of a runtime's call.
  bool isQuietCall(const Expr &E) {
    const auto *Invoked = dyn_cast<CallExpr>(stripped(E));
    const FunctionDecl *Callee = Invoked ? Invoked->getDirectCallee() : nullptr;
    Callee = Callee ? facts::linkedBody(*Callee) : nullptr;
    if (!Callee || isa<CXXMethodDecl>(Callee) ||
        isa<CUDAKernelCallExpr>(Invoked) || Depth == MaxDepth ||
        Invoked->getNumArgs() != Callee->getNumParams())
      return false;
    // Another call may give the same parameters something else.
    llvm::SmallPtrSet<const ValueDecl *, 4> Around = Errors;
    llvm::SmallVector<bool, 4> AreErrors;
    for (unsigned I = 0; I < Callee->getNumParams(); ++I) {
      const Expr *Argument = Invoked->getArg(I);
      // What a default asks for stands elsewhere.
      const auto *Default = dyn_cast<CXXDefaultArgExpr>(Argument);
      AreErrors.push_back(!Default && isErrorOnSuccess(*Argument));
      if (Default)
        Argument = Default->getExpr();
      if (Callee->getParamDecl(I)->needsDestruction(*Context) ||
          (!AreErrors.back() && !isHarmlessOnSuccess(*Argument)))
        return false;
    }
    for (unsigned I = 0; I < Callee->getNumParams(); ++I) {
      const ParmVarDecl *Param = Callee->getParamDecl(I);
      if (!Param->getType()->isReferenceType())
        Own.insert(Param);
      setError(*Param, AreErrors[I]);
    }
    ++Depth;
    const bool Quiet = isQuiet(*Callee->getBody());
    --Depth;
    for (const ParmVarDecl *Param : Callee->parameters())
      setError(*Param, Around.contains(Param));
    return Quiet;
  }

  /// \p Var holds an error from here on, or something else.
  void setError(const ValueDecl &Var, bool IsError) {
    if (IsError)
      Errors.insert(&Var);
    else
      Errors.erase(&Var);
  }

  /// `call == cudaSuccess ? (void)0 : fail()`, as assert() makes it.
  bool isQuietChoice(const Expr &E) {
    const auto *Choice = dyn_cast<ConditionalOperator>(stripped(E));
    return Choice &&
           isEvaluated(*Choice->getCond(), isTrue(*Choice->getCond())) &&
           isHarmlessOnSuccess(*Choice->getTrueExpr()) &&
           leavesOrTells(*Choice->getFalseExpr());
  }

  /// What is done on an error leaves the loop, or does no more than tell.
  bool leavesOrTells(const Stmt &OnError) {
    const bool Tells = onlyTells(OnError);
    OnlyTells &= Tells;
    Asks = true;
    return Tells || surelyLeaves(OnError);
  }

  bool onlyTells(const Stmt &S) const { return Telling(Own).onlyTells(S); }

  /// \p S comes to no end, but leaves the loop.
  bool surelyLeaves(const Stmt &S) const {
    // What leaves a function of the check's goes on with the loop.
    const auto Returns = [](const Stmt &Inner) {
      return isa<ReturnStmt, GotoStmt>(Inner);
    };
    if (Depth > 0 && holds(&S, Returns))
      return false;
    if (const auto *Block = dyn_cast<CompoundStmt>(&S))
      return llvm::any_of(Block->body(), [&](const Stmt *Child) {
        return surelyLeaves(*Child);
      });
    if (isa<ReturnStmt>(S))
      return Depth == 0;
    const auto *E = dyn_cast<Expr>(&S);
    const Expr *Plain = E ? stripped(*E) : nullptr;
    const auto *Invoked = dyn_cast_or_null<CallExpr>(Plain);
    const FunctionDecl *Callee = Invoked ? Invoked->getDirectCallee() : nullptr;
    return isa<GotoStmt>(S) || isa_and_nonnull<CXXThrowExpr>(Plain) ||
           (Callee && Callee->isNoReturn());
  }

  HostCallKind kindOf(const CallExpr &Call) const {
    return classifyHostCall(Call, Context->getSourceManager());
  }

  /// Notes the call. Copies are checked one by one, and no two calls wait.
  bool isRuntimeCall(const CallExpr &E) {
    const HostCallKind Kind = kindOf(E);
    const bool Copies =
        Kind == HostCallKind::Copy || Kind == HostCallKind::Fill;
    if (!Copies && Kind != HostCallKind::Query &&
        Kind != HostCallKind::Synchronise)
      return false;
    if (llvm::is_contained(Calls, &E))
      return true;
    const auto Excludes = [&](const CallExpr *Other) {
      const HostCallKind Earlier = kindOf(*Other);
      return Copies || Earlier == HostCallKind::Copy ||
             Earlier == HostCallKind::Fill ||
             (Kind == HostCallKind::Synchronise && Earlier == Kind);
    };
    if (llvm::any_of(Calls, Excludes))
      return false;
    Calls.push_back(&E);
    return true;
  }

  /// Is 0, which is cudaSuccess, where the runtime reports success.
  bool isError(const Expr &E) {
    const Expr *Plain = stripped(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Plain))
      return Errors.contains(Ref->getDecl());
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain))
      return Op->getOpcode() == BO_Assign && isError(*Op->getRHS()) &&
             assign(*Op->getLHS());
    const auto *Invoked = dyn_cast<CallExpr>(Plain);
    return Invoked && isRuntimeCall(*Invoked);
  }

  bool assign(const Expr &Target) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Target.IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType() ||
        Var->getType().isVolatileQualified())
      return false;
    Errors.insert(Var);
    if (!Own.contains(Var) && !llvm::is_contained(Assigned, Var))
      Assigned.push_back(Var);
    return true;
  }

  /// \p Condition does not hold, or does.
  bool isFalse(const Expr &Condition) {
    const Expr *Plain = stripped(Condition);
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain)) {
      if (Op->getOpcode() == BO_LAnd)
        return isFalse(*Op->getLHS()) && onlyTells(*Op->getRHS());
      if (Op->getOpcode() == BO_LOr)
        return isFalse(*Op->getLHS()) && isFalse(*Op->getRHS());
      if (Op->getOpcode() == BO_NE)
        return comparesWithSuccess(*Op);
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(Plain);
        Op && Op->getOpcode() == UO_LNot)
      return isTrue(*Op->getSubExpr());
    return isError(*Plain);
  }
  bool isTrue(const Expr &Condition) {
    const Expr *Plain = stripped(Condition);
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain))
      return Op->getOpcode() == BO_EQ && comparesWithSuccess(*Op);
    const auto *Op = dyn_cast<UnaryOperator>(Plain);
    return Op && Op->getOpcode() == UO_LNot && isFalse(*Op->getSubExpr());
  }

  bool comparesWithSuccess(const BinaryOperator &Op) {
    const auto IsSuccess = [&](const Expr &E) {
      const auto Value = facts::integerOf(E, *Context);
      return Value && Value->isZero();
    };
    return (IsSuccess(*Op.getRHS()) && isError(*Op.getLHS())) ||
           (IsSuccess(*Op.getLHS()) && isError(*Op.getRHS()));
  }

  static const Expr *stripped(const Expr &E) {
    const Expr *Plain = E.IgnoreParenCasts();
    if (const auto *Full = dyn_cast<FullExpr>(Plain))
      Plain = Full->getSubExpr()->IgnoreParenCasts();
    return Plain;
  }

  static constexpr unsigned MaxDepth = 4;
  ASTContext *Context;
  unsigned Depth = 0; ///< Of calls.
  /// Variables that hold a result, and all that what was read declares.
  llvm::SmallPtrSet<const ValueDecl *, 4> Errors, Own;
};

} // namespace

ErrorCheck readErrorCheck(llvm::ArrayRef<const Stmt *> Body,
                          ASTContext &Context) {
  CheckReader Reader(Context);
  if (Body.empty() || !Reader.read(*Body.front()) || Reader.Calls.empty())
    return {};
  ErrorCheck Check;
  Check.Length = 1;
  bool Asked = false;
  for (const Stmt *Next : Body.drop_front()) {
    // First more results are left behind, then all are looked at.
    if (Reader.countKept() == 0)
      break;
    CheckReader More = Reader;
    const bool Asks = Reader.asks(*Next);
    if (!More.read(*Next) ||
        !(Asks || (!Asked && More.countKept() > Reader.countKept())))
      break;
    Asked |= Asks;
    Reader = std::move(More);
    ++Check.Length;
  }
  Check.Call = Reader.mainCall();
  Check.Calls = std::move(Reader.Calls);
  Check.Asks = Reader.Asks;
  Check.OnlyTells = Reader.OnlyTells;
  Check.Declared = std::move(Reader.Declared);
  Check.Assigned = std::move(Reader.Assigned);
  Check.OnSuccess = std::move(Reader.OnSuccess);
  return Check;
}

bool measuresStrings(const Stmt &S) {
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
      Cast && Cast->getCastKind() == CK_ArrayToPointerDecay &&
      isa<StringLiteral>(Cast->getSubExpr()->IgnoreParens()))
    return false;
  const auto *Declaration = dyn_cast<DeclStmt>(&S);
  const auto IsPlain = [](const Decl *D) {
    const auto *Var = dyn_cast<VarDecl>(D);
    return Var && !Var->isConstexpr();
  };
  const auto *If = dyn_cast<IfStmt>(&S);
  const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(&S);
  return isa<StringLiteral, ConstantExpr>(S) ||
         (Trait && !Trait->isArgumentType() &&
          holds(Trait->getArgumentExpr(),
                [](const Stmt &Part) { return isa<StringLiteral>(Part); })) ||
         (Declaration && !llvm::all_of(Declaration->decls(), IsPlain)) ||
         (If && If->isConstexpr()) ||
         llvm::any_of(S.children(), [](const Stmt *Child) {
           return Child && measuresStrings(*Child);
         });
}

} // namespace barricade::host
