// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule launch-fusion: from launches in a row to findings.

#include "rewriters/launch-fusion/LaunchFusion.h"
#include "matchers/host/HostWait.h"
#include "matchers/launch-fusion/FusedResources.h"
#include "matchers/launch-fusion/FusionPlan.h"
#include "matchers/launch-fusion/LaunchSequence.h"
#include "matchers/source/FunctionId.h"
#include "matchers/source/SourcePlaces.h"
#include "rewriters/GiveWay.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/PassHashes.h"
#include "rewriters/grid-barrier/StepCache.h"
#include "rewriters/launch-fusion/FusedText.h"
#include "rewriters/launch-region/LaunchCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace barricade {
namespace {

using namespace launch_fusion;
using grid_barrier::PassHashes;
using grid_barrier::StepCache;
using host::HostWaits;

constexpr llvm::StringLiteral RuleId = "launch-fusion";
/// What a launch costs when the next one follows at once (H200).
constexpr double LaunchMicroseconds = 2.5;

llvm::SmallVector<const Stmt *> callsOf(const LaunchSequence &S) {
  return llvm::map_to_vector(
      S.Launches,
      [](const SequencedLaunch &L) -> const Stmt * { return L.Call; });
}

llvm::StringRef formOf(Scope Strongest) {
  switch (Strongest) {
  case Scope::None:
    return "no-barrier";
  case Scope::Block:
    return "block-barrier";
  case Scope::Neighbours:
  case Scope::Grid:
    return "grid-barrier";
  }
  llvm_unreachable("unknown scope");
}

class Search {
public:
  Search(const Program &P, const RuleOptions &Options)
      : Whole(P), Host(*P.host()), Context(*Host.Context),
        SM(Context.getSourceManager()), Source(Context), Options(Options),
        Others(Host), Steps(P, Options.GpuSync), Waits(P),
        Passes(P, PassHashes::addLaunches) {}

  void run(llvm::ArrayRef<LaunchSequence> Sequences,
           std::vector<Finding> &Findings) {
    for (const LaunchSequence &S : Sequences)
      Findings.push_back(write(inAllBuilds(S)));
  }

private:
  /// \p S, and where another build may have other blocks and grids.
  LaunchSequence inAllBuilds(LaunchSequence S) {
    const SequencedLaunch &First = S.Launches.front();
    for (const SequencedLaunch &L : llvm::drop_begin(S.Launches)) {
      if (Others.maySeparate(First.Block, L.Block))
        S.Blockers.push_back(
            blocker(ReasonId::BlockSize, L.Call->getBeginLoc()));
      S.SameGrid &= !Others.maySeparate(First.Grid, L.Grid);
    }
    return S;
  }

  Finding write(const LaunchSequence &S) {
    Finding F;
    F.Rule = RuleId.str();
    F.Where = placeOf(S.Launches.front().Statement->getBeginLoc(), SM);
    F.End = placeAfterToken(S.Launches.back().Statement->getEndLoc(), SM,
                            Context.getLangOpts());
    F.Function = S.Function->getQualifiedNameAsString();
    F.Subject = llvm::formatv("{0} launches in a row", S.Launches.size());
    addReasons(S.Blockers, SM, F);
    if (F.Reasons.empty() && !Passes.agreeOnEach(callsOf(S), SM))
      addReason(blocker(ReasonId::PassesDiffer,
                        S.Launches.front().Call->getBeginLoc()),
                SM, F);
    if (F.Reasons.empty() && isIncludedWithin(S))
      addReason(blocker(ReasonId::IncludedWithin,
                        S.Launches.front().Call->getBeginLoc()),
                SM, F);
    if (F.Reasons.empty())
      for (const SequencedLaunch &L : S.Launches)
        Steps.write(*L.Kernel, L.Call->getBeginLoc(), SM, F);
    if (F.Reasons.empty())
      fuse(S, F);
    if (F.Reasons.empty())
      return F;
    F.Outcome = Verdict::Refused;
    F.Edits.clear();
    F.Parts.clear();
    F.Form.clear();
    F.Message =
        (S.Blockers.empty() ? F.Subject + " cannot become one kernel: "
                            : "launch cannot be joined with the next one: ") +
        F.Reasons.front().Text;
    return F;
  }

