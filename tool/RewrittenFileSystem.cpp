// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/RewrittenFileSystem.h"
#include "rewriters/Rule.h"
#include "tool/HeaderBeside.h"
#include "tool/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace barricade {
namespace {

/// No folder of this name is on any disk.
constexpr StringLiteral RuntimeFolder("/barricade-runtime.virtual");

class ChangedFileHandle : public vfs::File {
public:
  ChangedFileHandle(vfs::Status Status, StringRef Text)
      : Status(std::move(Status)), Text(Text) {}

  ErrorOr<vfs::Status> status() override { return Status; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t,
                                                   bool, bool) override {
    return MemoryBuffer::getMemBufferCopy(Text, Name);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status Status;
  StringRef Text;
};

/// Replaces texts by the real names of their files, so that links and `..` make
/// no difference. Everything else of a file stays: its identity above all, by
/// which `#pragma once` knows it.
class RewrittenFileSystem : public vfs::ProxyFileSystem {
public:
  RewrittenFileSystem(IntrusiveRefCntPtr<vfs::FileSystem> Disk,
                      ArrayRef<ChangedFile> Changed)
      : ProxyFileSystem(std::move(Disk)) {
    for (const ChangedFile &File : Changed)
      Texts[File.Path] = File.New;
  }

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    auto Status = ProxyFileSystem::status(Path);
    if (!Status || !Status->isRegularFile())
      return Status;
    if (const std::string *Text = changed(Path))
      return vfs::Status::copyWithNewSize(*Status, Text->size());
    return Status;
  }

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    const std::string *Text = changed(Path);
    if (!Text)
      return ProxyFileSystem::openFileForRead(Path);
    auto Status = status(Path);
    if (!Status)
      return Status.getError();
    return std::make_unique<ChangedFileHandle>(std::move(*Status), *Text);
  }

private:
  const std::string *changed(const Twine &Path) {
    SmallString<256> Absolute;
    Path.toVector(Absolute);
    (void)makeAbsolute(Absolute);
    auto It = Texts.find(canonicalPath(Absolute));
    return It == Texts.end() ? nullptr : &It->second;
  }

  StringMap<std::string> Texts;
};

std::string runtimeHeaderPath() {
  return (RuntimeFolder + "/" + includeName(RuntimeHeader::Include).trim("<>"))
      .str();
}

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem>
rewrittenFileSystem(ArrayRef<ChangedFile> Changed,
                    IntrusiveRefCntPtr<vfs::FileSystem> Base) {
  if (!Base)
    Base = vfs::createPhysicalFileSystem();
  auto Headers = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto Add = [&](StringRef Path) {
    Headers->addFile(Path, 0,
                     MemoryBuffer::getMemBuffer(runtimeHeaderText(), Path));
  };
  Add(runtimeHeaderPath());
  for (const ChangedFile &File : Changed)
    if (File.NeedsHeader)
      Add(headerBeside(File.Path));
  auto Disk = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(Base));
  Disk->pushOverlay(std::move(Headers));
  return makeIntrusiveRefCnt<RewrittenFileSystem>(std::move(Disk), Changed);
}

std::vector<std::string> runtimeHeaderArgs() {
  return {"-idirafter", RuntimeFolder.str()};
}

} // namespace barricade
