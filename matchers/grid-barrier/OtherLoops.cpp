// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/OtherLoops.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Analysis/CFG.h"
#include "clang/Analysis/CallGraph.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// \p S without the bodies of lambdas in it.
bool holdsHere(const Stmt *S, llvm::function_ref<bool(const Stmt &)> Test) {
  return S && !isa<LambdaExpr>(S) &&
         (Test(*S) || llvm::any_of(S->children(), [&](const Stmt *Child) {
            return holdsHere(Child, Test);
          }));
}

//===----------------------------------------------------------------------===//
// By goto
//===----------------------------------------------------------------------===//

class GotoLoops {
public:
  GotoLoops(const CFG &Graph, host::HiddenLaunches &Hidden)
      : Graph(Graph), Hidden(Hidden) {}

  /// \p Jump leads back to \p Target, on a way that launches and that is not a
  /// round of another loop alone.
  bool isLoop(const CFGBlock &Jump, const CFGBlock &Target) const {
    if (!reach(Target, nullptr, /*Rounds=*/false, Forward)
             .test(Jump.getBlockID()))
      return false;
    llvm::BitVector Within = reach(Jump, &Target, /*Rounds=*/true, Backward);
    Within &= reach(Target, nullptr, /*Rounds=*/true, Forward);
    return llvm::any_of(Graph, [&](const CFGBlock *B) {
      return Within.test(B->getBlockID()) && launches(*B);
    });
  }

private:
  enum Direction { Forward, Backward };

  /// The blocks to which a way leads from \p From without passing \p Barrier;
  /// \p Rounds: one that may go back to the head of a for, while or do loop.
  llvm::BitVector reach(const CFGBlock &From, const CFGBlock *Barrier,
                        bool Rounds, Direction Way) const {
    llvm::BitVector Reached(Graph.getNumBlockIDs());
    llvm::SmallVector<const CFGBlock *> Open = {&From};
    Reached.set(From.getBlockID());
    while (!Open.empty()) {
      const CFGBlock *B = Open.pop_back_val();
      if (B == Barrier || (!Rounds && B->getLoopTarget()))
        continue;
      const auto Visit = [&](const CFGBlock *Next) {
        if (Next && !Reached.test(Next->getBlockID())) {
          Reached.set(Next->getBlockID());
          Open.push_back(Next);
        }
      };
      if (Way == Forward)
        for (const CFGBlock::AdjacentBlock &Succ : B->succs())
          Visit(Succ.getReachableBlock());
      else
        for (const CFGBlock::AdjacentBlock &Pred : B->preds())
          Visit(Pred.getReachableBlock());
    }
    return Reached;
  }

  bool launches(const CFGBlock &B) const {
    return llvm::any_of(B, [&](const CFGElement &Element) {
      const auto S = Element.getAs<CFGStmt>();
      return S && (isa<CUDAKernelCallExpr>(S->getStmt()) ||
                   (!isa<LambdaExpr>(S->getStmt()) &&
                    Hidden.isHeldBy(*S->getStmt())));
    });
  }

  const CFG &Graph;
  host::HiddenLaunches &Hidden;
};

/// The statement that makes \p B end in a jump, where that is a goto.
const Stmt *gotoAtEnd(const CFGBlock &B) {
  const Stmt *End = B.getTerminatorStmt();
  return End && isa<GotoStmt, IndirectGotoStmt>(End) ? End : nullptr;
}

/// The labels that \p Jump may lead to.
llvm::SmallVector<const CFGBlock *, 2> targetsOf(const CFGBlock &Jump,
                                                 const CFG &Graph) {
  llvm::SmallVector<const CFGBlock *, 2> All;
  for (const CFGBlock::AdjacentBlock &Succ : Jump.succs()) {
    const CFGBlock *Target = Succ.getReachableBlock();
    if (Target && Target == Graph.getIndirectGotoBlock())
      All.append(targetsOf(*Target, Graph));
    else if (Target && Target->getLabel())
      All.push_back(Target);
  }
  return All;
}

//===----------------------------------------------------------------------===//
// By recursion
//===----------------------------------------------------------------------===//

/// Clang's call graph of what the user wrote, with the calls of variables that
/// are lambdas.
class UnitCalls {
public:
  UnitCalls(ASTContext &Context, host::HiddenLaunches &Hidden) {
    for (const Decl *D : userDeclarations(Context))
      Graph.addToCallGraph(const_cast<Decl *>(D));
    std::vector<CallGraphNode *> Nodes;
    for (const auto &[D, Node] : Graph)
      if (D)
        Nodes.push_back(Node.get());
    for (CallGraphNode *Node : Nodes) {
      addLambdaCalls(*Node, Hidden);
      addOtherInstances(*Node);
      Graph.getRoot()->addCallee({Node, nullptr});
    }
  }

  CallGraph Graph;

private:
  /// A template that calls another instance of itself, `step<N - 1>()`, is one
  /// that calls itself. Those that differ in what they are given to call do
  /// not.
  void addOtherInstances(CallGraphNode &Node) {
    const FunctionDecl *Caller = Node.getDecl()->getAsFunction();
    if (!Caller || !Caller->isTemplateInstantiation())
      return;
    for (const CallGraphNode::CallRecord &Call :
         std::vector<CallGraphNode::CallRecord>(Node.begin(), Node.end())) {
      const FunctionDecl *Callee = Call.Callee->getDecl()->getAsFunction();
      if (Callee && Call.Callee != &Node && !takesFunctions(*Callee) &&
          &spelledFunction(*Callee) == &spelledFunction(*Caller))
        Call.Callee->addCallee({&Node, nullptr});
    }
  }

