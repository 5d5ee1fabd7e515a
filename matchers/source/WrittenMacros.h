// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files say of macros, whether this build looks there or not:
//
//   #define REAL float
//   #ifdef USE_DOUBLE
//   #undef REAL
//   #define REAL double
//   #endif

#ifndef BARRICADE_MATCHERS_SOURCE_WRITTENMACROS_H
#define BARRICADE_MATCHERS_SOURCE_WRITTENMACROS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace barricade {

/// Some file of the user's has an `#undef` of \p Name that another build may
/// have or not.
bool mayUndefine(llvm::StringRef Name, const clang::ASTContext &Context);

/// Behind the definition of a macro, a part of which stands at \p Text, and
/// before \p Use, another build may define or undefine it: under a condition
/// that \p User's place is not under.
bool mayBeRedefined(clang::SourceLocation Text, clang::SourceLocation Use,
                    clang::SourceLocation User,
                    const clang::ASTContext &Context);

/// The macros that some definition lets stand for \p Word alone.
llvm::ArrayRef<llvm::StringRef> macrosFor(llvm::StringRef Word,
                                          const clang::ASTContext &Context);

/// A macro as one definition has it.
struct WrittenMacro {
  clang::SourceLocation Where;        ///< Of its name there.
  std::vector<llvm::StringRef> Words; ///< Of its text, but for parameters.
  bool Pastes;                        ///< It puts names together.
};

/// Calls \p Visit for each definition of the macro \p Name in a file of the
/// user's, be it left out.
void forEachWritten(llvm::StringRef Name, const clang::ASTContext &Context,
                    llvm::function_ref<void(const WrittenMacro &)> Visit);

/// A macro \p Name, or one that it is made from, may stand for something else
/// in another build, or for nothing: \p User's place does not say which.
bool mayBeOtherMacro(llvm::StringRef Name, clang::SourceLocation User,
                     const clang::ASTContext &Context);

/// In some build, a macro \p Name, or one that it is made from, spells \p Word.
bool mayHoldWord(llvm::StringRef Name, llvm::StringRef Word,
                 const clang::ASTContext &Context);

/// \p Name is a macro of the user's, and in no build does it stand for anything
/// that begins, ends or encloses a declaration: it belongs to the one behind
/// it.
bool isOfNextDeclaration(llvm::StringRef Name,
                         const clang::ASTContext &Context);

/// There is a macro of this name, or some file of the user's has one in another
/// build.
bool mayBeMacro(llvm::StringRef Name, const clang::ASTContext &Context);

} // namespace barricade

#endif
