// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of --variants. Its schema is docs/variants.md; a change that
// breaks readers raises SchemaVersion.

#include "tool/Config.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "tool/Variants.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace barricade {
namespace {

constexpr int SchemaVersion = 1;

StringRef kindName(const Variant &V) {
  if (!V.ControlOf.empty())
    return "control";
  switch (V.Kind) {
  case VariantKind::Original:
    return "original";
  case VariantKind::Single:
    return "single";
  case VariantKind::Nested:
    return "nested";
  case VariantKind::Together:
    return "together";
  }
  llvm_unreachable("unknown kind");
}

class VariantWriter {
public:
  VariantWriter(StringRef Dir, const VariantSet &Set) : Dir(Dir), Set(Set) {}

  Error run() {
    if (Error E = demandEmpty())
      return E;
    json::Array Programs, Variants;
    for (const FileReport &File : Set.Source.Files)
      if (File.Outcome == FileReport::State::Analysed) {
        if (Error E = copyOriginal(File))
          return E;
        Programs.push_back(program(File));
      }
    for (const Variant &V : Set.Variants) {
      if (Error E = writeChanges(V))
        return E;
      Variants.push_back(variant(V));
    }
    // Last of all: a folder with a manifest is complete.
    json::Value Root =
        json::Object{{"schema-version", SchemaVersion},
                     {"tool", json::Object{{"name", "barricade"},
                                           {"version", BARRICADE_VERSION}}},
                     {"root", json::fixUTF8(Set.Root)},
                     {"programs", std::move(Programs)},
                     {"variants", std::move(Variants)}};
    return writeNewFile(below({"manifest.json"}),
                        formatv("{0:2}\n", Root).str());
  }

private:
  Error demandEmpty() const {
    std::error_code EC;
    sys::fs::directory_iterator First(Dir, EC);
    if (EC == std::errc::no_such_file_or_directory)
      return Error::success();
    if (EC)
      return createStringError(EC, "cannot write variants to '" + Dir +
                                       "': " + EC.message());
    if (First != sys::fs::directory_iterator())
      return createStringError("'" + Dir +
                               "' is not empty: name a new folder "
                               "for the variants");
    return Error::success();
  }

  std::string below(std::initializer_list<StringRef> Parts) const {
    SmallString<256> Path(Dir);
    for (StringRef Part : Parts)
      sys::path::append(Path, Part);
    return std::string(Path);
  }

  /// Copies the files that make up a source, as they were analysed.
  Error copyOriginal(const FileReport &File) {
    for (StringRef Path : File.UserFiles) {
      StringRef Relative = pathBelow(Path, Set.Root);
      if (Relative.empty() || !Copied.insert(Path).second)
        continue;
      if (const std::string *Text = Set.Source.Texts.find(Path)) {
        if (Error E = writeNewFile(below({"original", Relative}), *Text))
          return E;
        continue;
      }
      auto Text = MemoryBuffer::getFile(Path);
      if (!Text)
        return createStringError("cannot read '" + Path +
                                 "': " + Text.getError().message());
      if (Error E =
              writeNewFile(below({"original", Relative}), (*Text)->getBuffer()))
        return E;
    }
    return Error::success();
  }

  Error writeChanges(const Variant &V) {
    for (const ChangedFile &File : V.Files) {
      StringRef Relative = pathBelow(File.Path, Set.Root);
      if (Relative.empty())
        return createStringError("'" + File.Path + "' lies outside of '" +
                                 Set.Root + "': give --project-root");
      if (Error E = writeNewFile(below({"variants", V.Id, Relative}), File.New))
        return E;
    }
    return Error::success();
  }

  json::Object program(const FileReport &File) const {
    json::Array Command, Inside, Outside;
    for (StringRef Word : File.CommandLine)
      Command.push_back(json::fixUTF8(Word));
    for (StringRef Path : File.UserFiles) {
      StringRef Relative = pathBelow(Path, Set.Root);
      (Relative.empty() ? Outside : Inside)
          .push_back(json::fixUTF8(Relative.empty() ? Path : Relative));
    }
    return json::Object{
        {"source", json::fixUTF8(pathBelow(File.Path, Set.Root))},
        {"working-directory", json::fixUTF8(File.Directory)},
        {"command", std::move(Command)},
        {"files", std::move(Inside)},
        {"outside", std::move(Outside)}};
  }

  json::Object variant(const Variant &V) const {
    json::Object Files;
    for (const ChangedFile &File : V.Files) {
      StringRef Relative = pathBelow(File.Path, Set.Root);
      Files[json::fixUTF8(Relative)] =
          json::fixUTF8(("variants/" + V.Id + "/" + Relative).str());
    }
    json::Array Rewrites;
    for (const Finding &F : V.Rewrites)
      Rewrites.push_back(toJSON(F));
    return json::Object{{"id", V.Id},
                        {"kind", kindName(V)},
                        {"setting", V.Setting},
                        {"control-of", V.ControlOf},
                        {"rewrites", std::move(Rewrites)},
                        {"files", std::move(Files)}};
  }

  StringRef Dir;
  const VariantSet &Set;
  StringSet<> Copied;
};

} // namespace

Error writeVariants(StringRef Dir, const VariantSet &Set) {
  return VariantWriter(Dir, Set).run();
}

} // namespace barricade
