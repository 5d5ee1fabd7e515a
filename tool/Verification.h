// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second line of defence. Rules prove their rewrites on the program as it
// was; here the program is looked at as it would be, with the edits of all
// rules in all files, before anything is printed or written. It must
//
//   compile       in every translation unit of the run that has a changed file,
//                 host pass and device passes, without new warnings where the
//                 build treats warnings as errors;
//   synchronise   each block barrier is met by all threads of a block, and no
//                 read-only load is of memory that its launch writes: judged on
//                 the device's IR (verify/), not on the source;
//   do its work   no kernel loses a part of what it writes (verify/);
//   be stable     a rule finds nothing to do in what it wrote itself.
//
// What fails is taken back, with the reason `not-verified`: a fault of ours.

#ifndef BARRICADE_TOOL_VERIFICATION_H
#define BARRICADE_TOOL_VERIFICATION_H

#include "tool/Analyze.h"
#include "tool/Report.h"
#include "verify/KeptWork.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <vector>

namespace barricade {

/// What the units of each file do: one for each of its commands, in order.
class WorkByFile {
public:
  WorkByFile();
  ~WorkByFile();
  /// Lets \p Analysis, which this must outlive, note it.
  void observe(AnalysisOptions &Analysis);
  /// Null where the file was not read, as when a cache knew the result.
  const std::vector<UnitWork> *find(llvm::StringRef Name) const;

private:
  struct State;
  std::unique_ptr<State> S;
};

/// Holds back the findings of \p R whose edits do not pass. \p Files are those
/// that were analysed by \p Analysis, in the order of R.Files. \p Before is
/// what they did, as far as that is known already.
void verifyRewrites(Report &R, llvm::ArrayRef<InputFile> Files,
                    const CommandSource &Commands,
                    const AnalysisOptions &Analysis, const WorkByFile &Before);

} // namespace barricade

#endif
