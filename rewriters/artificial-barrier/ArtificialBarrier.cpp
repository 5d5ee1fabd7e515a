// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule artificial-barrier: from loop candidates to findings.

#include "rewriters/artificial-barrier/ArtificialBarrier.h"
#include "matchers/artificial-barrier/BarrierPlan.h"
#include "matchers/artificial-barrier/LoopBarrier.h"
#include "matchers/artificial-barrier/Profit.h"
#include "matchers/source/FunctionId.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "rewriters/GiveWay.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/LoopInOtherBuilds.h"
#include "rewriters/artificial-barrier/LoopRewriter.h"
#include "rewriters/artificial-barrier/Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

using namespace clang;

namespace barricade {
namespace {

using namespace artificial_barrier;

constexpr llvm::StringLiteral RuleId = "artificial-barrier";

/// A finding on its way, with the candidate that it speaks of.
struct Draft {
  const LoopCandidate *Candidate;
  Finding Result;
};

/// \p F is refused, for the first of its reasons.
void refuse(Finding &F) {
  F.Outcome = Verdict::Refused;
  F.Form.clear();
  F.Edits.clear();
  F.Companions.clear();
  F.Message = F.Subject +
              " cannot take an artificial barrier: " + F.Reasons.front().Text;
}

/// Turns the candidates of one pass into findings.
class FindingWriter {
public:
  FindingWriter(const PassView &Pass, const RuleOptions &Options)
      : Pass(Pass), Context(*Pass.Context), SM(Context.getSourceManager()),
        Options(Options) {}

  std::vector<Finding> write(llvm::ArrayRef<LoopCandidate> Candidates) {
    std::vector<Draft> Drafts;
    for (const LoopCandidate &C : Candidates)
      Drafts.push_back({&C, describe(C)});
    for (Draft &D : Drafts)
      judge(D);
    writeChosen(Drafts);
    std::vector<Finding> Findings;
    for (Draft &D : Drafts)
      Findings.push_back(std::move(D.Result));
    return Findings;
  }

private:
  Finding describe(const LoopCandidate &C) const {
    Finding F;
    F.Rule = RuleId.str();
    F.Where = placeOf(C.Loop->getBeginLoc(), SM);
    F.End = placeAfterToken(C.Loop->getEndLoc(), SM, Context.getLangOpts());
    F.Function = C.Function->getQualifiedNameAsString();
    F.Subject = loopNoun(*C.Loop).str();
    Profit::show(C.Facts, F);
    F.Facts.push_back({"in-kernel", C.Function->hasAttr<CUDAGlobalAttr>(), ""});
    if (C.BlockThreads)
      F.Facts.push_back({"block-size", int64_t(*C.BlockThreads), "threads"});
    if (!C.EarlyExits.empty())
      F.Facts.push_back({"early-exits", int64_t(C.EarlyExits.size()), ""});
    if (Options.BarrierInterval > 1)
      F.Facts.push_back(
          {"barrier-interval", int64_t(Options.BarrierInterval), "iterations"});
    F.Changes.push_back({C.EarlyExits.empty()
                             ? FunctionChange::Kind::Barrier
                             : FunctionChange::Kind::BarrierAfterExits,
                         functionId(*C.Function)});
    return F;
  }

  //===--------------------------------------------------------------------===//
  // Each candidate by itself
  //===--------------------------------------------------------------------===//

  void judge(Draft &D) const {
    addReasons(D.Candidate->Blockers, SM, D.Result);
    addReasons(D.Candidate->Divergences, SM, D.Result);
    if (!D.Result.Reasons.empty())
      return refuse(D.Result);
    FreshNames Names(Context);
    take(write({&D}, Names), D.Result);
    if (D.Result.Reasons.empty())
      judgeProfit(*D.Candidate, D.Result);
  }

