// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/knowledge/Profiles.h"
#include "Support.h"
#include "gmock/gmock.h"
#include <cstdlib>

using namespace barricade;
using namespace barricade::test;
using testing::HasSubstr;

namespace {

std::string loadFault(const TemporaryFolder &Folder) {
  auto Loaded = Profiles::load(Folder.path());
  return Loaded ? "" : toString(Loaded.takeError());
}

TEST(Profiles, SomeComeWithBarricade) {
  const Profiles Known = llvm::cantFail(Profiles::load("/no/such/folder"));
  const Profile *Hopper = Known.ofArchitecture(90);
  ASSERT_TRUE(Hopper);
  EXPECT_EQ(Hopper->Model.gpu(), "NVIDIA H200");
  EXPECT_EQ(Hopper->Source, "profile sm_90");
  EXPECT_FALSE(Known.ofArchitecture(75));
}

TEST(Profiles, HaveTheNamesOfTheirDevices) {
  const Profiles Known = llvm::cantFail(Profiles::load(""));
  for (const char *Name : {"sm_90", "SM_90", "h200", "nvidia h200"})
    EXPECT_EQ(llvm::cantFail(Known.named(Name)), Known.ofArchitecture(90));
  EXPECT_THAT(toString(Known.named("h2000").takeError()),
              HasSubstr("nothing is known of 'h2000'; known are sm_90 (NVIDIA "
                        "H200); barricade calibrate makes"));
}

TEST(Profiles, TheUsersOwnCountMore) {
  TemporaryFolder Folder;
  Folder.write("sm_90.json", R"({"gpu": "GPU of mine"})");
  Folder.write("notes.txt", "no profile");
  const Profiles Known = llvm::cantFail(Profiles::load(Folder.path()));
  const Profile *Mine = Known.ofArchitecture(90);
  EXPECT_EQ(Mine->Model.gpu(), "GPU of mine");
  EXPECT_EQ(Mine->Source, "your profile sm_90");
  // What it does not say is as in the one that comes with barricade.
  EXPECT_GT(Mine->Model.stepCosts(std::nullopt).Relaunch, 1);
}

TEST(Profiles, TellsWhatIsDamaged) {
  TemporaryFolder Damaged, Foreign, Empty;
  Damaged.write("sm_90.json", R"({"gpu": )");
  EXPECT_THAT(loadFault(Damaged), HasSubstr("sm_90.json' is no profile: "));
  Foreign.write("sm_90.json", R"({"architecture": "sm_80"})");
  EXPECT_THAT(loadFault(Foreign), HasSubstr("it is of sm_80; remove it, or "));
  Empty.write("sm_80.json", "{}");
  EXPECT_THAT(loadFault(Empty), HasSubstr("is no profile: "));
  TemporaryFolder Deep, Infinite;
  Deep.write("sm_90.json", std::string(200000, '['));
  EXPECT_THAT(loadFault(Deep), HasSubstr("nested deeper than 64 levels; rem"));
  Infinite.write("sm_90.json", R"({"launch-us": 1e999})");
  EXPECT_THAT(loadFault(Infinite), HasSubstr("calibration.launch-us; remove"));
}

TEST(Profiles, LieWhereDataOfUsersDoes) {
  setenv("HOME", "/home/me", 1);
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(userProfileFolder(), "/data/barricade/profiles");
  setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_EQ(userProfileFolder(), "/home/me/.local/share/barricade/profiles");
  unsetenv("XDG_DATA_HOME");
  unsetenv("HOME");
  EXPECT_EQ(userProfileFolder(), "");
}

} // namespace
