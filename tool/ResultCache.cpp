// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/ResultCache.h"
#include "tool/Archive.h"
#include "tool/Paths.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace barricade {

//===--- What entries are made of -----------------------------------------===//

template <typename A> void archive(A &Archive, Probe &P) {
  auto &[Asked, Path, Low, High] = P;
  Archive(Asked, Path, Low, High);
}
template <typename A> void archive(A &Archive, Place &P) {
  auto &[File, Offset, Line, Column] = P;
  Archive(File, Offset, Line, Column);
}
template <typename A> void archive(A &Archive, Fact &F) {
  auto &[Name, Value, Unit] = F;
  Archive(Name, Value, Unit);
}
template <typename A> void archive(A &Archive, Note &N) {
  auto &[Where, Text] = N;
  Archive(Where, Text);
}
template <typename A> void archive(A &Archive, Reason &R) {
  auto &[Id, Where, Text, Notes] = R;
  Archive(Id, Where, Text, Notes);
}
template <typename A> void archive(A &Archive, AccessFact &F) {
  auto &[Where, Kind, Space, Base, WidthBytes, Index, Locality, Stride] = F;
  Archive(Where, Kind, Space, Base, WidthBytes, Index, Locality, Stride);
}
template <typename A> void archive(A &Archive, Edit &E) {
  auto &[File, Offset, Length, Text, WithOthers] = E;
  Archive(File, Offset, Length, Text, WithOthers);
}
template <typename A> void archive(A &Archive, FunctionChange &C) {
  auto &[What, Function] = C;
  Archive(What, Function);
}
template <typename A> void archive(A &Archive, Suppression &S) {
  auto &[How, Where] = S;
  Archive(How, Where);
}
template <typename A> void archive(A &Archive, Finding &F) {
  auto &[Rule, Outcome, Where, End, Function, Subject, Form, Message, Facts,
         Accesses, Reasons, Edits, Silenced, Companions, Changes, Parts, AlsoOf,
         Instead] = F;
  Archive(Rule, Outcome, Where, End, Function, Subject, Form, Message, Facts,
          Accesses, Reasons, Edits, Silenced, Companions, Changes, Parts,
          AlsoOf, Instead);
}
template <typename A> void archive(A &Archive, FileReport &F) {
  auto &[Name, Path, Outcome, Origin, By, CommandLine, Directory, IsCuda,
         LacksRuntime, UserFiles, TargetSms, MayIncludeMore, IncludedBy,
         Diagnostics, FirstError, Error, Notes] = F;
  Archive(Name, Path, Outcome, Origin, By, CommandLine, Directory, IsCuda,
          LacksRuntime, UserFiles, TargetSms, MayIncludeMore, IncludedBy,
          Diagnostics, FirstError, Error, Notes);
}
template <typename A> void archive(A &Archive, RuleOptions &R) {
  auto &[MinInstructions, MinMemoryRatio, Interval, Intervals, WithoutBarrier,
         GpuSync, Scope, LogicalBlocks, LogicalThreads, FromStart, Loops,
         Replays, Overlaps, IgnoreReferences, Header] = R;
  Archive(MinInstructions, MinMemoryRatio, Interval, Intervals, WithoutBarrier,
          GpuSync, Scope, LogicalBlocks, LogicalThreads, FromStart, Loops,
          Replays, Overlaps, IgnoreReferences, Header);
}
template <typename A> void archive(A &Archive, HostArithmetic &H) {
  auto &[Float, Any] = H;
  Archive(Float, Any);
}
template <typename A> void archive(A &Archive, BuildFacts &F) {
  auto &[MaxRegCount, FastMath, Arithmetic, Restrict, PerThreadStream,
         RelocatableCode, DeviceDebug, Archs, NamedArchs, ArchsGiven,
         AcceleratedArchs, LacksCudaLibrary, CudaPath, Dialect] = F;
  Archive(MaxRegCount, FastMath, Arithmetic, Restrict, PerThreadStream,
          RelocatableCode, DeviceDebug, Archs, NamedArchs, ArchsGiven,
          AcceleratedArchs, LacksCudaLibrary, CudaPath, Dialect);
}
template <typename A> void archive(A &Archive, TranslatedCommand &C) {
  auto &[Directory, File, IsCuda, Args, Facts, AreErrors, Warnings, HostWarns,
         Notes] = C;
  Archive(Directory, File, IsCuda, Args, Facts, AreErrors, Warnings, HostWarns,
          Notes);
}