  void judgeProfit(const LoopCandidate &C, Finding &F) const {
    ReasonId Id;
    SourceLocation Where = C.Loop->getBeginLoc();
    if (auto TooLittle = Profit::tooLittle(C.Facts, Options.MinInstructions,
                                           Options.MinMemoryRatio))
      Id = *TooLittle;
    else if (C.LoopInPhase) {
      // What took the barrier to the loop around would bring one here, too, now
      // that all threads come here equally often.
      Id = ReasonId::OuterLoop;
      Where = C.LoopInPhase->getBeginLoc();
    } else {
      F.Outcome = Verdict::Rewrite;
      F.Message = "memory-bound " + F.Subject +
                  " can take an artificial barrier at the end of its body";
      return;
    }
    F.Outcome = Verdict::NotProfitable;
    addReason(blocker(Id, Where), SM, F);
    F.Message = F.Subject + " could take an artificial barrier, but " +
                F.Reasons.front().Text;
  }

  //===--------------------------------------------------------------------===//
  // Those that are rewritten, together
  //===--------------------------------------------------------------------===//

  /// Writes again what will be rewritten: loops under one condition as one
  /// change, and with names that do not meet.
  void writeChosen(std::vector<Draft> &Drafts) const {
    FreshNames Names(Context);
    llvm::MapVector<const Stmt *, llvm::SmallVector<Draft *, 2>> Changes;
    for (Draft *D : chosen(Drafts)) {
      const LoopCandidate &C = *D->Candidate;
      const Stmt *Outermost = C.outermost();
      Changes[Outermost ? Outermost : C.Loop].push_back(D);
    }
    for (auto &[Where, Members] : Changes) {
      RewriteResult R = write(Members, Names);
      for (Draft *D : Members) {
        for (const Draft *Other : Members)
          if (Other != D)
            D->Result.Companions.push_back(Other->Result.Where);
        take(R, D->Result);
      }
    }
  }

  /// What every instantiation agrees to rewrite; of nested loops the innermost.
  static std::vector<Draft *> chosen(std::vector<Draft> &Drafts) {
    llvm::DenseSet<SourceLocation> Dropped;
    for (const Draft &D : Drafts)
      if (D.Result.Outcome != Verdict::Rewrite)
        Dropped.insert(D.Candidate->Loop->getBeginLoc());
    std::vector<Draft *> Agreed, Result;
    llvm::DenseMap<const Stmt *, const FunctionDecl *> Loops;
    for (Draft &D : Drafts)
      if (!Dropped.contains(D.Candidate->Loop->getBeginLoc())) {
        Agreed.push_back(&D);
        Loops[D.Candidate->Loop] = D.Candidate->Function;
      }
    llvm::copy_if(Agreed, std::back_inserter(Result), [&](const Draft *Outer) {
      return !holds(bodyOf(*Outer->Candidate->Loop), [&](const Stmt &S) {
        return Loops.lookup(&S) == Outer->Candidate->Function;
      });
    });
    return Result;
  }

  //===--------------------------------------------------------------------===//
  // Text
  //===--------------------------------------------------------------------===//

  /// The edits for \p Members: one loop, or all under one condition or in one
  /// loop that must change with them.
  RewriteResult write(llvm::ArrayRef<Draft *> Members,
                      FreshNames &Names) const {
    const LoopCandidate &First = *Members.front()->Candidate;
    const Stmt *Outermost = First.outermost();
    const BarrierPlan Plan = plan(Members);
    RewriteResult R = writeText(Plan, Members, Names);
    if (R.Form.empty())
      R.Form = Plan.Form;
    if (R.Blockers.empty() && !R.Edits.empty() &&
        !isSameInAllBuilds(
            withAttributes(Outermost ? *Outermost : *First.Loop, Context),
            R.Edits))
      R.refuse(ReasonId::Preprocessor, First.Loop->getBeginLoc());
    for (const Draft *D : Members)
      if (R.Blockers.empty() && !R.Edits.empty())
        checkOtherBuilds(*D->Candidate, R);
    return R;
  }

