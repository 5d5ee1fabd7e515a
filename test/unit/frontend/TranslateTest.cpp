//===- TranslateTest.cpp - Whole command lines ----------------------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "frontend/CommandLine.h"
#include "frontend/HostOptions.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace barricade;
using namespace barricade::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::string translate(std::vector<std::string> Words) {
  return test::translate(Words, optionsFor(machine()));
}

/// nvcc's words after its name.
std::string nvcc(std::vector<std::string> Words) {
  Words.insert(Words.begin(), "/cuda/bin/nvcc");
  return translate(Words);
}

TranslatedCommand translated(std::vector<std::string> Words,
                             const TranslateOptions &Options,
                             std::string File = "/src/a.cu") {
  Words.push_back(File);
  clang::tooling::CompileCommand Command("/build", File, Words, "");
  return std::get<TranslatedCommand>(
      llvm::cantFail(translateCommand(Command, Options)));
}

//===--- Lists and quotes; each case as `nvcc --dryrun` shows it

TEST(NvccLists, TextSplitsAtUnprotectedCommas) {
  EXPECT_THAT(splitList("A=1,B", ListOf::Text), ElementsAre("A=1", "B"));
  EXPECT_THAT(splitList("F=f(1\\,2)", ListOf::Text), ElementsAre("F=f(1,2)"));
  EXPECT_THAT(splitList("S=\"a,b\"", ListOf::Text), ElementsAre("S=\"a,b\""));
  EXPECT_THAT(splitList("S=\\\"a,b\\\"", ListOf::Text),
              ElementsAre("S=\"a", "b\""));
  EXPECT_THAT(splitList("X=a\\\\b", ListOf::Text), ElementsAre("X=a\\b"));
}

TEST(NvccLists, PathsKeepBackslashesAndDropQuotes) {
  EXPECT_THAT(splitList("a\\,b", ListOf::Paths), ElementsAre("a\\", "b"));
  EXPECT_THAT(splitList("\"a,b\"", ListOf::Paths), ElementsAre("a,b"));
  EXPECT_THAT(splitList("a b", ListOf::Paths), ElementsAre("a b"));
}

TEST(NvccLists, HostOptionsAreSplitAsListThenAsShellWords) {
  EXPECT_THAT(splitHostOptions("-Wall,-O2"), ElementsAre("-Wall", "-O2"));
  EXPECT_THAT(splitHostOptions("-DQ=1 -fPIC"), ElementsAre("-DQ=1", "-fPIC"));
  EXPECT_THAT(splitHostOptions("-DQ=\\\\\\\"a\\\\\\\""),
              ElementsAre("-DQ=\"a\""));
  EXPECT_THAT(splitHostOptions("-DA=\"x,y\""), ElementsAre("-DA=x,y"));
  EXPECT_THAT(splitHostOptions("-DA=x\\,y"), ElementsAre("-DA=x,y"));
}

TEST(NvccLists, FlagsVariableSplitsAtBlanksOutsideQuotes) {
  EXPECT_THAT(splitFlagsVariable(" -DA=\"a b\"  -O2\t-w "),
              ElementsAre("-DA=\"a b\"", "-O2", "-w"));
  EXPECT_THAT(splitFlagsVariable(""), ElementsAre());
}

//===--- Spellings that nvcc refuses

TEST(NvccSpelling, LongAndShortNamesKeepTheirDashes) {
  for (const char *Word :
       {"--arch=sm_80", "-gpu-architecture=sm_80", "--O3", "--lineinfo",
        "-ofoo", "-xcu", "-isystemfoo", "-maxrregcount32",
        "-std"
        "c++14",
        "-no-align-double"})
    EXPECT_EQ(nvcc({Word}),
              std::string("error: nvcc has no option '") + Word + "'");
}

TEST(NvccSpelling, MissingValueIsAnError) {
  std::vector<std::string> Words = {"/cuda/bin/nvcc", "/src/a.cu", "-arch"};
  clang::tooling::CompileCommand Command("/build", "/src/a.cu", Words, "");
  auto Result = translateCommand(Command, optionsFor(machine()));
  ASSERT_FALSE(static_cast<bool>(Result));
  EXPECT_EQ(llvm::toString(Result.takeError()),
            "nvcc's option '-arch' lacks its value");
}

