// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that a loop makes other than by a `<<<...>>>` of its own:
//
//   auto step = [&] { jacobi<<<grid, 256>>>(a, b, n); };
//   for (int t = 0; t < steps; ++t)
//     step();
//
// Such a loop is none that this tool rewrites, but it must not pass in silence.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_HIDDENLAUNCHES_H
#define BARRICADE_MATCHERS_GRIDBARRIER_HIDDENLAUNCHES_H

#include "matchers/grid-barrier/Reasons.h"
#include "clang/AST/TypeBase.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace clang {
class CallExpr;
class Expr;
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace barricade::grid_barrier {

class HiddenLaunches {
public:
  explicit HiddenLaunches(const clang::SourceManager &SM) : SM(SM) {}

  /// What \p Call does instead of launching a kernel by `<<<...>>>`: it has the
  /// runtime launch one, or calls a function or a lambda of the user's in which
  /// a launch is seen. Nothing for other calls.
  std::optional<ReasonId> reasonAgainst(const clang::CallExpr &Call);

  /// \p S holds such a call, one by a pointer that is known, or makes or ends
  /// objects for which a launch is seen.
  bool isHeldBy(const clang::Stmt &S);

private:
  bool launches(const clang::FunctionDecl *Callee); ///< May be null.
  bool launches(const clang::FunctionDecl &Callee);
  /// The end of an object of \p Type does.
  bool destroys(clang::QualType Type);
  /// What \p Callee is called for may be a function that does.
  bool mayBeLauncher(const clang::Expr &Callee);

  const clang::SourceManager &SM;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Known;
};

} // namespace barricade::grid_barrier

#endif
