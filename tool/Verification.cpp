// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Verification.h"
#include "frontend/Parse.h"
#include "tool/ApplyEdits.h"
#include "tool/Paths.h"
#include "tool/RewrittenFileSystem.h"
#include "tool/Suppress.h"
#include "verify/RewrittenText.h"
#include "verify/Suspicions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>
#include <numeric>
#include <set>

using namespace llvm;

namespace barricade {
namespace {

/// What is wrong with the rewritten program.
struct Failure {
  std::string Text;    ///< Goes on from "the rewritten program ".
  std::string File;    ///< Canonical; empty: not known where.
  unsigned Offset = 0; ///< In the rewritten file.
  Owners Suspects;     ///< Whose edits must go; never empty.
};

/// The edits that apply to a file, in the order in which they are made.
std::vector<OwnedEdit> ownedEdits(ArrayRef<Finding> Findings,
                                  ArrayRef<AskedEdits> OfFile) {
  std::vector<Edit> Plain;
  for (const AskedEdits &Asked : OfFile)
    Plain.push_back(Findings[Asked.front().Finding].Edits[Asked.front().Edit]);
  std::vector<size_t> Order(Plain.size());
  std::iota(Order.begin(), Order.end(), 0);
  sortForApplying(Order, Plain);
  std::vector<OwnedEdit> Result;
  for (size_t I : Order) {
    OwnedEdit &New = Result.emplace_back(
        OwnedEdit{Plain[I].Offset, Plain[I].Length, Plain[I].Text, {}});
    for (const AskedEdit &Each : OfFile[I])
      New.By.push_back(Each.Finding);
  }
  return Result;
}

/// One look at the program as the findings that apply would leave it.
class Inspection {
public:
  Inspection(const Report &R, ArrayRef<InputFile> Files,
             const CommandSource &Commands, const AnalysisOptions &Analysis,
             ArrayRef<ChangedFile> Changed)
      : R(R), Commands(Commands), Analysis(Analysis), Changed(Changed) {
    for (const auto &[Path, OfFile] : askedEdits(R.Findings))
      if (const std::string *Old = R.Texts.find(Path))
        Rewritten.try_emplace(Path, *Old, ownedEdits(R.Findings, OfFile));
    for (const auto &[Input, Seen] : zip_equal(Files, R.Files))
      if (isConcerned(Seen))
        Concerned.push_back(Input);
  }

  std::vector<Failure> run(const WorkByFile &WorkBefore) {
    AnalysisOptions Again = optionsFor(New);
    Again.FileSystem = [&] {
      return rewrittenFileSystem(
          Changed, Analysis.FileSystem ? Analysis.FileSystem()
                                       : IntrusiveRefCntPtr<vfs::FileSystem>());
    };
    Again.ExtraArgs = runtimeHeaderArgs();
    Report After = analyze(Concerned, Commands, Again);
    checkParsed(After);
    checkSuspicions();
    checkWork(WorkBefore);
    checkWarnings();
    checkStable(After);
    return std::move(Failures);
  }

  /// Where \p F is, for the user, who has only the old file at hand.
  std::string placeText(const Failure &F) const {
    auto It = Rewritten.find(F.File);
    if (It == Rewritten.end())
      return {};
    auto [Line, Column] = It->second.lineAndColumn(F.Offset);
    return " (" + displayPath(F.File) + ":" + std::to_string(Line) + ":" +
           std::to_string(Column) + " of what would be written)";
  }

private:
  /// By place: the first of those of a suspicion that is in the user's code.
  struct Seen {
    Suspicion What;
    std::string File; ///< Canonical.
    unsigned Line, Column;
  };
  /// What an analysis shows beside findings.
  struct Sight {
    std::vector<Seen> Suspicious;
    std::vector<SourceError> Warnings;
    StringMap<std::vector<UnitWork>> Work; ///< By the file's name.
    bool HasFatalWarnings = false;
  };

  bool isConcerned(const FileReport &File) const {
    return any_of(Changed, [&](const ChangedFile &C) {
      return C.Path == File.Path || is_contained(File.UserFiles, C.Path);
    });
  }

  /// How to analyse anew; what shows goes to \p Into.
  AnalysisOptions optionsFor(Sight &Into) {
    AnalysisOptions Again = Analysis;
    Again.Cache = nullptr;
    Again.Index = nullptr;     // It knows the units as they were.
    Again.Preambles = nullptr; // They hold texts as they were.
    Again.DeviceIR = true;
    Again.FatalWarnings = true;
    Again.OnUnit = [this,
                    &Into](const InputFile &File, const TranslationUnit &Unit,
                           const Program &P) { collect(File, Unit, P, Into); };
    return Again;
  }

