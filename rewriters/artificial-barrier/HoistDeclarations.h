// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of declarations that move out of an `if`. It may not exist: a macro
// spells a part of it, the type cannot be written, or the name means something
// else there.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_HOISTDECLARATIONS_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_HOISTDECLARATIONS_H

#include "matchers/Finding.h"
#include "clang/Basic/SourceLocation.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace barricade::artificial_barrier {

struct GuardedRun;

struct HoistedText {
  /// Declarations to write before the `if`, a line each.
  std::vector<std::string> Lines;
  /// Turn the declarations that were hoisted into assignments.
  std::vector<Edit> Edits;
  /// A declaration whose text cannot be moved. Invalid: there is none.
  clang::SourceLocation Obstacle;
};

/// The declarations that \p Run in the body of \p Function hoists.
HoistedText hoistDeclarations(const GuardedRun &Run,
                              const clang::FunctionDecl &Function,
                              clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif
