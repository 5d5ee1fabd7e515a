// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kinds of AST nodes do to the variables they name. Whatever is not
// listed is Unknown, so that a kind that nobody thought of proves nothing.

#ifndef BARRICADE_MATCHERS_FACTS_NODEKINDS_H
#define BARRICADE_MATCHERS_FACTS_NODEKINDS_H

#include "clang/AST/OperationKinds.h"
#include "clang/AST/Stmt.h"
#include <optional>

namespace barricade::facts {

enum class NodeUse {
  Handled,     ///< By code of its own.
  Statement,   ///< Runs its parts; their values are thrown away.
  Operands,    ///< Takes the values of its operands. An operand that is an
               ///< lvalue may be put to any use.
  Unevaluated, ///< Evaluates no operand.
  Unknown,     ///< Anything may happen to what stands in it.
};

/// The entry of \p Kind in NodeKinds.def; nothing where there is none.
std::optional<NodeUse> listedUse(clang::Stmt::StmtClass Kind);

/// The same, with Unknown for a kind that is not listed.
NodeUse useOf(const clang::Stmt &S);

enum class CastUse {
  Value,   ///< Converts a value.
  Load,    ///< Reads the lvalue.
  Discard, ///< Throws the value away.
  Same,    ///< The same object, or its base, under a different type.
  Decay,   ///< From an array to a pointer to its first element.
  Unknown, ///< Anything may happen to the operand.
};

/// What a cast of the kind does; nothing where the kind is not listed.
std::optional<CastUse> listedUse(clang::CastKind Kind);

} // namespace barricade::facts

#endif
