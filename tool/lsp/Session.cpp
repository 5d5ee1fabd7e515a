// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/lsp/Session.h"
#include "tool/CrashGuard.h"
#include "tool/FormatEdits.h"
#include "tool/Paths.h"
#include "tool/Reconcile.h"
#include "tool/Select.h"
#include "tool/Verification.h"
#include "clang/Basic/Stack.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace barricade::lsp {

/// Long enough for the changes that one action of an editor makes, short
/// beside an analysis.
static constexpr std::chrono::milliseconds Pause(30);

Session::Session(Settings &PerFile, ArrayRef<std::unique_ptr<Rule>> Rules,
                 std::function<void(const Analysis &)> Publish,
                 std::function<void(StringRef)> Working)
    : PerFile(PerFile), Rules(Rules), Publish(std::move(Publish)),
      Working(std::move(Working)),
      Thread(std::optional<unsigned>(clang::DesiredStackSize),
             [this] { work(); }) {}

Session::~Session() {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Stopping = true;
  }
  Changed.notify_one();
  Thread.join();
}

//===--- What the editor tells --------------------------------------------===//

void Session::touch(Entry &E, Clock::duration Delay) {
  E.OutOfDate = true;
  E.Due = Clock::now() + Delay;
  Changed.notify_one();
}

void Session::open(llvm::lsp::URIForFile Uri, int64_t Version,
                   std::string Text) {
  std::string Path = canonicalPath(Uri.file());
  std::lock_guard<std::mutex> Guard(Lock);
  Entry &E = Entries[Path];
  E.Now = {std::move(Uri), Path, Version, ++LastStamp,
           std::make_shared<std::string>(std::move(Text))};
  if (!E.Preambles)
    E.Preambles = std::make_shared<PreambleCache>();
  FilesOutOfDate = true;
  touch(E, Clock::duration::zero());
}

Error Session::change(
    StringRef File, int64_t Version,
    ArrayRef<llvm::lsp::TextDocumentContentChangeEvent> Changes) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto It = Entries.find(canonicalPath(File));
  if (It == Entries.end())
    return createStringError("'" + File + "' changed, but is not open");
  Entry &E = It->second;
  Expected<std::string> Text = applyChanges(*E.Now.Text, Changes);
  if (!Text) {
    refuse(E, "the document is out of step with the editor's");
    Entries.erase(It);
    return Text.takeError();
  }
  E.Now.Version = Version;
  E.Now.Stamp = ++LastStamp;
  E.Now.Text = std::make_shared<std::string>(std::move(*Text));
  touch(E, Pause);
  // Sources that include it say something else now, too.
  for (auto &[Path, Other] : Entries)
    if (Other.Last &&
        is_contained(Other.Last->Found.Files.front().UserFiles, E.Now.Path))
      touch(Other, Pause);
  return Error::success();
}

void Session::close(StringRef File, function_ref<void()> Done) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto It = Entries.find(canonicalPath(File));
  if (It == Entries.end())
    return;
  refuse(It->second, "the document was closed");
  // From now on it is as it is on the disk.
  if (auto Known = Sources.find(It->first); Known != Sources.end())
    Known->second.OutOfDate = true;
  Entries.erase(It);
  Done();
  Changed.notify_one();
}

void Session::filesChanged(StringRef File) {
  std::lock_guard<std::mutex> Guard(Lock);
  FilesOutOfDate = true;
  for (auto &[Path, E] : Entries)
    touch(E, Pause);
  sourcesChanged(File.empty() ? "" : canonicalPath(File));
  Changed.notify_one();
}

void Session::ask(StringRef File, json::Value Id, bool Verified, Question Q) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto It = Entries.find(canonicalPath(File));
  if (It == Entries.end())
    return Q(make_error<llvm::lsp::LSPError>(
        "the document is not open", llvm::lsp::ErrorCode::InvalidParams));
  It->second.Questions.push_back({std::move(Id), Verified, std::move(Q)});
  Changed.notify_one();
}

void Session::cancel(const json::Value &Id) {
  std::lock_guard<std::mutex> Guard(Lock);
  for (auto &[Path, E] : Entries)
    for (auto It = E.Questions.begin(); It != E.Questions.end(); ++It)
      if (It->Id == Id) {
        It->Q(make_error<llvm::lsp::LSPError>(
            "cancelled", llvm::lsp::ErrorCode::RequestCancelled));
        E.Questions.erase(It);
        return;
      }
  cancelSurvey(Id);
}

