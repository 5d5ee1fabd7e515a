//===- CommandSourceTest.cpp - Which command line compiles a file ---------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/CommandSource.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
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

TEST_F(CommandSourceTest, UnknownFileOfDashPIsAnError) {
  auto Answer = fromBuild().commandsFor(Root + "/src/b.cu");
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

TEST_F(CommandSourceTest, SilentDatabaseAboveGivesWayToDefaults) {
  write("compile_commands.json", database("a.cu", "-DUP"));
  auto Answer = cantFail(source({}).commandsFor(Root + "/src/b.cu"));
  EXPECT_THAT(Answer.Commands[0].CommandLine,
              ElementsAre("nvcc", "-x", "cu", "-c", Root + "/src/b.cu"));
  EXPECT_THAT(Answer.Origin, HasSubstr("does not know the file"));
}

TEST_F(CommandSourceTest, DefaultsWithoutAnything) {
  auto Answer = cantFail(source({}).commandsFor(Root + "/src/b.cu"));
  EXPECT_THAT(Answer.Commands[0].CommandLine.front(), "nvcc");
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
