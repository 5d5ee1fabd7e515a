// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_UNITNAMES_H
#define BARRICADE_REWRITERS_UNITNAMES_H

#include "matchers/source/UserDeclarations.h"
#include "rewriters/FirstFree.h"
#include "llvm/ADT/StringSet.h"

namespace barricade {

/// Names that nothing in a translation unit has; none is given twice.
class UnitNames {
public:
  explicit UnitNames(const clang::ASTContext &Context) : Context(Context) {}

  std::string fresh(llvm::StringRef Base) {
    return firstFree(Base, [&](const std::string &Name) {
      return !isNameTaken(Name, Context) && Given.insert(Name).second;
    });
  }

private:
  const clang::ASTContext &Context;
  llvm::StringSet<> Given;
};

} // namespace barricade

#endif
