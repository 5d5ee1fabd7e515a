// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the leader of a strided loop computes, as text.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_LEADERTEXT_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_LEADERTEXT_H

#include "matchers/artificial-barrier/StridedLoop.h"
#include <optional>
#include <string>

namespace barricade::artificial_barrier {

/// The start of the leader's counter: threadIdx is 0, variables that depend on
/// it are written out, and what adds 0 is left out where that changes neither
/// the value nor the type in which the rest is computed.
///
///   int i = blockIdx.x * blockDim.x + threadIdx.x
///   ->      blockIdx.x * blockDim.x
///
/// Nothing where a macro spells a part of it, or a type would have to be
/// written that may have another name here.
std::optional<std::string> leaderStart(const StridedLoop &Strided,
                                       const clang::ASTContext &Context);

/// The expression \p E with \p Name instead of the counter \p Counter. Nothing
/// where a macro spells a part of it.
std::optional<std::string> withLeader(const clang::Expr &E,
                                      const clang::VarDecl &Counter,
                                      const std::string &Name,
                                      const clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif
