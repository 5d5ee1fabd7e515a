// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is found out about a context once, for all that ask.

#ifndef BARRICADE_MATCHERS_SOURCE_PERCONTEXT_H
#define BARRICADE_MATCHERS_SOURCE_PERCONTEXT_H

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <mutex>

namespace barricade {

/// The one \p T of \p Context, as long as that lives. A context is one thread's
/// at a time; several may ask of several.
template <typename T>
std::shared_ptr<T> onePerContext(const clang::ASTContext &Context) {
  struct Registry {
    std::mutex Lock;
    llvm::DenseMap<const clang::ASTContext *, std::shared_ptr<T>> Of;
  };
  static Registry &All = *new Registry; // Contexts may outlive what is static.
  std::lock_guard<std::mutex> Guard(All.Lock);
  std::shared_ptr<T> &Its = All.Of[&Context];
  if (!Its) {
    Its = std::make_shared<T>();
    Context.AddDeallocation(
        [](void *Gone) {
          std::lock_guard<std::mutex> Guard(All.Lock);
          All.Of.erase(static_cast<const clang::ASTContext *>(Gone));
        },
        const_cast<clang::ASTContext *>(&Context));
  }
  return Its;
}

} // namespace barricade

#endif
