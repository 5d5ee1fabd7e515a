// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What are the variables called that come into being.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_NAMES_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_NAMES_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// All names that the kernel's and the launch's text share.
void chooseNames(Plan &P);

/// Of two parameters none may be called like the other's type.
void checkNames(const Plan &P);

/// A name that the loop does not use.
std::string localName(const Plan &P, const std::string &Base);

} // namespace barricade::grid_barrier::persistent

#endif
