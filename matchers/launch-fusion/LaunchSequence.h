// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule launch-fusion's pattern on the host: launches that follow each other
// in one block of statements and in one stream (papers: P5).
//
//   copyWords<<<blocks, 512>>>(old, c, words);
//   addShifted<<<blocks, 512>>>(c, b, shift, words);
//   copyWords<<<blocks, 512>>>(b, old, words);
//
// They may become one launch that stands where the last one does: what stands
// between them neither sees the GPU nor changes what the launches are given.

#ifndef BARRICADE_MATCHERS_LAUNCHFUSION_LAUNCHSEQUENCE_H
#define BARRICADE_MATCHERS_LAUNCHFUSION_LAUNCHSEQUENCE_H

#include "matchers/Program.h"
#include "matchers/host/Launch.h"
#include "matchers/launch-fusion/Reasons.h"
#include <vector>

namespace barricade::launch_fusion {

struct SequencedLaunch : host::Launch {
  const clang::Stmt *Statement = nullptr; ///< As it stands in the block.
  /// The statement holds more than the launch: others, or braces around it.
  bool IsWrapped = false;
};

/// At least two launches, in the order of the source. With blockers there are
/// exactly two, which cannot be brought together.
struct LaunchSequence {
  const clang::FunctionDecl *Function = nullptr;
  std::vector<SequencedLaunch> Launches;
  /// Nothing but comments stands between the launches.
  bool IsContiguous = true;
  /// All have the grid of the first.
  bool SameGrid = true;
  /// Dynamic shared memory of the launches that ask for some, or null.
  const clang::Expr *SharedBytes = nullptr;
  std::vector<Blocker> Blockers;
};

/// All sequences of the pass outside of system headers, in the order of the
/// source. Each launch is in one at most, refused ones aside.
std::vector<LaunchSequence> findLaunchSequences(const PassView &Host);

} // namespace barricade::launch_fusion

#endif
