//===- CommandSource.cpp - Which command line compiles a file -------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/CommandSource.h"
#include "frontend/CommandLine.h"
#include "frontend/HostOptions.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <deque>
#include <map>
#include <mutex>

using namespace llvm;
using namespace barricade;
using clang::tooling::CompileCommand;
using clang::tooling::JSONCommandLineSyntax;
using clang::tooling::JSONCompilationDatabase;

static constexpr StringLiteral DatabaseName = "compile_commands.json";
static constexpr StringLiteral FlagsName = "compile_flags.txt";

static std::string below(StringRef Folder, StringRef Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  return std::string(Path);
}

static Expected<std::unique_ptr<JSONCompilationDatabase>>
loadDatabase(StringRef Path) {
  std::string Message;
  // Loaded by itself: the plug-in that LibTooling finds would also guess
  // commands for other files and expand response files.
  auto Database = JSONCompilationDatabase::loadFromFile(
      Path, Message, JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    return createStringError("cannot use '" + Path + "': " + Message);
  return Database;
}

/// The names in a file's #include lines, branches that are not compiled
/// included.
static std::vector<std::string> includedNames(StringRef Text) {
  std::vector<std::string> Names;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.ltrim();
    if (!Line.consume_front("#") ||
        !(Line = Line.ltrim(), Line.consume_front("include")))
      continue;
    Line = Line.ltrim();
    if (Line.empty() || (Line.front() != '"' && Line.front() != '<'))
      continue;
    char Close = Line.front() == '"' ? '"' : '>';
    size_t End = Line.find(Close, 1);
    if (End != StringRef::npos)
      Names.push_back(Line.slice(1, End).str());
  }
  return Names;
}

/// How many leading path components two files share.
static unsigned sharedFolders(StringRef A, StringRef B) {
  auto [I, J] = std::mismatch(sys::path::begin(A), sys::path::end(A),
                              sys::path::begin(B), sys::path::end(B));
  return std::distance(sys::path::begin(A), I);
}

/// The database's commands, those first whose files are nearest to \p File in
/// the tree of folders.
static std::vector<CompileCommand>
nearestFirst(const JSONCompilationDatabase &Database, StringRef File) {
  std::vector<CompileCommand> Commands = Database.getAllCompileCommands();
  llvm::stable_sort(Commands, [&](const auto &A, const auto &B) {
    auto Nearness = [&](const CompileCommand &C) {
      return sharedFolders(absolutePath(C.Directory, C.Filename), File);
    };
    return Nearness(A) > Nearness(B);
  });
  return Commands;
}

/// The first of \p Commands whose file is of the same kind as \p File, or null.
/// A header of CUDA is read as a source of CUDA.
static const CompileCommand *neighbourOf(ArrayRef<CompileCommand> Commands,
                                         StringRef File) {
  auto KindOf = [](StringRef Name) {
    StringRef Extension = sys::path::extension(Name);
    return Extension == ".cuh" ? StringRef(".cu") : Extension;
  };
  const auto *Found = llvm::find_if(Commands, [&](const CompileCommand &C) {
    return KindOf(C.Filename) == KindOf(File);
  });
  return Found == Commands.end() ? nullptr : Found;
}

/// \p Command as it would be for \p File.
static CompileCommand inPlaceOf(CompileCommand Command, StringRef File) {
  const std::string Old = absolutePath(Command.Directory, Command.Filename);
  for (std::string &Word : Command.CommandLine)
    if (absolutePath(Command.Directory, Word) == Old)
      Word = File.str();
  Command.Filename = File.str();
  return Command;
}

/// The database's files, in its order.
static std::vector<std::string>
filesOf(const JSONCompilationDatabase &Database) {
  std::vector<std::string> Files;
  StringSet<> Seen;
  for (const CompileCommand &Command : Database.getAllCompileCommands()) {
    std::string File = absolutePath(Command.Directory, Command.Filename);
    if (Seen.insert(File).second)
      Files.push_back(std::move(File));
  }
  return Files;
}

//===--- What folders have ------------------------------------------------===//

namespace {
/// What says in a folder how the sources below it are compiled.
struct FolderCommands {
  std::string Path; ///< Of the file; empty: the folder has none.
  std::unique_ptr<JSONCompilationDatabase> Database; ///< Null: flags.
  std::vector<std::string> Flags;                    ///< Of FlagsName.
};
} // namespace

/// A database with its age, so that the newest is the greatest.
using DatedDatabase = std::pair<sys::TimePoint<>, std::string>;

