// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a number or a type now, and may be another one in another build of
// the same sources, where macros are set otherwise:
//
//   #ifndef BLOCK
//   #define BLOCK 256          // may differ, and so may what is made from it
//   #endif
//   #define TILE 16            // the same in all builds
//   constexpr int Half = TILE / 2;
//
// Numbers that a compiler or a library has a macro for may differ as well, as
// __cplusplus and CUDART_VERSION do.

#ifndef BARRICADE_MATCHERS_SOURCE_BUILDVARIANTS_H
#define BARRICADE_MATCHERS_SOURCE_BUILDVARIANTS_H

#include "matchers/facts/DeviceFunctions.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class ASTContext;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace barricade {

/// The value of \p E, which is known now, may be another one where \p User
/// stands. \p FixedArguments: those of the template that \p E is in, an
/// instance of it, may not.
bool valueMayDiffer(const clang::Expr &E, clang::SourceLocation User,
                    const clang::ASTContext &Context,
                    bool FixedArguments = false);

/// The extents of a grid or block that are known, and the same in all builds.
/// What is made from a number has no others, whatever that is.
Extents3 fixedExtents(const clang::Expr &E, clang::ASTContext &Context);

/// What stands in the place of \p E itself, other than names, may.
bool spellingMayDiffer(const clang::Expr &E, const clang::ASTContext &Context);

/// What a definition says may, its parameters' types included: other than what
/// the variables and functions are that it names.
bool codeMayDiffer(const clang::FunctionDecl &Function);

/// The type of \p E may.
bool typeMayDiffer(const clang::Expr &E, const clang::ASTContext &Context);

/// The type of \p Var may: \p AsNamed, where typedefs keep their names, or once
/// it is written by what those stand for.
bool typeMayDiffer(const clang::VarDecl &Var, bool AsNamed);

/// What the types that \p Function names, or that what it names has, stand for
/// or look like in memory may: those of its parameters and variables, of casts
/// and of `sizeof`. \p FixedArguments: those of the template that it is an
/// instance of may not.
bool typesMayDiffer(const clang::FunctionDecl &Function, bool FixedArguments);

/// The same of what \p E names.
bool typesMayDiffer(const clang::Expr &E, const clang::ASTContext &Context);

/// The template argument \p I of what \p Callee names, a function's instance,
/// may: that it spells, that is deduced from \p Call or the default.
bool templateArgumentMayDiffer(const clang::DeclRefExpr &Callee, unsigned I,
                               const clang::Expr &Call,
                               const clang::ASTContext &Context);

/// Some template argument may.
bool templateArgumentsMayDiffer(const clang::DeclRefExpr &Callee,
                                const clang::Expr &Call,
                                const clang::ASTContext &Context);

} // namespace barricade

#endif
