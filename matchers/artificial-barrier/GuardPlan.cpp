// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/GuardPlan.h"
#include "matchers/artificial-barrier/LoopJumps.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade::artificial_barrier {

const Stmt &withoutAttributes(const Stmt &S) {
  const auto *Attributed = dyn_cast<AttributedStmt>(&S);
  return Attributed ? *Attributed->getSubStmt() : S;
}

namespace {

bool jumpsAway(const Stmt &S, bool ReturnsCount) {
  LoopJumps Jumps = jumpsOutOf(S);
  return !Jumps.Breaks.empty() || !Jumps.Continues.empty() ||
         !Jumps.Gotos.empty() || (ReturnsCount && !Jumps.Returns.empty());
}

/// The `continue` or `break` that is all there is in the `if` \p S; otherwise
/// null.
const Stmt *onlyJumpIn(const IfStmt &S) {
  const Stmt *Then = S.getThen();
  if (const auto *Block = dyn_cast<CompoundStmt>(Then);
      Block && Block->size() == 1)
    Then = Block->body_front();
  return isa<ContinueStmt, BreakStmt>(Then) && !S.getElse() && !S.getInit() &&
                 !S.getConditionVariable() && !S.isConstexpr()
             ? Then
             : nullptr;
}

class GuardPlanner {
public:
  GuardPlanner(llvm::ArrayRef<const LoopCandidate *> Loops,
               const BarrierSettings &Settings, const TextQuestions &Text,
               ASTContext &Context)
      : Loops(Loops), Settings(Settings), Text(Text), Context(Context),
        IsKernel(function().hasAttr<CUDAGlobalAttr>()),
        InFunction(*function().getBody()) {}

  GuardPlan run() {
    const Stmt *Outermost = Loops.front()->outermost();
    Plan.Outermost = share(*Outermost, /*Guard=*/nullptr);
    return std::move(Plan);
  }

private:
  using Node = std::unique_ptr<SharedStatement>;

  const FunctionDecl &function() const { return *Loops.front()->Function; }

  bool refused() const { return !Plan.Blockers.empty(); }

  void refuse(SourceLocation Where) {
    Plan.Blockers.push_back(blocker(ReasonId::GuardShape, Where));
  }

  bool holdsLoop(const Stmt *S) const {
    return holds(S, [&](const Stmt &Inner) {
      return llvm::any_of(
          Loops, [&](const LoopCandidate *C) { return C->Loop == &Inner; });
    });
  }

  //===--------------------------------------------------------------------===//
  // 1. Statements with a loop in them
  //===--------------------------------------------------------------------===//

  /// \p Guard: the `if` or the loop's body that the flag around \p Whole speaks
  /// of; null where none is around it. Outside of it, it is the others'
  /// variables, too, that may change.
  Node share(const Stmt &Whole, const Stmt *Guard) {
    auto Result = std::make_unique<SharedStatement>();
    const Stmt &S = withoutAttributes(Whole);
    Result->Statement = &S;
    if (llvm::any_of(Loops,
                     [&](const LoopCandidate *C) { return C->Loop == &S; }))
      planBarrierLoop(*Result, Guard);
    else if (const auto *If = dyn_cast<IfStmt>(&S))
      planGuard(*Result, *If);
    else if (const auto *Block = dyn_cast<CompoundStmt>(&S))
      planBlock(*Result, *Block, Guard);
    else if (!isLoop(S) || !holdsLoop(bodyOf(S)))
      refuse(S.getBeginLoc());
    else if (llvm::any_of(Loops, [&](const LoopCandidate *C) {
               return llvm::is_contained(C->EnclosingLoops, &S);
             }))
      planUniformLoop(*Result, Guard);
    else
      planVotingLoop(*Result, Guard);
    return Result;
  }

  /// `if (c) A else B`, with a loop in A or B or both.
  void planGuard(SharedStatement &S, const IfStmt &If) {
    S.What = SharedStatement::Kind::Guard;
    if (If.getInit() || If.getConditionVariable() || If.isConstexpr())
      return refuse(If.getBeginLoc());
    S.Inner = planBranch(*If.getThen(), If);
    if (If.getElse() && !refused())
      S.Else = planBranch(*If.getElse(), If);
  }

  Node planBranch(const Stmt &Branch, const IfStmt &Guard) {
    if (holdsLoop(&Branch))
      return share(Branch, &Guard);
    noteJump(Branch);
    return nullptr;
  }

  /// A loop that all threads run equally often.
  void planUniformLoop(SharedStatement &S, const Stmt *Guard) {
    S.What = SharedStatement::Kind::UniformLoop;
    S.Inner = share(*bodyOf(*S.Statement), Guard);
    // The next iteration comes to the barrier, too.
    if (Jump.isValid())
      refuse(Jump);
  }

  /// A loop that keeps all threads until the last is done with it.
  void planVotingLoop(SharedStatement &S, const Stmt *Guard) {
    S.What = SharedStatement::Kind::VotingLoop;
    if (Jump.isValid())
      return refuse(Jump);
    S.Kept = planKeptLoop(*S.Statement, {1, Settings.Barrier}, /*Vote=*/true);
    S.Kept.GuardBody = false;
    if (S.Kept.Obstacle)
      return Plan.Blockers.push_back(*S.Kept.Obstacle);
    planStart(S, Guard);
    const Stmt *Body = bodyOf(*S.Statement);
    S.Inner = share(*Body, /*Guard=*/Body);
    // What jumps in the body leads to the vote.
    Jump = SourceLocation();
  }

