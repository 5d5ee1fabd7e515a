// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of which copies may be made elsewhere than where the program makes
// them.

#ifndef BARRICADE_MATCHERS_FACTS_COPIES_H
#define BARRICADE_MATCHERS_FACTS_COPIES_H

namespace clang {
class ASTContext;
class QualType;
} // namespace clang

namespace barricade::facts {

/// Copies of \p Type are its bytes, and can be made by whoever has it, as the
/// runtime's header and new kernels have: no friend is needed.
bool isCopiedByAnyone(clang::QualType Type, const clang::ASTContext &Context);

} // namespace barricade::facts

#endif
