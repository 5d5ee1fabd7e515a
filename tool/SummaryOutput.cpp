// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "tool/Summary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace barricade {

Summary summarize(const Report &R) {
  Summary S;
  for (const FileReport &File : R.Files)
    ++S.Files[File.Outcome];
  for (const Finding &F : R.Findings) {
    ++S.Findings[standing(F)];
    StringSet<> Seen; // A finding counts once for each id.
    if (F.Silenced)
      continue;
    for (const Reason &Why : F.Reasons)
      if (Seen.insert(Why.Id).second)
        ++S.Reasons[Why.Id];
  }
  return S;
}

std::vector<std::pair<std::string, unsigned>> byFrequency(const Summary &S) {
  std::vector<std::pair<std::string, unsigned>> Reasons(S.Reasons.begin(),
                                                        S.Reasons.end());
  stable_sort(Reasons,
              [](const auto &A, const auto &B) { return A.second > B.second; });
  return Reasons;
}

static std::string plural(unsigned Count, StringRef One, StringRef Many) {
  return (Twine(Count) + " " + (Count == 1 ? One : Many)).str();
}

/// `3 divergent-loop, 1 unknown-call`, the most frequent first.
static std::string reasonList(const Summary &S) {
  return join(map_range(byFrequency(S),
                        [](const auto &Entry) {
                          return std::to_string(Entry.second) + " " +
                                 Entry.first;
                        }),
              ", ");
}

static std::string namesOfUnparsed(const Report &R) {
  constexpr size_t Most = 10;
  std::vector<std::string> Names;
  for (const FileReport &File : R.Files)
    if (File.Outcome == FileReport::State::NotParsed)
      Names.push_back(displayPath(File.Path));
  if (Names.size() <= Most)
    return join(Names, ", ");
  const std::string More = std::to_string(Names.size() - Most);
  Names.resize(Most);
  return join(Names, ", ") + " and " + More + " more";
}

namespace {
class SummaryOutput : public Output {
public:
  SummaryOutput(std::string Changed, bool Explained)
      : Changed(std::move(Changed)), Explained(Explained) {}

  void print(const Report &R, raw_ostream &OS) const override {
    const Summary S = summarize(R);
    std::vector<std::string> Parts;
    for (Standing Which :
         {Standing::Fault, Standing::Applies, Standing::HeldBack,
          Standing::Refused, Standing::NotProfitable, Standing::Suppressed})
      if (unsigned N = S.count(Which))
        Parts.push_back(std::to_string(N) + " " +
                        (Which == Standing::Applies
                             ? Changed
                             : standingWords(Which).str()));

    OS << plural(R.Findings.size(), "finding", "findings") << " in "
       << plural(R.Files.size(), "file", "files");
    if (!Parts.empty())
      OS << ": " << join(Parts, ", ");
    OS << '\n';
    if (!S.Reasons.empty())
      OS << "reasons: " << reasonList(S)
         << (Explained ? "" : " (--explain shows them)") << '\n';
    if (R.OutsideProject)
      OS << plural(R.OutsideProject, "finding", "findings")
         << " in headers outside of the project\n";
    if (unsigned N = S.count(FileReport::State::NotParsed))
      OS << plural(N, "file does", "files do")
         << " not parse: " << namesOfUnparsed(R) << '\n';
  }

private:
  std::string Changed;
  bool Explained;
};
} // namespace

std::unique_ptr<Output> makeSummaryOutput(std::string Changed, bool Explained) {
  return std::make_unique<SummaryOutput>(std::move(Changed), Explained);
}

} // namespace barricade
