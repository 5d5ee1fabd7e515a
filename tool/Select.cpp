// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Select.h"
#include "tool/Paths.h"
#include "tool/Suppress.h"
#include "tool/knowledge/Profit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"
#include <utility>

using namespace llvm;

namespace barricade {

/// The user has named a form for loops of launches, and \p R gives them one.
static bool isOfNamedForms(const Rule &R, LoopForm Form) {
  return Form != LoopForm::Auto && R.loopForm();
}

Expected<std::vector<const Rule *>>
selectRules(StringRef Globs, LoopForm Form,
            ArrayRef<std::unique_ptr<Rule>> Rules) {
  std::vector<bool> Chosen(Rules.size(),
                           Globs.empty() || Globs.starts_with("-"));
  for (StringRef Item : split(Globs, ',')) {
    Item = Item.trim();
    bool Include = !Item.consume_front("-");
    Expected<GlobPattern> Glob = GlobPattern::create(Item);
    if (!Glob)
      return createStringError("--rules: '" + Item + "' is not a glob: " +
                               toString(Glob.takeError()));
    for (auto [Index, R] : enumerate(Rules))
      if (Glob->match(R->id()))
        Chosen[Index] = Include;
  }

  std::vector<const Rule *> Result;
  for (auto [Index, R] : enumerate(Rules))
    if (Chosen[Index] && (!isOfNamedForms(*R, Form) || R->loopForm() == Form))
      Result.push_back(R.get());
  if (Result.empty())
    return createStringError(
        "--rules=" + Globs + " selects no rule" +
        (Form == LoopForm::Auto ? "" : " with this --loop-form") +
        "; see barricade --list-rules");
  return Result;
}

RuleOptions optionsWith(RuleOptions Given, ArrayRef<const Rule *> Running) {
  const auto Runs = [&](LoopForm Form) {
    return any_of(Running,
                  [=](const Rule *R) { return R->loopForm() == Form; });
  };
  Given.Replays = Runs(LoopForm::Replay);
  Given.Overlaps = Runs(LoopForm::Overlap);
  return Given;
}

/// Globs were checked when the options were read.
static bool matchesAny(ArrayRef<std::string> Globs, StringRef Text) {
  return any_of(Globs, [&](StringRef Glob) {
    return cantFail(GlobPattern::create(Glob)).match(Text);
  });
}

static bool inKernels(const Finding &F, ArrayRef<std::string> Globs) {
  StringRef Qualified = F.Function;
  size_t Colons = Qualified.rfind("::");
  StringRef Plain =
      Colons == StringRef::npos ? Qualified : Qualified.substr(Colons + 2);
  return matchesAny(Globs, Qualified) || matchesAny(Globs, Plain);
}

static bool inLines(const Place &P, ArrayRef<LineRange> Ranges) {
  return any_of(Ranges, [&](const LineRange &Range) {
    return Range.First <= P.Line && P.Line <= Range.Last &&
           canonicalPath(Range.File) == P.File;
  });
}

/// Whether some file of \p R is, or includes, the file at \p Path.
static bool isRead(StringRef Path, const Report &R) {
  return any_of(R.Files, [&](const FileReport &File) {
    return File.Path == Path || is_contained(File.UserFiles, Path);
  });
}

std::vector<std::string> selectedInVain(const Report &R, const Options &Opts) {
  std::vector<std::string> Result;
  for (const std::string &Glob : Opts.KernelGlobs)
    if (none_of(R.Findings,
                [&](const Finding &F) { return inKernels(F, Glob); }))
      Result.push_back("--kernel=" + Glob +
                       ": nothing was found in a function of this name");
  for (const LineRange &Range : Opts.Lines)
    if (!isRead(canonicalPath(Range.File), R))
      Result.push_back("--lines: '" + Range.File + "' is not read in this run");
  return Result;
}

namespace {
/// Where the run's headers may lie and which of them may be edited.
class HeaderScope {
public:
  explicit HeaderScope(const Options &Opts)
      : Globs(Opts.HeaderGlobs), RootIsGiven(!Opts.ProjectRoot.empty()) {
    if (RootIsGiven)
      Roots.insert(canonicalPath(Opts.ProjectRoot));
  }

  HeaderScope(const Report &R, const Options &Opts) : HeaderScope(Opts) {
    for (const FileReport &File : R.Files)
      addInput(File.Path);
  }

  void addInput(StringRef Path) {
    Inputs.insert(Path);
    if (!RootIsGiven)
      Roots.insert(projectRoot(Path));
  }

  bool isInput(StringRef Path) const { return Inputs.contains(Path); }

