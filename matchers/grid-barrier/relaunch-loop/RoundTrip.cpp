// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host reads a number back and gives the device another one:
//
//   do {
//     cudaMemcpy(flag, &changed, sizeof(int), cudaMemcpyHostToDevice);
//     ...
//     cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
//   } while (changed);

#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/source/Statements.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

void findRoundTrip(LoopReading &L) {
  // By the device alone, in the order of the source.
  llvm::SmallVector<LoopAction *, 8> Accesses;
  for (LoopAction &A : L.Result.Actions)
    if (A.Kind == LoopAction::Launch || A.isCopy())
      Accesses.push_back(&A);
  // Nothing but the loop's end, or its next iteration, follows the last one,
  // and nothing can come before the first.
  const auto IsOfIteration = [&](const LoopAction &A) {
    return parentOf(*A.Statement, L.Context) == bodyOf(*L.Result.Loop);
  };
  if (Accesses.empty() || Accesses.front()->Kind != LoopAction::Upload ||
      !IsOfIteration(*Accesses.front()))
    return;
  for (LoopAction *A : llvm::reverse(Accesses)) {
    if (A->Kind != LoopAction::ReadBack || !IsOfIteration(*A))
      break;
    A->OfRoundTrip = Accesses.front()->OfRoundTrip = true;
  }
}

} // namespace barricade::grid_barrier::relaunch_loop
