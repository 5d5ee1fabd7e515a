// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule launch-overlap: from regions of launches to findings. Of
//
//   for (int step = 0; step < steps; ++step)
//     core<<<grid, block>>>(newer, older);
//
// it makes
//
//   barricade::OverlappedLaunches overlap;
//   for (int step = 0; step < steps; ++step)
//     overlap.launch(core, grid, block, 0, nullptr, newer, older);
//
// where core's first statement waits for the grid before
// (rewriters/launch-region/WaitingKernels.h).

#include "rewriters/launch-overlap/LaunchOverlap.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/source/SourcePlaces.h"
#include "rewriters/GiveWay.h"
#include "rewriters/Macros.h"
#include "rewriters/SourceText.h"
#include "rewriters/UnitNames.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/launch-region/InstanceFindings.h"
#include "rewriters/launch-region/LaunchCalls.h"
#include "rewriters/launch-region/RepeatedLaunches.h"
#include "rewriters/launch-region/WaitingKernels.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace clang;

namespace barricade {
namespace {

using namespace launch_overlap;
using launch_region::findInInstances;
using launch_region::LaunchCalls;
using launch_region::LaunchRegion;
using launch_region::RegionLaunch;

constexpr llvm::StringLiteral RuleId = "launch-overlap";
/// What is saved of a launch at least (H200, docs/results/launch-overlap).
constexpr double SavedMicroseconds = 0.6;

class Search {
public:
  Search(const Program &P, const RuleOptions &Options)
      : Host(*P.host()), Context(*Host.Context), SM(Context.getSourceManager()),
        Source(Context), Options(Options), Calls(P), Kernels(P, Options),
        Repeated(P, Options), Names(Context) {}

  std::vector<Finding> run(const LaunchRegion &R) {
    Finding Whole = start(R, *R.First, *R.Last);
    Calls.checkPlace(R, Whole);
    if (!Whole.Reasons.empty())
      return {refused(std::move(Whole))};
    std::vector<Finding> Findings;
    std::vector<const RegionLaunch *> Waiting;
    for (const RegionLaunch &L : R.Launches) {
      Finding Alone = start(R, *L.Call, *L.Call);
      Alone.Subject = "launch";
      checkLaunch(R, L, Alone);
      if (Alone.Reasons.empty())
        Waiting.push_back(&L);
      else
        Findings.push_back(refused(std::move(Alone)));
    }
    if (!mayFollowOneAnother(Waiting))
      return Findings;
    // What is said of the first launch alone stands at its place.
    if (Waiting.front() != &R.Launches.front() &&
        placeOf(R.Launches.front().Call->getBeginLoc(), SM) == Whole.Where)
      Whole.Where = placeOf(Waiting.front()->Call->getBeginLoc(), SM);
    // What a loop for timing tells is no longer what a launch takes, once its
    // launches overlap: only who asks for that gets it.
    if (Options.Loops != LoopForm::Overlap && Repeated.repeat(R))
      leave(Whole, "overlap", ReasonTable[unsigned(ReasonId::Repetition)],
            Whole.Where);
    else
      write(R, Waiting, Whole);
    Findings.push_back(std::move(Whole));
    return Findings;
  }

private:
  Finding start(const LaunchRegion &R, const Stmt &First,
                const Stmt &Last) const {
    Finding F;
    F.Rule = RuleId.str();
    F.Where = placeOf(First.getBeginLoc(), SM);
    F.End = placeAfterToken(Last.getEndLoc(), SM, Context.getLangOpts());
    F.Function = R.Function->getQualifiedNameAsString();
    F.Subject = "launches";
    return F;
  }

  static Finding refused(Finding F) {
    F.Outcome = Verdict::Refused;
    F.Message = F.Subject + " cannot overlap the " +
                (F.Subject == "launch" ? "one before: " : "ones before: ") +
                F.Reasons.front().Text;
    return F;
  }

  static bool
  mayFollowOneAnother(llvm::ArrayRef<const RegionLaunch *> Launches) {
    return Launches.size() > 1 ||
           (!Launches.empty() && Launches.front()->IsInLoop);
  }

  //===--- One launch -----------------------------------------------------===//

