// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/CacheFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace barricade {

/// Before the bytes of an entry, so that a part of one is known for it.
static std::string checksum(StringRef Bytes) {
  auto Hash = xxh3_128bits(arrayRefFromStringRef(Bytes));
  return "barricade cache " + utohexstr(Hash.high64, true, 16) +
         utohexstr(Hash.low64, true, 16) + "\n";
}

Expected<std::unique_ptr<CacheFolder>>
CacheFolder::open(StringRef Folder, CachePruningPolicy Policy) {
  SmallString<256> Path;
  std::error_code EC = sys::fs::create_directories(Folder);
  if (!EC && !sys::fs::is_directory(Folder))
    EC = std::make_error_code(std::errc::not_a_directory);
  // A run may change its working directory.
  if (!EC)
    EC = sys::fs::real_path(Folder, Path);
  if (EC)
    return errorCodeToError(EC);
  return std::unique_ptr<CacheFolder>(
      new CacheFolder(std::string(Path), Policy));
}

CacheFolder::~CacheFolder() { pruneCache(Folder, Policy); }

std::string CacheFolder::pathOf(StringRef Name) const {
  SmallString<256> Path(Folder);
  // pruneCache leaves files of any other name alone.
  sys::path::append(Path, "llvmcache-" + Name);
  return std::string(Path);
}

std::optional<CacheFolder::Found> CacheFolder::find(StringRef Name) const {
  // The time of use tells which entries are old.
  auto File =
      sys::fs::openNativeFileForRead(pathOf(Name), sys::fs::OF_UpdateAtime);
  if (!File) {
    consumeError(File.takeError());
    return std::nullopt;
  }
  auto Whole = MemoryBuffer::getOpenFile(*File, Name, /*FileSize=*/-1,
                                         /*RequiresNullTerminator=*/false);
  sys::fs::closeFile(*File);
  const size_t HeadSize = checksum("").size();
  if (!Whole || (*Whole)->getBufferSize() < HeadSize)
    return std::nullopt;
  StringRef Bytes = (*Whole)->getBuffer().drop_front(HeadSize);
  if (!(*Whole)->getBuffer().starts_with(checksum(Bytes)))
    return std::nullopt;
  return Found{std::move(*Whole), Bytes};
}

void CacheFolder::store(StringRef Name, StringRef Bytes) const {
  const std::string Path = pathOf(Name);
  auto Temp = sys::fs::TempFile::create(Path + ".tmp-%%%%%%%%");
  if (!Temp)
    return consumeError(Temp.takeError());
  raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
  OS << checksum(Bytes) << Bytes;
  OS.flush();
  const bool Written = !OS.has_error();
  OS.clear_error();
  Error Ended = Written ? Temp->keep(Path) : Temp->discard();
  if (Ended) {
    consumeError(std::move(Ended));
    consumeError(Temp->discard());
  }
}

} // namespace barricade
