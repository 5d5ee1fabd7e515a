// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/CostModel.h"
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
  return R"({"schema-version": 1, "gpu": "X1", "ns-per-instruction": 10,
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
  auto Expected = Model.expect(F);
  EXPECT_TRUE(Expected);
  return Expected.value_or(Expectation()).Gain;
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
  auto E = llvm::cantFail(CostModel::parse(calibration(2, 1))).expect(F);
  EXPECT_EQ(E->What, Outlook::Gain);
  EXPECT_DOUBLE_EQ(E->Gain.Low, 0);
  EXPECT_DOUBLE_EQ(E->Gain.High, 0.5);
  E = llvm::cantFail(CostModel::parse(calibration(2, 3))).expect(F);
  EXPECT_EQ(E->What, Outlook::Loss);
  EXPECT_DOUBLE_EQ(E->Gain.Low, -0.5);
  EXPECT_DOUBLE_EQ(E->Gain.High, 0);
}

/// Launches of 3 us, barriers of 1 us, and what a persistent kernel costs.
CostModel modelOfFirstUse() {
  std::string Text = calibration(3, 1);
  Text.insert(Text.find("\"gpu\""),
              R"("persistent-launch-us": 3, "first-use-us": 100, )");
  return llvm::cantFail(CostModel::parse(Text));
}

Finding onRule(const char *Rule, const char *Form, std::vector<Fact> Facts) {
  Finding F = finding({}, 0);
  F.Rule = Rule;
  F.Form = Form;
  F.Facts = std::move(Facts);
  return F;
}

TEST(CostModel, ShortLoopsDoNotEarnTheFirstUse) {
  const CostModel Model = modelOfFirstUse();
  const auto Expect = [&](int64_t Iterations, bool Repeated) {
    return *Model.expect(onRule("grid-barrier", "persistent",
                                {{"launches", int64_t(1), ""},
                                 {"iterations", Iterations, ""},
                                 {"runs-repeatedly", Repeated, ""}}));
  };
  EXPECT_EQ(Expect(51, false).What, Outlook::Loss); // 102 us against 103
  EXPECT_EQ(Expect(52, false).What, Outlook::Gain);
  EXPECT_EQ(Expect(1, true).What, Outlook::Loss); // 2 us against 3
  EXPECT_EQ(Expect(2, true).What, Outlook::Gain);
  Finding TakesOver =
      onRule("grid-barrier", "persistent",
             {{"iterations", int64_t(51), ""}, {"takes-over", true, ""}});
  EXPECT_EQ(Model.expect(TakesOver)->What, Outlook::NoGain);
  EXPECT_EQ(Expect(51, false).Because,
            "51 iterations save 102 us, and the persistent kernel costs 103 us "
            "once");
}

TEST(CostModel, FusedLaunchesSaveTheirTime) {
  const CostModel Model = modelOfFirstUse();
  const auto Expect = [&](const char *Form, int64_t Launches) {
    return *Model.expect(
        onRule("launch-fusion", Form, {{"launches", Launches, ""}}));
  };
  EXPECT_EQ(Expect("no-barrier", 2).What, Outlook::Gain);
  EXPECT_EQ(Expect("block-barrier", 4).Gain.High, 0.75);
  // 2 us less each, 3 us more for the persistent launch, 100 us the first time.
  EXPECT_EQ(Expect("grid-barrier", 2).What, Outlook::Loss);
  EXPECT_EQ(Expect("grid-barrier", 3).What, Outlook::Unclear);
  EXPECT_EQ(llvm::cantFail(CostModel::parse(calibration(3, 1)))
                .expect(onRule("launch-fusion", "grid-barrier",
                               {{"launches", int64_t(2), ""}}))
                ->What,
            Outlook::Gain);
}

TEST(CostModel, ExperienceDecidesWhereTheLoopsDoNot) {
  const auto Expect = [&](unsigned Faster, Finding F) {
    std::string Text = calibration();
    Text.insert(
        Text.find("\"gpu\""),
        R"("experience": [{"rule": "artificial-barrier",
                   "programs": 22, "faster": )" +
            std::to_string(Faster) +
            R"(, "slower": 14, "gain-low": -0.4, "gain-high": -0.05}],)");
    return llvm::cantFail(CostModel::parse(Text)).expect(F);
  };
  EXPECT_EQ(Expect(0, finding({"broadcast"}, 0))->What, Outlook::Loss);
  EXPECT_EQ(Expect(0, finding({"broadcast"}, 0))->Because,
            "0 of 22 real programs were faster, 14 were 5 to 40 % slower");
  EXPECT_EQ(Expect(0, finding({"gathered"}, 0))->What, Outlook::Loss);
  EXPECT_EQ(Expect(0, finding({"unaligned"}, 0))->What, Outlook::Gain);
  EXPECT_EQ(Expect(1, finding({"broadcast"}, 0))->What, Outlook::Unclear);
  EXPECT_FALSE(Expect(1, finding({"gathered"}, 0)));
}

