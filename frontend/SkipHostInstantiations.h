//===- SkipHostInstantiations.h - Templates nobody looks at -----*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At the end of a source Clang instantiates every function template that was
// used. In a source with Thrust that is nearly all of the time that is left
// once the headers are precompiled, and nearly all of it goes into bodies of
// library functions that host code calls: no rule ever reads them.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_SKIPHOSTINSTANTIATIONS_H
#define BARRICADE_FRONTEND_SKIPHOSTINSTANTIATIONS_H

#include <memory>

namespace clang {
class ASTConsumer;
} // namespace clang

namespace barricade {

/// A consumer that leaves out instantiations of functions of system headers, as
/// long as only host code of the user asks for them and their template
/// arguments name nothing of the user's, so that they cannot instantiate any
/// code of the user's in turn. What device code calls is instantiated, however
/// deep, and so is what the user wrote.
///
/// The price: an error that only such a body would show goes unseen.
std::unique_ptr<clang::ASTConsumer> makeSkipHostInstantiations();

} // namespace barricade

#endif // BARRICADE_FRONTEND_SKIPHOSTINSTANTIATIONS_H
