// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/Profit.h"
#include "Support.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A finding on which a profile has an opinion: fused launches pay, a loop with
/// a barrier does not, and of many launches with grid barriers nobody knows.
Finding candidate(const char *Rule, const char *Form, int64_t Launches = 2) {
  Finding F = makeFinding(Verdict::Rewrite, "/f.cu", 0);
  F.Rule = Rule;
  F.Form = Form;
  F.Message = "this can be that";
  F.Facts.push_back({"launches", Launches, ""});
  return F;
}
Finding gaining() { return candidate("launch-fusion", "no-barrier"); }
Finding losing() { return candidate("artificial-barrier", "uniform"); }
Finding unclear() { return candidate("launch-fusion", "grid-barrier", 5); }

Measurement timed(const char *Setting, const char *Verdict, double Gain) {
  Measurement M;
  M.Program = "p.cu";
  M.Case = "large";
  M.Kind = "single";
  M.Setting = Setting;
  M.Verdict = Verdict;
  M.Gain = Gain;
  M.Low = Gain - 0.01;
  M.High = Gain + 0.01;
  return M;
}

/// What becomes of \p F in a program for \p Targets, under \p Opts.
Finding judged(Finding F, std::vector<unsigned> Targets, Options Opts = {},
               std::vector<Measurement> Times = {}) {
  Report R;
  R.Files.emplace_back().TargetSms = std::move(Targets);
  R.Findings = {std::move(F)};
  // What the rule says at the settings that were measured.
  for (const char *Setting : {"k1", "k4", "default"}) {
    Finding Other = R.Findings.front();
    Other.Rule = RuleAtSetting::idFor(Other.Rule, Setting);
    Other.Message += std::string(" at ") + Setting;
    R.Findings.push_back(std::move(Other));
  }
  if (!Times.empty())
    R.Measurements[R.Findings.front().key()] = std::move(Times);
  llvm::cantFail(Profit::create(Opts, {})).judge(R);
  EXPECT_EQ(R.Findings.size(), 1u);
  return R.Findings.front();
}

Options wanting(KnownGain Known) {
  Options Opts;
  Opts.Profit = Known;
  return Opts;
}

std::vector<std::string> reasons(const Finding &F) {
  std::vector<std::string> Ids;
  for (const Reason &R : F.Reasons)
    Ids.push_back(R.Id);
  return Ids;
}

TEST(Profit, WithoutAGpuWhateverIsLegalIsProposed) {
  for (const Finding &F : {gaining(), losing(), unclear()})
    for (std::vector<unsigned> Targets :
         {std::vector<unsigned>(), {75}, {75, 90}}) {
      const Finding Result = judged(F, Targets);
      EXPECT_EQ(standing(Result), Standing::Applies);
      EXPECT_EQ(Result.Message, F.Message);
    }
}

TEST(Profit, TheBuildsGpuDecides) {
  EXPECT_EQ(standing(judged(gaining(), {90})), Standing::Applies);
  EXPECT_THAT(judged(gaining(), {90}).Message,
              HasSubstr("this can be that (expected on an NVIDIA H200: +"));
  const Finding Slower = judged(losing(), {90});
  EXPECT_EQ(standing(Slower), Standing::NotProfitable);
  EXPECT_EQ(tone(Slower), Tone::Silent);
  EXPECT_THAT(reasons(Slower), ElementsAre("expected-slower"));
  EXPECT_THAT(Slower.Message,
              HasSubstr("this could be that, but it is expected to be slower "
                        "on an NVIDIA H200 (profile sm_90): "));
  const Finding Unknown = judged(unclear(), {90});
  EXPECT_EQ(standing(Unknown), Standing::NotProfitable);
  EXPECT_EQ(tone(Unknown), Tone::Remark);
  EXPECT_THAT(reasons(Unknown), ElementsAre("unknown-gain"));
}

TEST(Profit, TheUsersWordCounts) {
  Options Named;
  Named.Gpu = "h200";
  EXPECT_EQ(standing(judged(losing(), {75}, Named)), Standing::NotProfitable);
  const Options Any = wanting(KnownGain::Any);
  EXPECT_EQ(standing(judged(losing(), {90}, Any)), Standing::Applies);
  EXPECT_THAT(judged(losing(), {90}, Any).Message,
              HasSubstr("this can be that (expected loss on an NVIDIA H200: "));
  const Options Expected = wanting(KnownGain::Expected);
  EXPECT_THAT(judged(gaining(), {}, Expected).Message,
              HasSubstr("the build names no GPU"));
  EXPECT_THAT(judged(gaining(), {75}, Expected).Message,
              HasSubstr("there is no profile of sm_75"));
  EXPECT_THAT(reasons(judged(gaining(), {75, 90}, Expected)),
              ElementsAre("unknown-gain"));
  Named.Gpu = "x99";
  EXPECT_THAT(toString(Profit::create(Named, {}).takeError()),
              HasSubstr("nothing is known of 'x99'; known are sm_90"));
}

TEST(Profit, WhatWasMeasuredCountsMore) {
  const Finding Won = judged(losing(), {90}, {}, {timed("k1", "faster", 0.05)});
  EXPECT_EQ(standing(Won), Standing::Applies);
  EXPECT_THAT(Won.Message, HasSubstr("(measured: +5.0 % (+4.0 % to +6.0 %) "
                                     "with k1 in p.cu, large)"));
  const Finding Lost =
      judged(gaining(), {90}, {}, {timed("default", "slower", -0.14)});
  EXPECT_THAT(reasons(Lost), ElementsAre("measured-slower"));
  EXPECT_THAT(Lost.Message, HasSubstr("measured to be slower: -14.0 %"));
  EXPECT_THAT(reasons(judged(gaining(), {90}, {},
                             {timed("default", "no difference seen", 0.001)})),
              ElementsAre("measured-no-gain"));
}

TEST(Profit, MeasuredAloneLeavesTheRestOut) {
  const Options Measured = wanting(KnownGain::Measured);
  EXPECT_THAT(reasons(judged(gaining(), {90}, Measured)),
              ElementsAre("unknown-gain"));
  EXPECT_THAT(
      reasons(judged(losing(), {}, Measured, {timed("k1", "faster", 0.05)})),
      IsEmpty());
}

TEST(Profit, TheFastestSettingIsProposed) {
  EXPECT_THAT(judged(losing(), {90}, {},
                     {timed("k1", "faster", 0.05), timed("k4", "faster", 0.2)})
                  .Message,
              HasSubstr("at k4 (measured: +20.0 %"));
  // That one cannot be written here any more.
  EXPECT_THAT(reasons(judged(
                  losing(), {90}, {},
                  {timed("k1", "faster", 0.05), timed("k16", "faster", 0.2)})),
              ElementsAre("expected-slower"));
}

TEST(Profit, NoCaseMayLose) {
  EXPECT_THAT(reasons(judged(
                  losing(), {90}, {},
                  {timed("k1", "faster", 0.2), timed("k1", "slower", -0.05)})),
              ElementsAre("measured-slower"));
}

TEST(Profit, WhatIsWrongIsMendedAtAnyPrice) {
  EXPECT_EQ(standing(judged(candidate("fence-as-barrier", "split"), {90},
                            wanting(KnownGain::Expected))),
            Standing::Applies);
}

TEST(Profit, LeavesWhatIsRefusedAlone) {
  Finding F = losing();
  F.Outcome = Verdict::Refused;
  EXPECT_THAT(reasons(judged(F, {90})), IsEmpty());
}

} // namespace
