// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Report.h"
#include "tool/ApplyEdits.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

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

void putFaultsFirst(Report &R) {
  std::ranges::stable_partition(R.Findings, [](const Finding &F) {
    return standing(F) == Standing::Fault;
  });
}

const Finding *sameChangeBefore(const Finding &F, ArrayRef<Finding> Findings) {
  if (F.Companions.empty())
    return nullptr;
  const auto Before = make_range(Findings.data(), &F);
  const auto Same = find_if(Before, [&](const Finding &Other) {
    return Other.Rule == F.Rule && standing(Other) == Standing::Applies &&
           Other.Edits == F.Edits;
  });
  return Same == Before.end() ? nullptr : &*Same;
}

std::map<std::string, std::vector<AskedEdits>>
askedEdits(ArrayRef<Finding> Findings) {
  std::map<std::string, std::vector<AskedEdits>> Result;
  // Where in its file's vector the edits at a place are.
  std::map<std::pair<StringRef, unsigned>, SmallVector<size_t, 2>> ByPlace;
  for (const auto &[FindingAt, F] : enumerate(Findings)) {
    if (standing(F) != Standing::Applies || sameChangeBefore(F, Findings))
      continue;
    for (const auto &[EditAt, E] : enumerate(F.Edits)) {
      std::vector<AskedEdits> &OfFile = Result[E.File];
      SmallVector<size_t, 2> &Here = ByPlace[{E.File, E.Offset}];
      const auto Known = find_if(Here, [&](size_t Index) {
        const AskedEdit &Old = OfFile[Index].front();
        return isShared(Findings[Old.Finding].Edits[Old.Edit], E);
      });
      if (Known != Here.end()) {
        OfFile[*Known].push_back({FindingAt, EditAt});
        continue;
      }
      Here.push_back(OfFile.size());
      OfFile.push_back({{FindingAt, EditAt}});
    }
  }
  return Result;
}

EditsByFile editsToApply(ArrayRef<Finding> Findings) {
  EditsByFile Result;
  for (const auto &[File, OfFile] : askedEdits(Findings))
    for (const AskedEdits &Each : OfFile)
      Result[File].push_back(
          Findings[Each.front().Finding].Edits[Each.front().Edit]);
  return Result;
}

} // namespace barricade