  void collect(const InputFile &File, const TranslationUnit &Unit,
               const Program &P, Sight &Into) {
    UnitWork Work = workOf(P);
    std::vector<Seen> Found;
    for (const auto &Pass : Unit.Passes)
      if (Module *M = Pass->deviceIR())
        for (Suspicion &S : suspicionsIn(*M, Unit.Command.Facts.Restrict))
          keepPlace(std::move(S), Unit, Found);
    std::lock_guard<std::mutex> Guard(Lock);
    Into.Work[File.Name].push_back(std::move(Work));
    append_range(Into.Suspicious, std::move(Found));
    copy_if(Unit.Warnings, std::back_inserter(Into.Warnings),
            [&](const SourceError &W) {
              return !Unit.Command.HostWarns || !isOfStep(W);
            });
    Into.HasFatalWarnings |= Unit.Command.WarningsAreErrors;
  }

  void keepPlace(Suspicion S, const TranslationUnit &Unit,
                 std::vector<Seen> &Into) const {
    for (const CodePlace &Place : S.Where) {
      std::string Path = canonicalPath(Place.File);
      if (isOwnHeader(Path) || !isUserFile(Path, Unit))
        continue;
      const unsigned Line = Place.Line, Column = Place.Column;
      Into.push_back({std::move(S), std::move(Path), Line, Column});
      return;
    }
  }

  static bool isOwnHeader(StringRef Path) {
    return Path.ends_with("/barricade/gpu_sync.cuh");
  }
  bool isUserFile(StringRef Path, const TranslationUnit &Unit) const {
    return Rewritten.contains(Path) || is_contained(Unit.Files.Paths, Path) ||
           any_of(Unit.Files.Paths, [&](StringRef Known) {
             return canonicalPath(Known) == Path;
           });
  }

  void fail(std::string Text, StringRef File, unsigned Offset,
            ArrayRef<size_t> Suspects) {
    Failure New{std::move(Text), File.str(), Offset,
                Owners(Suspects.begin(), Suspects.end())};
    // Where nobody is known, nobody is above suspicion.
    if (New.Suspects.empty())
      for (const auto &[At, F] : enumerate(R.Findings))
        if (standing(F) == Standing::Applies)
          New.Suspects.push_back(At);
    Failures.push_back(std::move(New));
  }

  //===--- It compiles ---===//

  void checkParsed(const Report &After) {
    for (const FileReport &File : After.Files) {
      if (File.Outcome == FileReport::State::Analysed)
        continue;
      std::string Text = "does not compile";
      if (!File.FirstError) {
        fail(Text + ": " + (File.Error.empty() ? "see above" : File.Error), {},
             0, {});
        continue;
      }
      const Place &Where = File.FirstError->Where;
      failNear(Text + ": " + File.FirstError->Text, Where.File, Where.Offset);
    }
  }

  //===--- It synchronises ---===//

  static StringRef describe(Suspicion::Kind Kind) {
    switch (Kind) {
    case Suspicion::Kind::DivergentBarrier:
      return "has a block barrier that only some threads of a block may come "
             "to";
    case Suspicion::Kind::PartedGrid:
      return "has a grid barrier that only some threads of a grid may come to";
    case Suspicion::Kind::StaleLoad:
      return "may load through a read-only path what the same launch writes";
    case Suspicion::Kind::EarlyAccess:
      return "may touch memory before the grid before has ended";
    }
    llvm_unreachable("unknown kind");
  }

  void checkSuspicions() {
    std::vector<const Seen *> Old; // In text that was there before.
    for (const Seen &S : New.Suspicious) {
      auto It = Rewritten.find(S.File);
      if (It == Rewritten.end()) {
        Old.push_back(&S);
        continue;
      }
      const unsigned Offset = It->second.offsetOf(S.Line, S.Column);
      if (auto By = It->second.ownersAt(Offset); !By.empty())
        fail(describe(S.What.What).str(), S.File, Offset, By);
      else
        Old.push_back(&S);
    }
    if (Old.empty())
      return;
    // Perhaps the program was like that before.
    std::set<OldPlace> Known;
    for (const Seen &S : original().Suspicious)
      Known.insert({S.What.What, S.File, offsetBefore(S)});
    for (const Seen *S : Old)
      checkOld(*S, Known);
  }

  using OldPlace = std::tuple<Suspicion::Kind, std::string, unsigned>;

  /// The program as it is, looked at in the same way.
  Sight &original() {
    if (Before)
      return *Before;
    Before.emplace();
    AnalysisOptions Options = optionsFor(*Before);
    std::vector<InputFile> Unjudged = Concerned;
    for (InputFile &File : Unjudged)
      File.Rules.clear();
    (void)analyze(Unjudged, Commands, Options);
    return *Before;
  }

