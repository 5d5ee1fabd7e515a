// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule grid-barrier: from host loops that launch kernels to findings.

#include "rewriters/grid-barrier/GridBarrier.h"
#include "matchers/cost/Repetition.h"
#include "matchers/dependence/StepScopes.h"
#include "matchers/dependence/StretchedLoop.h"
#include "matchers/grid-barrier/LoopSize.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/grid-barrier/SharedData.h"
#include "matchers/host/HostWait.h"
#include "matchers/source/DeviceLimits.h"
#include "matchers/source/FunctionId.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/OtherSharing.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/PassHashes.h"
#include "rewriters/grid-barrier/PersistentText.h"
#include "rewriters/grid-barrier/ReplayedLoop.h"
#include "rewriters/grid-barrier/StepCache.h"
#include "rewriters/launch-region/LaunchCalls.h"
#include "rewriters/launch-region/LaunchCount.h"
#include "rewriters/launch-region/RepeatedLaunches.h"
#include "rewriters/launch-replay/FlushText.h"
#include "rewriters/launch-replay/LoopedText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace clang;

namespace barricade {

/// How much a loop runs, as findings show it and profits are expected by it.
struct grid_barrier::Estimates {
  static bool repeatsInGroups(const RelaunchLoop &L) {
    return grid_barrier::repeatsInGroups(L).value(ForCostOnly());
  }
  /// The grid is so small that the runtime launches it as one cluster where the
  /// device has such; nothing where that is not known.
  static std::optional<bool> isOneCluster(const RelaunchLoop &L,
                                          ASTContext &Context) {
    constexpr uint64_t MostBlocks = 16, MostThreads = 8192;
    const LoopSize Size = sizeOf(L, Context).value(ForCostOnly());
    if (Size.Blocks && *Size.Blocks > MostBlocks)
      return false;
    if (!Size.Blocks || !Size.BlockThreads)
      return std::nullopt;
    return *Size.Blocks * *Size.BlockThreads <= MostThreads;
  }
  /// The loop's first run already makes a graph (gpu_sync.cuh, EarnsReplay and
  /// what comes before the decision).
  static bool isLongEnoughForGraph(const RelaunchLoop &L, ASTContext &Context) {
    constexpr uint64_t Enough = 256;
    return sizeOf(L, Context).value(ForCostOnly()).Iterations.value_or(0) >=
           Enough;
  }
  static void addSize(const RelaunchLoop &L, ASTContext &Context, Finding &F) {
    const LoopSize Size = sizeOf(L, Context).value(ForCostOnly());
    for (const auto &[Name, Value] :
         {std::pair("iterations", Size.Iterations),
          std::pair("blocks", Size.Blocks),
          std::pair("block-size", Size.BlockThreads)})
      if (Value)
        F.Facts.push_back({Name, int64_t(*Value), ""});
    if (Size.Iterations)
      F.Facts.push_back(
          {"runs-repeatedly",
           isSeenRepeated(*L.Loop, *L.Function, Context).value(ForCostOnly()),
           ""});
  }
};

namespace {

using namespace grid_barrier;

constexpr llvm::StringLiteral RuleId = "grid-barrier";

/// Of loops.
using LoopSet = llvm::DenseSet<const Stmt *>;

class Search {
public:
  /// \p Plain: loops whose launches stay as they are where they run.
  Search(const Program &P, const RuleOptions &Options, const LoopSet &Plain,
         host::HostWaits &Waits)
      : Whole(P), Host(*P.host()), Context(*Host.Context),
        SM(Context.getSourceManager()), Source(Context), Options(Options),
        Plain(Plain), Waits(Waits), Repeated(P, Options), Others(Host),
        Steps(P, Options.GpuSync),
        Passes(P, [](const PassView &Pass, PassHashes::AddCode Add) {
          for (const HostLoop &L : findHostLoops(Pass))
            Add(codeOf(L));
        }) {
    if (Options.Replays)
      Replays.emplace(P, Options);
  }

