// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Analyze.h"
#include "frontend/Parse.h"
#include "frontend/Toolkit.h"
#include "matchers/source/LeftOutFiles.h"
#include "tool/CrashGuard.h"
#include "tool/IndexInUse.h"
#include "tool/InterruptWatch.h"
#include "tool/Paths.h"
#include "tool/Reconcile.h"
#include "tool/ResultCache.h"
#include "tool/Select.h"
#include "tool/Suppress.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

using namespace llvm;

namespace barricade {
namespace {

/// Resolves links in paths, so that a header reached by two names is one file.
class PathResolver {
public:
  void resolve(std::string &Path) {
    auto [It, Inserted] = Known.try_emplace(Path);
    if (Inserted)
      It->second = canonicalPath(Path);
    Path = It->second;
  }

  void resolve(Finding &F) {
    resolve(F.Where.File);
    resolve(F.End.File);
    for (AccessFact &A : F.Accesses)
      resolve(A.Where.File);
    for (Reason &R : F.Reasons) {
      resolve(R.Where.File);
      for (Note &N : R.Notes)
        resolve(N.Where.File);
    }
    for (Edit &E : F.Edits)
      resolve(E.File);
    for (Place &P : F.Companions)
      resolve(P.File);
  }

private:
  StringMap<std::string> Known;
};

/// Calls \p Visit with every file that \p F speaks of.
void forEachFile(const Finding &F, function_ref<void(StringRef)> Visit) {
  Visit(F.Where.File);
  for (const AccessFact &A : F.Accesses)
    Visit(A.Where.File);
  for (const Reason &R : F.Reasons) {
    Visit(R.Where.File);
    for (const Note &N : R.Notes)
      Visit(N.Where.File);
  }
  for (const Edit &E : F.Edits)
    Visit(E.File);
}

/// Keeps the texts that outputs need: of files with findings, and of those in
/// which a comment may suppress some.
void keepTexts(FileResult &Result, ArrayRef<Finding> Findings,
               const TranslationUnit &Unit) {
  StringSet<> Seen;
  for (const Finding &F : Findings)
    forEachFile(F, [&](StringRef Path) {
      if (!Seen.insert(Path).second)
        return;
      if (std::optional<StringRef> Text = parsedText(Path, Unit))
        Result.Texts.add(Path, *Text);
    });
  for (const auto &Pass : Unit.Passes)
    for (const std::string &File : Pass->userFiles()) {
      std::string Path = canonicalPath(File);
      if (!Seen.insert(Path).second)
        continue;
      std::optional<StringRef> Text = parsedText(Path, Unit);
      if (Text && mayHaveSuppressions(*Text))
        Result.Texts.add(Path, *Text);
    }
}

Program programOf(const TranslationUnit &Unit) {
  Program P;
  for (const auto &Pass : Unit.Passes) {
    addLeftOutFiles(Pass->context(), Pass->preprocessor());
    P.Passes.push_back({&Pass->context(), &Pass->preprocessor(),
                        Pass->pass() == Pass::Device, Pass->sm()});
  }
  const BuildFacts &Facts = Unit.Command.Facts;
  P.RelocatableDeviceCode = Facts.RelocatableDeviceCode;
  P.RestrictKernelPointers = Facts.Restrict;
  P.FastMath = Facts.FastMath;
  P.LacksCudaLibrary = Facts.LacksCudaLibrary;
  P.WarnsOfUnusedParameters =
      any_of(Unit.Command.Warnings, [](StringRef Option) {
        return is_contained(
            {"-W", "-Wextra", "-Weverything", "-Wunused-parameter"}, Option);
      });
  P.HostFloatOption = Facts.Arithmetic.Float;
  P.HostOption = Facts.Arithmetic.Any;
  P.TargetSms.assign(Facts.NamedArchs.begin(), Facts.NamedArchs.end());
  return P;
}

void runRules(FileResult &Result, const TranslationUnit &Unit, const Program &P,
              const InputFile &File) {
  std::vector<Finding> Findings;
  const RuleOptions Options = optionsWith(File.Opts->Rules, File.Rules);
  for (const Rule *R : File.Rules)
    R->run(P, Options, Findings);
  PathResolver Paths;
  for (Finding &F : Findings)
    Paths.resolve(F);
  keepTexts(Result, Findings, Unit);
  append_range(Result.Findings, std::move(Findings));
}

void keepUserFiles(FileReport &Report, const TranslationUnit &Unit) {
  const std::string OwnHeaders = canonicalPath(findHeadersDir());
  for (StringRef File : Unit.Files.Paths)
    if (std::string Path = canonicalPath(File);
        pathBelow(Path, OwnHeaders).empty())
      Report.UserFiles.push_back(std::move(Path));
  Report.MayIncludeMore |= Unit.MayIncludeMore;
  sort(Report.UserFiles);
  Report.UserFiles.erase(unique(Report.UserFiles), Report.UserFiles.end());
}

std::optional<Note> firstErrorOf(const TranslationUnit &Unit) {
  if (!Unit.FirstError)
    return std::nullopt;
  const SourceError &E = *Unit.FirstError;
  return Note{{canonicalPath(E.File), E.Offset, E.Line, E.Column}, E.Message};
}

/// Makes a view of the file system for each parse.
using FileSystems = function_ref<IntrusiveRefCntPtr<vfs::FileSystem>()>;

/// Parses and judges a file as each of \p Commands compiles it. \p Seen: where
/// \p FileSystem notes what it is asked, if anywhere.
void analyzeCommands(FileResult &Result, const InputFile &File,
                     std::vector<TranslatedCommand> Commands,
                     const AnalysisOptions &Analysis, FileSystems FileSystem,
                     FileProbes *Seen, bool EndsRun) {
  FileReport &Report = Result.Report;
  ParseOptions Parsing;
  Parsing.Color = Analysis.ColorDiagnostics;
  Parsing.DisableFree = EndsRun;
  Parsing.DeviceIR = Analysis.DeviceIR;
  Parsing.Headers = Analysis.Headers;
  Parsing.Seen = Seen;
  // A preamble that holds the very file being edited would never be of use.
  if (Report.IncludedBy.empty())
    Parsing.Preambles = Analysis.Preambles;
  Report.Outcome = FileReport::State::Analysed;
  Report.MayIncludeMore = false;
  for (TranslatedCommand &Command : Commands) {
    append_range(Command.Args, Analysis.ExtraArgs);
    if (Analysis.FatalWarnings && Command.WarningsAreErrors)
      Command.showWarnings();
    auto Unit = std::make_unique<TranslationUnit>(
        parseTranslationUnit(std::move(Command), FileSystem(), Parsing));
    Report.Diagnostics += Unit->Diagnostics;
    keepUserFiles(Report, *Unit);
    if (!Report.FirstError)
      Report.FirstError = firstErrorOf(*Unit);
    if (Unit->parsed()) {
      Program P = programOf(*Unit);
      P.IgnoreReferences = File.Opts->Rules.IgnoreReferences;
      P.IsEditable = editableWith(Report.Path, *File.Opts);
      std::unique_ptr<OtherUnits> Others;
      if (Analysis.Index && IndexInUse::isAskedOf(Unit->Command))
        Others = Analysis.Index->answersFor(*Unit, P, Report);
      P.Others = Others.get();
      runRules(Result, *Unit, P, File);
      if (Analysis.OnUnit)
        Analysis.OnUnit(File, *Unit, P);
    } else {
      Report.Outcome = FileReport::State::NotParsed;
    }
    // Freeing would cost time and gain nothing.
    if (EndsRun)
      BuryPointer(std::move(Unit));
  }
  if (Report.Outcome == FileReport::State::NotParsed)
    Result.Findings.clear();
  if (!Report.IncludedBy.empty())
    erase_if(Result.Findings,
             [&](const Finding &F) { return F.Where.File != Report.Path; });
}

/// Analyses a file in every way in which it is compiled, or takes the result
/// of an earlier run. One that does not parse in all of them gets no edits, so
/// it has no findings. \p EndsRun: the process ends after this file.
void analyzeFile(FileResult &Result, const InputFile &File,
                 const CommandSource &Commands, const AnalysisOptions &Analysis,
                 bool EndsRun) {
  FileReport &Report = Result.Report;
  PrettyStackTraceFormat Trace("analysing '%s'", Report.Name.c_str());
  auto Translated = translateFile(File.Name, Commands, *File.Opts, Report);
  if (!Translated) {
    Report.Error = toString(Translated.takeError());
    return;
  }
  if (!Analysis.Cache)
    return analyzeCommands(
        Result, File, std::move(*Translated), Analysis,
        [&] { return Analysis.FileSystem ? Analysis.FileSystem() : nullptr; },
        /*Seen=*/nullptr, EndsRun);

  const bool AsksIndex =
      Analysis.Index && any_of(*Translated, IndexInUse::isAskedOf);
  const std::string Name = Analysis.Cache->nameFor(
      File, *Translated, Report, Analysis.ColorDiagnostics,
      AsksIndex ? Analysis.Index->identity() : "");
  if (auto Known = Analysis.Cache->find(Name)) {
    Result = std::move(*Known);
    return;
  }
  // Lives as long as the file systems that ASTs hold on to.
  auto Seen = std::make_unique<FileProbes>();
  analyzeCommands(
      Result, File, std::move(*Translated), Analysis,
      [&] { return probingFileSystem(*Seen); }, Seen.get(), EndsRun);
  Analysis.Cache->store(Name, *Seen, Result);
  if (EndsRun)
    BuryPointer(std::move(Seen));
}

FileResult analyzeGuarded(const InputFile &File, const CommandSource &Commands,
                          const AnalysisOptions &Analysis, bool EndsRun) {
  // Owned by the heap, for a crash leaves it in an unknown state.
  auto Result = std::make_unique<FileResult>();
  Result->Report.Name = File.Name;
  Result->Report.Path = canonicalPath(File.Name);
  if (runGuarded(
          [&] { analyzeFile(*Result, File, Commands, Analysis, EndsRun); }))
    return std::move(*Result);

  (void)Result.release();
  FileResult Crashed;
  Crashed.Report.Name = File.Name;
  Crashed.Report.Path = canonicalPath(File.Name);
  Crashed.Report.Outcome = FileReport::State::Crashed;
  Crashed.Report.Error = "internal error while analysing this file";
  return Crashed;
}

} // namespace

std::optional<StringRef> parsedText(StringRef Path,
                                    const TranslationUnit &Unit) {
  for (const auto &[File, Text] : Unit.UnrepairedTexts)
    if (canonicalPath(File) == Path)
      return Text;
  for (const auto &Pass : Unit.Passes) {
    clang::SourceManager &SM = Pass->sourceManager();
    auto File = SM.getFileManager().getOptionalFileRef(Path);
    if (!File)
      continue;
    if (auto Buffer = SM.getMemoryBufferForFileOrNone(*File))
      return Buffer->getBuffer();
  }
  return std::nullopt;
}

Expected<CommandSource> commandSourceFor(const Options &Opts) {
  CommandSource::Options Source;
  Source.BuildDir = Opts.BuildDir;
  Source.FixedFlags = Opts.Flags;
  Source.HasFixedFlags = Opts.HasFlags;
  return CommandSource::create(std::move(Source));
}

Expected<std::unique_ptr<HeaderCache>> openHeaderCache(const Options &Opts) {
  if (!Opts.KeepHeaders)
    return nullptr;
  if (!Opts.HeaderCache.empty()) {
    auto Opened = HeaderCache::open(Opts.HeaderCache);
    if (!Opened)
      return cannotCreateFolder(Opts.HeaderCache, Opened.takeError());
    return Opened;
  }
  SmallString<128> Folder;
  if (!sys::path::cache_directory(Folder))
    return nullptr;
  sys::path::append(Folder, "barricade", "headers");
  auto Opened = HeaderCache::open(Folder);
  if (Opened)
    return Opened;
  consumeError(Opened.takeError());
  return nullptr;
}

bool isCudaSource(StringRef File) { return File.ends_with(".cu"); }

/// The CUDA sources in \p Folder, by name. Hidden folders and what CMake builds
/// is left out.
static std::vector<std::string> sourcesIn(StringRef Folder) {
  std::vector<std::string> Result;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator
           I(Folder, EC, /*follow_symlinks=*/false),
       End;
       !EC && I != End; I.increment(EC)) {
    const bool IsFolder = I->type() == sys::fs::file_type::directory_file;
    if (IsFolder && (sys::path::filename(I->path()).starts_with(".") ||
                     sys::fs::exists(I->path() + "/CMakeCache.txt")))
      I.no_push();
    else if (!IsFolder && isCudaSource(I->path()))
      Result.push_back(I->path());
  }
  sort(Result);
  return Result;
}