void Session::refuse(Entry &E, StringRef Why) {
  for (Waiting &W : E.Questions)
    W.Q(make_error<llvm::lsp::LSPError>(Why.str(),
                                        llvm::lsp::ErrorCode::ContentModified));
  E.Questions.clear();
}

//===--- The thread -------------------------------------------------------===//

void Session::work() {
  std::unique_lock<std::mutex> Guard(Lock);
  while (true) {
    Entry *E = next(Guard);
    if (Stopping)
      return;
    if (!E) {
      surveyFurther(Guard);
      continue;
    }
    if (E->OutOfDate) {
      bringUpToDate(*E, Guard);
      continue;
    }
    // Only who asks what can be done waits for the verification.
    if (!E->Last->Verified &&
        any_of(E->Questions, [](const Waiting &W) { return W.Verified; })) {
      verify(*E, Guard);
      continue;
    }
    std::vector<Waiting> Questions = std::exchange(E->Questions, {});
    std::shared_ptr<const Analysis> Last = E->Last;
    for (Waiting &W : Questions)
      W.Q(*Last);
  }
}

/// Waits for the document that is to be looked at first; null at the end, and
/// where there is time for the workspace.
Session::Entry *Session::next(std::unique_lock<std::mutex> &Guard) {
  while (!Stopping) {
    Entry *First = nullptr;
    for (auto &[Path, E] : Entries) {
      // Somebody waits for the answer: no pause.
      if (!E.Questions.empty())
        return &E;
      if (E.OutOfDate && (!First || E.Due < First->Due))
        First = &E;
    }
    if (!First && hasSurveyWork())
      return nullptr;
    if (!First)
      Changed.wait(Guard);
    else if (First->Due <= Clock::now())
      return First;
    else
      Changed.wait_until(Guard, First->Due);
  }
  return nullptr;
}

std::shared_ptr<const Documents> Session::snapshot() const {
  auto Result = std::make_shared<Documents>();
  for (const auto &[Path, E] : Entries)
    Result->emplace(Path, E.Now);
  return Result;
}

/// Drops what was read of files that have changed since.
void Session::forgetFiles() {
  if (!std::exchange(FilesOutOfDate, false))
    return;
  Commands.reset();
  WhatPays.reset();
}

void Session::bringUpToDate(Entry &E, std::unique_lock<std::mutex> &Guard) {
  const Document D = E.Now;
  std::shared_ptr<const Documents> Open = snapshot();
  std::shared_ptr<PreambleCache> Preambles = E.Preambles;
  // Later ones, while one types, find the headers read.
  const bool IsFirst = !E.Last;
  E.OutOfDate = false;
  forgetFiles();

  Guard.unlock();
  if (IsFirst)
    Working(("reading " + sys::path::filename(D.Path)).str());
  auto Result =
      std::make_shared<const Analysis>(analyse(std::move(Open), D, Preambles));
  if (IsFirst)
    Working({});
  Guard.lock();

  if (auto It = Entries.find(D.Path); It != Entries.end())
    It->second.Preambles = std::move(Preambles);
  if (adopt(D, Result))
    Publish(*Result);
}

/// Makes \p Result, of \p D as it was, the last that is known of it. Whether
/// it is: other text may have come meanwhile, and the next round is about that.
bool Session::adopt(const Document &D, std::shared_ptr<const Analysis> Result) {
  auto It = Entries.find(D.Path);
  if (It == Entries.end() || It->second.Now.Stamp != D.Stamp)
    return false;
  It->second.Last = std::move(Result);
  return true;
}

void Session::verify(Entry &E, std::unique_lock<std::mutex> &Guard) {
  const Document D = E.Now;
  const std::shared_ptr<const Analysis> Before = E.Last;
  Guard.unlock();
  Working(("verifying the changes to " + sys::path::filename(D.Path)).str());
  auto Result = std::make_shared<const Analysis>(verified(*Before));
  Working({});
  Guard.lock();
  const auto Applies = [](const Finding &F) {
    return standing(F) == Standing::Applies;
  };
  if (adopt(D, Result) && count_if(Before->Found.Findings, Applies) !=
                              count_if(Result->Found.Findings, Applies))
    Publish(*Result);
}

/// Makes Commands anew where they are out of date, or of other options.
Error Session::useCommandsOf(const Options &Opts) {
  decltype(CommandsFor) Now;
  Now.first = Opts.BuildDir;
  if (Opts.HasFlags)
    Now.second = Opts.Flags;
  if (Commands && Now == CommandsFor)
    return Error::success();
  Commands.reset();
  Expected<CommandSource> Source = commandSourceFor(Opts);
  if (!Source)
    return Source.takeError();
  Commands.emplace(std::move(*Source));
  CommandsFor = std::move(Now);
  return Error::success();
}