  void checkLaunch(const LaunchRegion &R, const RegionLaunch &L, Finding &F) {
    if (Calls.checkLaunch(L, F))
      Kernels.check(R, L, F);
  }

  //===--- Text -----------------------------------------------------------===//

  void write(const LaunchRegion &R,
             llvm::ArrayRef<const RegionLaunch *> Waiting, Finding &F) {
    const SourceLocation Begin = R.First->getBeginLoc();
    std::string &Name = Objects[Begin];
    if (Name.empty())
      Name = Names.fresh("overlap");
    llvm::SmallVector<const FunctionDecl *> Changed = {R.Function};
    for (const RegionLaunch *L : Waiting)
      Changed.push_back(&spelledFunction(*L->Kernel));
    Calls.include(Changed, Options.Header, F);
    F.Edits.push_back(
        Source.insertion(Begin, "barricade::OverlappedLaunches " + Name + ";" +
                                    Source.lineEnding(Begin).str() +
                                    Source.indentation(Begin).str()));
    for (const RegionLaunch *L : Waiting) {
      F.Parts.push_back(placeOf(L->Call->getBeginLoc(), SM));
      Calls.writeLaunch(*L, Name + ".launch", F);
      Kernels.write(*L, F);
    }
    Source.keepWithComments(Begin, F.Edits);
    if (Calls.refuseText(Begin, F)) {
      F.Edits.clear();
      F = refused(std::move(F));
      return;
    }
    const size_t All = R.Launches.size(), Count = Waiting.size();
    F.Subject =
        llvm::formatv("{0} {1}", Count, Count == 1 ? "launch" : "launches");
    F.Outcome = Verdict::Rewrite;
    F.Form = "wait-first";
    F.Facts.push_back({"launches", int64_t(All), ""});
    F.Facts.push_back({"overlapped", int64_t(Count), ""});
    if (!llvm::all_of(Waiting, [&](const RegionLaunch *L) {
          return Kernels.keepsLoads(*L);
        }))
      F.Facts.push_back({"loses-read-only-loads", true, ""});
    F.Facts.push_back({"launch-time-saved", SavedMicroseconds, "us"});
    F.Message = F.Subject + " can begin while the grid before comes to its end";
  }

  const PassView &Host;
  ASTContext &Context;
  const SourceManager &SM;
  const SourceText Source;
  const RuleOptions &Options;
  LaunchCalls Calls;
  WaitingKernels Kernels;
  launch_region::RepeatedLaunches Repeated;
  UnitNames Names;
  /// By the place where they are declared: all instances of a template have
  /// one.
  std::map<SourceLocation, std::string> Objects;
};

bool overlaps(const Finding &A, const Finding &B) {
  return A.Where.File == B.Where.File && A.Where.Offset < B.End.Offset &&
         B.Where.Offset < A.End.Offset;
}

/// Others take the launches away, or make something else of their kernels.
void yieldToOthers(std::vector<Finding> &Findings) {
  giveWay(Findings, RuleId, "overlap",
          ReasonTable[unsigned(ReasonId::OtherRule)],
          [](const Finding &Own, const Finding &Other) {
            return overlaps(Own, Other) || becomesElse(Own, Other);
          });
}

class LaunchOverlap : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "kernels that follow each other in a stream are started while the "
           "one before comes to its end (sm_90)";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }
  std::optional<LoopForm> loopForm() const override {
    return LoopForm::Overlap;
  }

  void run(const Program &P, const RuleOptions &Options,
           std::vector<Finding> &Findings) const override {
    if (!P.host())
      return;
    const std::vector<LaunchRegion> Regions = launch_region::findLaunchRegions(
        *P.host(), launch_region::Between::Waits);
    if (Regions.empty())
      return;
    Search S(P, Options);
    for (const LaunchRegion &R : Regions)
      llvm::append_range(Findings, findInInstances(R, [&](const auto &Each) {
                           return S.run(Each);
                         }));
  }

  void choose(std::vector<Finding> &Findings) const override {
    yieldToOthers(Findings);
  }
};

} // namespace

std::unique_ptr<Rule> createLaunchOverlapRule() {
  return std::make_unique<LaunchOverlap>();
}

} // namespace barricade
