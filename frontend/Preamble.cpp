//===- Preamble.cpp - Headers kept parsed between edits -------------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Preamble.h"
#include "frontend/Precompile.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace barricade;

//===--- User files -------------------------------------------------------===//

void UserFiles::collect(clang::SourceManager &SM) {
  StringSet<> Seen;
  for (const std::string &Path : Paths)
    Seen.insert(Path);
  for (unsigned I = 0, E = SM.local_sloc_entry_size(); I != E; ++I) {
    const clang::SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() ||
        Entry.getFile().getFileCharacteristic() != clang::SrcMgr::C_User)
      continue;
    const clang::SrcMgr::ContentCache &Content =
        Entry.getFile().getContentCache();
    if (!Content.OrigEntry)
      continue;
    SmallString<128> Path(Content.OrigEntry->getName());
    SM.getFileManager().makeAbsolutePath(Path);
    // Any mention will do: a macro may carry the condition elsewhere.
    if (auto Buffer = Content.getBufferIfLoaded())
      MentionCudaArch |= Buffer->getBuffer().contains("__CUDA_ARCH");
    if (Seen.insert(Path).second)
      Paths.push_back(std::string(Path));
  }
}

void UserFiles::append(const UserFiles &Others) {
  for (const std::string &Path : Others.Paths)
    if (!is_contained(Paths, Path))
      Paths.push_back(Path);
  MentionCudaArch |= Others.MentionCudaArch;
}

//===--- Preamble ---------------------------------------------------------===//

struct Preamble::State {
  clang::PrecompiledPreamble Precompiled;
  UserFiles Files;
  /// The user's top-level declarations, as the precompiled part numbers them.
  std::vector<clang::LocalDeclID> Declarations;
  /// Has the precompiled part, and nothing else.
  IntrusiveRefCntPtr<vfs::FileSystem> Storage;
  /// What makes a parse begin with the file in Storage.
  clang::PreprocessorOptions Beginning;

  /// Clang's own way to use a preamble puts it into a file system, and hashes
  /// all of its megabytes, at every parse. We do that once, here.
  void prepare(const clang::CompilerInvocation &Invocation);
};

void Preamble::State::prepare(const clang::CompilerInvocation &Invocation) {
  clang::CompilerInvocation Prepared(Invocation);
  Storage = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto NoSource = MemoryBuffer::getMemBuffer("");
  Precompiled.AddImplicitPreamble(Prepared, Storage, NoSource.get());
  Beginning = Prepared.getPreprocessorOpts();
  Beginning.clearRemappedFiles();
}

Preamble::Preamble(std::unique_ptr<State> S) : S(std::move(S)) {}
Preamble::~Preamble() = default;

const UserFiles &Preamble::userFiles() const { return S->Files; }
size_t Preamble::size() const { return S->Precompiled.getSize(); }

void Preamble::apply(clang::CompilerInvocation &Invocation,
                     IntrusiveRefCntPtr<vfs::FileSystem> &FS,
                     std::unique_ptr<MemoryBuffer> MainFile) const {
  clang::PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  Options = S->Beginning;
  // The source manager will own the buffer.
  Options.addRemappedFile(Invocation.getFrontendOpts().Inputs.front().getFile(),
                          MainFile.release());
  auto WithStorage = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(FS);
  WithStorage->pushOverlay(S->Storage);
  FS = WithStorage;
}

void Preamble::limitTraversal(clang::CompilerInstance &Instance) const {
  limitTraversalTo(S->Declarations, Instance);
}

//===--- Cache ------------------------------------------------------------===//

std::shared_ptr<const Preamble>
PreambleCache::get(StringRef Key, const clang::CompilerInvocation &Invocation,
                   const MemoryBuffer &MainFile,
                   IntrusiveRefCntPtr<vfs::FileSystem> FS) {
  const clang::PreambleBounds Bounds = clang::ComputePreambleBounds(
      Invocation.getLangOpts(), MainFile.getMemBufferRef(), /*MaxLines=*/0);
  std::shared_ptr<const Preamble> Old;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Entry &E = Entries[Key.str()];
    E.Used = true;
    Old = E.Kept;
  }
  if (Old && Old->S->Precompiled.CanReuse(
                 Invocation, MainFile.getMemBufferRef(), Bounds, *FS))
    return Old;

  PreambleObserver Observed;
  auto Built = precompile(Invocation, MainFile, Bounds, FS, Observed);
  std::shared_ptr<const Preamble> New;
  if (Built) {
    auto State = std::make_unique<Preamble::State>(
        Preamble::State{std::move(*Built),
                        std::move(Observed.Files),
                        std::move(Observed.Declarations),
                        nullptr,
                        {}});
    State->prepare(Invocation);
    New.reset(new Preamble(std::move(State)));
  }
  std::lock_guard<std::mutex> Guard(Lock);
  Entries[Key.str()].Kept = New;
  return New;
}

void PreambleCache::dropUnused() {
  std::lock_guard<std::mutex> Guard(Lock);
  std::erase_if(Entries, [](const auto &Item) { return !Item.second.Used; });
  for (auto &Item : Entries)
    Item.second.Used = false;
}

size_t PreambleCache::size() const {
  std::lock_guard<std::mutex> Guard(Lock);
  size_t Sum = 0;
  for (const auto &Item : Entries)
    if (Item.second.Kept)
      Sum += Item.second.Kept->size();
  return Sum;
}
