// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/Measured.h"
#include "tool/Paths.h"
#include "tool/knowledge/JsonFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;

namespace barricade {
namespace {

constexpr int SchemaVersion = 1; ///< Of both files.

Error notOfEval(StringRef Path, const Twine &Why) {
  return createStringError("'" + displayPath(Path) +
                           "' is not what eval/run writes: " + Why);
}

Expected<json::Object> parse(StringRef Path, StringRef Text) {
  Expected<json::Value> Parsed = parseJson(Text);
  json::Object *Root = Parsed ? Parsed->getAsObject() : nullptr;
  if (Root && Root->getInteger("schema-version") == SchemaVersion)
    return std::move(*Root);
  return notOfEval(Path, Parsed ? "it is not of schema version " +
                                      std::to_string(SchemaVersion)
                                : toString(Parsed.takeError()));
}

const json::Array &arrayOf(const json::Object &O, StringRef Key) {
  static const json::Array None;
  const json::Array *Found = O.getArray(Key);
  return Found ? *Found : None;
}

std::string textOf(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

/// Where the manifest lies, by its path where eval/run ran or by the habit that
/// results lie in a folder beside it.
std::string findManifest(const json::Object &Results, StringRef ResultsPath) {
  const json::Object *Named = Results.getObject("manifest");
  std::string Path = Named ? textOf(*Named, "path") : "";
  if (!Path.empty() && sys::fs::exists(Path))
    return Path;
  const std::string Absolute = canonicalPath(ResultsPath);
  StringRef Folder = sys::path::parent_path(Absolute);
  for (StringRef Dir : {Folder, sys::path::parent_path(Folder)}) {
    SmallString<256> Beside(Dir);
    sys::path::append(Beside, "manifest.json");
    if (sys::fs::exists(Beside))
      return std::string(Beside);
  }
  return Path;
}

std::string digest(StringRef Text) {
  return toHex(SHA256::hash(arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

/// The manifest that \p Results are of; \p Path: where it lies.
Expected<json::Object> readManifest(const json::Object &Results,
                                    StringRef ResultsPath, StringRef Path) {
  if (Path.empty())
    return createStringError("'" + displayPath(ResultsPath) +
                             "' names no manifest, and none lies beside it");
  auto Text = readText(Path);
  if (!Text)
    return Text.takeError();
  const json::Object *Named = Results.getObject("manifest");
  if (!Named || textOf(*Named, "sha256") != digest((*Text)->getBuffer()))
    return createStringError("'" + displayPath(Path) +
                             "' is not the manifest of '" +
                             displayPath(ResultsPath) + "'");
  return parse(Path, (*Text)->getBuffer());
}

/// Digests of files, each computed once.
class Digests {
public:
  /// Of the text that \p Read gives for \p Name; empty where it gives none.
  StringRef of(StringRef Name,
               function_ref<std::optional<std::string>(StringRef)> Read) {
    auto [It, Inserted] = Known.try_emplace(Name);
    if (Inserted)
      if (const std::optional<std::string> Text = Read(Name))
        It->second = digest(*Text);
    return It->second;
  }

private:
  StringMap<std::string> Known;
};

/// Whether every row says what it rewrites.
bool isSelfContained(const json::Object &Results) {
  return all_of(arrayOf(Results, "units"), [](const json::Value &Unit) {
    return !Unit.getAsObject() ||
           all_of(arrayOf(*Unit.getAsObject(), "variants"),
                  [](const json::Value &Row) {
                    return Row.getAsObject() &&
                           Row.getAsObject()->getArray("rewrites");
                  });
  });
}

/// The first number of \p Row that no run measures; empty if there is none.
StringRef impossibleNumber(const json::Object &Row) {
  for (StringRef Key : {"median_ms", "gain", "low", "high"}) {
    const double Number = Row.getNumber(Key).value_or(0);
    const double Least = Key == "median_ms" ? 0 : -MostNumber;
    if (!(Number >= Least && Number <= MostNumber))
      return Key;
  }
  return "";
}

Error checkNumbers(const json::Object &Results, StringRef ResultsPath) {
  for (const json::Value &Unit : arrayOf(Results, "units"))
    if (const json::Object *Timed = Unit.getAsObject())
      for (const json::Value &Row : arrayOf(*Timed, "variants"))
        if (const json::Object *Numbers = Row.getAsObject())
          if (StringRef Key = impossibleNumber(*Numbers); !Key.empty())
            return notOfEval(ResultsPath, "'" + Key + "' of '" +
                                              textOf(*Numbers, "id") +
                                              "' is no number of a run");
  return Error::success();
}

/// Where \p Place says a finding begins; past all files if that is nowhere.
unsigned offsetIn(const json::Object &Place) {
  const int64_t Offset = Place.getInteger("offset").value_or(-1);
  return isUInt<32>(Offset) ? unsigned(Offset) : ~0u;
}

Measurement measurement(const json::Object &Unit, const json::Object &Row,
                        double OriginalMs) {
  Measurement M;
  M.Program = textOf(Unit, "program");
  M.Case = textOf(Unit, "case");
  M.Kind = textOf(Row, "kind");
  M.Setting = textOf(Row, "setting");
  M.Verdict = textOf(Row, "verdict");
  M.OriginalMs = OriginalMs;
  M.Ms = Row.getNumber("median_ms").value_or(0);
  M.Gain = Row.getNumber("gain").value_or(0);
  M.Low = Row.getNumber("low");
  M.High = Row.getNumber("high");
  return M;
}

} // namespace

Expected<Measured> Measured::read(StringRef ResultsPath) {
  auto Text = readText(ResultsPath);
  if (!Text)
    return Text.takeError();
  auto Results = parse(ResultsPath, (*Text)->getBuffer());
  if (!Results)
    return Results.takeError();
  if (Error E = checkNumbers(*Results, ResultsPath))
    return std::move(E);
  Measured Result;
  if (isSelfContained(*Results)) {
    Result.readRows(*Results,
                    [](const json::Object &Timed) { return targetsIn(Timed); });
    return Result;
  }
  const std::string Path = findManifest(*Results, ResultsPath);
  auto Manifest = readManifest(*Results, ResultsPath, Path);
  if (!Manifest)
    return Manifest.takeError();
  const auto ById = targetsIn(*Manifest, sys::path::parent_path(Path));
  Result.readRows(*Results, [&](const json::Object &Timed) {
    return ById.lookup(textOf(Timed, "id"));
  });
  return Result;
}

std::vector<Measured::Target> Measured::targetsIn(const json::Object &Timed) {
  std::vector<Target> Result;
  for (const json::Value &Rewrite : arrayOf(Timed, "rewrites"))
    if (const json::Object *F = Rewrite.getAsObject())
      Result.push_back(
          {textOf(*F, "rule"), textOf(*F, "sha256"), offsetIn(*F)});
  return Result;
}

StringMap<std::vector<Measured::Target>>
Measured::targetsIn(const json::Object &Manifest, StringRef Folder) {
  const std::string Root = textOf(Manifest, "root");
  Digests Known;
  const auto ReadCopy = [&](StringRef File) -> std::optional<std::string> {
    SmallString<256> Copy(Folder);
    sys::path::append(Copy, "original", pathBelow(File, Root));
    auto Text = MemoryBuffer::getFile(Copy);
    return Text ? std::optional((*Text)->getBuffer().str()) : std::nullopt;
  };
  StringMap<std::vector<Target>> Result;
  for (const json::Value &V : arrayOf(Manifest, "variants"))
    if (const json::Object *Variant = V.getAsObject())
      for (const json::Value &Rewrite : arrayOf(*Variant, "rewrites"))
        if (const json::Object *F = Rewrite.getAsObject())
          if (const json::Object *Place = F->getObject("place"))
            Result[textOf(*Variant, "id")].push_back(
                {textOf(*F, "rule"),
                 Known.of(textOf(*Place, "file"), ReadCopy).str(),
                 offsetIn(*Place)});
  return Result;
}

void Measured::readRows(const json::Object &Results, TargetsOf Targets) {
  for (const json::Value &U : arrayOf(Results, "units")) {
    const json::Object *Unit = U.getAsObject();
    if (!Unit)
      continue;
    std::optional<double> OriginalMs;
    for (const json::Value &V : arrayOf(*Unit, "variants")) {
      const json::Object *Timed = V.getAsObject();
      if (!Timed || !Timed->getNumber("median_ms"))
        continue; // not timed
      if (Timed->getString("kind") == StringRef("original"))
        OriginalMs = Timed->getNumber("median_ms");
      else if (OriginalMs && Timed->getNumber("gain"))
        Rows.push_back(
            {Targets(*Timed), measurement(*Unit, *Timed, *OriginalMs)});
    }
  }
}

void Measured::addTo(Report &R) const {
  Digests Known;
  const auto ReadNow = [&](StringRef File) -> std::optional<std::string> {
    const std::string *Text = R.Texts.find(File);
    return Text ? std::optional(*Text) : std::nullopt;
  };
  for (const Row &Each : Rows)
    for (const Target &T : Each.Targets) {
      // One place may have several findings, of which a rule will choose.
      StringSet<> Files;
      for (const Finding &F : R.Findings)
        if (F.Rule == T.Rule && F.Where.Offset == T.Offset &&
            !T.Sha256.empty() && Known.of(F.Where.File, ReadNow) == T.Sha256 &&
            Files.insert(F.Where.File).second)
          R.Measurements[F.key()].push_back(Each.Times);
    }
}

bool Measured::hasFaster(StringRef Rule, StringRef Setting) const {
  return any_of(Rows, [&](const Row &Each) {
    return Each.Times.Verdict == "faster" && Each.Times.Setting == Setting &&
           any_of(Each.Targets,
                  [&](const Target &T) { return T.Rule == Rule; });
  });
}

} // namespace barricade
