// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/cost/InstructionCount.h"
#include "matchers/cost/Execution.h"

using namespace clang;
using namespace barricade;
using namespace barricade::cost;

Execution::Execution(const Stmt &Loop, const FunctionDecl &Function,
                     FunctionValues &Values, ASTContext &Ctx,
                     const LoopSummaries *Known)
    : Ctx(Ctx), Counted(&Loop), Known(Known) {
  Top.Function = &Function;
  Top.Values = &Values;
  Current = &Top;
  runLoop(Loop);
}

IterationCost Execution::cost() const {
  IterationCost Cost = Counts;
  ValueGraph::Totals Totals = Graph.sum();
  Cost.Instructions = Totals.Instructions;
  for (const Operation &O : Operations)
    if (Totals.Live[O.Value])
      Cost.Memory.push_back(O.Memory);
  return Cost;
}

CostOnly<IterationCost> barricade::countIteration(const Stmt &Loop,
                                                  const FunctionDecl &Function,
                                                  FunctionValues &Values,
                                                  ASTContext &Ctx) {
  // Whether a load can leave a loop is known when the loop's stores are: the
  // first execution finds them, the second one counts.
  Execution First(Loop, Function, Values, Ctx, nullptr);
  Execution Second(Loop, Function, Values, Ctx, &First.Summaries);
  return Second.cost();
}
