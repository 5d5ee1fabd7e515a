// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/lsp/Documents.h"
#include "tool/lsp/Positions.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace barricade::lsp {

Expected<std::string>
applyChanges(std::string Text,
             ArrayRef<llvm::lsp::TextDocumentContentChangeEvent> Changes) {
  for (const auto &Change : Changes) {
    if (!Change.range) {
      Text = Change.text;
      continue;
    }
    const Positions Places(Text);
    Expected<size_t> Begin = Places.offset(Change.range->start);
    if (!Begin)
      return Begin.takeError();
    Expected<size_t> End = Places.offset(Change.range->end);
    if (!End)
      return End.takeError();
    if (*End < *Begin)
      return createStringError("a change ends before it begins");
    Text.replace(*Begin, *End - *Begin, Change.text);
  }
  return Text;
}

namespace {

class DocumentFile : public vfs::File {
public:
  DocumentFile(vfs::Status Stat, std::shared_ptr<const std::string> Text)
      : Stat(std::move(Stat)), Text(std::move(Text)) {}

  ErrorOr<vfs::Status> status() override { return Stat; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t,
                                                   bool, bool) override {
    return MemoryBuffer::getMemBufferCopy(*Text, Name);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status Stat;
  std::shared_ptr<const std::string> Text;
};

class DocumentsOverDisk : public vfs::ProxyFileSystem {
public:
  explicit DocumentsOverDisk(std::shared_ptr<const Documents> Open)
      : ProxyFileSystem(vfs::createPhysicalFileSystem()),
        Open(std::move(Open)) {
    for (const auto &[Path, D] : *this->Open)
      if (ErrorOr<vfs::Status> OnDisk = ProxyFileSystem::status(Path))
        Saved[OnDisk->getUniqueID()] = &D;
      else
        addUnsaved(D);
  }

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    ErrorOr<vfs::Status> OnDisk = ProxyFileSystem::status(Path);
    if (OnDisk) {
      auto It = Saved.find(OnDisk->getUniqueID());
      return It == Saved.end() ? OnDisk
                               : statusOf(*It->second, It->first, Path);
    }
    if (const UnsavedDocument *New = findUnsaved(Path))
      return New->D ? statusOf(*New->D, New->Id, Path)
                    : statusOfFolder(New->Id, Path);
    return OnDisk;
  }

  bool exists(const Twine &Path) override {
    return ProxyFileSystem::exists(Path) || findUnsaved(Path);
  }

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    if (ErrorOr<vfs::Status> OnDisk = ProxyFileSystem::status(Path)) {
      auto It = Saved.find(OnDisk->getUniqueID());
      return It == Saved.end() ? ProxyFileSystem::openFileForRead(Path)
                               : open(*It->second, It->first, Path);
    }
    if (const UnsavedDocument *New = findUnsaved(Path); New && New->D)
      return open(*New->D, New->Id, Path);
    return ProxyFileSystem::openFileForRead(Path);
  }

private:
  /// A document that is nowhere on the disk, or a folder that it is said to be
  /// in.
  struct UnsavedDocument {
    const Document *D; ///< Null for a folder.
    sys::fs::UniqueID Id;
  };

  void addUnsaved(const Document &D) {
    Unsaved[D.Path] = {&D, vfs::getNextVirtualUniqueID()};
    for (StringRef Folder = sys::path::parent_path(D.Path);
         !Folder.empty() && !ProxyFileSystem::status(Folder);
         Folder = sys::path::parent_path(Folder))
      Unsaved.try_emplace(
          Folder.str(),
          UnsavedDocument{nullptr, vfs::getNextVirtualUniqueID()});
  }

  const UnsavedDocument *findUnsaved(const Twine &Path) const {
    if (Unsaved.empty())
      return nullptr;
    SmallString<256> Absolute;
    Path.toVector(Absolute);
    if (makeAbsolute(Absolute))
      return nullptr;
    sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
    auto It = Unsaved.find(StringRef(Absolute));
    return It == Unsaved.end() ? nullptr : &It->second;
  }

  static vfs::Status statusOf(const Document &D, sys::fs::UniqueID Id,
                              const Twine &Path) {
    return vfs::Status(Path, Id, sys::toTimePoint(time_t(D.Stamp)),
                       /*User=*/0, /*Group=*/0, D.Text->size(),
                       sys::fs::file_type::regular_file, sys::fs::all_read);
  }

  static vfs::Status statusOfFolder(sys::fs::UniqueID Id, const Twine &Path) {
    return vfs::Status(Path, Id, sys::TimePoint<>(), /*User=*/0, /*Group=*/0,
                       /*Size=*/0, sys::fs::file_type::directory_file,
                       sys::fs::all_read);
  }

  static std::unique_ptr<vfs::File>
  open(const Document &D, sys::fs::UniqueID Id, const Twine &Path) {
    return std::make_unique<DocumentFile>(statusOf(D, Id, Path), D.Text);
  }

  std::shared_ptr<const Documents> Open;
  std::map<sys::fs::UniqueID, const Document *> Saved;
  std::map<std::string, UnsavedDocument, std::less<>> Unsaved;
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem>
fileSystemWith(std::shared_ptr<const Documents> Open) {
  return makeIntrusiveRefCnt<DocumentsOverDisk>(std::move(Open));
}

} // namespace barricade::lsp
