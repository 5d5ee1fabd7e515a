// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Variants.h"
#include "tool/ApplyEdits.h"
#include "tool/InterruptWatch.h"
#include "tool/Paths.h"
#include "tool/Progress.h"
#include "tool/Reconcile.h"
#include "tool/RewrittenFileSystem.h"
#include "tool/RuleAtSetting.h"
#include "tool/Select.h"
#include "tool/Verification.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace barricade {
namespace {

/// Proved legal and possible here, whatever speaks against its profit.
bool isCandidate(const Finding &F) {
  auto IsFromCommand = [](const Reason &R) {
    return any_of(commandReasons(),
                  [&](const ReasonInfo &Info) { return Info.Id == R.Id; });
  };
  return F.Outcome != Verdict::Refused && !F.Edits.empty() &&
         standing(F) != Standing::Suppressed &&
         none_of(F.Reasons, IsFromCommand);
}

bool encloses(const Finding &Outer, const Finding &Inner) {
  return Outer.Where.File == Inner.Where.File &&
         Outer.Where.Offset < Inner.Where.Offset &&
         Inner.End.Offset <= Outer.End.Offset;
}

/// Where the byte at \p Offset lies once \p Edits are made.
unsigned offsetAfter(unsigned Offset, StringRef File, ArrayRef<Edit> Edits) {
  int64_t Moved = Offset;
  for (const Edit &E : Edits)
    if (E.File == File && E.Offset + E.Length <= Offset)
      Moved += int64_t(E.Text.size()) - E.Length;
  return Moved;
}

class VariantCollector {
public:
  VariantCollector(ArrayRef<InputFile> Files, const CommandSource &Commands,
                   const Options &Opts, ArrayRef<const Rule *> Rules,
                   bool ColorDiagnostics, raw_ostream &Err,
                   InterruptWatch &Watch,
                   function_ref<void(const Twine &)> OnInterrupted)
      : Files(Files), Commands(Commands), Opts(Opts), Err(Err),
        OnInterrupted(OnInterrupted) {
    // eval/run gives every build the runtime's folder.
    RuleOptions OfVariants = optionsWith(Opts.Rules, Rules);
    OfVariants.Header = RuntimeHeader::Include;
    for (const Rule *R : Rules)
      for (Setting &S : R->settings(OfVariants))
        Settings.push_back(std::make_unique<RuleAtSetting>(*R, std::move(S)));
    for (const auto &S : Settings)
      Analysis.Rules.push_back(S.get());
    Analysis.ColorDiagnostics = ColorDiagnostics;
    Analysis.Jobs = Opts.Jobs;
    Analysis.EndsRun = false;
    Analysis.Watch = &Watch;
    Analysis.OnInterrupted = [this] { tellHowFar(); };
  }

  Expected<VariantSet> run() {
    AnalysisOptions First = Analysis;
    if (Opts.Verify)
      Work.observe(First);
    Shown.emplace(Err, Files.size(), !Opts.Quiet);
    First.OnFileDone = [&](StringRef File) { Shown->done(File); };
    Set.Source = analyze(filesFor(Analysis.Rules), Commands, First);
    holdBackHeaders(Set.Source, Opts);
    selectFindings(Set.Source, Opts);
    findRoot();
    Set.Variants.emplace_back();
    Set.Variants.back().Id = "original";
    Singles = countSingles();
    Shown.emplace(Err, Singles, !Opts.Quiet);
    for (const auto &S : Settings)
      if (Error E = addSetting(*S))
        return std::move(E);
    Shown.reset();
    if (Analysis.Watch->isInterrupted())
      tellHowFar();
    linkControls();
    return std::move(Set);
  }

private:
  void tellHowFar() {
    Shown.reset();
    const std::string Done = Singles ? std::to_string(Tried) + " of " +
                                           std::to_string(Singles) +
                                           " rewrites were tried"
                                     : "not all files were read";
    OnInterrupted(Done + "; no variant was written");
  }

  size_t countSingles() const {
    size_t Result = 0;
    for (const auto &S : Settings)
      Result += count_if(S->findingsIn(Set.Source), isCandidate);
    return Result;
  }

  Error addSetting(const RuleAtSetting &S) {
    const std::vector<Finding> Findings = S.findingsIn(Set.Source);
    std::vector<Finding> Applied;
    for (const Finding &F : Findings) {
      if (isCandidate(F)) {
        if (Error E = add(VariantKind::Single, S, {F}))
          return E;
        ++Tried;
        Shown->done(displayPath(F.Where.File) + ", " + S.setting().Name);
      }
      if (standing(F) == Standing::Applies)
        Applied.push_back(F);
    }
    // A control leaves loops alone whose shape the barrier did not change.
    if (Applied.size() > 1 &&
        any_of(Applied, [](const Finding &F) { return !F.Edits.empty(); }))
      if (Error E = add(VariantKind::Together, S, std::move(Applied)))
        return E;
    return addNested(S, Findings);
  }