  void run(llvm::ArrayRef<HostLoop> Loops, std::vector<Finding> &Findings) {
    // Loops may share steps: all must be read before the first is written.
    std::vector<std::vector<RelaunchLoop>> Reads;
    for (const HostLoop &L : Loops) {
      Reads.emplace_back();
      for (const HostLoop &Instance : instancesOf(L))
        Reads.back().push_back(read(Instance));
    }
    std::vector<std::optional<RelaunchLoop>> OfHost;
    std::vector<std::optional<ReplayedRegion>> Regions;
    for (const auto &[L, Read] : llvm::zip_equal(Loops, Reads)) {
      OfHost.push_back(Read.size() == 1 && Options.Scope == BarrierScope::Auto
                           ? dependence::withHostWork(Read.front(), Context)
                           : std::nullopt);
      Regions.push_back(OfHost.back() ? readRegion(L, *OfHost.back())
                                      : readRegion(L, Read));
    }
    std::vector<std::optional<Finding>> Own;
    std::vector<bool> Covered;
    for (const auto &[L, Read, Region] :
         llvm::zip_equal(Loops, Reads, Regions)) {
      const bool IsWithin = L.Parent >= 0 && Covered[L.Parent];
      Own.push_back(IsWithin ? std::nullopt
                             : std::optional(write(L, Read, Region)));
      Covered.push_back(IsWithin || isWritten(*Own.back()));
    }
    writeStretched(Loops, OfHost, Regions, Own);
    for (std::optional<Finding> &F : Own)
      if (F)
        Findings.push_back(std::move(*F));
  }

  /// The loops for whose sake kernels wait, although no launch of theirs is
  /// written to overlap the grid before.
  LoopSet waitInVain() const {
    LoopSet Result;
    for (const Stmt *Loop : Waiting)
      if (!Overlapping.contains(Loop))
        Result.insert(Loop);
    return Result;
  }

private:
  /// The loop itself, where it is not in a template or that has no instance.
  static llvm::ArrayRef<HostLoop> instancesOf(const HostLoop &L) {
    return L.Instances.empty() ? llvm::ArrayRef(L)
                               : llvm::ArrayRef(L.Instances);
  }

  static std::vector<const Stmt *> codeOf(const HostLoop &L) {
    std::vector<const Stmt *> Code = {L.Loop};
    for (const HostLoop &Instance : L.Instances)
      Code.push_back(Instance.Loop);
    return Code;
  }

  static std::vector<const CUDAKernelCallExpr *>
  callsOf(const RelaunchLoop &L) {
    std::vector<const CUDAKernelCallExpr *> Calls;
    for (const LoopLaunch &Launch : L.Launches)
      Calls.push_back(Launch.Call);
    return Calls;
  }

  RelaunchLoop read(const HostLoop &L) {
    RelaunchLoop Read = readRelaunchLoop(
        L, Whole,
        [&](const FunctionDecl &Kernel) { return Steps.stepsOf(Kernel); },
        Waits);
    // What is not written must not change the steps of what is.
    if (Read.Blockers.empty() && Options.LogicalThreads)
      for (const LoopLaunch &Launch : Read.Launches)
        if (Launch.LogicalThreads)
          Steps.takeLogicalThreads(*Launch.Kernel);
    return Read;
  }

  /// The launches of a loop that a graph may make, too, and their kernels that
  /// can wait for the grid before.
  struct ReplayedRegion {
    launch_region::LaunchRegion Region;
    std::vector<const FunctionDecl *> Waiting;
    bool Wait; ///< They do.
  };

  std::optional<ReplayedRegion> readRegion(const HostLoop &L,
                                           llvm::ArrayRef<RelaunchLoop> Reads) {
    if (!Replays || Reads.size() != 1 || !Reads.front().Blockers.empty())
      return std::nullopt;
    auto Region = Replays->regionOf(*L.Loop);
    if (!Region)
      Region = Reads.front().ReadsBack ? Replays->readLoopOf(*L.Loop)
                                       : Replays->waitingLoopOf(*L.Loop);
    if (!Region)
      return std::nullopt;
    if (Region->ReadBack)
      return ReplayedRegion{std::move(*Region), {}, /*Wait=*/false};
    std::vector<const FunctionDecl *> Kernels =
        Replays->waitingKernels(*Region);
    const bool Wait =
        !Options.FromStart && !Plain.contains(L.Loop) && !Kernels.empty();
    if (Wait) {
      for (const FunctionDecl *Kernel : Kernels)
        Steps.takeWait(*Kernel);
      Waiting.insert(L.Loop);
    }
    return ReplayedRegion{std::move(*Region), std::move(Kernels), Wait};
  }

  static bool isWritten(const Finding &F) {
    return F.Outcome == Verdict::Rewrite;
  }

  /// Of loops that no kernel runs, nor one within: the outermost of whose
  /// launches some can be made as one.
  void writeStretched(llvm::ArrayRef<HostLoop> Loops,
                      llvm::ArrayRef<std::optional<RelaunchLoop>> OfHost,
                      llvm::ArrayRef<std::optional<ReplayedRegion>> Regions,
                      std::vector<std::optional<Finding>> &Found) {
    std::vector<bool> Holds(Loops.size(), false), Covered = Holds;
    for (size_t I = Loops.size(); I-- > 0;)
      if (Loops[I].Parent >= 0 &&
          (Holds[I] || (Found[I] && isWritten(*Found[I]))))
        Holds[Loops[I].Parent] = true;
    for (size_t I = 0; I < Loops.size(); ++I) {
      Covered[I] = Loops[I].Parent >= 0 && Covered[Loops[I].Parent];
      if (Covered[I])
        Found[I].reset();
      else if (Found[I] && !isWritten(*Found[I]) && !Holds[I] && OfHost[I] &&
               Regions[I])
        Covered[I] =
            writeStretched(Loops[I], *OfHost[I], *Regions[I], *Found[I]);
    }
  }

  /// \p F, which says why no kernel runs the loop, becomes the rewrite that
  /// makes some of its launches as one, if there is one.
  bool writeStretched(const HostLoop &L, const RelaunchLoop &Read,
                      const ReplayedRegion &Region, Finding &F) {
    if (Read.Launches.size() != Region.Region.Launches.size() ||
        Region.Region.ReadBack ||
        !llvm::all_of(
            F.Reasons,
            [](const Reason &Why) { return dependence::isOfHost(Why.Id); }) ||
        Waits.against(blocker(ReasonId::HostWait, L.Loop->getBeginLoc())) ||
        Repeated.repeat(Region.Region) || isIncludedWithin(L, Read))
      return false;
    Finding New = F;
    New.Reasons.clear();
    for (const LoopLaunch &Launch : Read.Launches)
      Steps.write(*Launch.Kernel, Launch.Call->getBeginLoc(), SM, New);
    checkSharedMemory(Read, New);
    if (!New.Reasons.empty())
      return false;
    const Scopes Barriers = scopesOf(Read);
    const auto Fresh = [&](const std::string &Base) {
      return Steps.freshName(Base);
    };
    PersistentNames Names = namesFor(L, Fresh);
    addReplay(L, Region, Names);
    PersistentText Text = grid_barrier::writeStretched(
        Read, Barriers.front(), Names,
        [&](const FunctionDecl &Kernel) -> const StepText & {
          return Steps.textOf(Kernel);
        },
        Host);
    if (Text.Edits.empty())
      return false;
    addText(L, Read, &Region, Text, New);
    if (refuseText(L, New))
      return false;
    New.Facts.push_back({"launches", int64_t(Read.Launches.size()), ""});
    addScopes(Read, Barriers.front(), New);
    for (const LoopLaunch &Launch : Read.Launches)
      Steps.addChanges(*Launch.Kernel, New);
    New.Outcome = Verdict::Rewrite;
    New.Form = "stretches";
    New.Message = "launches of a " + New.Subject +
                  " can be made several at a time where blocks need nothing of "
                  "one another";
    Overlapping.insert(L.Loop);
    F = std::move(New);
    return true;
  }

  /// \p Reads: of each instance of a template.
  Finding write(const HostLoop &L, llvm::ArrayRef<RelaunchLoop> Reads,
                const std::optional<ReplayedRegion> &Region) {
    Finding F;
    F.Rule = RuleId.str();
    F.Where = placeOf(L.Loop->getBeginLoc(), SM);
    F.End = placeAfterToken(L.Loop->getEndLoc(), SM, Context.getLangOpts());
    if (L.Function)
      F.Function = L.Function->getQualifiedNameAsString();
    F.Subject = loopNoun(*L.Loop).str();
    for (const RelaunchLoop &Read : Reads)
      if (F.Reasons.empty())
        addReasons(Read.Blockers, SM, F);
    for (const RelaunchLoop &Read : Reads)
      if (F.Reasons.empty())
        checkGeometry(Read, F);
    if (F.Reasons.empty() && isIncludedWithin(L, Reads))
      addReason(blocker(ReasonId::IncludedWithin, L.Loop->getBeginLoc()), SM,
                F);
    // Of a template each instance: what that calls is known.
    for (const RelaunchLoop &Read : Reads)
      if (F.Reasons.empty() && Read.Function &&
          mayBeSharedElse(*Read.Function, {Read.Loop}, Others, Context))
        addReason(blocker(ReasonId::OtherBuild, L.Loop->getBeginLoc()), SM, F);
    if (!Passes.agreeOn(codeOf(L), SM))
      addReason(blocker(ReasonId::PassesDiffer, L.Loop->getBeginLoc()), SM, F);
    for (const RelaunchLoop &Read : Reads)
      for (const LoopLaunch &Launch : Read.Launches)
        if (F.Reasons.empty())
          Steps.write(*Launch.Kernel, Launch.Call->getBeginLoc(), SM, F);
    for (const RelaunchLoop &Read : Reads)
      if (F.Reasons.empty())
        checkSharedMemory(Read, F);
    if (F.Reasons.empty()) {
      const Best Form =
          Region ? bestOf(L, Reads.front(), *Region) : Best::Kernel;
      writeLoop(L, Reads, Region, Form, F);
      if (F.Reasons.empty())
        checkProfit(L, Reads, Form, F);
    }
    if ((F.Reasons.empty() || F.Outcome == Verdict::NotProfitable) &&
        !F.Edits.empty() && isReplayed(F))
      Overlapping.insert(L.Loop);
    if (F.Outcome == Verdict::NotProfitable)
      return F;
    if (F.Reasons.empty()) {
      F.Outcome = Verdict::Rewrite;
      F.Form = "persistent";
      F.Message = F.Subject + " of kernel launches can become one persistent "
                              "kernel with a grid barrier";
      if (hasFact(F, "graph-is-as-fast"))
        F.Message += " until a graph pays, or where its grid is one cluster, "
                     "and be replayed by a graph else";
      else if (isReplayed(F))
        F.Message += ", or be replayed by a graph where that is faster";
      if (isStretched(F))
        F.Message += ", with launches that need nothing of other blocks as one";
      return F;
    }
    F.Outcome = Verdict::Refused;
    F.Edits.clear();
    F.Message = F.Subject + " of kernel launches cannot become one kernel: " +
                F.Reasons.front().Text;
    return F;
  }

  static bool hasFact(const Finding &F, llvm::StringRef Name) {
    return llvm::any_of(F.Facts,
                        [&](const Fact &Each) { return Each.Name == Name; });
  }
  static bool isReplayed(const Finding &F) { return hasFact(F, "replays"); }
  static bool isStretched(const Finding &F) { return hasFact(F, "stretches"); }

  static bool isIncludedWithin(const HostLoop &L,
                               llvm::ArrayRef<RelaunchLoop> Reads) {
    return (L.Function && launch_region::isIncludedWithin(*L.Function)) ||
           llvm::any_of(Reads, [](const RelaunchLoop &Read) {
             return llvm::any_of(Read.Launches, [](const LoopLaunch &Launch) {
               return launch_region::isIncludedWithin(
                   spelledFunction(*Launch.Kernel));
             });
           });
  }

  /// What makes the launches of a loop fastest.
  enum class Best : unsigned char {
    Kernel,        ///< Where blocks are few; a graph else.
    GraphIfItPays, ///< And the grid is more than one cluster; a kernel else.
    Graph
  };

