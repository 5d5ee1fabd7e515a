// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Measured.h"
#include "tool/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;

namespace barricade {
namespace {

constexpr int SchemaVersion = 1; ///< Of both files.

Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef Path) {
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createStringError("cannot read '" + displayPath(Path) +
                             "': " + Text.getError().message());
  return std::move(*Text);
}

Expected<json::Object> parse(StringRef Path, StringRef Text) {
  Expected<json::Value> Parsed = json::parse(Text);
  json::Object *Root = Parsed ? Parsed->getAsObject() : nullptr;
  if (Root && Root->getInteger("schema-version") == SchemaVersion)
    return std::move(*Root);
  std::string Why =
      Parsed ? "it is not of schema version " + std::to_string(SchemaVersion)
             : toString(Parsed.takeError());
  return createStringError("'" + displayPath(Path) +
                           "' is not what eval/run writes: " + Why);
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

/// Which findings each variant rewrites.
class Variants {
public:
  /// Reads the manifest of \p Results.
  static Expected<Variants> read(const json::Object &Results,
                                 StringRef ResultsPath) {
    const std::string Path = findManifest(Results, ResultsPath);
    auto Text = readFile(Path);
    if (!Text)
      return Text.takeError();
    const json::Object *Named = Results.getObject("manifest");
    if (!Named || textOf(*Named, "sha256") != digest((*Text)->getBuffer()))
      return createStringError("'" + displayPath(Path) +
                               "' is not the manifest of '" +
                               displayPath(ResultsPath) + "'");
    auto Manifest = parse(Path, (*Text)->getBuffer());
    if (!Manifest)
      return Manifest.takeError();
    return Variants(sys::path::parent_path(Path), *Manifest);
  }

  /// The findings of \p R that the variant \p Id rewrites, as long as their
  /// files are those that were measured.
  std::vector<const Finding *> findings(StringRef Id, const Report &R) {
    std::vector<const Finding *> Result;
    for (const Target &T : Targets[Id])
      for (const Finding &F : R.Findings)
        if (F.Rule == T.Rule && F.Where.File == T.File &&
            F.Where.Offset == T.Offset && isUnchanged(T.File, R))
          Result.push_back(&F);
    return Result;
  }

private:
  struct Target {
    std::string Rule, File;
    unsigned Offset;
  };

  Variants(StringRef Folder, const json::Object &Manifest)
      : Folder(Folder), Root(textOf(Manifest, "root")) {
    for (const json::Value &V : arrayOf(Manifest, "variants"))
      if (const json::Object *Variant = V.getAsObject())
        for (const json::Value &Rewrite : arrayOf(*Variant, "rewrites"))
          if (const json::Object *F = Rewrite.getAsObject())
            if (const json::Object *Place = F->getObject("place"))
              Targets[textOf(*Variant, "id")].push_back(
                  {textOf(*F, "rule"), textOf(*Place, "file"),
                   unsigned(Place->getInteger("offset").value_or(0))});
  }

  static std::string digest(StringRef Text) {
    return toHex(SHA256::hash(arrayRefFromStringRef(Text)), /*LowerCase=*/true);
  }

  bool isUnchanged(StringRef File, const Report &R) {
    auto [It, Inserted] = Unchanged.try_emplace(File, false);
    const std::string *Now = R.Texts.find(File);
    if (!Inserted || !Now)
      return It->second;
    SmallString<256> Copy(Folder);
    sys::path::append(Copy, "original", pathBelow(File, Root));
    auto Then = MemoryBuffer::getFile(Copy);
    return It->second = Then && (*Then)->getBuffer() == *Now;
  }

  std::string Folder, Root;
  StringMap<std::vector<Target>> Targets;
  StringMap<bool> Unchanged;
};

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

Expected<unsigned> addMeasurements(Report &R, StringRef ResultsPath) {
  auto Text = readFile(ResultsPath);
  if (!Text)
    return Text.takeError();
  auto Results = parse(ResultsPath, (*Text)->getBuffer());
  if (!Results)
    return Results.takeError();
  auto Measured = Variants::read(*Results, ResultsPath);
  if (!Measured)
    return Measured.takeError();

  for (const json::Value &U : arrayOf(*Results, "units")) {
    const json::Object *Unit = U.getAsObject();
    if (!Unit)
      continue;
    std::optional<double> OriginalMs;
    for (const json::Value &V : arrayOf(*Unit, "variants")) {
      const json::Object *Row = V.getAsObject();
      if (!Row || !Row->getNumber("median_ms"))
        continue; // not timed
      if (Row->getString("kind") == StringRef("original"))
        OriginalMs = Row->getNumber("median_ms");
      else if (OriginalMs && Row->getNumber("gain"))
        for (const Finding *F : Measured->findings(textOf(*Row, "id"), R))
          R.Measurements[F->key()].push_back(
              measurement(*Unit, *Row, *OriginalMs));
    }
  }
  return R.Measurements.size();
}

} // namespace barricade
