// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/SureWrites.h"
#include "matchers/DeviceCalls.h"
#include "matchers/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <string>
#include <utility>

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// Who may know a value before the kernel runs. Less is said than is so, never
/// more.
enum class KnownBy {
  Text,   ///< Literals, template arguments, and whatever is not understood.
  Launch, ///< Arguments and sizes.
  Nobody  ///< It comes from an index or from memory.
};

/// Callees that are looked into.
constexpr unsigned MaxDepth = 4;

const FunctionDecl *spelledDefinition(const FunctionDecl &Function) {
  const FunctionDecl *Pattern = Function.getTemplateInstantiationPattern();
  return (Pattern ? *Pattern : Function).getDefinition();
}

bool isIndex(const VarDecl &Var) {
  return Var.getDeclName().isIdentifier() &&
         (Var.getName() == "threadIdx" || Var.getName() == "blockIdx");
}

bool isPointer(const Expr &E) {
  return E.IgnoreParenImpCasts()->getType()->isPointerType();
}

/// \p S reads or is memory behind a pointer.
bool isBehindPointer(const Stmt &S) {
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&S))
    return isPointer(*Element->getLHS()) || isPointer(*Element->getRHS());
  if (const auto *Op = dyn_cast<UnaryOperator>(&S))
    return Op->getOpcode() == UO_Deref && isPointer(*Op->getSubExpr());
  const auto *Member = dyn_cast<MemberExpr>(&S);
  return Member && Member->isArrow() &&
         !isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts());
}

/// Its value is in memory that a compiler knows nothing of.
bool isInMemory(const VarDecl &Var) {
  return Var.hasGlobalStorage() && !Var.isConstexpr() &&
         !Var.getType().isConstQualified();
}

class TextReader {
public:
  TextReader(const FunctionDecl &Definition, unsigned Depth)
      : Function(Definition), SM(Definition.getASTContext().getSourceManager()),
        Depth(Depth), Written(Definition.getNumParams()),
        Reassigned(Definition.getNumParams()) {}

  llvm::SmallBitVector run() {
    learnLocals();
    visit(Function.getBody(), /*Sure=*/true);
    return Written.reset(Reassigned);
  }

  bool returnsUnknown() {
    return levelOf(Function.getBody()) == KnownBy::Nobody;
  }

private:
  //===--- What is known of values ----------------------------------------===//

