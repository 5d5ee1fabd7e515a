//===- Parse.h - Host and device ASTs of a translation unit -----*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_PARSE_H
#define BARRICADE_FRONTEND_PARSE_H

#include "frontend/HeaderCache.h"
#include "frontend/Preamble.h"
#include "frontend/Translate.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CompilerInstance;
class Preprocessor;
class Sema;
class SourceManager;
class LangOptions;
} // namespace clang

namespace llvm {
class Module;
} // namespace llvm

namespace barricade {

/// One pass of a source, parsed; owns its AST.
class ParsedPass {
public:
  ParsedPass(const ParsedPass &) = delete;
  ParsedPass &operator=(const ParsedPass &) = delete;
  ~ParsedPass();

  Pass pass() const { return P; }
  /// The SM number of a device pass; 0 for the host pass.
  unsigned sm() const { return Sm; }

  clang::ASTContext &context() const;
  clang::Preprocessor &preprocessor() const;
  clang::Sema &sema() const;
  clang::SourceManager &sourceManager() const;
  const clang::LangOptions &langOpts() const;
  /// What the device pass compiles to, unoptimised and with the lines that
  /// instructions come from; null unless ParseOptions::DeviceIR asked for it.
  llvm::Module *deviceIR() const;

  /// A non-system file names __CUDA_ARCH__ (or __CUDA_ARCH_LIST__), so that
  /// architectures may see different code.
  bool mentionsCudaArch() const { return Files.MentionCudaArch; }

  /// Absolute paths of the non-system files that this pass read.
  const std::vector<std::string> &userFiles() const { return Files.Paths; }

private:
  friend class PassParser;
  ParsedPass(Pass P, unsigned Sm);

  Pass P;
  unsigned Sm;
  UserFiles Files;
  struct State;
  std::unique_ptr<State> S;
};

struct ParseOptions {
  /// Render diagnostics with ANSI colours.
  bool Color = false;
  /// Parse a device pass for every architecture, not for the newest only,
  /// where the code may differ between them.
  bool AllArchs = true;
  /// Leave ASTs to the process's end instead of freeing them, as Clang's own
  /// -disable-free. For the command; a server must not.
  bool DisableFree = false;
  /// Where the preambles of this source are kept between parses; null: every
  /// parse reads the whole source. With preambles, a traversal of an AST does
  /// not show what system headers declare, and what only host code uses of
  /// their templates is not instantiated (SkipHostInstantiations.h).
  PreambleCache *Preambles = nullptr;
  /// Without Preambles: keeps the headers that sources begin with. A traversal
  /// of an AST then does not show what they declare. Null: they are read.
  HeaderCache *Headers = nullptr;
  /// Gets what the kept headers asked the file system; null: nobody asks.
  FileProbes *Seen = nullptr;
  /// Compile device passes to LLVM's IR as well (ParsedPass::deviceIR).
  bool DeviceIR = false;
};

/// An error that Clang found, or a warning.
struct SourceError {
  std::string File; ///< Absolute.
  unsigned Offset = 0;
  unsigned Line = 0;   ///< From 1.
  unsigned Column = 0; ///< From 1, in bytes.
  std::string Message;
};

/// A source with the ASTs of all its passes, alive together.
struct TranslationUnit {
  TranslatedCommand Command;
  /// Host pass first, then device passes, newest architecture first. Empty
  /// where the source does not parse.
  std::vector<std::unique_ptr<ParsedPass>> Passes;
  /// Clang's own diagnostics (errors and their notes), as text, ready to be
  /// printed.
  std::string Diagnostics;
  /// The first error among them that has a place in a file.
  std::optional<SourceError> FirstError;
  /// The text of files of which the ASTs were read from a repaired copy, by the
  /// path that Clang read them under. It is as long, and differs only in the
  /// brackets of launches and in the % of registers in assembly.
  std::map<std::string, std::string> UnrepairedTexts;
  /// Warnings in files outside of system headers, of all passes, where the
  /// command turns some on (TranslatedCommand::showWarnings).
  std::vector<SourceError> Warnings;
  /// Non-system files that its passes read, also where it does not parse.
  UserFiles Files;
  /// Where it does not parse: it may include more than `Files`, for a fatal
  /// error came before, or a pass that may read others was not begun.
  bool MayIncludeMore = false;
  bool parsed() const { return !Passes.empty(); }
};

/// Parses every pass of \p Command explicitly. Parsing stops at the first pass
/// with errors; the result then holds the diagnostics and no AST. What only
/// nvcc accepts, a launch `k<< <...>> >(...)`, an undoubled `%smid` and a
/// missing comma between operands in assembly, is read from a repaired copy;
/// all positions stay those of the file. Thread-safe as long as \p BaseFS is
/// not shared between threads; a null one means a fresh view of the real file
/// system with a working directory of its own.
///
/// \p BaseFS may overlay unsaved editor buffers.
TranslationUnit
parseTranslationUnit(TranslatedCommand Command,
                     llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> BaseFS,
                     const ParseOptions &Options = {});

} // namespace barricade

#endif // BARRICADE_FRONTEND_PARSE_H
