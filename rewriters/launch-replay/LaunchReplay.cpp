// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule launch-replay: from regions of launches to findings. Of
//
//   for (int step = 0; step < steps; ++step) {
//     relax<<<grid, block>>>(to, from, n);
//     std::swap(to, from);
//   }
//   cudaMemcpy(...);
//
// it makes
//
//   barricade::ReplayedLaunches replay(steps);
//   for (int step = 0; step < steps; ++step) {
//     replay.launch(relax, grid, block, 0, nullptr, to, from, n);
//     std::swap(to, from);
//   }
//   replay.flush();
//   cudaMemcpy(...);
//
// Some launches are made later than they were, all in their order. That nobody
// can tell is what a region says (matchers/launch-region); kernels may be any.

#include "rewriters/launch-replay/LaunchReplay.h"
#include "matchers/facts/Completion.h"
#include "matchers/host/HostWait.h"
#include "matchers/launch-replay/Reasons.h"
#include "matchers/source/FunctionId.h"
#include "matchers/source/SourcePlaces.h"
#include "rewriters/GiveWay.h"
#include "rewriters/SourceText.h"
#include "rewriters/UnitNames.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/launch-region/InstanceFindings.h"
#include "rewriters/launch-region/LaunchCalls.h"
#include "rewriters/launch-region/LaunchCount.h"
#include "rewriters/launch-region/RepeatedLaunches.h"
#include "rewriters/launch-region/WaitingKernels.h"
#include "rewriters/launch-replay/FlushText.h"
#include "rewriters/launch-replay/LoopedText.h"
#include "rewriters/launch-replay/Pauses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <utility>

using namespace clang;

namespace barricade {
namespace {

using namespace launch_replay;
using launch_region::findInInstances;
using launch_region::LaunchCalls;
using launch_region::LaunchCount;
using launch_region::LaunchRegion;
using launch_region::RegionLaunch;
using launch_region::Taken;

constexpr llvm::StringLiteral RuleId = "launch-replay";

class Search {
public:
  Search(const Program &P, const RuleOptions &Options)
      : Whole(P), Host(*P.host()), Context(*Host.Context),
        SM(Context.getSourceManager()), Source(Context), Options(Options),
        Calls(P), Waits(P), Repeated(P, Options) {}

  /// \p Others: of rules that ran before, which may still change.
  std::vector<Finding> run(const LaunchRegion &R,
                           llvm::ArrayRef<Finding> Others) {
    if (!llvm::any_of(R.Launches,
                      [](const RegionLaunch &L) { return L.IsInLoop; }))
      return {};
    Finding F;
    F.Rule = RuleId.str();
    F.Where = placeOf(R.First->getBeginLoc(), SM);
    F.End = placeAfterToken(R.Last->getEndLoc(), SM, Context.getLangOpts());
    F.Function = R.Function->getQualifiedNameAsString();
    F.Subject = "launches";
    Calls.checkPlace(R, F);
    if (F.Reasons.empty())
      checkHostWait(R, F);
    // What is launched in between would come before what is held back.
    if (F.Reasons.empty())
      for (const RegionLaunch &L : R.Launches)
        Calls.checkLaunch(L, F);
    if (F.Reasons.empty())
      Calls.checkWaits(R, F);
    if (F.Reasons.empty())
      F = write(R, Others, F);
    if (!F.Reasons.empty())
      refuse(F);
    else if (Repeated.repeat(R))
      leaveAll(F);
    return {std::move(F)};
  }

private:
  void checkHostWait(const LaunchRegion &R, Finding &F) {
    const Blocker Why = blocker(ReasonId::HostWait, R.First->getBeginLoc());
    if (const auto Wait = Waits.against(Why))
      addReason(*Wait, SM, F);
    else if (Calls.putsHostIntoStreams())
      addReason(Why, SM, F);
  }

  static void refuse(Finding &F) {
    F.Edits.clear();
    F.Instead.clear();
    F.Outcome = Verdict::Refused;
    F.Message =
        F.Subject + " cannot be replayed by a graph: " + F.Reasons.front().Text;
  }

  /// Loops for timing.
  static void leaveAll(Finding &F) {
    for (Finding &Each : F.Instead)
      leaveAll(Each);
    leave(F, "be replayed by a graph",
          ReasonTable[unsigned(ReasonId::Repetition)], F.Where);
  }