  BarrierPlan plan(llvm::ArrayRef<Draft *> Members) const {
    llvm::SmallVector<const LoopCandidate *, 2> Loops;
    for (const Draft *D : Members)
      Loops.push_back(D->Candidate);
    return planBarrier(Loops,
                       {Options.BarrierInterval, !Options.WithoutBarrier},
                       textQuestions(Context), Context);
  }

  /// What decides who comes to the loop is the same in all builds.
  void checkOtherBuilds(const LoopCandidate &C, RewriteResult &R) const {
    const auto [It, New] = Differing.try_emplace({&C, R.Form});
    if (New) {
      if (!Others)
        Others = std::make_unique<OtherBuilds>(Pass);
      It->second = differsInOtherBuilds(C, R.Form, *Others, Context);
    }
    if (It->second.isValid())
      R.Blockers.push_back(
          blocker(ReasonId::Preprocessor, It->second,
                  {{C.Loop->getBeginLoc(),
                    "so another build may have threads of a block run the "
                    "loop differently often"}}));
  }

  /// No other branch of an `#if`, and no other file that includes the same
  /// piece, has a part of \p S or of what changes in it.
  bool isSameInAllBuilds(const Stmt &S, llvm::ArrayRef<Edit> Edits) const {
    const SourceText Source(Context);
    for (SourceLocation Where : {S.getBeginLoc(), S.getEndLoc()})
      if (Where.isMacroID() && Source.standsInBranch(SM.getSpellingLoc(Where)))
        return false;
    const SourceLocation Begin = SM.getExpansionLoc(S.getBeginLoc());
    const SourceLocation End = SM.getExpansionRange(S.getEndLoc()).getEnd();
    const FileID File = SM.getFileID(Begin);
    if (SM.getFileID(End) != File)
      return false;
    auto IsCompiled = [&](SourceLocation From, SourceLocation To) {
      return holds(&S, [&](const Stmt &Part) {
        const SourceLocation At = SM.getExpansionLoc(Part.getBeginLoc());
        return From < At && At < To;
      });
    };
    const SourceLocation Start = SM.getLocForStartOfFile(File);
    return !Source.hasOtherBranch(Begin, End, IsCompiled) &&
           llvm::all_of(Edits, [&](const Edit &E) {
             const SourceLocation At = Start.getLocWithOffset(int(E.Offset));
             return E.File == placeOf(Begin, SM).File &&
                    (At < Begin ? Source.haveSameConditions(At, Begin)
                                : Source.haveSameConditions(Begin, At));
           });
  }

  /// The text of \p Plan for \p Members.
  RewriteResult writeText(const BarrierPlan &Plan,
                          llvm::ArrayRef<Draft *> Members,
                          FreshNames &Names) const {
    const LoopCandidate &First = *Members.front()->Candidate;
    if (!Plan.Blockers.empty())
      return {{}, {}, Plan.Blockers};
    switch (Plan.How) {
    case BarrierPlan::Way::AsItIs:
      return {};
    case BarrierPlan::Way::AtEnd:
      return appendBarrier(*First.Loop, Context);
    case BarrierPlan::Way::InIncrement:
      return appendToIncrement(*cast<ForStmt>(First.Loop), Context);
    case BarrierPlan::Way::KeepAll:
      return writeKept(Plan.Kept, First, Names);
    case BarrierPlan::Way::Rounds:
      return writeRoundsOrKept(Plan, First, Names);
    case BarrierPlan::Way::MoveGuards:
      return writeGuards(Plan.Guards, Members, Names);
    }
    llvm_unreachable("a way without text");
  }

  RewriteResult writeGuards(const GuardPlan &Plan,
                            llvm::ArrayRef<Draft *> Members,
                            FreshNames &Names) const {
    const LoopCandidate &First = *Members.front()->Candidate;
    const Stmt &Block = blockAround(*First.outermost());
    const auto NewName = [&](llvm::StringRef Base) {
      return Names.get(Base, *First.Function, Block);
    };
    std::vector<NamedLoop> Loops;
    for (const Draft *D : Members)
      Loops.push_back(
          {D->Candidate->Loop, flagNames(*D->Candidate, Block, Names)});
    return moveGuards(Plan, Loops, NewName, *First.Function, Context);
  }

