// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user wants to hear of, and where edits are welcome.

#ifndef BARRICADE_TOOL_SELECT_H
#define BARRICADE_TOOL_SELECT_H

#include "rewriters/Rule.h"
#include "tool/Options.h"
#include "tool/Report.h"
#include <functional>

namespace barricade {

class Profit;

/// The rules whose ids match \p Globs: a comma list read from left to right,
/// the last match decides, `-` excludes. An empty list, or one that begins with
/// what it excludes, begins with the rules that run by default. Of those that
/// give loops of launches a form, only those run whose form is \p Form, which
/// do by default, too; Auto leaves them to \p Globs. Fails on a malformed glob,
/// and where nothing is left to run.
llvm::Expected<std::vector<const Rule *>>
selectRules(llvm::StringRef Globs, LoopForm Form,
            llvm::ArrayRef<std::unique_ptr<Rule>> Rules);

/// \p Given, completed by what follows from \p Running, the rules that run.
RuleOptions optionsWith(RuleOptions Given,
                        llvm::ArrayRef<const Rule *> Running);

/// Of what --kernel and --lines name in \p R, which has all its findings, what
/// is not there: a sentence each.
std::vector<std::string> selectedInVain(const Report &R, const Options &Opts);

/// Whether headers may be edited in a run of which the input at \p Input alone
/// is known: no more than holdBackHeaders lets pass. \p Opts must stay alive.
std::function<bool(llvm::StringRef File)> editableWith(llvm::StringRef Input,
                                                       const Options &Opts);

/// Holds back what would edit headers that --edit-headers does not select
/// (`header-not-selected`), or that lie outside of the project. Inputs named by
/// the user are never headers. A file that a source of the run includes which
/// could not be read, or may include, is not edited either
/// (`not-read-everywhere`): nothing is known of what the change would do there.
void holdBackHeaders(Report &R, const Options &Opts);

/// What has to be known of the merged findings in \p R before the rules choose
/// among them: what pays, by \p WhatPays, what comments suppress, and which
/// headers may be edited. What is not made is in no other rule's way.
void settleBeforeChoice(Report &R, const Profit &WhatPays, const Options &Opts);

/// Applies --kernel and --lines to \p R: findings not asked for go; those in
/// headers outside of the project go and are counted.
void selectFindings(Report &R, const Options &Opts);

} // namespace barricade

#endif
