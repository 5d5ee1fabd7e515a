// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code under a condition that goes on behind it: with what follows there, in
// builds that have it.
//
//   #ifdef CHECKED
//     if (n > 64)
//   #endif
//     core<<<grid, block>>>(a, n);

#ifndef BARRICADE_MATCHERS_SOURCE_OPENENDS_H
#define BARRICADE_MATCHERS_SOURCE_OPENENDS_H

#include "clang/Basic/SourceLocation.h"
#include <utility>
#include <vector>

namespace barricade {

class SourceConditions;

/// Of \p File, by offsets: from where such code ends to the next token in each
/// build, both included. A statement that is put there would be all that the
/// code goes on with.
std::vector<std::pair<unsigned, unsigned>>
openEndsIn(clang::FileID File, const SourceConditions &Source,
           const clang::SourceManager &SM);

} // namespace barricade

#endif
