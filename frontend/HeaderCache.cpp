//===- HeaderCache.cpp - Headers that every source begins with ------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/HeaderCache.h"
#include "frontend/Archive.h"
#include "frontend/Precompile.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include <set>

using namespace llvm;

namespace barricade {

std::vector<std::string> clangsVariables() {
  std::vector<std::string> Result;
  for (const char *Name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH",
        "OBJCPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH",
        "COMPILER_PATH", "GCC_INSTALL_PREFIX", "CLANG_NO_DEFAULT_CONFIG"})
    Result.push_back(sys::Process::GetEnv(Name).value_or(""));
  return Result;
}

/// The environment says the same in every folder.
static bool isEnvironmentPlaceless() {
  return all_of(clangsVariables(), [](StringRef Value) {
    if (Value.empty())
      return true;
    SmallVector<StringRef, 4> Parts;
    Value.split(Parts, ':');
    return all_of(Parts,
                  [](StringRef Part) { return sys::path::is_absolute(Part); });
  });
}

//===--- What sources that are compiled alike have in common --------------===//

/// A flag that says the same wherever the command runs.
static bool isPlaceless(StringRef Arg) {
  for (StringRef Prefix :
       {"-std=", "-stdlib=", "-O", "-march=", "-mtune=", "-nocuda"})
    if (Arg.starts_with(Prefix))
      return true;
  for (StringRef Prefix :
       {"--cuda-path=", "-resource-dir=", "--gcc-install-dir="})
    if (Arg.consume_front(Prefix))
      return sys::path::is_absolute(Arg);
  // Those with a value may read files.
  return Arg == "-pthread" ||
         ((Arg.starts_with("-f") || Arg.starts_with("-m")) &&
          !Arg.contains('='));
}

namespace {
/// What a command says about its headers.
struct HeaderCommand {
  /// Without the source, what only the user's files see, and warnings; run in
  /// no folder in particular.
  TranslatedCommand Common;
  /// A macro that the user defines or undefines.
  struct Macro {
    std::string Name;
    std::vector<std::string> Args;
  };
  std::vector<Macro> Macros;
  /// Folders of -idirafter that the disk does not have: who shows a program
  /// that is not written yet puts headers there.
  std::vector<std::string> LateFolders;
};

/// An option with a value, which may be joined.
struct ValueOption {
  StringRef Flag, Value;
  bool Joined;

  void appendTo(std::vector<std::string> &Args) const {
    if (Joined)
      return Args.push_back((Flag + Value).str());
    Args.push_back(Flag.str());
    Args.push_back(Value.str());
  }
};
} // namespace

/// The option that \p Rest begins with, one of \p Flags; a separate value is
/// taken from \p Rest.
static std::optional<ValueOption> takeOption(ArrayRef<std::string> &Rest,
                                             ArrayRef<StringRef> Flags) {
  for (StringRef Flag : Flags) {
    StringRef Value = Rest.front();
    if (!Value.consume_front(Flag))
      continue;
    const bool Joined = !Value.empty();
    if (!Joined && Rest.size() > 1) {
      Rest = Rest.drop_front();
      Value = Rest.front();
    }
    return ValueOption{Flag, Value, Joined};
  }
  return std::nullopt;
}

/// Takes one argument apart; false where it is unknown here.
static bool readArgument(ArrayRef<std::string> &Rest, HeaderCommand &Into) {
  StringRef Arg = Rest.front();
  std::vector<std::string> &Args = Into.Common.Args;
  // -include-pch and others do something else.
  if (auto File = takeOption(Rest, {"-include"}))
    return !File->Joined;
  if (takeOption(Rest, {"-iquote", "-I"}))
    return true;
  if (auto Folder = takeOption(Rest, {"-isystem", "-idirafter"})) {
    if (Folder->Flag == "-idirafter" && !sys::fs::exists(Folder->Value))
      Into.LateFolders.push_back(Folder->Value.str());
    else
      Folder->appendTo(Args);
    return sys::path::is_absolute(Folder->Value);
  }
  if (auto Macro = takeOption(Rest, {"-D", "-U"})) {
    Into.Macros.push_back(
        {Macro->Value.take_until([](char C) { return C == '=' || C == '('; })
             .str(),
         {}});
    Macro->appendTo(Into.Macros.back().Args);
    return true;
  }
  if (auto Language = takeOption(Rest, {"-x"})) {
    Language->appendTo(Args);
    return true;
  }
  if (Arg == "-w" || Arg.starts_with("-W"))
    return !Arg.contains(','); // -Wp,
  Args.push_back(Arg.str());
  return isPlaceless(Arg);
}

