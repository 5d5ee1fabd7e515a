// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/CostModel.h"
#include "tool/knowledge/JsonFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace barricade {

static constexpr int SchemaVersion = 1;
/// Launches from which on the runtime loads a kernel for stretches, and how
/// many one of them makes: EarnsStretch, Stretch::MostSteps.
static constexpr int64_t FewestOfStretches = 400, MostOfStretch = 52;
/// What an iteration takes longer at least, in microseconds, that waits for its
/// launch, until the host knows and the next launch comes (H100: 9.1 us in all,
/// or 4.2 without the wait).
static constexpr double WaitUs = 4.9;
/// From an iteration to the next of a loop that the device goes around by
/// itself, beyond its kernels (H200: 6.0 us with a kernel without work).
static constexpr double LoopTurnUs = 5;

/// Iterations of which the runtime makes a graph: DecidesAfter + EarnsReplay.
static constexpr int64_t FewestReplayed = 16 + 200;
/// What HeCBench's compute-score lost by reading as kernels that wait do
/// (docs/results/launch-overlap.md, "What read-only loads are worth").
static constexpr double ReadOnlyLoadsShare = 0.034;

namespace {

/// Maps numbers that can be computed with.
class Constants : public json::ObjectMapper {
public:
  Constants(const json::Value &E, json::Path Where)
      : ObjectMapper(E, Where), Where(Where) {}

  bool time(StringLiteral Key, double &Out) {
    return map(Key, Out) && isWithin(Key, Out, 1 / MostNumber, MostNumber,
                                     "expected a time of 1e-12 to 1e12");
  }

  /// 0: not known.
  bool optionalTime(StringLiteral Key, double &Out) {
    return mapOptional(Key, Out) &&
           isWithin(Key, Out, 0, MostNumber, "expected a time of 0 to 1e12");
  }

  bool gain(StringLiteral Key, double &Out) {
    return map(Key, Out) &&
           isWithin(Key, Out, -MostNumber, 1, "expected a gain of -1e12 to 1");
  }

  bool count(StringLiteral Key, unsigned &Out, unsigned Least = 1) {
    int64_t Number = 0;
    if (!map(Key, Number) ||
        !isWithin(Key, double(Number), Least,
                  std::numeric_limits<int32_t>::max(),
                  Least ? StringLiteral("expected a positive count")
                        : StringLiteral("expected a count")))
      return false;
    Out = unsigned(Number);
    return true;
  }

  bool optionalCount(StringLiteral Key, std::optional<unsigned> &Out) {
    std::optional<int64_t> Number;
    return map(Key, Number) && (!Number || count(Key, Out.emplace()));
  }

private:
  bool isWithin(StringRef Key, double Number, double Least, double Most,
                StringLiteral Otherwise) {
    if (Number >= Least && Number <= Most)
      return true;
    Where.field(Key).report(Otherwise);
    return false;
  }

  json::Path Where;
};

} // namespace

Expected<CostModel> CostModel::read(StringRef Path) {
  auto Text = readText(Path);
  if (!Text)
    return Text.takeError();
  Expected<CostModel> Model = parse((*Text)->getBuffer());
  if (!Model)
    return createStringError(
        "'" + Path + "' is no calibration: " + toString(Model.takeError()));
  return Model;
}

Expected<CostModel> CostModel::parse(StringRef Json) {
  Expected<json::Value> Root = parseJson(Json);
  if (!Root)
    return Root.takeError();
  return fromJSON(*Root);
}