  /// Local variables take what is assigned to them anywhere.
  void learnLocals() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      holds(Function.getBody(), [&](const Stmt &S) {
        if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
          for (const Decl *D : Declaration->decls())
            if (const auto *Var = dyn_cast<VarDecl>(D))
              Changed |= learn(Var, Var->getInit());
        if (const auto *Op = dyn_cast<BinaryOperator>(&S))
          if (Op->isAssignmentOp())
            Changed |= learn(variableOf(*Op->getLHS()), Op->getRHS());
        return false;
      });
    }
  }

  bool learn(const VarDecl *Var, const Expr *Value) {
    if (!Var || !Value || isa<ParmVarDecl>(Var))
      return false;
    const KnownBy Level = levelOf(Value);
    KnownBy &Known = Locals[Var];
    const bool IsNews = Known < Level;
    Known = std::max(Known, Level);
    return IsNews;
  }

  static const VarDecl *variableOf(const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E.IgnoreParenImpCasts());
    return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  }

  KnownBy levelOf(const VarDecl &Var) const {
    if (isIndex(Var) || isInMemory(Var))
      return KnownBy::Nobody;
    return Var.hasGlobalStorage()  ? KnownBy::Text
           : isa<ParmVarDecl>(Var) ? KnownBy::Launch
                                   : Locals.lookup(&Var);
  }

  /// The most that some part of \p S, which may be null, says.
  KnownBy levelOf(const Stmt *S) const {
    KnownBy Level = KnownBy::Text;
    holds(S, [&](const Stmt &Part) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(&Part))
        if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
          Level = std::max(Level, levelOf(*Var));
      const auto *Call = dyn_cast<CallExpr>(&Part);
      if (isBehindPointer(Part) || (Call && givesUnknown(*Call)))
        Level = KnownBy::Nobody;
      return Level == KnownBy::Nobody;
    });
    return Level;
  }

  bool givesUnknown(const CallExpr &Call) const {
    switch (classifyCall(Call, SM)) {
    case CallKind::Atomic:
    case CallKind::Clock:
    case CallKind::Exchange:
    case CallKind::Load:
    case CallKind::ThreadIndex:
      return true;
    default:
      break;
    }
    const FunctionDecl *Callee = definitionOf(Call);
    return Callee && TextReader(*Callee, Depth + 1).returnsUnknown();
  }

  /// What \p Call runs, as it is written; null beyond MaxDepth.
  const FunctionDecl *definitionOf(const CallExpr &Call) const {
    const FunctionDecl *Callee = Call.getDirectCallee();
    return Callee && Depth < MaxDepth ? spelledDefinition(*Callee) : nullptr;
  }

  /// \p Condition may be \p Value for all threads of some launch.
  bool mayAlwaysBe(const Expr &Condition, bool Value) const {
    const Expr *E = Condition.IgnoreParenImpCasts();
    if (const auto *Op = dyn_cast<UnaryOperator>(E);
        Op && Op->getOpcode() == UO_LNot)
      return mayAlwaysBe(*Op->getSubExpr(), !Value);
    const auto *Op = dyn_cast<BinaryOperator>(E);
    if (!Op || !Op->isLogicalOp())
      return levelOf(E) != KnownBy::Nobody;
    const bool Left = mayAlwaysBe(*Op->getLHS(), Value),
               Right = mayAlwaysBe(*Op->getRHS(), Value);
    const bool OneDecides = Value == (Op->getOpcode() == BO_LOr);
    return OneDecides ? Left || Right : Left && Right;
  }

  //===--- What is run ----------------------------------------------------===//

  /// \p Sure: no constant keeps \p S, which may be null, from being run.
  void visit(const Stmt *S, bool Sure) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      visit(If->getInit(), Sure);
      visit(If->getConditionVariableDeclStmt(), Sure);
      visitBranches(*If->getCond(), If->getThen(), If->getElse(), Sure);
    } else if (const auto *Choice = dyn_cast<ConditionalOperator>(S)) {
      visitBranches(*Choice->getCond(), Choice->getTrueExpr(),
                    Choice->getFalseExpr(), Sure);
    } else if (const auto *Op = dyn_cast<BinaryOperator>(S);
               Op && Op->isLogicalOp()) {
      const bool IsAnd = Op->getOpcode() == BO_LAnd;
      visitBranches(*Op->getLHS(), IsAnd ? Op->getRHS() : nullptr,
                    IsAnd ? nullptr : Op->getRHS(), Sure);
    } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
      visitBreakable(*S, Sure && levelOf(Switch->getCond()) == KnownBy::Nobody,
                     /*IsSwitch=*/true);
    } else if (isLoop(*S)) {
      visitBreakable(*S, Sure && mayRun(*S), /*IsSwitch=*/false);
    } else {
      note(*S, Sure && !MayHaveLeft);
      MayHaveLeft |= leaves(*S) && !Sure;
      for (const Stmt *Child : S->children())
        visit(Child, Sure);
    }
  }

  void visitBranches(const Expr &Condition, const Stmt *Then, const Stmt *Else,
                     bool Sure) {
    visit(&Condition, Sure);
    visit(Then, Sure && !mayAlwaysBe(Condition, false));
    visit(Else, Sure && !mayAlwaysBe(Condition, true));
  }

  void visitBreakable(const Stmt &S, bool Sure, bool IsSwitch) {
    const bool Outer = std::exchange(InSwitch, IsSwitch);
    for (const Stmt *Child : S.children())
      visit(Child, Sure);
    InSwitch = Outer;
  }

  /// A loop whose bound is an argument is there to run.
  bool mayRun(const Stmt &Loop) const {
    if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
      return levelOf(Range->getRangeInit()) != KnownBy::Text;
    const Expr *Condition = conditionOf(Loop);
    return !Condition || isa<DoStmt>(Loop) ||
           levelOf(Condition) != KnownBy::Text;
  }

  /// What follows may not be run.
  bool leaves(const Stmt &S) const {
    return isa<ReturnStmt, ContinueStmt, GotoStmt, IndirectGotoStmt>(S) ||
           (isa<BreakStmt>(S) && !InSwitch);
  }

  //===--- What is written ------------------------------------------------===//

  void note(const Stmt &S, bool Sure) {
    if (const auto *Op = dyn_cast<BinaryOperator>(&S)) {
      if (Op->isAssignmentOp())
        noteWrite(*Op->getLHS(), Sure);
      if (Op->getOpcode() == BO_Assign)
        noteAssigned(variableOf(*Op->getLHS()));
    } else if (const auto *Step = dyn_cast<UnaryOperator>(&S)) {
      if (Step->isIncrementDecrementOp())
        noteWrite(*Step->getSubExpr(), Sure);
    } else if (const auto *Own = dyn_cast<CXXOperatorCallExpr>(&S)) {
      if (Own->isAssignmentOp())
        noteWrite(*Own->getArg(0), Sure);
    } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
      noteCall(*Call, Sure);
    }
  }

  void noteWrite(const Expr &Target, bool Sure) {
    if (Sure)
      add(rootOfPlace(Target));
  }
  void add(const ParmVarDecl *Parameter) {
    if (Parameter)
      Written.set(Parameter->getFunctionScopeIndex());
  }
  void noteAssigned(const VarDecl *Var) {
    if (const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(Var))
      Reassigned.set(Parameter->getFunctionScopeIndex());
  }

  void noteCall(const CallExpr &Call, bool Sure) {
    if (!Sure || Call.getNumArgs() == 0)
      return;
    const CallKind Kind = classifyCall(Call, SM);
    if (Kind == CallKind::Store || mayBecomeAtomic(Call) ||
        (Kind == CallKind::Atomic && !isLoad(*Call.getDirectCallee())))
      return add(rootOfPointer(*Call.getArg(0)));
    const FunctionDecl *Callee = definitionOf(Call);
    if (!Callee || isa<CXXMethodDecl>(Callee))
      return;
    const llvm::SmallBitVector Through = TextReader(*Callee, Depth + 1).run();
    for (unsigned I : Through.set_bits())
      if (I < Call.getNumArgs())
        add(rootOfPointer(*Call.getArg(I)));
  }

  /// Of those that are taken for atomics.
  static bool isLoad(const FunctionDecl &Callee) {
    const std::string Name = Callee.getNameAsString();
    return Name == "__ldcv" || llvm::StringRef(Name).contains("load");
  }

  /// In a template, an atomic that its arguments will choose.
  bool mayBecomeAtomic(const CallExpr &Call) const {
    const auto *Name =
        dyn_cast<UnresolvedLookupExpr>(Call.getCallee()->IgnoreParens());
    return Name && Name->getName().isIdentifier() &&
           Name->getName().getAsIdentifierInfo()->getName().starts_with(
               "atomic") &&
           llvm::all_of(Name->decls(), [&](const NamedDecl *D) {
             return SM.isInSystemHeader(D->getLocation());
           });
  }

  /// The parameter of which the memory \p E is told by; null for others.
  const ParmVarDecl *rootOfPlace(const Expr &Place) const {
    const Expr *E = Place.IgnoreParenCasts();
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
      const ParmVarDecl *Root = rootOfPointer(*Element->getLHS());
      return Root ? Root : rootOfPointer(*Element->getRHS());
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return Op->getOpcode() == UO_Deref ? rootOfPointer(*Op->getSubExpr())
                                         : nullptr;
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return Member->isArrow() ? rootOfPointer(*Member->getBase())
                               : rootOfPlace(*Member->getBase());
    const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(E);
    if (!Member || Member->isImplicitAccess())
      return nullptr;
    return Member->isArrow() ? rootOfPointer(*Member->getBase())
                             : rootOfPlace(*Member->getBase());
  }

  const ParmVarDecl *rootOfPointer(const Expr &Pointer) const {
    const Expr *E = Pointer.IgnoreParenCasts();
    if (E->getType()->isArrayType())
      return rootOfPlace(*E);
    if (const auto *Op = dyn_cast<BinaryOperator>(E);
        Op && Op->isAdditiveOp()) {
      const ParmVarDecl *Root = rootOfPointer(*Op->getLHS());
      return Root ? Root : rootOfPointer(*Op->getRHS());
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->getOpcode() == UO_AddrOf)
        return rootOfPlace(*Op->getSubExpr());
      return Op->isIncrementDecrementOp() ? rootOfPointer(*Op->getSubExpr())
                                          : nullptr;
    }
    const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(variableOf(*E));
    return Parameter && Parameter->getType()->isPointerType() ? Parameter
                                                              : nullptr;
  }

  const FunctionDecl &Function;
  const SourceManager &SM;
  const unsigned Depth;
  llvm::DenseMap<const VarDecl *, KnownBy> Locals;
  bool InSwitch = false;    ///< A `break` would leave a switch.
  bool MayHaveLeft = false; ///< By some constant, all threads.
  llvm::SmallBitVector Written, Reassigned;
};

} // namespace

llvm::SmallBitVector surelyWritten(const FunctionDecl &Function) {
  const FunctionDecl *Definition = spelledDefinition(Function);
  return Definition ? TextReader(*Definition, 0).run()
                    : llvm::SmallBitVector(Function.getNumParams());
}

} // namespace barricade::grid_barrier
