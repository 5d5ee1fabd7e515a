// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of a piece of source in which statements are replaced.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_TEXTPATCH_H
#define BARRICADE_REWRITERS_GRIDBARRIER_TEXTPATCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace barricade::grid_barrier {

/// Replacements within \p Text, by byte offsets, in any order, not overlapping.
class TextPatch {
public:
  explicit TextPatch(llvm::StringRef Text) : Text(Text) {}

  void replace(unsigned Begin, unsigned End, std::string New) {
    Parts.push_back({Begin, End, std::move(New)});
  }
  /// Removes the bytes, and the lines that hold nothing else, with the comment
  /// lines right above them.
  void remove(unsigned Begin, unsigned End);

  /// The byte at \p Where is replaced.
  bool replaces(unsigned Where) const;

  std::string str() const;

private:
  struct Part {
    unsigned Begin, End;
    std::string New;
  };
  llvm::StringRef Text;
  std::vector<Part> Parts;
};

/// \p Text with each line after the first moved from the indentation \p From to
/// \p To; lines that are indented otherwise, and empty ones, stay as they are.
std::string reindent(llvm::StringRef Text, llvm::StringRef From,
                     llvm::StringRef To);

/// `Head(Items...)Tail`, broken after commas where a line would be longer than
/// 80 columns; what follows is aligned with the first item, which begins a line
/// of its own where it would not fit behind the head. \p Indentation stands
/// before the first line already.
std::string wrapList(llvm::StringRef Indentation, llvm::StringRef Head,
                     llvm::ArrayRef<std::string> Items, llvm::StringRef Tail,
                     llvm::StringRef LineEnding);

/// Of what no text asks for, so that compilers do not warn.
inline constexpr llvm::StringLiteral MaybeUnused = "[[maybe_unused]] ";

/// Calls \p Visit for each run of letters, digits and underscores.
void forEachWord(llvm::StringRef Text,
                 llvm::function_ref<void(llvm::StringRef)> Visit);

/// \p Word is one of these runs.
bool holdsWord(llvm::StringRef Text, llvm::StringRef Word);

/// \p Text, which is code, surely names a variable \p Name: the word stands
/// there, outside of comments and literals, and for no member and no name of a
/// class or namespace.
bool spellsVariable(llvm::StringRef Text, llvm::StringRef Name);

} // namespace barricade::grid_barrier

#endif