Expected<CostModel> CostModel::fromJSON(const json::Value &Root) {
  json::Path::Root Where("calibration");
  CostModel Model;
  int64_t Version = 0;
  Constants Map(Root, Where);
  if (!Map || !Map.map("schema-version", Version) ||
      !Map.map("gpu", Model.Gpu) ||
      !Map.mapOptional("architecture", Model.Architecture) ||
      !Map.time("ns-per-instruction", Model.NsPerInstruction) ||
      !Map.time("launch-us", Model.Costs.Relaunch) ||
      !Map.time("grid-barrier-us", Model.Costs.GridBarrier) ||
      !Map.optionalTime("graph-node-us", Model.Costs.GraphNode) ||
      !Map.optionalCount("multiprocessors", Model.Multiprocessors) ||
      !Map.optionalTime("persistent-launch-us", Model.PersistentLaunchUs) ||
      !Map.optionalTime("first-use-us", Model.FirstUseUs) ||
      !Map.optionalTime("overlap-saved-us", Model.OverlapSavedUs) ||
      !readExperience(*Root.getAsObject(), Where, Model.Experiences) ||
      !readGridSteps(*Root.getAsObject(), Where, Model.GridSteps))
    return Where.getError();
  if (Version != SchemaVersion)
    return createStringError("its schema version is " + Twine(Version));
  const json::Array *Loops = Root.getAsObject()->getArray("loops");
  if (!Loops || Loops->empty())
    return createStringError("it has no loops");
  for (const json::Value &Loop : *Loops) {
    Sample S;
    Constants Fields(Loop, Where);
    if (!Fields || !Fields.map("locality", S.Locality) ||
        !Fields.count("block-threads", S.BlockThreads) ||
        !Fields.map("form", S.Form) || !Fields.count("interval", S.Interval) ||
        !Fields.gain("gain", S.Gain) ||
        !Fields.time("ns-per-access", S.NsPerAccess))
      return Where.getError();
    Model.Samples.push_back(std::move(S));
  }
  return Model;
}

bool CostModel::readExperience(const json::Object &Root, json::Path Where,
                               std::vector<Experience> &Experiences) {
  const json::Array *Entries = Root.getArray("experience");
  if (!Entries)
    return true;
  for (const json::Value &Entry : *Entries) {
    Experience E;
    Constants Fields(Entry, Where);
    if (!Fields || !Fields.map("rule", E.Rule) ||
        !Fields.count("programs", E.Programs, 0) ||
        !Fields.count("faster", E.Faster, 0) ||
        !Fields.count("slower", E.Slower, 0) ||
        !Fields.gain("gain-low", E.Gain.Low) ||
        !Fields.gain("gain-high", E.Gain.High))
      return false;
    Experiences.push_back(std::move(E));
  }
  return true;
}

bool CostModel::readGridSteps(const json::Object &Root, json::Path Where,
                              std::vector<GridSample> &Samples) {
  const json::Array *Steps = Root.getArray("grid-steps");
  if (!Steps) // of an older calibration
    return true;
  for (const json::Value &Step : *Steps) {
    GridSample S;
    Constants Fields(Step, Where);
    if (!Fields || !Fields.count("blocks", S.Blocks) ||
        !Fields.time("launch-us", S.Costs.Relaunch) ||
        !Fields.optionalTime("graph-node-us", S.Costs.GraphNode) ||
        !Fields.time("grid-barrier-us", S.Costs.GridBarrier))
      return false;
    Samples.push_back(S);
  }
  sort(Samples, [](const GridSample &A, const GridSample &B) {
    return A.Blocks < B.Blocks;
  });
  return true;
}

StepCosts CostModel::stepCosts(std::optional<uint64_t> Blocks) const {
  if (!Blocks || GridSteps.empty())
    return Costs;
  const double Wanted = double(*Blocks);
  const auto Above = find_if(
      GridSteps, [&](const GridSample &S) { return S.Blocks >= Wanted; });
  if (Above == GridSteps.end())
    return GridSteps.back().Costs;
  if (Above == GridSteps.begin())
    return Above->Costs;
  const GridSample &Below = *std::prev(Above);
  const double Share = (Wanted - Below.Blocks) / (Above->Blocks - Below.Blocks);
  const auto Between = [&](double StepCosts::*Cost) {
    return Below.Costs.*Cost + Share * (Above->Costs.*Cost - Below.Costs.*Cost);
  };
  return {Between(&StepCosts::Relaunch), Between(&StepCosts::GraphNode),
          Between(&StepCosts::GridBarrier)};
}

