// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever gives something one of the names that the rules write is seen.

#include "matchers/source/WrittenNames.h"
#include "HostSnippet.h"
#include "matchers/host/UnitUses.h"

using namespace barricade;

namespace {

bool isSeen(const std::string &Code) {
  test::HostSnippet Source(Code);
  return host::UnitUses(Source.context()).hasRuntimeNames();
}

TEST(WrittenNames, AreSeenOutsideOfFunctions) {
  for (const auto &Names : {llvm::ArrayRef(NamesWrittenOnHost),
                            llvm::ArrayRef(NamesWrittenOnDevice)})
    for (const llvm::StringRef Name : Names) {
      EXPECT_TRUE(isSeen("namespace own { void " + Name.str() + "(); }"))
          << Name.str();
      EXPECT_FALSE(isSeen("namespace own { void " + Name.str() + "_(); }"))
          << Name.str();
    }
}

// The host's are written within functions, where variables hide them.
TEST(WrittenNames, AreSeenInFunctions) {
  const auto IsSeenInside = [](llvm::StringRef Name) {
    return isSeen("void f() { int " + Name.str() + " = 0; }");
  };
  for (const llvm::StringRef Name : NamesWrittenOnHost)
    EXPECT_TRUE(IsSeenInside(Name)) << Name.str();
  for (const llvm::StringRef Name : {"uint3", "blockIdx", "__syncthreads"})
    EXPECT_FALSE(IsSeenInside(Name)) << Name.str();
}

} // namespace
