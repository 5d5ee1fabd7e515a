// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analyses know of a program, place by place, for people to read:
// `barricade --dump=FACT`. A fact is one line of FactDumps.def.

#ifndef BARRICADE_MATCHERS_DUMPS_FACTDUMPS_H
#define BARRICADE_MATCHERS_DUMPS_FACTDUMPS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace barricade {

struct PassView;
struct Program;

/// Tells of a place in the source.
using Annotate =
    llvm::function_ref<void(clang::SourceLocation Where, std::string Text)>;

struct FactDump {
  llvm::StringLiteral Name;
  /// Tells what is known of the code in \p Pass, outside of system headers.
  void (*Run)(const PassView &Pass, const Program &Whole, Annotate Tell);
};

/// All there are, by name.
llvm::ArrayRef<FactDump> factDumps();

/// The one of the name, or null.
const FactDump *findFactDump(llvm::StringRef Name);

} // namespace barricade

#endif
