// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a loop that every form of the rewriting asks for.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPTEXT_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPTEXT_H

#include "matchers/Finding.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class Stmt;
} // namespace clang

namespace barricade {
class SourceText;
}

namespace barricade::artificial_barrier {

/// Where \p Loop begins, or the first `#pragma unroll` or the like that belongs
/// to it. Invalid where something else gives it attributes, or where a
/// condition of the preprocessor stands between.
clang::SourceLocation beginWithPragmas(const clang::Stmt &Loop,
                                       const SourceText &Source,
                                       clang::ASTContext &Context);

/// Puts \p Declaration before \p Loop and its pragmas, which must have a valid
/// beginning; on a line of its own if they begin one.
Edit declareBefore(const clang::Stmt &Loop, const std::string &Declaration,
                   const SourceText &Source, clang::ASTContext &Context);

/// Where the body of \p Loop may get an opening brace: behind `)` or `do`.
/// Invalid where a macro spells it.
clang::SourceLocation headerEnd(const clang::Stmt &Loop,
                                const SourceText &Source);

/// Where code follows \p Loop on its last line, it begins a new one: behind
/// what the loop becomes it would look like a part of its body
/// (-Wmisleading-indentation).
void breakLineBehind(const clang::Stmt &Loop, const SourceText &Source,
                     std::vector<Edit> &Edits);

/// \p E, as written, is of a type that the user may give operators: a class or
/// an enumeration. As an operand it may mean something else than as a condition
/// or as a statement.
bool mayHaveOperators(const clang::Expr &E);

/// What goes before a condition that becomes an operand or the value of a bool,
/// with `)` behind it.
llvm::StringRef openCondition(const clang::Expr &Condition);

} // namespace barricade::artificial_barrier

#endif
