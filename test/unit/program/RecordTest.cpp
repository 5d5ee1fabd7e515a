// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Record.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace barricade::program;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

Claim claim(std::string Is, std::vector<std::string> Units) {
  return Claim(llvm::json::Object{{"is", std::move(Is)}}, std::move(Units));
}

Record record(std::vector<Claim> Claims) {
  Record R{"function", "f", {}};
  for (Claim &Each : Claims)
    R.add(std::move(Each));
  return R;
}

std::string text(const Record &R) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  write(R, OS);
  return Text;
}

TEST(Record, IsALineOfText) {
  const Record R = record({claim("use", {"b"}), claim("call", {"a"})});
  EXPECT_EQ(text(R), R"({"kind":"function","key":"f","claims":[)"
                     R"({"is":"call","units":["a"]},)"
                     R"({"is":"use","units":["b"]}]})");
  EXPECT_EQ(text(cantFail(parseRecord(text(R)))), text(R));
}

TEST(Record, KeysWithQuotesAreRead) {
  Record R{"file", "a \"b\"\\\n", {claim("x", {"u"})}};
  EXPECT_EQ(cantFail(parseRecord(text(R))).Key, R.Key);
}

TEST(Record, KeepsTheFirstTwoUnitsOfAClaim) {
  const Record R = record({claim("call", {"c"}), claim("call", {"a"}),
                           claim("call", {"d"}), claim("call", {"b"})});
  ASSERT_EQ(R.Claims.size(), 1u);
  EXPECT_THAT(R.Claims[0].Units, ElementsAre("a", "b"));
  EXPECT_TRUE(R.Claims[0].HasMoreUnits);
}

TEST(Record, TellsWhetherOthersClaimIt) {
  EXPECT_FALSE(claim("call", {"a"}).isOfOthersThan("a"));
  EXPECT_TRUE(claim("call", {"a"}).isOfOthersThan("b"));
  EXPECT_TRUE(claim("call", {"a", "b"}).isOfOthersThan("b"));
  EXPECT_TRUE(Claim("{\"is\":1}", {"a"}, true).isOfOthersThan("a"));
  EXPECT_FALSE(claim("call", {}).isOfOthersThan("a"));
}

// Every split of five units among three records, in every order and grouping.
TEST(Record, IsPutTogetherInAnyOrder) {
  const std::string Units[] = {"a", "b", "c", "d", "e"};
  for (int Split = 0; Split < 243; ++Split) {
    Record R[3] = {record({}), record({}), record({})};
    int Rest = Split;
    for (const std::string &Unit : Units) {
      R[Rest % 3].add(claim("call", {Unit}));
      Rest /= 3;
    }
    const std::string Whole = text(combined({R[0], R[1], R[2]}));
    EXPECT_EQ(Whole, text(combined({R[0], combined({R[1], R[2]})})));
    EXPECT_EQ(Whole, text(combined({combined({R[2], R[0]}), R[1]})));
    EXPECT_EQ(Whole,
              text(combined({combined({R[0], R[1]}), combined({R[1], R[2]})})));
  }
}

TEST(Record, OtherLinesAreNone) {
  for (const char *Line :
       {"", "{", "[]", R"({"kind":"file"})",
        R"({"kind":"file","key":1,"claims":[]})",
        R"({"kind":"file","key":"f","claims":[{}]})",
        R"({"kind":"file","key":"f","claims":[1]})",
        R"({"kind":"file","key":"f","claims":[{"is":"x","units":[1]}]})"})
    EXPECT_FALSE(bool(llvm::expectedToOptional(parseRecord(Line)))) << Line;
}

} // namespace
