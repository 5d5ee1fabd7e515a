// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::waiting {

using facts::VariableFacts;
using facts::VariableUse;

llvm::SmallVector<const Stmt *, 4> repeatedParts(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return {For->getConditionVariableDeclStmt(), For->getCond(), For->getInc(),
            For->getBody()};
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return {Range->getCond(), Range->getInc(), Range->getLoopVarStmt(),
            Range->getBody()};
  return {&Loop};
}

namespace {

class DecidingCode {
public:
  DecidingCode(const Stmt &Loop, const FunctionDecl &Function)
      : Repeated(repeatedParts(Loop)), InLoop(Repeated), Whole(Function) {
    add(conditionOf(Loop));
    addConditionsOf([](const Stmt &S) { return isJump(S) || endsThread(S); });
    addWhatGivesValues();
  }
  DecidingCode(const Stmt &Loop, const FunctionDecl &Function,
               llvm::ArrayRef<const Stmt *> Conditions)
      : Parts(Conditions), Repeated(repeatedParts(Loop)), InLoop(Repeated),
        Whole(Function) {
    addWhatGivesValues();
  }

  llvm::SmallVector<const Stmt *, 8> Parts;

private:
  void addWhatGivesValues() {
    // What is added in doing so is looked at, too.
    for (size_t I = 0; I < Parts.size(); ++I)
      (void)holds(Parts[I], [&](const Stmt &S) {
        const VarDecl *Var = variableNamedBy(S);
        if (Var && isOwn(*Var) && Variables.insert(Var).second)
          addChangesOf(*Var);
        return false;
      });
  }

  void add(const Stmt *Part) {
    if (Part && !llvm::is_contained(Parts, Part))
      Parts.push_back(Part);
  }

  /// The thread, or its block, gives it its values.
  static bool isOwn(const VarDecl &Var) {
    return Var.hasLocalStorage() || Var.hasAttr<CUDASharedAttr>();
  }

  void addChangesOf(const VarDecl &Var) {
    if (!Whole.changesByNameOnly(Var)) {
      for (const Stmt *Part : Repeated)
        add(Part);
      return;
    }
    forEachPart([&](const Stmt &S) {
      const auto *Declaration = dyn_cast<DeclStmt>(&S);
      if (Declaration && llvm::is_contained(Declaration->decls(), &Var))
        add(Var.getInit());
    });
    for (const VariableUse &U : InLoop.of(Var))
      if (InLoop.mayChange(U)) {
        add(U.By);
        addConditionsOf([&](const Stmt &S) { return &S == U.By; });
      }
  }

  /// Of statements in the loop that hold what passes \p Test, which runs under
  /// their conditions.
  void addConditionsOf(llvm::function_ref<bool(const Stmt &)> Test) {
    forEachPart([&](const Stmt &S) {
      if (const Stmt *Condition = conditionWithin(S);
          Condition && holds(&S, Test))
        add(Condition);
    });
  }

  void forEachPart(llvm::function_ref<void(const Stmt &)> Visit) const {
    for (const Stmt *Part : Repeated)
      (void)holds(Part, [&](const Stmt &S) {
        Visit(S);
        return false;
      });
  }

  static const Stmt *conditionWithin(const Stmt &S) {
    if (const auto *If = dyn_cast<IfStmt>(&S))
      return If->getCond();
    if (const auto *Switch = dyn_cast<SwitchStmt>(&S))
      return Switch->getCond();
    if (const auto *Either = dyn_cast<AbstractConditionalOperator>(&S))
      return Either->getCond();
    if (const auto *Op = dyn_cast<BinaryOperator>(&S))
      return Op->isLogicalOp() ? Op->getLHS() : nullptr;
    return isLoop(S) ? conditionOf(S) : nullptr;
  }

  const llvm::SmallVector<const Stmt *, 4> Repeated;
  const VariableFacts InLoop, Whole;
  llvm::SmallPtrSet<const VarDecl *, 8> Variables;
};

} // namespace

llvm::SmallVector<const Stmt *, 8> decidingCode(const Stmt &Loop,
                                                const FunctionDecl &Function) {
  return DecidingCode(Loop, Function).Parts;
}

llvm::SmallVector<const Stmt *, 8>
decidingCode(const Stmt &Loop, const FunctionDecl &Function,
             llvm::ArrayRef<const Stmt *> Conditions) {
  return DecidingCode(Loop, Function, Conditions).Parts;
}

} // namespace barricade::waiting
