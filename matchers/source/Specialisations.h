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
class FunctionDecl;
class FunctionTemplateDecl;
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

/// The instances of \p Template that the unit has, with their bodies: explicit
/// specialisations are functions of their own.
llvm::SmallVector<const clang::FunctionDecl *, 4>
instancesOf(const clang::FunctionTemplateDecl &Template);

/// Another build may have other instances of \p Template: code that this one
/// may leave out names it, or a template that uses it. What types are in
/// another build is not asked.
bool mayInstantiateElse(const clang::FunctionTemplateDecl &Template);

/// Where \p User stands, another build may have a specialisation of a template
/// around \p D that this build leaves out. Declarations in files that it does
/// not include are not seen.
bool maySpecialiseElse(const clang::Decl &D, clang::SourceLocation User,
                       const clang::ASTContext &Context);

} // namespace barricade

#endif