  unsigned offsetBefore(const Seen &S) const {
    const std::string *Text = R.Texts.find(S.File);
    return Text ? RewrittenFile(*Text, {}).offsetOf(S.Line, S.Column)
                : encode(S);
  }
  /// Of a file that does not change, the place itself.
  static unsigned encode(const Seen &S) { return S.Line << 12 | S.Column; }

  void checkOld(const Seen &S, const std::set<OldPlace> &Known) {
    auto It = Rewritten.find(S.File);
    if (It == Rewritten.end()) {
      if (!Known.contains({S.What.What, S.File, offsetBefore(S)}))
        fail(describe(S.What.What).str(), S.File, 0, ownersOfCalls(S.What));
      return;
    }
    const unsigned Offset = It->second.offsetOf(S.Line, S.Column);
    if (Known.contains(
            {S.What.What, S.File, It->second.oldOffset(Offset).value_or(0)}))
      return;
    Owners By = ownersOfCalls(S.What);
    if (By.empty())
      By.append(It->second.ownersNear(Offset).begin(),
                It->second.ownersNear(Offset).end());
    fail(describe(S.What.What).str(), S.File, Offset, By);
  }

  /// Who wrote a call that leads there.
  Owners ownersOfCalls(const Suspicion &S) const {
    Owners Result;
    for (const CodePlace &Place : S.Where)
      if (auto It = Rewritten.find(canonicalPath(Place.File));
          It != Rewritten.end())
        for (size_t By :
             It->second.ownersAt(It->second.offsetOf(Place.Line, Place.Column)))
          if (!is_contained(Result, By))
            Result.push_back(By);
    return Result;
  }

  //===--- It does its work ---===//

  void checkWork(const WorkByFile &Known) {
    for (const InputFile &File : Concerned) {
      const std::vector<UnitWork> *Units = Known.find(File.Name);
      if (!Units)
        Units = &original().Work[File.Name];
      const std::vector<UnitWork> &After = New.Work[File.Name];
      if (Units->size() != After.size()) {
        if (Failures.empty()) // otherwise checkParsed() has said why
          fail("cannot be compared with what " + File.Name + " does today", {},
               0, {});
        continue;
      }
      for (const auto &[Old, Now] : zip_equal(*Units, After))
        for (const LostWork &Lost : findLostWork(Old, Now))
          failNear(Lost.Text, Lost.Where.File, Lost.Where.Offset);
    }
  }

  void failNear(std::string Text, StringRef File, unsigned Offset) {
    auto It = Rewritten.find(File);
    fail(std::move(Text), File, Offset,
         It == Rewritten.end() ? ArrayRef<size_t>()
                               : It->second.ownersNear(Offset));
  }

  //===--- It brings no warnings ---===//

  void checkWarnings() {
    if (!New.HasFatalWarnings || New.Warnings.empty())
      return;
    // Places move, and what one warning says may stand at several.
    StringMap<int> Allowed;
    for (const SourceError &W : original().Warnings)
      ++Allowed[W.Message];
    for (const SourceError &W : New.Warnings)
      if (--Allowed[W.Message] < 0)
        failNear("has a new warning, which this build treats as an error: " +
                     W.Message,
                 canonicalPath(W.File), W.Offset);
  }

  /// A step's parameter shadows a built-in variable, as it is meant to.
  bool isOfStep(const SourceError &Warning) const {
    auto It = Rewritten.find(canonicalPath(Warning.File));
    if (It == Rewritten.end() || It->second.ownersAt(Warning.Offset).empty() ||
        !StringRef(Warning.Message).starts_with("declaration shadows"))
      return false;
    const StringRef Text = It->second.text().substr(Warning.Offset);
    return any_of(
        ArrayRef<StringRef>{"blockIdx", "gridDim", "threadIdx", "blockDim"},
        [&](StringRef Name) { return Text.starts_with(Name); });
  }

  //===--- It is stable ---===//

  void checkStable(Report &After) {
    suppressByComments(After);
    for (const Finding &F : After.Findings) {
      if (standing(F) != Standing::Applies)
        continue;
      const Owners By = rewritersOf(F);
      if (!By.empty() || (wasLeftAlone(F) && !takesInWhatWasWritten(F)))
        fail("would be rewritten once more by " + F.Rule, F.Where.File,
             F.Where.Offset, By);
    }
  }

