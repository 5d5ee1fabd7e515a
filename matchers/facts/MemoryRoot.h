// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object a memory access reaches, as far as the source shows it, and
// whether two accesses may touch the same bytes.

#ifndef BARRICADE_MATCHERS_FACTS_MEMORYROOT_H
#define BARRICADE_MATCHERS_FACTS_MEMORYROOT_H

#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class Expr;
class FieldDecl;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace barricade {

enum class MemorySpace { Global, Shared, Constant, Local, Unknown };

/// "global", "shared", ...
llvm::StringRef nameOf(MemorySpace Space);

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
  bool operator==(const MemoryRoot &) const = default;
};

/// The roots of a function's accesses. Local pointer variables are followed
/// where every value they get has one root.
class MemoryRoots {
public:
  /// Reads the body of \p Function, once. \p RestrictParams treats all pointer
  /// parameters as `__restrict__` (nvcc's --restrict).
  explicit MemoryRoots(const clang::FunctionDecl &Function,
                       bool RestrictParams = false);

  /// The root of the function's lvalue or pointer \p E.
  MemoryRoot of(const clang::Expr &E) const;
  /// The root of whatever the function's local variable or parameter \p Pointer
  /// is given.
  MemoryRoot of(const clang::VarDecl &Pointer) const;

  /// What a local variable is given, and whether that is all that happens to
  /// it.
  struct PointerSources {
    llvm::SmallVector<const clang::Expr *, 2> Values;
    bool Escapes = false;
  };

private:
  const clang::FunctionDecl &Function;
  bool RestrictParams;
  llvm::DenseMap<const clang::VarDecl *, PointerSources> Sources;
};

/// A place in memory: what type is read or written, and on what root.
struct MemoryReference {
  clang::QualType Type; ///< Null: untyped bytes.
  MemoryRoot Root;
  bool operator==(const MemoryReference &) const = default;
};

/// False only where the language or the source rules out that both touch the
/// same bytes: distinct objects, `__restrict__` roots, or types that strict
/// aliasing ([basic.lval]) keeps apart.
bool mayAlias(const MemoryReference &A, const MemoryReference &B,
              clang::ASTContext &Context);

/// Strict aliasing: may an object of one type be accessed as the other? Records
/// and vectors may hold anything, so they are never ruled out; nor are integers
/// and enumerations of one size; nor is a null type.
bool typesMayAlias(clang::QualType A, clang::QualType B,
                   const clang::ASTContext &Context);

} // namespace barricade

#endif