  /// \p F with the text, and with that in which fewer launches overlap: what
  /// \p Others, of rules that ran before, do is not known yet.
  Finding write(const LaunchRegion &R, llvm::ArrayRef<Finding> Others,
                const Finding &F) {
    const std::string &Object = objectOf(R);
    if (R.ReadBack)
      return writeLooped(R, Object, F);
    const std::vector<bool> All = whichOverlap(R);
    Finding Result = writeWith(R, Object, All, F);
    const std::vector<bool> Sure = withoutThoseOf(Others, R, All);
    const std::vector<bool> None(All.size(), false);
    if (Sure != All && Sure != None)
      Result.Instead.push_back(writeWith(R, Object, Sure, F));
    if (None != All)
      Result.Instead.push_back(writeWith(R, Object, None, F));
    llvm::erase_if(Result.Instead,
                   [](const Finding &Each) { return !Each.Reasons.empty(); });
    return Result;
  }

  const std::string &objectOf(const LaunchRegion &R) {
    std::string &Object = Objects[R.First->getBeginLoc()];
    if (Object.empty())
      Object = namesIn(*R.Function).fresh(R.ReadBack ? "looped" : "replay");
    return Object;
  }
  UnitNames &namesIn(const FunctionDecl &Function) {
    return Names.try_emplace(&spelledFunction(Function), Context).first->second;
  }

  /// \p F with the text of a loop that \p Object has the device go around.
  Finding writeLooped(const LaunchRegion &R, const std::string &Object,
                      Finding F) {
    const launch_region::ReadLoop &Loop = *R.ReadBack;
    const SourceLocation Begin = R.First->getBeginLoc();
    const std::string NewLine =
        Source.lineEnding(Begin).str() + Source.indentation(Begin).str();
    const auto Text = loopedText(Loop, Begin, Object, Source, Context);
    if (!Text) {
      addReason(launch_region::blocker(launch_region::ReasonId::InMacro, Begin),
                SM, F);
      return F;
    }
    includeFor(R, std::vector<bool>(R.Launches.size(), false), F);
    F.Edits.push_back(Source.insertion(Begin, Text->Declaration + NewLine));
    writeFirst(*Loop.Body, Text->Next, Source, F.Edits);
    for (const RegionLaunch &L : R.Launches) {
      F.Parts.push_back(placeOf(L.Call->getBeginLoc(), SM));
      Calls.writeLaunch(L, launch_region::replayedBy(Object, false), F);
    }
    Calls.writeTransfers(R, Object, F);
    Calls.writeCopies(R, Object, F);
    Calls.writeWaits(R, Object, F);
    Source.keepWithComments(Begin, F.Edits);
    finish(R, "looped", F);
    F.Facts.push_back({"copies", int64_t(Loop.Copies.size()), ""});
    F.Message = F.Subject + " in a loop that goes on by what the host reads "
                            "back can be repeated by a graph";
    return F;
  }

  /// \p F with the text that makes an \p Object launch, where those launches
  /// that \p Overlap do.
  Finding writeWith(const LaunchRegion &R, const std::string &Object,
                    const std::vector<bool> &Overlap, Finding F) {
    const SourceLocation Begin = R.First->getBeginLoc();
    const SourceLocation End =
        Source.afterTrailingComment(Source.afterStatement(*R.Last));
    const std::string NewLine =
        Source.lineEnding(Begin).str() + Source.indentation(Begin).str();
    includeFor(R, Overlap, F);
    const LaunchCount Count =
        R.First == R.Last
            ? launch_region::countLaunches(*R.First, Source, Context)
            : LaunchCount();
    if (Count.Known)
      F.Facts.push_back({"iterations", *Count.Known, ""});
    F.Edits.push_back(Source.insertion(
        Begin,
        launch_region::declareReplay(Object, Count,
                                     /*OfCallees=*/!R.Launchers.empty()) +
            NewLine));
    const auto Flush = flushText(Object, R.Asked, Begin, Source, SM);
    if (!Flush) {
      addReason(
          launch_region::blocker(launch_region::ReasonId::InMacro,
                                 R.Asked.Statements.front()->getBeginLoc()),
          SM, F);
      return F;
    }
    const std::string Paused = R.Launchers.empty()
                                   ? *Flush
                                   : "barricade::ReplayPause " +
                                         namesIn(*R.Function).fresh("pause") +
                                         "(" + Object + ");";
    // What ends a branch comes before the launch that may follow at once.
    for (const Stmt *Pause : R.Pauses)
      if (!writeFlush(*Pause, Paused, Context, Source, F.Edits))
        addReason(launch_region::blocker(launch_region::ReasonId::InMacro,
                                         Pause->getBeginLoc()),
                  SM, F);
    for (auto [L, Overlaps] : llvm::zip_equal(R.Launches, Overlap)) {
      F.Parts.push_back(placeOf(L.Call->getBeginLoc(), SM));
      Calls.writeLaunch(L, launch_region::replayedBy(Object, Overlaps), F);
      if (Overlaps)
        Kernels->write(L, F);
    }
    Calls.writeTransfers(R, Object, F);
    Calls.writeWaits(R, Object, F);
    Source.keepWithComments(Begin, F.Edits);
    // Compilers complain of a function that ends with a flush() behind what
    // does not.
    if (facts::completesNormally(R.Last, Context, facts::Judged::ByValues))
      F.Edits.push_back(
          Source.insertion(End, NewLine + onLines(*Flush, NewLine)));
    else if (facts::completesNormally(R.Last, Context,
                                      facts::Judged::AsWritten))
      addReason(launch_region::blocker(launch_region::ReasonId::NoPlace, Begin),
                SM, F);
    finish(R, "replayed", F);
    if (!R.Pauses.empty())
      F.Facts.push_back({"pauses", int64_t(R.Pauses.size()), ""});
    if (const auto Count = llvm::count(Overlap, true)) {
      F.Facts.push_back({"overlapped", int64_t(Count), ""});
      F.AlsoOf.push_back("launch-overlap");
    }
    if (!R.Launchers.empty())
      F.Facts.push_back({"launchers", int64_t(R.Launchers.size()), ""});
    F.Message = F.Subject + " in a loop" +
                (R.Launchers.empty() ? "" : ", by functions that it calls,") +
                " can be made many at a time by a graph";
    return F;
  }

