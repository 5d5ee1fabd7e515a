// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/Measured.h"
#include "Support.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using testing::HasSubstr;

namespace {

/// Results of one rewrite, with \p Row in what is said of it.
std::string results(const std::string &Row) {
  return R"({"schema-version": 1, "units": [{"program": "p", "variants": [
    {"id": "original", "kind": "original", "median_ms": 2, "rewrites": []},
    {"id": "v", "kind": "single", )" +
         Row + "}]}]}";
}

std::string rewriting(const std::string &Numbers) {
  return results(Numbers + R"(, "rewrites": [{"rule": "artificial-barrier",
    "sha256": "0", "offset": -1}])");
}

std::string readFault(const std::string &Text) {
  TemporaryFolder Folder;
  auto Read = Measured::read(Folder.write("res.json", Text));
  return Read ? "" : toString(Read.takeError());
}

TEST(Measured, ReadsWhatARunMeasures) {
  EXPECT_EQ(readFault(rewriting(R"("median_ms": 1, "gain": 0.5)")), "");
  EXPECT_EQ(readFault(rewriting(
                R"("median_ms": 0, "gain": -9, "low": -9.5, "high": -8)")),
            "");
  EXPECT_EQ(readFault(rewriting(R"("median_ms": null)")), "");
}

TEST(Measured, RefusesNumbersThatNoRunMeasures) {
  for (const char *Key : {"median_ms", "gain", "low", "high"})
    for (const char *Number : {"1e999", "-1e999", "1e300"})
      EXPECT_THAT(
          readFault(rewriting(("\"" + std::string(Key) + "\": ") + Number)),
          HasSubstr("res.json' is not what eval/run writes: '" +
                    std::string(Key) + "' of 'v' is no number of a run"));
  EXPECT_THAT(readFault(rewriting(R"("median_ms": -1)")),
              HasSubstr("'median_ms' of 'v' is no number"));
}

TEST(Measured, TellsThatThereIsNoManifest) {
  EXPECT_THAT(readFault(results(R"("median_ms": 1, "gain": 0.5)")),
              HasSubstr("res.json' names no manifest, and none lies beside"));
}

TEST(Measured, RefusesWhatIsNestedTooDeep) {
  EXPECT_THAT(readFault(std::string(200000, '[')),
              HasSubstr("is not what eval/run writes: it is nested deeper"));
}

} // namespace
