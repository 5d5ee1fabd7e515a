// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/RewrittenText.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace barricade {

RewrittenFile::RewrittenFile(StringRef Old, ArrayRef<OwnedEdit> Edits) {
  unsigned Copied = 0;
  auto Keep = [&](unsigned End) {
    if (End > Copied)
      Parts.push_back({unsigned(New.size()), Copied, {}});
    New += Old.slice(Copied, End);
  };
  for (const OwnedEdit &E : Edits) {
    Keep(E.Offset);
    // What was only removed leaves its trace, too, for who looks near.
    Parts.push_back({unsigned(New.size()), std::nullopt, E.By});
    New += E.Text;
    Copied = E.Offset + E.Length;
  }
  Keep(Old.size());
  if (Parts.empty())
    Parts.push_back({0, 0, {}});

  Lines.push_back(0);
  for (const auto &[Offset, Char] : enumerate(New))
    if (Char == '\n')
      Lines.push_back(Offset + 1);
}

unsigned RewrittenFile::offsetOf(unsigned Line, unsigned Column) const {
  if (Line == 0 || Line > Lines.size())
    return New.size();
  return std::min<unsigned>(Lines[Line - 1] + std::max(Column, 1u) - 1,
                            New.size());
}

std::pair<unsigned, unsigned>
RewrittenFile::lineAndColumn(unsigned Offset) const {
  const auto Next = upper_bound(Lines, Offset);
  return {Next - Lines.begin(), Offset - *std::prev(Next) + 1};
}

const RewrittenFile::Part &RewrittenFile::partAt(unsigned Offset) const {
  return *std::prev(upper_bound(
      Parts, Offset, [](unsigned O, const Part &P) { return O < P.Begin; }));
}

ArrayRef<size_t> RewrittenFile::ownersAt(unsigned Offset) const {
  return partAt(Offset).By;
}

ArrayRef<size_t> RewrittenFile::ownersNear(unsigned Offset) const {
  const Part *Best = nullptr;
  unsigned BestDistance = 0;
  for (const auto &[At, P] : enumerate(Parts)) {
    if (P.By.empty())
      continue;
    const unsigned End =
        At + 1 < Parts.size() ? Parts[At + 1].Begin : New.size();
    const unsigned Distance = Offset < P.Begin ? P.Begin - Offset
                              : Offset >= End  ? Offset - End
                                               : 0;
    if (!Best || Distance < BestDistance) {
      Best = &P;
      BestDistance = Distance;
    }
  }
  return Best ? ArrayRef<size_t>(Best->By) : ArrayRef<size_t>();
}

std::optional<unsigned> RewrittenFile::oldOffset(unsigned Offset) const {
  const Part &P = partAt(Offset);
  if (!P.Old)
    return std::nullopt;
  return *P.Old + (Offset - P.Begin);
}

} // namespace barricade
