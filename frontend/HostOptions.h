//===- HostOptions.h - Options of Clang and GCC -----------------*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads options that a host compiler takes by Clang's own option table, never
// by how they begin.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_HOSTOPTIONS_H
#define BARRICADE_FRONTEND_HOSTOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace llvm::opt {
class InputArgList;
} // namespace llvm::opt

namespace barricade {

/// Of a GCC-like compiler's options those that change what the parser sees:
/// macros, include folders, language options. Machine options go to the host
/// pass only. Everything else (warnings, output, code generation), and what
/// Clang does not know, goes.
std::vector<std::string> filterHostOptions(llvm::ArrayRef<std::string> Options);

/// The first of a host compiler's options that may give arithmetic on the host
/// another meaning than the device has for it; empty where all are known not
/// to.
struct HostArithmetic {
  std::string Float; ///< Of floating-point numbers: contraction, fast math.
  std::string Any;   ///< Of whole numbers and layouts, too: dialects.
};
HostArithmetic judgeHostOptions(llvm::ArrayRef<std::string> Options);

/// A Clang command line taken apart.
struct ClangOptions {
  /// Without output, phase, dependency, linker and pass options, and inputs.
  std::vector<std::string> Kept;
  std::vector<std::string> Archs; ///< --offload-arch and --cuda-gpu-arch.
  std::string Language;           ///< Last -x; empty: by the file's name.
  std::string CudaPath;           ///< --cuda-path.
  std::string Dialect;            ///< -std.
  std::vector<std::string> Inputs;
  bool Rdc = false;      ///< -fgpu-rdc.
  bool FastMath = false; ///< -ffast-math or -fgpu-flush-denormals-to-zero.
  HostArithmetic Arithmetic;
  bool Informational = false; ///< Prints a version or help, compiles nothing.
  bool LinksOnly = false;     ///< Preprocessed or object inputs only.
};

/// Takes the words of a Clang (or, with GCC's spelling, any host compiler's)
/// command line apart, the program's name excluded.
ClangOptions readClangOptions(llvm::ArrayRef<std::string> Options);

/// Whether Clang's driver knows every option in \p Options and gives each the
/// value that it has in \p Other, another option table's reading of the same
/// words: for Clang `-use_fast_math` is `-u`, and `-G` takes the next word.
bool clangReadsAlike(llvm::ArrayRef<std::string> Options,
                     const llvm::opt::InputArgList &Other);

/// GCC's installation folder (lib/gcc/TRIPLE/VERSION) of a host compiler given
/// to -ccbin: a program or a folder that holds g++; empty where \p Compiler is
/// no GCC or has none.
std::string gccInstallDir(llvm::StringRef Compiler, llvm::vfs::FileSystem &FS);

} // namespace barricade

#endif // BARRICADE_FRONTEND_HOSTOPTIONS_H
