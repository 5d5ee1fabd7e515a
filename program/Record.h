// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What translation units say of a program, in a form in which what any number
// of them say can be put together, in any order and grouping.
//
// A record speaks of one thing: a function, a file, a unit. It holds claims,
// each with the units that make it. Putting two records together is a union of
// sets, and what is kept of a claim's units, the first two and whether there
// are more, is one as well: so it is associative, commutative and idempotent.

#ifndef BARRICADE_PROGRAM_RECORD_H
#define BARRICADE_PROGRAM_RECORD_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <tuple>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace barricade::program {

/// What some units say.
struct Claim {
  Claim(llvm::json::Object Says, std::vector<std::string> Units = {});
  Claim(std::string Text, std::vector<std::string> Units, bool HasMoreUnits)
      : Text(std::move(Text)), Units(std::move(Units)),
        HasMoreUnits(HasMoreUnits) {}

  /// An object of JSON, keys in order: what claims differ by. Most are only
  /// ever handed on, so that it stays a text.
  std::string Text;
  /// The ids of the first two that say so, in order. To tell whether anybody
  /// but a certain unit says it, no more are needed: a header's functions would
  /// take as much room again with each of the units that include it.
  std::vector<std::string> Units;
  bool HasMoreUnits = false;

  /// What is said; empty where the text is damaged.
  llvm::json::Object says() const;
  /// It says \p Value of \p Key, without a look at the rest.
  bool says(llvm::StringRef Key, llvm::StringRef Value) const;

  /// Some unit other than \p Unit says so.
  bool isOfOthersThan(llvm::StringRef Unit) const;
};

/// The kinds of things that records speak of.
inline constexpr llvm::StringLiteral FileKind = "file", ///< By its path.
    FunctionKind = "function",                          ///< By its USR.
    GlobalKind = "global", ///< A variable of the device's, by its USR.
    NameKind = "name",     ///< What code that is left out names, by the word.
    SymbolKind = "symbol", ///< What the device's linker calls a function.
    UnitKind = "unit";     ///< A translation unit, by its id.

struct Record {
  std::string Kind, Key;
  std::vector<Claim> Claims; ///< By their texts, each once.

  auto key() const { return std::tie(Kind, Key); }
  void add(Claim New);
};

/// What all of \p Parts, of the same thing and at least one, say.
Record combined(std::vector<Record> Parts);

/// A line without its end.
void write(const Record &R, llvm::raw_ostream &OS);

/// Fails where \p Line is none as write() writes them. What its claims say is
/// not looked at.
llvm::Expected<Record> parseRecord(llvm::StringRef Line);

} // namespace barricade::program

#endif