  void finish(const LaunchRegion &R, llvm::StringRef Form, Finding &F) {
    (void)Calls.refuseText(R.First->getBeginLoc(), F);
    F.Outcome = Verdict::Rewrite;
    F.Form = Form.str();
    F.Facts.push_back({"launches", int64_t(R.Launches.size()), ""});
    if (!R.Transfers.empty())
      F.Facts.push_back({"transfers", int64_t(R.Transfers.size()), ""});
    if (!R.Waits.empty())
      F.Facts.push_back({"waits", int64_t(R.Waits.size()), ""});
  }

  /// Of which launches the kernels can wait for the grid before, and are as
  /// fast then: each may start while that comes to its end.
  std::vector<bool> whichOverlap(const LaunchRegion &R) {
    std::vector<bool> Result(R.Launches.size(), false);
    if (!Options.Overlaps)
      return Result;
    if (!Kernels)
      Kernels.emplace(Whole, Options);
    for (auto [Index, L] : llvm::enumerate(R.Launches))
      Result[Index] =
          !L.Launcher && Kernels->canWait(R, L) && Kernels->keepsLoads(L);
    return Result;
  }

  /// \p Overlap, but for the kernels of which \p Others may make something
  /// else.
  static std::vector<bool> withoutThoseOf(llvm::ArrayRef<Finding> Others,
                                          const LaunchRegion &R,
                                          std::vector<bool> Overlap) {
    for (auto [Index, L] : llvm::enumerate(R.Launches))
      if (Overlap[Index])
        Overlap[Index] = !becomesElse(*L.Kernel, Others);
    return Overlap;
  }

  /// Another rule makes something else of \p Kernel, which would not wait then.
  static bool becomesElse(const FunctionDecl &Kernel,
                          llvm::ArrayRef<Finding> Others) {
    Finding Own;
    Own.Changes = {
        {FunctionChange::Kind::Waits, functionId(spelledFunction(Kernel))}};
    return llvm::any_of(Others, [&](const Finding &Other) {
      return Other.applies() && launch_overlap::becomesElse(Own, Other);
    });
  }

  void includeFor(const LaunchRegion &R, const std::vector<bool> &Overlap,
                  Finding &F) const {
    llvm::SmallVector<const FunctionDecl *> Changed = {R.Function};
    llvm::append_range(Changed, R.Launchers);
    for (auto [L, Overlaps] : llvm::zip_equal(R.Launches, Overlap))
      if (Overlaps)
        Changed.push_back(&spelledFunction(*L.Kernel));
    Calls.include(Changed, Options.Header, F);
  }