/// What eval/calibrate measured with grids of several sizes.
CostModel modelOfGrids() {
  std::string Text = calibration(4, 2);
  const std::string Steps = R"("multiprocessors": 10, "graph-node-us": 3,
    "grid-steps": [
      {"blocks": 100, "launch-us": 4, "graph-node-us": 2, "grid-barrier-us": 3},
      {"blocks": 10, "launch-us": 3, "graph-node-us": 1,
       "grid-barrier-us": 1}], )";
  Text.insert(Text.find("\"gpu\""), Steps);
  return llvm::cantFail(CostModel::parse(Text));
}

Finding relaunchLoop(std::vector<Fact> Facts) {
  Finding F = finding({}, 0);
  F.Rule = "grid-barrier";
  F.Facts = std::move(Facts);
  return F;
}

TEST(CostModel, KnowsGridsOfSeveralSizes) {
  const CostModel Model = modelOfGrids();
  const auto Costs = [&](std::optional<uint64_t> Blocks) {
    const StepCosts C = Model.stepCosts(Blocks);
    return std::vector<double>{C.Relaunch, C.GraphNode, C.GridBarrier};
  };
  using Three = std::vector<double>;
  EXPECT_EQ(Costs(10), (Three{3, 1, 1}));
  EXPECT_EQ(Costs(100), (Three{4, 2, 3}));
  EXPECT_EQ(Costs(55), (Three{3.5, 1.5, 2})); // between the two
  EXPECT_EQ(Costs(1), (Three{3, 1, 1}));      // none smaller is known
  EXPECT_EQ(Costs(1000), (Three{4, 2, 3}));
  EXPECT_EQ(Costs(std::nullopt), (Three{4, 3, 2}));
}

/// What is said of \p F, with its facts.
std::string words(Finding &F, const CostModel &Model) {
  auto Expected = Model.expect(F);
  EXPECT_TRUE(Expected);
  return Expected ? addExpectation(F, *Expected, Model) : "";
}

TEST(CostModel, TellsWhatAnIterationTakes) {
  const CostModel Model = modelOfGrids();
  std::vector<Finding> Findings = {
      relaunchLoop({{"launches", int64_t(2), ""},
                    {"blocks", int64_t(10), ""},
                    {"iterations", int64_t(500), ""}}),
      relaunchLoop({{"launches", int64_t(1), ""}}),
  };
  EXPECT_EQ(words(Findings[0], Model),
            "expected on an X1: +0.0 % .. +66.7 %; launches take 6.0 us, "
            "nodes of a CUDA graph 2.0 us, grid barriers 2.0 us per iteration; "
            "2000 us less in 500 iterations");
  EXPECT_THAT(Findings[0].Facts,
              testing::IsSupersetOf(
                  {Fact{"expected-relaunch", 6.0, "us per iteration"},
                   Fact{"expected-graph", 2.0, "us per iteration"},
                   Fact{"expected-grid-barrier", 2.0, "us per iteration"},
                   Fact{"expected-saved", 2000.0, "us"}}));
  EXPECT_THAT(words(Findings[1], Model),
              testing::AllOf(HasSubstr("launches take 4.0 us"),
                             testing::Not(HasSubstr("less in"))));
  EXPECT_THAT(words(Findings[1], modelOfFirstUse()),
              HasSubstr("the first use in a process costs 100 us, what 50 "
                        "iterations save"));
}

TEST(CostModel, LaunchesThatBecomeOneNeedNoResidentGrid) {
  const CostModel Model = modelOfGrids();
  const auto Expect = [&](bool Stretches, std::optional<int64_t> Iterations,
                          bool Repeated = false) {
    std::vector<Fact> Facts = {{"launches", int64_t(2), ""},
                               {"blocks", int64_t(1) << 20, ""},
                               {"block-size", int64_t(256), ""},
                               {"runs-repeatedly", Repeated, ""}};
    if (Stretches)
      Facts.push_back({"stretches", true, ""});
    if (Iterations)
      Facts.push_back({"iterations", *Iterations, ""});
    return Model.expect(onRule("grid-barrier", "persistent", Facts))->What;
  };
  EXPECT_EQ(Expect(false, 5000), Outlook::NoGain);
  EXPECT_EQ(Expect(true, 200), Outlook::Gain);
  EXPECT_EQ(Expect(true, 199), Outlook::NoGain);
  EXPECT_EQ(Expect(true, 199, true), Outlook::Gain);
  EXPECT_EQ(Expect(true, std::nullopt), Outlook::Gain);
  EXPECT_EQ(Model
                .expect(onRule("grid-barrier", "stretches",
                               {{"iterations", int64_t(400), ""}}))
                ->What,
            Outlook::Gain);
}

