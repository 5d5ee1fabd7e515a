// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object a memory access reaches, as far as the source shows it, and
// whether two accesses may touch the same bytes.

#ifndef BARRICADE_MATCHERS_MEMORYROOT_H
#define BARRICADE_MATCHERS_MEMORYROOT_H

#include "clang/AST/Type.h"

namespace clang {
class ASTContext;
class Expr;
class FieldDecl;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace barricade {

enum class MemorySpace { Global, Shared, Constant, Local, Unknown };

/// The object at the bottom of a pointer or lvalue expression.
struct MemoryRoot {
  MemorySpace Space = MemorySpace::Unknown;
  /// The kernel's pointer parameter, or the array or variable itself; null
  /// where the source does not show it.
  const clang::VarDecl *Object = nullptr;
  /// Set where the pointer is a field of the struct `Object`.
  const clang::FieldDecl *Field = nullptr;
  /// The pointer promises by `__restrict__` that nothing else reaches its
  /// object.
  bool IsRestrict = false;

  explicit operator bool() const { return Object != nullptr; }
};

/// The root of the lvalue or pointer \p E in \p Function. Local pointer
/// variables are followed where every value they get has one root.
/// \p RestrictParams treats all pointer parameters as `__restrict__` (nvcc's
/// --restrict).
MemoryRoot findMemoryRoot(const clang::Expr &E,
                          const clang::FunctionDecl &Function,
                          bool RestrictParams = false);

/// A place in memory: what type is read or written, and on what root.
struct MemoryReference {
  clang::QualType Type; ///< Null: untyped bytes.
  MemoryRoot Root;
};

/// False only where the language or the source rules out that both touch the
/// same bytes: distinct objects, `__restrict__` roots, or types that strict
/// aliasing ([basic.lval]) keeps apart.
bool mayAlias(const MemoryReference &A, const MemoryReference &B,
              clang::ASTContext &Context);

} // namespace barricade

#endif