static std::vector<std::string> sourcesOf(StringRef Folder,
                                          const CommandSource &Commands) {
  std::vector<std::string> Known = Commands.filesBelow(canonicalPath(Folder));
  erase_if(Known, [](StringRef File) { return !isCudaSource(File); });
  return Known.empty() ? sourcesIn(Folder) : Known;
}

/// Empty for a file that cannot be read, which Clang tells of.
static std::string beginningOf(StringRef File) {
  auto Open = sys::fs::openNativeFileForRead(File);
  if (!Open) {
    consumeError(Open.takeError());
    return {};
  }
  std::string Text(8000, '\0');
  Expected<size_t> Size =
      sys::fs::readNativeFile(*Open, MutableArrayRef(Text.data(), Text.size()));
  sys::fs::closeFile(*Open);
  Text.resize(Size ? *Size : 0);
  consumeError(Size.takeError());
  return Text;
}

/// Whether the beginning of a file is what no editor would show: of a text,
/// hardly a byte is a control character.
static bool isBinary(StringRef Beginning) {
  const size_t Controls = count_if(Beginning, [](unsigned char C) {
    return C < ' ' && !(C >= '\b' && C <= '\r') && C != '\x1b';
  });
  return Controls * 20 > Beginning.size();
}

/// Fails where \p File is nothing to be read as a source.
static Error checkSource(StringRef File) {
  if (!sys::fs::exists(File))
    return createStringError("'" + File + "': no such file");
  // A pipe would be read once, and every pass reads its file anew.
  if (!sys::fs::is_regular_file(File))
    return createStringError("'" + File + "' is not a regular file");
  if (isBinary(beginningOf(File)))
    return createStringError("'" + File + "' is not a text");
  return Error::success();
}

