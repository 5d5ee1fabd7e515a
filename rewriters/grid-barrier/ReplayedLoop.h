// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of a loop that a persistent kernel may take over, as those of an
// object that replays them by a graph: which is better depends on the grid, the
// device and how often the loop runs, so the program decides.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_REPLAYEDLOOP_H
#define BARRICADE_REWRITERS_GRIDBARRIER_REPLAYEDLOOP_H

#include "matchers/Program.h"
#include "rewriters/launch-region/LaunchCalls.h"
#include "rewriters/launch-region/WaitingKernels.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class CUDAKernelCallExpr;
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace barricade::grid_barrier {

class ReplayedLoops {
public:
  ReplayedLoops(const Program &P, const RuleOptions &Options);

  /// The launches of \p Loop, as a region of its own; nothing where the host
  /// could tell that they come later, or they cannot be written so.
  std::optional<launch_region::LaunchRegion> regionOf(const clang::Stmt &Loop);

  /// \p Loop, as one that the device may go around by itself; nothing where it
  /// cannot be written so.
  std::optional<launch_region::LaunchRegion>
  readLoopOf(const clang::Stmt &Loop);

  /// \p Loop, as one whose waits come later; nothing where the host could tell.
  std::optional<launch_region::LaunchRegion>
  waitingLoopOf(const clang::Stmt &Loop);

  /// launch-replay makes \p Loop, alone, launches of a graph.
  bool isWhole(const clang::Stmt &Loop);

  /// launch-replay makes \p Loop, alone, launches whose waits come later,
  /// although it asks for errors.
  bool asksForErrors(const clang::Stmt &Loop);

  /// The kernels of \p Region that are to wait for the grid before: their
  /// launches may start while that comes to its end.
  std::vector<const clang::FunctionDecl *>
  waitingKernels(const launch_region::LaunchRegion &Region);

  /// Includes the runtime where \p Waiting kernels of a loop in \p Function
  /// stand in other files.
  void include(const clang::FunctionDecl &Function,
               llvm::ArrayRef<const clang::FunctionDecl *> Waiting,
               Finding &F) const;

  /// By launch: the object that makes it.
  using Objects = std::map<const clang::CUDAKernelCallExpr *, std::string>;

  /// Makes the launches of \p Region calls of \p By, where \p Waiting kernels
  /// wait, and its transfers and waits those of \p Object.
  void write(const launch_region::LaunchRegion &Region, llvm::StringRef Object,
             const Objects &By,
             llvm::ArrayRef<const clang::FunctionDecl *> Waiting,
             Finding &F) const;

private:
  bool canBeWritten(const launch_region::LaunchRegion &Region);
  static bool isOf(const launch_region::LaunchRegion &R,
                   const clang::Stmt &Loop);
  /// Of those that launch-replay finds.
  std::optional<launch_region::LaunchRegion>
  findLoop(const clang::Stmt &Loop,
           llvm::function_ref<bool(const launch_region::LaunchRegion &)> Is);
  llvm::ArrayRef<launch_region::LaunchRegion> ofReplay();

  const PassView &Host;
  std::vector<launch_region::LaunchRegion> Regions;
  /// Those that launch-replay finds, once they are asked for.
  std::optional<std::vector<launch_region::LaunchRegion>> OfReplay;
  launch_region::LaunchCalls Calls;
  const clang::SourceManager &SM;
  const RuntimeHeader Header;
  /// Only where launches are to overlap.
  std::optional<launch_overlap::WaitingKernels> Kernels;
};

} // namespace barricade::grid_barrier

#endif
