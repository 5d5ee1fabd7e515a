// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/WriteFiles.h"
#include "tool/ApplyEdits.h"
#include "tool/HeaderBeside.h"
#include "tool/Paths.h"
#include "tool/SignalsHeld.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

namespace barricade {

static Error fileError(StringRef Path, const Twine &What, std::error_code EC) {
  return createStringError(EC, "cannot " + What + " '" + displayPath(Path) +
                                   "': " + EC.message());
}

/// Waits until all that \p OS, of \p FD, was given lies on the disk, so that a
/// full disk shows now.
static std::error_code finish(raw_fd_ostream &OS, int FD) {
  OS.flush();
  std::error_code EC = OS.error();
  OS.clear_error();
  if (!EC && ::fsync(FD) != 0)
    EC = std::error_code(errno, std::generic_category());
  return EC;
}

static std::error_code writeAll(int FD, StringRef Content) {
  raw_fd_ostream OS(FD, /*shouldClose=*/false);
  OS << Content;
  return finish(OS, FD);
}

/// A new file's.
static sys::fs::perms usualPermissions() {
  const auto Mode = sys::fs::all_read | sys::fs::all_write;
  return sys::fs::perms(Mode & ~sys::fs::getUmask());
}

/// Creates \p Path or replaces what is there, with the permissions and owner
/// given, unless \p MayMove, asked last of all, objects.
static Error moveIntoPlace(StringRef Path, StringRef Content,
                           sys::fs::perms Permissions,
                           const sys::fs::file_status *Owner,
                           function_ref<Error()> MayMove) {
  // Nobody else knows the temporary file's name.
  const SignalsHeld UntilMoved;
  Expected<sys::fs::TempFile> Temp =
      sys::fs::TempFile::create(Path + ".barricade-%%%%%%%%");
  if (!Temp)
    return fileError(Path, "write", errorToErrorCode(Temp.takeError()));
  std::error_code EC = writeAll(Temp->FD, Content);
  // Only root may give files away: everyone else keeps them as they are.
  if (!EC && Owner)
    (void)::fchown(Temp->FD, Owner->getUser(), Owner->getGroup());
  if (!EC)
    EC = sys::fs::setPermissions(Temp->FD, Permissions);
  if (EC) {
    consumeError(Temp->discard());
    return fileError(Path, "write", EC);
  }
  if (Error E = MayMove()) {
    consumeError(Temp->discard());
    return E;
  }
  if (Error E = Temp->keep(Path)) {
    consumeError(Temp->discard());
    return fileError(Path, "write", errorToErrorCode(std::move(E)));
  }
  return Error::success();
}

Error replaceFile(StringRef Path, StringRef Expected, StringRef New) {
  const std::string Target = canonicalPath(Path);
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Target, Status))
    return fileError(Path, "read", EC);
  // A rename would get past the file's own permissions.
  const unsigned AnyWrite =
      sys::fs::owner_write | sys::fs::group_write | sys::fs::others_write;
  if (!(Status.permissions() & AnyWrite) ||
      sys::fs::access(Target, sys::fs::AccessMode::Write))
    return fileError(Path, "write",
                     std::make_error_code(std::errc::permission_denied));
  // As late as can be: nobody can look and rename in one.
  const auto IsUnchanged = [&]() -> Error {
    auto Now = MemoryBuffer::getFile(Target, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false,
                                     /*IsVolatile=*/true);
    if (!Now)
      return fileError(Path, "read", Now.getError());
    if ((*Now)->getBuffer() != Expected)
      return createStringError("'" + displayPath(Path) +
                               "' changed while barricade ran; not written");
    return Error::success();
  };
  return moveIntoPlace(Target, New, Status.permissions(), &Status, IsUnchanged);
}

static Error createOrReplace(StringRef Path, StringRef Content) {
  return moveIntoPlace(canonicalPath(Path), Content, usualPermissions(),
                       nullptr, [] { return Error::success(); });
}