/// Adds the databases of the folders in \p Parent that are called \p Prefix and
/// more.
static void addDatabases(StringRef Parent, StringRef Prefix,
                         vfs::FileSystem &FS,
                         std::vector<DatedDatabase> &Found) {
  std::error_code EC;
  for (vfs::directory_iterator I = FS.dir_begin(Parent, EC), E; !EC && I != E;
       I.increment(EC)) {
    if (!sys::path::filename(I->path()).starts_with(Prefix))
      continue;
    std::string Path = below(I->path(), DatabaseName);
    if (auto Status = FS.status(Path))
      Found.emplace_back(Status->getLastModificationTime(), std::move(Path));
  }
}

/// The database that \p Folder has, in itself or in its builds; empty: none.
static std::string databaseOf(StringRef Folder, vfs::FileSystem &FS) {
  for (std::string Path : {below(Folder, DatabaseName),
                           below(below(Folder, "build"), DatabaseName)})
    if (FS.exists(Path))
      return Path;
  // Of folders that happen to be called so only a project's are builds.
  if (!FS.exists(below(Folder, "CMakeLists.txt")) &&
      !FS.exists(below(Folder, ".git")))
    return {};
  std::vector<DatedDatabase> Builds;
  addDatabases(Folder, "build", FS, Builds);
  addDatabases(Folder, "cmake-build-", FS, Builds);
  const std::string Out = below(Folder, "out");
  addDatabases(Out, "", FS, Builds);
  addDatabases(below(Out, "build"), "", FS, Builds);
  return Builds.empty() ? std::string() : llvm::max_element(Builds)->second;
}

/// One flag on each line.
static Expected<std::vector<std::string>> readFlags(StringRef Path,
                                                    vfs::FileSystem &FS) {
  auto Buffer = FS.getBufferForFile(Path);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message());
  std::vector<std::string> Flags;
  for (StringRef Line : split((*Buffer)->getBuffer(), '\n'))
    if (!Line.trim().empty())
      Flags.push_back(Line.trim().str());
  return Flags;
}

static Expected<FolderCommands> commandsIn(StringRef Folder,
                                           vfs::FileSystem &FS) {
  FolderCommands Result;
  Result.Path = databaseOf(Folder, FS);
  if (!Result.Path.empty()) {
    auto Database = loadDatabase(Result.Path);
    if (!Database)
      return Database.takeError();
    Result.Database = std::move(*Database);
    return Result;
  }
  std::string Path = below(Folder, FlagsName);
  if (!FS.exists(Path))
    return Result;
  auto Flags = readFlags(Path, FS);
  if (!Flags)
    return Flags.takeError();
  Result.Path = std::move(Path);
  Result.Flags = std::move(*Flags);
  return Result;
}

//===--- The source of commands -------------------------------------------===//

struct CommandSource::Impl {
  Options Opts;
  IntrusiveRefCntPtr<vfs::FileSystem> FS;
  std::unique_ptr<JSONCompilationDatabase> Named; ///< From -p.

  std::mutex Lock; ///< Guards what follows.
  std::map<std::string, FolderCommands, std::less<>> Found; ///< By folder.
  StringMap<std::vector<std::string>> Includes;             ///< By file.

  Expected<Answer> answer(StringRef File);
  Expected<const FolderCommands *> nearestTo(StringRef Folder);
  Expected<Answer> fromDatabase(const JSONCompilationDatabase &Database,
                                StringRef Name, StringRef File);
  std::string includerOf(ArrayRef<CompileCommand> Commands, StringRef File);
  bool includes(const CompileCommand &Command, StringRef Wanted);
  const std::vector<std::string> &includesOf(const std::string &File);
  Answer fromFlags(std::vector<std::string> Words, StringRef Directory,
                   StringRef File) const;
  Answer fromDefaults(StringRef File) const;
};

CommandSource::CommandSource(std::unique_ptr<Impl> I) : I(std::move(I)) {}
CommandSource::CommandSource(CommandSource &&) = default;
CommandSource &CommandSource::operator=(CommandSource &&) = default;
CommandSource::~CommandSource() = default;

