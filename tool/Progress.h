// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_TOOL_PROGRESS_H
#define BARRICADE_TOOL_PROGRESS_H

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

  void show(llvm::StringRef Name) {
    if (!Shown)
      return;
    // A name that wraps could not be erased.
    OS << EraseLine << '[' << Done << '/' << Total << "] "
       << Name.take_back(60);
    OS.flush();
  }

  llvm::raw_ostream &OS;
  size_t Total;
  size_t Done = 0;
  bool Shown;
};

} // namespace barricade

#endif