Expected<std::vector<std::string>> inputFiles(const Options &Opts,
                                              const CommandSource &Commands) {
  std::vector<std::string> Result;
  StringSet<> Seen;
  auto Add = [&](StringRef File) {
    if (Seen.insert(canonicalPath(File)).second)
      Result.push_back(File.str());
  };
  for (StringRef Name : Opts.Files) {
    if (!sys::fs::is_directory(Name)) {
      if (Error E = checkSource(Name))
        return E;
      Add(Name);
      continue;
    }
    const std::vector<std::string> Sources = sourcesOf(Name, Commands);
    if (Sources.empty())
      return createStringError("the folder '" + Name + "' has no CUDA sources");
    for_each(Sources, Add);
  }
  if (!Opts.Files.empty())
    return Result;
  for (StringRef File : Commands.allFiles())
    if (isCudaSource(File))
      Add(File);
  if (Result.empty())
    return createStringError("the compilation database in '" + Opts.BuildDir +
                             "' has no CUDA sources");
  return Result;
}

Error checkToolkit(const Options &Opts) {
  if (Opts.CudaPath.empty() ||
      toolkitAt(Opts.CudaPath, *vfs::getRealFileSystem()))
    return Error::success();
  return createStringError("--cuda-path: '" + Opts.CudaPath +
                           "' has no CUDA toolkit (include/cuda.h)");
}