/// Nothing where any argument is unknown here.
static std::optional<HeaderCommand>
headerCommand(const TranslatedCommand &Command) {
  ArrayRef<std::string> Rest = Command.Args;
  // Ours: what nvcc has before the first line.
  if (!Command.IsCuda || Rest.size() < 2 || Rest[0] != "-include" ||
      !isEnvironmentPlaceless())
    return std::nullopt;
  HeaderCommand Result{Command, {}, {}};
  TranslatedCommand &Common = Result.Common;
  Common.Args = {Rest[0], Rest[1], "-w"};
  Common.Directory = sys::path::parent_path(Rest[1]).str();
  Common.File = Common.Directory + "/common.cu";
  for (Rest = Rest.drop_front(2); !Rest.empty(); Rest = Rest.drop_front())
    if (!readArgument(Rest, Result))
      return std::nullopt;
  return Result;
}

//===--- Building ---------------------------------------------------------===//

namespace {
/// Notes how headers are looked for.
class LookupObserver : public PreambleObserver {
public:
  std::set<HeaderLookup> Lookups;
  std::string Identifiers;

  std::unique_ptr<clang::PPCallbacks> createPPCallbacks() override {
    return std::make_unique<Callbacks>(*this);
  }

private:
  struct Callbacks : clang::PPCallbacks {
    explicit Callbacks(LookupObserver &Into) : Into(Into) {}
    void InclusionDirective(clang::SourceLocation Hash, const clang::Token &,
                            StringRef Name, bool IsAngled,
                            clang::CharSourceRange,
                            clang::OptionalFileEntryRef File, StringRef,
                            StringRef, const clang::Module *, bool,
                            clang::SrcMgr::CharacteristicKind) override {
      Into.note(Name, IsAngled, File, Hash);
    }
    void HasInclude(clang::SourceLocation Loc, StringRef Name, bool IsAngled,
                    clang::OptionalFileEntryRef File,
                    clang::SrcMgr::CharacteristicKind) override {
      Into.note(Name, IsAngled, File, Loc);
    }
    LookupObserver &Into;
  };

  void AfterExecute(clang::CompilerInstance &CI) override {
    PreambleObserver::AfterExecute(CI);
    Identifiers = "\n";
    for (const auto &Known : CI.getPreprocessor().getIdentifierTable())
      (Identifiers += Known.getKey()) += '\n';
  }

  void note(StringRef Name, bool IsAngled, clang::OptionalFileEntryRef File,
            clang::SourceLocation From) {
    const clang::SourceManager &SM = instance().getSourceManager();
    auto Includer = SM.getFileEntryRefForID(SM.getFileID(From));
    // The including file's own folder is looked at before any other.
    if (!IsAngled && File && Includer &&
        File->getName() ==
            (sys::path::parent_path(Includer->getName()) + "/" + Name).str())
      return;
    Lookups.insert({Name.str(), File ? File->getName().str() : ""});
  }
};
} // namespace

/// The files that belong to the headers' folder of this program.
static bool isOurs(StringRef File, const TranslatedCommand &Common) {
  return File.starts_with(sys::path::parent_path(Common.Directory));
}

