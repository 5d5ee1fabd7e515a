// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a pass the user wrote, and which names it has. A server reads system
// headers precompiled: asking for all declarations would read them back in, and
// the table of identifiers has those only that were needed so far. Whoever asks
// here gets the same answers there and in the command.

#ifndef BARRICADE_MATCHERS_SOURCE_USERDECLARATIONS_H
#define BARRICADE_MATCHERS_SOURCE_USERDECLARATIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class IdentifierInfo;
class IdentifierTable;
} // namespace clang

namespace barricade {

/// The top-level declarations with a place in the source that \p Is, in its
/// order.
std::vector<const clang::Decl *>
topLevelDeclarations(const clang::ASTContext &Context,
                     llvm::function_ref<bool(const clang::Decl &)> Is);

/// Those outside of system headers.
std::vector<const clang::Decl *>
userDeclarations(const clang::ASTContext &Context);

/// What is called \p Name in what \p All knows, precompiled parts included;
/// null: nothing. Unlike IdentifierTable::get() this makes no name of it.
const clang::IdentifierInfo *knownIdentifier(llvm::StringRef Name,
                                             const clang::IdentifierTable &All);

/// Whether anything in the translation unit is called \p Name, macros included,
/// or what another build of it may have.
bool isNameTaken(llvm::StringRef Name, const clang::ASTContext &Context);

} // namespace barricade

#endif
