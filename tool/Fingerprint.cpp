// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Fingerprint.h"
#include "tool/Paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MD5.h"

using namespace llvm;

namespace barricade {

/// The first line of the finding's statement without blanks.
static std::string headOf(const Finding &F, const SourceTexts &Texts) {
  const std::string *Text = Texts.find(F.Where.File);
  if (!Text || F.Where.Offset > Text->size())
    return {};
  StringRef Line =
      StringRef(*Text).substr(F.Where.Offset).take_until([](char C) {
        return C == '\n';
      });
  std::string Head;
  copy_if(Line, std::back_inserter(Head), [](char C) { return !isSpace(C); });
  return Head;
}

void addFingerprints(Report &R, StringRef ProjectRoot) {
  const std::string NamedRoot =
      ProjectRoot.empty() ? "" : canonicalPath(ProjectRoot);
  StringMap<std::string> PathInProject;
  auto pathOf = [&](StringRef File) -> StringRef {
    auto [It, Inserted] = PathInProject.try_emplace(File);
    if (Inserted) {
      StringRef Below =
          pathBelow(File, NamedRoot.empty() ? projectRoot(File) : NamedRoot);
      It->second = (Below.empty() ? File : Below).str();
    }
    return It->second;
  };

  StringMap<unsigned> Seen;
  for (const Finding &F : R.Findings) {
    // No part holds a NUL, so that no two lists of parts read the same.
    std::string Key = F.Rule;
    for (StringRef Part : {pathOf(F.Where.File), StringRef(F.Function)})
      (Key += '\0') += Part;
    (Key += '\0') += headOf(F, R.Texts);
    (Key += '\0') += std::to_string(Seen[Key]++);
    R.Fingerprints[F.key()] =
        MD5::hash(arrayRefFromStringRef(Key)).digest().str();
  }
}

} // namespace barricade
