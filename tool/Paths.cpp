// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

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

std::string displayPath(StringRef Path) {
  const std::string Cwd = workingDirectory();
  StringRef Below = pathBelow(Path, Cwd);
  return (Below.empty() ? Path : Below).str();
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
  for (StringRef Mark : {".git", "compile_commands.json"})
    if (std::string Dir = folderWith(Path, Mark); !Dir.empty())
      return Dir;
  return sys::path::parent_path(Path).str();
}

} // namespace barricade
