// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which types may be written out: a name or a macro may stand for another type
// in another build.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_SPELLEDTYPES_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_SPELLEDTYPES_H

#include "clang/AST/Type.h"

namespace clang {
class ASTContext;
class VarDecl;
} // namespace clang

namespace barricade::artificial_barrier {

/// What \p Var, declared with `auto`, was deduced to be, if that is a number or
/// a pointer to one whose type no other name and no macro stands for; otherwise
/// null.
clang::QualType plainDeducedType(const clang::VarDecl &Var,
                                 clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif
