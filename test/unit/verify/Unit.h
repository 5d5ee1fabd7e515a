// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA source from a string, with its AST and its device code.

#ifndef BARRICADE_TEST_UNIT_VERIFY_UNIT_H
#define BARRICADE_TEST_UNIT_VERIFY_UNIT_H

#include "frontend/Parse.h"
#include "frontend/Translate.h"
#include "matchers/Program.h"
#include "verify/Suspicions.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include <gtest/gtest.h>
#include <set>

namespace barricade::test {

inline TranslationUnit parseUnit(const std::string &Text) {
  const std::string Path = "/src/a.cu";
  TranslateOptions Options;
  Options.NoToolkit = true;
  llvm::Expected<Translation> Translated = translateCommand(
      clang::tooling::CompileCommand(
          "/", Path, {"nvcc", "-std=c++17", "-arch=sm_80", Path}, ""),
      Options);
  EXPECT_TRUE(bool(Translated));
  auto Texts = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Texts->addFile(Path, 0, llvm::MemoryBuffer::getMemBufferCopy(Text));
  auto FS = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(
          llvm::vfs::createPhysicalFileSystem().release()));
  FS->pushOverlay(std::move(Texts));
  ParseOptions Parsing;
  Parsing.DeviceIR = true;
  TranslationUnit Unit = parseTranslationUnit(
      std::move(std::get<TranslatedCommand>(*Translated)), FS, Parsing);
  EXPECT_TRUE(Unit.parsed()) << Unit.Diagnostics;
  return Unit;
}

inline Program programOf(const TranslationUnit &Unit) {
  Program P;
  for (const auto &Pass : Unit.Passes)
    P.Passes.push_back({&Pass->context(), &Pass->preprocessor(),
                        Pass->pass() == Pass::Device, Pass->sm()});
  return P;
}

/// The lines of \p Text that hold \p Mark.
inline std::set<unsigned> linesWith(llvm::StringRef Text,
                                    llvm::StringRef Mark) {
  std::set<unsigned> Result;
  llvm::SmallVector<llvm::StringRef, 64> Lines;
  Text.split(Lines, '\n');
  for (const auto &[At, Line] : llvm::enumerate(Lines))
    if (Line.contains(Mark))
      Result.insert(At + 1);
  return Result;
}

/// The lines of the source with suspicions of \p Kind.
inline std::set<unsigned> suspiciousLines(const std::string &Text,
                                          Suspicion::Kind Kind) {
  TranslationUnit Unit = parseUnit(Text);
  std::set<unsigned> Result;
  for (const auto &Pass : Unit.Passes)
    if (llvm::Module *M = Pass->deviceIR())
      for (const Suspicion &S : suspicionsIn(*M, /*RestrictParams=*/false))
        for (const CodePlace &Place : S.Where)
          if (S.What == Kind && Place.File == "/src/a.cu") {
            Result.insert(Place.Line);
            break;
          }
  return Result;
}

/// The lines of \p Text with \p Mark, and no others, are suspicious.
inline void expectMarked(const std::string &Text, Suspicion::Kind Kind,
                         llvm::StringRef Mark) {
  EXPECT_EQ(suspiciousLines(Text, Kind), linesWith(Text, Mark)) << Text;
}

} // namespace barricade::test

#endif
