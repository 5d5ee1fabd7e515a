// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Subcommands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace llvm;

namespace barricade {

bool isSubcommand(StringRef Word) {
  return is_contained(make_first_range(Subcommands), Word);
}

static std::string ownPath() {
  return sys::fs::getMainExecutable(nullptr,
                                    reinterpret_cast<void *>(&ownPath));
}

static std::string programOf(StringRef Subcommand) {
  SmallString<256> Installed(sys::path::parent_path(ownPath()));
  sys::path::append(Installed, "..", "share", "barricade", "eval");
  sys::path::append(Installed, Subcommand);
  if (sys::fs::exists(Installed))
    return std::string(Installed);
  SmallString<256> InSources(BARRICADE_EVAL_DIR);
  sys::path::append(InSources, Subcommand);
  return std::string(InSources);
}

Error becomeSubcommand(ArrayRef<const char *> Args) {
  const std::string Program = programOf(Args.front());
  // By it the program knows its name, and whom to ask for variants.
  setenv("BARRICADE_COMMAND", ownPath().c_str(), /*overwrite=*/1);
  std::vector<char *> Words{const_cast<char *>(Program.c_str())};
  for (const char *Arg : Args.drop_front())
    Words.push_back(const_cast<char *>(Arg));
  Words.push_back(nullptr);
  execv(Program.c_str(), Words.data());
  return createStringError("cannot start '" + Program +
                           "': " + std::strerror(errno));
}

} // namespace barricade
