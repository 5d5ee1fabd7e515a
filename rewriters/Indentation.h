// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves whole lines left and right by levels of indentation, where a rewriting
// takes a block away from around them or puts one there.

#ifndef BARRICADE_REWRITERS_INDENTATION_H
#define BARRICADE_REWRITERS_INDENTATION_H

#include "matchers/Finding.h"
#include "rewriters/SourceText.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <string>
#include <vector>

namespace barricade {

class Indentation {
public:
  /// \p Inner is a statement one level deeper than \p Outer: that tells what a
  /// level is in this file.
  Indentation(const SourceText &Source, clang::SourceLocation Outer,
              clang::SourceLocation Inner);

  /// Moves the lines from that of \p First to that of \p Last by \p Levels,
  /// which replaces what an earlier call said of them.
  void moveLines(clang::SourceLocation First, clang::SourceLocation Last,
                 int Levels);

  /// By how many levels the line of \p Where moves.
  int levelsOf(clang::SourceLocation Where) const;

  /// The blanks of the line of \p Where, moved by \p Levels.
  std::string at(clang::SourceLocation Where, int Levels) const;

  /// \p Text with all lines but its first moved by \p Levels.
  std::string moved(llvm::StringRef Text, int Levels) const;

  /// The edits that move the lines. Lines whose start one of \p Others
  /// replaces, empty ones, and ones that begin within a string stay.
  std::vector<Edit> edits(llvm::ArrayRef<Edit> Others) const;

private:
  std::string moveBlanks(llvm::StringRef Blanks, int Levels) const;

  const SourceText &Source;
  std::string Level;
  std::map<clang::SourceLocation, int> Lines; ///< By the start of the line.
};

} // namespace barricade

#endif
