// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/Blocker.h"
#include "matchers/source/SourcePlaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {

Reason reasonFor(const Blocker &H, const SourceManager &SM) {
  Reason R{H.Why.Id.str(), placeOf(H.Where, SM), H.Why.Summary.str(), {}};
  for (const auto &[Where, Text] : H.Notes)
    R.Notes.push_back({placeOf(Where, SM), Text});
  llvm::append_range(R.Notes, H.NotesElsewhere);
  return R;
}

void addReason(const Blocker &H, const SourceManager &SM, Finding &F) {
  if (Reason R = reasonFor(H, SM); !llvm::is_contained(F.Reasons, R))
    F.Reasons.push_back(std::move(R));
}

void addReasons(llvm::ArrayRef<Blocker> Blockers, const SourceManager &SM,
                Finding &F) {
  for (const Blocker &H : Blockers)
    addReason(H, SM, F);
}

} // namespace barricade
