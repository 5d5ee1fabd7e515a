// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of what earlier runs found out, by name. Several processes may use
// it at once; what is damaged, cut short or written by half is not there.

#ifndef BARRICADE_FRONTEND_CACHEFOLDER_H
#define BARRICADE_FRONTEND_CACHEFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace barricade {

class CacheFolder {
public:
  /// Makes the folder where there is none; fails where that cannot be, with the
  /// system's words.
  static llvm::Expected<std::unique_ptr<CacheFolder>>
  open(llvm::StringRef Folder, llvm::CachePruningPolicy Policy);
  /// Removes old entries, as the policy says.
  ~CacheFolder();

  /// An entry's bytes; they live as long as the buffer.
  struct Found {
    std::unique_ptr<llvm::MemoryBuffer> File;
    llvm::StringRef Bytes;
  };
  /// Nothing where there is no such entry, or one that is damaged. Being asked
  /// for keeps an entry from being old.
  std::optional<Found> find(llvm::StringRef Name) const;

  /// Replaces the entry. What cannot be written (a full disk) is not there.
  void store(llvm::StringRef Name, llvm::StringRef Bytes) const;

private:
  CacheFolder(std::string Folder, llvm::CachePruningPolicy Policy)
      : Folder(std::move(Folder)), Policy(Policy) {}
  std::string pathOf(llvm::StringRef Name) const;

  std::string Folder;
  llvm::CachePruningPolicy Policy;
};

} // namespace barricade

#endif
