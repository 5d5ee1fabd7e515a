// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What decides which threads of a block come to a loop, and how often, may be
// something else in another build of the same sources.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPINOTHERBUILDS_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPINOTHERBUILDS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace barricade {
class OtherBuilds;
}

namespace barricade::artificial_barrier {

struct LoopCandidate;

/// The first place by which another build may have threads of a block come to
/// \p C, or in it to a barrier, that come there equally often in this one: a
/// macro, or the `#if` of code that is not always there. Invalid where there is
/// none. \p Form: that \p C is rewritten to, as findings name it.
clang::SourceLocation differsInOtherBuilds(const LoopCandidate &C,
                                           llvm::StringRef Form,
                                           OtherBuilds &Others,
                                           clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif
