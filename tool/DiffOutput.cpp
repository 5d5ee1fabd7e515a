// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Diff.h"
#include "tool/Output.h"
#include "tool/Paths.h"

using namespace llvm;

namespace barricade {

/// The name under which `git apply` finds the file: below its repository, else
/// below the working directory, else below the root folder.
static StringRef pathInDiff(StringRef Path) {
  if (StringRef Below = pathBelow(Path, gitRoot(Path)); !Below.empty())
    return Below;
  if (StringRef Below = pathBelow(Path, workingDirectory()); !Below.empty())
    return Below;
  return Path.ltrim('/');
}

namespace {
class DiffOutput : public Output {
public:
  explicit DiffOutput(std::vector<ChangedFile> Files)
      : Files(std::move(Files)) {}

  void print(const Report &R, raw_ostream &OS) const override {
    for (const ChangedFile &File : Files)
      OS << unifiedDiff(pathInDiff(File.Path), File.Old, File.New);
  }

private:
  std::vector<ChangedFile> Files;
};
} // namespace

std::unique_ptr<Output> makeDiffOutput(std::vector<ChangedFile> Files) {
  return std::make_unique<DiffOutput>(std::move(Files));
}

} // namespace barricade
