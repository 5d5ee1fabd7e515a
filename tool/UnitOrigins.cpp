// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/UnitOrigins.h"
#include "frontend/Parse.h"
#include "frontend/Toolkit.h"
#include "tool/Analyze.h"
#include "tool/Paths.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace barricade {

/// Of all that decides what the passes see, and whom they are linked with.
static std::string hashOfCommand(const TranslatedCommand &Command) {
  std::string Text = Command.Facts.RelocatableDeviceCode ? "rdc" : "whole";
  auto Add = [&](const std::vector<std::string> &Args) {
    for (const std::string &Each : Args)
      Text += '\0' + Each;
  };
  Add({Command.Directory});
  Add(Command.argsFor(Pass::Host, 0));
  if (Command.IsCuda)
    for (const unsigned Sm : Command.Facts.Archs)
      Add(Command.argsFor(Pass::Device, Sm));
  return program::hashOf(Text);
}

static std::string hashOfFile(const std::string &Path,
                              const TranslationUnit &Unit) {
  if (std::optional<StringRef> Text = parsedText(Path, Unit))
    return program::hashOf(*Text);
  auto Text = MemoryBuffer::getFile(Path);
  return Text ? program::hashOf((*Text)->getBuffer()) : std::string();
}

program::UnitOrigin originOf(const TranslationUnit &Unit) {
  SmallString<256> Main(Unit.Command.File);
  sys::path::make_absolute(Unit.Command.Directory, Main);
  program::UnitOrigin Result{
      canonicalPath(Main), hashOfCommand(Unit.Command), {}};
  const std::string OwnHeaders = canonicalPath(findHeadersDir());
  std::set<std::string> Paths{Result.File};
  for (const std::string &Each : Unit.Files.Paths)
    if (std::string Path = canonicalPath(Each);
        pathBelow(Path, OwnHeaders).empty())
      Paths.insert(std::move(Path));
  for (const std::string &Path : Paths)
    Result.Inputs.push_back({Path, hashOfFile(Path, Unit)});
  return Result;
}

program::UnitSummary summaryOf(const TranslationUnit &Unit, const Program &P) {
  return program::summarise(P, originOf(Unit));
}

} // namespace barricade
