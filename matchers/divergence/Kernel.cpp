// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of a kernel pass to each other.

#include "matchers/divergence/Impl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {

using namespace divergence;

llvm::StringRef describe(TaintKind Kind) {
  switch (Kind) {
  case TaintKind::ThreadIndex:
    return "the thread index";
  case TaintKind::Clock:
    return "a clock";
  case TaintKind::Atomic:
    return "an atomic's result";
  case TaintKind::Exchange:
    return "another lane's value";
  case TaintKind::GlobalMemory:
    return "global memory that the kernel may write";
  case TaintKind::SharedMemory:
    return "shared memory that the kernel writes";
  case TaintKind::Volatile:
    return "a volatile read";
  case TaintKind::UnknownCall:
    return "a call that cannot be looked into";
  case TaintKind::InlineAsm:
    return "inline assembly";
  case TaintKind::AddressTaken:
    return "a variable whose address is taken";
  case TaintKind::Control:
    return "which threads come here";
  case TaintKind::Parameter:
    return "an argument";
  }
  llvm_unreachable("unknown taint kind");
}

const Summary &
KernelDivergence::Impl::summarize(const FunctionDecl &Callee,
                                  llvm::ArrayRef<Argument> Arguments) {
  std::vector<bool> Key;
  for (const Argument &A : Arguments) {
    Key.push_back(A.Why);
    Key.push_back(A.IsShared);
  }
  auto [It, New] = Summaries.try_emplace({&Callee, Key});
  if (!New)
    return It->second;
  Summary &S = It->second;
  // While in progress, and for recursion, the worst is assumed.
  Taint Worst = intern(TaintKind::UnknownCall, Callee.getLocation());
  S.Result = Worst;
  S.References.assign(Arguments.size(), Worst);
  if (!InProgress.insert(&Callee).second || InProgress.size() > 32)
    return S;
  std::vector<Argument> Params;
  for (unsigned P = 0; P < Arguments.size(); ++P)
    Params.push_back({Arguments[P].Why ? intern(TaintKind::Parameter,
                                                Callee.getLocation(), {}, P)
                                       : nullptr,
                      Arguments[P].IsShared});
  FunctionDivergence::Impl Analysis(Callee, Params, *this);
  InProgress.erase(&Callee);
  if (!Analysis.Graph)
    return S;
  S.Result = Analysis.Result;
  const State &AtExit = Analysis.Out[Analysis.Graph->getExit().getBlockID()];
  for (unsigned P = 0; P < Arguments.size() && P < Callee.getNumParams(); ++P) {
    S.References[P] = Params[P].Why;
    for (const auto &[L, T] : AtExit)
      if (L.first == Callee.getParamDecl(P))
        S.References[P] = T;
    if (Analysis.Escaped.count(Callee.getParamDecl(P)))
      S.References[P] = Worst;
  }
  return S;
}

KernelDivergence::KernelDivergence(const KernelEffects &Effects,
                                   ASTContext &Context)
    : I(std::make_unique<Impl>(Effects, Context)) {
  Taint Recursion =
      I->intern(TaintKind::UnknownCall, Effects.Kernel->getLocation());
  for (const FunctionDecl *Function : Effects.Functions) {
    std::vector<Argument> Params(Function->getNumParams());
    EntryState Entry;
    if (Function != Effects.Kernel) {
      auto Calls = Effects.callsOf(*Function);
      // Constructors and destructors run without a call expression.
      if (Calls.empty() || Effects.Recursive) {
        Params.assign(Params.size(), Argument{Recursion, true});
        Entry.Why = Recursion;
      }
      for (const KernelEffects::Site &Site : Calls) {
        auto Caller = I->Functions.find(Site.Caller);
        if (Caller == I->Functions.end()) {
          Entry.Why = Recursion;
          continue;
        }
        const FunctionDivergence &D = *Caller->second;
        unsigned Offset =
            isa<CXXOperatorCallExpr>(Site.Call) && isa<CXXMethodDecl>(Function);
        for (unsigned P = 0;
             P < Params.size() && P + Offset < Site.Call->getNumArgs(); ++P)
          Params[P] =
              join(Params[P],
                   D.I->argumentAt(*Site.Call, P + Offset,
                                   D.taintOf(*Site.Call->getArg(P + Offset))));
        EntryState Outer = I->Entries[Site.Caller];
        auto Branches = D.branchesOverStatement(*Site.Call);
        if (!Branches && !Entry.Why)
          Entry.Why = Recursion;
        else if (Branches && !Branches->empty() && !Entry.Why) {
          Entry.DivergentCall = Site.Call;
          Entry.Why = Branches->front().Why;
        } else if (Outer.Why && !Entry.Why) {
          Entry.DivergentCall = Outer.DivergentCall;
          Entry.Why = Outer.Why;
        }
        llvm::append_range(Entry.Exits, Outer.Exits);
        llvm::append_range(Entry.Exits, D.divergentExitsBefore(*Site.Call));
      }
    }
    I->Entries[Function] = Entry;
    I->Functions[Function] = std::make_unique<FunctionDivergence>(
        std::make_unique<FunctionDivergence::Impl>(*Function, Params, *I));
  }
}

KernelDivergence::~KernelDivergence() = default;

const FunctionDivergence &
KernelDivergence::of(const FunctionDecl &Function) const {
  return *I->Functions.at(&Function);
}

EntryState KernelDivergence::entryOf(const FunctionDecl &Function) const {
  return I->Entries.at(&Function);
}

} // namespace barricade
