// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/TemplateText.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::grid_barrier {

std::optional<TemplateText> templateText(const FunctionTemplateDecl &Template,
                                         const SourceText &Source) {
  const TemplateParameterList &Parameters = *Template.getTemplateParameters();
  const SourceLocation Begin = Template.getBeginLoc(),
                       End = Parameters.getRAngleLoc();
  const auto HasName = [](const NamedDecl *P) {
    return !P->isImplicit() && P->getIdentifier() && !P->isParameterPack();
  };
  // What a requires clause behind them demands is met by all that is
  // instantiated, and by what that calls.
  if (!llvm::all_of(Parameters, HasName) || !SourceText::isWritable(Begin) ||
      !SourceText::isWritable(End))
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 4> Names;
  for (const NamedDecl *P : Parameters)
    Names.push_back(P->getName());
  return TemplateText{Source.text(Begin, End).str() +
                          Source.lineEnding(Begin).str() +
                          Source.indentation(Begin).str(),
                      "<" + llvm::join(Names, ", ") + ">"};
}

} // namespace barricade::grid_barrier
