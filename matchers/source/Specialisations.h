// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which templates a declaration rests on, and whether another build of the same
// sources may have a specialisation of one:
//
//   template <class T> struct Offset { static constexpr int Value = 0; };
//   #ifdef SHIFTED                     // left out of this build
//   template <> struct Offset<int> { static constexpr int Value = 1; };
//   #endif
//   x[i + Offset<int>::Value] = 0;

#ifndef BARRICADE_MATCHERS_SOURCE_SPECIALISATIONS_H
#define BARRICADE_MATCHERS_SOURCE_SPECIALISATIONS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class Decl;
class TemplateDecl;
} // namespace clang

namespace barricade {

/// Those that \p D is an instance of or a specialisation, or a member of one,
/// innermost first.
llvm::SmallVector<const clang::TemplateDecl *, 2>
templatesAround(const clang::Decl &D);

/// All of \p Template's specialisations that the unit has, partial ones and
/// implicit instances among them.
llvm::SmallVector<const clang::Decl *, 8>
specialisationsOf(const clang::TemplateDecl &Template);

/// Where \p User stands, another build may have a specialisation of a template
/// around \p D that this build leaves out. Declarations in files that it does
/// not include are not seen.
bool maySpecialiseElse(const clang::Decl &D, clang::SourceLocation User,
                       const clang::ASTContext &Context);

} // namespace barricade

#endif