  /// A narrow barrier takes less than a graph takes from a launch to the next,
  /// and so does a cluster's (H200, 16 blocks of 256: 0.64 us a step of jacobi,
  /// the graph 0.99).
  Best bestOf(const HostLoop &L, const RelaunchLoop &Read,
              const ReplayedRegion &Region) {
    if (!isReplayedAsFast(L, Read, Region) || hasNarrowBarriers(Read))
      return Best::Kernel;
    if (Options.GpuSync != SyncStrategy::Automatic)
      return Best::Graph;
    const std::optional<bool> IsCluster =
        Estimates::isOneCluster(Read, Context);
    if (IsCluster && *IsCluster)
      return Best::Kernel;
    return IsCluster && Estimates::isLongEnoughForGraph(Read, Context)
               ? Best::Graph
               : Best::GraphIfItPays;
  }

  /// With the same launches again and again a graph has nothing to change, and
  /// where they overlap it takes no longer from one to the next than a grid
  /// barrier (H100: 0.78 us and 0.79 with 132 blocks, 1.1 and 1.5 with 256).
  bool isReplayedAsFast(const HostLoop &L, const RelaunchLoop &Read,
                        const ReplayedRegion &Region) {
    return Options.Loops == LoopForm::Auto && !Options.FromStart &&
           !Region.Region.ReadBack &&
           Region.Waiting.size() == Region.Region.Launches.size() &&
           Replays->isWhole(*L.Loop) && Estimates::repeatsInGroups(Read) &&
           !launch_region::countLaunches(*L.Loop, Source, Context).Text.empty();
  }

  /// A graph whose waits come later gains at every size of the grid, a
  /// persistent kernel alone only where that is small (H200, 1000 iterations:
  /// 8.1 times by the graph and 10.3 by the kernel with 2^12 elements, 3.4 and
  /// 1.0 with 2^20).
  bool isReplayedInstead(const HostLoop &L) {
    return Replays && Options.Loops == LoopForm::Auto && !Options.FromStart &&
           Replays->asksForErrors(*L.Loop);
  }

  /// \p F: with the text of the loop.
  bool isLeftToGraph(const HostLoop &L, Best Form, const Finding &F) {
    return Form == Best::Graph ||
           (!isReplayed(F) &&
            (Form == Best::GraphIfItPays || isReplayedInstead(L)));
  }

  bool hasNarrowBarriers(const RelaunchLoop &Read) {
    return llvm::any_of(scopesOf(Read).front().Steps, [](const auto &Step) {
      return Step.Needs != dependence::Scope::Grid;
    });
  }

  void checkProfit(const HostLoop &L, llvm::ArrayRef<RelaunchLoop> Reads,
                   Best Form, Finding &F) {
    const auto StepsOf = [&](const FunctionDecl &Kernel) {
      return Steps.stepsOf(Kernel);
    };
    if (llvm::all_of(Reads, [&](const RelaunchLoop &Read) {
          return Read.Repeats && sharesNothing(callsOf(Read), StepsOf);
        }))
      addReason(blocker(ReasonId::Repetition, L.Loop->getBeginLoc()), SM, F);
    else if (isLeftToGraph(L, Form, F))
      addReason(blocker(ReasonId::Replayed, L.Loop->getBeginLoc()), SM, F);
    if (!Options.LogicalThreads)
      for (const RelaunchLoop &Read : Reads)
        for (const LoopLaunch &Launch : Read.Launches)
          if (Launch.LogicalThreads) {
            addReason(
                blocker(ReasonId::LogicalThreads, Launch.Call->getBeginLoc()),
                SM, F);
            F.Edits.clear(); // They call a step that is not written.
          }
    if (F.Reasons.empty())
      return;
    F.Outcome = Verdict::NotProfitable;
    F.Message = F.Subject +
                " of kernel launches could become one kernel, but " +
                F.Reasons.front().Text;
  }

  /// Blocks and grids that are the same may not be in another build.
  void checkGeometry(const RelaunchLoop &L, Finding &F) {
    const LoopLaunch &First = L.Launches.front();
    for (const LoopLaunch &Launch : llvm::drop_begin(L.Launches))
      if (Others.maySeparate(First.Block, Launch.Block) ||
          (L.Grids == GridForm::Same &&
           Others.maySeparate(First.Grid, Launch.Grid)))
        addReason(
            blocker(ReasonId::SeveralGeometries, Launch.Call->getBeginLoc()),
            SM, F);
  }