/// Clang hands out a precompiled part only by way of a parse after it.
static std::string bytesOf(const clang::PrecompiledPreamble &Built,
                           clang::CompilerInvocation &Invocation) {
  IntrusiveRefCntPtr<vfs::FileSystem> Storage =
      makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto NoSource = MemoryBuffer::getMemBuffer("");
  Built.AddImplicitPreamble(Invocation, Storage, NoSource.get());
  clang::PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  Options.clearRemappedFiles();
  auto File = Storage->getBufferForFile(Options.ImplicitPCHInclude);
  return File ? (*File)->getBuffer().str() : "";
}

PrecompiledHeaders::Entry HeaderCache::build(const TranslatedCommand &Common,
                                             Invoke AsInvocation) {
  PrecompiledHeaders::Entry Result;
  FileProbes Seen;
  auto FS = probingFileSystem(Seen);
  if (FS->setCurrentWorkingDirectory(Common.Directory))
    return Result;
  auto Invocation = AsInvocation(Common, FS);
  if (!Invocation)
    return Result;
  LookupObserver Observed;
  auto Source = MemoryBuffer::getMemBuffer("");
  auto Built = precompile(*Invocation, *Source,
                          clang::PreambleBounds(0, /*AtStartOfLine=*/true), FS,
                          Observed);
  if (!Built ||
      !all_of(Observed.Files.Paths,
              [&](StringRef File) { return isOurs(File, Common); }) ||
      !Seen.consistent())
    return Result;
  Result.Probes = Seen.take();
  Result.Lookups.assign(Observed.Lookups.begin(), Observed.Lookups.end());
  Result.Identifiers = std::move(Observed.Identifiers);
  Result.Includes = Invocation->getPreprocessorOpts().Includes;
  Result.Bytes = bytesOf(*Built, *Invocation);
  return Result;
}

//===--- Use --------------------------------------------------------------===//

/// Where a parse finds the precompiled part.
static constexpr StringLiteral StoredAs = "/__barricade_headers__.pch";

bool PrecompiledHeaders::apply(clang::CompilerInvocation &Invocation,
                               IntrusiveRefCntPtr<vfs::FileSystem> &FS) const {
  clang::PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  if (Options.Includes.size() < Kept.Includes.size() ||
      !std::equal(Kept.Includes.begin(), Kept.Includes.end(),
                  Options.Includes.begin()))
    return false;
  Options.Includes.erase(Options.Includes.begin(),
                         Options.Includes.begin() + Kept.Includes.size());
  Options.ImplicitPCHInclude = StoredAs;
  // Everything that counts was compared by who kept them.
  Options.DisablePCHOrModuleValidation =
      clang::DisableValidationForModuleKind::PCH;
  // One for each parse: it has a working directory, which threads would share.
  auto Storage = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Storage->addFileNoOwn(StoredAs, 0, MemoryBufferRef(Kept.Bytes, StoredAs));
  auto WithStorage = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(FS);
  WithStorage->pushOverlay(Storage);
  FS = WithStorage;
  return true;
}

bool PrecompiledHeaders::mentions(StringRef Identifier) const {
  return StringRef(Kept.Identifiers).contains(("\n" + Identifier + "\n").str());
}

bool PrecompiledHeaders::isShadowedIn(const UsersFolder &Users,
                                      vfs::FileSystem &FS) const {
  const StringRef Folder = Users.Path;
  auto Status = FS.status(Folder);
  if (!Status)
    return false;
  if (!Status->isDirectory()) // a map of headers
    return true;
  return any_of(Kept.Lookups, [&](const HeaderLookup &L) {
    if (sys::path::is_absolute(L.Name) || (Users.IsLast && !L.Path.empty()))
      return false;
    auto Header = FS.status(Folder + "/" + L.Name);
    if (!Header || Header->isDirectory())
      return false;
    // Clang drops -I of a folder that it looks into anyway. The same file by
    // another folder would include others.
    StringRef Own = L.Path;
    if (!Users.IsDroppedIfOwn || !Own.consume_back("/" + L.Name))
      return true;
    auto OwnStatus = FS.status(Own);
    return !OwnStatus || !OwnStatus->equivalent(*Status);
  });
}

