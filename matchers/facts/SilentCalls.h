// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that run where the source has no call of them: constructors,
// destructors, and those by which a class gets and gives back its memory.

#ifndef BARRICADE_MATCHERS_FACTS_SILENTCALLS_H
#define BARRICADE_MATCHERS_FACTS_SILENTCALLS_H

#include "clang/AST/TypeBase.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade {

struct SilentCalls {
  /// As declared; none that is trivial, or that the compiler provides.
  llvm::SmallVector<const clang::FunctionDecl *, 4> Callees;
  /// Others may run, of which nothing is known here.
  bool AreSeveral = false;

  bool any() const { return AreSeveral || !Callees.empty(); }
};

/// By \p S itself, without its parts: a declaration runs the destructors of its
/// variables in the end.
SilentCalls silentCallsOf(const clang::Stmt &S);

/// By \p Function beside its code: at its end its parameters end, and, in a
/// destructor, members and bases.
SilentCalls silentCallsOf(const clang::FunctionDecl &Function);

} // namespace barricade

#endif