  /// Whose edits \p F, of the rewritten program, says the same of once more.
  Owners rewritersOf(const Finding &F) const {
    Owners Result;
    auto It = Rewritten.find(F.Where.File);
    if (It == Rewritten.end())
      return Result;
    for (size_t By : It->second.ownersAt(F.Where.Offset))
      if (R.Findings[By].Rule == F.Rule)
        Result.push_back(By);
    const std::optional<unsigned> Old = offsetBefore(F);
    for (const auto &[At, Known] : enumerate(R.Findings))
      if (standing(Known) == Standing::Applies && isSame(F, Old, Known))
        Result.push_back(At);
    return Result;
  }

  /// Its rule had nothing to do there: somebody's edits changed its mind.
  bool wasLeftAlone(const Finding &F) const {
    const std::optional<unsigned> Old = offsetBefore(F);
    return any_of(R.Findings, [&](const Finding &Known) {
      return Known.Outcome != Verdict::Rewrite && !hasGivenWay(Known) &&
             isSame(F, Old, Known);
    });
  }

  /// It could have been rewritten, if another rule had not come first.
  static bool hasGivenWay(const Finding &Known) {
    return any_of(Known.Reasons,
                  [](const Reason &Why) { return Why.Id == "other-rule"; });
  }

  /// It was not there to be left alone: part of what \p F changes is new, as
  /// the second launch of a kernel that was cut in two.
  bool takesInWhatWasWritten(const Finding &F) const {
    return any_of(F.Edits, [&](const Edit &E) {
      auto It = Rewritten.find(E.File);
      if (It == Rewritten.end())
        return false;
      for (unsigned At = E.Offset; At < E.Offset + E.Length; ++At)
        if (!It->second.ownersAt(At).empty())
          return true;
      return false;
    });
  }

  /// Where \p F, of the rewritten program, was; nothing, if that is new.
  std::optional<unsigned> offsetBefore(const Finding &F) const {
    auto It = Rewritten.find(F.Where.File);
    return It == Rewritten.end() ? F.Where.Offset
                                 : It->second.oldOffset(F.Where.Offset);
  }

  /// Whether \p Now, which was at \p Old, is what \p Known was before.
  static bool isSame(const Finding &Now, std::optional<unsigned> Old,
                     const Finding &Known) {
    return Old == Known.Where.Offset && Now.Rule == Known.Rule &&
           Now.Where.File == Known.Where.File;
  }

  const Report &R;
  const CommandSource &Commands;
  const AnalysisOptions &Analysis;
  ArrayRef<ChangedFile> Changed;
  RewrittenFiles Rewritten;
  std::vector<InputFile> Concerned;
  std::mutex Lock; ///< Of what analyses show.
  Sight New;
  std::optional<Sight> Before; ///< Once somebody asked.
  std::vector<Failure> Failures;
};

/// Holds back \p Suspect and whatever would make the same change.
void withdraw(Report &R, size_t Suspect, const std::string &Text) {
  const std::vector<Edit> Edits = R.Findings[Suspect].Edits;
  for (Finding &F : R.Findings)
    if (standing(F) == Standing::Applies && F.Edits == Edits)
      F.Reasons.push_back({"not-verified", F.Where, Text, {}});
}

} // namespace

struct WorkByFile::State {
  std::mutex Lock;
  StringMap<std::vector<UnitWork>> Work;
};

WorkByFile::WorkByFile() : S(std::make_unique<State>()) {}
WorkByFile::~WorkByFile() = default;

void WorkByFile::observe(AnalysisOptions &Analysis) {
  Analysis.OnUnit = [this](const InputFile &File, const TranslationUnit &,
                           const Program &P) {
    UnitWork Work = workOf(P);
    std::lock_guard<std::mutex> Guard(S->Lock);
    S->Work[File.Name].push_back(std::move(Work));
  };
}

const std::vector<UnitWork> *WorkByFile::find(StringRef Name) const {
  auto It = S->Work.find(Name);
  return It == S->Work.end() ? nullptr : &It->second;
}

void verifyRewrites(Report &R, ArrayRef<InputFile> Files,
                    const CommandSource &Commands,
                    const AnalysisOptions &Analysis, const WorkByFile &Before) {
  while (true) {
    // Files that cannot be edited are told of when the changes are made.
    const std::vector<ChangedFile> Changed =
        changedFiles(R, [](Error E) { consumeError(std::move(E)); });
    if (Changed.empty())
      return;
    Inspection Look(R, Files, Commands, Analysis, Changed);
    const std::vector<Failure> Failures = Look.run(Before);
    if (Failures.empty())
      return;
    for (const Failure &F : Failures)
      for (size_t Suspect : F.Suspects)
        withdraw(R, Suspect,
                 "the rewritten program " + F.Text + Look.placeText(F));
  }
}

} // namespace barricade
