// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which a thread may wait for another one. A new barrier could hold the
// other one back for ever.

#ifndef BARRICADE_MATCHERS_WAITING_H
#define BARRICADE_MATCHERS_WAITING_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class AsmStmt;
class Expr;
class SourceManager;
class Stmt;
} // namespace clang

namespace barricade {

/// Where \p Loop decides to go on or to stop by something that
/// another thread may change meanwhile: a volatile read, an atomic's result, a
/// call that cannot be looked into, or, in a loop with a fence, a read of memory
/// that \p MayBeWritten while the kernel runs. Invalid where it does not.
clang::SourceLocation
findWait(const clang::Stmt &Loop, const clang::SourceManager &SM,
         llvm::function_ref<bool(const clang::Expr &)> MayBeWritten);

/// True where \p Asm only computes, loads or stores: it neither synchronises nor
/// branches nor reads what other threads signal with.
bool isPlainAsm(const clang::AsmStmt &Asm);

} // namespace barricade

#endif
