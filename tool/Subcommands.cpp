// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Subcommands.h"
#include "tool/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace llvm;

namespace barricade {

bool isSubcommand(StringRef Word) {
  return is_contained(make_first_range(Subcommands), Word);
}

static std::string programOf(StringRef Subcommand) {
  return installedPath(("share/barricade/eval/" + Subcommand).str(),
                       (BARRICADE_EVAL_DIR "/" + Subcommand).str());
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
