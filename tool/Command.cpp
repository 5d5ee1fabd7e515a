// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Command.h"
#include "tool/Analyze.h"
#include "tool/AnnotatedSource.h"
#include "tool/Baseline.h"
#include "tool/Config.h"
#include "tool/Configuration.h"
#include "tool/Explain.h"
#include "tool/Fingerprint.h"
#include "tool/FormatEdits.h"
#include "tool/HeaderBeside.h"
#include "tool/IndexCommands.h"
#include "tool/IndexInUse.h"
#include "tool/InterruptWatch.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "tool/Progress.h"
#include "tool/Reconcile.h"
#include "tool/ResultCache.h"
#include "tool/Select.h"
#include "tool/SignalsHeld.h"
#include "tool/Subcommands.h"
#include "tool/Summary.h"
#include "tool/Suppress.h"
#include "tool/Variants.h"
#include "tool/Verification.h"
#include "tool/knowledge/Profit.h"
#include "tool/lsp/Server.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include <cstdlib>
#include <ctime>

using namespace llvm;

namespace barricade {
namespace {

/// https://no-color.org: set and not empty.
bool noColorAsked() {
  auto Value = sys::Process::GetEnv("NO_COLOR");
  return Value && !Value->empty();
}

bool useColor(ColorMode Mode, raw_ostream &OS) {
  switch (Mode) {
  case ColorMode::Always:
    return true;
  case ColorMode::Never:
    return false;
  case ColorMode::Auto:
    return OS.has_colors() && !noColorAsked();
  }
  llvm_unreachable("unknown mode");
}

/// One run over the files, once the options are known.
class Run {
public:
  Run(ArrayRef<const char *> Args, const Options &Opts,
      ArrayRef<std::unique_ptr<Rule>> Rules, raw_ostream &Out, raw_ostream &Err)
      : Args(Args), Opts(Opts), Rules(Rules), Out(Out), Err(Err) {}

  ExitCode execute(Settings &PerFile);
  /// Writes what the files say of the program.
  ExitCode index(Settings &PerFile, const IndexRequest &Request);
  ExitCode link();

  /// Reports a failure that does not end the run.
  void fail(Error E) {
    Failed = true;
    message(HighlightColor::Error, "error: ") << toString(std::move(E)) << '\n';
  }

private:
  /// Of all rules, whether they run or not.
  SmallVector<StringRef> ruleIds() const {
    return to_vector(map_range(Rules, [](const auto &R) { return R->id(); }));
  }
  void printCommands(const CommandSource &Commands, ArrayRef<InputFile> Files);
  [[noreturn]] void serve(Settings &PerFile);
  void analyzeAndShow(const CommandSource &Commands, ArrayRef<InputFile> Files);
  void settle(Report &R);
  /// Shows what is known and \p HowFar the run came, and ends the process.
  [[noreturn]] void endInterrupted(Report R, const Twine &HowFar,
                                   InterruptWatch &Watch);
  [[noreturn]] void endInterrupted(const Twine &HowFar, InterruptWatch &Watch);
  Expected<std::vector<InputFile>> inputs(const CommandSource &Commands,
                                          Settings &PerFile);
  void dump(const CommandSource &Commands, ArrayRef<InputFile> Files);
  void tellConflict(const program::DefinitionConflict &Conflict);
  Error makeVariants(const CommandSource &Commands, ArrayRef<InputFile> Files);
  std::vector<const Rule *> rulesOf(ArrayRef<InputFile> Files) const;
  void showFiles(const Report &R);
  void showFindings(const Report &R);
  void writeReports(const Report &R, ArrayRef<const Rule *> Ran,
                    ArrayRef<ChangedFile> Changed);
  RunDescription description(const Report &R) const;
  void act(const Report &R, ArrayRef<ChangedFile> Changed);
  /// Tells by what it was decided what is proposed.
  void tellKnowledge(const Report &R);
  /// What other units do; null where nobody knows.
  Expected<std::unique_ptr<IndexInUse>> openIndex(const CommandSource &Commands,
                                                  ArrayRef<InputFile> Files,
                                                  HeaderCache *Headers);
  /// The index of \p Files, which \p Summaries become. Indexed says what became
  /// of them.
  Expected<std::string> indexOf(const CommandSource &Commands,
                                ArrayRef<InputFile> Files, HeaderCache *Headers,
                                UnitSummaries &Summaries);
  /// Tells why the index was not used.
  void tellIndex(const IndexInUse *Index);
  /// Tells what is asked for in vain.
  void tellSelection(const Report &R);
  /// Whether --fail-on names \p F.
  bool failsOn(const Finding &F) const;
  /// What became of the findings that apply.
  std::string changedWord() const;
  /// Tells which builds do not find the runtime's header, and what helps.
  void tellFolder(const Report &R, ArrayRef<ChangedFile> Files);
  /// Fails where another file lies where a header would have to.
  static Error checkHeaders(ArrayRef<ChangedFile> Files);
  void writeInPlace(ArrayRef<ChangedFile> Files);
  void writeToFolder(ArrayRef<ChangedFile> Files);
  ExitCode exitCode() const;

