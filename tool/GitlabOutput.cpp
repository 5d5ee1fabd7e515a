// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GitLab's documentation, "Code Quality report format".

#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"

using namespace llvm;

namespace barricade {
namespace {

StringRef severityOf(Tone Told) {
  switch (Told) {
  case Tone::Error:
    return "critical";
  case Tone::Warning:
    return "minor";
  case Tone::Remark:
  case Tone::Silent:
    return "info";
  }
  llvm_unreachable("unknown tone");
}

class GitlabOutput : public Output {
public:
  explicit GitlabOutput(std::string ProjectRoot)
      : ProjectRoot(std::move(ProjectRoot)) {}

  void print(const Report &R, raw_ostream &OS) const override {
    const std::string Root = rootOf(R, ProjectRoot);
    json::Array Issues;
    for (const Finding &F : R.Findings)
      if (tone(F) != Tone::Silent)
        Issues.push_back(issue(F, R.fingerprint(F), Root));
    OS << formatv("{0:2}\n", json::Value(std::move(Issues)));
  }

private:
  static json::Value issue(const Finding &F, StringRef Fingerprint,
                           StringRef Root) {
    return json::Object{
        {"description", json::fixUTF8(F.Message)},
        {"check_name", diagnosticName(F.Rule)},
        {"fingerprint", Fingerprint.str()},
        {"severity", severityOf(tone(F))},
        {"location",
         json::Object{{"path", json::fixUTF8(pathFrom(F.Where.File, Root))},
                      {"lines", json::Object{{"begin", F.Where.Line}}}}}};
  }

  std::string ProjectRoot;
};

} // namespace

std::unique_ptr<Output> makeGitlabOutput(std::string ProjectRoot) {
  return std::make_unique<GitlabOutput>(std::move(ProjectRoot));
}

} // namespace barricade
