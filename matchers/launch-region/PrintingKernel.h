// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what a kernel does shows to whoever waits for it, other than in
// memory: what it prints comes out then, between what the host prints.

#ifndef BARRICADE_MATCHERS_LAUNCHREGION_PRINTINGKERNEL_H
#define BARRICADE_MATCHERS_LAUNCHREGION_PRINTINGKERNEL_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace barricade {
struct PassView;
} // namespace barricade

namespace barricade::launch_region {

/// Where \p Kernel, of \p Pass, may print: by itself, or by what nobody sees.
/// Invalid: nowhere. An assertion that fails is an error, not something to say.
clang::SourceLocation findPrint(const clang::FunctionDecl &Kernel,
                                const PassView &Pass);

} // namespace barricade::launch_region

#endif
