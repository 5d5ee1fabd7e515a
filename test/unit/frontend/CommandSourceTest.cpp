//===- CommandSourceTest.cpp - Which command line compiles a file ---------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/CommandSource.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace llvm;
using namespace barricade;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// A folder with a project: src/a.cu includes inc/mid.cuh, which includes
/// inc/deep.cuh; build/ has the database.
class CommandSourceTest : public testing::Test {
protected:
  void SetUp() override {
    SmallString<128> Unique;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("barricade", Unique));
    SmallString<128> Real;
    ASSERT_FALSE(sys::fs::real_path(Unique, Real));
    Root = std::string(Real);
    write("src/a.cu", "#include <mid.cuh>\n");
    write("src/b.cu", "int B;\n");
    write("inc/mid.cuh", "  #  include \"deep.cuh\"\n");
    write("inc/deep.cuh", "");
    write("build/compile_commands.json", database("a.cu", "-I../inc"));
  }
  void TearDown() override { sys::fs::remove_directories(Root); }

  void write(const std::string &Name, const std::string &Text) {
    std::string Path = Root + "/" + Name;
    ASSERT_FALSE(sys::fs::create_directories(sys::path::parent_path(Path)));
    std::error_code EC;
    raw_fd_ostream OS(Path, EC);
    ASSERT_FALSE(EC);
    OS << Text;
  }
  void setAge(const std::string &Name, std::chrono::hours Age) {
    int FD;
    ASSERT_FALSE(sys::fs::openFileForReadWrite(
        Root + "/" + Name, FD, sys::fs::CD_OpenExisting, sys::fs::OF_None));
    EXPECT_FALSE(sys::fs::setLastAccessAndModificationTime(
        FD, std::chrono::system_clock::now() - Age));
    EXPECT_FALSE(sys::Process::SafelyCloseFileDescriptor(FD));
  }
  std::string database(const std::string &File, const std::string &Flag) {
    return "[{\"directory\": \"" + Root + "/build\", \"file\": \"../src/" +
           File + "\", \"arguments\": [\"nvcc\", \"" + Flag +
           "\", \"-c\", \"../src/" + File + "\"]}]";
  }
  CommandSource source(CommandSource::Options Options) {
    return cantFail(CommandSource::create(std::move(Options)));
  }
  CommandSource fromBuild() {
    CommandSource::Options Options;
    Options.BuildDir = Root + "/build";
    return source(Options);
  }

  std::string Root;
};

TEST_F(CommandSourceTest, DatabaseOfDashP) {
  auto Answer = cantFail(fromBuild().commandsFor(Root + "/src/a.cu"));
  ASSERT_EQ(Answer.Commands.size(), 1u);
  EXPECT_THAT(Answer.Commands[0].CommandLine, Contains("-I../inc"));
  EXPECT_EQ(Answer.Commands[0].Directory, Root + "/build");
  EXPECT_EQ(Answer.IncludedBy, "");
  EXPECT_EQ(fromBuild().allFiles().size(), 1u);
}

TEST_F(CommandSourceTest, HeaderThroughItsIncluder) {
  auto Answer = cantFail(fromBuild().commandsFor(Root + "/inc/deep.cuh"));
  EXPECT_EQ(Answer.IncludedBy, Root + "/src/a.cu");
  EXPECT_EQ(Answer.Commands.size(), 1u);
}

TEST_F(CommandSourceTest, UnknownFileIsCompiledAsItsNeighbour) {
  write("lib/c.cu", "");
  write("build/compile_commands.json",
        "[{\"directory\": \"" + Root +
            "/build\", \"file\": \"../lib/c.cu\", "
            "\"command\": \"nvcc -DFAR -c ../lib/c.cu\"}," +
            database("a.cu", "-DNEAR").substr(1));
  auto Answer = cantFail(fromBuild().commandsFor(Root + "/src/b.cu"));
  ASSERT_EQ(Answer.Commands.size(), 1u);
  EXPECT_THAT(Answer.Commands[0].CommandLine,
              ElementsAre("nvcc", "-DNEAR", "-c", Root + "/src/b.cu"));
  EXPECT_EQ(Answer.Commands[0].Filename, Root + "/src/b.cu");
  EXPECT_EQ(Answer.By, CommandSource::Authority::Neighbour);
  EXPECT_THAT(Answer.Origin, HasSubstr(Root + "/src/a.cu"));
}

TEST_F(CommandSourceTest, FileWithoutNeighbourIsAnErrorOfDashP) {
  auto Answer = fromBuild().commandsFor(Root + "/src/b.cpp");
  ASSERT_FALSE(static_cast<bool>(Answer));
  EXPECT_THAT(toString(Answer.takeError()), HasSubstr("has no entry for"));
}

TEST_F(CommandSourceTest, MissingOrBrokenDatabaseIsAnError) {
  CommandSource::Options Options;
  Options.BuildDir = Root + "/src";
  EXPECT_TRUE(errorToBool(CommandSource::create(Options).takeError()));
  write("src/compile_commands.json", "[{");
  EXPECT_TRUE(errorToBool(CommandSource::create(Options).takeError()));
}

TEST_F(CommandSourceTest, FoundUpwards) {
  write("compile_commands.json", database("a.cu", "-DUP"));
  auto Answer = cantFail(source({}).commandsFor(Root + "/src/a.cu"));
  EXPECT_THAT(Answer.Commands[0].CommandLine, Contains("-DUP"));
  EXPECT_EQ(Answer.Origin, Root + "/compile_commands.json");
}