Expected<std::unique_ptr<HeaderCache>> HeaderCache::open(StringRef Folder) {
  CachePruningPolicy Policy;
  Policy.Interval = std::chrono::minutes(20);
  Policy.MaxSizeBytes = uint64_t(512) << 20;
  Policy.MaxSizePercentageOfAvailableSpace = 10;
  auto Opened = CacheFolder::open(Folder, Policy);
  if (!Opened)
    return Opened.takeError();
  return std::unique_ptr<HeaderCache>(new HeaderCache(std::move(*Opened)));
}

static std::string nameOf(const TranslatedCommand &Common, Pass P, unsigned Sm,
                          StringRef Setting) {
  // Of the layout of entries.
  std::vector<std::string> Known = {"2"};
  append_range(Known, clangsVariables());
  Known.push_back(clang::getClangFullVersion());
  Known.push_back(Setting.str());
  append_range(Known, Common.argsFor(P, Sm));
  ArchiveWriter Writer;
  Writer(Known);
  return toHex(SHA256::hash(arrayRefFromStringRef(Writer.take())), true);
}

std::shared_ptr<const PrecompiledHeaders>
HeaderCache::findOrBuild(StringRef Name, const TranslatedCommand &Common,
                         Invoke AsInvocation) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto [It, IsNew] = Entries.try_emplace(Name.str());
  if (!IsNew)
    return It->second;
  PrecompiledHeaders::Entry Entry;
  bool Holds = false;
  if (auto Found = Folder->find(Name)) {
    ArchiveReader Reader(Found->Bytes);
    Reader(Entry);
    Holds = !Reader.failed() && Checker.stillHold(Entry.Probes);
  }
  if (!Holds) {
    Entry = build(Common, AsInvocation);
    ArchiveWriter Writer;
    Writer(Entry);
    if (!Entry.Bytes.empty())
      Folder->store(Name, Writer.take());
  }
  if (!Entry.Bytes.empty())
    It->second.reset(new PrecompiledHeaders(std::move(Entry)));
  return It->second;
}

/// Where headers are looked for that belong to \p Command alone.
std::vector<PrecompiledHeaders::UsersFolder>
HeaderCache::usersFolders(const TranslatedCommand &Command,
                          ArrayRef<std::string> LateFolders) {
  std::vector<PrecompiledHeaders::UsersFolder> Result = {{Command.Directory}};
  for (std::string &Folder : Command.includeFolders({"-iquote"}))
    Result.push_back({std::move(Folder)});
  for (std::string &Folder : Command.includeFolders({"-I"}))
    Result.push_back({std::move(Folder), /*IsDroppedIfOwn=*/true});
  for (const std::string &Folder : LateFolders)
    Result.push_back({Folder, /*IsDroppedIfOwn=*/false, /*IsLast=*/true});
  return Result;
}

std::shared_ptr<const PrecompiledHeaders>
HeaderCache::get(const TranslatedCommand &Command, Pass P, unsigned Sm,
                 StringRef Setting, Invoke AsInvocation, vfs::FileSystem &FS) {
  auto Headers = headerCommand(Command);
  if (!Headers)
    return nullptr;
  std::shared_ptr<const PrecompiledHeaders> Found;
  for (bool Differs = true; Differs;) {
    Found = findOrBuild(nameOf(Headers->Common, P, Sm, Setting),
                        Headers->Common, AsInvocation);
    if (!Found)
      return nullptr;
    // Each macro that matters may bring more to read.
    Differs = false;
    erase_if(Headers->Macros, [&](const HeaderCommand::Macro &M) {
      if (!Found->mentions(M.Name))
        return false;
      append_range(Headers->Common.Args, M.Args);
      return Differs = true;
    });
  }
  if (any_of(usersFolders(Command, Headers->LateFolders),
             [&](const PrecompiledHeaders::UsersFolder &Each) {
               return Found->isShadowedIn(Each, FS);
             }))
    return nullptr;
  return Found;
}

} // namespace barricade
