// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Diff.h"
#include "tool/HeaderBeside.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace barricade {

namespace {
class DiffOutput : public Output {
public:
  explicit DiffOutput(std::vector<ChangedFile> Files)
      : Files(std::move(Files)) {}

  void print(const Report &R, raw_ostream &OS) const override {
    StringSet<> Headers;
    for (const ChangedFile &File : Files) {
      OS << unifiedDiff(pathInDiff(File.Path), File.Old, File.New);
      const std::string Header = headerBeside(File.Path);
      // What lies there is the header: the command looked.
      if (File.NeedsHeader && !sys::fs::exists(Header) &&
          Headers.insert(Header).second)
        OS << newFileDiff(pathInDiff(Header), runtimeHeaderText());
    }
  }

private:
  std::vector<ChangedFile> Files;
};
} // namespace

std::unique_ptr<Output> makeDiffOutput(std::vector<ChangedFile> Files) {
  return std::make_unique<DiffOutput>(std::move(Files));
}

} // namespace barricade
