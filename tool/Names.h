// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words in which outputs speak of a finding's parts.

#ifndef BARRICADE_TOOL_NAMES_H
#define BARRICADE_TOOL_NAMES_H

#include "matchers/Finding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace barricade {

/// `barricade-artificial-barrier`, as Clang's tools name their checks.
std::string diagnosticName(llvm::StringRef Rule);

/// The name under which comments that suppress nothing are reported.
inline constexpr llvm::StringLiteral UnusedSuppressionName =
    "barricade-unused-suppression";

/// `rewrite`, `refused`, `not-profitable`, `fault`.
llvm::StringRef verdictName(Verdict V);

/// `instructions 12, memory-ratio 0.25, ...`
std::string factsText(llvm::ArrayRef<Fact> Facts);

/// `load of 4 bytes from global 'a', index tid.x + 4*k: coalesced, ...`
std::string accessText(const AccessFact &A);

} // namespace barricade

#endif