  Error addNested(const RuleAtSetting &S, ArrayRef<Finding> Findings) {
    for (const Finding &Outer : Findings) {
      std::vector<Finding> Within;
      copy_if(Findings, std::back_inserter(Within), [&](const Finding &Inner) {
        return isCandidate(Outer) && isCandidate(Inner) &&
               encloses(Outer, Inner);
      });
      if (!Within.empty())
        if (Error E = addWithin(S, Outer, Within))
          return E;
    }
    return Error::success();
  }

  /// Rewrites \p Outer, then proves each of \p Within anew in the text that
  /// results.
  Error addWithin(const RuleAtSetting &S, const Finding &Outer,
                  ArrayRef<Finding> Within) {
    Expected<Variant> V = make(VariantKind::Nested, S, {Outer});
    if (!V)
      return V.takeError();
    if (V->Rewrites.empty())
      return Error::success();
    AnalysisOptions Again = Analysis;
    Again.Rules = {&S};
    Again.FileSystem = [&] { return rewrittenFileSystem(V->Files); };
    AnalysisOptions First = Again;
    WorkByFile Before;
    if (Opts.Verify)
      Before.observe(First);
    const std::vector<Finding> Findings =
        S.findingsIn(analyze(filesFor(Again.Rules), Commands, First));
    for (const Finding &Inner : Within)
      if (const Finding *F = findMoved(Findings, Inner, Outer.Edits))
        if (Error E = addBoth(*V, Inner, *F, Again, Before))
          return E;
    return Error::success();
  }

  /// \p Inner among \p Findings, those after \p Edits; null if it is no more.
  static const Finding *findMoved(ArrayRef<Finding> Findings,
                                  const Finding &Inner, ArrayRef<Edit> Edits) {
    const unsigned Offset =
        offsetAfter(Inner.Where.Offset, Inner.Where.File, Edits);
    const auto *Found = find_if(Findings, [&](const Finding &F) {
      return F.Where.File == Inner.Where.File && F.Where.Offset == Offset &&
             isCandidate(F);
    });
    return Found == Findings.end() ? nullptr : Found;
  }

  /// Adds \p Both, where \p Inner is rewritten as well, as \p Anew says.
  Error addBoth(Variant Both, const Finding &Inner, const Finding &Anew,
                const AnalysisOptions &Analysis, const WorkByFile &Before) {
    Both.Rewrites.push_back(Inner);
    Both.Id = idOf(Both);
    if (Opts.Verify && !verifyIn(Both, Anew, Analysis, Before))
      return Error::success();
    if (Error E = changeAgain(Both, Anew.Edits))
      return E;
    Set.Variants.push_back(std::move(Both));
    return Error::success();
  }

  /// Whether \p F, found in the files of \p V by \p Analysis, stands the checks
  /// there. \p Before: what these files do.
  bool verifyIn(const Variant &V, const Finding &F,
                const AnalysisOptions &Analysis, const WorkByFile &Before) {
    Report Part;
    Part.Findings = {F};
    makeApply(Part.Findings);
    for (const ChangedFile &File : V.Files)
      Part.Texts.add(File.Path, File.New);
    return verify(Part, V, Analysis, Before);
  }

  static void makeApply(std::vector<Finding> &Findings) {
    for (Finding &F : Findings) {
      F.Outcome = Verdict::Rewrite;
      F.Reasons.clear();
    }
  }

  static Error changeAgain(Variant &V, ArrayRef<Edit> Edits) {
    for (ChangedFile &File : V.Files) {
      std::vector<Edit> Own;
      copy_if(Edits, std::back_inserter(Own),
              [&](const Edit &E) { return E.File == File.Path; });
      Expected<std::string> New = applyEdits(File.New, Own);
      if (!New)
        return New.takeError();
      File.New = std::move(*New);
    }
    return Error::success();
  }

  Error add(VariantKind Kind, const RuleAtSetting &S,
            std::vector<Finding> Rewrites) {
    Expected<Variant> V = make(Kind, S, std::move(Rewrites));
    if (!V)
      return V.takeError();
    if (!V->Rewrites.empty())
      Set.Variants.push_back(std::move(*V));
    return Error::success();
  }

  Expected<Variant> make(VariantKind Kind, const RuleAtSetting &S,
                         std::vector<Finding> Rewrites) {
    Variant V;
    V.Kind = Kind;
    V.Setting = S.setting().Name;
    V.ControlOf = S.setting().ControlOf;
    V.Rewrites = std::move(Rewrites);
    V.Id = idOf(V);
    Report Part;
    Part.Findings = V.Rewrites;
    makeApply(Part.Findings);
    Part.Texts = Set.Source.Texts;
    Error Failure = Error::success();
    // Settings have rules of their own, which know no others' findings.
    if (Opts.Verify && !verify(Part, V, Analysis, Work))
      V.Rewrites.clear();
    V.Files = changedFiles(Part, [&](Error E) {
      Failure = joinErrors(std::move(Failure), std::move(E));
    });
    if (Failure)
      return std::move(Failure);
    return std::move(V);
  }

