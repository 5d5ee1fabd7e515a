// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of which copies may be made elsewhere than where the program makes
// them.

#ifndef BARRICADE_MATCHERS_FACTS_COPIES_H
#define BARRICADE_MATCHERS_FACTS_COPIES_H

namespace clang {
class ASTContext;
class CXXRecordDecl;
class QualType;
} // namespace clang

namespace barricade::facts {

/// Copies of \p Type are its bytes, and can be made by whoever has it, const or
/// not, as the runtime's header and new kernels have: no friend is needed.
bool isCopiedByAnyone(clang::QualType Type, const clang::ASTContext &Context);

/// The same where the text of a copy is written elsewhere: what is copied may
/// have been const, and is not there, and no template is chosen for it then.
bool isCopiedAnywhere(clang::QualType Type, const clang::ASTContext &Context);

/// `a = b` may mean something else where b is const, or is not: a template may
/// stand in for \p Class's own assignment.
bool hasAssignmentTemplate(const clang::CXXRecordDecl &Class);

} // namespace barricade::facts

#endif
