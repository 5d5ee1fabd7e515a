// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that only some builds have, of which this build may have no tree: by its
// words, does it change which way threads go besides its own?

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_OPTIONALCODE_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_OPTIONALCODE_H

#include "rewriters/OtherBuilds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace clang {
class ASTContext;
class IdentifierInfo;
} // namespace clang

namespace barricade::artificial_barrier {

class OptionalCode {
public:
  /// \p Names may only be read. \p KeepsMemory: nor may anything be written but
  /// variables by their names.
  OptionalCode(const llvm::StringSet<> &Names, bool KeepsMemory,
               OtherBuilds &Others, clang::ASTContext &Context)
      : Names(Names), KeepsMemory(KeepsMemory), Others(Others),
        Context(Context) {}

  /// The tokens from \p Begin to \p End of \p All are statements, which neither
  /// jump nor wait, and set none of the names.
  bool isHarmless(llvm::ArrayRef<CodeToken> All, size_t Begin, size_t End);

  /// The same of one statement, whatever stands around it.
  bool isHarmlessStatement(llvm::ArrayRef<CodeToken> All, size_t Begin,
                           size_t End) {
    return areHarmlessWords(All, Begin, End);
  }

  /// What stands there, in a function that decides nothing, neither waits nor
  /// writes what must be kept.
  bool isHarmlessElsewhere(llvm::ArrayRef<CodeToken> All, size_t Begin,
                           size_t End);

  /// A part of a function's head holds none of the names.
  bool isHarmlessInHead(llvm::ArrayRef<CodeToken> All, size_t Begin,
                        size_t End);

  /// The macro that \p All names at \p At, whatever stands for it.
  bool isHarmlessMacro(llvm::ArrayRef<CodeToken> All, size_t At);

private:
  bool areHarmlessWords(llvm::ArrayRef<CodeToken> All, size_t Begin,
                        size_t End);
  bool isHarmlessWord(llvm::ArrayRef<CodeToken> All, size_t At, size_t Begin);
  bool isHarmlessCall(llvm::ArrayRef<CodeToken> All, size_t At);
  bool isRead(llvm::ArrayRef<CodeToken> All, size_t At, size_t Begin) const;
  bool isHarmlessWrite(llvm::ArrayRef<CodeToken> All, size_t At,
                       size_t Begin) const;
  bool namesAny(llvm::ArrayRef<CodeToken> Tokens) const;

  const llvm::StringSet<> &Names;
  const bool KeepsMemory;
  OtherBuilds &Others;
  clang::ASTContext &Context;
  llvm::StringSet<> Open; ///< Macros that are looked at.
};

} // namespace barricade::artificial_barrier

#endif
