// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/cost/ValueGraph.h"

using namespace barricade;

const LoopLevel *ValueGraph::deeper(const LoopLevel *A, const LoopLevel *B) {
  if (!A)
    return B;
  return A->contains(B) ? B : A;
}

ValueGraph::Id ValueGraph::fresh(const LoopLevel *Level,
                                 llvm::ArrayRef<Id> Args, unsigned Cost) {
  Node N;
  N.Args.assign(Args.begin(), Args.end());
  N.Level = Level;
  N.Cost = Cost;
  Nodes.push_back(std::move(N));
  return Nodes.size() - 1;
}

ValueGraph::Id ValueGraph::value(llvm::StringRef Op, llvm::ArrayRef<Id> Args,
                                 unsigned Cost, const void *Tag) {
  const LoopLevel *Level = nullptr;
  for (Id Arg : Args)
    Level = deeper(Level, Nodes[Arg].Level);
  auto [It, IsNew] = Known.try_emplace(
      {Op.str(), std::vector<Id>(Args.begin(), Args.end()), Tag}, 0);
  if (IsNew)
    It->second = fresh(Level, Args, Cost);
  return It->second;
}

ValueGraph::Totals ValueGraph::sum() const {
  Totals T;
  T.Live.resize(Nodes.size());
  std::vector<unsigned> Users(Nodes.size());
  std::vector<Id> Work;
  auto Visit = [&](Id Value) {
    if (!T.Live[Value])
      Work.push_back(Value);
    T.Live[Value] = true;
  };
  for (Id I = 0; I < Nodes.size(); ++I)
    if (Nodes[I].Required)
      Visit(I);
  while (!Work.empty()) {
    const Node &N = Nodes[Work.back()];
    Work.pop_back();
    for (Id Arg : N.Args) {
      ++Users[Arg];
      Visit(Arg);
    }
  }
  for (Id I = 0; I < Nodes.size(); ++I) {
    const Node &N = Nodes[I];
    if (!T.Live[I] || !N.Level)
      continue;
    uint64_t Cost = N.Cost;
    if (N.Fuses && Users[*N.Fuses] == 1 && Nodes[*N.Fuses].Level == N.Level)
      --Cost; // the product has been counted
    T.Instructions += Cost * N.Level->Times;
  }
  return T;
}
