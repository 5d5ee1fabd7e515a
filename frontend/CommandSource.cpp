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

static Expected<std::unique_ptr<JSONCompilationDatabase>>
loadDatabase(StringRef Folder) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, DatabaseName);
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

static std::string normalized(StringRef Folder, StringRef Path) {
  SmallString<128> Full(Path);
  sys::path::make_absolute(Folder, Full);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return std::string(Full);
}

/// How many leading path components two files share.
static unsigned sharedFolders(StringRef A, StringRef B) {
  auto [I, J] = std::mismatch(sys::path::begin(A), sys::path::end(A),
                              sys::path::begin(B), sys::path::end(B));
  return std::distance(sys::path::begin(A), I);
}

struct CommandSource::Impl {
  Options Opts;
  IntrusiveRefCntPtr<vfs::FileSystem> FS;
  std::unique_ptr<JSONCompilationDatabase> Named; ///< From -p.

  std::mutex Lock; ///< Guards what follows.
  std::map<std::string, std::unique_ptr<JSONCompilationDatabase>, std::less<>>
      Found; ///< By folder; null: a folder without a database.
  StringMap<std::vector<std::string>> Includes; ///< By file.

  Expected<Answer> answer(StringRef File);
  Expected<JSONCompilationDatabase *> databaseAbove(StringRef File,
                                                    std::string &Folder);
  Expected<Answer> fromDatabase(const JSONCompilationDatabase &Database,
                                StringRef Name, StringRef File);
  std::string includerOf(const JSONCompilationDatabase &Database,
                         StringRef File);
  bool includes(const CompileCommand &Command, StringRef Wanted);
  const std::vector<std::string> &includesOf(const std::string &File);
  Answer fromFixedFlags(StringRef File) const;
  Answer fromDefaults(StringRef File) const;
  CompileCommand command(StringRef File, std::vector<std::string> Words) const {
    return {Opts.WorkingDirectory, File, std::move(Words), /*Output=*/""};
  }
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
    auto Database =
        loadDatabase(normalized(Opts.WorkingDirectory, Opts.BuildDir));
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
  return I->answer(normalized(I->Opts.WorkingDirectory, File));
}

std::vector<std::string> CommandSource::allFiles() const {
  return I->Named ? I->Named->getAllFiles() : std::vector<std::string>();
}

Expected<CommandSource::Answer> CommandSource::Impl::answer(StringRef File) {
  if (Opts.HasFixedFlags)
    return fromFixedFlags(File);
  if (Named)
    return fromDatabase(*Named, Opts.BuildDir, File);

  std::string Folder;
  Expected<JSONCompilationDatabase *> Database = databaseAbove(File, Folder);
  if (!Database)
    return Database.takeError();
  if (!*Database)
    return fromDefaults(File);
  Expected<Answer> Known = fromDatabase(**Database, Folder, File);
  if (Known)
    return Known;
  // Nobody asked for this database: its silence is no error.
  consumeError(Known.takeError());
  Answer Result = fromDefaults(File);
  Result.Origin +=
      "; " + Folder + "/" + DatabaseName.str() + " does not know the file";
  return Result;
}

Expected<JSONCompilationDatabase *>
CommandSource::Impl::databaseAbove(StringRef File, std::string &Folder) {
  for (StringRef Dir = sys::path::parent_path(File); !Dir.empty();
       Dir = sys::path::parent_path(Dir)) {
    auto [Entry, IsNew] = Found.try_emplace(Dir.str());
    if (IsNew && FS->exists(Dir + "/" + DatabaseName)) {
      auto Database = loadDatabase(Dir);
      if (!Database)
        return Database.takeError();
      Entry->second = std::move(*Database);
    }
    if (Entry->second) {
      Folder = Dir.str();
      return Entry->second.get();
    }
  }
  return nullptr;
}

