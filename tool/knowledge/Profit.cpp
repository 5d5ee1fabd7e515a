// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/Profit.h"
#include "tool/Names.h"
#include "tool/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <iterator>

using namespace llvm;

namespace barricade {

ArrayRef<ReasonInfo> profitReasons() {
  static constexpr ReasonInfo Infos[] = {
      {"measured-slower", "measured in this program, it is slower"},
      {"measured-no-gain", "measured in this program, it is not faster"},
      {"expected-slower", "on this GPU it is expected to be slower"},
      {"expected-no-gain", "on this GPU it is expected not to be faster"},
      {UnknownGain, "nobody knows whether it is faster; --profit=any makes "
                    "such changes, too"},
  };
  return Infos;
}

namespace {

using Opinion = Profit::Opinion;

//===--- Measured ---------------------------------------------------------===//

/// How a setting of the rule did in all programs and cases.
struct SettingTimes {
  std::vector<const Measurement *> Cases;

  bool has(StringRef Verdict) const {
    return any_of(Cases,
                  [&](const Measurement *M) { return M->Verdict == Verdict; });
  }
  bool isFaster() const { return has("faster") && !has("slower"); }
  double gain() const {
    double Sum = 0;
    for (const Measurement *M : Cases)
      Sum += M->Gain;
    return Sum / double(Cases.size());
  }
  const Measurement &worst() const {
    return **min_element(Cases, [](const Measurement *A, const Measurement *B) {
      return A->Gain < B->Gain;
    });
  }
};

/// By setting, the rewrites of this place alone.
std::map<std::string, SettingTimes> settingsOf(ArrayRef<Measurement> Times) {
  std::map<std::string, SettingTimes> Result;
  for (const Measurement &M : Times)
    if (M.Kind == "single")
      Result[M.Setting].Cases.push_back(&M);
  return Result;
}

std::string caseText(const Measurement &M) {
  return percentText(M.Gain) + " (" + intervalText(M.Low, M.High) + ") with " +
         M.Setting + " in " + M.Program + ", " + M.Case;
}

/// The fastest setting, if one is faster in some case and slower in none.
Opinion measuredOpinion(const std::map<std::string, SettingTimes> &Settings) {
  const auto ByGain = [](const auto &A, const auto &B) {
    return A.second.gain() < B.second.gain();
  };
  const SettingTimes *Faster = nullptr;
  for (const auto &[Name, Times] : Settings)
    if (Times.isFaster() && (!Faster || Faster->gain() < Times.gain()))
      Faster = &Times;
  const SettingTimes &Best =
      Faster ? *Faster : max_element(Settings, ByGain)->second;
  const std::string Figures = caseText(Best.worst());
  const std::string Told = "measured: " + Figures;
  if (Faster)
    return {"", "", Told, Best.worst().Setting};
  if (Best.has("slower"))
    return {"measured-slower", "it was measured to be slower: " + Figures, Told,
            ""};
  return {"measured-no-gain", "no gain was measured: " + Figures, Told, ""};
}

//===--- Expected ---------------------------------------------------------===//

std::string onGpu(const Profile &Of) {
  return (" on an " + Of.Model.gpu() + " (" + Of.Source + ")").str();
}

/// `7.0 to 43.0 % slower`.
std::string slowerText(ExpectedGain Gain) {
  return formatv("{0:F1} to {1:F1} % slower", std::max(0.0, -100 * Gain.High),
                 -100 * Gain.Low);
}

Opinion expectedOpinion(const Expectation &E, const Profile &By,
                        std::string Told) {
  const std::string Where = onGpu(By);
  const std::string Because = E.Because.empty() ? "" : ": " + E.Because;
  switch (E.What) {
  case Outlook::Gain:
    return {"", "", Told, ""};
  case Outlook::NoGain:
    return {"expected-no-gain",
            "it is not expected to be faster" + Where + Because, Told, ""};
  case Outlook::Loss:
    return {"expected-slower",
            "it is expected to be " +
                (Because.empty() ? slowerText(E.Gain) : "slower") + Where +
                Because,
            Told, ""};
  case Outlook::Unclear:
    return {UnknownGain.str(),
            "nobody knows whether it is faster" + Where + ": " + figuresText(E),
            Told, ""};
  }
  llvm_unreachable("unknown outlook");
}

//===--- The verdict ------------------------------------------------------===//

/// A program that is wrong is mended whatever that costs.
bool isForSpeed(const Finding &F) { return F.Rule != "fence-as-barrier"; }

void holdBack(Finding &F, Opinion By) {
  F.Outcome = Verdict::NotProfitable;
  const size_t Can = F.Message.find(" can ");
  if (Can != std::string::npos)
    F.Message.replace(Can, StringRef(" can ").size(), " could ");
  F.Message += ", but " + By.Why;
  F.Reasons.push_back({std::move(By.Against), F.Where, std::move(By.Why), {}});
}

void decide(Finding &F, Opinion By, KnownGain Wanted) {
  if (!By.Against.empty() && Wanted != KnownGain::Any)
    holdBack(F, std::move(By));
  else if (!By.Told.empty())
    F.Message += " (" + By.Told + ")";
}

} // namespace

//===--- Profit -----------------------------------------------------------===//

Expected<Profit> Profit::create(const Options &Opts,
                                ArrayRef<std::unique_ptr<Rule>> Rules) {
  Profit Result;
  Result.Asked = Opts.Profit;
  if (!Opts.MeasuredFile.empty()) {
    auto Results = Measured::read(Opts.MeasuredFile);
    if (!Results)
      return Results.takeError();
    Result.Results = std::move(*Results);
    for (const auto &R : Rules)
      for (Setting &S : R->settings(Opts.Rules))
        if (Result.Results->hasFaster(R->id(), S.Name))
          Result.FasterRules.push_back(
              std::make_unique<RuleAtSetting>(*R, std::move(S)));
  }
  if (!Opts.CalibrationFile.empty()) {
    auto Model = CostModel::read(Opts.CalibrationFile);
    if (!Model)
      return Model.takeError();
    Result.Chosen = Profile{std::move(*Model),
                            "'" + displayPath(Opts.CalibrationFile) + "'"};
    return Result;
  }
  auto Known = Profiles::load(userProfileFolder());
  if (!Known)
    return Known.takeError();
  Result.Known = std::move(*Known);
  if (!Opts.Gpu.empty()) {
    auto Named = Result.Known.named(Opts.Gpu);
    if (!Named)
      return Named.takeError();
    Result.Chosen = **Named;
  }
  return Result;
}

void Profit::addMeasured(std::vector<const Rule *> &Chosen) const {
  const std::vector<const Rule *> Plain = Chosen;
  for (const auto &R : FasterRules)
    if (is_contained(Plain, &R->base()))
      Chosen.push_back(R.get());
}

/// The architectures that the commands of all files name, or of those that
/// name one.
static std::vector<unsigned> targetsOf(ArrayRef<FileReport> Files) {
  std::vector<unsigned> Result;
  for (const FileReport &File : Files)
    append_range(Result, File.TargetSms);
  sort(Result);
  Result.erase(unique(Result), Result.end());
  return Result;
}

const Profile *Profit::profileFor(ArrayRef<FileReport> Files) const {
  if (Chosen)
    return &*Chosen;
  // A program for several GPUs may run on any of them.
  const std::vector<unsigned> Targets = targetsOf(Files);
  return Targets.size() == 1 ? Known.ofArchitecture(Targets.front()) : nullptr;
}

KnownGain Profit::wanted(const Profile *Gpu) const {
  if (Asked != KnownGain::Automatic)
    return Asked;
  return Gpu || Results ? KnownGain::Expected : KnownGain::Any;
}

static std::string archName(unsigned Sm) { return "sm_" + std::to_string(Sm); }

/// Why nothing is expected of programs for \p Targets.
static std::string whyNoProfile(ArrayRef<unsigned> Targets) {
  if (Targets.empty())
    return "the build names no GPU (-arch, --gpu)";
  if (Targets.size() > 1)
    return "the build is for several GPUs, so name one (--gpu)";
  return "there is no profile of " + archName(Targets.front()) +
         " (barricade calibrate makes one)";
}

/// Of what was neither measured nor can be expected.
Opinion Profit::unknown(ArrayRef<FileReport> Files) const {
  const Profile *Gpu = profileFor(Files);
  std::string Why = Gpu ? Gpu->Source + " says nothing of it"
                        : whyNoProfile(targetsOf(Files));
  return {UnknownGain.str(),
          "nobody knows whether it is faster: it was not measured, and " + Why,
          "", ""};
}

std::optional<Opinion> Profit::expected(Finding &F, const Profile *Gpu) const {
  const auto E = Gpu ? Gpu->Model.expect(F) : std::nullopt;
  if (!E)
    return std::nullopt;
  std::string Told = addExpectation(F, *E, Gpu->Model);
  F.Facts.push_back({"expected-by", Gpu->Source, ""});
  return expectedOpinion(*E, *Gpu, std::move(Told));
}

/// Takes the findings of rules at settings out of \p Findings.
static std::vector<Finding> takeAtSettings(std::vector<Finding> &Findings) {
  const auto First = std::stable_partition(
      Findings.begin(), Findings.end(),
      [](const auto &F) { return !RuleAtSetting::isIdOfOne(F.Rule); });
  std::vector<Finding> Taken(std::make_move_iterator(First),
                             std::make_move_iterator(Findings.end()));
  Findings.erase(First, Findings.end());
  return Taken;
}

/// Has \p F rewrite at \p Setting. False where that cannot be done any more.
static bool takeSetting(Finding &F, StringRef Setting,
                        ArrayRef<Finding> AtSettings) {
  const std::string Id = RuleAtSetting::idFor(F.Rule, Setting);
  const Finding *Found = find_if(AtSettings, [&](const Finding &Other) {
    return Other.Rule == Id && Other.Where == F.Where &&
           Other.Outcome == Verdict::Rewrite;
  });
  if (Found == AtSettings.end())
    return false;
  std::string Rule = std::move(F.Rule);
  F = *Found;
  F.Rule = std::move(Rule);
  return true;
}

void Profit::judge(Report &R) const {
  const std::vector<Finding> AtSettings = takeAtSettings(R.Findings);
  if (Results)
    Results->addTo(R);
  const Profile *Gpu = profileFor(R.Files);
  const KnownGain Wanted = wanted(Gpu);
  for (Finding &F : R.Findings) {
    if (F.Outcome == Verdict::Refused || !isForSpeed(F))
      continue;
    std::optional<Opinion> By;
    if (const auto Settings = settingsOf(R.measurements(F)); !Settings.empty())
      By = measuredOpinion(Settings);
    if (By && !By->Setting.empty() && !takeSetting(F, By->Setting, AtSettings))
      By = std::nullopt;
    const std::optional<Opinion> Expected = expected(F, Gpu);
    if (!By && Wanted != KnownGain::Measured)
      By = Expected;
    if (F.Outcome == Verdict::Rewrite)
      decide(F, By ? std::move(*By) : unknown(R.Files), Wanted);
  }
}

void Profit::tell(std::vector<Finding> &Findings,
                  ArrayRef<FileReport> Files) const {
  const Profile *Gpu = profileFor(Files);
  for (Finding &F : Findings)
    if (F.Outcome != Verdict::Refused)
      if (auto By = expected(F, Gpu))
        F.Message += " (" + By->Told + ")";
}

std::string Profit::explanation(ArrayRef<FileReport> Files) const {
  const Profile *Gpu = profileFor(Files);
  std::string Text =
      Gpu ? "gains are expected" + onGpu(*Gpu)
          : whyNoProfile(targetsOf(Files)) + ", so no gain is expected";
  if (wanted(Gpu) == KnownGain::Any)
    Text += "; whatever is legal is proposed";
  return Text;
}

} // namespace barricade
