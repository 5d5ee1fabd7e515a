// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other translation units do with a function of this one, as far as
// anybody knows: an index of the whole program answers
// (program/ProgramIndex.h).

#ifndef BARRICADE_MATCHERS_OTHERUNITS_H
#define BARRICADE_MATCHERS_OTHERUNITS_H

#include "matchers/Finding.h"
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace barricade {

struct Program;

/// What other units do with a function.
struct OtherUses {
  /// No other unit calls it, takes its address or has its text, nor can any.
  bool AreNone = false;
  /// What is known where that is not so.
  std::vector<Note> Known;
};

/// Answers for one translation unit.
class OtherUnits {
public:
  virtual ~OtherUnits() = default;
  /// \p Function is a device function of the unit's, visible to others.
  virtual OtherUses usesOf(const clang::FunctionDecl &Function) const = 0;
};

/// What units other than \p Whole may do with \p Function, a device function of
/// its.
OtherUses otherUsesOf(const clang::FunctionDecl &Function,
                      const Program &Whole);

} // namespace barricade

#endif
