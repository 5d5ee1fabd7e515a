// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one translation unit says that others must know: which functions of the
// device's it defines and declares, whom it calls and launches, whose address
// it takes, by which names it speaks of them to the linker.
//
// Both passes count, and templates' instances. Where in doubt, a unit uses a
// function: what it names in assembly counts, or in code that its passes leave
// out, and whatever Clang has marked as referenced, though nobody saw where.

#ifndef BARRICADE_PROGRAM_UNITSUMMARY_H
#define BARRICADE_PROGRAM_UNITSUMMARY_H

#include "matchers/Finding.h"
#include "matchers/Program.h"
#include "program/Record.h"

namespace clang {
class ASTContext;
class ASTNameGenerator;
class FunctionDecl;
} // namespace clang

namespace barricade::program {

/// A file that a unit is made of.
struct UnitInput {
  std::string Path; ///< Canonical.
  std::string Hash; ///< hashOf() its text.
};

/// What a unit is made of, beyond its ASTs.
struct UnitOrigin {
  std::string File;    ///< The main file, canonical.
  std::string Command; ///< A hash of all that says how it is compiled.
  std::vector<UnitInput> Inputs;
};

struct UnitSummary {
  std::string Unit;            ///< Its id: by file and command.
  std::string Contents;        ///< A hash of all the rest.
  std::vector<Record> Records; ///< In the order of kind and key.
};

UnitSummary summarise(const Program &Unit, const UnitOrigin &Origin);

std::string hashOf(llvm::StringRef Text);

/// The place that a claim speaks of.
Place placeOf(const llvm::json::Object &Says);

/// The key of the records that speak of \p Function. One that other units
/// cannot name is told from those of other units by \p Unit.
std::string keyOf(const clang::FunctionDecl &Function, llvm::StringRef Unit);

/// What the device's linker calls \p Function; empty: it does not know it, or
/// by more names than one.
std::string symbolOf(const clang::FunctionDecl &Function,
                     clang::ASTNameGenerator &Names);

/// The key of the records of what some text names \p Symbol, or, if that
/// \p GoesOn, something that begins so.
std::string textKey(llvm::StringRef Symbol, bool GoesOn);

/// The keys of the records of what code that is left out may name: anything,
/// and what it puts together from parts.
inline constexpr llvm::StringLiteral AnyName = "*", PastedName = "##";

} // namespace barricade::program

#endif