TEST(CostModel, ExpectsNothingOfGridsThatNoGpuHolds) {
  const CostModel Model = modelOfGrids();
  const auto Loop = [&](int64_t Blocks, int64_t Threads) {
    return relaunchLoop({{"blocks", Blocks, ""}, {"block-size", Threads, ""}});
  };
  // 10 multiprocessors of at most 2048 threads and 32 blocks.
  EXPECT_FALSE(Model.exceedsGpu(Loop(80, 256)));
  EXPECT_TRUE(Model.exceedsGpu(Loop(81, 256)));
  EXPECT_FALSE(Model.exceedsGpu(Loop(320, 1)));
  EXPECT_TRUE(Model.exceedsGpu(Loop(321, 1)));
  Finding TooLarge = Loop(81, 256);
  EXPECT_EQ(Model.expect(TooLarge)->What, Outlook::NoGain);
  EXPECT_THAT(words(TooLarge, Model),
              HasSubstr("81 blocks are more than the GPU holds at once"));
  EXPECT_THAT(TooLarge.Facts,
              testing::Contains(Fact{"expected-gain-high", 0.0, ""}));
  TooLarge.Facts.push_back({"logical-blocks", true, ""});
  EXPECT_FALSE(Model.expect(TooLarge));
}

TEST(CostModel, IsSaidInWordsAndFacts) {
  auto Model = llvm::cantFail(CostModel::parse(calibration()));
  Finding Loss = finding({"coalesced"}, 10);
  EXPECT_EQ(words(Loss, Model), "expected loss on an X1: -43.0 % .. -7.0 %");
  EXPECT_EQ(Loss.Facts.back().Name, "expected-gain");
  Finding Gain = finding({"unaligned"}, 10);
  EXPECT_EQ(words(Gain, Model), "expected on an X1: +19.5 % .. +33.0 %");
  Finding Unclear = finding({"broadcast"}, 0);
  EXPECT_EQ(words(Unclear, Model), "unclear on an X1: -23.0 % .. +8.0 %");
}

TEST(CostModel, RefusesWhatIsNoCalibration) {
  auto Fault = [](const std::string &Text) {
    auto Model = CostModel::parse(Text);
    return Model ? std::string("accepted") : toString(Model.takeError());
  };
  EXPECT_NE(Fault("{"), "accepted");
  EXPECT_NE(Fault("[]"), "accepted");
  EXPECT_NE(Fault("{}"), "accepted");
  EXPECT_THAT(Fault(calibration(0)), HasSubstr("launch-us"));
  std::string Newer = calibration();
  Newer.replace(Newer.find(": 1"), 3, ": 2");
  EXPECT_THAT(Fault(Newer), HasSubstr("schema version is 2"));
  EXPECT_THAT(toString(CostModel::read("/no/such/file").takeError()),
              HasSubstr("cannot read"));
  EXPECT_THAT(Fault(std::string(200000, '[')),
              HasSubstr("nested deeper than 64"));
}

/// What the calibration with \p Value for \p Key, and with more of what it may
/// hold, is refused for.
std::string faultWith(llvm::StringRef Key, llvm::StringRef Value) {
  std::string Text = calibration();
  Text.insert(Text.find("\"gpu\""), R"("graph-node-us": 1,
    "multiprocessors": 4, "persistent-launch-us": 1, "first-use-us": 1,
    "experience": [{"rule": "r", "programs": 3, "faster": 1, "slower": 1,
                    "gain-low": 0, "gain-high": 0}],
    "grid-steps": [{"blocks": 1, "launch-us": 1, "graph-node-us": 1,
                    "grid-barrier-us": 1}], )");
  const std::string Quoted = ("\"" + Key + "\": ").str();
  const size_t At = Text.rfind(Quoted) + Quoted.size();
  Text.replace(At, Text.find_first_of(",}", At) - At, Value);
  auto Model = CostModel::parse(Text);
  return Model ? "" : toString(Model.takeError());
}

TEST(CostModel, RefusesNumbersThatNobodyCanComputeWith) {
  const char *Times[] = {"ns-per-instruction", "launch-us", "grid-barrier-us",
                         "ns-per-access"};
  const char *OptionalTimes[] = {"persistent-launch-us", "first-use-us",
                                 "graph-node-us"};
  const char *Counts[] = {"multiprocessors", "programs", "faster",
                          "slower",          "blocks",   "interval",
                          "block-threads"};
  const char *Gains[] = {"gain", "gain-low", "gain-high"};
  const auto Refused = [](llvm::ArrayRef<const char *> Keys,
                          std::initializer_list<const char *> Values) {
    for (const char *Key : Keys)
      for (const char *Value : Values)
        EXPECT_THAT(faultWith(Key, Value), HasSubstr(Key)) << Value;
  };
  Refused(Times, {"1e999", "1e300", "1e-300", "0", "-1"});
  Refused(OptionalTimes, {"1e999", "1e300", "-1"});
  Refused(Counts, {"1e999", "1e300", "-1", "4294967297", "0.5"});
  Refused(Gains, {"1e999", "-1e999", "2"});
  EXPECT_EQ(faultWith("first-use-us", "0"), "");
  EXPECT_EQ(faultWith("slower", "0"), "");
  EXPECT_EQ(faultWith("gain", "-0.5"), "");
  EXPECT_EQ(faultWith("schema-version", "4294967297"),
            "its schema version is 4294967297");
}

} // namespace