/// Reads profiles and results anew where they are out of date, or others.
Error Session::useKnowledgeOf(const Options &Opts) {
  decltype(WhatPaysFor) Now(Opts.Profit, Opts.Gpu, Opts.CalibrationFile,
                            Opts.MeasuredFile);
  if (WhatPays && Now == WhatPaysFor)
    return Error::success();
  WhatPays.reset();
  Expected<Profit> Read = Profit::create(Opts, Rules);
  if (!Read)
    return Read.takeError();
  WhatPays = std::move(*Read);
  WhatPaysFor = std::move(Now);
  return Error::success();
}

/// How \p D is read and judged, as its configuration files are now.
Expected<InputFile> Session::prepare(const Document &D) {
  // Nobody tells when a configuration file changes; there are few to read.
  PerFile.forget();
  Expected<const Options &> Opts = PerFile.optionsFor(D.Path);
  if (!Opts)
    return Opts.takeError();
  if (Error E = checkToolkit(*Opts))
    return std::move(E);
  if (Error E = useCommandsOf(*Opts))
    return std::move(E);
  if (Error E = useKnowledgeOf(*Opts))
    return std::move(E);
  auto Selected = selectRules(Opts->RuleGlobs, Opts->Rules.Loops, Rules);
  if (!Selected)
    return Selected.takeError();
  WhatPays->addMeasured(*Selected);
  return InputFile{D.Uri.file().str(), &*Opts, *Selected};
}

/// Without \p Preambles, whole sources are read.
AnalysisOptions Session::optionsFor(const InputFile &File, const Analysis &Of,
                                    PreambleCache *Preambles) {
  AnalysisOptions Analysis;
  Analysis.Preambles = Preambles;
  if (!Preambles) {
    // Anew each time: the toolkit may be another one by now.
    if (auto Opened = openHeaderCache(*File.Opts))
      Headers = std::move(*Opened);
    else
      consumeError(Opened.takeError());
    Analysis.Headers = Headers.get();
  }
  Analysis.OnReconciled = [this, Opts = File.Opts](Report &R) {
    settleBeforeChoice(R, *WhatPays, *Opts);
  };
  Analysis.Rules = File.Rules;
  Analysis.FileSystem = [&Of] { return fileSystemWith(Of.Open); };
  Analysis.EndsRun = false;
  return Analysis;
}

Error Session::analyseInto(Analysis &Result, const Document &D,
                           PreambleCache *Preambles) {
  Expected<InputFile> File = prepare(D);
  if (!File)
    return File.takeError();
  Result.Explain = File->Opts->Explain;
  Result.Verified = !File->Opts->Verify;
  Result.Work = std::make_shared<WorkByFile>();
  AnalysisOptions Analysis = optionsFor(*File, Result, Preambles);
  if (File->Opts->Verify)
    Result.Work->observe(Analysis);
  Report &R = Result.Found;
  R = analyze(*File, *Commands, Analysis);
  selectFindings(R, *File->Opts);
  holdBackOverlaps(R.Findings);
  if (File->Opts->Format)
    formatEdits(R, [](StringRef, StringRef) {});
  return Error::success();
}

void fail(Analysis &Result, Error E) {
  Result.Found = Report();
  FileReport &File = Result.Found.Files.emplace_back();
  File.Path = Result.Path;
  File.Error = toString(std::move(E));
  Result.Verified = true; // There is nothing.
}

/// \p A without what does not stand the checks.
Analysis Session::verified(Analysis A) {
  A.Verified = true;
  if (Expected<InputFile> File = prepare(A.document()))
    verifyRewrites(A.Found, *File, *Commands,
                   optionsFor(*File, A, /*Preambles=*/nullptr), *A.Work);
  else
    fail(A, File.takeError());
  return A;
}

Analysis Session::analyse(std::shared_ptr<const Documents> Open,
                          const Document &D,
                          std::shared_ptr<PreambleCache> &Preambles) {
  Analysis Result;
  Result.Path = D.Path;
  Result.Open = std::move(Open);
  if (Error E = analyseInto(Result, D, Preambles.get())) {
    fail(Result, std::move(E));
    return Result;
  }

  Preambles->dropUnused();
  if (Result.Found.Files.front().Outcome == FileReport::State::Crashed) {
    // Nobody knows what the crash left behind in them.
    BuryPointer(std::make_unique<std::shared_ptr<PreambleCache>>(Preambles));
    Preambles = std::make_shared<PreambleCache>();
  }
  return Result;
}

} // namespace barricade::lsp
