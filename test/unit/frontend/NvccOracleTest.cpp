//===- NvccOracleTest.cpp - The translation against nvcc itself -----------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `nvcc --dryrun` shows the host compiler's command line of each pass. Macros,
// include folders and architectures there must be those of the translation.
// Skipped where no nvcc of CUDA 13 is installed.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/StringSaver.h"
#include <gtest/gtest.h>
#include <map>

using namespace llvm;
using namespace barricade;
using namespace barricade::test;

namespace {

/// The user's macros and include folders, in order, and the architectures.
struct Seen {
  std::vector<std::string> Words;
  std::vector<std::string> Archs;
  bool operator==(const Seen &) const = default;
};

std::ostream &operator<<(std::ostream &OS, const Seen &S) {
  return OS << join(S.Words, " ") << " | " << join(S.Archs, ",");
}

bool isFlagOfInterest(StringRef Flag) {
  return Flag == "-D" || Flag == "-U" || Flag == "-I" || Flag == "-isystem" ||
         Flag == "-include";
}

/// Macros that say which compiler compiles, not what the user asked for.
bool isCompilersOwn(StringRef Flag, StringRef Value) {
  if (Flag == "-D")
    return Value.starts_with("__CUDACC_VER_") || Value == "__CUDACC__" ||
           Value == "__NVCC__" || Value.starts_with("__CUDA_ARCH") ||
           Value.starts_with("__CUDA_API_VER_") ||
           Value.starts_with("__NVCC_DIAG_") ||
           Value.starts_with("__CUDACC_DEVICE_ATOMIC_BUILTINS__");
  return Value == "cuda_runtime.h" || Value.ends_with("nvcc_prelude.h") ||
         Value.contains("/targets/x86_64-linux/include") ||
         Value.ends_with("/include/cccl") || Value.ends_with("/prelude/system");
}

/// Picks what the user asked for out of a GCC-like command line, by kind:
/// nvcc and Clang group options differently, so only the order within a kind
/// counts.
Seen pick(ArrayRef<std::string> Words) {
  std::map<std::string, std::vector<std::string>> ByFlag;
  for (size_t I = 0; I != Words.size(); ++I) {
    StringRef Flag = Words[I], Value;
    if (isFlagOfInterest(Flag) && I + 1 != Words.size())
      Value = Words[++I];
    else if (isFlagOfInterest(Flag.take_front(2)) && Flag.size() > 2)
      Value = Flag.drop_front(2), Flag = Flag.take_front(2);
    else
      continue;
    if (!isCompilersOwn(Flag, Value))
      ByFlag[Flag.str()].push_back((Flag + " " + Value).str());
  }
  Seen Result;
  for (auto &[Flag, Values] : ByFlag)
    append_range(Result.Words, Values);
  return Result;
}

std::string nvccProgram() {
  auto FS = vfs::getRealFileSystem();
  std::optional<Toolkit> T = findToolkit(processEnvironment(), *FS);
  std::string Program = T ? T->Path + "/bin/nvcc" : "";
  return T && T->Major == 13 && FS->exists(Program) ? Program : "";
}

/// What nvcc's host pass sees, from --dryrun; empty where nvcc refuses.
Seen askNvcc(const std::string &Program, ArrayRef<std::string> Words,
             StringRef File) {
  SmallString<128> Output;
  EXPECT_FALSE(sys::fs::createTemporaryFile("dryrun", "txt", Output));
  scope_exit Remove([&] { sys::fs::remove(Output); });
  std::vector<StringRef> Args = {Program, "--dryrun", "-c"};
  append_range(Args, Words);
  Args.push_back(File);
  std::optional<StringRef> Redirects[] = {StringRef(), StringRef(Output),
                                          StringRef(Output)};
  EXPECT_EQ(sys::ExecuteAndWait(Program, Args, std::nullopt, Redirects), 0);
  auto Buffer = MemoryBuffer::getFile(Output);
  StringRef Text = Buffer ? (*Buffer)->getBuffer() : "";
  static const Regex HostPass("#\\$ ([^\n]* -E -x c\\+\\+ [^\n]*cpp4[^\n]*)");
  static const Regex ArchList("__CUDA_ARCH_LIST__=([0-9,]+)");
  SmallVector<StringRef, 2> Match;
  if (!HostPass.match(Text, &Match))
    return {};
  BumpPtrAllocator Alloc;
  StringSaver Saver(Alloc);
  SmallVector<const char *, 64> Split;
  cl::TokenizeGNUCommandLine(Match[1], Saver, Split);
  Seen Result = pick(std::vector<std::string>(Split.begin(), Split.end()));
  if (ArchList.match(Match[1], &Match)) {
    SmallVector<StringRef, 8> Archs;
    Match[1].split(Archs, ',');
    for (StringRef Arch : Archs) // 900 for sm_90
      Result.Archs.push_back(Arch.drop_back().str());
  }
  return Result;
}

Seen askTranslation(const std::string &Program, std::vector<std::string> Words,
                    StringRef File) {
  Words.insert(Words.begin(), Program);
  Words.push_back(File.str());
  SmallString<128> Current;
  sys::fs::current_path(Current);
  clang::tooling::CompileCommand Command(Current, File, Words, "");
  Expected<Translation> Result = translateCommand(Command, TranslateOptions());
  EXPECT_TRUE(static_cast<bool>(Result));
  if (!Result) {
    consumeError(Result.takeError());
    return {};
  }
  auto &Translated = std::get<TranslatedCommand>(*Result);
  Seen S = pick(Translated.Args);
  for (unsigned Sm : Translated.Facts.Archs)
    S.Archs.push_back(std::to_string(Sm));
  return S;
}

TEST(NvccOracle, MacrosFoldersAndArchitecturesAgree) {
  std::string Program = nvccProgram();
  if (Program.empty())
    GTEST_SKIP() << "no nvcc of CUDA 13";
  SmallString<128> File;
  ASSERT_FALSE(sys::fs::createTemporaryFile("oracle", "cu", File));
  scope_exit Remove([&] { sys::fs::remove(File); });
  const std::vector<std::string> CommandLines[] = {
      {},
      {"-arch=sm_90"},
      {"-arch", "sm_80", "-arch", "sm_86"},
      {"-arch=all-major"},
      {"-arch=all"},
      {"-gencode", "arch=compute_80,code=sm_80", "-arch=sm_90"},
      {"-gencode=arch=compute_90,code=[sm_90,compute_90]", "--generate-code",
       "arch=compute_75,code=sm_75"},
      {"-DA=1,B=\"x,y\"", "-D", "C=f(1\\,2)", "-D=E", "-UF,G"},
      {"-I=a,b", "-Ic", "-isystem=d,e", "-isystem", "f", "--include-path=g"},
      {"-I\"p q\"", "-I", "\"r,s\""},
      {"-rdc=true"},
      {"-dc", "-G"},
      {"-dlto"},
      {"-ewp"},
      {"--extended-lambda", "-expt-relaxed-constexpr"},
      {"-default-stream=per-thread"},
      {"-allow-unsupported-compiler"},
      {"-Xcompiler", "-DH=1,-Wall", "-Xcompiler=-Ihost"},
      {"-forward-unknown-to-host-compiler", "-fopenmp", "-O3", "-std=c++17"},
      {"-include", "stdint.h,stddef.h"},
      {"-noeh", "-w", "-lineinfo", "-use_fast_math", "-maxrregcount=32"},
  };
  for (const std::vector<std::string> &Words : CommandLines)
    EXPECT_EQ(askTranslation(Program, Words, File),
              askNvcc(Program, Words, File))
        << join(Words, " ");
}

} // namespace
