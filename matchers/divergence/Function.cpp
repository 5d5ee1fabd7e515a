// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is thread-dependent in a function: values, effects and control, until
// nothing changes.

#include "matchers/divergence/Escapes.h"
#include "matchers/divergence/Impl.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {

using namespace divergence;

FunctionDivergence::Impl::Impl(const FunctionDecl &Function,
                               llvm::ArrayRef<Argument> Params,
                               KernelDivergence::Impl &Kernel)
    : Function(Function), Kernel(Kernel),
      IsKernel(Function.hasAttr<CUDAGlobalAttr>()) {
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  // A condition that is constant today is an `if (Debug)` of tomorrow: nothing
  // may be proved by what it cuts off.
  Options.PruneTriviallyFalseEdges = false;
  Graph =
      CFG::buildCFG(&Function, Function.getBody(), &Kernel.Context, Options);
  Escaped = escapesOf(Kernel.factsOf(Function));
  for (unsigned I = 0; I < Function.getNumParams() && I < Params.size(); ++I) {
    if (Params[I].Why)
      EntryValues[{Function.getParamDecl(I), nullptr}] = Params[I].Why;
    if (Params[I].IsShared)
      Shared.insert(Function.getParamDecl(I));
  }
  if (!Graph)
    return;
  Out.resize(Graph->getNumBlockIDs());
  Over.resize(Graph->getNumBlockIDs());
  computePostDominators();
  solve();
}

void FunctionDivergence::Impl::solve() {
  do {
    Changed = false;
    for (const CFGBlock *B : llvm::reverse(*Graph)) {
      unsigned Id = B->getBlockID();
      Current = B == &Graph->getEntry() ? EntryValues : State();
      for (const CFGBlock::AdjacentBlock &Pred : B->preds())
        if (const CFGBlock *P = Pred.getReachableBlock())
          for (const auto &[L, T] : Out[P->getBlockID()])
            Current.try_emplace(L, T);
      CurrentBranch = Over[Id].empty()
                          ? SourceLocation()
                          : Over[Id].front().Terminator->getBeginLoc();
      for (const CFGElement &Element : *B)
        if (auto S = Element.getAs<CFGStmt>())
          evaluate(S->getStmt(), !Over[Id].empty());
      // States only grow, so that the fixed point ends.
      for (const auto &[L, T] : Current)
        Changed |= Out[Id].try_emplace(L, T).second;
    }
    findDivergentBranches();
  } while (Changed);
}

FunctionDivergence::FunctionDivergence(std::unique_ptr<Impl> I)
    : I(std::move(I)) {}
FunctionDivergence::~FunctionDivergence() = default;

Taint FunctionDivergence::taintOf(const Expr &E) const {
  if (Taint T = I->Values.lookup(&E))
    return T;
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
    return I->valueOf(Default);
  // Parentheses are no elements of the CFG.
  return I->Values.lookup(E.IgnoreParens());
}

} // namespace barricade
