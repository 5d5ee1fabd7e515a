// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/dumps/FactDumps.h"
#include "matchers/dumps/Dumps.h"
#include "llvm/ADT/STLExtras.h"

namespace barricade {
namespace {

constexpr FactDump All[] = {
#define FACT_DUMP(Name, Function) {Name, dumps::Function},
#include "matchers/dumps/FactDumps.def"
#undef FACT_DUMP
};

} // namespace

llvm::ArrayRef<FactDump> factDumps() { return All; }

const FactDump *findFactDump(llvm::StringRef Name) {
  const auto *Found = llvm::find_if(
      All, [&](const FactDump &Dump) { return Dump.Name == Name; });
  return Found == std::end(All) ? nullptr : Found;
}

} // namespace barricade
