// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a parse asked the file system, with the answers. Where all
// answers are still the same, the parse would read the same again: contents of
// all headers, those that are looked for in vain, toolkits and compilers that
// the driver looks for.

#ifndef BARRICADE_FRONTEND_FILEPROBES_H
#define BARRICADE_FRONTEND_FILEPROBES_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <mutex>
#include <string>
#include <vector>

namespace barricade {

/// One question and its answer.
struct Probe {
  enum class Kind : uint8_t {
    Status,  ///< Is there something, and what?
    Content, ///< What is in the file, and what is its real name?
    Listing, ///< Which names are in the folder?
  };
  Kind Asked = Kind::Status;
  std::string Path; ///< Absolute.
  /// XXH3 (128 bits) of the answer.
  uint64_t Low = 0, High = 0;
};

template <typename A> void archive(A &Archive, Probe &P) {
  auto &[Asked, Path, Low, High] = P;
  Archive(Asked, Path, Low, High);
}

/// What one analysis asked.
class FileProbes {
public:
  void add(Probe P);
  /// False where a question had two answers: something changed meanwhile.
  bool consistent() const { return Consistent; }
  std::vector<Probe> take() { return std::move(Probes); }

private:
  std::vector<Probe> Probes;
  llvm::StringMap<size_t> Known; ///< By kind and path.
  bool Consistent = true;
};

/// A view of the real file system that notes every question in \p Into, which
/// must outlive it. For one thread.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
probingFileSystem(FileProbes &Into);

/// Asks again. A question is asked once in this object's life, so that headers
/// which many sources share are read once. For several threads.
class ProbeChecker {
public:
  bool stillHold(const std::vector<Probe> &Probes);

private:
  std::mutex Lock;
  llvm::StringMap<Probe> Answers; ///< By kind and path.
};

} // namespace barricade

#endif
