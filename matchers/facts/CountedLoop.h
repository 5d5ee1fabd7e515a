// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that count, as their heads say: `for (int i = 0; i < n; ++i)`. What the
// body does to the counter is another question (facts/VariableFacts.h).

#ifndef BARRICADE_MATCHERS_FACTS_COUNTEDLOOP_H
#define BARRICADE_MATCHERS_FACTS_COUNTEDLOOP_H

#include <optional>

namespace clang {
class ASTContext;
class Expr;
class ForStmt;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::facts {

struct CountedLoop {
  const clang::VarDecl *Counter = nullptr;
  bool CountsUp = true;
  const clang::Expr *Step = nullptr;  ///< Null: one.
  const clang::Expr *First = nullptr; ///< Null where the head does not say.
  /// The two sides of the condition: what counts up has its end ahead.
  const clang::Expr *Least = nullptr, *Most = nullptr;

  /// The side that is the counter, and the other one.
  const clang::Expr *counter() const { return CountsUp ? Least : Most; }
  const clang::Expr *limit() const { return CountsUp ? Most : Least; }
};

/// Nothing where the loop goes on by other than `++`, `--`, `+=` or `-=`, or
/// its condition is not one comparison of the counter, other than `==`, with
/// what does not name it.
std::optional<CountedLoop> readCountedLoop(const clang::ForStmt &For,
                                           const clang::ASTContext &Context);

/// A difference of the two is computed in their type, or a literal's: no
/// compiler warns of it that would not of the comparison.
bool haveOneType(const clang::Expr &A, const clang::Expr &B,
                 const clang::ASTContext &Context);

} // namespace barricade::facts

#endif