TEST(NvccSpelling, BadValuesAreErrors) {
  EXPECT_EQ(nvcc({"-rdc=1"}), "error: '1' for -rdc is neither true nor false");
  EXPECT_EQ(nvcc({"-arch=hopper"}),
            "error: unsupported GPU architecture 'hopper'");
  EXPECT_EQ(nvcc({"-maxrregcount=many"}),
            "error: 'many' for -maxrregcount is no number");
}

//===--- Architectures

TEST(NvccArch, LastArchWinsAndGencodeAccumulates) {
  EXPECT_EQ(nvcc({"-arch", "sm_80", "-arch", "sm_90"}), "archs=90");
  EXPECT_EQ(nvcc({"-gencode", "arch=compute_90,code=sm_90", "-gencode",
                  "arch=compute_80,code=sm_80"}),
            "archs=80,90");
  EXPECT_EQ(nvcc({"-gencode", "code=sm_86,arch=compute_86", "-arch=sm_90"}),
            "archs=86,90");
  EXPECT_EQ(nvcc({"--generate-code=arch=compute_75,code=[compute_75,sm_75]"}),
            "");
}

TEST(NvccArch, FamiliesOfNames) {
  EXPECT_EQ(nvcc({"-arch=compute_80"}), "archs=80");
  EXPECT_EQ(nvcc({"-arch=lto_90"}), "archs=90");
  EXPECT_EQ(nvcc({"-arch=sm_90a"}), "archs=90a");
  EXPECT_EQ(nvcc({"-arch=all-major"}), "archs=75,80,90,100,110,120");
  EXPECT_EQ(nvcc({"-arch=all"}),
            "archs=75,80,86,87,88,89,90,100,103,110,120,121");
}

TEST(NvccArch, NativeIsTheGivenOneElseTheDefaultWithANote) {
  TranslateOptions Options = optionsFor(machine());
  TranslatedCommand Without =
      translated({"/cuda/bin/nvcc", "-arch=native"}, Options);
  EXPECT_THAT(Without.Facts.Archs, ElementsAre(75));
  EXPECT_THAT(Without.Notes, ElementsAre(HasSubstr("-arch=native")));
  Options.NativeArchs = {90};
  TranslatedCommand With =
      translated({"/cuda/bin/nvcc", "-arch=native"}, Options);
  EXPECT_THAT(With.Facts.Archs, ElementsAre(90));
  EXPECT_THAT(With.Notes, ElementsAre());
}

TEST(NvccArch, WhatTheToolkitDroppedIsRaised) {
  TranslatedCommand Command =
      translated({"/cuda/bin/nvcc", "-arch=sm_35"}, optionsFor(machine()));
  EXPECT_THAT(Command.Facts.Archs, ElementsAre(75));
  EXPECT_THAT(Command.Facts.NamedArchs, ElementsAre(35));
  EXPECT_THAT(
      Command.Notes,
      ElementsAre("sm_35 is analysed as sm_75: CUDA 13 has dropped it"));
}

TEST(NvccArch, DefaultFollowsTheToolkit) {
  TranslatedCommand Command =
      translated({"/cuda11/bin/nvcc"}, optionsFor(machine()));
  EXPECT_THAT(Command.Facts.Archs, ElementsAre(52));
  EXPECT_EQ(Command.Facts.CudaPath, "/cuda11");
}

//===--- Passes

