// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_FIRSTFREE_H
#define BARRICADE_REWRITERS_FIRSTFREE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace barricade {

/// \p Base, or \p Base with the first number from 2 on for which \p IsFree.
inline std::string
firstFree(llvm::StringRef Base,
          llvm::function_ref<bool(const std::string &)> IsFree) {
  std::string Name = Base.str();
  for (unsigned N = 2; !IsFree(Name); ++N)
    Name = Base.str() + std::to_string(N);
  return Name;
}

} // namespace barricade

#endif
