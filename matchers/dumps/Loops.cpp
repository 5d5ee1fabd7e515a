// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How loops and statements end, and what loops cost.

#include "matchers/cost/LoopFacts.h"
#include "matchers/dumps/Dumps.h"
#include "matchers/facts/Completion.h"
#include "matchers/facts/CountedLoop.h"
#include "matchers/facts/EndingLoop.h"
#include "matchers/source/Statements.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace barricade::dumps {

void countedLoops(const PassView &Pass, const Program &, Annotate Tell) {
  const auto Text = [&](const Expr *E) {
    return E ? textOf(*E, *Pass.Context) : "?";
  };
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    forEachStatement(Function, [&](const Stmt &S) {
      const auto *For = dyn_cast<ForStmt>(&S);
      if (!For)
        return;
      const auto Loop = facts::readCountedLoop(*For, *Pass.Context);
      Tell(For->getForLoc(), !Loop ? "not counted"
                                   : quoted(Loop->Counter) + " counts " +
                                         (Loop->CountsUp ? "up" : "down") +
                                         " from " + Text(Loop->First) + " to " +
                                         Text(Loop->limit()) + " by " +
                                         (Loop->Step ? Text(Loop->Step) : "1"));
    });
  });
}

void endingLoops(const PassView &Pass, const Program &, Annotate Tell) {
  const auto IsShared = [](const VarDecl &Var) {
    return !Var.hasLocalStorage();
  };
  forEachHostFunction(Pass, [&](const FunctionDecl &Function) {
    forEachStatement(Function, [&](const Stmt &S) {
      if (isLoop(S))
        Tell(S.getBeginLoc(), facts::isSeenToEnd(S, *Pass.Context, IsShared)
                                  ? "a counter ends it"
                                  : "no counter is seen to end it");
    });
  });
}

void completion(const PassView &Pass, const Program &, Annotate Tell) {
  const auto Completes = [&](const Stmt &S, facts::Judged How) {
    return facts::completesNormally(&S, *Pass.Context, How);
  };
  forEachStatement(*Pass.Context, [&](const Stmt &S) {
    if (!isa<IfStmt, SwitchStmt, ReturnStmt>(S) && !isLoop(S))
      return;
    Tell(S.getBeginLoc(),
         Completes(S, facts::Judged::ByValues) ? "control may pass beyond it"
         : Completes(S, facts::Judged::AsWritten)
             ? "control passes beyond it only by its text, not by its values"
             : "control never passes beyond it");
  });
}

struct ShownCosts {
  static void tell(const Stmt &Loop, const FunctionDecl &Function,
                   ASTContext &Context, Annotate Tell);
};

/// "instructions 9", "memory-ratio 0.33"
static std::string describe(const Fact &Each) {
  const auto Print = [](const auto &Value) {
    return llvm::formatv("{0}", Value).str();
  };
  return Each.Name + " " + std::visit(Print, Each.Value);
}

void ShownCosts::tell(const Stmt &Loop, const FunctionDecl &Function,
                      ASTContext &Context, Annotate Tell) {
  const CostOnly<LoopFacts> Costs = collectLoopFacts(Loop, Function, Context);
  const LoopFacts &Facts = Costs.value(ForCostOnly());
  Tell(Loop.getBeginLoc(),
       llvm::join(llvm::map_range(Facts.facts(), describe), ", "));
  for (const LoopAccess &Each : Facts.Accesses)
    Tell(Each.Expr->getBeginLoc(),
         Each.Fact.Kind + " of " + Each.Fact.Space + " " + Each.Fact.Base +
             "[" + Each.Fact.Index + "], " + Each.Fact.Locality + ", for " +
             loopAt(Loop, Context));
}

void costs(const PassView &Pass, const Program &, Annotate Tell) {
  forEachDeviceFunction(Pass, [&](const FunctionDecl &Function) {
    forEachStatement(Function, [&](const Stmt &S) {
      if (isLoop(S))
        ShownCosts::tell(S, Function, *Pass.Context, Tell);
    });
  });
}

} // namespace barricade::dumps
