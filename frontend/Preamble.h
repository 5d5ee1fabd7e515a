//===- Preamble.h - Headers kept parsed between edits -----------*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source's preamble is what comes before its first declaration: its #include
// lines, and the headers that every CUDA source gets unasked. Nearly all of a
// parse goes there, and hardly any edit. So an editor's server keeps it
// precompiled, one for each pass.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_PREAMBLE_H
#define BARRICADE_FRONTEND_PREAMBLE_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class CompilerInvocation;
class Decl;
class SourceManager;
} // namespace clang

namespace barricade {

/// What a parse read of the user's: files that are no system headers.
struct UserFiles {
  std::vector<std::string> Paths; ///< Absolute.
  /// One of them names __CUDA_ARCH__ (or __CUDA_ARCH_LIST__).
  bool MentionCudaArch = false;

  /// Adds the files that \p SM itself read; not those of a precompiled part.
  void collect(clang::SourceManager &SM);
  void append(const UserFiles &Others);
};

/// A precompiled preamble of one pass of one source.
class Preamble {
public:
  ~Preamble();

  const UserFiles &userFiles() const;

  /// Makes the parse that \p Invocation describes begin after the preamble and
  /// read \p MainFile for its source; \p FS gets the precompiled part. This
  /// object must outlive that parse and its AST.
  void apply(clang::CompilerInvocation &Invocation,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
             std::unique_ptr<llvm::MemoryBuffer> MainFile) const;

  /// Shows traversals of the AST what the user wrote and no more: the
  /// preamble's declarations outside system headers, then the main file's.
  /// Anything else would be read back in at every edit.
  void limitTraversal(clang::CompilerInstance &Instance) const;

  /// Bytes that it takes.
  size_t size() const;

private:
  friend class PreambleCache;
  struct State;
  explicit Preamble(std::unique_ptr<State> S);
  std::unique_ptr<State> S;
};

/// The preambles of one source. Safe to use from several threads.
class PreambleCache {
public:
  /// The preamble of the source that \p Invocation parses and that now reads
  /// \p MainFile; built anew where the kept one is out of date, in one of its
  /// files or in the source itself. \p Key names the pass and its options.
  /// Null where a preamble cannot be built or has errors: then the source must
  /// be parsed as a whole, for its diagnostics.
  std::shared_ptr<const Preamble>
  get(llvm::StringRef Key, const clang::CompilerInvocation &Invocation,
      const llvm::MemoryBuffer &MainFile,
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS);

  /// Forgets what was not asked for since the last call.
  void dropUnused();

  /// Bytes that all preambles take together.
  size_t size() const;

private:
  struct Entry {
    std::shared_ptr<const Preamble> Kept;
    bool Used = false;
  };
  mutable std::mutex Lock;
  std::map<std::string, Entry, std::less<>> Entries;
};

} // namespace barricade

#endif // BARRICADE_FRONTEND_PREAMBLE_H