  /// A kernel alone has what it had; several add up.
  void checkSharedMemory(const RelaunchLoop &L, Finding &F) {
    std::map<FunctionKey, uint64_t> OfKernel;
    for (const LoopLaunch &Launch : L.Launches)
      for (const StepKernel *Step : Steps.stepsOf(*Launch.Kernel)) {
        uint64_t &Bytes = OfKernel[keyOf(*Launch.Kernel)];
        Bytes = std::max(Bytes, Step->StaticSharedBytes);
      }
    uint64_t Bytes = 0;
    for (const auto &[Key, Own] : OfKernel)
      Bytes += Own;
    if (OfKernel.size() > 1 && Bytes > MaxStaticSharedBytes)
      addReason(blocker(ReasonId::SharedMemory,
                        L.Launches.front().Call->getBeginLoc()),
                SM, F);
  }

  //===--- The loop -------------------------------------------------------===//

  using Scopes = std::vector<dependence::LoopScopes>;

  /// How wide the barriers of each instance must be.
  Scopes scopesOf(llvm::ArrayRef<RelaunchLoop> Reads) {
    Scopes Result(Reads.size());
    if (Options.Scope == BarrierScope::Auto)
      for (const auto &[Read, Found] : llvm::zip_equal(Reads, Result))
        Found = dependence::planScopes(
            Read,
            [&](const FunctionDecl &Kernel) { return Steps.stepsOf(Kernel); },
            Context);
    return Result;
  }

  /// The text that all instances become; none where they differ.
  PersistentText writeInstances(const PersistentNames &Names,
                                llvm::ArrayRef<RelaunchLoop> Reads,
                                const Scopes &Barriers) {
    const auto Write = [&](size_t I) {
      return writePersistent(
          Reads[I], Barriers[I], Names,
          [&](const FunctionDecl &Kernel) -> const StepText & {
            return Steps.textOf(Kernel);
          },
          Host);
    };
    PersistentText Text = Write(0);
    for (size_t I = 1; I < Reads.size(); ++I)
      if (Write(I).Edits != Text.Edits)
        Text.Edits.clear();
    return Text;
  }

  /// All instances of a template must become the same text.
  void writeLoop(const HostLoop &L, llvm::ArrayRef<RelaunchLoop> Reads,
                 const std::optional<ReplayedRegion> &Region, Best Form,
                 Finding &F) {
    std::map<std::string, std::string> Given;
    const auto Fresh = [&](const std::string &Base) {
      auto [It, New] = Given.try_emplace(Base);
      if (New)
        It->second = Steps.freshName(Base);
      return It->second;
    };
    PersistentNames Names = namesFor(L, Fresh);
    if (Region)
      addReplay(L, *Region, Names);
    Names.GraphIsAsFast = Form == Best::GraphIfItPays;
    Scopes Barriers = scopesOf(Reads);
    PersistentText Text = writeInstances(Names, Reads, Barriers);
    const auto Differ = [&] {
      return Text.Edits.empty() && Text.Blockers.empty();
    };
    if (Differ()) {
      Barriers.assign(Reads.size(), {});
      Text = writeInstances(Names, Reads, Barriers);
    }
    // Types may differ that a simpler text need not know.
    while (Differ() && Names.Begins != Beginning::FromStart) {
      Names.Begins = Names.Begins == Beginning::Counted ? Beginning::Uncounted
                                                        : Beginning::FromStart;
      Text = writeInstances(Names, Reads, Barriers);
    }
    addReasons(Text.Blockers, SM, F);
    if (F.Reasons.empty() && Text.Edits.empty())
      addReason(blocker(ReasonId::HostTemplate, L.Loop->getBeginLoc()), SM, F);
    addText(L, Reads, Region ? &*Region : nullptr, Text, F);
    (void)refuseText(L, F);
    F.Facts.push_back({"launches", int64_t(Reads.front().Launches.size()), ""});
    // Instances may differ.
    if (Reads.size() == 1)
      Estimates::addSize(Reads.front(), Context, F);
    if (Text.TakesOver)
      F.Facts.push_back({"takes-over", true, ""});
    if (Text.TakesOver && Names.GraphIsAsFast)
      F.Facts.push_back({"graph-is-as-fast", true, ""});
    if (Text.MayClamp)
      F.Facts.push_back({"logical-blocks", true, ""});
    addScopes(Reads.front(), Barriers.front(), F);
    for (const RelaunchLoop &Read : Reads)
      for (const LoopLaunch &Launch : Read.Launches)
        Steps.addChanges(*Launch.Kernel, F);
  }

