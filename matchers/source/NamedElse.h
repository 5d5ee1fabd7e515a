// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of a function that another build may name where this one does not:
// in code that it leaves out, in what a macro drops, by a macro that it defines
// otherwise, in a file that it includes there.
//
//   for (; step < steps; ++step)
//     relax<<<grid, block>>>(a, b);
//   LOG("%d steps\n", step); // nothing here
//   #ifdef KEEP
//   cudaMemcpy(&value, a, 4, cudaMemcpyDefault);
//   #endif

#ifndef BARRICADE_MATCHERS_SOURCE_NAMEDELSE_H
#define BARRICADE_MATCHERS_SOURCE_NAMEDELSE_H

#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace barricade {

/// A word between two such tokens is an operand, and no more: not `--n < 1`,
/// `&n + 1` or `in >> n < 3`; unless operators may change it. \p Word: of a
/// token that is one.
bool goesBeforeOperand(clang::tok::TokenKind Kind, llvm::StringRef Word);
/// With what stands before it, and gives that no value.
bool goesBehindOperand(clang::tok::TokenKind Kind);

/// An operator of the user's files takes something by a reference, through
/// which it could be changed, that may be other than an object of a class.
bool operatorsMayChange(const clang::ASTContext &Context);
/// The same of any reference: it could be kept.
bool operatorsMayKeep(const clang::ASTContext &Context);

/// \p Var may be named so between two places of the file that \p Function is
/// written in. Who names it may look at it or change it.
bool isNamedElse(const clang::VarDecl &Var, const clang::FunctionDecl &Function,
                 clang::SourceLocation Begin, clang::SourceLocation End);

/// The word \p Keyword may stand anywhere in \p Function in another build,
/// where it does not here.
bool isWrittenElse(llvm::StringRef Keyword,
                   const clang::FunctionDecl &Function);

/// \p Var may be named so anywhere in \p Function.
bool isNamedElse(const clang::VarDecl &Var,
                 const clang::FunctionDecl &Function);

/// The same, but for names that are operands of arithmetic, or all of what a
/// macro is given.
bool mayBeChangedElse(const clang::VarDecl &Var,
                      const clang::FunctionDecl &Function);

/// That, or \p Var is named beside a macro that is something else in another
/// build, so that it may be looked at where it is not here: `LOG(step);`.
bool mayBeUsedElse(const clang::VarDecl &Var,
                   const clang::FunctionDecl &Function);

} // namespace barricade

#endif