  /// Whether all findings of \p Part, the report of \p V, stand the checks. One
  /// that does not is told of.
  bool verify(Report &Part, const Variant &V, const AnalysisOptions &Analysis,
              const WorkByFile &Before) {
    Part.Files = Set.Source.Files;
    verifyRewrites(Part, filesFor({}), Commands, Analysis, Before);
    const auto Held = find_if(Part.Findings, [](const Finding &F) {
      return standing(F) != Standing::Applies;
    });
    if (Held == Part.Findings.end())
      return true;
    Set.Withdrawn.push_back({V.Id, Held->Reasons.back().Text});
    return false;
  }

  /// `align.43+45-k4`: the places, the setting.
  std::string idOf(const Variant &V) const {
    std::string Where;
    for (const Finding &F : V.Rewrites) {
      if (!Where.empty() && V.Kind == VariantKind::Together)
        continue;
      Where += Where.empty() ? stemOf(F.Where.File) + "." : "+";
      Where +=
          V.Kind == VariantKind::Together ? V.Rewrites.front().Rule : lineOf(F);
    }
    return Where + "-" + V.Setting;
  }

  /// The line; the column, too, where another finding starts on it.
  std::string lineOf(const Finding &F) const {
    bool Shared = any_of(Set.Source.Findings, [&](const Finding &Other) {
      return Other.Where.File == F.Where.File &&
             Other.Where.Line == F.Where.Line &&
             Other.Where.Column != F.Where.Column;
    });
    std::string Result = std::to_string(F.Where.Line);
    return Shared ? Result + "." + std::to_string(F.Where.Column) : Result;
  }

  /// The file's name without its ending; its path where two share a name.
  std::string stemOf(StringRef Path) const {
    StringRef Stem = sys::path::stem(Path);
    StringSet<> Same;
    for (const Finding &F : Set.Source.Findings)
      if (sys::path::stem(F.Where.File) == Stem)
        Same.insert(F.Where.File);
    std::string Name = Stem.str();
    if (Same.size() > 1)
      Name = pathBelow(Path, Set.Root).str();
    for (char &C : Name)
      if (!isAlnum(C) && C != '_' && C != '-')
        C = '_';
    return Name;
  }

  /// Controls name the variant they belong to; those of what is no variant go.
  void linkControls() {
    StringSet<> Ids;
    for (const Variant &V : Set.Variants)
      Ids.insert(V.Id);
    erase_if(Set.Variants, [&](Variant &V) {
      if (V.ControlOf.empty())
        return false;
      StringRef Base = V.Id;
      Base.consume_back(V.Setting);
      V.ControlOf = (Base + V.ControlOf).str();
      return !Ids.contains(V.ControlOf);
    });
  }

  /// The project of all inputs, or the folder that holds all of them.
  void findRoot() {
    for (const FileReport &File : Set.Source.Files) {
      std::string Own = Opts.ProjectRoot.empty()
                            ? projectRoot(File.Path)
                            : canonicalPath(Opts.ProjectRoot);
      if (Set.Root.empty())
        Set.Root = Own;
      while (pathBelow(File.Path, Set.Root).empty() && Set.Root != "/")
        Set.Root = sys::path::parent_path(Set.Root).str();
    }
  }

  /// The run's files, to be judged by \p Rules.
  std::vector<InputFile> filesFor(ArrayRef<const Rule *> Rules) const {
    std::vector<InputFile> Result(Files.begin(), Files.end());
    for (InputFile &File : Result)
      File.Rules = Rules.vec();
    return Result;
  }

  ArrayRef<InputFile> Files;
  const CommandSource &Commands;
  const Options &Opts;
  raw_ostream &Err; ///< Of the progress.
  std::optional<Progress> Shown;
  size_t Singles = 0, Tried = 0; ///< Rewrites by themselves.
  function_ref<void(const Twine &)> OnInterrupted;
  std::vector<std::unique_ptr<RuleAtSetting>> Settings;
  AnalysisOptions Analysis;
  WorkByFile Work;
  VariantSet Set;
};

} // namespace

Expected<VariantSet>
collectVariants(ArrayRef<InputFile> Files, const CommandSource &Commands,
                const Options &Opts, ArrayRef<const Rule *> Rules,
                bool ColorDiagnostics, raw_ostream &Err, InterruptWatch &Watch,
                function_ref<void(const Twine &)> OnInterrupted) {
  return VariantCollector(Files, Commands, Opts, Rules, ColorDiagnostics, Err,
                          Watch, OnInterrupted)
      .run();
}

} // namespace barricade
