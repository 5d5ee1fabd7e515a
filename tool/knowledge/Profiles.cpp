// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/Profiles.h"
#include "tool/Paths.h"
#include "tool/knowledge/JsonFile.h"
#include "tool/knowledge/ShippedProfiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace barricade {

std::string userProfileFolder() {
  SmallString<256> Folder;
  // The specification has relative paths ignored.
  if (auto Data = sys::Process::GetEnv("XDG_DATA_HOME");
      Data && sys::path::is_absolute(*Data))
    Folder = *Data;
  else if (auto Home = sys::Process::GetEnv("HOME"); Home && !Home->empty())
    sys::path::append(Folder, *Home, ".local", "share");
  else
    return {};
  sys::path::append(Folder, "barricade", "profiles");
  return std::string(Folder);
}

static StringRef shippedText(StringRef Name) {
  for (const auto &[Known, Text] : ShippedProfiles)
    if (Known == Name)
      return Text;
  return "{}";
}

/// \p Text, completed by what barricade knows of the same architecture.
static Expected<json::Value> completed(StringRef Name, StringRef Text) {
  Expected<json::Value> Own = parseJson(Text);
  if (!Own || !Own->getAsObject())
    return Own;
  json::Value Result = cantFail(parseJson(shippedText(Name)));
  for (auto &[Key, Value] : *Own->getAsObject())
    (*Result.getAsObject())[Key] = std::move(Value);
  return Result;
}

Error Profiles::add(StringRef Name, StringRef Text, StringRef Source,
                    StringRef Path) {
  const auto Fail = [&](const Twine &Why) {
    return createStringError(
        "'" + displayPath(Path) + "' is no profile: " + Why +
        "; remove it, or have barricade calibrate write it "
        "anew");
  };
  Expected<json::Value> Root = completed(Name, Text);
  if (!Root)
    return Fail(toString(Root.takeError()));
  Expected<CostModel> Model = CostModel::fromJSON(*Root);
  if (!Model)
    return Fail(toString(Model.takeError()));
  if (Model->architecture() != Name)
    return Fail("it is of " + (Model->architecture().empty()
                                   ? "no named architecture"
                                   : Model->architecture()));
  ByName.insert_or_assign(Name.str(), Profile{std::move(*Model), Source.str()});
  return Error::success();
}

Expected<Profiles> Profiles::load(StringRef Folder) {
  Profiles Result;
  for (const auto &[Name, Text] : ShippedProfiles)
    if (Error E = Result.add(Name, Text, ("profile " + Name).str(), Name))
      return std::move(E);
  std::error_code Missing;
  for (sys::fs::directory_iterator I(Folder, Missing), End;
       !Missing && I != End; I.increment(Missing)) {
    const StringRef Path = I->path();
    if (sys::path::extension(Path) != ".json")
      continue;
    auto Text = readText(Path);
    if (!Text)
      return Text.takeError();
    const StringRef Name = sys::path::stem(Path);
    if (Error E = Result.add(Name, (*Text)->getBuffer(),
                             ("your profile " + Name).str(), Path))
      return std::move(E);
  }
  return Result;
}

const Profile *Profiles::ofArchitecture(unsigned Sm) const {
  const auto Found = ByName.find("sm_" + std::to_string(Sm));
  return Found == ByName.end() ? nullptr : &Found->second;
}

Expected<const Profile *> Profiles::named(StringRef Gpu) const {
  std::vector<std::string> Names;
  for (const auto &[Name, Each] : ByName) {
    const StringRef Device = Each.Model.gpu();
    if (Gpu.equals_insensitive(Name) || Gpu.equals_insensitive(Device) ||
        Gpu.equals_insensitive(Device.rsplit(' ').second))
      return &Each;
    Names.push_back((Name + " (" + Device + ")").str());
  }
  return createStringError("--gpu: nothing is known of '" + Gpu +
                           "'; known are " + join(Names, ", ") +
                           "; barricade calibrate makes a profile of your GPU");
}

} // namespace barricade
