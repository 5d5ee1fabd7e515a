// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that a loop makes other than by a `<<<...>>>` of its own:
//
//   auto step = [&] { jacobi<<<grid, 256>>>(a, b, n); };
//   for (int t = 0; t < steps; ++t)
//     step();
//
// Such a loop is none that this tool rewrites, but it must not pass in silence.

#ifndef BARRICADE_MATCHERS_HOST_HIDDENLAUNCHES_H
#define BARRICADE_MATCHERS_HOST_HIDDENLAUNCHES_H

#include "clang/AST/Expr.h"
#include "clang/AST/TypeBase.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace clang {
class ASTContext;
class CallExpr;
class CXXMethodDecl;
class CXXRecordDecl;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade {
struct SilentCalls;
} // namespace barricade

namespace barricade::host {

/// How a call launches.
enum class HiddenLaunch {
  ByRuntime, ///< It has the runtime launch the kernel that it is given.
  InCallee,
};

class HiddenLaunches {
public:
  explicit HiddenLaunches(clang::ASTContext &Context) : Context(Context) {}

  /// What \p Call does instead of launching a kernel by `<<<...>>>`: it has the
  /// runtime launch one, or calls a function or a lambda of the user's in which
  /// a launch is seen, or what may be one: of several by a pointer, a
  /// `std::function` or a virtual method. Nothing for other calls.
  std::optional<HiddenLaunch> launchBy(const clang::CallExpr &Call);

  /// \p S holds such a call, or makes or ends objects for which a launch is
  /// seen.
  bool isHeldBy(const clang::Stmt &S);

  /// \p Call has a function of the library, such as `std::for_each`, repeat
  /// such a call.
  bool areRepeatedBy(const clang::CallExpr &Call);

  /// \p S, without its parts, begins or ends the elements of an array, for
  /// which a launch is seen.
  bool isRepeatedForArray(const clang::Stmt &S);

  bool launches(const clang::FunctionDecl &Callee);

  /// What \p Call is of where its callee is a variable that begins with a
  /// lambda, or with an object that holds one, and is never another: that
  /// lambda's operator. Otherwise null.
  const clang::FunctionDecl *lambdaBehind(const clang::CallExpr &Call) const;

private:
  class KeptFinder;
  /// What launches and is kept somewhere to be called from there.
  struct KeptLaunchers {
    /// Of functions whose addresses are taken.
    llvm::DenseSet<clang::QualType> Functions;
    /// Classes of the library with objects that hold functions.
    llvm::DenseSet<const clang::CXXRecordDecl *> Holders;
    llvm::DenseMap<const clang::CXXMethodDecl *,
                   llvm::SmallVector<const clang::CXXMethodDecl *, 2>>
        Overriders; ///< Of virtual methods, directly.
  };

  bool launches(const clang::FunctionDecl *Callee); ///< May be null.
  bool looksInto(const clang::FunctionDecl &Callee) const;
  bool repeatsLaunches(const clang::FunctionDecl &OfLibrary);
  bool anyLaunches(const SilentCalls &Calls);
  /// What \p Call calls may be known at run time only, and launch.
  bool mayCallLauncher(const clang::CallExpr &Call);
  bool isGivenLauncher(
      llvm::iterator_range<clang::CallExpr::const_arg_iterator> Arguments);
  bool overriderLaunches(const clang::CXXMethodDecl &Method);
  /// A value of \p E is, or holds, a function that launches.
  bool namesLauncher(const clang::Expr &E);
  bool isLauncher(clang::QualType Type); ///< Of lambdas and the like.
  const KeptLaunchers &kept();

  clang::ASTContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Known;
  llvm::SmallVector<const clang::FunctionDecl *> Asked; ///< By one question.
  unsigned Depth = 0; ///< Of questions within questions.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Following; ///< To their values.
  llvm::DenseMap<const clang::FunctionDecl *, bool> Repeating;
  std::optional<KeptLaunchers> Kept;
};

} // namespace barricade::host

#endif
