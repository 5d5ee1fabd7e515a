// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In what kind of function launches stand, whatever is to become of them. Each
// target asks what matters to it: what writes a kernel beside the function
// needs a name and a place for that, what changes launches alone does not.

#ifndef BARRICADE_MATCHERS_HOST_HOSTPLACE_H
#define BARRICADE_MATCHERS_HOST_HOSTPLACE_H

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade::host {

struct HostPlace {
  bool IsTemplate = false; ///< Types and values may be any.
  bool IsOfDevice = false; ///< The function is compiled for the device, too.
  bool IsMember = false;   ///< Of a class, but for the call of a lambda.
  bool IsInClass = false;  ///< Members, and friends that a class defines.
  /// In a namespace, but not in the function's own.
  bool IsOutOfLine = false;
  /// A kernel named after the function has a name that nvcc takes.
  bool MayNameKernels = true;
  /// A rewrite has it for what runs where a persistent kernel cannot.
  bool IsFallback = false;
};

/// The place of \p S in \p Function, which it may be in a lambda of.
HostPlace placeOf(const clang::Stmt &S, const clang::FunctionDecl &Function);

} // namespace barricade::host

#endif