static TranslateOptions translateOptions(const Options &Opts) {
  TranslateOptions Result;
  Result.Env = processEnvironment();
  Result.CudaPath = Opts.CudaPath;
  Result.NoToolkit = Opts.NoToolkit;
  return Result;
}

/// Whether \p Command finds the header that rewritten sources include.
static bool findsRuntime(const TranslatedCommand &Command) {
  std::vector<std::string> Folders =
      Command.includeFolders({"-I", "-isystem", "-idirafter"});
  Folders.insert(Folders.end(), {"/usr/local/include", "/usr/include"});
  return any_of(Folders, [](const std::string &Folder) {
    return sys::fs::exists(Folder + "/" +
                           includeName(RuntimeHeader::Include).trim("<>"));
  });
}

Expected<std::vector<TranslatedCommand>>
translateFile(StringRef File, const CommandSource &Commands,
              const Options &Opts, FileReport &Report) {
  Expected<CommandSource::Answer> Answer = Commands.commandsFor(File);
  if (!Answer)
    return Answer.takeError();
  Report.Origin = Answer->Origin;
  Report.By = Answer->By;
  Report.IncludedBy = Answer->IncludedBy;
  if (!Answer->Commands.empty()) {
    Report.CommandLine = Answer->Commands.front().CommandLine;
    Report.Directory = Answer->Commands.front().Directory;
  }

  const TranslateOptions Translating = translateOptions(Opts);
  std::vector<TranslatedCommand> Result;
  std::string WhySkipped = "there is no command";
  for (const clang::tooling::CompileCommand &Command : Answer->Commands) {
    Expected<Translation> T = translateCommand(Command, Translating);
    if (!T)
      return T.takeError();
    if (auto *Skipped = std::get_if<SkippedCommand>(&*T)) {
      WhySkipped = Skipped->Reason;
      continue;
    }
    TranslatedCommand &Translated = std::get<TranslatedCommand>(*T);
    Report.IsCuda |= Translated.IsCuda;
    Report.LacksRuntime |= !findsRuntime(Translated);
    if (!Opts.GpuArchs.empty()) {
      Translated.Facts.Archs = Translated.Facts.NamedArchs = Opts.GpuArchs;
      Translated.Facts.ArchsGiven = true;
      Translated.Facts.AcceleratedArchs.clear();
    }
    if (Translated.Facts.ArchsGiven)
      append_range(Report.TargetSms, Translated.Facts.NamedArchs);
    append_range(Report.Notes, Translated.Notes);
    Result.push_back(std::move(Translated));
  }
  if (Result.empty())
    return createStringError("nothing compiles this file: " + WhySkipped);
  sort(Report.TargetSms);
  Report.TargetSms.erase(unique(Report.TargetSms), Report.TargetSms.end());
  return Result;
}

