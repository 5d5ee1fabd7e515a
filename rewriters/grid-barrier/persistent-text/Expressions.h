// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is an expression of the loop written in the kernel, and how before the
// loop, where its own variables are not known yet.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_EXPRESSIONS_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_EXPRESSIONS_H

#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// \p E as it is written.
std::string text(const Plan &P, const clang::Expr &E);

/// \p E as the device evaluates it.
std::string deviceText(const Plan &P, const clang::Expr &E);

/// Replaces the host's std::min and std::max from \p From to \p To in
/// \p Patch, whose text begins at \p Origin.
void renameExtrema(const Plan &P, clang::SourceLocation From,
                   clang::SourceLocation To, clang::SourceLocation Origin,
                   TextPatch &Patch);

/// \p Argument of a launch, for its step: a default is unknown to that.
std::string argumentText(const Plan &P, const clang::Expr &Argument);

/// \p E as the host evaluates it before the loop, whose own variables are
/// given by their values.
std::string outsideText(const Plan &P, const clang::Expr &E);

/// The same, or `0` where it is left out.
std::string textOr0(const Plan &P, const clang::Expr *E);

/// What must hold for the loop to run its body; empty where that is known, or
/// cannot be asked.
std::string entryCondition(const Plan &P);

/// \p E binds as tightly as a name.
bool isPrimary(const clang::Expr &E);

/// \p E is a list by commas, which an argument cannot be.
bool isComma(const clang::Expr &E);

} // namespace barricade::grid_barrier::persistent

#endif
