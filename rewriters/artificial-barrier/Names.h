// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for what a rewriting adds.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_NAMES_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_NAMES_H

#include "rewriters/SourceText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade::artificial_barrier {

/// Does \p Function name something so, \p Except left out? Macros are looked
/// through.
bool mentionsAny(const llvm::StringSet<> &Names,
                 const clang::FunctionDecl &Function,
                 const clang::Stmt *Except = nullptr);

/// Gives names that mean nothing yet where they are declared.
class FreshNames {
public:
  explicit FreshNames(clang::ASTContext &Context);

  /// \p Base, or \p Base with the first number from 2 on that makes it new in
  /// \p Block of \p Function, and in all that \p Block holds or is held by.
  std::string get(llvm::StringRef Base, const clang::FunctionDecl &Function,
                  const clang::Stmt &Block);

private:
  bool isTaken(llvm::StringRef Name, const clang::FunctionDecl &Function,
               const clang::Stmt &Block) const;

  struct Given {
    std::string Name;
    const clang::Stmt *Block;
  };
  clang::ASTContext &Context;
  SourceText Source;
  /// By outermost function: no block holds one of another such.
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<Given>> Names;
};

} // namespace barricade::artificial_barrier

#endif
