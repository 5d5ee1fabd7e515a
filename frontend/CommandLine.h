//===- CommandLine.h - How nvcc reads its command line ----------*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lexical half of the translation: which compiler a command line runs, and
// nvcc's rules for lists, quotes and options files.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_COMMANDLINE_H
#define BARRICADE_FRONTEND_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace barricade {

enum class CompilerKind { Nvcc, Clang, Host };

/// A command line without the launchers (ccache, CMake's wrapper) before it.
struct CompilerCommand {
  CompilerKind Kind;
  std::string Program;
  llvm::ArrayRef<std::string> Args; ///< Points into the given command line.
  /// Takes the host compiler's options beside its own, as Kokkos's
  /// nvcc_wrapper does.
  bool MixesHostOptions = false;
};

/// \p Path as seen from the folder \p Directory, without `.` and `..`.
std::string absolutePath(llvm::StringRef Directory, llvm::StringRef Path);

/// Finds the compiler in \p CommandLine. Fails on an empty one.
llvm::Expected<CompilerCommand>
findCompiler(llvm::ArrayRef<std::string> CommandLine);

/// What a comma-separated value of nvcc holds.
enum class ListOf {
  Text, ///< A backslash protects the next character; quotes stay.
  Paths ///< Backslashes are ordinary; quotes go.
};

/// Splits \p Value at commas outside double quotes, as nvcc does.
std::vector<std::string> splitList(llvm::StringRef Value, ListOf Kind);

/// Splits the contents of -Xcompiler into the host compiler's arguments: a
/// list, then the shell's words.
std::vector<std::string> splitHostOptions(llvm::StringRef Value);

/// Splits NVCC_PREPEND_FLAGS or NVCC_APPEND_FLAGS at blanks outside double
/// quotes; quotes stay.
std::vector<std::string> splitFlagsVariable(llvm::StringRef Value);

/// nvcc's options; ids in NvccOptions.h.
const llvm::opt::OptTable &nvccOptTable();

/// Replaces every --options-file in \p Args by the files' words. Names are
/// relative to \p Directory. Fails on an unreadable file and on one that
/// includes itself.
llvm::Expected<std::vector<std::string>>
expandOptionsFiles(llvm::ArrayRef<std::string> Args, llvm::StringRef Directory,
                   llvm::vfs::FileSystem &FS);

} // namespace barricade

#endif // BARRICADE_FRONTEND_COMMANDLINE_H
