// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether all calls of a device function are seen: in this pass, in what its
// compilation leaves out, in assembly, and in other units.

#ifndef BARRICADE_MATCHERS_FACTS_KNOWNCALLERS_H
#define BARRICADE_MATCHERS_FACTS_KNOWNCALLERS_H

#include "matchers/Finding.h"
#include "matchers/facts/DeviceFunctions.h"
#include <vector>

namespace barricade {

struct Program;

/// hasSeenCallersOnly(), and nobody else in \p Whole calls \p Function or any
/// that calls it. \p Code: of a pass of \p Whole's, \p Function's. What is
/// known of others is appended to \p Others.
bool hasKnownCallersOnly(const clang::FunctionDecl &Function,
                         const UserCode &Code, const Program &Whole,
                         std::vector<Note> &Others);

} // namespace barricade

#endif
