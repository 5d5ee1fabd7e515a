// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/ResultCache.h"
#include "frontend/Archive.h"
#include "frontend/HeaderCache.h"
#include "tool/Paths.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace barricade {

//===--- What entries are made of -----------------------------------------===//

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
         Diagnostics, FirstError, Error, Notes, Warnings] = F;
  Archive(Name, Path, Outcome, Origin, By, CommandLine, Directory, IsCuda,
          LacksRuntime, UserFiles, TargetSms, MayIncludeMore, IncludedBy,
          Diagnostics, FirstError, Error, Notes, Warnings);
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

bool readEntry(StringRef Bytes, Entry &Into) {
  ArchiveReader Reader(Bytes);
  Reader(Into);
  return !Reader.failed();
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

ResultCache::ResultCache(std::unique_ptr<CacheFolder> Folder)
    : Folder(std::move(Folder)), Program(digestOfProgram()) {}

Expected<std::unique_ptr<ResultCache>>
ResultCache::open(StringRef Folder, CachePruningPolicy Policy) {
  auto Opened = CacheFolder::open(Folder, Policy);
  if (!Opened)
    return cannotCreateFolder(Folder, Opened.takeError());
  return std::unique_ptr<ResultCache>(new ResultCache(std::move(*Opened)));
}

std::string ResultCache::nameFor(const InputFile &File,
                                 ArrayRef<TranslatedCommand> Commands,
                                 const FileReport &Known, bool Color,
                                 StringRef OfOthers) const {
  std::vector<std::string> Rules, Environment = clangsVariables();
  for (const Rule *Each : File.Rules)
    Rules.push_back(Each->id().str());
  std::vector<TranslatedCommand> Copy = Commands.vec();
  RuleOptions Options = File.Opts->Rules;
  // Rules ask which headers may be edited.
  std::vector<std::string> Headers = File.Opts->HeaderGlobs;
  std::string Root = File.Opts->ProjectRoot;
  FileReport Report = Known;
  std::string Identity = Program, Others = OfOthers.str();
  ArchiveWriter Writer;
  Writer(Identity, Environment, Rules, Options, Headers, Root, Copy, Report,
         Color, Others);
  return toHex(SHA256::hash(arrayRefFromStringRef(Writer.take())), true);
}

std::optional<FileResult> ResultCache::find(StringRef Name) {
  auto Kept = Folder->find(Name);
  Entry Found;
  if (!Kept || !readEntry(Kept->Bytes, Found) ||
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
  Folder->store(Name, Writer.take());
}

} // namespace barricade
