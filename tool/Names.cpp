// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Names.h"
#include "tool/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace barricade {

std::string diagnosticName(StringRef Rule) {
  return ("barricade-" + Rule).str();
}

StringRef verdictName(Verdict V) {
  switch (V) {
  case Verdict::Rewrite:
    return "rewrite";
  case Verdict::Refused:
    return "refused";
  case Verdict::NotProfitable:
    return "not-profitable";
  case Verdict::Fault:
    return "fault";
  }
  llvm_unreachable("unknown verdict");
}

StringRef standingName(Standing S) {
  switch (S) {
  case Standing::Applies:
    return "applies";
  case Standing::HeldBack:
    return "held-back";
  case Standing::Refused:
    return "refused";
  case Standing::NotProfitable:
    return "not-profitable";
  case Standing::Fault:
    return "faults";
  case Standing::Suppressed:
    return "suppressed";
  }
  llvm_unreachable("unknown standing");
}

StringRef standingWords(Standing S) {
  switch (S) {
  case Standing::Applies:
    return "to rewrite";
  case Standing::HeldBack:
    return "held back";
  case Standing::NotProfitable:
    return "not profitable";
  case Standing::Fault:
    return "at fault";
  case Standing::Refused:
  case Standing::Suppressed:
    return standingName(S);
  }
  llvm_unreachable("unknown standing");
}

std::string percentText(double Share) {
  return formatv("{0}{1:F1} %", Share < 0 ? "-" : "+", std::abs(Share) * 100);
}

std::string intervalText(std::optional<double> Low,
                         std::optional<double> High) {
  auto Bound = [](std::optional<double> B) {
    return B ? percentText(*B) : std::string("...");
  };
  return Bound(Low) + " to " + Bound(High);
}

std::string gainText(const Finding &F, ArrayRef<Measurement> Measured) {
  std::map<StringRef, double> Least; // By setting: a case may be noise.
  for (const Measurement &M : Measured)
    if (M.Kind == "single") {
      double &Gain = Least.try_emplace(M.Setting, M.Gain).first->second;
      Gain = std::min(Gain, M.Gain);
    }
  if (!Least.empty())
    return "measured " + percentText(*max_element(make_second_range(Least)));
  const auto Told = find_if(
      F.Facts, [](const Fact &Each) { return Each.Name == "expected-gain"; });
  return Told == F.Facts.end() ? "" : valueText(*Told);
}

std::string measurementText(const Measurement &M) {
  return "with " + M.Setting + " (" + M.Kind + ") in " + M.Program + ", " +
         M.Case + ": " + percentText(M.Gain) + ", " +
         intervalText(M.Low, M.High) + ": " + M.Verdict;
}

std::string valueText(const Fact &F) {
  if (const auto *Number = std::get_if<int64_t>(&F.Value))
    return std::to_string(*Number);
  if (const auto *Number = std::get_if<double>(&F.Value))
    return formatv("{0:F3}", *Number);
  if (const auto *Flag = std::get_if<bool>(&F.Value))
    return *Flag ? "yes" : "no";
  return std::get<std::string>(F.Value);
}

std::string factsText(ArrayRef<Fact> Facts) {
  return join(map_range(Facts,
                        [](const Fact &F) {
                          return F.Name + " " + valueText(F) +
                                 (F.Unit.empty() ? "" : " " + F.Unit);
                        }),
              ", ");
}

std::string textWithReasons(const Finding &F) {
  auto At = [](const Place &P) {
    return displayPath(P.File) + ":" + std::to_string(P.Line) + ": ";
  };
  std::string Result = F.Message;
  for (const Reason &Why : F.Reasons) {
    Result += "\n" + At(Why.Where) + Why.Text + " [" + Why.Id + "]";
    for (const Note &More : Why.Notes)
      Result += "\n  " + At(More.Where) + More.Text;
  }
  return Result;
}

std::string accessText(const AccessFact &A) {
  std::string Result = formatv("{0} of {1} bytes, {2} '{3}'", A.Kind,
                               A.WidthBytes, A.Space, A.Base);
  auto Add = [&](StringRef Name, StringRef Value) {
    if (!Value.empty())
      Result += (", " + Name + Value).str();
  };
  Add("index ", A.Index);
  Add("", A.Locality);
  Add("loop stride ", A.LoopStride);
  return Result;
}

} // namespace barricade
