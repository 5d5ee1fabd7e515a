// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that only choose which name, or which integer, stands there:
//
//   #ifdef SCALAR_BOUNDS
//   #define BOUND(x, y) x
//   #else
//   #define BOUND(x, y) y
//   #endif
//   #define STEPS BOUND(100, steps)
//
// In each build `STEPS` is an integer or `steps`. Where this build has `steps`,
// text with it may stand in each as it is.

#ifndef BARRICADE_REWRITERS_PLAINMACROS_H
#define BARRICADE_REWRITERS_PLAINMACROS_H

#include "rewriters/OtherBuilds.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <optional>
#include <set>

namespace barricade {

class PlainMacros {
public:
  PlainMacros(OtherBuilds &Others, const SourceText &Source,
              const clang::SourceManager &SM)
      : Others(Others), Source(Source), SM(SM) {}

  /// In every build the macro \p Name stands for an integer, or for a name that
  /// it stands for in this one.
  bool isPlain(llvm::StringRef Name);
  /// Adds to \p Uses where \p Name spells an integer in \p Code that something
  /// is compared with: of whatever type another build's integer is, it may
  /// stand there. Parts of types and arguments of templates are not found.
  void collectCompared(const clang::Stmt &Code, llvm::StringRef Name,
                       std::set<clang::SourceLocation> &Uses,
                       bool IsCompared = false) const;

private:
  /// Names; an integer is the empty one.
  using Names = std::set<llvm::StringRef>;
  using Arguments = std::map<llvm::StringRef, Names>;

  std::optional<Names> namesOf(llvm::ArrayRef<CodeToken> Text,
                               const Arguments &Given, unsigned Depth);
  std::optional<Names> namesOfWord(llvm::StringRef Word, unsigned Depth);
  std::optional<Names> namesOfCall(llvm::ArrayRef<CodeToken> Call,
                                   const Arguments &Given, unsigned Depth);
  std::optional<Names> namesOfMacro(llvm::StringRef Macro,
                                    llvm::ArrayRef<Names> Given,
                                    unsigned Depth);
  bool isAlwaysDefined(llvm::ArrayRef<MacroText> Definitions) const;

  OtherBuilds &Others;
  const SourceText &Source;
  const clang::SourceManager &SM;
  bool InThisBuild = false; ///< Only what it compiles counts.
};

} // namespace barricade

#endif
