// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/CostModel.h"
#include "Support.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using testing::HasSubstr;

namespace {

constexpr double U = CostModel::Uncertainty;

std::string loop(const char *Locality, unsigned Block, const char *Form,
                 unsigned Interval, double Gain, double Ns) {
  return std::string(R"({"locality": ")") + Locality +
         R"(", "block-threads": )" + std::to_string(Block) + R"(, "form": ")" +
         Form + R"(", "interval": )" + std::to_string(Interval) +
         R"(, "gain": )" + std::to_string(Gain) + R"(, "ns-per-access": )" +
         std::to_string(Ns) + "}";
}

std::string calibration(double LaunchUs = 2, double BarrierUs = 1) {
  return R"({"schema-version": 1, "gpu": "a GPU", "ns-per-instruction": 10,
    "launch-us": )" +
         std::to_string(LaunchUs) + R"(, "grid-barrier-us": )" +
         std::to_string(BarrierUs) + R"(, "loops": [)" +
         loop("coalesced", 128, "barrier", 1, -0.2, 100) + "," +
         loop("coalesced", 512, "barrier", 1, -0.4, 100) + "," +
         loop("coalesced", 512, "barrier", 16, -0.1, 100) + "," +
         loop("unaligned", 512, "barrier", 1, 0.3, 300) + "," +
         loop("broadcast", 128, "barrier", 1, -0.2, 100) + "," +
         loop("broadcast", 512, "barrier", 1, 0.05, 100) + "," +
         loop("coalesced", 512, "vote", 1, -0.6, 100) + "]}";
}

Finding finding(std::vector<const char *> Localities, int64_t Instructions,
                std::vector<Fact> More = {}) {
  Finding F = makeFinding(Verdict::Rewrite, "/f.cu", 0);
  F.Form = "uniform";
  F.Facts = std::move(More);
  F.Facts.push_back({"instructions", Instructions, ""});
  for (const char *Locality : Localities) {
    AccessFact A;
    A.Kind = "load";
    A.Space = "global";
    A.Locality = Locality;
    F.Accesses.push_back(A);
  }
  return F;
}

ExpectedGain expected(const Finding &F) {
  auto Model = llvm::cantFail(CostModel::parse(calibration()));
  auto Gain = Model.expect(F);
  EXPECT_TRUE(Gain);
  return Gain.value_or(ExpectedGain{});
}

TEST(CostModel, SpansBlockSizesAndHiddenComputation) {
  // Memory 100 ns, computation 10 * 10 ns: half of the loss, or all of it.
  ExpectedGain G = expected(finding({"coalesced"}, 10));
  EXPECT_DOUBLE_EQ(G.Low, -0.4 - U);
  EXPECT_DOUBLE_EQ(G.High, -0.1 + U);
}

TEST(CostModel, TakesTheNearestBlockSizeAndInterval) {
  ExpectedGain G =
      expected(finding({"coalesced"}, 0, {{"block-size", int64_t(256), ""}}));
  EXPECT_DOUBLE_EQ(G.Low, -0.2 - U); // 128 and 512 are as near: the first
  G = expected(finding({"coalesced"}, 0, {{"block-size", int64_t(300), ""}}));
  EXPECT_DOUBLE_EQ(G.Low, -0.4 - U);
  G = expected(
      finding({"coalesced"}, 0, {{"barrier-interval", int64_t(8), ""}}));
  EXPECT_DOUBLE_EQ(G.Low, -0.1 - U);
}

TEST(CostModel, WeighsAccessesByTheirTime) {
  ExpectedGain G = expected(finding({"coalesced", "unaligned"}, 0,
                                    {{"block-size", int64_t(512), ""}}));
  EXPECT_NEAR(G.Low, (-0.4 * 100 + 0.3 * 300) / 400 - U, 1e-12);
}

TEST(CostModel, VotesHaveLoopsOfTheirOwn) {
  Finding F = finding({"coalesced"}, 0);
  F.Form = "guarded";
  EXPECT_DOUBLE_EQ(expected(F).Low, -0.6 - U);
}

TEST(CostModel, StoresAreNotWaitedFor) {
  Finding F = finding({"coalesced", "unaligned"}, 0);
  F.Accesses[1].Kind = "store";
  EXPECT_DOUBLE_EQ(expected(F).Low, -0.4 - U);
}

TEST(CostModel, SaysNothingOfWhatItDoesNotKnow) {
  auto Model = llvm::cantFail(CostModel::parse(calibration()));
  EXPECT_FALSE(Model.expect(finding({"gathered"}, 5)));
  EXPECT_FALSE(Model.expect(finding({}, 5)));
  Finding Refused = finding({"coalesced"}, 5);
  Refused.Form = "";
  EXPECT_FALSE(Model.expect(Refused));
  Finding Other = finding({"coalesced"}, 5);
  Other.Rule = "fence-as-barrier";
  EXPECT_FALSE(Model.expect(Other));
}

TEST(CostModel, GridBarrierGainsAtMostWhatALaunchCostsMore) {
  Finding F = finding({}, 0);
  F.Rule = "grid-barrier";
  auto Gain = llvm::cantFail(CostModel::parse(calibration(2, 1))).expect(F);
  EXPECT_DOUBLE_EQ(Gain->Low, 0);
  EXPECT_DOUBLE_EQ(Gain->High, 0.5);
  Gain = llvm::cantFail(CostModel::parse(calibration(2, 3))).expect(F);
  EXPECT_DOUBLE_EQ(Gain->Low, -0.5);
  EXPECT_DOUBLE_EQ(Gain->High, 0);
}

TEST(CostModel, IsSaidInFactsAndMessage) {
  auto Model = llvm::cantFail(CostModel::parse(calibration()));
  std::vector<Finding> Findings = {finding({"coalesced"}, 10),
                                   finding({"unaligned"}, 10),
                                   finding({"broadcast"}, 0)};
  addExpectations(Findings, Model);
  EXPECT_THAT(Findings[0].Message,
              HasSubstr("(expected loss: -43.0 % .. -7.0 %)"));
  EXPECT_THAT(Findings[1].Message, HasSubstr("(expected: +19.5 % .. +33.0 %)"));
  EXPECT_THAT(Findings[2].Message,
              HasSubstr("(unclear, measure: -23.0 % .. +8.0 %)"));
  EXPECT_EQ(Findings[0].Facts.back().Name, "expected-gain-high");
}

TEST(CostModel, RefusesWhatIsNoCalibration) {
  auto Fault = [](const std::string &Text) {
    auto Model = CostModel::parse(Text);
    return Model ? std::string("accepted") : toString(Model.takeError());
  };
  EXPECT_NE(Fault("{"), "accepted");
  EXPECT_NE(Fault("[]"), "accepted");
  EXPECT_NE(Fault("{}"), "accepted");
  EXPECT_THAT(Fault(calibration(0)), HasSubstr("not positive"));
  std::string Newer = calibration();
  Newer.replace(Newer.find(": 1"), 3, ": 2");
  EXPECT_THAT(Fault(Newer), HasSubstr("schema version is 2"));
  EXPECT_THAT(toString(CostModel::read("/no/such/file").takeError()),
              HasSubstr("cannot read"));
}

} // namespace
