// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a text that compilers do not look into, of inline assembly above all,
// may call by the name that the linker knows it by:
//
//   asm("call.uni total, (x);");
//   asm("call.uni total_%1, (x);" : : "r"(x), "n"(1));

#ifndef BARRICADE_MATCHERS_SOURCE_SYMBOLNAMES_H
#define BARRICADE_MATCHERS_SOURCE_SYMBOLNAMES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace barricade {

/// Calls \p Visit for what may be names in \p Text, of assembly. \p GoesOn: an
/// operand is a part of the name, and only what stands before it is known.
void forEachSymbolIn(
    llvm::StringRef Text,
    llvm::function_ref<void(llvm::StringRef Word, bool GoesOn)> Visit);

/// The linker may call \p Function \p Word, or, if that \p GoesOn, something
/// that begins so. Compilers mangle the names of static functions in ways of
/// their own, so that any such name counts that has the function's in it.
bool mayBeSymbolOf(const clang::FunctionDecl &Function, llvm::StringRef Word,
                   bool GoesOn);

} // namespace barricade

#endif
