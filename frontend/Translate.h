//===- Translate.h - A build's command line in Clang's words ----*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns one entry of a compilation database, written for nvcc, Clang or
// another host compiler, into arguments for Clang's driver.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_TRANSLATE_H
#define BARRICADE_FRONTEND_TRANSLATE_H

#include "frontend/HostOptions.h"
#include "frontend/Toolkit.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/Error.h"
#include <string>
#include <variant>
#include <vector>

namespace barricade {

/// The two compilations of a CUDA source. Each sees its own preprocessor
/// branch of `#ifdef __CUDA_ARCH__`.
enum class Pass { Host, Device };

/// "host" or "device".
llvm::StringRef passName(Pass P);

/// What a build says about the code beyond how to parse it.
struct BuildFacts {
  unsigned MaxRegCount = 0; ///< Registers per thread (-maxrregcount); 0: none.
  /// -use_fast_math, -ftz=true, -prec-div=false: the device may flush and
  /// approximate single precision.
  bool FastMath = false;
  HostArithmetic Arithmetic; ///< What the host's options do to it.
  bool Restrict = false;     ///< Kernel pointer parameters are restrict.
  bool PerThreadDefaultStream = false; ///< -default-stream=per-thread.
  bool RelocatableDeviceCode = false;  ///< -rdc=true or -dc.
  bool DeviceDebug = false;            ///< -G.

  /// SM numbers (75 for sm_75) the build compiles for, as far as they can be
  /// analysed, ascending, no repeats; never empty for CUDA sources.
  std::vector<unsigned> Archs;
  /// The same as the build names them, those too that the toolkit has dropped.
  std::vector<unsigned> NamedArchs;
  /// Somebody named them; false: they stand in for whatever GPU there is.
  bool ArchsGiven = false;
  /// Those of Archs asked for as sm_NNa (architecture-specific features).
  std::vector<unsigned> AcceleratedArchs;

  /// Clang as the build's compiler is not told where CUDA 13 keeps CUDA's C++
  /// library, which <cooperative_groups.h> includes. nvcc knows by itself.
  bool LacksCudaLibrary = false;

  std::string CudaPath; ///< The toolkit's folder; empty: none, own fallback.
  std::string Dialect;  ///< Value of -std as written; empty: the default.
};

/// One source and the Clang arguments that read it as its build does.
struct TranslatedCommand {
  std::string Directory; ///< The entry's working directory.
  std::string File;      ///< The main file, as the entry names it.
  bool IsCuda = true;    ///< False: plain C or C++; has a host pass only.
  /// Driver arguments common to both passes, without the program's name,
  /// the main file, and anything that picks a pass or an architecture.
  std::vector<std::string> Args;
  BuildFacts Facts;
  /// The build treats warnings as errors (-Werror).
  bool WarningsAreErrors = false;
  /// The warnings that the build asks for, in Clang's words. They are not among
  /// Args, which turn all warnings off.
  std::vector<std::string> Warnings;
  /// They are a host compiler's, which never sees what only the device runs.
  bool HostWarns = true;
  /// What could not be carried over exactly, one sentence each.
  std::vector<std::string> Notes;

  /// The whole driver command line, program name first, of one pass: one
  /// compilation, syntax only. \p Sm is ignored for the host pass.
  std::vector<std::string> argsFor(Pass P, unsigned Sm) const;

  /// The folders, absolute, that its options called \p Flags name: "-I" and
  /// its like, whose value may be joined.
  std::vector<std::string>
  includeFolders(llvm::ArrayRef<llvm::StringRef> Flags) const;

  /// Turns on what the build asks for, as warnings.
  void showWarnings();
};

/// An entry that compiles nothing: links, archives, prints information.
struct SkippedCommand {
  std::string Reason;
};

using Translation = std::variant<TranslatedCommand, SkippedCommand>;

struct TranslateOptions {
  /// Reads response files and looks for toolkits; null: the real one.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS;
  Environment Env;         ///< See processEnvironment().
  std::string CudaPath;    ///< Overrides every other way to find a toolkit.
  bool NoToolkit = false;  ///< Use the fallback declarations, even so.
  std::string ResourceDir; ///< Overrides findResourceDir().
  std::string HeadersDir;  ///< Overrides findHeadersDir().
  /// SM numbers of this machine's GPUs, for `-arch=native`; where empty the
  /// toolkit's default stands in and a note says so.
  std::vector<unsigned> NativeArchs;
};

/// Translates one compilation database entry. Fails on what the build's own
/// compiler would refuse: unknown options, a response file that cannot be
/// read or includes itself, an option without its value.
llvm::Expected<Translation>
translateCommand(const clang::tooling::CompileCommand &Command,
                 const TranslateOptions &Options);

} // namespace barricade

#endif // BARRICADE_FRONTEND_TRANSLATE_H
