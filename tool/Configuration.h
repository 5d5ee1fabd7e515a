// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that a project sets for all who work on it, in files called
// .barricade.yaml. One speaks of the sources in its folder and below; nearer
// ones win, key by key, and `inherit: false` hides those above. The command
// line wins over all.

#ifndef BARRICADE_TOOL_CONFIGURATION_H
#define BARRICADE_TOOL_CONFIGURATION_H

#include "tool/Options.h"
#include <map>

namespace barricade {

inline constexpr llvm::StringLiteral ConfigurationName = ".barricade.yaml";

/// Changes \p Opts as the text of a configuration file says. Paths in it are
/// relative to its folder. Returns whether files in the folders above count,
/// too. \p Path: the file, absolute. \p Trusted: the user named the file, so
/// that it may ask for files to be written; one that was merely found, perhaps
/// in a project of somebody else, may not. Fails with the place of the mistake
/// and a caret, as Clang shows errors.
llvm::Expected<bool> readConfiguration(llvm::StringRef Path,
                                       llvm::StringRef Text, bool Trusted,
                                       Options &Opts);

/// \p Opts as a configuration file that sets every key.
void printConfiguration(const Options &Opts, llvm::raw_ostream &OS);

/// The options for each file: defaults, then configuration files, then the
/// command line.
class Settings {
public:
  explicit Settings(CommandLine Line) : Line(std::move(Line)) {}

  /// For the source \p File, which need not exist, or for those of a folder.
  /// Reads configuration files once. The reference holds as long as this object
  /// lives.
  llvm::Expected<const Options &> optionsFor(llvm::StringRef File);

  /// Makes the next question read configuration files anew. Ends references to
  /// options.
  void forget() { ByFolder.clear(); }

  /// For a run over \p Files: all but how one source is read and judged
  /// (toolkit, architectures, rules and their thresholds). Fails where they
  /// disagree. Without files, those of
  /// the working directory.
  llvm::Expected<const Options &>
  optionsForRun(llvm::ArrayRef<std::string> Files);

private:
  /// Those of the configuration files that apply to a folder's sources.
  llvm::Expected<Options> configured(llvm::StringRef Folder);
  llvm::Expected<Options> fromFile(llvm::StringRef Path);

  CommandLine Line;
  std::map<std::string, Options, std::less<>> ByFolder;
};

} // namespace barricade

#endif