  void fuse(const LaunchSequence &S, Finding &F) {
    std::vector<KernelViews> Views;
    for (const SequencedLaunch &L : S.Launches) {
      Views.push_back(Steps.stepsOf(*L.Kernel));
      Steps.addChanges(*L.Kernel, F);
    }
    const FusedResources Resources = checkResources(S, Views, Whole, Context);
    addReasons(Resources.Blockers, SM, F);
    if (!F.Reasons.empty())
      return;
    const FusionPlan Plan = planFusion(S, Views, Context, areFixed(S));
    // With a grid barrier all blocks need room at once.
    if (Plan.strongest() == Scope::Grid)
      checkHostWait(S, F);
    const FusedNames Names = {Steps.freshName(nameStem(*S.Function) + "_fused"),
                              Options.GpuSync, Options.Header,
                              Resources.LaunchBounds};
    FusedText Text = writeFused(
        S, Plan, Names,
        [&](const FunctionDecl &Kernel) -> const grid_barrier::StepText & {
          return Steps.textOf(Kernel);
        },
        Host);
    addReasons(Text.Blockers, SM, F);
    llvm::append_range(F.Edits, Text.Edits);
    const SourceLocation Begin = S.Launches.front().Call->getBeginLoc();
    (void)Others.refuseText(blocker(ReasonId::RuntimeName, Begin),
                            blocker(ReasonId::OtherBuild, Begin), F);
    F.Outcome = Verdict::Rewrite;
    F.Form = formOf(Plan.strongest()).str();
    for (const SequencedLaunch &L : S.Launches)
      F.Parts.push_back(placeOf(L.Call->getBeginLoc(), SM));
    Source.keepWithComments(S.Launches.front().Statement->getBeginLoc(),
                            F.Edits);
    addFacts(S, Plan, Resources, F);
  }

  static bool isIncludedWithin(const LaunchSequence &S) {
    return launch_region::isIncludedWithin(*S.Function) ||
           llvm::any_of(S.Launches, [](const SequencedLaunch &L) {
             return launch_region::isIncludedWithin(spelledFunction(*L.Kernel));
           });
  }

  void checkHostWait(const LaunchSequence &S, Finding &F) {
    if (const auto Wait = Waits.against(blocker(
            ReasonId::HostWait, S.Launches.front().Call->getBeginLoc())))
      addReason(*Wait, SM, F);
  }

  /// The kernels do the same in all builds, with the same numbers of threads.
  bool areFixed(const LaunchSequence &S) {
    return llvm::none_of(S.Launches, [&](const SequencedLaunch &L) {
      const CallExpr &Geometry = *L.Call->getConfig();
      return Others.mayDoElse(*L.Kernel) ||
             llvm::any_of(Geometry.arguments(), [&](const Expr *E) {
               return Others.mayMeanElse(*E);
             });
    });
  }

  void addFacts(const LaunchSequence &S, const FusionPlan &Plan,
                const FusedResources &Resources, Finding &F) const {
    std::vector<std::string> Forms;
    const Boundary *Strongest = &Plan.Boundaries.front();
    for (const Boundary &B : Plan.Boundaries) {
      Forms.push_back(formOf(B.Between).str());
      if (B.Between > Strongest->Between)
        Strongest = &B;
    }
    const int64_t Saved = int64_t(S.Launches.size()) - 1;
    F.Facts.push_back({"launches", int64_t(S.Launches.size()), ""});
    F.Facts.push_back({"launches-saved", Saved, ""});
    F.Facts.push_back({"launch-time-saved", LaunchMicroseconds * Saved, "us"});
    F.Facts.push_back({"boundaries", llvm::join(Forms, ", "), ""});
    F.Facts.push_back({"why", Strongest->Why, ""});
    F.Facts.push_back(
        {"shared-memory", int64_t(Resources.StaticSharedBytes), "bytes"});
    static constexpr llvm::StringLiteral With[] = {
        "without a barrier", "with __syncthreads()", "with __gpu_sync()",
        "with __gpu_sync()"};
    F.Message =
        llvm::formatv("{0} can become one kernel {1}, since {2}", F.Subject,
                      With[unsigned(Strongest->Between)], Strongest->Why);
  }

  const Program &Whole;
  const PassView &Host;
  ASTContext &Context;
  const SourceManager &SM;
  const SourceText Source;
  const RuleOptions &Options;
  OtherBuilds Others;
  StepCache Steps;
  HostWaits Waits;
  const PassHashes Passes;
};

/// A loop that becomes one kernel takes its launches along.
void yieldToLoops(std::vector<Finding> &Findings) {
  giveWay(Findings, RuleId, "become one kernel",
          ReasonTable[unsigned(ReasonId::InPersistentLoop)],
          [](const Finding &Own, const Finding &Loop) {
            return Loop.Rule == "grid-barrier" &&
                   Own.Where.File == Loop.Where.File &&
                   Loop.Where.Offset < Own.Where.Offset &&
                   Own.Where.Offset < Loop.End.Offset;
          });
}

class LaunchFusion : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "kernels launched back to back become one, with the least "
           "synchronisation that is proved enough";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }

  void run(const Program &P, const RuleOptions &Options,
           std::vector<Finding> &Findings) const override {
    if (!P.host())
      return;
    const std::vector<LaunchSequence> Sequences =
        findLaunchSequences(*P.host());
    if (!Sequences.empty())
      Search(P, Options).run(Sequences, Findings);
  }

  void choose(std::vector<Finding> &Findings) const override {
    yieldToLoops(Findings);
    grid_barrier::suppressConflictingBarriers(RuleId, Findings);
  }
};

} // namespace

std::unique_ptr<Rule> createLaunchFusionRule() {
  return std::make_unique<LaunchFusion>();
}

} // namespace barricade
