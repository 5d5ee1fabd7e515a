// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of Reasons.def as values.

#ifndef BARRICADE_MATCHERS_LAUNCHFUSION_REASONS_H
#define BARRICADE_MATCHERS_LAUNCHFUSION_REASONS_H

#include "matchers/Hindrance.h"

namespace barricade::launch_fusion {

enum class ReasonId {
#define REASON(Identifier, Id, Summary) Identifier,
#include "matchers/launch-fusion/Reasons.def"
};

/// What each `ReasonId` stands for, in the enumeration's order.
inline constexpr ReasonInfo ReasonTable[] = {
#define REASON(Identifier, Id, Summary) {Id, Summary},
#include "matchers/launch-fusion/Reasons.def"
};

inline Hindrance hindrance(
    ReasonId Id, clang::SourceLocation Where,
    std::vector<std::pair<clang::SourceLocation, std::string>> Notes = {}) {
  return {ReasonTable[unsigned(Id)], Where, std::move(Notes)};
}

} // namespace barricade::launch_fusion

#endif