namespace {

/// The files of one analysis and what became of them. Threads share it.
class FileQueue {
public:
  FileQueue(ArrayRef<InputFile> Files, const CommandSource &Commands,
            const AnalysisOptions &Analysis)
      : Files(Files), Commands(Commands), Analysis(Analysis),
        Results(Files.size()) {}

  void analyzeOne(size_t Index) {
    if (isClosed())
      return;
    FileResult Result = analyzeGuarded(Files[Index], Commands, Analysis,
                                       Analysis.EndsRun && Files.size() == 1);
    std::lock_guard<std::mutex> Guard(Lock);
    if (Closed)
      return;
    Results[Index] = std::move(Result);
    if (Analysis.OnFileDone)
      Analysis.OnFileDone(Files[Index].Name);
    if (++Done == Files.size() && Analysis.Watch)
      Analysis.Watch->finish();
  }

  /// What is done, in the order of the files. Nothing is added afterwards.
  std::vector<FileResult> close() {
    std::lock_guard<std::mutex> Guard(Lock);
    Closed = true;
    std::vector<FileResult> Finished;
    for (std::optional<FileResult> &Result : Results)
      if (Result)
        Finished.push_back(std::move(*Result));
    return Finished;
  }

private:
  bool isClosed() {
    std::lock_guard<std::mutex> Guard(Lock);
    return Closed;
  }

  ArrayRef<InputFile> Files;
  const CommandSource &Commands;
  const AnalysisOptions &Analysis;
  std::mutex Lock; ///< Guards what follows.
  std::vector<std::optional<FileResult>> Results;
  size_t Done = 0;
  bool Closed = false;
};

} // namespace

/// Analyses what is in \p Queue, which is left to its threads where Ctrl-C
/// comes.
static std::vector<FileResult> runQueue(std::unique_ptr<FileQueue> Queue,
                                        size_t Size,
                                        const AnalysisOptions &Analysis) {
  if (Size == 0 || (!Analysis.Watch && (Size == 1 || Analysis.Jobs == 1))) {
    for (size_t Index = 0; Index < Size; ++Index)
      Queue->analyzeOne(Index);
    return Queue->close();
  }
  auto Pool =
      std::make_unique<DefaultThreadPool>(hardware_concurrency(Analysis.Jobs));
  for (size_t Index = 0; Index < Size; ++Index)
    Pool->async([&Each = *Queue, Index] { Each.analyzeOne(Index); });
  const bool Interrupted = Analysis.Watch && Analysis.Watch->wait();
  if (!Interrupted)
    Pool->wait();
  std::vector<FileResult> Results = Queue->close();
  if (Interrupted) {
    if (Analysis.OnInterrupted)
      Analysis.OnInterrupted();
    BuryPointer(std::move(Pool));
    BuryPointer(std::move(Queue));
  }
  return Results;
}

Report analyze(ArrayRef<InputFile> Files, const CommandSource &Commands,
               const AnalysisOptions &Analysis) {
  Report R;
  for (const Rule *Rule : Analysis.Rules)
    R.Rules.push_back(Rule->id().str());
  if (Analysis.OnBegin)
    Analysis.OnBegin(Files.size());
  for (FileResult &Result :
       runQueue(std::make_unique<FileQueue>(Files, Commands, Analysis),
                Files.size(), Analysis)) {
    R.Files.push_back(std::move(Result.Report));
    append_range(R.Findings, std::move(Result.Findings));
    R.Texts.merge(Result.Texts);
  }
  R.NotReached = Files.size() - R.Files.size();
  R.Findings = reconcile(std::move(R.Findings));
  if (Analysis.OnReconciled)
    Analysis.OnReconciled(R);
  for (const Rule *Each : Analysis.Rules)
    Each->choose(R.Findings);
  return R;
}

} // namespace barricade
