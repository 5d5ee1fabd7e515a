// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that may do anything once all that an object holds back is made:
//
//   if (step % 100 == 0)
//     save(step);
//
// becomes
//
//   if (step % 100 == 0) {
//     replay.flush();
//     save(step);
//   }

#ifndef BARRICADE_REWRITERS_LAUNCHREPLAY_PAUSES_H
#define BARRICADE_REWRITERS_LAUNCHREPLAY_PAUSES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CompoundStmt;
class Stmt;
} // namespace clang

namespace barricade {
class SourceText;
struct Edit;
} // namespace barricade

namespace barricade::launch_replay {

/// Puts \p Flush, which has an object make all that it holds back, where
/// \p Branch, of an `if`, begins; each of its lines there is indented. False
/// where macros are in the way.
bool writeFlush(const clang::Stmt &Branch, llvm::StringRef Flush,
                clang::ASTContext &Context, const SourceText &Source,
                std::vector<Edit> &Edits);

/// Puts \p Statement before all others of \p Block, which has some, and whose
/// first brace is written.
void writeFirst(const clang::CompoundStmt &Block, const std::string &Statement,
                const SourceText &Source, std::vector<Edit> &Edits);

} // namespace barricade::launch_replay

#endif
