// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call runs once the program is linked: a definition in sight may give
// way to another one, and a name may be that of another function.

#ifndef BARRICADE_MATCHERS_FACTS_LINKEDCODE_H
#define BARRICADE_MATCHERS_FACTS_LINKEDCODE_H

namespace clang {
class FunctionDecl;
} // namespace clang

namespace barricade::facts {

/// The definition of \p Function, with a body, if that is what runs wherever it
/// is called; null where there is none in sight, or another one may run.
const clang::FunctionDecl *linkedBody(const clang::FunctionDecl &Function);

/// The user has \p Function of a library's stand for another one, by the name
/// that the linker looks for: `extern "C" int rand() __asm__("my_rand");`.
bool isRelabelled(const clang::FunctionDecl &Function);

} // namespace barricade::facts

#endif
