// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/FileProbes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace barricade {
namespace {

std::string keyOf(Probe::Kind Asked, StringRef Path) {
  return std::string(1, char(Asked)) + Path.str();
}

Probe probe(Probe::Kind Asked, StringRef Path, StringRef Answer) {
  auto Hash = xxh3_128bits(arrayRefFromStringRef(Answer));
  return {Asked, Path.str(), Hash.low64, Hash.high64};
}

Probe statusProbe(StringRef Path, const ErrorOr<vfs::Status> &Status) {
  return probe(Probe::Kind::Status, Path,
               Status ? "type " + std::to_string(int(Status->getType()))
                      : Status.getError().message());
}

Probe contentProbe(StringRef Path, vfs::File &File,
                   const ErrorOr<std::unique_ptr<MemoryBuffer>> &Buffer) {
  if (!Buffer)
    return probe(Probe::Kind::Content, Path, Buffer.getError().message());
  ErrorOr<std::string> Name = File.getName();
  auto Hash = xxh3_128bits(arrayRefFromStringRef((*Buffer)->getBuffer()));
  return probe(Probe::Kind::Content, Path,
               (Name ? *Name : "") + '\0' + std::to_string(Hash.low64) + " " +
                   std::to_string(Hash.high64));
}

Probe listingProbe(StringRef Path, vfs::FileSystem &FS) {
  std::vector<std::string> Names;
  std::error_code EC;
  for (vfs::directory_iterator It = FS.dir_begin(Path, EC), End;
       !EC && It != End; It.increment(EC))
    Names.push_back(It->path().str());
  sort(Names);
  return probe(Probe::Kind::Listing, Path,
               join(Names, StringRef("\0", 1)) + EC.message());
}

/// Asks \p Like again.
Probe askAgain(const Probe &Like, vfs::FileSystem &FS) {
  switch (Like.Asked) {
  case Probe::Kind::Status:
    return statusProbe(Like.Path, FS.status(Like.Path));
  case Probe::Kind::Listing:
    return listingProbe(Like.Path, FS);
  case Probe::Kind::Content:
    break;
  }
  auto File = FS.openFileForRead(Like.Path);
  if (!File)
    return probe(Probe::Kind::Content, Like.Path, File.getError().message());
  return contentProbe(Like.Path, **File, (*File)->getBuffer(Like.Path));
}

bool sameAnswer(const Probe &A, const Probe &B) {
  return A.Low == B.Low && A.High == B.High;
}

class ProbedFile : public vfs::File {
public:
  ProbedFile(std::unique_ptr<vfs::File> Real, std::string Path,
             FileProbes &Into)
      : Real(std::move(Real)), Path(std::move(Path)), Into(Into) {}

  ErrorOr<vfs::Status> status() override { return Real->status(); }
  ErrorOr<std::string> getName() override { return Real->getName(); }
  std::error_code close() override { return Real->close(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name,
                                                   int64_t FileSize,
                                                   bool RequiresNullTerminator,
                                                   bool IsVolatile) override {
    auto Buffer =
        Real->getBuffer(Name, FileSize, RequiresNullTerminator, IsVolatile);
    Into.add(contentProbe(Path, *Real, Buffer));
    return Buffer;
  }

private:
  std::unique_ptr<vfs::File> Real;
  std::string Path;
  FileProbes &Into;
};

class ProbingFileSystem : public vfs::ProxyFileSystem {
public:
  explicit ProbingFileSystem(FileProbes &Into)
      : ProxyFileSystem(vfs::createPhysicalFileSystem()), Into(Into) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    auto Status = ProxyFileSystem::status(Path);
    Into.add(statusProbe(absolute(Path), Status));
    return Status;
  }

  bool exists(const Twine &Path) override {
    auto Status = status(Path);
    return Status && Status->exists();
  }

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    auto File = ProxyFileSystem::openFileForRead(Path);
    const std::string Name = absolute(Path);
    if (!File) {
      Into.add(probe(Probe::Kind::Content, Name, File.getError().message()));
      return File;
    }
    // Whoever opens a file may look no further than at its status.
    Into.add(statusProbe(Name, (*File)->status()));
    return std::make_unique<ProbedFile>(std::move(*File), Name, Into);
  }

  vfs::directory_iterator dir_begin(const Twine &Dir,
                                    std::error_code &EC) override {
    Into.add(listingProbe(absolute(Dir), getUnderlyingFS()));
    return ProxyFileSystem::dir_begin(Dir, EC);
  }

  std::error_code setCurrentWorkingDirectory(const Twine &Path) override {
    (void)status(Path);
    return ProxyFileSystem::setCurrentWorkingDirectory(Path);
  }

private:
  std::string absolute(const Twine &Path) const {
    SmallString<256> Result;
    Path.toVector(Result);
    (void)makeAbsolute(Result);
    return std::string(Result);
  }

  FileProbes &Into;
};

} // namespace

void FileProbes::add(Probe P) {
  auto [It, Inserted] =
      Known.try_emplace(keyOf(P.Asked, P.Path), Probes.size());
  if (Inserted)
    Probes.push_back(std::move(P));
  else
    Consistent &= sameAnswer(P, Probes[It->second]);
}

IntrusiveRefCntPtr<vfs::FileSystem> probingFileSystem(FileProbes &Into) {
  return makeIntrusiveRefCnt<ProbingFileSystem>(Into);
}

bool ProbeChecker::stillHold(const std::vector<Probe> &Probes) {
  auto FS = vfs::createPhysicalFileSystem();
  return all_of(Probes, [&](const Probe &Then) {
    const std::string Key = keyOf(Then.Asked, Then.Path);
    {
      std::lock_guard<std::mutex> Guard(Lock);
      if (auto It = Answers.find(Key); It != Answers.end())
        return sameAnswer(It->second, Then);
    }
    Probe Now = askAgain(Then, *FS);
    const bool Same = sameAnswer(Now, Then);
    std::lock_guard<std::mutex> Guard(Lock);
    Answers.try_emplace(Key, std::move(Now));
    return Same;
  });
}

} // namespace barricade
