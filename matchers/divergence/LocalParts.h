// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of which local variable an lvalue names.

#ifndef BARRICADE_MATCHERS_DIVERGENCE_LOCALPARTS_H
#define BARRICADE_MATCHERS_DIVERGENCE_LOCALPARTS_H

namespace clang {
class Expr;
class FieldDecl;
class VarDecl;
} // namespace clang

namespace barricade::divergence {

/// The temporary whose lifetime the reference that \p Init binds to it, or to a
/// part of it, extends.
bool isTemporary(const clang::Expr &Init);

/// The lvalue \p E is a member of a union, or an object under another type than
/// its own, or a part of such: what else the variable holds is the same memory.
bool isOverlaid(const clang::Expr &E);

/// The field by which \p Field is known: of bit fields the record's first one,
/// for several lie in one word, which is written as a whole.
const clang::FieldDecl &knownAs(const clang::FieldDecl &Field);

/// The local variable, no reference, of which the lvalue \p E is a part.
const clang::VarDecl *localUnder(const clang::Expr &E);

/// A variable or a field of one, which call summaries can write back to.
bool isName(const clang::Expr &E);

} // namespace barricade::divergence

#endif
