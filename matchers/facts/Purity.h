// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which expressions do nothing but compute a value. A kind of node that is not
// listed here is not pure, whatever it holds.

#ifndef BARRICADE_MATCHERS_FACTS_PURITY_H
#define BARRICADE_MATCHERS_FACTS_PURITY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace clang {
class ASTContext;
class CallExpr;
class Decl;
class Expr;
class VarDecl;
} // namespace clang

namespace barricade::facts {

/// How far a pure expression may look.
enum class PureReach {
  Arithmetic, ///< At whole variables, of numbers and pointers.
  Parts,      ///< At their fields and elements, too.
  Memory,     ///< At whatever a pointer or reference leads to, too; it may make
              ///< plain objects, such as a `dim3`.
};

/// What else an expression may do and still count as pure.
struct PureScope {
  PureReach Reach = PureReach::Memory;
  /// Decides of expressions that it knows, such as names, before their kind
  /// and their operands are looked at. Null: knows none.
  llvm::function_ref<std::optional<bool>(const clang::Expr &)> Known = nullptr;
  /// Which calls are pure, if their operands are. Null: none is.
  llvm::function_ref<bool(const clang::CallExpr &)> Calls = nullptr;
};

/// Evaluating \p E changes nothing, and looks at nothing beyond \p Scope.
bool isPure(const clang::Expr &E, const PureScope &Scope);

/// The same; it may read memory, and call functions whose bodies do no more.
bool isPure(const clang::Expr &E, const clang::ASTContext &Context);

/// The first use in a thread may run its initialiser.
bool isInitialisedByUse(const clang::VarDecl &Var);

/// \p D, among the statements of a function, runs no code: the name of a type
/// that no length has to be computed for, an assertion of the compiler's.
bool isSilentDeclaration(const clang::Decl &D);

/// The local \p Var runs no code but its initialiser, and none when it goes.
bool isPlainVariable(const clang::VarDecl &Var);

} // namespace barricade::facts

#endif
