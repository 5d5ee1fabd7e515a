// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pointers of a host function can only lead to device memory that the
// function has allocated itself. Nothing else lies there: no variable of the
// host, nothing that a caller's pointer reaches.

#ifndef BARRICADE_MATCHERS_FACTS_DEVICEALLOCATIONS_H
#define BARRICADE_MATCHERS_FACTS_DEVICEALLOCATIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace barricade {

class DeviceAllocations {
public:
  /// Reads the body of \p Function.
  explicit DeviceAllocations(const clang::FunctionDecl &Function);

  /// \p Var is a local pointer that gets nothing but allocations for itself:
  /// two such variables never lead to the same memory.
  bool isOwner(const clang::VarDecl &Var) const;

  /// Wherever the pointer \p E may lead is memory that the function has
  /// allocated, or no memory at all.
  bool reachesOnlyOwn(const clang::Expr &E) const;

  /// The pointer \p E may have come from a function whose code is a library's
  /// or is not seen, and may lead to memory of whatever kind that allocates.
  bool comesFromUnseen(const clang::Expr &E) const;

private:
  void dropWhatIsGivenOthers();

  clang::ASTContext &Context;
  /// Local pointers, with what they are given besides allocations.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Given;
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Allocated;
  /// Local pointers, with all values that they may get.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Values;
  /// Those that a function fills which is not seen.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> FilledUnseen;
};

} // namespace barricade

#endif