Expected<CommandSource::Answer>
CommandSource::Impl::fromDatabase(const JSONCompilationDatabase &Database,
                                  StringRef Name, StringRef File) {
  Answer Result;
  Result.Origin = (Name + "/" + DatabaseName).str();
  Result.Commands = Database.getCompileCommands(File);
  if (!Result.Commands.empty())
    return Result;
  Result.IncludedBy = includerOf(Database, File);
  if (Result.IncludedBy.empty())
    return createStringError(Name + "/" + DatabaseName + " has no entry for '" +
                             File + "', nor for a file that includes it");
  Result.Commands = Database.getCompileCommands(Result.IncludedBy);
  return Result;
}

/// The file of the database, nearest to \p File in the tree of folders, that
/// includes \p File; empty: none does.
std::string
CommandSource::Impl::includerOf(const JSONCompilationDatabase &Database,
                                StringRef File) {
  std::vector<CompileCommand> Commands = Database.getAllCompileCommands();
  llvm::stable_sort(Commands, [&](const auto &A, const auto &B) {
    auto Nearness = [&](const CompileCommand &C) {
      return sharedFolders(normalized(C.Directory, C.Filename), File);
    };
    return Nearness(A) > Nearness(B);
  });
  for (const CompileCommand &Command : Commands)
    if (includes(Command, File))
      return normalized(Command.Directory, Command.Filename);
  return {};
}

/// The folders that the command's -I options name.
static std::vector<std::string> includeFolders(const CompileCommand &Command,
                                               vfs::FileSystem &FS) {
  TranslateOptions Options;
  Options.FS = &FS;
  std::vector<std::string> Folders;
  Expected<Translation> T = translateCommand(Command, Options);
  if (!T) {
    consumeError(T.takeError());
    return Folders;
  }
  auto *Translated = std::get_if<TranslatedCommand>(&*T);
  if (!Translated)
    return Folders;
  ArrayRef<std::string> Args = Translated->Args;
  for (; !Args.empty(); Args = Args.drop_front()) {
    StringRef Value = Args.front();
    if (Value == "-I" && Args.size() > 1)
      Folders.push_back(normalized(Command.Directory, Args[1]));
    else if (Value.consume_front("-I") && !Value.empty())
      Folders.push_back(normalized(Command.Directory, Value));
  }
  return Folders;
}

bool CommandSource::Impl::includes(const CompileCommand &Command,
                                   StringRef Wanted) {
  std::vector<std::string> Folders = includeFolders(Command, *FS);
  std::deque<std::string> Queue = {
      normalized(Command.Directory, Command.Filename)};
  StringSet<> Seen;
  while (!Queue.empty()) {
    std::string File = std::move(Queue.front());
    Queue.pop_front();
    for (const std::string &Name : includesOf(File)) {
      std::vector<std::string> Places = {sys::path::parent_path(File).str()};
      llvm::append_range(Places, Folders);
      for (const std::string &Place : Places) {
        std::string Path = normalized(Place, Name);
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

CommandSource::Answer
CommandSource::Impl::fromFixedFlags(StringRef File) const {
  std::vector<std::string> Words = Opts.FixedFlags;
  bool NamesCompiler = !Words.empty() &&
                       !StringRef(Words[0]).starts_with("-") &&
                       !StringRef(Words[0]).contains('=');
  if (!NamesCompiler)
    Words.insert(Words.begin(),
                 areForNvcc(Words) ? "nvcc" : Opts.FixedCompiler);
  Words.push_back(File.str());
  Answer Result;
  Result.Commands.push_back(command(File, std::move(Words)));
  Result.Origin = "the flags after --";
  return Result;
}

/// Read as `nvcc FILE` would read it; nvcc's own defaults (dialect, sm_75 for
/// CUDA 13) are what a user without a build system gets.
CommandSource::Answer CommandSource::Impl::fromDefaults(StringRef File) const {
  Answer Result;
  Result.Commands.push_back(
      command(File, {"nvcc", "-x", "cu", "-c", File.str()}));
  Result.Origin = "nvcc's defaults";
  return Result;
}
