// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of the user's files that no pass for the device compiles, but another
// compiler may, or another build:
//
//   #ifdef __NVCC__
//     if (threadIdx.x < 13) x = total(a, n);
//   #endif
//
// There is no tree of it: what it may call is told by its words.

#ifndef BARRICADE_MATCHERS_SOURCE_LEFTOUTCODE_H
#define BARRICADE_MATCHERS_SOURCE_LEFTOUTCODE_H

#include "matchers/Finding.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
class SourceManager;
} // namespace clang

namespace barricade {

struct Program;

/// A place in a file of one pass.
struct PlaceInPass {
  clang::SourceLocation Where;
  const clang::SourceManager *SM = nullptr;
  Place place() const;
};

/// What the code that is left out may name.
struct LeftOutNames {
  /// Its identifiers, those that its macros stand for, and those that templates
  /// it names ask for by their arguments. Each with its first place.
  llvm::StringMap<PlaceInPass> Words;
  /// Words of its strings, where such may be the linker's names; with a `%`
  /// behind those that go on (matchers/source/SymbolNames.h).
  llvm::StringMap<PlaceInPass> InStrings;
  /// Where it puts names together from Words and Numbers.
  std::optional<PlaceInPass> Pasting;
  llvm::StringSet<> Numbers;
  /// Where it may include any file.
  std::optional<PlaceInPass> Including;

  /// Where it may name \p Function; nothing: nowhere.
  std::optional<PlaceInPass>
  placeNaming(const clang::FunctionDecl &Function) const;
  /// It puts \p Name together, or may.
  bool isPasted(llvm::StringRef Name) const;
  /// What it puts names together from, in order.
  std::vector<std::string> parts() const;
};

/// All that the passes of \p Whole leave out, looked at once. What no compiler
/// of CUDA sources compiles does not count, nor what system headers have.
const LeftOutNames &leftOutNames(const Program &Whole);

/// \p Name is put together from several parts.
bool isMadeOf(llvm::StringRef Name,
              llvm::function_ref<bool(llvm::StringRef)> IsPart);

} // namespace barricade

#endif
