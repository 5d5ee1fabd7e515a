// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_TOOL_PROGRESS_H
#define BARRICADE_TOOL_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <string>

namespace barricade {

/// A line on a terminal that says how many of several things are done, how long
/// the rest will take, and vanishes with the object. Shows nothing for one
/// thing, nor where nobody looks.
class Progress {
public:
  /// \p What is done to them, in front of the line.
  Progress(llvm::raw_ostream &OS, size_t Total, bool Wanted,
           llvm::StringRef What = "")
      : OS(OS), What(What), Total(Total),
        Shown(Wanted && Total > 1 && OS.is_displayed()) {
    show("");
  }
  ~Progress() {
    if (Shown)
      OS << EraseLine;
    OS.flush();
  }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void done(llvm::StringRef Name) {
    ++Done;
    show(Name);
  }

  /// `, 1:05 left`; nothing as long as that says little.
  static std::string timeLeft(std::chrono::seconds Elapsed, size_t Done,
                              size_t Total) {
    if (Elapsed < std::chrono::seconds(3) || !Done || Done == Total)
      return {};
    const auto Seconds = Elapsed.count() * (Total - Done) / Done;
    const std::string Rest = std::to_string(Seconds % 60);
    return ", " + std::to_string(Seconds / 60) +
           (Rest.size() == 1 ? ":0" : ":") + Rest + " left";
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
    const auto Elapsed = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - Begin);
    OS << (EraseLine + WrapOff + What + "[" + llvm::Twine(Done) + "/" +
           llvm::Twine(Total) + timeLeft(Elapsed, Done, Total) + "] " +
           endOf(Name) + WrapOn)
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
  llvm::StringRef What;
  size_t Total;
  size_t Done = 0;
  bool Shown;
  const std::chrono::steady_clock::time_point Begin =
      std::chrono::steady_clock::now();
};

} // namespace barricade

#endif