  PersistentNames
  namesFor(const HostLoop &L,
           llvm::function_ref<std::string(const std::string &)> Fresh) const {
    return {Fresh(nameStem(*L.Function) + "_persistent"),
            Options.GpuSync,
            Options.Header,
            Options.LogicalBlocks,
            Options.FromStart ? Beginning::FromStart : Beginning::Counted,
            /*Replay=*/"",
            /*ReplayDeclaration=*/"",
            /*Flush=*/"",
            /*GraphIsAsFast=*/false,
            /*Next=*/"",
            /*Stretch=*/"",
            /*StretchWaits=*/false,
            Fresh};
  }

  /// The object that makes the loop's launches, and the kernel for those of
  /// them that become one.
  void addReplay(const HostLoop &L, const ReplayedRegion &Region,
                 PersistentNames &Names) const {
    if (Region.Region.ReadBack)
      return addLooped(L, *Region.Region.ReadBack, Names);
    const std::string Object = Names.Fresh("replayed");
    const auto Flush = launch_replay::flushText(
        Object, Region.Region.Asked, L.Loop->getBeginLoc(), Source, SM);
    if (!Flush)
      return;
    Names.Replay = Object;
    Names.Flush = *Flush;
    Names.ReplayDeclaration = launch_region::declareReplay(
        Names.Replay, launch_region::countLaunches(*L.Loop, Source, Context));
    Names.Stretch = Names.Fresh(nameStem(*L.Function) + "_stretch");
    Names.StretchWaits =
        Region.Wait && Region.Waiting.size() == Region.Region.Launches.size();
  }

  /// The same for a loop that the device may go around by itself; nothing
  /// where macros are in the way.
  void addLooped(const HostLoop &L, const launch_region::ReadLoop &Loop,
                 PersistentNames &Names) const {
    const std::string Object = Names.Fresh("looped");
    const auto Text = launch_replay::loopedText(Loop, L.Loop->getBeginLoc(),
                                                Object, Source, Context);
    if (!Text)
      return;
    Names.Replay = Object;
    Names.ReplayDeclaration = Text->Declaration;
    Names.Next = Text->Next;
  }

  /// \p Text of a loop, with its launches as \p Region has them.
  void addText(const HostLoop &L, llvm::ArrayRef<RelaunchLoop> Reads,
               const ReplayedRegion *Region, const PersistentText &Text,
               Finding &F) {
    llvm::append_range(F.Edits, Text.Edits);
    Source.keepWithComments(L.Loop->getBeginLoc(), F.Edits);
    if (Region && !Text.Replay.empty())
      writeReplay(Reads.front(), *Region, Text, F);
    includeWhereWaiting(*L.Function, Reads, F);
  }

  bool refuseText(const HostLoop &L, Finding &F) {
    const SourceLocation Where = L.Loop->getBeginLoc();
    return Others.refuseText(blocker(ReasonId::RuntimeName, Where),
                             blocker(ReasonId::OtherBuild, Where), F);
  }

  void writeReplay(const RelaunchLoop &Read, const ReplayedRegion &Region,
                   const PersistentText &Text, Finding &F) const {
    Replays->write(
        Region.Region, Text.Replay, objectsByCall(Read, Text),
        Region.Wait ? Region.Waiting : std::vector<const FunctionDecl *>(), F);
    F.Facts.push_back({"replays", true, ""});
    if (Text.HasStretches)
      F.Facts.push_back({"stretches", true, ""});
  }

