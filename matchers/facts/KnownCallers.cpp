// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/KnownCallers.h"
#include "matchers/OtherUnits.h"
#include "matchers/facts/AssemblyNames.h"
#include "matchers/source/LeftOutCode.h"
#include "matchers/source/SourcePlaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <utility>

using namespace clang;

namespace barricade {

/// What of the unit may call \p Function that no tree shows.
static std::optional<Note> unseenUseOf(const FunctionDecl &Function,
                                       const Program &Whole) {
  const std::string Name = "'" + Function.getQualifiedNameAsString() + "'";
  if (const auto Where = leftOutNames(Whole).placeNaming(Function))
    return Note{Where->place(),
                "code that this build leaves out may call " + Name};
  if (const SourceLocation Where = facts::placeInAssembly(Function);
      Where.isValid())
    return Note{placeOf(Where, Function.getASTContext().getSourceManager()),
                "this may call " + Name};
  return std::nullopt;
}

bool hasKnownCallersOnly(const FunctionDecl &Function, const UserCode &Code,
                         const Program &Whole, std::vector<Note> &Others) {
  return hasSeenCallersOnly(Function, Code, [&](const FunctionDecl &Called) {
    if (std::optional<Note> Unseen = unseenUseOf(Called, Whole)) {
      Others.push_back(std::move(*Unseen));
      return true;
    }
    OtherUses Uses = otherUsesOf(Called, Whole);
    llvm::append_range(Others, Uses.Known);
    return !Uses.AreNone;
  });
}

} // namespace barricade
