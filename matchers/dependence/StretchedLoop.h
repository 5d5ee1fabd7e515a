// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that no kernel can run, since the host does in them what only it can,
// but of whose launches several may be made as one all the same.

#ifndef BARRICADE_MATCHERS_DEPENDENCE_STRETCHEDLOOP_H
#define BARRICADE_MATCHERS_DEPENDENCE_STRETCHEDLOOP_H

#include "matchers/grid-barrier/RelaunchLoop.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace barricade::dependence {

/// A loop is refused for the reason \p Id by what the host does in it, which
/// the device has no part in where the host goes on doing it.
bool isOfHost(llvm::StringRef Id);

/// \p Read, which has blockers, without them, if they are all about what the
/// host does and computes: its launches have one block, and the pointers that
/// they are given are local variables that have a value before the loop and
/// are known by no other name. What else the loop gives the device is not
/// asked here.
std::optional<grid_barrier::RelaunchLoop>
withHostWork(const grid_barrier::RelaunchLoop &Read, clang::ASTContext &Host);

} // namespace barricade::dependence

#endif
