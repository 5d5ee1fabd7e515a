// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words in which outputs speak of a finding's parts.

#ifndef BARRICADE_TOOL_NAMES_H
#define BARRICADE_TOOL_NAMES_H

#include "tool/Report.h"
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

/// All standings, the most pressing first.
inline constexpr Standing AllStandings[] = {
    Standing::Fault,         Standing::Applies, Standing::HeldBack,
    Standing::NotProfitable, Standing::Refused, Standing::Suppressed};

/// `applies`, `held-back`, `refused`, `not-profitable`, `faults`, `suppressed`.
llvm::StringRef standingName(Standing S);

/// Behind a number of findings that stand so: `at fault`, `to rewrite`, ...
llvm::StringRef standingWords(Standing S);

/// `+4.0 %` of a share of 0.04, with a minus sign where it is below 0.
std::string percentText(double Share);

/// `+4.0 % to +9.0 %`; an open end is an ellipsis.
std::string intervalText(std::optional<double> Low, std::optional<double> High);

/// What was measured of \p F with the best setting, in the case that gained
/// least, else what is expected; empty where nothing is known.
std::string gainText(const Finding &F, llvm::ArrayRef<Measurement> Measured);

/// `with k4 (single) in a.cu, large: +20.0 %, +19.0 % to +21.0 %: faster`
std::string measurementText(const Measurement &M);

/// The value without its unit, as text.
std::string valueText(const Fact &F);

/// `instructions 12, memory-ratio 0.25, ...`
std::string factsText(llvm::ArrayRef<Fact> Facts);

/// The message, and each reason with its place on a line of its own.
std::string textWithReasons(const Finding &F);

/// `load of 4 bytes from global 'a', index tid.x + 4*k: coalesced, ...`
std::string accessText(const AccessFact &A);

} // namespace barricade

#endif
