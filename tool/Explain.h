// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `barricade explain`: what the pages of docs/rules/, which the command carries
// within, say of a rule or of a reason.

#ifndef BARRICADE_TOOL_EXPLAIN_H
#define BARRICADE_TOOL_EXPLAIN_H

#include "rewriters/Rule.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace barricade {

/// Of a rule the beginning of its page, up to the source before and after; of a
/// reason what stands under its name, for each rule that has it. \p Name may be
/// a diagnostic's. Fails for what is neither, with the name most like it.
llvm::Expected<std::string>
explanationOf(llvm::StringRef Name,
              llvm::ArrayRef<std::unique_ptr<Rule>> Rules);

/// Where the page of \p Rule lies on this machine; empty: it does not.
std::string pageOf(llvm::StringRef Rule);

} // namespace barricade

#endif
