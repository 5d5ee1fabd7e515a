// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/fence-as-barrier/SmallGrid.h"
#include "matchers/fence-as-barrier/small-grid/Signals.h"
#include "matchers/fence-as-barrier/small-grid/ThreadRun.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::fence_as_barrier {

namespace {

/// Cuts the traces of a block where a thread of it may have waited: after the
/// next block barrier, its wait is everybody's; in its warp, at once.
void spreadWaits(llvm::MutableArrayRef<ThreadTrace> Block) {
  std::vector<std::pair<size_t, Moment>> Waits;
  for (const auto &[Thread, Trace] : llvm::enumerate(Block))
    if (Trace.Waited)
      Waits.push_back({Thread, *Trace.Waited});
  for (const auto &[Thread, Trace] : llvm::enumerate(Block)) {
    unsigned End = UINT_MAX; // The first interval that does not count.
    for (const auto &[Waiter, When] : Waits) {
      bool SameWarp =
          Waiter / small_grid::WarpLanes == Thread / small_grid::WarpLanes;
      if (Waiter != Thread)
        End = std::min(End, When.Interval + !SameWarp);
    }
    auto IsAfter = [End](const auto &Event) {
      return Event.When.Interval >= End;
    };
    llvm::erase_if(Trace.Accesses, IsAfter);
    llvm::erase_if(Trace.Fences, IsAfter);
  }
}

/// Calls \p Do for all indices below \p Extent, x fastest.
template <typename Fn>
void forEachIndex(const std::array<unsigned, 3> &Extent, Fn Do) {
  for (unsigned Z = 0; Z < Extent[2]; ++Z)
    for (unsigned Y = 0; Y < Extent[1]; ++Y)
      for (unsigned X = 0; X < Extent[0]; ++X)
        Do(std::array<unsigned, 3>{X, Y, Z});
}

} // namespace

SmallGrid::SmallGrid(const KernelEffects &Effects, const LaunchShape &Shape)
    : Effects(Effects), Shape(Shape),
      HasSignals(small_grid::hasSignals(Effects)) {}

bool SmallGrid::mayChange(const Expr &Access, const FunctionDecl &Function) {
  auto [It, New] = Changeable.try_emplace(&Access, true);
  if (New)
    It->second = Effects.mayWrite(Access, Access.getType(), Function).isValid();
  return It->second;
}

std::optional<std::vector<ThreadTrace>> SmallGrid::run(ScalarChoice Choose) {
  small_grid::Run R{*this, Choose, Effects.Kernel->getASTContext(), Steps};
  std::vector<ThreadTrace> Traces;
  forEachIndex(Shape.Grid, [&](const auto &Block) {
    size_t First = Traces.size();
    forEachIndex(Shape.Block, [&](const auto &Thread) {
      if (!R.GaveUp)
        Traces.push_back(small_grid::ThreadRun(R, Block, Thread).run());
    });
    spreadWaits(llvm::MutableArrayRef(Traces).drop_front(First));
  });
  if (R.GaveUp)
    return std::nullopt;
  return Traces;
}

} // namespace barricade::fence_as_barrier
