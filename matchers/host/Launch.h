// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch `kernel<<<grid, block, bytes, stream>>>(...)` in host code, and when
// two of them ask for the same.

#ifndef BARRICADE_MATCHERS_HOST_LAUNCH_H
#define BARRICADE_MATCHERS_HOST_LAUNCH_H

#include "llvm/ADT/APSInt.h"
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class CUDAKernelCallExpr;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade::host {

/// Kernel is a definition, of a template an instantiation, and null where that
/// is not known; Callee is null for a call through a pointer, SharedBytes and
/// Stream where left out.
struct Launch {
  const clang::CUDAKernelCallExpr *Call = nullptr;
  const clang::FunctionDecl *Kernel = nullptr;
  const clang::DeclRefExpr *Callee = nullptr; ///< The kernel as named here.
  const clang::Expr *Grid = nullptr;
  const clang::Expr *Block = nullptr;
  const clang::Expr *SharedBytes = nullptr;
  const clang::Expr *Stream = nullptr;
};

Launch launchOf(const clang::CUDAKernelCallExpr &Call);

/// A launch is evaluated with \p S, or stands in a lambda of it.
bool holdsLaunch(const clang::Stmt &S);

/// All that is evaluated for \p L.
std::vector<const clang::Expr *> expressionsOf(const Launch &L);

/// The kernel's name, with template arguments, stands for that kernel alone,
/// without a look at the launch's arguments.
bool isNamedAlone(const Launch &L);

/// The value of \p Argument, where a launch leaves it to its default and that
/// is a known whole number.
std::optional<llvm::APSInt> defaultInteger(const clang::Expr &Argument,
                                           const clang::ASTContext &Context);

/// The two are spelled the same and, evaluated one after the other, equal; or
/// both are left out.
bool sameExpression(const clang::Expr *A, const clang::Expr *B,
                    const clang::ASTContext &Context);

/// Adds \p New to \p Into, if no such is there.
void addOnce(const clang::Expr &New, std::vector<const clang::Expr *> &Into,
             const clang::ASTContext &Context);

/// The same for grids or blocks, which may be spelled differently where their
/// extents are constants.
bool sameExtents(const clang::Expr &A, const clang::Expr &B,
                 clang::ASTContext &Context);

/// The same for streams, each of which may be left out.
bool sameStream(const clang::Expr *A, const clang::Expr *B,
                clang::ASTContext &Context);

} // namespace barricade::host

#endif
