// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in a function's body that mean nothing, or something else, in front of
// the function: where a persistent kernel will stand.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_LOCALNAMES_H
#define BARRICADE_MATCHERS_GRIDBARRIER_LOCALNAMES_H

#include "clang/AST/Type.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace clang {
class Decl;
class DeclRefExpr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::grid_barrier {

/// A place of \p Part, of the body of \p Function, that names a type, a
/// constant or a namespace which only the function knows; invalid where there
/// is none. Variables of the function count within types, template arguments
/// and attributes only, but for the constants by which a kernel is named that
/// is launched (`localConstant`).
clang::SourceLocation findLocalName(const clang::Stmt &Part,
                                    const clang::FunctionDecl &Function);

/// The number that can stand elsewhere for the template argument \p I that
/// \p Kernel spells, if that is nothing but the name of a function's own
/// constant, the same in all builds.
std::optional<llvm::APSInt> localConstant(const clang::DeclRefExpr &Kernel,
                                          unsigned I);

/// \p D is private to a class, or within what is: only its friends may name it.
bool isHidden(const clang::Decl &D);

/// \p Type can be spelled in front of the functions that use it: it is neither
/// declared in a function, nor hidden, nor without a name.
bool isNamedOutside(clang::QualType Type);

/// The type of \p Var for a copy of it: by a name that holds outside of its
/// function, without qualifiers and references.
clang::QualType copyType(const clang::VarDecl &Var);
/// The macro by whose name copyType calls what \p Var, a pointer, leads to, if
/// any: that must mean the same where the type is written.
llvm::StringRef macroOfType(const clang::VarDecl &Var);
/// The same, however the source calls it.
clang::QualType canonicalCopyType(const clang::VarDecl &Var);

/// The type for a copy of \p Var, or its canonical one, is what stands for it
/// in this build only.
bool losesName(const clang::VarDecl &Var, bool IsCanonical);

/// A variable of that name would hide what code of a step needs.
bool hidesDeviceName(const clang::VarDecl &Var);

} // namespace barricade::grid_barrier

#endif