  const Program &Whole;
  const PassView &Host;
  ASTContext &Context;
  const SourceManager &SM;
  const SourceText Source;
  const RuleOptions &Options;
  LaunchCalls Calls;
  host::HostWaits Waits;
  launch_region::RepeatedLaunches Repeated;
  /// Read once they are asked for.
  std::optional<launch_overlap::WaitingKernels> Kernels;
  /// Of the objects in each function.
  std::map<const FunctionDecl *, UnitNames> Names;
  /// By the place where they are declared: all instances of a template have
  /// one.
  std::map<SourceLocation, std::string> Objects;
};

/// Launches overlap unless another rule makes something else of their kernels.
void chooseOverlaps(std::vector<Finding> &Findings) {
  const auto IsFree = [&](const Finding &Own) {
    return llvm::none_of(Findings, [&](const Finding &Other) {
      return Other.Rule != RuleId && Other.applies() &&
             launch_overlap::becomesElse(Own, Other);
    });
  };
  for (Finding &F : Findings) {
    if (F.Rule != RuleId)
      continue;
    const auto Instead = std::exchange(F.Instead, {});
    const auto Best = llvm::find_if(Instead, IsFree);
    if (!IsFree(F) && Best != Instead.end())
      F = Finding(*Best);
  }
}

/// \p E changes a launch of a function that the loop of \p Own calls.
bool meetsSharedEdit(const Edit &E, const Finding &Own) {
  return llvm::any_of(Own.Edits, [&](const Edit &Mine) {
    return Mine.WithOthers == Edit::Meeting::Shared && !(Mine == E) &&
           Mine.Length + E.Length > 0 && E.File == Mine.File &&
           E.Offset <= Mine.Offset + Mine.Length &&
           Mine.Offset <= E.Offset + E.Length;
  });
}

/// Others take the launches away, or put some between them. Or they, in another
/// source, make a step of a kernel that would wait.
void yieldToOthers(std::vector<Finding> &Findings) {
  giveWay(Findings, RuleId, "be replayed by a graph",
          ReasonTable[unsigned(ReasonId::OtherRule)],
          [](const Finding &Own, const Finding &Other) {
            return launch_overlap::becomesElse(Own, Other) ||
                   llvm::any_of(Other.Edits, [&](const Edit &E) {
                     return (E.File == Own.Where.File &&
                             E.Offset < Own.End.Offset &&
                             E.Offset + E.Length > Own.Where.Offset) ||
                            meetsSharedEdit(E, Own);
                   });
          });
}

/// What rules that ran before make one launch of: loops and sequences. These
/// end regions, so that what is left are others; what is not made one after all
/// is a region, too.
std::vector<const Finding *> madeOne(llvm::ArrayRef<Finding> Others) {
  std::vector<const Finding *> Found;
  for (const Finding &Other : Others)
    if (Other.applies() &&
        (Other.Rule == "grid-barrier" || Other.Rule == "launch-fusion"))
      Found.push_back(&Other);
  return Found;
}

Taken howTaken(const Stmt &S, llvm::ArrayRef<const Finding *> Ones,
               const SourceManager &SM) {
  if (Ones.empty())
    return Taken::Not;
  const Place Begin = placeOf(S.getBeginLoc(), SM);
  const unsigned End = SM.getFileOffset(SM.getExpansionLoc(S.getEndLoc()));
  Taken How = Taken::Not;
  for (const Finding *One : Ones) {
    if (One->Where.File != Begin.File || One->End.Offset <= Begin.Offset ||
        One->Where.Offset > End)
      continue;
    if (One->Where.Offset > Begin.Offset || One->End.Offset <= End)
      return Taken::Part;
    How = Taken::Whole;
  }
  return How;
}

class LaunchReplay : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "launches in a loop are made many at a time by a CUDA graph";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }
  std::optional<LoopForm> loopForm() const override { return LoopForm::Replay; }

  void run(const Program &P, const RuleOptions &Options,
           std::vector<Finding> &Findings) const override {
    if (!P.host())
      return;
    const SourceManager &SM = P.host()->Context->getSourceManager();
    const std::vector<const Finding *> Ones = madeOne(Findings);
    const std::vector<LaunchRegion> Regions = launch_region::findLaunchRegions(
        *P.host(), launch_region::Between::Pauses,
        [&](const Stmt &S) { return howTaken(S, Ones, SM); });
    if (Regions.empty())
      return;
    Search S(P, Options);
    for (const LaunchRegion &R : Regions)
      llvm::append_range(Findings, findInInstances(R, [&](const auto &Each) {
                           return S.run(Each, Findings);
                         }));
  }

  void choose(std::vector<Finding> &Findings) const override {
    chooseOverlaps(Findings);
    yieldToOthers(Findings);
  }
};

} // namespace

std::unique_ptr<Rule> createLaunchReplayRule() {
  return std::make_unique<LaunchReplay>();
}

} // namespace barricade
