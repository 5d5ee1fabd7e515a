// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What files contributed in earlier runs, in a folder of --cache-dir.
//
// An entry is named by a hash of all that is known before a file is read: this
// program, the translated command of each pass, the rules and their options. It
// holds what the passes asked the file system (frontend/FileProbes.h) and the
// result; it counts as long as every answer is the same. Hashing the
// preprocessed text instead would miss what findings depend on besides, as
// comments and places, and cost much of the parse that it is to save.

#ifndef BARRICADE_TOOL_RESULTCACHE_H
#define BARRICADE_TOOL_RESULTCACHE_H

#include "frontend/CacheFolder.h"
#include "frontend/FileProbes.h"
#include "frontend/Translate.h"
#include "tool/Analyze.h"

namespace barricade {

/// Safe to use from several threads, and for several processes at once.
class ResultCache {
public:
  /// Makes the folder where there is none; fails where that cannot be.
  static llvm::Expected<std::unique_ptr<ResultCache>>
  open(llvm::StringRef Folder, llvm::CachePruningPolicy Policy);

  /// The entry for \p File, to be read as \p Commands say. \p Known: what of
  /// its report is known before. \p OfOthers: of what is known of other units.
  std::string nameFor(const InputFile &File,
                      llvm::ArrayRef<TranslatedCommand> Commands,
                      const FileReport &Known, bool Color,
                      llvm::StringRef OfOthers) const;

  /// Nothing where there is no such entry, or none that still holds.
  std::optional<FileResult> find(llvm::StringRef Name);

  /// A result that cannot be kept (a full disk, a file that changed while it
  /// was read) is not: the next run makes it anew.
  void store(llvm::StringRef Name, FileProbes Seen, FileResult &Result);

private:
  explicit ResultCache(std::unique_ptr<CacheFolder> Folder);

  std::unique_ptr<CacheFolder> Folder;
  std::string Program; ///< Digest of this program.
  ProbeChecker Checker;
};

} // namespace barricade

#endif
