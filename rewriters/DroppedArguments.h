// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of a library's macro that this build drops and another one runs, so
// that the tree does not have them:
//
//   assert(cudaDeviceSynchronize() == cudaSuccess);   // with -DNDEBUG

#ifndef BARRICADE_REWRITERS_DROPPEDARGUMENTS_H
#define BARRICADE_REWRITERS_DROPPEDARGUMENTS_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class Preprocessor;
} // namespace clang

namespace barricade {

class OtherBuilds;

/// What another build runs by the macro \p Name, which \p Behind follows, may
/// call something, write, or read what is written elsewhere; this build does
/// nothing of that. Reading variables alone is neither.
bool mayRunDropped(llvm::StringRef Name, llvm::StringRef Behind,
                   OtherBuilds &Others, const clang::ASTContext &Context,
                   clang::Preprocessor &PP);

/// The same of all macros in \p Text, code of \p Function, where it matters
/// when something is read, too: what another build runs may name something that
/// is neither a variable of the function's, known to nobody else, nor a
/// constant.
bool mayReadDropped(llvm::StringRef Text, const clang::FunctionDecl &Function,
                    OtherBuilds &Others, const clang::ASTContext &Context,
                    clang::Preprocessor &PP);

} // namespace barricade

#endif
