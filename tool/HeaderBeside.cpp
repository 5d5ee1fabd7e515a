// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/HeaderBeside.h"
#include "rewriters/RuntimeText.h"
#include "tool/Paths.h"
#include "tool/WriteFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace barricade {

bool includesRuntime(const Edit &E, RuntimeHeader Header) {
  StringRef Text = StringRef(E.Text).trim();
  return Text.consume_front("#include ") && Text == includeName(Header);
}

bool lacksRuntime(const Report &R, StringRef Path) {
  return any_of(R.Files, [&](const FileReport &Source) {
    return Source.LacksRuntime &&
           (Source.Path == Path || is_contained(Source.UserFiles, Path));
  });
}

/// "add ... to the flags", or nothing where the header is not installed.
static std::string flagsForBuild() {
  const std::string Header =
      includeName(RuntimeHeader::Include).trim("<>").str();
  const std::string Path =
      installedPath("include/" + Header, BARRICADE_RUNTIME_DIR "/" + Header);
  if (!sys::fs::exists(Path))
    return {};
  const std::string Folder =
      sys::path::parent_path(sys::path::parent_path(Path)).str();
  return "add -I" + Folder +
         " to the flags, in CMake target_include_directories(TARGET PRIVATE " +
         Folder + ")";
}

std::string adviceForBuild() {
  const std::string Flags = flagsForBuild();
  return (Flags.empty() ? "" : Flags + ", or ") +
         "use --runtime-header=beside, which any build finds";
}

std::string adviceForUnparsed(const FileReport &File) {
  return File.FirstError &&
                 StringRef(File.FirstError->Text)
                     .contains(includeName(RuntimeHeader::Include).trim("<>"))
             ? flagsForBuild()
             : "";
}

StringRef runtimeHeaderText() { return RuntimeText; }

std::string headerBeside(StringRef Path) {
  SmallString<256> Header = sys::path::parent_path(Path);
  sys::path::append(Header, includeName(RuntimeHeader::Beside).trim('"'));
  return std::string(Header);
}

Expected<bool> lacksHeader(StringRef Path) {
  const std::string Header = headerBeside(Path);
  if (!sys::fs::exists(Header))
    return true;
  auto Text = MemoryBuffer::getFile(Header, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!Text)
    return createStringError("cannot read '" + displayPath(Header) +
                             "': " + Text.getError().message());
  if ((*Text)->getBuffer() != RuntimeText)
    return createStringError("'" + displayPath(Header) +
                             "' is not this version's runtime header; remove "
                             "it, or use --runtime-header=include");
  return false;
}

Error provideHeader(StringRef Path) {
  Expected<bool> Lacks = lacksHeader(Path);
  if (!Lacks)
    return Lacks.takeError();
  return *Lacks ? writeNewFile(headerBeside(Path), RuntimeText)
                : Error::success();
}

} // namespace barricade
