// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How wide the barriers between the steps of a persistent kernel must be.
//
//   for (unsigned j = k / 2; j > 0; j /= 2)
//     exchange<<<n / 256, 256>>>(data, j);   // data[i] and data[i ^ j]
//
// A step is confined if each element that it touches, of all memory that
// confined steps write, belongs to the block that touches it: by one rule for
// each array, the same in all steps and iterations. That may depend on the
// step's arguments (here: j is below blockDim.x, a power of two), which are the
// same for all threads of the grid.
//
// Between two steps that follow each other and are both confined
// __syncthreads() is enough; in all other places the grid must meet. For take
// two accesses to the same bytes, one of them a write, by different blocks, in
// steps p < q. If there were only block barriers between them, then p, q and
// all between them would be confined, so both accesses would be made by the
// block that the bytes belong to. So there is a grid barrier between, which
// orders them. Two accesses by one block are ordered by either barrier.
//
// Others may run meanwhile, on the host or the device, that go by what a step
// shows them: step p writes x[e] in block B; step q > p, in block A, has a
// fence and sets a flag, from which they know that all of step p is done.
// Nothing orders B's write before A's fence but a grid barrier between. And the
// other way round: what a step sees of them is known to other blocks of a later
// step by a grid barrier only. So a step that holds a fence, an atomic or a
// volatile access to what is not its block's alone, or assembly, is not
// confined: all that comes before has a grid barrier before it, and all that
// comes behind has one behind it. Without one of these the accesses of those
// others conflict with plain ones at the same time, which is a data race.
//
// Whatever is not understood is not confined.

#ifndef BARRICADE_MATCHERS_DEPENDENCE_STEPSCOPES_H
#define BARRICADE_MATCHERS_DEPENDENCE_STEPSCOPES_H

#include "matchers/Finding.h"
#include "matchers/dependence/Scope.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include <string>
#include <utility>
#include <vector>

namespace barricade::dependence {

/// What a step needs of the barriers before and behind it.
struct StepScope {
  /// Block: it is confined where all of Distances are below the block's size,
  /// and that is a power of two, and no loop wraps that goes up to one of
  /// Limits. Grid: it never is.
  Scope Needs = Scope::Grid;
  /// Arguments of the launch, each once.
  std::vector<const clang::Expr *> Distances, Limits;

  bool isAlwaysConfined() const {
    return Needs < Scope::Grid && Distances.empty() && Limits.empty();
  }
  std::string Why;
  /// The access that decides, in some pass; no file where it is none.
  Place Because;
};

/// Two pointers that the loop begins with, of which one must be known not to
/// lead into what the blocks of the grid own of the other.
struct PointerPair {
  const clang::VarDecl *First, *Second;
  /// They may also be equal.
  bool MayBeEqual;
};

struct LoopScopes {
  /// Some barrier may be narrower than the grid.
  bool Narrows = false;
  std::vector<StepScope> Steps; ///< By launch.
  /// What must hold for any step to be confined, besides that the grid has one
  /// dimension.
  std::vector<PointerPair> Apart;
};

/// Finds the scopes for \p L, a loop without blockers; \p StepsOf as for
/// readRelaunchLoop.
LoopScopes planScopes(const grid_barrier::RelaunchLoop &L,
                      grid_barrier::StepsOfKernel StepsOf,
                      clang::ASTContext &Host);

} // namespace barricade::dependence

#endif