static std::optional<int64_t> integerFact(const Finding &F, StringRef Name) {
  for (const Fact &Each : F.Facts)
    if (Each.Name == Name)
      if (const auto *Number = std::get_if<int64_t>(&Each.Value))
        return *Number;
  return std::nullopt;
}

static bool has(const Finding &F, StringRef Flag) {
  return is_contained(F.Facts, Fact{Flag.str(), true, ""});
}

/// A grid that is not resident runs in turn, and nobody knows how long.
static bool runsLogicalBlocks(const Finding &F) {
  return has(F, "logical-blocks");
}

/// The entry of \p Values next to \p Wanted on a logarithmic scale.
static unsigned nearest(ArrayRef<unsigned> Values, unsigned Wanted) {
  return *min_element(Values, [&](unsigned A, unsigned B) {
    auto Distance = [&](unsigned V) {
      return std::abs(std::log2(double(V) / Wanted));
    };
    return Distance(A) < Distance(B);
  });
}

std::vector<const CostModel::Sample *>
CostModel::samplesFor(StringRef Locality, StringRef Form, unsigned Interval,
                      std::optional<unsigned> Block) const {
  std::vector<const Sample *> Found;
  for (const Sample &S : Samples)
    if (S.Locality == Locality && S.Form == Form)
      Found.push_back(&S);
  auto KeepNearest = [&](unsigned Sample::*Field, unsigned Wanted) {
    std::vector<unsigned> Values;
    for (const Sample *S : Found)
      Values.push_back(S->*Field);
    if (Values.empty())
      return;
    const unsigned Chosen = nearest(Values, Wanted);
    erase_if(Found, [&](const Sample *S) { return S->*Field != Chosen; });
  };
  KeepNearest(&Sample::Interval, Interval);
  if (Block)
    KeepNearest(&Sample::BlockThreads, *Block);
  return Found;
}

std::optional<Expectation> CostModel::expect(const Finding &F) const {
  if (F.Form.empty())
    return std::nullopt;
  if (F.Rule == "grid-barrier")
    return exceedsGpu(F) && runsLogicalBlocks(F)
               ? std::nullopt
               : std::optional(expectGridBarrier(F));
  if (F.Rule == "launch-fusion")
    return expectFusion(F);
  if (F.Rule == "launch-overlap")
    return expectOverlap(F);
  if (F.Rule == "launch-replay")
    return expectReplay(F);
  if (F.Rule == "artificial-barrier")
    return expectArtificialBarrier(F);
  return std::nullopt;
}

static Outlook outlookOf(ExpectedGain Gain) {
  if (Gain.Low >= 0)
    return Gain.High > 0 ? Outlook::Gain : Outlook::NoGain;
  return Gain.High > 0 ? Outlook::Unclear : Outlook::Loss;
}

static std::string microseconds(double Us) {
  return formatv(Us < 10 ? "{0:F1} us" : "{0:F0} us", Us);
}

/// What a persistent launch costs beyond its steps.
double CostModel::onceUs(bool Repeated) const {
  return PersistentLaunchUs + (Repeated ? 0 : FirstUseUs);
}

