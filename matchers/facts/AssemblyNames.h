// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the assembly of a program may call: names in texts that no tree shows.

#ifndef BARRICADE_MATCHERS_FACTS_ASSEMBLYNAMES_H
#define BARRICADE_MATCHERS_FACTS_ASSEMBLYNAMES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace barricade::facts {

/// Calls \p Visit for what may be names in the assembly that a GPU may run, and
/// beside functions. \p GoesOn: matchers/source/SymbolNames.h.
void forEachNameInAssembly(
    clang::ASTContext &Context,
    llvm::function_ref<void(llvm::StringRef Word, bool GoesOn,
                            clang::SourceLocation Where)>
        Visit);

/// Where assembly of the unit may name \p Function; invalid: nowhere.
clang::SourceLocation placeInAssembly(const clang::FunctionDecl &Function);

} // namespace barricade::facts

#endif
