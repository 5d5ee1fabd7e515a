// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON that others than barricade wrote, or that somebody has damaged.

#ifndef BARRICADE_TOOL_KNOWLEDGE_JSONFILE_H
#define BARRICADE_TOOL_KNOWLEDGE_JSONFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace barricade {

/// Numbers beyond this, of whichever sign, are no times and no gains: what is
/// computed of them may be infinite, and JSON has no word for that.
constexpr double MostNumber = 1e12;

/// What the file \p Path holds. Fails with its name.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readText(llvm::StringRef Path);

/// Fails on what is no JSON, and on what is nested deeper than any file that
/// barricade reads.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text);

} // namespace barricade

#endif
