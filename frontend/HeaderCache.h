//===- HeaderCache.h - Headers that every source begins with ----*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every CUDA source begins with the toolkit's headers, which nobody asks for
// and which take nine tenths of a small source's parse. They are the same for
// all sources that are compiled alike, so that they are precompiled once and
// kept in a folder.
//
// A parse must not notice. What is kept is named by everything that is known
// before a file is read (Clang's version, environment, options) but for the
// user's -I, -iquote, -include and macros. It holds what it asked the file
// system, and counts as long as every answer is the same
// (frontend/FileProbes.h) and none of the user's folders, which come first in
// the search for headers, has a file of a name that was looked for. Macros that
// the headers mention belong to the name.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_HEADERCACHE_H
#define BARRICADE_FRONTEND_HEADERCACHE_H

#include "frontend/CacheFolder.h"
#include "frontend/FileProbes.h"
#include "frontend/Translate.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clang {
class CompilerInvocation;
} // namespace clang

namespace barricade {

/// Of the environment, what Clang's driver and preprocessor read unasked.
std::vector<std::string> clangsVariables();

/// How a header was looked for, and what was found; an empty path: nothing.
struct HeaderLookup {
  std::string Name, Path;
  auto operator<=>(const HeaderLookup &) const = default;
};
template <typename A> void archive(A &Archive, HeaderLookup &L) {
  auto &[Name, Path] = L;
  Archive(Name, Path);
}

/// The precompiled headers of one pass.
class PrecompiledHeaders {
public:
  /// Makes the parse that \p Invocation describes begin after the headers;
  /// \p FS gets the precompiled part. This object must outlive that parse and
  /// its AST. False, and nothing done, where the parse begins otherwise.
  bool apply(clang::CompilerInvocation &Invocation,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS) const;

  /// What the headers asked the file system.
  const std::vector<Probe> &probes() const { return Kept.Probes; }

private:
  friend class HeaderCache;

  struct Entry {
    std::vector<Probe> Probes;
    std::vector<HeaderLookup> Lookups;
    /// Every identifier in what was read, each between two line ends.
    std::string Identifiers;
    /// What Clang includes before the first line, in order.
    std::vector<std::string> Includes;
    /// The precompiled headers; empty where they are of no use.
    std::string Bytes;
  };
  template <typename A> friend void archive(A &Archive, Entry &E) {
    auto &[Probes, Lookups, Identifiers, Includes, Bytes] = E;
    Archive(Probes, Lookups, Identifiers, Includes, Bytes);
  }

  explicit PrecompiledHeaders(Entry Kept) : Kept(std::move(Kept)) {}

  bool mentions(llvm::StringRef Identifier) const;

  /// A folder in which the user's command has headers looked for.
  struct UsersFolder {
    std::string Path; ///< Absolute.
    /// Nothing comes of it where Clang looks into it anyway.
    bool IsDroppedIfOwn = false;
    bool IsLast = false; ///< It is for what no other folder has.
  };

  /// Whether it has a header for one of the toolkit's.
  bool isShadowedIn(const UsersFolder &Users, llvm::vfs::FileSystem &FS) const;

  Entry Kept;
};

/// For several threads, and several processes at once.
class HeaderCache {
public:
  /// Makes the folder where there is none; fails where that cannot be.
  static llvm::Expected<std::unique_ptr<HeaderCache>>
  open(llvm::StringRef Folder);

  /// Makes a command an invocation.
  using Invoke = llvm::function_ref<std::unique_ptr<clang::CompilerInvocation>(
      const TranslatedCommand &,
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>)>;

  /// The headers of that pass, precompiled now where they are not kept. Null
  /// where the command has anything that may change them unseen, where they
  /// have errors or belong to the user, and where a folder of the user's comes
  /// between: then the source must be read as a whole. \p Setting: what
  /// \p AsInvocation adds to the command. \p FS: what the parse sees; of the
  /// toolkit's headers, the disk.
  std::shared_ptr<const PrecompiledHeaders>
  get(const TranslatedCommand &Command, Pass P, unsigned Sm,
      llvm::StringRef Setting, Invoke AsInvocation, llvm::vfs::FileSystem &FS);

private:
  explicit HeaderCache(std::unique_ptr<CacheFolder> Folder)
      : Folder(std::move(Folder)) {}

  std::shared_ptr<const PrecompiledHeaders>
  findOrBuild(llvm::StringRef Name, const TranslatedCommand &Common,
              Invoke AsInvocation);
  static std::vector<PrecompiledHeaders::UsersFolder>
  usersFolders(const TranslatedCommand &Command,
               llvm::ArrayRef<std::string> LateFolders);
  static PrecompiledHeaders::Entry build(const TranslatedCommand &Common,
                                         Invoke AsInvocation);

  std::unique_ptr<CacheFolder> Folder;
  std::mutex Lock;
  ProbeChecker Checker;
  std::map<std::string, std::shared_ptr<const PrecompiledHeaders>, std::less<>>
      Entries; ///< By name; null: of no use.
};

} // namespace barricade

#endif // BARRICADE_FRONTEND_HEADERCACHE_H