  RewriteResult writeRoundsOrKept(const BarrierPlan &Plan,
                                  const LoopCandidate &C,
                                  FreshNames &Names) const {
    const Stmt &Block = blockAround(*C.Loop);
    const RoundsForm Form{Names.get("leader", *C.Function, Block),
                          Names.get("round", *C.Function, Block),
                          Plan.Kept.Settings.Interval,
                          Plan.Kept.Settings.Barrier};
    if (auto Rounds =
            writeRounds(*C.Loop, *C.Strided, Form, *C.Function, Context))
      return Plan.RoundsObstacle ? RewriteResult{{}, {}, {*Plan.RoundsObstacle}}
                                 : std::move(*Rounds);
    RewriteResult Kept = Plan.Kept.Obstacle
                             ? RewriteResult{{}, {}, {*Plan.Kept.Obstacle}}
                             : writeKept(Plan.Kept, C, Names);
    Kept.Form = "vote";
    return Kept;
  }

  RewriteResult writeKept(const KeptLoop &Plan, const LoopCandidate &C,
                          FreshNames &Names) const {
    return keepAllThreads(Plan, flagNames(C, blockAround(*C.Loop), Names),
                          Context);
  }

  FlagNames flagNames(const LoopCandidate &C, const Stmt &Block,
                      FreshNames &Names) const {
    FlagNames Result;
    Result.Flag = Names.get("active", *C.Function, Block);
    if (Options.BarrierInterval > 1)
      Result.Round = Names.get("round", *C.Function, *bodyOf(*C.Loop));
    return Result;
  }

  /// Where a declaration before \p S lives.
  const Stmt &blockAround(const Stmt &S) const {
    const Stmt *Parent = parentOf(withAttributes(S, Context), Context);
    return Parent ? *Parent : S;
  }

  void take(const RewriteResult &R, Finding &F) const {
    F.Form = R.Form.str();
    F.Edits = R.Edits;
    addReasons(R.Blockers, SM, F);
    if (!F.Reasons.empty())
      refuse(F);
  }

  const PassView &Pass;
  ASTContext &Context;
  const SourceManager &SM;
  const RuleOptions &Options;
  /// Where other builds differ, by candidates and forms that were asked for.
  mutable std::map<std::pair<const LoopCandidate *, llvm::StringRef>,
                   SourceLocation>
      Differing;
  mutable std::unique_ptr<OtherBuilds> Others;
};

/// The rule's findings by where they begin: a source may have thousands.
class FindingsByPlace {
public:
  explicit FindingsByPlace(std::vector<Finding> &Findings) {
    for (auto [Index, F] : llvm::enumerate(Findings))
      if (F.Rule == RuleId)
        Files[F.Where.File].emplace(F.Where.Offset, Entry(Index, &F));
  }