/// P3: a step takes t_C + t_O with a launch and t_C + t_GS with a barrier. t_C
/// is not known here, so the bounds are those of endless and of no computation,
/// for a grid that is resident at once. A loop that is known to be short, and
/// to run once, does not earn what a persistent kernel's first use takes; one
/// that begins as it was goes on so then.
Expectation CostModel::expectGridBarrier(const Finding &F) const {
  if (F.Form == "stretches" || (exceedsGpu(F) && has(F, "stretches")))
    return expectStretches(F);
  if (exceedsGpu(F))
    return {Outlook::NoGain, {0, 0}, ""};
  const StepCosts Step = stepCosts(integerFact(F, "blocks"));
  const double PerLaunch = Step.Relaunch - Step.GridBarrier;
  const double Most = PerLaunch / Step.Relaunch;
  const ExpectedGain Gain = {std::min(0.0, Most), std::max(0.0, Most)};
  const double PerIteration =
      integerFact(F, "launches").value_or(1) * PerLaunch;
  const auto Iterations = integerFact(F, "iterations");
  const bool Repeated = has(F, "runs-repeatedly");
  if (!Iterations && !has(F, "takes-over") && !Repeated && FirstUseUs > 0 &&
      outlookOf(Gain) == Outlook::Gain)
    return {Outlook::Unclear, Gain,
            formatv("it runs from the start, and its first use costs {0}, what "
                    "{1:F0} iterations save",
                    microseconds(onceUs(Repeated)),
                    std::ceil(onceUs(Repeated) / PerIteration))};
  if (!Iterations)
    return {outlookOf(Gain), Gain, ""};
  const double Saved = double(*Iterations) * PerIteration;
  const double Once = onceUs(Repeated);
  if (Saved >= Once)
    return {outlookOf(Gain), Gain, ""};
  std::string Because =
      formatv("{0} iterations save {1}, and the persistent kernel costs {2} "
              "once",
              *Iterations, microseconds(Saved), microseconds(Once));
  if (has(F, "takes-over"))
    return {
        Outlook::NoGain, {0, 0}, Because + ", so that it takes nothing over"};
  return {Outlook::Loss, Gain, std::move(Because)};
}

/// Steps of a stretch take no launch of their own; what they gain by finding
/// their block's memory in its cache is not known here.
Expectation CostModel::expectStretches(const Finding &F) const {
  const auto Iterations = integerFact(F, "iterations");
  const int64_t Launches = integerFact(F, "launches").value_or(1);
  if (Iterations && *Iterations * Launches < FewestOfStretches &&
      !has(F, "runs-repeatedly"))
    return {Outlook::NoGain,
            {0, 0},
            formatv("{0} launches are too few for the kernel that makes them "
                    "as one to be loaded",
                    *Iterations * Launches)};
  return {Outlook::Gain, {0, 1 - 1.0 / MostOfStretch}, ""};
}

/// Each launch less is a launch's time. One persistent kernel for a few of them
/// has to earn its own launch, and its first use.
Expectation CostModel::expectFusion(const Finding &F) const {
  const double Launches = double(integerFact(F, "launches").value_or(2));
  const double Saved = Launches - 1;
  if (F.Form != "grid-barrier") {
    const ExpectedGain Gain = {0, Saved / Launches};
    return {outlookOf(Gain), Gain, ""};
  }
  const double Us = Saved * (Costs.Relaunch - Costs.GridBarrier) - onceUs(true);
  const double Share = Us / (Launches * Costs.Relaunch);
  if (Us <= 0)
    return {Outlook::Loss,
            {Share, 0},
            formatv("{0} less for launches, {1} more for a persistent one and "
                    "its barriers",
                    microseconds(Saved * Costs.Relaunch),
                    microseconds(Saved * Costs.GridBarrier + onceUs(true)))};
  return {FirstUseUs > 0 ? Outlook::Unclear : Outlook::Gain,
          {0, Share},
          FirstUseUs > 0
              ? formatv("it saves {0} each time, and its first use costs {1}",
                        microseconds(Us), microseconds(FirstUseUs))
                    .str()
              : ""};
}

/// Of a launch's time; nothing of a long kernel's, which has more to lose.
std::optional<Expectation> CostModel::expectOverlap(const Finding &F) const {
  if (OverlapSavedUs == 0)
    return std::nullopt;
  if (has(F, "loses-read-only-loads"))
    return Expectation{
        Outlook::Loss,
        {-ReadOnlyLoadsShare, OverlapSavedUs / Costs.Relaunch},
        formatv("loops of its kernels would no longer read by ld.global.nc, "
                "which made a real program {0:F1} % slower",
                100 * ReadOnlyLoadsShare)};
  const ExpectedGain Gain = {0, OverlapSavedUs / Costs.Relaunch};
  return Expectation{outlookOf(Gain), Gain, ""};
}