TEST(Passes, EachPassIsOneCompilation) {
  TranslatedCommand Command =
      translated({"/cuda/bin/nvcc", "-gencode", "arch=compute_80,code=sm_80",
                  "-gencode", "arch=compute_90a,code=sm_90a"},
                 optionsFor(machine()));
  std::vector<std::string> Host = Command.argsFor(Pass::Host, 0);
  std::vector<std::string> Device = Command.argsFor(Pass::Device, 90);
  EXPECT_THAT(std::vector<std::string>(Host.end() - 6, Host.end()),
              ElementsAre("--cuda-host-only", "--offload-arch=sm_80",
                          "--offload-arch=sm_90a", "-fsyntax-only", "--",
                          "/src/a.cu"));
  EXPECT_THAT(std::vector<std::string>(Device.end() - 5, Device.end()),
              ElementsAre("--cuda-device-only", "--offload-arch=sm_90a",
                          "-fsyntax-only", "--", "/src/a.cu"));
}

TEST(Passes, NvccIsNeverPretended) {
  TranslatedCommand Command =
      translated({"/cuda/bin/nvcc", "-dc", "-G"}, optionsFor(machine()));
  for (const std::string &Arg : Command.argsFor(Pass::Device, 75))
    EXPECT_THAT(Arg, testing::Not(HasSubstr("__NVCC__")));
}

//===--- Options files and the environment

TEST(OptionsFiles, ReadAsCMakeWritesThem) {
  Files FS = machine();
  addFile(FS, "/build/CMakeFiles/x.dir/includes_CUDA.rsp",
          "-I\"/src/inc dir\" -I/src -isystem=/opt/include");
  EXPECT_EQ(
      test::translate({"/cuda/bin/nvcc", "-forward-unknown-to-host-compiler",
                       "-DBAR=1", "--options-file",
                       "CMakeFiles/x.dir/includes_CUDA.rsp", "-x", "cu",
                       "-rdc=true", "-c", "-o", "a.o"},
                      optionsFor(FS)),
      "-D BAR=1 -I /src/inc dir -I /src -isystem /opt/include -fgpu-rdc "
      "-D__CUDACC_RDC__ rdc");
}

TEST(OptionsFiles, NestAndRepeatButDoNotIncludeThemselves) {
  Files FS = machine();
  addFile(FS, "/build/outer.rsp", "-DOUTER -optf inner.rsp");
  addFile(FS, "/build/inner.rsp", "-DINNER");
  addFile(FS, "/build/cycle.rsp", "-optf cycle.rsp");
  TranslateOptions Options = optionsFor(FS);
  EXPECT_EQ(test::translate({"nvcc", "-optf=outer.rsp,inner.rsp"}, Options),
            "-D OUTER -D INNER -D INNER");
  EXPECT_EQ(test::translate({"nvcc", "-optf", "cycle.rsp"}, Options),
            "error: options file 'cycle.rsp' includes itself");
  EXPECT_THAT(test::translate({"nvcc", "-optf", "none.rsp"}, Options),
              HasSubstr("cannot read options file 'none.rsp'"));
}

TEST(OptionsFiles, QuotesAreTheShells) {
  Files FS = machine();
  addFile(FS, "/build/q.rsp",
          "-DX=\"a b\" \"-DY=1\" -DV=\\\"s\\\" -DU=\\\\\\\"t\\\\\\\"");
  EXPECT_EQ(test::translate({"nvcc", "-optf", "q.rsp"}, optionsFor(FS)),
            "-D X=a b -D Y=1 -D V=s -D U=\"t\"");
}

TEST(Environment, FlagsGoBeforeAndAfter) {
  TranslateOptions Options = optionsFor(machine());
  Options.Env["NVCC_PREPEND_FLAGS"] = "-DFIRST -arch=sm_80";
  Options.Env["NVCC_APPEND_FLAGS"] = "-DLAST=\"a b\"";
  EXPECT_EQ(test::translate({"nvcc", "-DMIDDLE"}, Options),
            "-D FIRST -D MIDDLE -D LAST=\"a b\" archs=80");
  EXPECT_EQ(test::translate({"clang++", "-DMIDDLE"}, Options), "-D MIDDLE");
}

//===--- Unknown options