  /// Empty if no project holds the file, else its path below the root.
  StringRef inProject(StringRef Path) const {
    for (StringRef Root : Roots.keys())
      if (StringRef Below = pathBelow(Path, Root); !Below.empty())
        return Below;
    return {};
  }

  bool isEditable(StringRef Path) const {
    return isInput(Path) || (!inProject(Path).empty() && isSelected(Path));
  }

private:
  bool isSelected(StringRef Path) const {
    return matchesAny(Globs, Path) || matchesAny(Globs, inProject(Path));
  }

  ArrayRef<std::string> Globs;
  bool RootIsGiven;
  StringSet<> Inputs;
  StringSet<> Roots;
};
} // namespace

/// The first header of an edit that must not be touched; empty if all may.
static StringRef unselectedHeader(const Finding &F, const HeaderScope &Scope) {
  for (const Edit &E : F.Edits)
    if (!Scope.isEditable(E.File))
      return E.File;
  return {};
}

std::function<bool(StringRef)> editableWith(StringRef Input,
                                            const Options &Opts) {
  HeaderScope Scope(Opts);
  Scope.addInput(Input);
  return [Scope = std::move(Scope)](StringRef File) {
    return Scope.isEditable(canonicalPath(File));
  };
}

/// Why \p Path must not be edited, for the sake of a source that was not
/// analysed; empty if nothing speaks against it.
static std::string unreadIncluder(StringRef Path, const Report &R,
                                  const HeaderScope &Scope) {
  for (const FileReport &File : R.Files) {
    if (File.Outcome == FileReport::State::Analysed)
      continue;
    bool Includes = is_contained(File.UserFiles, Path);
    // Sources are seldom included.
    if (Includes || (File.MayIncludeMore && !Scope.isInput(Path)))
      return "'" + File.Name + "' could not be analysed, and " +
             (Includes ? "includes" : "may include") + " '" +
             displayPath(Path) + "'";
  }
  return {};
}

/// Holds \p F back where one of the files that it edits is unread elsewhere.
static void holdBackUnread(Finding &F, const Report &R,
                           const HeaderScope &Scope) {
  for (const Edit &E : F.Edits)
    if (std::string Text = unreadIncluder(E.File, R, Scope); !Text.empty()) {
      F.Reasons.push_back(
          {"not-read-everywhere", F.Where, std::move(Text), {}});
      return;
    }
}

void holdBackHeaders(Report &R, const Options &Opts) {
  const HeaderScope Scope(R, Opts);
  for (Finding &F : R.Findings)
    if (StringRef Header = unselectedHeader(F, Scope); !Header.empty())
      F.Reasons.push_back(
          {"header-not-selected",
           F.Where,
           "'" + displayPath(Header) + "' is a header; --edit-headers edits it",
           {}});
    else
      holdBackUnread(F, R, Scope);
}

/// Moves what may be chosen in the stead of \p Findings behind them. Returns
/// how much that is.
static size_t addAlternatives(std::vector<Finding> &Findings) {
  const size_t Own = Findings.size();
  for (size_t I = 0; I < Own; ++I)
    append_range(Findings, std::exchange(Findings[I].Instead, {}));
  return Findings.size() - Own;
}

/// Moves the last \p Count of \p Findings back to those in whose stead they may
/// be chosen.
static void returnAlternatives(std::vector<Finding> &Findings, size_t Count) {
  const auto First = Findings.end() - Count;
  std::vector<Finding> Alternatives(First, Findings.end());
  Findings.erase(First, Findings.end());
  for (Finding &Each : Alternatives)
    for (Finding &F : Findings)
      if (F.key() == Each.key()) {
        F.Instead.push_back(std::move(Each));
        break;
      }
}

void settleBeforeChoice(Report &R, const Profit &WhatPays,
                        const Options &Opts) {
  const size_t Alternatives = addAlternatives(R.Findings);
  WhatPays.judge(R);
  suppressByComments(R);
  holdBackHeaders(R, Opts);
  returnAlternatives(R.Findings, Alternatives);
}

void selectFindings(Report &R, const Options &Opts) {
  const HeaderScope Scope(R, Opts);
  auto Asked = [&](const Finding &F) {
    return (Opts.KernelGlobs.empty() || inKernels(F, Opts.KernelGlobs)) &&
           (Opts.Lines.empty() || inLines(F.Where, Opts.Lines));
  };
  auto Foreign = [&](const Finding &F) {
    return !Scope.isInput(F.Where.File) &&
           Scope.inProject(F.Where.File).empty();
  };
  erase_if(R.Findings, [&](const Finding &F) { return !Asked(F); });
  R.OutsideProject = count_if(R.Findings, Foreign);
  erase_if(R.Findings, Foreign);
}

} // namespace barricade
