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
#include <set>

using namespace llvm;

namespace barricade {
namespace {

/// What is wrong with the rewritten program.
struct Failure {
  std::string Text; ///< Goes on from "the rewritten program ".
  std::string File; ///< Canonical; empty: not known where.
  unsigned Offset = 0; ///< In the rewritten file.
  Owners Suspects;     ///< Whose edits must go; never empty.
};

/// The edits that apply to a file, in the order in which they are made.
std::vector<OwnedEdit> ownedEdits(ArrayRef<Finding> Findings,
                                  ArrayRef<AskedEdits> OfFile) {
  std::vector<Edit> Plain;
  for (const AskedEdits &Asked : OfFile)
    Plain.push_back(
        Findings[Asked.front().Finding].Edits[Asked.front().Edit]);
  std::vector<size_t> Order(Plain.size());
  for (size_t I = 0; I < Order.size(); ++I)
    Order[I] = I;
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

  std::vector<Failure> run() {
    AnalysisOptions Again = optionsFor(Suspicious);
    Again.FileSystem = [&] { return rewrittenFileSystem(Changed); };
    Again.ExtraArgs = runtimeHeaderArgs();
    Report After = analyze(Concerned, Commands, Again);
    checkParsed(After);
    checkSuspicions();
    checkStable(After);
    return std::move(Failures);
  }

private:
  /// By place: the first of those of a suspicion that is in the user's code.
  struct Seen {
    Suspicion What;
    std::string File; ///< Canonical.
    unsigned Line, Column;
  };
  using SeenList = std::vector<Seen>;

  bool isConcerned(const FileReport &File) const {
    return any_of(Changed, [&](const ChangedFile &C) {
      return C.Path == File.Path || is_contained(File.UserFiles, C.Path);
    });
  }

  /// How to analyse anew, with what the IR shows going to \p Into.
  AnalysisOptions optionsFor(SeenList &Into) {
    AnalysisOptions Again = Analysis;
    Again.Cache = nullptr;
    Again.Preambles = nullptr;
    Again.OnFileDone = nullptr;
    Again.DeviceIR = true;
    Again.OnUnit = [this, &Into](const InputFile &,
                                 const TranslationUnit &Unit) {
      for (const auto &Pass : Unit.Passes)
        if (Module *M = Pass->deviceIR())
          collect(suspicionsIn(*M, Unit.Command.Facts.Restrict), Unit, Into);
    };
    return Again;
  }

  void collect(std::vector<Suspicion> Found, const TranslationUnit &Unit,
               SeenList &Into) {
    std::lock_guard<std::mutex> Guard(Lock);
    for (Suspicion &S : Found)
      for (const CodePlace &Place : S.Where) {
        std::string Path = canonicalPath(Place.File);
        if (isOwnHeader(Path) || !isUserFile(Path, Unit))
          continue;
        Into.push_back({S, std::move(Path), Place.Line, Place.Column});
        break;
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

  //===--- It compiles -----------------------------------------------------===//

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
      Text += ": " + File.FirstError->Text;
      auto It = Rewritten.find(Where.File);
      fail(std::move(Text), Where.File, Where.Offset,
           It == Rewritten.end() ? ArrayRef<size_t>()
                                 : It->second.ownersNear(Where.Offset));
    }
  }

  //===--- It synchronises -------------------------------------------------===//

  static StringRef describe(Suspicion::Kind Kind) {
    switch (Kind) {
    case Suspicion::Kind::DivergentBarrier:
      return "has a block barrier that only some threads of a block may come to";
    case Suspicion::Kind::StaleLoad:
      return "may load through a read-only path what the same launch writes";
    }
    llvm_unreachable("unknown kind");
  }

  void checkSuspicions() {
    std::vector<const Seen *> Old; // In text that was there before.
    for (const Seen &S : Suspicious) {
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
    findOriginalSuspicions();
    for (const Seen *S : Old)
      checkOld(*S);
  }

  using OldPlace = std::tuple<Suspicion::Kind, std::string, unsigned>;

  void findOriginalSuspicions() {
    SeenList Found;
    AnalysisOptions Before = optionsFor(Found);
    Before.FileSystem = Analysis.FileSystem;
    std::vector<InputFile> Unjudged = Concerned;
    for (InputFile &File : Unjudged)
      File.Rules.clear();
    (void)analyze(Unjudged, Commands, Before);
    for (const Seen &S : Found)
      Before_.insert({S.What.What, S.File, offsetBefore(S)});
  }

  unsigned offsetBefore(const Seen &S) const {
    const std::string *Text = R.Texts.find(S.File);
    return Text ? RewrittenFile(*Text, {}).offsetOf(S.Line, S.Column)
                : encode(S);
  }
  /// Of a file that does not change, the place itself.
  static unsigned encode(const Seen &S) { return S.Line << 12 | S.Column; }

  void checkOld(const Seen &S) {
    auto It = Rewritten.find(S.File);
    if (It == Rewritten.end()) {
      if (!Before_.contains({S.What.What, S.File, offsetBefore(S)}))
        fail(describe(S.What.What).str(), S.File, 0, ownersOfCalls(S.What));
      return;
    }
    const unsigned Offset = It->second.offsetOf(S.Line, S.Column);
    if (Before_.contains(
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
        for (size_t By : It->second.ownersAt(
                 It->second.offsetOf(Place.Line, Place.Column)))
          if (!is_contained(Result, By))
            Result.push_back(By);
    return Result;
  }

  //===--- It is stable ----------------------------------------------------===//

  void checkStable(Report &After) {
    suppressByComments(After);
    for (const Finding &F : After.Findings) {
      auto It = Rewritten.find(F.Where.File);
      if (standing(F) != Standing::Applies || It == Rewritten.end())
        continue;
      Owners Same;
      for (size_t By : It->second.ownersAt(F.Where.Offset))
        if (R.Findings[By].Rule == F.Rule)
          Same.push_back(By);
      if (auto Old = It->second.oldOffset(F.Where.Offset))
        for (const auto &[At, Known] : enumerate(R.Findings))
          if (standing(Known) == Standing::Applies && Known.Rule == F.Rule &&
              Known.Where.File == F.Where.File && Known.Where.Offset == *Old)
            Same.push_back(At);
      if (!Same.empty())
        fail("would be rewritten once more by " + F.Rule, F.Where.File,
             F.Where.Offset, Same);
    }
  }

  const Report &R;
  const CommandSource &Commands;
  const AnalysisOptions &Analysis;
  ArrayRef<ChangedFile> Changed;
  RewrittenFiles Rewritten;
  std::vector<InputFile> Concerned;
  std::mutex Lock; ///< Of what OnUnit writes.
  SeenList Suspicious;
  std::set<OldPlace> Before_;
  std::vector<Failure> Failures;

public:
  /// Where \p F is, for the user, who has only the old file at hand.
  std::string placeText(const Failure &F) const {
    auto It = Rewritten.find(F.File);
    if (It == Rewritten.end())
      return {};
    auto [Line, Column] = It->second.lineAndColumn(F.Offset);
    return " (" + displayPath(F.File) + ":" + std::to_string(Line) + ":" +
           std::to_string(Column) + " of what would be written)";
  }
};

/// Holds back \p Suspect and whatever would make the same change.
void withdraw(Report &R, size_t Suspect, const std::string &Text) {
  const std::vector<Edit> Edits = R.Findings[Suspect].Edits;
  for (Finding &F : R.Findings)
    if (standing(F) == Standing::Applies && F.Edits == Edits)
      F.Reasons.push_back({"not-verified", F.Where, Text, {}});
}

} // namespace

void verifyRewrites(Report &R, ArrayRef<InputFile> Files,
                    const CommandSource &Commands,
                    const AnalysisOptions &Analysis) {
  while (true) {
    // Files that cannot be edited are told of when the changes are made.
    const std::vector<ChangedFile> Changed =
        changedFiles(R, [](Error E) { consumeError(std::move(E)); });
    if (Changed.empty())
      return;
    Inspection Look(R, Files, Commands, Analysis, Changed);
    const std::vector<Failure> Failures = Look.run();
    if (Failures.empty())
      return;
    for (const Failure &F : Failures)
      for (size_t Suspect : F.Suspects)
        withdraw(R, Suspect,
                 "the rewritten program " + F.Text + Look.placeText(F));
  }
}

} // namespace barricade
