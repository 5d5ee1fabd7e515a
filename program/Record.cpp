// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Record.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace barricade::program {
namespace {

constexpr size_t KeptUnits = 2;
constexpr StringLiteral KindText = "{\"kind\":", KeyText = ",\"key\":",
                        ClaimsText = ",\"claims\":[",
                        UnitsText = ",\"units\":[", MoreText = ",\"more\":true";

/// Adds the units of \p From to those of \p To.
void addUnits(Claim &To, const Claim &From) {
  append_range(To.Units, From.Units);
  sort(To.Units);
  To.Units.erase(unique(To.Units), To.Units.end());
  To.HasMoreUnits |= From.HasMoreUnits || To.Units.size() > KeptUnits;
  if (To.Units.size() > KeptUnits)
    To.Units.resize(KeptUnits);
}

/// Takes the string that \p Left begins with, quotes included; empty: it does
/// not.
StringRef takeString(StringRef &Left) {
  if (!Left.starts_with("\""))
    return {};
  size_t End = 1;
  while (End < Left.size() && Left[End] != '"')
    End += Left[End] == '\\' ? 2 : 1;
  if (End >= Left.size())
    return {};
  const StringRef Text = Left.take_front(End + 1);
  Left = Left.drop_front(Text.size());
  return Text;
}

/// Takes the object that \p Left begins with; empty: it does not.
StringRef takeObject(StringRef &Left) {
  if (!Left.starts_with("{"))
    return {};
  StringRef Behind = Left;
  int Depth = 0;
  do {
    if (Behind.empty())
      return {};
    if (Behind.front() == '"') {
      if (takeString(Behind).empty())
        return {};
      continue;
    }
    Depth += Behind.front() == '{' ? 1 : Behind.front() == '}' ? -1 : 0;
    Behind = Behind.drop_front();
  } while (Depth > 0);
  const StringRef Text = Left.drop_back(Behind.size());
  Left = Behind;
  return Text;
}

std::optional<std::string> takeText(StringRef &Left) {
  Expected<json::Value> Parsed = json::parse(takeString(Left));
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return std::nullopt;
  }
  std::optional<StringRef> Text = Parsed->getAsString();
  return Text ? std::optional(Text->str()) : std::nullopt;
}

/// A claim as write() writes it: its units come last.
std::optional<Claim> takeClaim(StringRef &Left) {
  StringRef Says = takeObject(Left);
  if (Says.size() <= 2)
    return std::nullopt;
  Says = Says.drop_back();
  const bool HasMore = Says.consume_back(MoreText);
  std::vector<std::string> Units;
  // No string can hold this: its quotes would be escaped.
  if (const size_t At = Says.rfind(UnitsText); At != StringRef::npos) {
    StringRef Listed = Says.drop_front(At + UnitsText.size());
    do {
      const StringRef Unit = takeString(Listed);
      if (Unit.size() <= 2)
        return std::nullopt;
      Units.push_back(Unit.drop_front().drop_back().str());
    } while (Listed.consume_front(","));
    if (Listed != "]")
      return std::nullopt;
    Says = Says.take_front(At);
  }
  return Claim((Says + "}").str(), std::move(Units), HasMore);
}

std::optional<Record> recordOf(StringRef Line) {
  if (!Line.consume_front(KindText))
    return std::nullopt;
  std::optional<std::string> Kind = takeText(Line);
  if (!Kind || !Line.consume_front(KeyText))
    return std::nullopt;
  std::optional<std::string> Key = takeText(Line);
  if (!Key || !Line.consume_front(ClaimsText))
    return std::nullopt;
  Record R{std::move(*Kind), std::move(*Key), {}};
  do {
    std::optional<Claim> Each = takeClaim(Line);
    if (!Each)
      return std::nullopt;
    R.add(std::move(*Each));
  } while (Line.consume_front(","));
  return Line == "]}" ? std::optional(std::move(R)) : std::nullopt;
}

} // namespace

Claim::Claim(json::Object Says, std::vector<std::string> Units)
    // Printing an object sorts its keys.
    : Text(formatv("{0}", json::Value(std::move(Says))).str()),
      Units(std::move(Units)) {}

json::Object Claim::says() const {
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    consumeError(Parsed.takeError());
  else if (json::Object *Says = Parsed->getAsObject())
    return std::move(*Says);
  return {};
}

bool Claim::says(StringRef Key, StringRef Value) const {
  return StringRef(Text).contains(("\"" + Key + "\":\"" + Value + "\"").str());
}

bool Claim::isOfOthersThan(StringRef Unit) const {
  return HasMoreUnits ||
         any_of(Units, [&](StringRef Each) { return Each != Unit; });
}

void Record::add(Claim New) {
  // Most come in order.
  if (Claims.empty() || Claims.back().Text < New.Text) {
    Claims.push_back(std::move(New));
    return;
  }
  auto At = lower_bound(Claims, New, [](const Claim &A, const Claim &B) {
    return A.Text < B.Text;
  });
  if (At != Claims.end() && At->Text == New.Text)
    addUnits(*At, New);
  else
    Claims.insert(At, std::move(New));
}

Record combined(std::vector<Record> Parts) {
  Record Result{
      std::move(Parts.front().Kind), std::move(Parts.front().Key), {}};
  std::vector<Claim> All;
  for (Record &Each : Parts)
    std::move(Each.Claims.begin(), Each.Claims.end(), std::back_inserter(All));
  sort(All, [](const Claim &A, const Claim &B) { return A.Text < B.Text; });
  for (Claim &Each : All)
    Result.add(std::move(Each));
  return Result;
}

void write(const Record &R, raw_ostream &OS) {
  OS << KindText << json::Value(R.Kind) << KeyText << json::Value(R.Key)
     << ClaimsText;
  ListSeparator Comma(",");
  for (const Claim &Each : R.Claims) {
    OS << StringRef(Comma) << StringRef(Each.Text).drop_back();
    if (!Each.Units.empty())
      OS << UnitsText << '"' << join(Each.Units, "\",\"") << "\"]";
    if (Each.HasMoreUnits)
      OS << MoreText;
    OS << '}';
  }
  OS << "]}";
}

Expected<Record> parseRecord(StringRef Line) {
  if (std::optional<Record> R = recordOf(Line))
    return std::move(*R);
  return createStringError("no record");
}

} // namespace barricade::program