  static bool takesFunctions(const FunctionDecl &Instance) {
    const TemplateArgumentList *All = Instance.getTemplateSpecializationArgs();
    return !All ||
           llvm::any_of(All->asArray(), [](const TemplateArgument &Arg) {
             if (Arg.getKind() != TemplateArgument::Type)
               return Arg.getKind() == TemplateArgument::Declaration;
             const CXXRecordDecl *Record =
                 Arg.getAsType()->getAsCXXRecordDecl();
             return (Record && Record->isLambda()) ||
                    Arg.getAsType()->isFunctionPointerType();
           });
  }

  void addLambdaCalls(CallGraphNode &Node, host::HiddenLaunches &Hidden) {
    const FunctionDecl *Caller = Node.getDecl()->getAsFunction();
    (void)holdsHere(Caller ? Caller->getBody() : nullptr, [&](const Stmt &S) {
      const auto *Call = dyn_cast<CallExpr>(&S);
      const FunctionDecl *Lambda = Call ? Hidden.lambdaBehind(*Call) : nullptr;
      if (Lambda)
        Node.addCallee(
            {Graph.getOrInsertNode(const_cast<FunctionDecl *>(Lambda)),
             const_cast<CallExpr *>(Call)});
      return false;
    });
  }
};

} // namespace

/// In the instances of a generic lambda, each loop once.
static std::vector<HostLoop>
gotoLoopsOfInstances(const FunctionDecl &Lambda, host::HiddenLaunches &Hidden) {
  std::vector<HostLoop> Loops;
  const FunctionTemplateDecl *Template = Lambda.getDescribedFunctionTemplate();
  if (!Template)
    return Loops;
  for (const FunctionDecl *Instance : Template->specializations())
    if (const Stmt *Body = Instance->getBody())
      for (HostLoop &L :
           findGotoLoops(*Body, *Instance, /*InLambda=*/true, Hidden))
        if (llvm::none_of(Loops, [&](const HostLoop &Known) {
              return Known.Loop->getBeginLoc() == L.Loop->getBeginLoc();
            }))
          Loops.push_back(std::move(L));
  return Loops;
}

std::vector<HostLoop> findGotoLoops(const Stmt &Body,
                                    const FunctionDecl &Function, bool InLambda,
                                    host::HiddenLaunches &Hidden) {
  if (Function.isDependentContext() && InLambda)
    return gotoLoopsOfInstances(Function, Hidden);
  if (Function.isDependentContext() || !holdsHere(&Body, [](const Stmt &S) {
        return isa<GotoStmt, IndirectGotoStmt>(S);
      }))
    return {};
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.PruneTriviallyFalseEdges = false;
  const std::unique_ptr<CFG> Graph = CFG::buildCFG(
      &Function, const_cast<Stmt *>(&Body), &Function.getASTContext(), Options);
  if (!Graph)
    return {};
  std::vector<HostLoop> Loops;
  const GotoLoops Finder(*Graph, Hidden);
  for (const CFGBlock *B : *Graph) {
    const Stmt *Goto = gotoAtEnd(*B);
    if (!Goto)
      continue;
    for (const CFGBlock *Target : targetsOf(*B, *Graph))
      if (Finder.isLoop(*B, *Target)) {
        Loops.push_back({Target->getLabel(), &Function, InLambda, -1});
        Loops.back().NoKeyword = {
            blocker(ReasonId::GotoLoop, Goto->getBeginLoc())};
      }
  }
  return Loops;
}

std::vector<HostLoop> findRecursions(ASTContext &Context,
                                     llvm::ArrayRef<HostLoop> Loops,
                                     host::HiddenLaunches &Hidden) {
  UnitCalls Calls(Context, Hidden);
  const SourceManager &SM = Context.getSourceManager();
  llvm::SmallPtrSet<const Stmt *, 16> InLoops;
  for (const HostLoop &L : Loops)
    (void)holds(L.NoKeyword.empty() ? L.Loop : nullptr, [&](const Stmt &S) {
      InLoops.insert(&S);
      return false;
    });
  std::vector<HostLoop> Found;
  for (auto It = llvm::scc_begin(&Calls.Graph); !It.isAtEnd(); ++It) {
    const std::vector<CallGraphNode *> &Cycle = *It;
    if (!It.hasCycle())
      continue;
    std::vector<HostLoop> OfCycle;
    bool Launches = false;
    for (const CallGraphNode *Node : Cycle) {
      const auto *Caller = dyn_cast_or_null<FunctionDecl>(Node->getDecl());
      const FunctionDecl *Definition =
          Caller ? Caller->getDefinition() : nullptr;
      if (!Definition)
        continue;
      Launches |= Hidden.launches(*Definition);
      const auto *Method = dyn_cast<CXXMethodDecl>(Definition);
      for (const CallGraphNode::CallRecord &Call : *Node)
        if (Call.CallExpr && !InLoops.contains(Call.CallExpr) &&
            llvm::is_contained(Cycle, Call.Callee))
          OfCycle.push_back({Call.CallExpr, Definition,
                             Method && Method->getParent()->isLambda(), -1});
    }
    if (!Launches || OfCycle.empty())
      continue;
    llvm::sort(OfCycle, [&](const HostLoop &A, const HostLoop &B) {
      return SM.isBeforeInTranslationUnit(A.Loop->getBeginLoc(),
                                          B.Loop->getBeginLoc());
    });
    for (const HostLoop &Call : OfCycle)
      OfCycle.front().NoKeyword.push_back(
          blocker(ReasonId::RecursiveLaunch, Call.Loop->getBeginLoc()));
    Found.push_back(std::move(OfCycle.front()));
  }
  return Found;
}

} // namespace barricade::grid_barrier