  raw_ostream &message(HighlightColor Color, StringRef Kind) {
    Err << "barricade: ";
    WithColor(Err, Color, colorMode(Err)) << Kind;
    return Err;
  }

  void note(StringRef File, const Twine &Text) {
    message(HighlightColor::Note, "note: ")
        << "'" << displayPath(File) << "': " << Text << '\n';
  }

  llvm::ColorMode colorMode(raw_ostream &OS) const {
    return useColor(Opts.Color, OS) ? llvm::ColorMode::Enable
                                    : llvm::ColorMode::Disable;
  }

  ArrayRef<const char *> Args;
  const Options &Opts;
  ArrayRef<std::unique_ptr<Rule>> Rules;
  raw_ostream &Out;
  raw_ostream &Err;
  std::optional<Baseline> Known;  ///< None without --baseline.
  std::optional<Profit> WhatPays; ///< None where nothing is analysed.
  Report Indexed; ///< Of the files that were indexed in this run.
  bool Failed = false;
  bool Changes = false;
  bool Flagged = false; ///< There is what --fail-on names.
  bool NotParsed = false;
  bool Crashed = false;
};

void printQuoted(raw_ostream &OS, ArrayRef<std::string> Args) {
  ListSeparator Space(" ");
  for (StringRef Arg : Args) {
    OS << Space;
    sys::printArg(OS, Arg, /*Quote=*/Arg.empty());
  }
}

/// Passes and architectures, in the order in which they are parsed.
void printPasses(raw_ostream &OS, const TranslatedCommand &Command) {
  printQuoted(OS, Command.argsFor(Pass::Host, 0));
  OS << '\n';
  if (!Command.IsCuda)
    return;
  for (unsigned Sm : reverse(Command.Facts.Archs)) {
    printQuoted(OS, Command.argsFor(Pass::Device, Sm));
    OS << '\n';
  }
}

/// The day, so that a run makes the same page as the one before; by
/// SOURCE_DATE_EPOCH where that is set.
std::string today() {
  std::time_t Now = std::time(nullptr);
  if (const char *Fixed = std::getenv("SOURCE_DATE_EPOCH"))
    StringRef(Fixed).getAsInteger(10, Now);
  char Text[sizeof "2000-01-01"] = "";
  if (const std::tm *Utc = std::gmtime(&Now))
    std::strftime(Text, sizeof Text, "%Y-%m-%d", Utc);
  return Text;
}

RunDescription Run::description(const Report &R) const {
  RunDescription Result;
  std::vector<std::string> Words{"barricade"};
  Words.insert(Words.end(), Args.begin(), Args.end());
  raw_string_ostream OS(Result.Command);
  printQuoted(OS, Words);
  Result.WhatPays = WhatPays->explanation(R.Files);
  Result.Date = today();
  Result.Explanation = [this](StringRef Reason) {
    Expected<std::string> Text = explanationOf(Reason, Rules);
    if (!Text) {
      consumeError(Text.takeError());
      return std::string();
    }
    return std::move(*Text);
  };
  return Result;
}

void Run::printCommands(const CommandSource &Commands,
                        ArrayRef<InputFile> Files) {
  for (const InputFile &File : Files) {
    FileReport Report;
    auto Translated = translateFile(File.Name, Commands, *File.Opts, Report);
    if (!Translated) {
      fail(createStringError("'" + File.Name +
                             "': " + toString(Translated.takeError())));
      continue;
    }
    note(File.Name, Report.Origin);
    for (StringRef Note : Report.Notes)
      note(File.Name, Note);
    for (const TranslatedCommand &Command : *Translated)
      printPasses(Out, Command);
  }
}

/// Whether a file does not parse for all we know because nobody said how.
bool lacksCommand(const FileReport &File) {
  return File.Outcome == FileReport::State::NotParsed &&
         File.By == CommandSource::Authority::Nobody;
}

void Run::showFiles(const Report &R) {
  for (const FileReport &File : R.Files) {
    Err << withShortNames(File.Diagnostics);
    switch (File.Outcome) {
    case FileReport::State::Analysed:
      break;
    case FileReport::State::NotParsed:
      NotParsed = true;
      break;
    case FileReport::State::Crashed:
      Crashed = true;
      [[fallthrough]];
    case FileReport::State::Failed:
      fail(createStringError("'" + File.Name + "': " + File.Error));
      break;
    }
    for (StringRef Warning : File.Warnings)
      message(HighlightColor::Warning, "warning: ")
          << "'" << displayPath(File.Name) << "': " << Warning << '\n';
    const bool IsUnparsed = File.Outcome == FileReport::State::NotParsed;
    if (File.By == CommandSource::Authority::Neighbour || IsUnparsed)
      note(File.Name, "compile command: " + File.Origin);
    // What the translation of the command lost may be why.
    if (Opts.Explain || IsUnparsed)
      for (StringRef Note : File.Notes)
        note(File.Name, Note);
    if (IsUnparsed)
      if (std::string Advice = adviceForUnparsed(File); !Advice.empty())
        note(File.Name, Advice);
  }
  if (any_of(R.Files, lacksCommand))
    message(HighlightColor::Note, "note: ")
        << "-p DIR names the build's folder, which has compile_commands.json "
           "(CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON); or give "
           "the flags after --\n";
}

void Run::showFindings(const Report &R) {
  raw_ostream &OS = Opts.stdoutTaken() ? Err : Out;
  auto Shown =
      Opts.Statistics
          ? makeStatisticsOutput()
          : makeDiagnosticsOutput(Opts.Explain, useColor(Opts.Color, OS));
  Shown->print(R, OS);
  OS.flush();
}

std::string Run::changedWord() const {
  bool Written = Opts.Act == Options::Action::InPlace ||
                 Opts.Act == Options::Action::OutputDir;
  return Written && !Failed ? "rewritten" : "to rewrite";
}

void Run::tellKnowledge(const Report &R) {
  if (!Opts.MeasuredFile.empty() && R.Measurements.empty())
    message(HighlightColor::Warning, "warning: ")
        << "'" << displayPath(Opts.MeasuredFile)
        << "' measured none of these findings as they are now\n";
  if (Opts.Explain)
    message(HighlightColor::Note, "note: ")
        << WhatPays->explanation(R.Files) << '\n';
}

/// Whether a word of CUDA's own that rules look for stands in \p File, or in a
/// header of the project that it includes.
static bool mentionsDeviceCode(const FileReport &File) {
  std::vector<std::string> Paths = File.UserFiles;
  Paths.push_back(File.Path);
  return any_of(Paths, [](const std::string &Path) {
    auto Text = MemoryBuffer::getFile(Path);
    // Nobody knows what is in it.
    if (!Text)
      return true;
    return any_of(
        ArrayRef<StringRef>{"__global__", "__device__", "<<<"},
        [&](StringRef Word) { return (*Text)->getBuffer().contains(Word); });
  });
}

void Run::tellSelection(const Report &R) {
  if (R.NotReached)
    return; // Nobody knows.
  for (StringRef Text : selectedInVain(R, Opts))
    message(HighlightColor::Warning, "warning: ") << Text << '\n';
  for (const FileReport &File : R.Files)
    if (File.Outcome == FileReport::State::Analysed && !File.IsCuda &&
        none_of(R.Findings,
                [&](const Finding &F) { return F.Where.File == File.Path; }))
      note(File.Name, "not compiled as CUDA: there is nothing to find");
  // In projects many files are like that.
  if (R.Files.size() == 1 && R.Findings.empty())
    if (const FileReport &File = R.Files.front();
        File.Outcome == FileReport::State::Analysed && File.IsCuda &&
        !mentionsDeviceCode(File))
      note(File.Name, "has no kernel and no launch: there is nothing to find");
}

bool Run::failsOn(const Finding &F) const {
  switch (standing(F)) {
  case Standing::Fault:
    return Opts.Failing != FailOn::Never;
  case Standing::Applies:
    // What is asked to be changed is no failure.
    return Opts.Failing == FailOn::Rewrite && Opts.Act == Options::Action::Show;
  default:
    return false;
  }
}

void Run::writeReports(const Report &R, ArrayRef<const Rule *> Ran,
                       ArrayRef<ChangedFile> Changed) {
  auto WriteText = [&](StringRef File, StringRef Text) {
    if (File == "-")
      Out << Text;
    else if (!File.empty())
      if (Error E = writeReport(File, Text))
        fail(std::move(E));
  };
  auto Write = [&](StringRef File, std::unique_ptr<Output> Report) {
    if (File.empty())
      return;
    std::string Text;
    raw_string_ostream OS(Text);
    Report->print(R, OS);
    WriteText(File, Text);
  };
  Write(Opts.JsonFile, makeJsonOutput());
  Write(Opts.SarifFile,
        makeSarifOutput(Ran.vec(), Opts.Explain, Opts.ProjectRoot));
  Write(Opts.HtmlFile,
        makeHtmlOutput(Changed.vec(), changedWord(), description(R)));
  Write(Opts.GithubFile, makeGithubOutput(Opts.ProjectRoot));
  Write(Opts.GitlabFile, makeGitlabOutput(Opts.ProjectRoot));
  Write(Opts.JUnitFile,
        makeJUnitOutput([this](const Finding &F) { return failsOn(F); }));
  Write(Opts.FixesFile, makeFixesOutput());
  if (!Opts.FixesFile.empty())
    for (const ChangedFile &File : Changed)
      if (File.NeedsHeader)
        note(File.Path, "its fixes need a copy of the runtime header at '" +
                            displayPath(headerBeside(File.Path)) +
                            "', which such fixes cannot create");
  WriteText(Opts.NewBaselineFile, baselineText(R));
}

void Run::writeInPlace(ArrayRef<ChangedFile> Files) {
  // A header that changes without its source would break the program.
  const SignalsHeld UntilAllAreWritten;
  for (const ChangedFile &File : Files)
    if (File.NeedsHeader)
      if (Error E = provideHeader(File.Path))
        return fail(std::move(E));
  for (const ChangedFile &File : Files)
    if (Error E = replaceFile(File.Path, File.Old, File.New))
      fail(std::move(E));
}

void Run::writeToFolder(ArrayRef<ChangedFile> Files) {
  auto Paths = outputPaths(Opts.OutputDir, Files);
  if (!Paths)
    return fail(Paths.takeError());
  for (auto [File, Path] : zip_equal(Files, *Paths)) {
    if (File.NeedsHeader)
      if (Error E = provideHeader(Path))
        return fail(std::move(E));
    if (Error E = writeNewFile(Path, File.New))
      fail(std::move(E));
  }
}

Error Run::checkHeaders(ArrayRef<ChangedFile> Files) {
  for (const ChangedFile &File : Files)
    if (File.NeedsHeader)
      if (Expected<bool> Lacks = lacksHeader(File.Path); !Lacks)
        return Lacks.takeError();
  return Error::success();
}

/// Does what is asked with the changes.
void Run::act(const Report &R, ArrayRef<ChangedFile> Files) {
  switch (Opts.Act) {
  case Options::Action::DryRun:
    if (Error E = checkHeaders(Files))
      return fail(std::move(E));
    Changes = !Files.empty();
    makeDiffOutput(Files.vec())->print(R, Out);
    break;
  case Options::Action::InPlace:
    if (Error E = checkHeaders(Files))
      return fail(std::move(E));
    writeInPlace(Files);
    break;
  case Options::Action::OutputDir:
    writeToFolder(Files);
    break;
  default:
    break;
  }
}

void Run::tellFolder(const Report &R, ArrayRef<ChangedFile> Files) {
  if (Opts.Act == Options::Action::Show && Opts.FixesFile.empty())
    return;
  bool Needed = false;
  for (const ChangedFile &File : Files)
    if (File.NeedsFolder && lacksRuntime(R, File.Path)) {
      Needed = true;
      note(File.Path,
           "includes <barricade/gpu_sync.cuh>, which its build does not find");
    }
  if (Needed)
    message(HighlightColor::Note, "note: ") << adviceForBuild() << '\n';
}

void Run::serve(Settings &PerFile) {
  runLanguageServer(PerFile, Rules, stdin, Out);
}

Expected<std::vector<InputFile>> Run::inputs(const CommandSource &Commands,
                                             Settings &PerFile) {
  auto Names = inputFiles(Opts, Commands);
  if (!Names)
    return Names.takeError();
  if (auto Agreed = PerFile.optionsForRun(*Names); !Agreed)
    return Agreed.takeError();
  std::vector<InputFile> Result;
  for (std::string &Name : *Names) {
    const Options &OfFile = cantFail(PerFile.optionsFor(Name));
    if (Error E = checkToolkit(OfFile))
      return E;
    auto Selected = selectRules(OfFile.RuleGlobs, OfFile.Rules.Loops, Rules);
    if (!Selected)
      return Selected.takeError();
    if (WhatPays)
      WhatPays->addMeasured(*Selected);
    Result.push_back({std::move(Name), &OfFile, std::move(*Selected)});
  }
  return Result;
}

std::vector<const Rule *> Run::rulesOf(ArrayRef<InputFile> Files) const {
  std::vector<const Rule *> Result;
  for (const auto &R : Rules)
    if (any_of(Files, [&](const InputFile &File) {
          return is_contained(File.Rules, R.get());
        }))
      Result.push_back(R.get());
  return Result;
}

/// What the user hears of, and what may be changed.
void Run::settle(Report &R) {
  addFingerprints(R, Opts.ProjectRoot);
  if (Known)
    Known->suppress(R);
  if (Opts.UnusedSuppressions)
    R.UnusedSuppressions = unusedSuppressions(R, ruleIds());
  tellSelection(R);
  selectFindings(R, Opts);
  holdBackOverlaps(R.Findings);
}

void Run::endInterrupted(Report R, const Twine &HowFar, InterruptWatch &Watch) {
  putFaultsFirst(R);
  showFiles(R);
  showFindings(R);
  if (!Opts.Quiet)
    makeSummaryOutput("to rewrite", Opts.Explain)->print(R, Err);
  endInterrupted(HowFar, Watch);
}

void Run::endInterrupted(const Twine &HowFar, InterruptWatch &Watch) {
  message(HighlightColor::Error, "interrupted: ") << HowFar << '\n';
  Watch.endProcess();
}

void Run::analyzeAndShow(const CommandSource &Commands,
                         ArrayRef<InputFile> Files) {
  AnalysisOptions Analysis;
  Analysis.Rules = rulesOf(Files);
  Analysis.Jobs = Opts.Jobs;
  Analysis.ColorDiagnostics = useColor(Opts.Color, Err);
  Analysis.OnReconciled = [&](Report &Found) {
    settleBeforeChoice(Found, *WhatPays, Opts);
  };

  auto Headers = openHeaderCache(Opts);
  if (!Headers)
    return fail(Headers.takeError());
  Analysis.Headers = Headers->get();

  auto Index = openIndex(Commands, Files, Headers->get());
  if (!Index)
    return fail(Index.takeError());
  Analysis.Index = Index->get();

  std::unique_ptr<ResultCache> Cache;
  if (!Opts.CacheDir.empty()) {
    auto Opened = ResultCache::open(Opts.CacheDir,
                                    cantFail(cachePolicy(Opts.CachePolicy)));
    if (!Opened)
      return fail(Opened.takeError());
    Cache = std::move(*Opened);
    Analysis.Cache = Cache.get();
  }

  Report R;
  WorkByFile Work;
  if (Opts.Verify)
    Work.observe(Analysis);
  std::optional<InterruptWatch> Watch;
  std::optional<Progress> Line;
  StringRef Doing;
  Analysis.OnBegin = [&](size_t Number) {
    Line.emplace(Err, Number, !Opts.Quiet, Doing);
  };
  Analysis.OnFileDone = [&](StringRef File) { Line->done(File); };
  // Of one file nothing is known before all is.
  if (Files.size() > 1)
    Analysis.Watch = &Watch.emplace();
  R = analyze(Files, Commands, Analysis);
  Line.reset();
  if (Watch && Watch->isInterrupted()) {
    settle(R);
    endInterrupted(R,
                   Twine(R.Files.size()) + " of " + Twine(Files.size()) +
                       " files were read; nothing was verified or written",
                   *Watch);
  }
  if (!Watch)
    Analysis.Watch = &Watch.emplace();
  Analysis.OnInterrupted = [&] {
    Line.reset();
    endInterrupted(R, "the changes were not verified; nothing was written",
                   *Watch);
  };
  tellKnowledge(R);
  tellIndex(Index->get());
  settle(R);
  if (Opts.Format)
    formatEdits(R, [&](StringRef File, StringRef Problem) {
      note(File, "not formatted: " + Problem);
    });
  Doing = "verifying ";
  if (Opts.Verify)
    verifyRewrites(R, Files, Commands, Analysis, Work);
  Line.reset();
  if (Watch->isInterrupted())
    Analysis.OnInterrupted();
  Watch.reset();
  putFaultsFirst(R);
  Flagged = any_of(R.Findings, [&](const Finding &F) { return failsOn(F); });

  showFiles(R);
  showFindings(R);
  const std::vector<ChangedFile> Changed =
      changedFiles(R, [&](Error E) { fail(std::move(E)); });
  act(R, Changed);
  tellFolder(R, Changed);
  writeReports(R, Analysis.Rules, Changed);
  if (!Opts.Quiet)
    makeSummaryOutput(changedWord(), Opts.Explain)->print(R, Err);
}

Expected<std::unique_ptr<IndexInUse>>
Run::openIndex(const CommandSource &Commands, ArrayRef<InputFile> Files,
               HeaderCache *Headers) {
  if (!Opts.IndexFile.empty())
    return IndexInUse::open(Opts, Commands, Files);
  if (!Opts.IndexesFiles)
    return nullptr;
  UnitSummaries Summaries;
  Expected<std::string> Text = indexOf(Commands, Files, Headers, Summaries);
  if (!Text)
    return Text.takeError();
  return IndexInUse::of(*Text, Indexed.Files, Opts, Commands, Files);
}

void Run::tellIndex(const IndexInUse *Index) {
  if (!Index)
    return;
  if (std::string Why = Index->whyUnused(); !Why.empty())
    message(HighlightColor::Warning, "warning: ")
        << "the index is stale and not used: " << Why
        << "; index and link it anew\n";
}

void Run::tellConflict(const program::DefinitionConflict &Conflict) {
  auto At = [](const Place &P) {
    return displayPath(P.File) + ":" + std::to_string(P.Line);
  };
  message(HighlightColor::Warning, "warning: ")
      << "'" << Conflict.Function << "' is defined at " << At(Conflict.First)
      << " and at " << At(Conflict.Second)
      << (Conflict.AreBothStrong ? ", of which a program must have one"
                                 : ", with different texts")
      << ": its callers count as unknown\n";
}

ExitCode Run::link() {
  if (Error E = linkFiles(Args, Out, [&](const auto &C) { tellConflict(C); }))
    fail(std::move(E));
  return exitCode();
}

Expected<std::string> Run::indexOf(const CommandSource &Commands,
                                   ArrayRef<InputFile> Files,
                                   HeaderCache *Headers,
                                   UnitSummaries &Summaries) {
  AnalysisOptions Analysis;
  Analysis.Jobs = Opts.Jobs;
  Analysis.ColorDiagnostics = useColor(Opts.Color, Err);
  Analysis.EndsRun = !Opts.IndexesFiles;
  Analysis.Headers = Headers;
  Summaries.observe(Analysis);
  SmallVector<InputFile> Plain(Files);
  for (InputFile &File : Plain)
    File.Rules.clear();
  Indexed = analyze(Plain, Commands, Analysis);
  return Summaries.linked([&](const auto &C) { tellConflict(C); });
}

ExitCode Run::index(Settings &PerFile, const IndexRequest &Request) {
  auto Body = [&]() -> Error {
    Expected<CommandSource> Commands = commandSourceFor(Opts);
    if (!Commands)
      return Commands.takeError();
    auto Files = inputs(*Commands, PerFile);
    if (!Files)
      return Files.takeError();
    auto Headers = openHeaderCache(Opts);
    if (!Headers)
      return Headers.takeError();
    UnitSummaries Summaries;
    auto Text = indexOf(*Commands, *Files, Headers->get(), Summaries);
    if (!Text)
      return Text.takeError();
    showFiles(Indexed);
    // A program of which a part is unknown is none.
    if (exitCode() != ExitCode::Success)
      return Error::success();
    if (Request.Output == "-")
      Out << *Text;
    else if (Error E = writeReport(Request.Output, *Text))
      return E;
    if (Request.DepFile.empty())
      return Error::success();
    return writeReport(Request.DepFile,
                       dependencies(Request.Output, Summaries.inputs()));
  };
  if (Error E = Body())
    fail(std::move(E));
  return exitCode();
}

void Run::dump(const CommandSource &Commands, ArrayRef<InputFile> Files) {
  AnalysisOptions Analysis;
  Analysis.Jobs = 1; // In the order of the files.
  Analysis.ColorDiagnostics = useColor(Opts.Color, Err);
  Analysis.OnUnit = [&](const InputFile &File, const TranslationUnit &,
                        const Program &P) {
    Out << annotatedSource(P, *Opts.Fact, canonicalPath(File.Name));
  };
  SmallVector<InputFile> Plain(Files);
  for (InputFile &File : Plain)
    File.Rules.clear();
  showFiles(analyze(Plain, Commands, Analysis));
}

Error Run::makeVariants(const CommandSource &Commands,
                        ArrayRef<InputFile> Files) {
  std::optional<InterruptWatch> Watch(std::in_place);
  auto Set = collectVariants(
      Files, Commands, Opts, rulesOf(Files), useColor(Opts.Color, Err), Err,
      *Watch, [&](const Twine &HowFar) { endInterrupted(HowFar, *Watch); });
  if (!Set)
    return Set.takeError();
  Watch.reset();
  showFiles(Set->Source);
  for (const WithdrawnVariant &V : Set->Withdrawn)
    note(V.Id, "no variant: " + V.Why);
  for (Variant &V : Set->Variants)
    WhatPays->tell(V.Rewrites, Set->Source.Files);
  if (Error E = writeVariants(Opts.OutputDir, *Set))
    return E;
  if (!Opts.Quiet)
    Err << "barricade: " << Set->Variants.size() << " variants in '"
        << Opts.OutputDir << "'\n";
  return Error::success();
}

ExitCode Run::exitCode() const {
  if (Crashed)
    return ExitCode::Internal;
  if (Failed)
    return ExitCode::Failure;
  if (NotParsed)
    return ExitCode::NotParsed;
  if (Changes)
    return ExitCode::Changes;
  return Flagged ? ExitCode::Findings : ExitCode::Success;
}

ExitCode Run::execute(Settings &PerFile) {
  auto Body = [&]() -> Error {
    if (Opts.Act == Options::Action::LanguageServer)
      serve(PerFile);
    if (Opts.analyses()) {
      Expected<Profit> Read = Profit::create(Opts, Rules);
      if (!Read)
        return Read.takeError();
      WhatPays = std::move(*Read);
    }
    if (!Opts.BaselineFile.empty()) {
      Expected<Baseline> Read = Baseline::read(Opts.BaselineFile);
      if (!Read)
        return Read.takeError();
      Known = std::move(*Read);
    }
    Expected<CommandSource> Commands = commandSourceFor(Opts);
    if (!Commands)
      return Commands.takeError();
    auto Files = inputs(*Commands, PerFile);
    if (!Files)
      return Files.takeError();
    switch (Opts.Act) {
    case Options::Action::PrintCommand:
      printCommands(*Commands, *Files);
      return Error::success();
    case Options::Action::Variants:
      return makeVariants(*Commands, *Files);
    case Options::Action::Dump:
      dump(*Commands, *Files);
      return Error::success();
    default:
      analyzeAndShow(*Commands, *Files);
      return Error::success();
    }
  };
  if (Error E = Body())
    fail(std::move(E));
  return exitCode();
}

void printReasons(raw_ostream &OS, ArrayRef<ReasonInfo> Reasons) {
  for (const ReasonInfo &Info : Reasons)
    OS << "  " << left_justify(Info.Id, 30) << ' ' << Info.Summary << '\n';
}

void listRules(ArrayRef<std::unique_ptr<Rule>> Rules, raw_ostream &OS) {
  for (const auto &R : Rules) {
    OS << R->id() << ": " << R->summary() << '\n';
    if (std::string Page = pageOf(R->id()); !Page.empty())
      OS << "  page: " << Page << '\n';
    printReasons(OS, R->reasons());
  }
  OS << "any rule:\n";
  printReasons(OS, commandReasons());
  printReasons(OS, profitReasons());
  OS << "`barricade explain NAME` says more of a rule or a reason\n";
}

/// `barricade explain NAME...`
Error explain(ArrayRef<const char *> Names,
              ArrayRef<std::unique_ptr<Rule>> Rules, raw_ostream &OS) {
  if (Names.empty())
    return createStringError(
        "explain needs the name of a rule or a reason; see barricade "
        "--list-rules");
  if (StringRef(Names.front()) == "--help") {
    OS << "USAGE: barricade explain NAME...\n\nPrints what the documentation "
          "says of rules and reasons, which barricade --list-rules lists.\n";
    return Error::success();
  }
  for (StringRef Name : Names) {
    Expected<std::string> Text = explanationOf(Name, Rules);
    if (!Text)
      return Text.takeError();
    OS << *Text << '\n';
  }
  return Error::success();
}

void printVersion(raw_ostream &OS) {
  OS << "barricade " BARRICADE_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
}

/// Whether the command line by itself asks for more than findings.
bool asksForAction(ArrayRef<const char *> Args) {
  Expected<Options> Asked = parseOptions(Args);
  if (Asked)
    return Asked->Act != Options::Action::Show || Asked->stdoutTaken();
  consumeError(Asked.takeError()); // A configuration may help.
  return false;
}

/// `barricade link FILE...`
ExitCode linkCommand(ArrayRef<const char *> Args,
                     ArrayRef<std::unique_ptr<Rule>> Rules, raw_ostream &Out,
                     raw_ostream &Err) {
  if (!Args.empty() && StringRef(Args.front()) == "--help") {
    printLinkHelp(Out);
    return ExitCode::Success;
  }
  Options Defaults;
  return Run(Args, Defaults, Rules, Out, Err).link();
}

} // namespace

ExitCode runCommand(ArrayRef<const char *> Args,
                    ArrayRef<std::unique_ptr<Rule>> Rules, raw_ostream &Out,
                    raw_ostream &Err) {
  auto Fail = [&](Error E) {
    Options Defaults;
    Run(Args, Defaults, Rules, Out, Err).fail(std::move(E));
    return ExitCode::Failure;
  };
  if (!Args.empty() && isSubcommand(Args.front()))
    return Fail(becomeSubcommand(Args));
  if (!Args.empty() && Args.front() == ExplainCommand) {
    if (Error E = explain(Args.drop_front(), Rules, Out))
      return Fail(std::move(E));
    return ExitCode::Success;
  }
  if (!Args.empty() && Args.front() == LinkCommand)
    return linkCommand(Args.drop_front(), Rules, Out, Err);
  std::optional<IndexRequest> Index;
  if (!Args.empty() && Args.front() == IndexCommand) {
    Expected<IndexRequest> Request = IndexRequest::parse(Args.drop_front());
    if (!Request)
      return Fail(Request.takeError());
    if (Request->AsksForHelp) {
      printIndexHelp(Out);
      return ExitCode::Success;
    }
    Index = std::move(*Request);
    Args = Index->Rest;
  }
  Expected<CommandLine> Line = CommandLine::parse(Args);
  if (!Line)
    return Fail(Line.takeError());
  const std::vector<std::string> Files = Line->files();
  Settings PerFile(std::move(*Line));
  Expected<const Options &> Opts = PerFile.optionsForRun(Files);
  if (!Opts)
    return Fail(Opts.takeError());
  // What a configuration asks for is of other runs.
  if (Index && asksForAction(Args))
    return Fail(createStringError("index writes a summary and does nothing "
                                  "else; see barricade index --help"));
  if (Index)
    return Run(Args, *Opts, Rules, Out, Err).index(PerFile, *Index);
  switch (Opts->Act) {
  case Options::Action::Help:
    printHelp(Out);
    return ExitCode::Success;
  case Options::Action::Version:
    printVersion(Out);
    return ExitCode::Success;
  case Options::Action::ListRules:
    listRules(Rules, Out);
    return ExitCode::Success;
  case Options::Action::DumpConfig:
    printConfiguration(*Opts, Out);
    return ExitCode::Success;
  default:
    return Run(Args, *Opts, Rules, Out, Err).execute(PerFile);
  }
}

} // namespace barricade
