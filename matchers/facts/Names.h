// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions are called, for comparisons with known names: an operator, a
// constructor and a conversion have none.

#ifndef BARRICADE_MATCHERS_FACTS_NAMES_H
#define BARRICADE_MATCHERS_FACTS_NAMES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"

namespace barricade::facts {

/// The plain name of \p Function, which may be null; empty where it has none.
inline llvm::StringRef nameOf(const clang::FunctionDecl *Function) {
  return Function && Function->getDeclName().isIdentifier()
             ? Function->getName()
             : "";
}

/// The plain name of what \p Call surely calls; empty where it has none.
inline llvm::StringRef calleeName(const clang::CallExpr &Call) {
  return nameOf(Call.getDirectCallee());
}

} // namespace barricade::facts

#endif