TEST(UnknownOptions, RefusedUnlessForwarded) {
  EXPECT_EQ(nvcc({"-fopenmp"}), "error: nvcc has no option '-fopenmp'");
  EXPECT_EQ(nvcc({"-fopenmp", "--forward-unknown-to-host-compiler", "-Wall",
                  "-march=native"}),
            "-fopenmp -Xarch_host -march=native");
  EXPECT_EQ(nvcc({"--forward-unknown-opts", "-funsigned-char"}),
            "-funsigned-char");
  EXPECT_EQ(nvcc({"--forward-unknown-to-host-linker", "-Wl,-rpath"}), "");
}

TEST(HostOptions, OnlyWhatTheParserSeesIsKept) {
  EXPECT_EQ(nvcc({"-Xcompiler", "-Wall,-Werror,-fPIC,-fsanitize=address",
                  "-Xcompiler=-g,-pthread,-flto,-std=gnu++17"}),
            "-fPIC -pthread -std=gnu++17");
}

TEST(HostOptions, AreJudgedByWhatTheyDoToArithmetic) {
  const auto Floats = [](std::vector<std::string> Options) {
    return judgeHostOptions(Options).Float;
  };
  const auto Any = [](std::vector<std::string> Options) {
    return judgeHostOptions(Options).Any;
  };
  const std::vector<std::string> Harmless = {"-O3",
                                             "-g",
                                             "-Wall",
                                             "-fPIC",
                                             "-DX=1",
                                             "-Iinclude",
                                             "-pthread",
                                             "-std=c++17",
                                             "-fno-strict-aliasing",
                                             "-fopenmp",
                                             "-mtune=native",
                                             "-ffp-contract=off",
                                             "-c",
                                             "-o",
                                             "a.o"};
  EXPECT_EQ(Floats(Harmless), "");
  EXPECT_EQ(Any(Harmless), "");
  for (const char *Option :
       {"-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-mfma",
        "-march=native", "-ffp-contract=fast", "-frounding-math", "-mavx2"}) {
    EXPECT_EQ(Floats({"-O2", Option}), Option);
    EXPECT_EQ(Any({"-O2", Option}), "") << Option;
  }
  for (const char *Option :
       {"-funsigned-char", "-fsigned-char", "-fwrapv", "-ftrapv",
        "-fno-strict-overflow", "-fshort-enums", "-fpack-struct", "-m32",
        "-fsingle-precision-constant", "-fnobody-knows", "-mnobody-knows"}) {
    EXPECT_EQ(Any({"-O2", Option}), Option);
    EXPECT_EQ(Floats({"-O2", Option}), Option);
  }
}

//===--- Compilers

TEST(Compilers, FoundBehindLaunchers) {
  for (std::vector<std::string> Launcher :
       {std::vector<std::string>{"ccache"},
        {"/usr/bin/sccache"},
        {"env", "A=1", "ccache"},
        {"/usr/bin/cmake", "-E", "__run_co_compile", "--launcher=ccache",
         "--source=/src/a.cu", "--"},
        {"/usr/bin/cmake", "-E", "env", "A=b"}}) {
    Launcher.insert(Launcher.end(), {"/cuda/bin/nvcc", "-arch=sm_90"});
    EXPECT_EQ(translate(Launcher), "archs=90") << Launcher.front();
  }
  EXPECT_FALSE(llvm::errorToBool(
      findCompiler(std::vector<std::string>{"ccache", "nvcc"}).takeError()));
  EXPECT_TRUE(llvm::errorToBool(
      findCompiler(std::vector<std::string>{"ccache"}).takeError()));
}

TEST(Compilers, ClangCommandsPassAsTheyAre) {
  EXPECT_EQ(translate({"clang++-22", "-std=c++20", "-O3", "-DX=1", "-I", "inc",
                       "--cuda-gpu-arch=sm_80", "--offload-arch=sm_90,sm_86",
                       "-fgpu-rdc", "--cuda-path=/cuda", "-c", "-o", "a.o",
                       "-MD", "-MF", "a.d", "-lcudart", "-Wl,-rpath,/x"}),
            "-std=c++20 -O3 -D X=1 -I inc -fgpu-rdc archs=80,86,90 rdc "
            "dialect=c++20");
}