  void planBarrierLoop(SharedStatement &S, const Stmt *Guard) {
    S.What = SharedStatement::Kind::BarrierLoop;
    if (Jump.isValid())
      return refuse(Jump);
    S.Kept = planKeptLoop(*S.Statement, Settings, /*Vote=*/true);
    if (S.Kept.Obstacle)
      Plan.Blockers.push_back(*S.Kept.Obstacle);
    planStart(S, Guard);
  }

  //===--------------------------------------------------------------------===//
  // 2. Blocks
  //===--------------------------------------------------------------------===//

  void planBlock(SharedStatement &S, const CompoundStmt &Block,
                 const Stmt *Guard) {
    S.What = SharedStatement::Kind::Block;
    const bool MayBeSkipped = Guard == &Block;
    S.Parts = partsOf(Block, MayBeSkipped);
    for (const Stmt *Inner : Block.body())
      if (isa<SwitchCase, LabelStmt>(Inner))
        refuse(Inner->getBeginLoc());
    for (GuardedPart &P : S.Parts) {
      if (refused())
        return;
      if (P.Single && !P.Skipping)
        P.WithLoop = share(*P.Single, Guard);
      for (const Stmt *Guarded : P.Run.Guarded)
        noteJump(*Guarded);
    }
  }

  /// \p MayBeSkipped: the block is the body of a loop that keeps all threads.
  std::vector<GuardedPart> partsOf(const CompoundStmt &Block,
                                   bool MayBeSkipped) {
    std::vector<GuardedPart> Parts;
    llvm::ArrayRef<Stmt *> Rest(const_cast<Stmt **>(Block.body_begin()),
                                Block.size());
    const auto IsSkip = [&](const Stmt *S) {
      return MayBeSkipped && isSkip(*S, Rest);
    };
    bool OwnFlag = true;
    while (!Rest.empty()) {
      GuardedPart &P = Parts.emplace_back();
      if (IsSkip(Rest.front()))
        P.Skipping = planSkip(*cast<IfStmt>(Rest.front()), OwnFlag);
      if (P.Skipping || holdsLoop(Rest.front())) {
        P.Single = Rest.front();
        Rest = Rest.drop_front();
        continue;
      }
      const llvm::ArrayRef<Stmt *> Run = Rest.take_while(
          [&](const Stmt *S) { return !holdsLoop(S) && !IsSkip(S); });
      Rest = Rest.drop_front(Run.size());
      P.Run = planGuardedRun(Run, Rest, InFunction, Text.IsInFile, Context);
      if (P.Run.Obstacle.isValid())
        refuse(P.Run.Obstacle);
    }
    return Parts;
  }

  /// A jump by itself, with a loop behind it in the block, of which \p Rest is
  /// left.
  bool isSkip(const Stmt &S, llvm::ArrayRef<Stmt *> Rest) const {
    const auto *If = dyn_cast<IfStmt>(&S);
    return If && onlyJumpIn(*If) && !Text.CommentsJump(*If) &&
           llvm::any_of(Rest, [&](const Stmt *Later) {
             return If->getEndLoc() < Later->getBeginLoc() && holdsLoop(Later);
           });
  }

  /// \p OwnFlag: no skip before it in the loop's body made another flag.
  static Skip planSkip(const IfStmt &If, bool &OwnFlag) {
    Skip Result;
    Result.Leaves = isa<BreakStmt>(onlyJumpIn(If));
    Result.MakesFlag = !Result.Leaves || !OwnFlag;
    OwnFlag &= !Result.MakesFlag;
    return Result;
  }

  //===--------------------------------------------------------------------===//
  // 3. Jumps
  //===--------------------------------------------------------------------===//

  /// From a kernel a thread may return: then nobody waits for it.
  void noteJump(const Stmt &S) {
    if (Jump.isInvalid() && jumpsAway(S, !IsKernel))
      Jump = S.getBeginLoc();
  }

  //===--------------------------------------------------------------------===//
  // 4. Loops
  //===--------------------------------------------------------------------===//

  void planStart(SharedStatement &S, const Stmt *Guard) {
    if (!Guard)
      return;
    S.Start = planLoopStart(*S.Statement, *Guard, Context);
    if (S.Start.Obstacle.isValid())
      refuse(S.Start.Obstacle);
  }

  const llvm::ArrayRef<const LoopCandidate *> Loops;
  const BarrierSettings &Settings;
  const TextQuestions &Text;
  ASTContext &Context;
  const bool IsKernel;
  const IndirectUses InFunction;
  /// A statement after which some threads may be missed.
  SourceLocation Jump;
  GuardPlan Plan;
};

} // namespace

GuardPlan planGuards(llvm::ArrayRef<const LoopCandidate *> Loops,
                     const BarrierSettings &Settings, const TextQuestions &Text,
                     ASTContext &Context) {
  return GuardPlanner(Loops, Settings, Text, Context).run();
}

} // namespace barricade::artificial_barrier
