//===- Fixture.h - A small file system for the frontend's tests -*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_TEST_UNIT_FRONTEND_FIXTURE_H
#define BARRICADE_TEST_UNIT_FRONTEND_FIXTURE_H

#include "frontend/Translate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>
#include <vector>

namespace barricade::test {

using Files = llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem>;

inline void addFile(Files &FS, llvm::StringRef Path, llvm::StringRef Text) {
  FS->addFile(Path, 0, llvm::MemoryBuffer::getMemBufferCopy(Text));
}

/// A machine with CUDA 13.0 in /cuda and GCC 12 in /gcc.
inline Files machine() {
  Files FS(new llvm::vfs::InMemoryFileSystem);
  addFile(FS, "/cuda/include/cuda.h", "#define CUDA_VERSION 13000\n");
  addFile(FS, "/cuda/include/cccl/cub/cub.cuh", "");
  addFile(FS, "/cuda/bin/nvcc", "");
  addFile(FS, "/cuda11/include/cuda.h", "#define CUDA_VERSION 11080\n");
  addFile(FS, "/cuda11/bin/nvcc", "");
  addFile(FS, "/gcc/bin/g++-12", "");
  addFile(FS, "/gcc/lib/gcc/x86_64-linux-gnu/12/crtbegin.o", "");
  addFile(FS, "/build/options.rsp", "-DFROM_FILE");
  FS->setCurrentWorkingDirectory("/build");
  return FS;
}

inline TranslateOptions optionsFor(Files FS) {
  TranslateOptions Options;
  Options.FS = FS;
  Options.Env["PATH"] = "/cuda/bin";
  Options.ResourceDir = "/clang";
  Options.HeadersDir = "/share";
  return Options;
}

/// What is not the default, as words.
inline std::vector<std::string> factWords(const TranslatedCommand &Command) {
  const BuildFacts &F = Command.Facts;
  std::vector<std::string> Words;
  auto AddIf = [&](bool Condition, const std::string &Word) {
    if (Condition)
      Words.push_back(Word);
  };
  std::vector<std::string> Archs;
  for (unsigned Sm : F.Archs)
    Archs.push_back(std::to_string(Sm) +
                    (llvm::is_contained(F.AcceleratedArchs, Sm) ? "a" : ""));
  std::string ArchList = llvm::join(Archs, ",");
  AddIf(ArchList != "75", "archs=" + ArchList);
  AddIf(F.MaxRegCount, "max-registers=" + std::to_string(F.MaxRegCount));
  AddIf(F.FastMath, "fast-math");
  AddIf(F.Restrict, "restrict");
  AddIf(F.PerThreadDefaultStream, "per-thread-stream");
  AddIf(F.RelocatableDeviceCode, "rdc");
  AddIf(F.DeviceDebug, "device-debug");
  AddIf(!F.Dialect.empty(), "dialect=" + F.Dialect);
  AddIf(!Command.IsCuda, "not-cuda");
  return Words;
}

/// Takes the words that every translation has out of \p Args.
inline void eraseStandardArgs(std::vector<std::string> &Args) {
  for (std::vector<std::string> Standard :
       {std::vector<std::string>{"-include", "/share/prelude/nvcc_prelude.h"},
        {"-x", "cuda", "--cuda-path=/cuda", "-isystem",
         "/share/prelude/system"},
        {"-isystem", "/cuda/include/cccl"},
        {"-resource-dir=/clang", "-w", "-Wno-unknown-cuda-version",
         "-Wno-register", "-Wno-c++11-narrowing"}}) {
    auto At =
        std::search(Args.begin(), Args.end(), Standard.begin(), Standard.end());
    if (At != Args.end())
      Args.erase(At, At + Standard.size());
  }
}

/// The translation of \p Words as one line: what it adds to the standard
/// arguments, facts that are not the default, "skipped", or the error.
inline std::string translate(std::vector<std::string> Words,
                             const TranslateOptions &Options,
                             llvm::StringRef File = "/src/a.cu") {
  Words.push_back(File.str());
  clang::tooling::CompileCommand Command("/build", File, Words, "");
  llvm::Expected<Translation> Result = translateCommand(Command, Options);
  if (!Result)
    return "error: " + llvm::toString(Result.takeError());
  if (std::holds_alternative<SkippedCommand>(*Result))
    return "skipped";
  TranslatedCommand &Translated = std::get<TranslatedCommand>(*Result);
  eraseStandardArgs(Translated.Args);
  llvm::append_range(Translated.Args, factWords(Translated));
  return llvm::join(Translated.Args, " ");
}

} // namespace barricade::test

#endif // BARRICADE_TEST_UNIT_FRONTEND_FIXTURE_H
