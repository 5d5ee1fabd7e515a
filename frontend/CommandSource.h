//===- CommandSource.h - Which command line compiles a file -----*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_COMMANDSOURCE_H
#define BARRICADE_FRONTEND_COMMANDSOURCE_H

#include "frontend/Translate.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace barricade {

/// Answers with the command lines that compile a file, from the first of:
/// fixed flags given after `--`, a compilation database in a named folder, what
/// the file's folder or the nearest one above has, plain defaults (`nvcc FILE`,
/// or Clang's CUDA mode where no toolkit is installed).
///
/// A folder has compile_commands.json, or build/compile_commands.json; that of
/// a project (CMakeLists.txt or .git) also the newest of those in build*/,
/// cmake-build-*/, out/*/ and out/build/*/; or compile_flags.txt, as Clang's
/// tools read it.
///
/// Safe to ask from several threads.
class CommandSource {
public:
  struct Options {
    std::string BuildDir; ///< -p; empty: search upwards.
    /// Flags after `--`. A first word that is no option names the compiler;
    /// else they are nvcc's where only nvcc knows them all, else
    /// \c FixedCompiler's.
    std::vector<std::string> FixedFlags;
    bool HasFixedFlags = false;
    std::string FixedCompiler = "clang++";
    std::string WorkingDirectory; ///< Empty: the process's.
  };

  /// Fails where BuildDir has no readable compilation database.
  static llvm::Expected<CommandSource>
  create(Options Opts,
         llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS = nullptr);

  CommandSource(CommandSource &&);
  CommandSource &operator=(CommandSource &&);
  ~CommandSource();

  /// Who says how a file is compiled.
  enum class Authority {
    Build,     ///< The user, or a database that knows the file.
    Neighbour, ///< A database that knows another file nearby.
    Nobody,    ///< Defaults.
  };

  struct Answer {
    /// Usually one; several where a build compiles the file in several ways.
    std::vector<clang::tooling::CompileCommand> Commands;
    /// One sentence: where the commands come from.
    std::string Origin;
    Authority By = Authority::Build;
    /// Set for a file that is only ever included, such as a header: the
    /// database's file that includes it and is parsed in its place.
    std::string IncludedBy;
  };

  /// The commands for \p File (a path, absolute or relative to the working
  /// directory). Where the database has none, those of a file that includes
  /// it, else the nearest file's of its kind. Fails where the database of
  /// BuildDir has nothing of all that; one merely found above the file gives
  /// way to the defaults.
  llvm::Expected<Answer> commandsFor(llvm::StringRef File) const;

  /// Every file that the database given by BuildDir compiles, in its order;
  /// empty without.
  std::vector<std::string> allFiles() const;

  /// All files of the database that knows those in \p Folder, in its order:
  /// that of BuildDir, else the one found for the folder; empty without.
  std::vector<std::string> filesWith(llvm::StringRef Folder) const;

  /// Those of filesWith() that lie below \p Folder.
  std::vector<std::string> filesBelow(llvm::StringRef Folder) const;

private:
  struct Impl;
  explicit CommandSource(std::unique_ptr<Impl> I);
  std::unique_ptr<Impl> I;
};

} // namespace barricade

#endif // BARRICADE_FRONTEND_COMMANDSOURCE_H
