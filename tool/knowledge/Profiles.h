// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPUs of which barricade knows what pays. Some come with it
// (data/profiles); what eval/calibrate measures on the user's own machine lies
// in $XDG_DATA_HOME/barricade/profiles, else ~/.local/share/barricade/profiles,
// and counts more. A profile's file is called after the architecture:
// sm_90.json.

#ifndef BARRICADE_TOOL_KNOWLEDGE_PROFILES_H
#define BARRICADE_TOOL_KNOWLEDGE_PROFILES_H

#include "tool/knowledge/CostModel.h"
#include <map>

namespace barricade {

/// What is known of a GPU.
struct Profile {
  CostModel Model;
  std::string Source; ///< In words: `profile sm_90`.
};

/// Where the user's own profiles lie; empty where the environment names no
/// home.
std::string userProfileFolder();

class Profiles {
public:
  /// Those that come with barricade, and those of \p Folder, which need not
  /// exist. What a file of the folder does not say is as in the one of that
  /// architecture that comes with barricade. Fails on a file that is none, or
  /// that is of another architecture than its name says.
  static llvm::Expected<Profiles> load(llvm::StringRef Folder);

  /// Null where nothing is known of \p Sm (90 for sm_90).
  const Profile *ofArchitecture(unsigned Sm) const;

  /// By architecture, or by the device's name or its last word, in any case:
  /// `sm_90`, `NVIDIA H200`, `h200`. Fails with the names that there are.
  llvm::Expected<const Profile *> named(llvm::StringRef Gpu) const;

private:
  llvm::Error add(llvm::StringRef Name, llvm::StringRef Text,
                  llvm::StringRef Source, llvm::StringRef Path);

  std::map<std::string, Profile, std::less<>> ByName;
};

} // namespace barricade

#endif