TEST(Compilers, ToolkitsOfClangThatAreNotThereAreRefused) {
  TranslateOptions Options = optionsFor(machine());
  EXPECT_THAT(test::translate({"clang++", "--cuda-path=/nowhere"}, Options),
              HasSubstr("'--cuda-path=/nowhere' names no CUDA toolkit"));
}

TEST(Compilers, OurOwnToolkitStandsInForOneOfClangThatIsNotThere) {
  TranslateOptions Options = optionsFor(machine());
  Options.CudaPath = "/usr/local/cuda";
  EXPECT_THAT(translated({"clang++", "--cuda-path=/nowhere"}, Options).Notes,
              IsEmpty());
  Options = optionsFor(machine());
  Options.NoToolkit = true;
  EXPECT_THAT(translated({"clang++", "--cuda-path=/nowhere"}, Options).Notes,
              ElementsAre(HasSubstr("barricade's own declarations")));
}

TEST(Compilers, OpenMPAndOutputOptionsOfClangAreToldApart) {
  // LibTooling's own adjusters would delete whatever begins with -o or -M.
  EXPECT_EQ(translate({"clang++", "-fopenmp", "-mllvm", "-x=1", "-include",
                       "Mine.h", "-MT", "x", "-object"}),
            "-fopenmp -include Mine.h -object");
}

TEST(Compilers, HostCompilersCompileNoCuda) {
  TranslatedCommand Command = translated({"g++", "-DX", "-O2", "-mavx2"},
                                         optionsFor(machine()), "/src/b.cpp");
  EXPECT_FALSE(Command.IsCuda);
  EXPECT_EQ(translate({"g++", "-DX", "-mavx2"}), "-D X -Xarch_host -mavx2");
}

TEST(Compilers, NvccReadsOtherFilesAsCxx) {
  EXPECT_EQ(
      test::translate({"nvcc", "-c"}, optionsFor(machine()), "/src/b.cpp"),
      "not-cuda");
  TranslatedCommand Cu =
      translated({"nvcc", "-x", "cu"}, optionsFor(machine()), "/src/b.cpp");
  EXPECT_TRUE(Cu.IsCuda);
}

TEST(Compilers, LinkingIsSkipped) {
  EXPECT_EQ(translate({"clang++", "--version"}), "skipped");
  EXPECT_EQ(test::translate({"clang++", "-o", "x"}, optionsFor(machine()),
                            "/build/a.o"),
            "skipped");
}

//===--- Toolkits

TEST(Toolkits, NoneMeansOwnDeclarations) {
  TranslateOptions Options = optionsFor(machine());
  Options.NoToolkit = true;
  TranslatedCommand Command = translated({"/cuda/bin/nvcc"}, Options);
  EXPECT_EQ(Command.Facts.CudaPath, "");
  EXPECT_THAT(Command.Args,
              testing::IsSupersetOf({"-nocudainc", "-nocudalib",
                                     "--cuda-path=/share/fallback",
                                     "/share/fallback/cuda_runtime.h"}));
  EXPECT_THAT(Command.Notes, ElementsAre(HasSubstr("no CUDA toolkit")));
}

TEST(Toolkits, SearchOrder) {
  Files FS = machine();
  addFile(FS, "/usr/local/cuda-12.4/include/cuda.h",
          "#define CUDA_VERSION 12040\n");
  addFile(FS, "/usr/local/cuda-12.10/include/cuda.h",
          "#define CUDA_VERSION 12100\n");
  barricade::Environment Env;
  EXPECT_EQ(findToolkit(Env, *FS)->Path, "/usr/local/cuda-12.10");
  Env["PATH"] = "/nowhere:/cuda/bin";
  EXPECT_EQ(findToolkit(Env, *FS)->Path, "/cuda");
  Env["CUDA_HOME"] = "/cuda11";
  EXPECT_EQ(findToolkit(Env, *FS)->Path, "/cuda11");
  EXPECT_EQ(findToolkit(Env, *FS)->Major, 11u);
  EXPECT_EQ(findToolkit(Env, *FS)->Minor, 8u);
  EXPECT_FALSE(toolkitAt("/src", *FS));
}

} // namespace
