// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is a copy of one of the loop's variables declared, and what is known of
// its value: has it one, and does anybody ask for it.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_VARIABLES_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_VARIABLES_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// \p Var is of the loop itself, where a kernel takes that over.
bool isOwn(const Plan &P, const clang::VarDecl &Var);

/// The type for a copy of \p Var, as the source calls it.
clang::QualType writtenType(const Plan &P, const clang::VarDecl &Var);

/// What declares \p Name, which may be empty, with \p Type.
std::string declaration(const Plan &P, clang::QualType Type, std::string Name);

/// The declaration of a copy of \p Var, under \p Name or without: a kernel's
/// parameter cannot be an array.
std::string copyOf(const Plan &P, const clang::VarDecl &Var, std::string Name);

/// The same without a name.
std::string typeText(const Plan &P, const clang::VarDecl &Var);

/// What the loop begins with, where a kernel takes it over.
NameSet namesOfInit(const Plan &P);

/// What the device does not evaluate.
NameSet namesLeftToHost(const Plan &P);

/// Nothing asks for the value of \p Var in the loop without the names of \p
/// Left, and it has no constructor that might do more.
bool isOnlySet(const Plan &P, const clang::VarDecl &Var, const NameSet &Left);

/// The same of a part of the loop that leaves no results.
bool isOnlySetIn(const Plan &P, const clang::VarDecl &Var, const NameSet &Left);

/// \p Var has no value when the kernel begins, or none that the kernel asks
/// for.
bool isUnset(const Plan &P, const clang::VarDecl &Var);

/// A compiler may think that the kernel asks for the value that \p Var does
/// not have when that begins.
bool maySeemAsked(const Plan &P, const clang::VarDecl &Var);

} // namespace barricade::grid_barrier::persistent

#endif
