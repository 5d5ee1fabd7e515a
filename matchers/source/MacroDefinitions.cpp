// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/MacroDefinitions.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {

void forEachDefinition(const IdentifierInfo &Name, Preprocessor &PP,
                       llvm::function_ref<void(const MacroInfo &)> Visit) {
  const MacroDirective *Last = PP.getLocalMacroDirectiveHistory(&Name);
  // Of what is precompiled there is no history.
  if (const MacroInfo *Only = Last ? nullptr : PP.getMacroInfo(&Name))
    Visit(*Only);
  for (const MacroDirective *Each = Last; Each; Each = Each->getPrevious())
    if (const auto *Definition = dyn_cast<DefMacroDirective>(Each))
      Visit(*Definition->getInfo());
}

bool pastes(const MacroInfo &Macro) {
  return llvm::any_of(Macro.tokens(),
                      [](const Token &T) { return T.is(tok::hashhash); });
}

} // namespace barricade
