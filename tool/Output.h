// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways to show a report. Each is one file that implements this interface.

#ifndef BARRICADE_TOOL_OUTPUT_H
#define BARRICADE_TOOL_OUTPUT_H

#include "tool/Options.h"
#include "tool/Report.h"
#include "tool/WriteFiles.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <memory>

namespace barricade {

class Output {
public:
  virtual ~Output() = default;
  virtual void print(const Report &R, llvm::raw_ostream &OS) const = 0;
};

/// Findings in the style of Clang's diagnostics. With \p Explain those that are
/// not rewritten, too, with reasons and facts.
std::unique_ptr<Output> makeDiagnosticsOutput(bool Explain, bool Color);

/// \p Files as one unified diff.
std::unique_ptr<Output> makeDiffOutput(std::vector<ChangedFile> Files);

/// Everything in the schema of docs/json-schema.md.
std::unique_ptr<Output> makeJsonOutput();

/// One finding in that schema.
llvm::json::Value toJSON(const Finding &F);

/// SARIF 2.1.0, for code scanning. Paths are relative to \p ProjectRoot (empty:
/// that of the first file). What is suppressed is listed as such; with
/// \p Explain what is not rewritten, too. \p Rules: those that ran.
std::unique_ptr<Output> makeSarifOutput(std::vector<const Rule *> Rules,
                                        bool Explain, std::string ProjectRoot);

/// Findings that are told of, as commands by which a workflow's log on GitHub
/// annotates them. Paths are relative to \p ProjectRoot, as those of SARIF.
std::unique_ptr<Output> makeGithubOutput(std::string ProjectRoot);

/// The same as a code quality report of GitLab.
std::unique_ptr<Output> makeGitlabOutput(std::string ProjectRoot);

/// The same as test cases in JUnit's XML, in a suite for each file. \p Fails:
/// which have failed.
std::unique_ptr<Output>
makeJUnitOutput(std::function<bool(const Finding &)> Fails);

/// The root to which a report's paths are relative.
std::string rootOf(const Report &R, llvm::StringRef ProjectRoot);

/// How many findings each rule has, by standing and reason.
std::unique_ptr<Output> makeStatisticsOutput();

/// What a page says of the run that made it.
struct RunDescription {
  std::string Command;
  std::string WhatPays; ///< For which GPU, and by which knowledge.
  std::string Date;
  /// Of a reason, as `barricade explain` has it; empty: nothing.
  std::function<std::string(llvm::StringRef)> Explanation;
};

/// A page for browsers that needs no other file. \p Files: as the run changes
/// them; \p Changed: see makeSummaryOutput.
std::unique_ptr<Output> makeHtmlOutput(std::vector<ChangedFile> Files,
                                       std::string Changed,
                                       RunDescription Made = {});

/// Clang's diagnostics YAML, for clang-apply-replacements. Holds exactly the
/// edits that --in-place makes.
std::unique_ptr<Output> makeFixesOutput();

/// Counts by standing and by reason. \p Changed says what became of the
/// findings that apply, as in "3 rewritten".
std::unique_ptr<Output> makeSummaryOutput(std::string Changed, bool Explained);

} // namespace barricade

#endif