/// What a node of a graph takes less than a launch; nothing of a long kernel's.
/// A loop that is known to be short is never replayed, but does not wait,
/// either.
std::optional<Expectation> CostModel::expectReplay(const Finding &F) const {
  if (Costs.GraphNode == 0)
    return std::nullopt;
  const double Launches = integerFact(F, "launches").value_or(1);
  const double Waits = integerFact(F, "waits").value_or(0) +
                       integerFact(F, "copies").value_or(0);
  const auto Iterations = integerFact(F, "iterations");
  const bool IsShort = Iterations && *Iterations < FewestReplayed;
  if (IsShort && Waits == 0)
    return Expectation{Outlook::NoGain, {0, 0}, ""};
  const double Before = Launches * Costs.Relaunch + Waits * WaitUs;
  const double After = Launches * (IsShort ? Costs.Relaunch : Costs.GraphNode) +
                       (F.Form == "looped" ? LoopTurnUs : 0);
  const ExpectedGain Gain = {0, std::max(0.0, 1 - After / Before)};
  return Expectation{outlookOf(Gain), Gain, ""};
}

const Experience *CostModel::experienceOf(StringRef Rule) const {
  const auto Found =
      find_if(Experiences, [&](const Experience &E) { return E.Rule == Rule; });
  return Found == Experiences.end() ? nullptr : &*Found;
}

/// "0 of 22 real programs were faster, 14 were 5 to 40 % slower".
static std::string experienceText(const Experience &E) {
  return formatv("{0} of {1} real programs were faster, {2} were {3:F0} to "
                 "{4:F0} % slower",
                 E.Faster, E.Programs, E.Slower, -100 * E.Gain.High,
                 -100 * E.Gain.Low);
}

/// The loops' bounds, and where they do not decide, what real programs did.
std::optional<Expectation>
CostModel::expectArtificialBarrier(const Finding &F) const {
  const auto Bounds = boundsOfLoads(F);
  const Outlook Seen = Bounds ? outlookOf(*Bounds) : Outlook::Unclear;
  const Experience *Known = experienceOf(F.Rule);
  if (Seen != Outlook::Unclear || !Known || Known->Faster || !Known->Slower)
    return Bounds ? std::optional<Expectation>({Seen, *Bounds, ""})
                  : std::nullopt;
  return Expectation{Outlook::Loss, Bounds.value_or(Known->Gain),
                     experienceText(*Known)};
}

bool CostModel::exceedsGpu(const Finding &F) const {
  /// The most that a multiprocessor of any GPU holds (CUDA C++ Programming
  /// Guide, "Technical Specifications per Compute Capability").
  constexpr int64_t MostThreads = 2048, MostBlocks = 32;
  const auto Blocks = integerFact(F, "blocks");
  if (!Blocks || !Multiprocessors)
    return false;
  const int64_t Threads =
      std::max<int64_t>(integerFact(F, "block-size").value_or(1), 1);
  return *Blocks >
         *Multiprocessors * std::min(MostBlocks, MostThreads / Threads);
}

/// P1: rho = (m - m_s - d - s) / (m + c). The calibration's loops give the
/// numerator over their own m for each kind of access; the accesses' shares of
/// m weigh them, and c dilutes the whole. Computation may also hide behind
/// memory, so the bounds span both, all block sizes where none is known, and a
/// GPU that is full, filled to a quarter, or has one block on each
/// multiprocessor.
std::optional<ExpectedGain> CostModel::boundsOfLoads(const Finding &F) const {
  const auto Block = integerFact(F, "block-size");
  const unsigned Interval = integerFact(F, "barrier-interval").value_or(1);
  // Rounds have a count that is the same for all threads: no vote either.
  const StringRef Form =
      F.Form == "uniform" || F.Form == "rounds" ? "barrier" : "vote";
  double Memory = 0, Low = 0, High = 0;
  for (const AccessFact &A : F.Accesses) {
    // The model is one of cache hits: nobody waits for a store.
    if (A.Kind != "load" || (A.Space != "global" && A.Space != "unknown"))
      continue;
    const auto Found =
        samplesFor(A.Locality, Form, Interval,
                   Block ? std::optional<unsigned>(*Block) : std::nullopt);
    if (Found.empty())
      return std::nullopt;
    auto [Worst, Best] = std::minmax_element(
        Found.begin(), Found.end(),
        [](const Sample *X, const Sample *Y) { return X->Gain < Y->Gain; });
    const double Time = Found.front()->NsPerAccess;
    Memory += Time;
    Low += Time * (*Worst)->Gain;
    High += Time * (*Best)->Gain;
  }
  if (Memory == 0)
    return std::nullopt;
  Low /= Memory;
  High /= Memory;
  const double Computation =
      NsPerInstruction * integerFact(F, "instructions").value_or(0);
  const double Share = Memory / (Memory + Computation);
  return ExpectedGain{std::min(Low, Low * Share) - Uncertainty,
                      std::max(High, High * Share) + Uncertainty};
}

