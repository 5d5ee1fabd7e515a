// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small questions about statements that several analyses ask.

#ifndef BARRICADE_MATCHERS_SOURCE_STATEMENTS_H
#define BARRICADE_MATCHERS_SOURCE_STATEMENTS_H

#include "clang/AST/Type.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class CompoundStmt;
class CallExpr;
class CXXRecordDecl;
class Expr;
class FunctionDecl;
class MemberExpr;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade {

/// The class of objects of \p Type, or of the elements of such an array; null
/// for other types, and for none.
const clang::CXXRecordDecl *classOf(clang::QualType Type);

/// Puts \p Variables in the order in which they are declared.
void sortByPlace(llvm::MutableArrayRef<const clang::VarDecl *> Variables);

/// The variable whose name \p S is; otherwise null.
const clang::VarDecl *variableNamedBy(const clang::Stmt &S);

/// The variable whose name \p E is but for parentheses and implicit
/// conversions; otherwise null.
const clang::VarDecl *variableOf(const clang::Expr &E);

/// A for, while, do or range-for loop.
bool isLoop(const clang::Stmt &S);

/// "for loop", "while loop", "do loop", "range-for loop"; of a label, "goto
/// loop"; of a call that has what it calls repeated, "repeated call".
llvm::StringRef loopNoun(const clang::Stmt &Loop);

/// What \p Condition, which may be null, is in each evaluation; nothing where
/// that is not known.
std::optional<bool> constantCondition(const clang::Expr *Condition,
                                      const clang::ASTContext &Context);

/// \p Call is what stands for `<<<grid, block>>>` in Clang's tree.
bool isLaunchConfiguration(const clang::CallExpr &Call);

/// `do { ... } while (0)`, the macro writer's block, which is no loop.
bool isOnceLoop(const clang::Stmt &S, const clang::ASTContext &Context);

/// The body of \p Loop.
const clang::Stmt *bodyOf(const clang::Stmt &Loop);

/// The condition of \p Loop; null where it has none.
const clang::Expr *conditionOf(const clang::Stmt &Loop);

/// \p S, a loop's body or a part of it, has a `break` of that loop's.
bool breaksOut(const clang::Stmt *S);

/// \p S goes elsewhere: a break, a continue, a return or a goto.
bool isJump(const clang::Stmt &S);

/// A statement of \p Loop's body leaves the loop: a `break` of its own, a
/// return or a jump.
bool leavesEarly(const clang::Stmt &Loop);

/// \p S, which may be null, or a statement that is evaluated with it passes \p
/// Test: what declarations say of arguments and members included. \p Without:
/// parts that are not looked at.
bool holds(const clang::Stmt *S,
           llvm::function_ref<bool(const clang::Stmt &)> Test,
           llvm::ArrayRef<const clang::Stmt *> Without = {});

/// \p Part is \p S, or is evaluated with it. Either may be null: no.
bool contains(const clang::Stmt *S, const clang::Stmt *Part);

/// \p S, which may be null, declares \p Var, or a statement that is evaluated
/// with it does.
bool declares(const clang::Stmt *S, const clang::VarDecl &Var);

/// Evaluating \p S, an expression or a declaration, or null, evaluates a part
/// of it that passes \p Test, whatever else it does.
bool alwaysEvaluates(const clang::Stmt *S,
                     llvm::function_ref<bool(const clang::Stmt &)> Test);

/// What runs when \p Function is called: of a constructor its initialisers,
/// those that the members' declarations have included, and the body, if it is
/// known.
llvm::SmallVector<const clang::Stmt *, 4>
codeOf(const clang::FunctionDecl &Function);

/// What \p Member names lies within its base: no pointer, reference or static
/// member leads elsewhere.
bool isPartOfBase(const clang::MemberExpr &Member);

/// A part of that is, or holds, what passes \p Test.
bool codeHolds(const clang::FunctionDecl &Function,
               llvm::function_ref<bool(const clang::Stmt &)> Test);

/// `longjmp` and its likes: what they leave is not destroyed.
bool isJumpFar(const clang::FunctionDecl &Function);

/// The statement right around \p S; null where \p S is a function's body.
const clang::Stmt *parentOf(const clang::Stmt &S, clang::ASTContext &Context);

/// The last token of the statement before \p S in \p Block, or the brace that
/// opens it.
clang::SourceLocation lastBefore(const clang::Stmt &S,
                                 const clang::CompoundStmt &Block);

/// The block that \p S is a statement of. Null where it is part of another
/// statement, or where a template and its instances share it.
const clang::CompoundStmt *blockOf(const clang::Stmt &S,
                                   clang::ASTContext &Context);

/// A declaration may be put before \p S: it stands in a block, and no jump of a
/// switch or goto leads past it. Nor does its function hold a jump that might
/// leave the variable's scope without its destructor: an indirect one, or one
/// of `setjmp` and its likes.
bool mayDeclareBefore(const clang::Stmt &S, clang::ASTContext &Context);

/// \p S, or the statement that gives it its attributes: `[[...]]` before it, or
/// `#pragma unroll` on the line above.
const clang::Stmt &withAttributes(const clang::Stmt &S,
                                  clang::ASTContext &Context);

/// \p E as Clang prints it.
std::string textOf(const clang::Expr &E, const clang::ASTContext &Context);

} // namespace barricade

#endif
