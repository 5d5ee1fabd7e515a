// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rule is one self-contained piece: its matcher, its legality questions, its
// rewriter. The registry (Registry.cpp) is the only place that lists them.

#ifndef BARRICADE_REWRITERS_RULE_H
#define BARRICADE_REWRITERS_RULE_H

#include "matchers/Blocker.h"
#include "matchers/Finding.h"
#include "matchers/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace barricade {

/// How the blocks of a grid meet: the strategies of `__gpu_sync`.
enum class SyncStrategy { Automatic, Lock, LockFree, Cooperative };

/// Each with the name that users know it by.
inline constexpr std::pair<llvm::StringLiteral, SyncStrategy>
    SyncStrategyNames[] = {
        {"automatic", SyncStrategy::Automatic},
        {"lock", SyncStrategy::Lock},
        {"lock-free", SyncStrategy::LockFree},
        {"cooperative", SyncStrategy::Cooperative},
};

/// How wide the barriers between a persistent kernel's steps are.
enum class BarrierScope {
  Auto, ///< As wide as is proved enough.
  Grid, ///< Always the whole grid.
};

/// Each with the name that users know it by.
inline constexpr std::pair<llvm::StringLiteral, BarrierScope>
    BarrierScopeNames[] = {
        {"auto", BarrierScope::Auto},
        {"grid", BarrierScope::Grid},
};

/// How rewritten sources come by the runtime's header.
enum class RuntimeHeader {
  Include, ///< `#include <barricade/gpu_sync.cuh>`: the build has its folder.
  Beside,  ///< `#include "barricade/gpu_sync.cuh"`: written beside the source.
};

/// Each with the name that users know it by.
inline constexpr std::pair<llvm::StringLiteral, RuntimeHeader>
    RuntimeHeaderNames[] = {
        {"include", RuntimeHeader::Include},
        {"beside", RuntimeHeader::Beside},
};

/// What stands behind `#include`.
inline llvm::StringRef includeName(RuntimeHeader Header) {
  return Header == RuntimeHeader::Include ? "<barricade/gpu_sync.cuh>"
                                          : "\"barricade/gpu_sync.cuh\"";
}

/// What becomes of loops of launches.
enum class LoopForm {
  Auto,       ///< A persistent kernel or a replayed graph: the program decides.
  Persistent, ///< A persistent kernel, or nothing.
  Replay,     ///< A replayed graph, or nothing.
  Overlap,    ///< Launches that overlap, or nothing.
  None,       ///< Nothing.
};

/// Each with the name that users know it by.
inline constexpr std::pair<llvm::StringLiteral, LoopForm> LoopFormNames[] = {
    {"auto", LoopForm::Auto},     {"persistent", LoopForm::Persistent},
    {"replay", LoopForm::Replay}, {"overlap", LoopForm::Overlap},
    {"none", LoopForm::None},
};

/// What users may set about the rules. Each has a command line option of the
/// same meaning.
struct RuleOptions {
  /// artificial-barrier: least instructions per iteration (P2's T).
  unsigned MinInstructions = 4;
  /// artificial-barrier: least share of memory operations (P2's R), 0 to 1.
  double MinMemoryRatio = 0.10;
  /// artificial-barrier: a barrier every K-th iteration.
  unsigned BarrierInterval = 1;
  /// artificial-barrier: the intervals that --variants tries.
  std::vector<unsigned> VariantIntervals = {1, 4, 16, 64};
  /// artificial-barrier: write the loop's new shape, but no barrier. For
  /// measurements alone: it tells the barrier's effect from the shape's.
  bool WithoutBarrier = false;
  /// grid-barrier: strategy that rewritten programs ask `__gpu_sync` for.
  SyncStrategy GpuSync = SyncStrategy::Automatic;
  /// grid-barrier: how wide the barriers between steps are.
  BarrierScope Scope = BarrierScope::Auto;
  /// grid-barrier: a grid that cannot be resident runs as logical blocks of
  /// one that can; without, the original loop runs then.
  bool LogicalBlocks = false;
  /// grid-barrier: launches whose blocks have another size run as logical
  /// threads; without, the loop stays, for that has cost more than launches.
  bool LogicalThreads = false;
  /// grid-barrier: the persistent kernel is launched before the loop; without,
  /// it takes the loop over once the device waits for the host.
  bool FromStart = false;
  /// The rules of loops of launches: which of them run.
  LoopForm Loops = LoopForm::Auto;
  /// grid-barrier: launches that a persistent kernel may take over are replayed
  /// where that is faster. Set where launch-replay runs as well.
  bool Replays = false;
  /// launch-replay: launches overlap where their kernels can wait for the grid
  /// before. Set where launch-overlap runs as well.
  bool Overlaps = false;
  /// See Program::IgnoreReferences.
  bool IgnoreReferences = false;
  /// All rules whose rewrites use the runtime.
  RuntimeHeader Header = RuntimeHeader::Include;
};

/// One way of setting a rule's options, to be measured against others.
struct Setting {
  std::string Name; ///< Stable, part of variants' names, for instance `k4`.
  RuleOptions Options;
  /// For a control: name of the setting whose effect it isolates.
  std::string ControlOf;
};

class Rule {
public:
  virtual ~Rule() = default;
  virtual llvm::StringRef id() const = 0;
  virtual llvm::StringRef summary() const = 0;
  /// Every id that this rule's findings may carry as a reason.
  virtual llvm::ArrayRef<ReasonInfo> reasons() const = 0;
  /// Whether some of its findings are faults of the program.
  virtual bool findsFaults() const { return false; }
  /// The form that it gives to loops of launches, if it is such a rule.
  virtual std::optional<LoopForm> loopForm() const { return std::nullopt; }
  /// Appends a finding for every place the rule has an opinion on, once for
  /// each pass and instantiation. The caller merges those of one place.
  virtual void run(const Program &P, const RuleOptions &Options,
                   std::vector<Finding> &Findings) const = 0;
  /// Settles which of the merged findings apply by default, where several could
  /// but not all should. Other rules' findings are among them.
  virtual void choose(std::vector<Finding> &Findings) const {}
  /// The settings worth comparing; \p Options is what the user asked for.
  virtual std::vector<Setting> settings(const RuleOptions &Options) const {
    return {{"default", Options, {}}};
  }
};

/// All rules, in the order in which they run.
llvm::ArrayRef<std::unique_ptr<Rule>> allRules();

} // namespace barricade

#endif
