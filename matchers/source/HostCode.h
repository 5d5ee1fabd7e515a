// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All code of a pass that the host may run and that the user wrote. What
// launches kernels stands in functions as a rule, but also in lambdas of
// variables' initialisers, default arguments and the like, which are in none:
//
//   static const bool ready = [] { setUp<<<1, 1>>>(); return true; }();

#ifndef BARRICADE_MATCHERS_SOURCE_HOSTCODE_H
#define BARRICADE_MATCHERS_SOURCE_HOSTCODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class LambdaExpr;
class Stmt;
} // namespace clang

namespace barricade {

/// \p Function is the host's, maybe the device's as well.
bool mayRunOnHost(const clang::FunctionDecl &Function);

struct HostCode {
  /// Null: what stands in no function's code, an initialiser of a variable or
  /// of a member, a default argument or a part of a type.
  const clang::FunctionDecl *Function;
  llvm::SmallVector<const clang::Stmt *, 4> Parts;
};

/// Calls \p Visit for the code of each function outside of system headers that
/// is no kernel, in the order of the source, and then for each expression
/// that is in none of them. Templates are seen as written, lambdas as parts of
/// the code around them.
void forEachHostCode(clang::ASTContext &Context,
                     llvm::function_ref<void(const HostCode &)> Visit);

/// What the statements of \p Lambda, found in code of \p Around, are said to be
/// in: a function, or, where there is none, the lambda itself.
const clang::FunctionDecl *functionAround(const clang::LambdaExpr &Lambda,
                                          const clang::FunctionDecl *Around);

} // namespace barricade

#endif
