// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/JsonFile.h"
#include "Support.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using testing::HasSubstr;

namespace {

std::string nested(unsigned Levels, const std::string &Inner) {
  return std::string(Levels, '[') + Inner + std::string(Levels, ']');
}

std::string fault(llvm::StringRef Text) {
  auto Parsed = parseJson(Text);
  return Parsed ? "" : toString(Parsed.takeError());
}

TEST(JsonFile, NestsToSomeDepthOnly) {
  EXPECT_EQ(fault(nested(64, "")), "");
  EXPECT_EQ(fault(nested(65, "")), "it is nested deeper than 64 levels");
  EXPECT_EQ(fault(nested(63, R"({"a": 1}, {"b": 2})")), "");
  EXPECT_THAT(fault(nested(64, "{}")), HasSubstr("deeper"));
  EXPECT_THAT(fault(std::string(200000, '[')), HasSubstr("deeper"));
}

TEST(JsonFile, ParenthesesInStringsNestNothing) {
  const std::string Many(100, '[');
  EXPECT_EQ(fault("[\"" + Many + "\"]"), "");
  EXPECT_EQ(fault(R"(["\")" + Many + R"(\\", 1])"), "");
  EXPECT_THAT(fault(R"(["\\",)" + Many), HasSubstr("deeper"));
}

TEST(JsonFile, TellsWhatCannotBeReadOrParsed) {
  EXPECT_NE(fault("]]{"), "");
  EXPECT_NE(fault("\"\\"), "");
  EXPECT_THAT(toString(readText("/no/such/file").takeError()),
              HasSubstr("cannot read '/no/such/file': "));
  TemporaryFolder Folder;
  auto Text = readText(Folder.write("a.json", "[1]"));
  ASSERT_TRUE(bool(Text));
  EXPECT_EQ((*Text)->getBuffer(), "[1]");
}

} // namespace
