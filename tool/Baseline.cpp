// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Baseline.h"
#include "tool/Names.h"
#include "tool/Paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>

using namespace llvm;

namespace barricade {

static bool isFingerprint(StringRef Text) {
  return Text.size() == 32 &&
         all_of(Text, [](char C) { return isHexDigit(C); });
}

Expected<Baseline> Baseline::read(StringRef Path) {
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createStringError("cannot read '" + displayPath(Path) +
                             "': " + Text.getError().message());
  return parse(Path, (*Text)->getBuffer());
}

Expected<Baseline> Baseline::parse(StringRef Path, StringRef Text) {
  Baseline Result;
  Result.Path = canonicalPath(Path);
  unsigned Number = 0;
  for (StringRef Line : split(Text, '\n')) {
    ++Number;
    Line = Line.trim();
    if (Line.empty() || Line.starts_with("#"))
      continue;
    StringRef Fingerprint = Line.split(' ').first;
    if (!isFingerprint(Fingerprint))
      return createStringError("'" + displayPath(Path) + "', line " +
                               Twine(Number) +
                               ": this is no entry of a baseline");
    Result.Lines.try_emplace(Fingerprint, Number);
  }
  return Result;
}

void Baseline::suppress(Report &R) const {
  for (Finding &F : R.Findings)
    if (auto Known = Lines.find(R.fingerprint(F));
        Known != Lines.end() && !F.Silenced)
      F.Silenced = {Suppression::Kind::Comment, {Path, 0, Known->second, 1}};
}

std::string baselineText(const Report &R) {
  std::set<std::string> Lines;
  for (const Finding &F : R.Findings) {
    if (isInBaseline(F) || tone(F) != Tone::Silent)
      Lines.insert(R.fingerprint(F) + " " + diagnosticName(F.Rule) + " " +
                   displayPath(F.Where.File) + " " + F.Function + "\n");
  }
  return "# barricade --write-baseline: findings that are known\n" +
         join(Lines, "");
}

} // namespace barricade
