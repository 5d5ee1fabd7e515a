// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel may be another one in another build of the same sources, or
// in another unit that includes them: where macros are set otherwise.

#ifndef BARRICADE_REWRITERS_LAUNCHOVERLAP_OTHERBUILDS_H
#define BARRICADE_REWRITERS_LAUNCHOVERLAP_OTHERBUILDS_H

#include "matchers/Program.h"
#include "rewriters/SourceText.h"
#include <map>
#include <utility>

namespace clang {
class Decl;
class FunctionDecl;
class IdentifierInfo;
class MacroInfo;
} // namespace clang

namespace barricade::launch_overlap {

class OtherBuilds {
public:
  explicit OtherBuilds(const PassView &Pass);

  /// Where \p User stands, something else may stand for \p D. Both are of the
  /// pass.
  bool mayReplace(const clang::Decl &D, clang::SourceLocation User) const;

  /// \p D may be spelled otherwise. \p IsShared: other units that include it
  /// have to have the same.
  bool mayRespell(const clang::Decl &D, bool IsShared);

private:
  bool isInOtherBranch(clang::SourceLocation Where,
                       clang::SourceLocation User) const;
  bool mayExpandOtherwise(llvm::StringRef Text, bool IsShared);
  bool mayMeanElse(const clang::IdentifierInfo &Name, bool IsShared);
  bool mayMeanElse(const clang::MacroInfo &Macro, bool IsShared);

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  clang::Preprocessor &PP;
  const SourceText Source;
  /// By name and whether it is shared.
  std::map<std::pair<const clang::IdentifierInfo *, bool>, bool> Known;
};

} // namespace barricade::launch_overlap

#endif
