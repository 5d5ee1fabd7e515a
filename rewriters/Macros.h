// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What macros may stand for, which the tree does not show.

#ifndef BARRICADE_REWRITERS_MACROS_H
#define BARRICADE_REWRITERS_MACROS_H

#include "matchers/source/MacroDefinitions.h"
#include "rewriters/SourceText.h"

namespace clang {
class ASTContext;
class Preprocessor;
class SourceManager;
class Stmt;
} // namespace clang

namespace barricade {

/// Between \p Begin and \p End a macro is defined, or no longer defined, that
/// \p Text may stand for: behind them it may mean something else.
bool mayRedefine(llvm::StringRef Text, clang::SourceLocation Begin,
                 clang::SourceLocation End, const clang::SourceManager &SM,
                 clang::Preprocessor &PP);

/// The first place from \p Begin to \p End at which a name is another macro
/// than at \p Place, or one there only; invalid: all mean the same.
clang::SourceLocation firstRedefined(clang::SourceLocation Begin,
                                     clang::SourceLocation End,
                                     clang::SourceLocation Place,
                                     clang::ASTContext &Context,
                                     clang::Preprocessor &PP);

/// What stands before the declaration of \p Variable, so that compilers do not
/// warn, where \p Text, its scope, may not name it: MaybeUnused, or nothing.
llvm::StringRef unusedAttribute(llvm::StringRef Variable, llvm::StringRef Text,
                                clang::Preprocessor &PP);

/// A name in \p Text, which the program does not spell, is a macro of the
/// user's at \p Place.
bool spellsMacro(llvm::StringRef Text, clang::SourceLocation Place,
                 clang::Preprocessor &PP);

/// Between the statement before \p First and \p End stands a `_Pragma`, or a
/// macro that may stand for one: Clang leaves no trace of those that it does
/// not know, as OpenMP's.
bool mayMeetPragma(const clang::Stmt &First, clang::SourceLocation End,
                   const SourceText &Source, clang::ASTContext &Context,
                   clang::Preprocessor &PP);

} // namespace barricade

#endif
