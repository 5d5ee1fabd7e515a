// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/OtherUnits.h"
#include "matchers/Program.h"
#include "clang/AST/Decl.h"

namespace barricade {

OtherUses otherUsesOf(const clang::FunctionDecl &Function,
                      const Program &Whole) {
  if (!Whole.RelocatableDeviceCode || !Function.isExternallyVisible())
    return {/*AreNone=*/true, {}};
  return Whole.Others ? Whole.Others->usesOf(Function) : OtherUses();
}

} // namespace barricade