Expected<CommandSource>
CommandSource::create(Options Opts, IntrusiveRefCntPtr<vfs::FileSystem> FS) {
  auto I = std::make_unique<Impl>();
  I->FS = FS ? std::move(FS) : vfs::createPhysicalFileSystem();
  if (Opts.WorkingDirectory.empty()) {
    ErrorOr<std::string> Current = I->FS->getCurrentWorkingDirectory();
    if (!Current)
      return errorCodeToError(Current.getError());
    Opts.WorkingDirectory = *Current;
  }
  if (!Opts.BuildDir.empty()) {
    auto Database = loadDatabase(below(
        absolutePath(Opts.WorkingDirectory, Opts.BuildDir), DatabaseName));
    if (!Database)
      return Database.takeError();
    I->Named = std::move(*Database);
  }
  I->Opts = std::move(Opts);
  return CommandSource(std::move(I));
}

Expected<CommandSource::Answer>
CommandSource::commandsFor(StringRef File) const {
  std::lock_guard<std::mutex> Guard(I->Lock);
  return I->answer(absolutePath(I->Opts.WorkingDirectory, File));
}

std::vector<std::string> CommandSource::allFiles() const {
  return I->Named ? filesOf(*I->Named) : std::vector<std::string>();
}

std::vector<std::string> CommandSource::filesWith(StringRef Folder) const {
  std::lock_guard<std::mutex> Guard(I->Lock);
  const std::string Full = absolutePath(I->Opts.WorkingDirectory, Folder);
  const JSONCompilationDatabase *Database = I->Named.get();
  if (!Database && !I->Opts.HasFixedFlags) {
    auto Nearest = I->nearestTo(Full);
    if (Nearest && *Nearest)
      Database = (*Nearest)->Database.get();
    else
      consumeError(Nearest.takeError());
  }
  return Database ? filesOf(*Database) : std::vector<std::string>();
}

std::vector<std::string> CommandSource::filesBelow(StringRef Folder) const {
  const std::string Full = absolutePath(I->Opts.WorkingDirectory, Folder);
  std::vector<std::string> Files = filesWith(Folder);
  llvm::erase_if(Files, [&](StringRef File) {
    return Full != "/" && !(File.consume_front(Full) && File.starts_with("/"));
  });
  return Files;
}

Expected<CommandSource::Answer> CommandSource::Impl::answer(StringRef File) {
  if (Opts.HasFixedFlags) {
    Answer Result = fromFlags(Opts.FixedFlags, Opts.WorkingDirectory, File);
    Result.Origin = "the flags after --";
    return Result;
  }
  if (Named)
    return fromDatabase(*Named, below(Opts.BuildDir, DatabaseName), File);

  auto Nearest = nearestTo(sys::path::parent_path(File));
  if (!Nearest)
    return Nearest.takeError();
  if (!*Nearest) {
    Answer Result = fromDefaults(File);
    Result.Origin += "; there is no compile_commands.json above the file";
    return Result;
  }
  const FolderCommands &Commands = **Nearest;
  if (!Commands.Database) {
    Answer Result =
        fromFlags(Commands.Flags, sys::path::parent_path(Commands.Path), File);
    Result.Origin = Commands.Path;
    return Result;
  }
  Expected<Answer> Known =
      fromDatabase(*Commands.Database, Commands.Path, File);
  if (Known)
    return Known;
  // Nobody asked for this database: its silence is no error.
  consumeError(Known.takeError());
  Answer Result = fromDefaults(File);
  Result.Origin += "; " + Commands.Path + " knows no file like it";
  return Result;
}

/// What the nearest folder that has something has, from \p Folder upwards; null
/// where none has.
Expected<const FolderCommands *>
CommandSource::Impl::nearestTo(StringRef Folder) {
  for (; !Folder.empty(); Folder = sys::path::parent_path(Folder)) {
    auto Known = Found.find(Folder);
    if (Known == Found.end()) {
      Expected<FolderCommands> Commands = commandsIn(Folder, *FS);
      if (!Commands)
        return Commands.takeError();
      Known = Found.emplace(Folder, std::move(*Commands)).first;
    }
    if (!Known->second.Path.empty())
      return &Known->second;
  }
  return nullptr;
}

Expected<CommandSource::Answer>
CommandSource::Impl::fromDatabase(const JSONCompilationDatabase &Database,
                                  StringRef Name, StringRef File) {
  Answer Result;
  Result.Origin = Name.str();
  Result.Commands = Database.getCompileCommands(File);
  if (!Result.Commands.empty())
    return Result;
  std::vector<CompileCommand> Nearest = nearestFirst(Database, File);
  Result.IncludedBy = includerOf(Nearest, File);
  if (!Result.IncludedBy.empty()) {
    Result.Commands = Database.getCompileCommands(Result.IncludedBy);
    return Result;
  }
  const CompileCommand *Neighbour = neighbourOf(Nearest, File);
  if (!Neighbour)
    return createStringError(
        Name + " has no entry for '" + File +
        "', nor for a file that includes it or is like it");
  Result.By = Authority::Neighbour;
  Result.Origin += " has no entry for it; that of its neighbour '" +
                   absolutePath(Neighbour->Directory, Neighbour->Filename) +
                   "' is taken";
  Result.Commands.push_back(inPlaceOf(*Neighbour, File));
  return Result;
}

/// The first file of \p Commands that includes \p File; empty: none does.
std::string CommandSource::Impl::includerOf(ArrayRef<CompileCommand> Commands,
                                            StringRef File) {
  for (const CompileCommand &Command : Commands)
    if (includes(Command, File))
      return absolutePath(Command.Directory, Command.Filename);
  return {};
}

/// The folders that the command's -I options name.
static std::vector<std::string> includeFolders(const CompileCommand &Command,
                                               vfs::FileSystem &FS) {
  TranslateOptions Options;
  Options.FS = &FS;
  Expected<Translation> T = translateCommand(Command, Options);
  if (!T) {
    consumeError(T.takeError());
    return {};
  }
  auto *Translated = std::get_if<TranslatedCommand>(&*T);
  return Translated ? Translated->includeFolders({"-I"})
                    : std::vector<std::string>();
}

bool CommandSource::Impl::includes(const CompileCommand &Command,
                                   StringRef Wanted) {
  std::vector<std::string> Folders = includeFolders(Command, *FS);
  std::deque<std::string> Queue = {
      absolutePath(Command.Directory, Command.Filename)};
  StringSet<> Seen;
  while (!Queue.empty()) {
    std::string File = std::move(Queue.front());
    Queue.pop_front();
    for (const std::string &Name : includesOf(File)) {
      std::vector<std::string> Places = {sys::path::parent_path(File).str()};
      llvm::append_range(Places, Folders);
      for (const std::string &Place : Places) {
        std::string Path = absolutePath(Place, Name);
        if (Path == Wanted)
          return true;
        if (!FS->exists(Path))
          continue;
        if (Seen.insert(Path).second)
          Queue.push_back(std::move(Path));
        break;
      }
    }
  }
  return false;
}

const std::vector<std::string> &
CommandSource::Impl::includesOf(const std::string &File) {
  auto [Entry, IsNew] = Includes.try_emplace(File);
  if (IsNew)
    if (auto Buffer = FS->getBufferForFile(File))
      Entry->second = includedNames((*Buffer)->getBuffer());
  return Entry->second;
}

/// Flags after `--` are nvcc's where an nvcc leads them, or where nvcc knows
/// all of them and Clang does not, or would read one as something else.
static bool areForNvcc(ArrayRef<std::string> Flags) {
  std::vector<const char *> Pointers;
  for (const std::string &Flag : Flags)
    Pointers.push_back(Flag.c_str());
  unsigned MissingIndex, MissingCount;
  opt::InputArgList Args =
      nvccOptTable().ParseArgs(Pointers, MissingIndex, MissingCount);
  bool NvccKnowsAll = !MissingCount && none_of(Args, [](const opt::Arg *A) {
    return A->getOption().getKind() == opt::Option::UnknownClass;
  });
  return NvccKnowsAll && !clangReadsAlike(Flags, Args);
}

/// \p Words: flags in the words of the compiler that they begin with, if they
/// name one.
CommandSource::Answer
CommandSource::Impl::fromFlags(std::vector<std::string> Words,
                               StringRef Directory, StringRef File) const {
  bool NamesCompiler = !Words.empty() &&
                       !StringRef(Words[0]).starts_with("-") &&
                       !StringRef(Words[0]).contains('=');
  if (!NamesCompiler)
    Words.insert(Words.begin(),
                 areForNvcc(Words) ? "nvcc" : Opts.FixedCompiler);
  Words.push_back(File.str());
  Answer Result;
  Result.Commands.emplace_back(Directory, File, std::move(Words),
                               /*Output=*/"");
  return Result;
}

/// Read as `nvcc FILE` would read it; nvcc's own defaults (dialect, sm_75 for
/// CUDA 13) are what a user without a build system gets.
CommandSource::Answer CommandSource::Impl::fromDefaults(StringRef File) const {
  Answer Result;
  Result.By = Authority::Nobody;
  Result.Commands.emplace_back(
      Opts.WorkingDirectory, File,
      std::vector<std::string>{"nvcc", "-x", "cu", "-c", File.str()},
      /*Output=*/"");
  Result.Origin = "nvcc's defaults";
  return Result;
}