  /// The findings inside \p Outer, in the order in which they were found.
  std::vector<Finding *> inside(const Finding &Outer) const {
    std::map<size_t, Finding *> Found;
    const ByOffset &File = Files.at(Outer.Where.File);
    for (auto I = File.upper_bound(Outer.Where.Offset);
         I != File.end() && I->first < Outer.End.Offset; ++I)
      if (I->second.second->End.Offset <= Outer.End.Offset)
        Found.insert(I->second);
    auto InOrder = llvm::make_second_range(Found);
    return {InOrder.begin(), InOrder.end()};
  }

private:
  using Entry = std::pair<size_t, Finding *>;
  using ByOffset = std::multimap<unsigned, Entry>;
  std::map<std::string, ByOffset> Files;
};

/// Of nested loops that could each take a barrier, the innermost gets it.
void preferInnermost(std::vector<Finding> &Findings) {
  const FindingsByPlace Places(Findings);
  for (Finding &Outer : Findings) {
    if (Outer.Rule != RuleId || Outer.Outcome != Verdict::Rewrite)
      continue;
    for (const Finding *Inner : Places.inside(Outer))
      if (Inner->Outcome == Verdict::Rewrite) {
        leave(Outer, "take an artificial barrier",
              ReasonTable[unsigned(ReasonId::InnerLoop)], Inner->Where);
        break;
      }
  }
}

/// A change of several loops is made for all of them or for none.
bool keepsCompany(const Finding &F, llvm::ArrayRef<Finding> Findings) {
  return llvm::all_of(F.Companions, [&](const Place &Where) {
    return llvm::any_of(Findings, [&](const Finding &Other) {
      return Other.Rule == F.Rule && Other.Where == Where &&
             Other.Outcome == Verdict::Rewrite && Other.Edits == F.Edits;
    });
  });
}

void refuseAbandoned(std::vector<Finding> &Findings) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Finding &F : Findings) {
      if (F.Rule != RuleId || F.Outcome != Verdict::Rewrite ||
          keepsCompany(F, Findings))
        continue;
      const ReasonInfo &Why = ReasonTable[unsigned(ReasonId::SharedGuard)];
      F.Reasons.push_back(
          {Why.Id.str(), F.Companions.front(), Why.Summary.str(), {}});
      refuse(F);
      Changed = true;
    }
  }
}

/// Where a loop cannot take a barrier, one around it may: says so.
void pointToOuter(std::vector<Finding> &Findings) {
  const FindingsByPlace Places(Findings);
  llvm::SmallPtrSet<const Finding *, 16> Told;
  for (const Finding &Outer : Findings) {
    if (Outer.Rule != RuleId || Outer.Outcome != Verdict::Rewrite)
      continue;
    for (Finding *Inner : Places.inside(Outer))
      if (Inner->Outcome == Verdict::Refused && Told.insert(Inner).second)
        Inner->Reasons.front().Notes.push_back(
            {Outer.Where, "the " + Outer.Subject +
                              " around it can take the barrier instead"});
  }
}

class ArtificialBarrier : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "a __syncthreads() in a memory-bound loop keeps a block's accesses "
           "in phase";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }

  void run(const Program &P, const RuleOptions &Options,
           std::vector<Finding> &Findings) const override {
    std::vector<Finding> Found;
    for (const PassView &Pass : P.Passes)
      if (Pass.IsDevice) {
        LoopSearch Search(Pass, P);
        llvm::append_range(
            Found, FindingWriter(Pass, Options).write(Search.candidates()));
        if (const PassView *Host = P.host())
          addNew(FindingWriter(*Host, Options).write(Search.hostOnlyLoops()),
                 Found);
      }
    llvm::append_range(Findings, Found);
  }

  void choose(std::vector<Finding> &Findings) const override {
    preferInnermost(Findings);
    refuseAbandoned(Findings);
    pointToOuter(Findings);
  }

  std::vector<Setting> settings(const RuleOptions &Options) const override {
    std::vector<Setting> Result;
    for (unsigned Interval : Options.VariantIntervals) {
      Setting S{"k" + std::to_string(Interval), Options, {}};
      S.Options.BarrierInterval = Interval;
      Setting Control{S.Name + "-control", S.Options, S.Name};
      Control.Options.WithoutBarrier = true;
      Result.push_back(std::move(S));
      Result.push_back(std::move(Control));
    }
    return Result;
  }

private:
  static void addNew(std::vector<Finding> From, std::vector<Finding> &Into) {
    for (Finding &F : From)
      if (llvm::none_of(Into, [&](const Finding &Other) {
            return Other.key() == F.key();
          }))
        Into.push_back(std::move(F));
  }
};

} // namespace

std::unique_ptr<Rule> createArtificialBarrierRule() {
  return std::make_unique<ArtificialBarrier>();
}

} // namespace barricade
