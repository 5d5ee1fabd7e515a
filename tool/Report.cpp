// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Report.h"
#include "tool/ApplyEdits.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace barricade {

void SourceTexts::add(StringRef Path, StringRef Text) {
  auto [It, Inserted] = Entries.try_emplace(Path.str());
  if (Inserted)
    It->second.Text = Text.str();
  else if (It->second.Text != Text)
    It->second.Changed = true;
}

void SourceTexts::merge(const SourceTexts &Other) {
  for (const auto &[Path, E] : Other.Entries) {
    add(Path, E.Text);
    Entries[Path].Changed |= E.Changed;
  }
}

const std::string *SourceTexts::find(StringRef Path) const {
  auto It = Entries.find(Path);
  return It == Entries.end() ? nullptr : &It->second.Text;
}

bool SourceTexts::changedDuringRun(StringRef Path) const {
  auto It = Entries.find(Path);
  return It != Entries.end() && It->second.Changed;
}

bool isMadeBefore(const Finding &F, ArrayRef<Finding> Findings) {
  return !F.Companions.empty() &&
         any_of(make_range(Findings.data(), &F), [&](const Finding &Other) {
           return Other.Rule == F.Rule &&
                  standing(Other) == Standing::Applies &&
                  Other.Edits == F.Edits;
         });
}

EditsByFile editsToApply(ArrayRef<Finding> Findings) {
  EditsByFile Result;
  for (const Finding &F : Findings) {
    if (standing(F) != Standing::Applies || isMadeBefore(F, Findings))
      continue;
    for (const Edit &E : F.Edits) {
      std::vector<Edit> &Edits = Result[E.File];
      if (none_of(Edits, [&](const Edit &Old) { return isShared(Old, E); }))
        Edits.push_back(E);
    }
  }
  return Result;
}

} // namespace barricade
