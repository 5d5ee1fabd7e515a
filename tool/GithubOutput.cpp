// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GitHub's documentation, "Workflow commands for GitHub Actions": `error`,
// `warning` and `notice`.

#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace barricade {
namespace {

/// \p Special is what would end the text.
std::string escaped(StringRef Text, StringRef Special) {
  std::string Result;
  for (unsigned char C : json::fixUTF8(Text))
    if (C == '%' || C == '\r' || C == '\n' || Special.contains(C))
      Result += "%" + utohexstr(C, /*LowerCase=*/false, /*Width=*/2);
    else
      Result += C;
  return Result;
}

std::string property(StringRef Text) { return escaped(Text, ":,"); }

StringRef commandOf(Tone Told) {
  switch (Told) {
  case Tone::Error:
    return "error";
  case Tone::Warning:
    return "warning";
  case Tone::Remark:
  case Tone::Silent:
    return "notice";
  }
  llvm_unreachable("unknown tone");
}

class GithubOutput : public Output {
public:
  explicit GithubOutput(std::string ProjectRoot)
      : ProjectRoot(std::move(ProjectRoot)) {}

  void print(const Report &R, raw_ostream &OS) const override {
    const std::string Root = rootOf(R, ProjectRoot);
    for (const Finding &F : R.Findings)
      if (tone(F) != Tone::Silent)
        print(F, Root, OS);
  }

private:
  static void print(const Finding &F, StringRef Root, raw_ostream &OS) {
    OS << "::" << commandOf(tone(F))
       << " file=" << property(pathFrom(F.Where.File, Root))
       << ",line=" << F.Where.Line << ",col=" << F.Where.Column
       << ",title=" << property(diagnosticName(F.Rule))
       << "::" << escaped(textWithReasons(F), "") << '\n';
  }

  std::string ProjectRoot;
};

} // namespace

std::unique_ptr<Output> makeGithubOutput(std::string ProjectRoot) {
  return std::make_unique<GithubOutput>(std::move(ProjectRoot));
}

} // namespace barricade
