// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the persistent kernel of a relaunch loop, and its launch in the loop,
// or in front of it; the loop stays, as the fallback. Decides nothing: the loop
// was read and its kernels are steps; what can fail here is the text alone.
//
// Before:
//   void solve(float *a, float *b, int n, int steps) {
//     for (int t = 0; t < steps; ++t) {
//       jacobi<<<(n + 255) / 256, 256>>>(a, b, n);
//       std::swap(a, b);
//     }
//     use(a);
//   }
//
// After:
//   /// The loop of solve() as one launch: a grid barrier for each launch.
//   static __global__ void solve_persistent(barricade::GridBarrier bar,
//                                           int t, int steps, float *a,
//                                           float *b, int n) {
//     for (; t < steps; ++t) {
//       jacobi_step(blockIdx, a, b, n);
//       __gpu_sync(bar);
//       barricade::swap(a, b);
//     }
//   }
//
//   void solve(float *a, float *b, int n, int steps) {
//     barricade::Takeover takeover(solve_persistent, (n + 255) / 256, 0);
//     for (int t = 0; t < steps; ++t) {
//       if (takeover.is_due(steps - t) &&
//           barricade::launch_persistent_exact(
//               solve_persistent, (n + 255) / 256, 256, 0, 0, t, steps, a, b,
//               n) == cudaSuccess) {
//         for (; t < steps; ++t) {
//           std::swap(a, b);
//         }
//         break;
//       }
//       jacobi<<<(n + 255) / 256, 256>>>(a, b, n);
//       std::swap(a, b);
//     }
//     use(a);
//   }
//
// A loop that cannot be taken over is run by the kernel from its start:
//
//     if (barricade::launch_persistent_exact(...) == cudaSuccess) {
//       (the loop without its launches)
//     } else {
//       (the loop as it was)
//     }
//
// Where some barriers need not be the grid's, they stand before the steps:
//
//     barricade::StepBarrier barrier(bar, gridDim);
//     for (; j > 0; j /= 2) {
//       barrier.before_step(barricade::is_distance_in_block(j));
//       exchange_step(blockIdx, data, j);
//     }
//
// Launches that an object makes may be steps of one launch there:
//
//     static __global__ void solve_stretch(const barricade::Stretch stretch);
//     ...
//     replayed.join(solve_stretch);
//     for (; j > 0; j /= 2)
//       replayed.if_confined(0, barricade::Distance(j))
//           .launch(exchange, n / 256, 256, 0, nullptr, data, j);

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_H

#include "matchers/dependence/StepScopes.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "rewriters/Rule.h"
#include "rewriters/grid-barrier/StepText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace barricade::grid_barrier {

/// When the kernel begins with the loop.
enum class Beginning {
  Counted,   ///< As it pays, by how many iterations are left, where that is
             ///< known; from the start where it cannot take the loop over.
  Uncounted, ///< The same, but not by what is left.
  FromStart, ///< From the start.
};

/// What the caller chooses.
struct PersistentNames {
  std::string Kernel;    ///< Of the persistent kernel.
  SyncStrategy Strategy; ///< Of the grid barrier.
  RuntimeHeader Header;
  /// The kernel may be launched with fewer blocks than the loop's launches,
  /// whatever the loop does.
  bool LogicalBlocks;
  Beginning Begins;
  /// The object whose launches the loop makes until the kernel takes it over,
  /// and its declaration; empty: they are launches.
  std::string Replay, ReplayDeclaration;
  /// What has it make all that it holds back, lines of one or more statements.
  std::string Flush;
  /// A graph that pays is as fast as a kernel that is no cluster.
  bool GraphIsAsFast = false;
  /// What is to stand first in each iteration that the kernel does not take
  /// over; empty: nothing, and the object is to make what it holds back behind
  /// the loop.
  std::string Next;
  /// The kernel for launches of that object which can be one, and whether it
  /// waits for the grid before, as theirs do; empty: there is none.
  std::string Stretch;
  bool StretchWaits = false;
  /// A name that the program does not have yet, made from the one given.
  llvm::function_ref<std::string(const std::string &)> Fresh;
};

struct PersistentText {
  std::vector<Edit> Edits;
  std::vector<Blocker> Blockers;
  /// The loop begins as it was, and goes on so where that is faster.
  bool TakesOver = false;
  /// The kernel may have fewer blocks than the loop's launches.
  bool MayClamp = false;
  /// The object that makes the loop's launches; empty: none does.
  std::string Replay;
  /// By launch, where one does: the object, with what has to hold.
  std::vector<std::string> Objects;
  /// Some of these launches may be made as one.
  bool HasStretches = false;
};

/// Gives the step of a launched kernel.
using StepTexts =
    llvm::function_ref<const StepText &(const clang::FunctionDecl &)>;

/// \p Scopes: how wide the barriers must be.
PersistentText writePersistent(const RelaunchLoop &L,
                               const dependence::LoopScopes &Scopes,
                               const PersistentNames &Names, StepTexts StepOf,
                               const PassView &Host);

/// The same for a loop that stays as it is, but for its launches: which an
/// object makes that \p Names has.
PersistentText writeStretched(const RelaunchLoop &L,
                              const dependence::LoopScopes &Scopes,
                              const PersistentNames &Names, StepTexts StepOf,
                              const PassView &Host);

} // namespace barricade::grid_barrier

#endif