TEST_F(CommandSourceTest, FoundInBuildsOfFoldersAbove) {
  auto OriginOf = [&] {
    return cantFail(source({}).commandsFor(Root + "/src/a.cu")).Origin;
  };
  EXPECT_EQ(OriginOf(), Root + "/build/compile_commands.json");
  ASSERT_FALSE(sys::fs::remove(Root + "/build/compile_commands.json"));
  write("build-old/compile_commands.json", database("a.cu", "-DOLD"));
  write("out/debug/compile_commands.json", database("a.cu", "-DNEW"));
  setAge("build-old/compile_commands.json", std::chrono::hours(2));
  EXPECT_THAT(OriginOf(), HasSubstr("nvcc's defaults"));
  // That makes it a project, whose build folders these are.
  write("CMakeLists.txt", "");
  EXPECT_EQ(OriginOf(), Root + "/out/debug/compile_commands.json");
  setAge("out/debug/compile_commands.json", std::chrono::hours(4));
  EXPECT_EQ(OriginOf(), Root + "/build-old/compile_commands.json");
}

TEST_F(CommandSourceTest, FlagsOfAFolder) {
  write("src/compile_flags.txt", "-DFLAG\n\n-I..\n");
  auto Answer = cantFail(source({}).commandsFor(Root + "/src/b.cu"));
  EXPECT_THAT(Answer.Commands[0].CommandLine,
              ElementsAre("clang++", "-DFLAG", "-I..", Root + "/src/b.cu"));
  EXPECT_EQ(Answer.Commands[0].Directory, Root + "/src");
  EXPECT_EQ(Answer.Origin, Root + "/src/compile_flags.txt");
}

TEST_F(CommandSourceTest, SilentDatabaseAboveGivesWayToDefaults) {
  write("compile_commands.json", database("a.cpp", "-DUP"));
  auto Answer = cantFail(source({}).commandsFor(Root + "/src/b.cu"));
  EXPECT_THAT(Answer.Commands[0].CommandLine,
              ElementsAre("nvcc", "-x", "cu", "-c", Root + "/src/b.cu"));
  EXPECT_THAT(Answer.Origin, HasSubstr("knows no file like it"));
  EXPECT_EQ(Answer.By, CommandSource::Authority::Nobody);
}

TEST_F(CommandSourceTest, DefaultsWithoutAnything) {
  ASSERT_FALSE(sys::fs::remove(Root + "/build/compile_commands.json"));
  auto Answer = cantFail(source({}).commandsFor(Root + "/src/b.cu"));
  EXPECT_THAT(Answer.Commands[0].CommandLine.front(), "nvcc");
  EXPECT_THAT(Answer.Origin, HasSubstr("no compile_commands.json above"));
}

TEST_F(CommandSourceTest, FilesBelowAFolderInTheDatabasesOrder) {
  write("build/compile_commands.json",
        database("z.cu", "-DZ").substr(0, database("z.cu", "-DZ").size() - 1) +
            "," + database("a.cu", "-DA").substr(1));
  EXPECT_THAT(fromBuild().allFiles(),
              ElementsAre(Root + "/src/z.cu", Root + "/src/a.cu"));
  EXPECT_THAT(source({}).filesBelow(Root + "/src"),
              ElementsAre(Root + "/src/z.cu", Root + "/src/a.cu"));
  EXPECT_TRUE(source({}).filesBelow(Root + "/sr").empty());
  EXPECT_THAT(source({}).filesWith(Root + "/other"),
              ElementsAre(Root + "/src/z.cu", Root + "/src/a.cu"));
}

std::string compilerFor(const std::string &Root,
                        std::vector<std::string> Flags) {
  CommandSource::Options Options;
  Options.HasFixedFlags = true;
  Options.FixedFlags = std::move(Flags);
  CommandSource Source = cantFail(CommandSource::create(Options));
  return cantFail(Source.commandsFor(Root + "/src/b.cu"))
      .Commands[0]
      .CommandLine.front();
}

TEST_F(CommandSourceTest, FixedFlagsTellTheirCompiler) {
  EXPECT_EQ(compilerFor(Root, {}), "clang++");
  EXPECT_EQ(compilerFor(Root, {"-DX", "-I."}), "clang++");
  EXPECT_EQ(compilerFor(Root, {"--offload-arch=sm_90"}), "clang++");
  EXPECT_EQ(compilerFor(Root, {"-arch=sm_90", "-DX"}), "nvcc");
  EXPECT_EQ(compilerFor(Root, {"-Xcompiler", "-Wall", "-rdc=true"}), "nvcc");
  EXPECT_EQ(compilerFor(Root, {"/opt/bin/nvcc", "-DX"}), "/opt/bin/nvcc");
  EXPECT_EQ(compilerFor(Root, {"-O3", "-g", "-std=c++17", "-I", "a", "-Ib,c"}),
            "clang++");
}

TEST_F(CommandSourceTest, FixedFlagsThatClangMisreadsAreForNvcc) {
  for (const char *Flag : {"-use_fast_math", "-lineinfo", "-G", "-isystem=a"}) {
    EXPECT_EQ(compilerFor(Root, {Flag, "-DX"}), "nvcc") << Flag;
    EXPECT_EQ(compilerFor(Root, {"-O2", Flag}), "nvcc") << Flag;
  }
}

} // namespace
