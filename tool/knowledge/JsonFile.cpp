// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/JsonFile.h"
#include "tool/Paths.h"

using namespace llvm;

namespace barricade {

static constexpr unsigned MostNesting = 64;

static bool isNestedTooDeep(StringRef Text) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (C == '"')
      InString = !InString;
    else if (InString)
      I += C == '\\';
    else if (C == '[' || C == '{')
      ++Depth;
    else if ((C == ']' || C == '}') && Depth)
      --Depth;
    if (Depth > MostNesting)
      return true;
  }
  return false;
}

Expected<std::unique_ptr<MemoryBuffer>> readText(StringRef Path) {
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createStringError("cannot read '" + displayPath(Path) +
                             "': " + Text.getError().message());
  return std::move(*Text);
}

Expected<json::Value> parseJson(StringRef Text) {
  // LLVM's parser recurses, until the stack is full.
  if (isNestedTooDeep(Text))
    return createStringError("it is nested deeper than " + Twine(MostNesting) +
                             " levels");
  return json::parse(Text);
}

} // namespace barricade
