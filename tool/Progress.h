// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_TOOL_PROGRESS_H
#define BARRICADE_TOOL_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace barricade {

/// A line on a terminal that says how many of the files are done, and vanishes
/// with the object. Shows nothing for one file, nor where nobody looks.
class Progress {
public:
  Progress(llvm::raw_ostream &OS, size_t Total, bool Wanted)
      : OS(OS), Total(Total), Shown(Wanted && Total > 1 && OS.is_displayed()) {
    show("");
  }
  ~Progress() {
    if (Shown)
      OS << EraseLine;
    OS.flush();
  }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void fileDone(llvm::StringRef Name) {
    ++Done;
    show(Name);
  }

private:
  static constexpr llvm::StringLiteral EraseLine = "\r\x1b[K";
  // A line that wraps could not be erased: the terminal cuts it off instead.
  static constexpr llvm::StringLiteral WrapOff = "\x1b[?7l";
  static constexpr llvm::StringLiteral WrapOn = "\x1b[?7h";

  void show(llvm::StringRef Name) {
    if (!Shown)
      return;
    // In one piece, so that no interruption leaves the terminal without wrap.
    OS << (EraseLine + WrapOff + "[" + llvm::Twine(Done) + "/" +
           llvm::Twine(Total) + "] " + endOf(Name) + WrapOn)
              .str();
    OS.flush();
  }

  /// The end of a path says more than its beginning.
  static llvm::StringRef endOf(llvm::StringRef Name) {
    // Not from within a UTF-8 sequence on.
    return Name.take_back(60).drop_while(
        [](unsigned char C) { return (C & 0xC0) == 0x80; });
  }

  llvm::raw_ostream &OS;
  size_t Total;
  size_t Done = 0;
  bool Shown;
};

} // namespace barricade

#endif