namespace {

struct TextOfFile {
  std::string Path, Text;
};
template <typename A> void archive(A &Archive, TextOfFile &T) {
  auto &[Path, Text] = T;
  Archive(Path, Text);
}

/// A file of the cache.
struct Entry {
  std::vector<Probe> Probes;
  FileReport Report;
  std::vector<Finding> Findings;
  std::vector<TextOfFile> Texts;
};
template <typename A> void archive(A &Archive, Entry &E) {
  auto &[Probes, Report, Findings, Texts] = E;
  Archive(Probes, Report, Findings, Texts);
}

/// Before the bytes of an entry, so that a part of one is known for it.
std::string checksum(StringRef Bytes) {
  auto Hash = xxh3_128bits(arrayRefFromStringRef(Bytes));
  return "barricade cache " + utohexstr(Hash.high64, true, 16) +
         utohexstr(Hash.low64, true, 16) + "\n";
}

bool readEntry(StringRef File, Entry &Into) {
  const size_t HeadSize = checksum("").size();
  if (File.size() < HeadSize ||
      checksum(File.drop_front(HeadSize)) != File.take_front(HeadSize))
    return false;
  ArchiveReader Reader(File.drop_front(HeadSize));
  Reader(Into);
  return !Reader.failed();
}

/// Of the environment, what Clang's driver and preprocessor read unasked.
std::vector<std::string> clangsVariables() {
  std::vector<std::string> Result;
  for (const char *Name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH",
        "OBJCPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH",
        "COMPILER_PATH", "GCC_INSTALL_PREFIX", "CLANG_NO_DEFAULT_CONFIG"})
    Result.push_back(sys::Process::GetEnv(Name).value_or(""));
  return Result;
}

std::string digestOfProgram() {
  auto Self = MemoryBuffer::getFile("/proc/self/exe", /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  const std::string Version = clang::getClangFullVersion();
  auto Hash = xxh3_128bits(
      arrayRefFromStringRef(Self ? (*Self)->getBuffer() : StringRef()));
  return Version + " " + utohexstr(Hash.high64) + utohexstr(Hash.low64);
}

} // namespace

//===--- Cache ------------------------------------------------------------===//

ResultCache::ResultCache(std::string Folder, CachePruningPolicy Policy)
    : Folder(std::move(Folder)), Policy(Policy), Program(digestOfProgram()) {}

ResultCache::~ResultCache() { pruneCache(Folder, Policy); }

Expected<std::unique_ptr<ResultCache>>
ResultCache::open(StringRef Folder, CachePruningPolicy Policy) {
  std::error_code EC = sys::fs::create_directories(Folder);
  if (!EC && !sys::fs::is_directory(Folder))
    EC = std::make_error_code(std::errc::not_a_directory);
  if (EC)
    return createStringError(EC, "cannot create folder '" +
                                     displayPath(Folder) +
                                     "': " + EC.message());
  return std::unique_ptr<ResultCache>(
      new ResultCache(canonicalPath(Folder), Policy));
}

std::string ResultCache::pathOf(StringRef Name) const {
  SmallString<256> Path(Folder);
  // pruneCache leaves files of any other name alone.
  sys::path::append(Path, "llvmcache-" + Name);
  return std::string(Path);
}

std::string ResultCache::nameFor(const InputFile &File,
                                 ArrayRef<TranslatedCommand> Commands,
                                 const FileReport &Known, bool Color) const {
  std::vector<std::string> Rules, Environment = clangsVariables();
  for (const Rule *Each : File.Rules)
    Rules.push_back(Each->id().str());
  std::vector<TranslatedCommand> Copy = Commands.vec();
  RuleOptions Options = File.Opts->Rules;
  // Rules ask which headers may be edited.
  std::vector<std::string> Headers = File.Opts->HeaderGlobs;
  std::string Root = File.Opts->ProjectRoot;
  FileReport Report = Known;
  std::string Identity = Program;
  ArchiveWriter Writer;
  Writer(Identity, Environment, Rules, Options, Headers, Root, Copy, Report,
         Color);
  return toHex(SHA256::hash(arrayRefFromStringRef(Writer.take())), true);
}

std::optional<FileResult> ResultCache::find(StringRef Name) {
  // The time of use tells which entries are old.
  auto File =
      sys::fs::openNativeFileForRead(pathOf(Name), sys::fs::OF_UpdateAtime);
  if (!File) {
    consumeError(File.takeError());
    return std::nullopt;
  }
  auto Bytes = MemoryBuffer::getOpenFile(*File, Name, /*FileSize=*/-1,
                                         /*RequiresNullTerminator=*/false);
  sys::fs::closeFile(*File);
  Entry Found;
  if (!Bytes || !readEntry((*Bytes)->getBuffer(), Found) ||
      !Checker.stillHold(Found.Probes))
    return std::nullopt;
  FileResult Result;
  Result.Report = std::move(Found.Report);
  Result.Findings = std::move(Found.Findings);
  for (const TextOfFile &T : Found.Texts)
    Result.Texts.add(T.Path, T.Text);
  return Result;
}

void ResultCache::store(StringRef Name, FileProbes Seen, FileResult &Result) {
  if (!Seen.consistent())
    return;
  Entry New{Seen.take(), Result.Report, Result.Findings, {}};
  Result.Texts.forEach([&](StringRef Path, StringRef Text) {
    New.Texts.push_back({Path.str(), Text.str()});
  });
  ArchiveWriter Writer;
  Writer(New);
  const std::string Bytes = Writer.take();

  const std::string Path = pathOf(Name);
  auto Temp = sys::fs::TempFile::create(Path + ".tmp-%%%%%%%%");
  if (!Temp)
    return consumeError(Temp.takeError());
  raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
  OS << checksum(Bytes) << Bytes;
  OS.flush();
  const bool Written = !OS.has_error();
  OS.clear_error();
  Error Ended = Written ? Temp->keep(Path) : Temp->discard();
  if (Ended) {
    consumeError(std::move(Ended));
    consumeError(Temp->discard());
  }
}

} // namespace barricade
