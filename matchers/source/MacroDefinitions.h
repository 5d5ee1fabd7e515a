// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What macros stand for, by all definitions that this build has seen.

#ifndef BARRICADE_MATCHERS_SOURCE_MACRODEFINITIONS_H
#define BARRICADE_MATCHERS_SOURCE_MACRODEFINITIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class IdentifierInfo;
class MacroInfo;
class Preprocessor;
} // namespace clang

namespace barricade {

/// Calls \p Visit for each definition that \p Name has had as a macro.
void forEachDefinition(
    const clang::IdentifierInfo &Name, clang::Preprocessor &PP,
    llvm::function_ref<void(const clang::MacroInfo &)> Visit);

/// What \p Macro puts together may be any name.
bool pastes(const clang::MacroInfo &Macro);

} // namespace barricade

#endif