Error writeReport(StringRef Path, StringRef Content) {
  // A rename would put a file in the place of a device.
  if (!sys::fs::exists(Path) || sys::fs::is_regular_file(Path))
    return createOrReplace(Path, Content);
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (!EC) {
    OS << Content;
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  return EC ? fileError(Path, "write", EC) : Error::success();
}

/// Has \p Write fill \p Temp, which stays a temporary file.
static Error fill(sys::fs::TempFile &Temp, StringRef Path,
                  function_ref<Error(raw_ostream &)> Write) {
  raw_fd_ostream OS(Temp.FD, /*shouldClose=*/false);
  Error Failed = Write(OS);
  std::error_code EC = finish(OS, Temp.FD);
  if (Failed)
    return Failed;
  if (!EC)
    EC = sys::fs::setPermissions(Temp.FD, usualPermissions());
  return EC ? fileError(Path, "write", EC) : Error::success();
}

Error writeByParts(StringRef Path, function_ref<Error(raw_ostream &)> Write) {
  // A rename would put a file in the place of a device.
  if (sys::fs::exists(Path) && !sys::fs::is_regular_file(Path)) {
    std::string Text;
    raw_string_ostream OS(Text);
    if (Error E = Write(OS))
      return E;
    return writeReport(Path, Text);
  }
  const std::string Target = canonicalPath(Path);
  // A signal removes it: that may take long.
  Expected<sys::fs::TempFile> Temp =
      sys::fs::TempFile::create(Target + ".barricade-%%%%%%%%");
  if (!Temp)
    return fileError(Path, "write", errorToErrorCode(Temp.takeError()));
  if (Error E = fill(*Temp, Path, Write)) {
    consumeError(Temp->discard());
    return E;
  }
  if (Error E = Temp->keep(Target))
    return fileError(Path, "write", errorToErrorCode(std::move(E)));
  return Error::success();
}

Error writeNewFile(StringRef Path, StringRef Content) {
  StringRef Dir = sys::path::parent_path(Path);
  if (!Dir.empty())
    if (std::error_code EC = sys::fs::create_directories(Dir))
      return fileError(Dir, "create folder", EC);
  return createOrReplace(Path, Content);
}

static Expected<ChangedFile> changeFile(StringRef Path, ArrayRef<Edit> Edits,
                                        const SourceTexts &Texts) {
  const std::string *Old = Texts.find(Path);
  if (!Old || Texts.changedDuringRun(Path))
    return createStringError("'" + displayPath(Path) +
                             "' changed while barricade ran; not edited");
  Expected<std::string> New = applyEdits(*Old, Edits);
  if (!New)
    return createStringError("'" + displayPath(Path) +
                             "': " + toString(New.takeError()));
  auto Includes = [&](RuntimeHeader Header) {
    return any_of(Edits,
                  [&](const Edit &E) { return includesRuntime(E, Header); });
  };
  return ChangedFile{Path.str(), *Old, std::move(*New),
                     Includes(RuntimeHeader::Beside),
                     Includes(RuntimeHeader::Include)};
}

std::vector<ChangedFile> changedFiles(const Report &R,
                                      function_ref<void(Error)> OnError) {
  std::vector<ChangedFile> Result;
  for (const auto &[Path, Edits] : editsToApply(R.Findings)) {
    if (Expected<ChangedFile> File = changeFile(Path, Edits, R.Texts))
      Result.push_back(std::move(*File));
    else
      OnError(File.takeError());
  }
  return Result;
}

Expected<std::vector<std::string>> outputPaths(StringRef Dir,
                                               ArrayRef<ChangedFile> Files) {
  const std::string Cwd = workingDirectory();
  StringMap<StringRef> Taken;
  std::vector<std::string> Result;
  for (const ChangedFile &File : Files) {
    StringRef Relative = pathBelow(File.Path, Cwd);
    SmallString<256> Path(Dir);
    sys::path::append(Path, Relative.empty() ? sys::path::filename(File.Path)
                                             : Relative);
    auto [It, Inserted] = Taken.try_emplace(Path, File.Path);
    if (!Inserted)
      return createStringError("'" + displayPath(It->second) + "' and '" +
                               displayPath(File.Path) +
                               "' would both be written to '" + Path + "'");
    Result.push_back(std::string(Path));
  }
  return Result;
}

} // namespace barricade