static StringRef outlookWords(Outlook What) {
  switch (What) {
  case Outlook::Gain:
    return "expected";
  case Outlook::NoGain:
    return "no gain expected";
  case Outlook::Loss:
    return "expected loss";
  case Outlook::Unclear:
    return "unclear";
  }
  llvm_unreachable("unknown outlook");
}

std::string figuresText(const Expectation &E) {
  if (!E.Because.empty())
    return E.Because;
  return formatv("{0}{1:F1} % .. {2}{3:F1} %", E.Gain.Low < 0 ? "" : "+",
                 100 * E.Gain.Low, E.Gain.High > 0 ? "+" : "",
                 100 * E.Gain.High);
}

std::string expectationText(const Expectation &E, const CostModel &Model) {
  return (outlookWords(E.What) + " on an " + Model.gpu() + ": " +
          figuresText(E))
      .str();
}

std::string CostModel::addStepCosts(Finding &F) const {
  const auto Blocks = integerFact(F, "blocks");
  const double Launches = double(integerFact(F, "launches").value_or(1));
  const StepCosts Step = stepCosts(Blocks);
  const auto Tell = [&](StringRef Name, double Us) {
    F.Facts.push_back({Name.str(), Launches * Us, "us per iteration"});
    return formatv("{0:F1} us", Launches * Us).str();
  };
  std::string Text =
      "; launches take " + Tell("expected-relaunch", Step.Relaunch);
  if (Step.GraphNode > 0)
    Text += ", nodes of a CUDA graph " + Tell("expected-graph", Step.GraphNode);
  Text += ", grid barriers " + Tell("expected-grid-barrier", Step.GridBarrier) +
          " per iteration";
  if (exceedsGpu(F)) {
    F.Facts.push_back({"expected-resident", false, ""});
    return Text + "; " + std::to_string(*Blocks) +
           " blocks are more than the GPU holds at once" +
           (has(F, "stretches") ? ", so that launches that need nothing of "
                                  "other blocks become one"
                                : "");
  }
  if (const auto Iterations = integerFact(F, "iterations")) {
    const double Saved =
        double(*Iterations) * Launches * (Step.Relaunch - Step.GridBarrier);
    F.Facts.push_back({"expected-saved", Saved, "us"});
    Text += formatv("; {0:F0} us less in {1} iterations", Saved, *Iterations);
  } else if (has(F, "takes-over")) {
    Text += "; the kernel takes the loop over once that pays";
  } else if (FirstUseUs > 0 && Step.Relaunch > Step.GridBarrier) {
    Text +=
        formatv("; the first use in a process costs {0:F0} us, what {1:F0} "
                "iterations save",
                FirstUseUs,
                FirstUseUs / (Launches * (Step.Relaunch - Step.GridBarrier)));
  }
  return Text;
}

std::string addExpectation(Finding &F, const Expectation &E,
                           const CostModel &Model) {
  F.Facts.push_back({"expected-gain-low", E.Gain.Low, ""});
  F.Facts.push_back({"expected-gain-high", E.Gain.High, ""});
  std::string Words = expectationText(E, Model);
  F.Facts.push_back({"expected-gain", Words, ""});
  return F.Rule == "grid-barrier" && F.Form != "stretches"
             ? Words + Model.addStepCosts(F)
             : Words;
}

} // namespace barricade
