// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/ApplyEdits.h"
#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using namespace clang::tooling;

namespace barricade {

/// \p F as a diagnostic, with its edits as the fix where \p WithFix.
static Diagnostic diagnostic(const Finding &F, bool WithFix) {
  Diagnostic D(diagnosticName(F.Rule), Diagnostic::Warning, workingDirectory());
  D.Message = DiagnosticMessage(F.Message);
  D.Message.FilePath = F.Where.File;
  D.Message.FileOffset = F.Where.Offset;
  if (!WithFix)
    return D;
  // Sets of replacements know no order among those that begin at one place.
  for (const Edit &E : oneEditPerPlace(F.Edits)) {
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
        Unit.Diagnostics.push_back(
            diagnostic(F, !sameChangeBefore(F, R.Findings)));
    yaml::Output Yaml(OS);
    Yaml << Unit;
  }
};
} // namespace

std::unique_ptr<Output> makeFixesOutput() {
  return std::make_unique<FixesOutput>();
}

} // namespace barricade
