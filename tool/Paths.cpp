// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace barricade {

std::string canonicalPath(StringRef Path) {
  SmallString<256> Result;
  if (!sys::fs::real_path(Path, Result))
    return std::string(Result);
  Result = Path;
  sys::fs::make_absolute(Result);
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return std::string(Result);
}

StringRef pathBelow(StringRef Path, StringRef Dir) {
  if (Dir.empty())
    return {};
  Dir = Dir.rtrim('/');
  if (!Path.consume_front(Dir) || !Path.consume_front("/"))
    return {};
  return Path;
}

std::string workingDirectory() { return canonicalPath("."); }

std::string pathFrom(StringRef Path, StringRef Dir) {
  StringRef Below = pathBelow(Path, Dir);
  return (Below.empty() ? Path : Below).str();
}

std::string displayPath(StringRef Path) {
  return pathFrom(Path, workingDirectory());
}

Error cannotCreateFolder(StringRef Folder, Error Why) {
  return createStringError("cannot create folder '" + displayPath(Folder) +
                           "': " + toString(std::move(Why)));
}

std::string withShortNames(StringRef Diagnostics) {
  // A name begins its line, or follows these words; colours may be before it.
  static const Regex Head("^((\x1b\\[[0-9;]*m)*(In file included from )?)/");
  const std::string Cwd = workingDirectory() + "/";
  std::string Result;
  while (!Diagnostics.empty()) {
    auto [Line, Rest] = Diagnostics.split('\n');
    SmallVector<StringRef, 4> Parts;
    if (Head.match(Line, &Parts)) {
      Result += Parts[1];
      Line = Line.drop_front(Parts[1].size());
      Line.consume_front(Cwd);
    }
    Result += (Line + "\n").str();
    Diagnostics = Rest;
  }
  return Result;
}

std::string ownPath() {
  return sys::fs::getMainExecutable(nullptr,
                                    reinterpret_cast<void *>(&ownPath));
}

std::string installedPath(StringRef Below, StringRef InSources) {
  SmallString<256> Installed(
      sys::path::parent_path(sys::path::parent_path(ownPath())));
  sys::path::append(Installed, Below);
  return sys::fs::exists(Installed) ? std::string(Installed) : InSources.str();
}

/// The nearest folder above \p Path that has an entry called \p Name.
static std::string folderWith(StringRef Path, StringRef Name) {
  for (StringRef Dir = sys::path::parent_path(Path); !Dir.empty();
       Dir = sys::path::parent_path(Dir)) {
    SmallString<256> Entry(Dir);
    sys::path::append(Entry, Name);
    if (sys::fs::exists(Entry))
      return Dir.str();
  }
  return {};
}

std::string gitRoot(StringRef Path) { return folderWith(Path, ".git"); }

std::string projectRoot(StringRef Path) {
  for (StringRef Mark : {".git", "compile_commands.json",
                         "build/compile_commands.json", "compile_flags.txt"})
    if (std::string Dir = folderWith(Path, Mark); !Dir.empty())
      return Dir;
  return sys::path::parent_path(Path).str();
}

StringRef pathInDiff(StringRef Path) {
  if (StringRef Below = pathBelow(Path, gitRoot(Path)); !Below.empty())
    return Below;
  if (StringRef Below = pathBelow(Path, workingDirectory()); !Below.empty())
    return Below;
  return Path.ltrim('/');
}

} // namespace barricade
