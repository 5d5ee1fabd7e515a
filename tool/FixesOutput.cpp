// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using namespace clang::tooling;

namespace barricade {

/// One edit for each place: Clang's sets of replacements know no order among
/// those that begin at the same.
static std::vector<Edit> coalesce(std::vector<Edit> Edits) {
  stable_sort(Edits, [](const Edit &A, const Edit &B) {
    return std::tuple(A.File, A.Offset, A.Length != 0) <
           std::tuple(B.File, B.Offset, B.Length != 0);
  });
  std::vector<Edit> Result;
  for (Edit &E : Edits) {
    if (Result.empty() || Result.back().File != E.File ||
        Result.back().Offset != E.Offset) {
      Result.push_back(std::move(E));
      continue;
    }
    Result.back().Text += E.Text;
    Result.back().Length = E.Length;
  }
  return Result;
}

static Diagnostic diagnostic(const Finding &F) {
  Diagnostic D(diagnosticName(F.Rule), Diagnostic::Warning, workingDirectory());
  D.Message = DiagnosticMessage(F.Message);
  D.Message.FilePath = F.Where.File;
  D.Message.FileOffset = F.Where.Offset;
  for (const Edit &E : coalesce(F.Edits)) {
    Replacement New(E.File, E.Offset, E.Length, E.Text);
    // Findings whose edits overlap do not apply.
    cantFail(D.Message.Fix[E.File].add(New));
  }
  return D;
}

namespace {
class FixesOutput : public Output {
public:
  void print(const Report &R, raw_ostream &OS) const override {
    TranslationUnitDiagnostics Unit;
    if (R.Files.size() == 1)
      Unit.MainSourceFile = R.Files.front().Path;
    for (const Finding &F : R.Findings)
      if (standing(F) == Standing::Applies)
        Unit.Diagnostics.push_back(diagnostic(F));
    yaml::Output Yaml(OS);
    Yaml << Unit;
  }
};
} // namespace

std::unique_ptr<Output> makeFixesOutput() {
  return std::make_unique<FixesOutput>();
}

} // namespace barricade
