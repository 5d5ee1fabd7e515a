// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel has to do with others than the threads of its grid: memory that
// no parameter of its shows, where anything may lie, and places where who runs
// meanwhile may see how far it is, or the other way round.

#ifndef BARRICADE_MATCHERS_DEPENDENCE_OUTSIDEGRID_H
#define BARRICADE_MATCHERS_DEPENDENCE_OUTSIDEGRID_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class ASTContext;
class QualType;
} // namespace clang

namespace barricade {
struct KernelEffects;
} // namespace barricade

namespace barricade::dependence {

/// A pointer, or something with a pointer in it.
bool holdsPointer(clang::QualType Type, const clang::ASTContext &Context);

struct HiddenPointers {
  /// Of a pointer that comes from elsewhere than parameters: a variable of the
  /// device, memory, a number. Invalid: there is none.
  clang::SourceLocation Found;
  /// Some cast may make a pointer to const one to write through, or what such a
  /// pointer leads to may be written all the same.
  bool DropsConst = false;
};

/// In whatever a kernel and all it calls run, what declarations say for it
/// included.
HiddenPointers findHiddenPointers(const KernelEffects &Effects);

/// What a kernel has in common with others that run meanwhile: whoever reads
/// what it writes there, or the other way round, may go by that. What the block
/// has for itself is not looked at. Invalid: there is nothing.
clang::SourceLocation findSignal(const KernelEffects &Effects);

} // namespace barricade::dependence

#endif