  static ReplayedLoops::Objects objectsByCall(const RelaunchLoop &L,
                                              const PersistentText &Text) {
    ReplayedLoops::Objects Result;
    for (const auto &[Launch, Object] :
         llvm::zip_equal(L.Launches, Text.Objects))
      Result[Launch.Call] = Object;
    return Result;
  }

  /// Kernels may wait for the sake of another loop.
  void includeWhereWaiting(const FunctionDecl &Function,
                           llvm::ArrayRef<RelaunchLoop> Reads, Finding &F) {
    llvm::SmallVector<const FunctionDecl *> Kernels;
    for (const RelaunchLoop &Read : Reads)
      for (const LoopLaunch &Launch : Read.Launches)
        if (Steps.waits(*Launch.Kernel))
          Kernels.push_back(Launch.Kernel);
    if (!Kernels.empty())
      Replays->include(Function, Kernels, F);
  }

  /// Whom each launch's step waits for, and why.
  static void addScopes(const RelaunchLoop &L,
                        const dependence::LoopScopes &Barriers, Finding &F) {
    std::vector<std::string> Scopes, Why;
    for (const auto &[Launch, Step] : llvm::zip(L.Launches, Barriers.Steps)) {
      Scopes.push_back(Launch.Kernel->getNameAsString() +
                       (Step.Needs == dependence::Scope::Grid ? ": grid"
                        : Step.isAlwaysConfined() ? ": block"
                                                  : ": block or grid"));
      std::string Text = Step.Why;
      if (!Step.Because.File.empty())
        Text += llvm::formatv(" ({0}:{1})",
                              llvm::sys::path::filename(Step.Because.File),
                              Step.Because.Line);
      if (!llvm::is_contained(Why, Text))
        Why.push_back(std::move(Text));
    }
    if (Scopes.empty())
      return;
    F.Facts.push_back({"barriers", llvm::join(Scopes, ", "), ""});
    F.Facts.push_back({"why", llvm::join(Why, "; "), ""});
  }

  const Program &Whole;
  const PassView &Host;
  ASTContext &Context;
  const SourceManager &SM;
  const SourceText Source;
  const RuleOptions &Options;
  const LoopSet &Plain;
  host::HostWaits &Waits;
  launch_region::RepeatedLaunches Repeated;
  LoopSet Waiting;     ///< For whose sake kernels wait.
  LoopSet Overlapping; ///< Whose launches may be made by a graph.
  OtherBuilds Others;
  StepCache Steps;
  std::optional<ReplayedLoops> Replays;
  const PassHashes Passes;
};

class GridBarrier : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "a host loop of kernel launches becomes one kernel with a "
           "__gpu_sync() for each launch";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }
  std::optional<LoopForm> loopForm() const override {
    return LoopForm::Persistent;
  }

  void run(const Program &P, const RuleOptions &Options,
           std::vector<Finding> &Findings) const override {
    if (!P.host())
      return;
    const std::vector<HostLoop> Loops = findHostLoops(*P.host());
    // Whether a loop's launches are written anew shows once it is written.
    LoopSet Plain;
    host::HostWaits Waits(P);
    for (bool IsDone = Loops.empty(); !IsDone;) {
      Search S(P, Options, Plain, Waits);
      std::vector<Finding> Found;
      S.run(Loops, Found);
      const LoopSet InVain = S.waitInVain();
      IsDone = InVain.empty();
      Plain.insert(InVain.begin(), InVain.end());
      if (IsDone)
        llvm::append_range(Findings, std::move(Found));
    }
  }

  void choose(std::vector<Finding> &Findings) const override {
    suppressConflictingBarriers(RuleId, Findings);
  }

  /// The strategies of `__gpu_sync`.
  std::vector<Setting> settings(const RuleOptions &Options) const override {
    std::vector<Setting> Result;
    for (const auto &[Name, Strategy] : SyncStrategyNames) {
      Result.push_back({Name.str(), Options, {}});
      Result.back().Options.GpuSync = Strategy;
    }
    return Result;
  }
};

} // namespace

std::unique_ptr<Rule> createGridBarrierRule() {
  return std::make_unique<GridBarrier>();
}

} // namespace barricade
