// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source with what an analysis knows of its places:
//
//    7 |   for (int i = 0; i < n; ++i)
//      |   ^ 'i' counts up from 0 to n by 1

#ifndef BARRICADE_TOOL_ANNOTATEDSOURCE_H
#define BARRICADE_TOOL_ANNOTATEDSOURCE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace barricade {

struct FactDump;
struct Program;

/// The file \p Main as all passes see it, and those headers of which \p Dump
/// tells anything.
std::string annotatedSource(const Program &P, const FactDump &Dump,
                            llvm::StringRef Main);

} // namespace barricade

#endif
