// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/CostModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace llvm;

namespace barricade {

static constexpr int SchemaVersion = 1;

Expected<CostModel> CostModel::read(StringRef Path) {
  auto Text = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Text)
    return createStringError("cannot read '" + Path +
                             "': " + Text.getError().message());
  Expected<CostModel> Model = parse((*Text)->getBuffer());
  if (!Model)
    return createStringError(
        "'" + Path + "' is no calibration: " + toString(Model.takeError()));
  return Model;
}

Expected<CostModel> CostModel::parse(StringRef Json) {
  Expected<json::Value> Root = json::parse(Json);
  if (!Root)
    return Root.takeError();
  json::Path::Root Where("calibration");
  CostModel Model;
  int Version = 0;
  json::ObjectMapper Map(*Root, Where);
  if (!Map || !Map.map("schema-version", Version) ||
      !Map.map("gpu", Model.Gpu) ||
      !Map.map("ns-per-instruction", Model.NsPerInstruction) ||
      !Map.map("launch-us", Model.LaunchUs) ||
      !Map.map("grid-barrier-us", Model.GridBarrierUs))
    return Where.getError();
  if (!(Model.NsPerInstruction > 0 && Model.LaunchUs > 0 &&
        Model.GridBarrierUs > 0))
    return createStringError("a constant is not positive");
  if (Version != SchemaVersion)
    return createStringError("its schema version is " + Twine(Version));
  const json::Array *Loops = Root->getAsObject()->getArray("loops");
  if (!Loops || Loops->empty())
    return createStringError("it has no loops");
  for (const json::Value &Loop : *Loops) {
    Sample S;
    json::ObjectMapper Fields(Loop, Where);
    if (!Fields || !Fields.map("locality", S.Locality) ||
        !Fields.map("block-threads", S.BlockThreads) ||
        !Fields.map("form", S.Form) || !Fields.map("interval", S.Interval) ||
        !Fields.map("gain", S.Gain) ||
        !Fields.map("ns-per-access", S.NsPerAccess))
      return Where.getError();
    if (!S.Interval || !(S.NsPerAccess > 0))
      return createStringError("a loop has no interval or no time");
    Model.Samples.push_back(std::move(S));
  }
  return Model;
}

static std::optional<int64_t> integerFact(const Finding &F, StringRef Name) {
  for (const Fact &Each : F.Facts)
    if (Each.Name == Name)
      if (const auto *Number = std::get_if<int64_t>(&Each.Value))
        return *Number;
  return std::nullopt;
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

std::optional<ExpectedGain> CostModel::expect(const Finding &F) const {
  if (F.Form.empty())
    return std::nullopt;
  if (F.Rule == "grid-barrier")
    return expectGridBarrier();
  if (F.Rule == "artificial-barrier")
    return expectArtificialBarrier(F);
  return std::nullopt;
}

/// P3: a step takes t_C + t_O with a launch and t_C + t_GS with a barrier. t_C
/// is not known here, so the bounds are those of endless and of no computation,
/// for a grid that is resident at once.
ExpectedGain CostModel::expectGridBarrier() const {
  const double Most = (LaunchUs - GridBarrierUs) / LaunchUs;
  return {std::min(0.0, Most), std::max(0.0, Most)};
}

/// P1: rho = (m - m_s - d - s) / (m + c). The calibration's loops give the
/// numerator over their own m for each kind of access; the accesses' shares of
/// m weigh them, and c dilutes the whole. Computation may also hide behind
/// memory, so the bounds span both, all block sizes where none is known, and a
/// GPU that is full, filled to a quarter, or has one block on each
/// multiprocessor.
std::optional<ExpectedGain>
CostModel::expectArtificialBarrier(const Finding &F) const {
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

std::string expectationText(ExpectedGain Gain) {
  const bool MayLose = Gain.Low < 0, MayGain = Gain.High > 0;
  return formatv("{0}: {1}{2:F1} % .. {3}{4:F1} %",
                 !MayLose  ? "expected"
                 : MayGain ? "unclear, measure"
                           : "expected loss",
                 MayLose ? "" : "+", 100 * Gain.Low, MayGain ? "+" : "",
                 100 * Gain.High)
      .str();
}

void addExpectations(std::vector<Finding> &Findings, const CostModel &Model) {
  for (Finding &F : Findings) {
    if (F.Outcome == Verdict::Refused)
      continue;
    const std::optional<ExpectedGain> Gain = Model.expect(F);
    if (!Gain)
      continue;
    F.Facts.push_back({"expected-gain-low", Gain->Low, ""});
    F.Facts.push_back({"expected-gain-high", Gain->High, ""});
    F.Message += " (" + expectationText(*Gain) + ")";
  }
}

} // namespace barricade
