// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps of other builds, over what would be declared before a statement:
//
//   #ifdef CHECKED
//     if (n < 0)
//       goto out;
//   #endif
//
// Macros may spell them, and files that are included.

#ifndef BARRICADE_MATCHERS_SOURCE_OTHERJUMPS_H
#define BARRICADE_MATCHERS_SOURCE_OTHERJUMPS_H

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade {

/// In another build, \p Function, of which \p S is a statement, may jump past
/// what is declared before \p S.
bool mayJumpPast(const clang::Stmt &S, const clang::FunctionDecl &Function,
                 clang::ASTContext &Context);

} // namespace barricade

#endif
