// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tells functions apart across passes and translation units, once their
// ASTs are gone, and what they are called.

#ifndef BARRICADE_MATCHERS_SOURCE_FUNCTIONID_H
#define BARRICADE_MATCHERS_SOURCE_FUNCTIONID_H

#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace barricade {

/// The unified symbol resolution of \p Function as it is written: all instances
/// of a template have one text, hence one id. Never empty.
std::string functionId(const clang::FunctionDecl &Function);

/// What a name made of that of \p Function begins with: its own; its class's,
/// of a constructor or destructor; `operators`, where it has none.
std::string nameStem(const clang::FunctionDecl &Function);

} // namespace barricade

#endif
