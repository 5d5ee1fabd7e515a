// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Configuration.h"
#include "tool/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;

namespace {

/// What a value's meaning depends on besides its text.
struct FileContext {
  StringRef Folder; ///< Relative paths start here.
  bool Trusted;     ///< May ask for files to be written.
};

const FileContext &contextOf(void *Context) {
  return *static_cast<const FileContext *>(Context);
}

/// The whole of a file.
struct ConfigurationText {
  barricade::Options &Opts;
  bool Inherit = true;
};

/// LLVM_YAML_STRONG_TYPEDEF wants an order.
struct Lines {
  barricade::LineRange value;
  Lines() = default;
  Lines(barricade::LineRange Range) : value(std::move(Range)) {}
  operator const barricade::LineRange &() const { return value; }
};

} // namespace

// Values that are more than their texts. Each has traits that check them, so
// that a mistake is shown where it is.
LLVM_YAML_STRONG_TYPEDEF(std::string, InputPath)
LLVM_YAML_STRONG_TYPEDEF(std::string, WrittenPath)
LLVM_YAML_STRONG_TYPEDEF(bool, WritingSwitch)
LLVM_YAML_STRONG_TYPEDEF(std::string, Policy)
LLVM_YAML_STRONG_TYPEDEF(std::string, Glob)
LLVM_YAML_STRONG_TYPEDEF(unsigned, Arch)
LLVM_YAML_STRONG_TYPEDEF(unsigned, Positive)
LLVM_YAML_STRONG_TYPEDEF(double, Ratio)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(Glob)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(Lines)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(Arch)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(Positive)

namespace llvm::yaml {

static constexpr StringLiteral NotTrusted =
    "only a configuration that --config names may ask for files to be written";

static std::string absolutePath(StringRef Path, StringRef Folder) {
  if (Path.empty() || sys::path::is_absolute(Path))
    return Path.str();
  SmallString<256> Result(Folder);
  sys::path::append(Result, Path);
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return std::string(Result);
}

/// Texts, quoted where YAML wants them to be.
template <typename T> struct TextTraits {
  static void output(const T &Value, void *, raw_ostream &OS) {
    OS << Value.value;
  }
  static QuotingType mustQuote(StringRef Text) { return needsQuotes(Text); }
};

/// Written as the value that is wrapped.
template <typename T, typename Wrapped> struct WrappedTraits {
  static void output(const T &Value, void *Context, raw_ostream &OS) {
    ScalarTraits<Wrapped>::output(Value.value, Context, OS);
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<InputPath> : TextTraits<InputPath> {
  static StringRef input(StringRef Text, void *Context, InputPath &Value) {
    Value.value = absolutePath(Text, contextOf(Context).Folder);
    return {};
  }
};

template <> struct ScalarTraits<WrittenPath> : TextTraits<WrittenPath> {
  static StringRef input(StringRef Text, void *Context, WrittenPath &Value) {
    if (!contextOf(Context).Trusted && !Text.empty())
      return NotTrusted;
    Value.value = Text == "-" ? Text.str()
                              : absolutePath(Text, contextOf(Context).Folder);
    return {};
  }
};

template <>
struct ScalarTraits<WritingSwitch> : WrappedTraits<WritingSwitch, bool> {
  static StringRef input(StringRef Text, void *Context, WritingSwitch &Value) {
    StringRef Error = ScalarTraits<bool>::input(Text, Context, Value.value);
    if (Error.empty() && Value.value && !contextOf(Context).Trusted)
      return NotTrusted;
    return Error;
  }
};

template <> struct ScalarTraits<Glob> : TextTraits<Glob> {
  static StringRef input(StringRef Text, void *, Glob &Value) {
    Value.value = Text.str();
    auto Pattern = GlobPattern::create(Text);
    bool Good = bool(Pattern);
    consumeError(Pattern.takeError());
    return Good ? StringRef() : "this is not a glob";
  }
};

template <> struct ScalarTraits<Policy> : TextTraits<Policy> {
  static StringRef input(StringRef Text, void *, Policy &Value) {
    Value.value = Text.str();
    auto Parsed = barricade::cachePolicy(Text);
    bool Good = bool(Parsed);
    consumeError(Parsed.takeError());
    return Good ? StringRef() : "this is not a policy for a cache";
  }
};

template <> struct ScalarTraits<Lines> {
  static void output(const Lines &Value, void *, raw_ostream &OS) {
    OS << Value.value.File << ':' << Value.value.First << '-'
       << Value.value.Last;
  }
  static StringRef input(StringRef Text, void *Context, Lines &Value) {
    if (!barricade::parseLineRange(Text, Value.value))
      return "expected FILE:A-B with lines counted from 1";
    Value.value.File =
        absolutePath(Value.value.File, contextOf(Context).Folder);
    return {};
  }
  static QuotingType mustQuote(StringRef Text) { return needsQuotes(Text); }
};

template <> struct ScalarTraits<Arch> {
  static void output(const Arch &Value, void *, raw_ostream &OS) {
    OS << "sm_" << Value.value;
  }
  static StringRef input(StringRef Text, void *, Arch &Value) {
    return barricade::parseArch(Text, Value.value)
               ? StringRef()
               : "expected sm_NN that Clang knows";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<Positive> : WrappedTraits<Positive, unsigned> {
  static StringRef input(StringRef Text, void *Context, Positive &Value) {
    StringRef Error = ScalarTraits<unsigned>::input(Text, Context, Value.value);
    return !Error.empty() || Value.value ? Error
                                         : "expected a number of at least 1";
  }
};

template <> struct ScalarTraits<Ratio> : WrappedTraits<Ratio, double> {
  static StringRef input(StringRef Text, void *Context, Ratio &Value) {
    StringRef Error = ScalarTraits<double>::input(Text, Context, Value.value);
    // The comparison is written so that NaN fails it.
    return !Error.empty() || (Value.value >= 0 && Value.value <= 1)
               ? Error
               : "expected a number from 0 to 1";
  }
};

template <> struct ScalarEnumerationTraits<barricade::SyncStrategy> {
  static void enumeration(IO &Io, barricade::SyncStrategy &Strategy) {
    for (const auto &[Name, Value] : barricade::SyncStrategyNames)
      Io.enumCase(Strategy, Name.data(), Value);
  }
};
template <> struct ScalarEnumerationTraits<barricade::BarrierScope> {
  static void enumeration(IO &Io, barricade::BarrierScope &Scope) {
    for (const auto &[Name, Value] : barricade::BarrierScopeNames)
      Io.enumCase(Scope, Name.data(), Value);
  }
};

template <> struct ScalarEnumerationTraits<barricade::LoopForm> {
  static void enumeration(IO &Io, barricade::LoopForm &Form) {
    for (const auto &[Name, Value] : barricade::LoopFormNames)
      Io.enumCase(Form, Name.data(), Value);
  }
};

template <> struct ScalarEnumerationTraits<barricade::RuntimeHeader> {
  static void enumeration(IO &Io, barricade::RuntimeHeader &Header) {
    for (const auto &[Name, Value] : barricade::RuntimeHeaderNames)
      Io.enumCase(Header, Name.data(), Value);
  }
};

template <> struct ScalarEnumerationTraits<barricade::KnownGain> {
  static void enumeration(IO &Io, barricade::KnownGain &Known) {
    for (const auto &[Name, Value] : barricade::KnownGainNames)
      Io.enumCase(Known, Name.data(), Value);
  }
};

template <> struct ScalarEnumerationTraits<barricade::FailOn> {
  static void enumeration(IO &Io, barricade::FailOn &Failing) {
    for (const auto &[Name, Value] : barricade::FailOnNames)
      Io.enumCase(Failing, Name.data(), Value);
  }
};

template <> struct ScalarEnumerationTraits<barricade::ColorMode> {
  static void enumeration(IO &Io, barricade::ColorMode &Mode) {
    Io.enumCase(Mode, "auto", barricade::ColorMode::Auto);
    Io.enumCase(Mode, "always", barricade::ColorMode::Always);
    Io.enumCase(Mode, "never", barricade::ColorMode::Never);
  }
};

/// Maps a value by way of the type that knows its text. What a file does not
/// mention stays as it is; a list replaces the old one.
template <typename Text, typename T>
static void map(IO &Io, const char *Key, T &Value) {
  std::optional<Text> Mapped;
  if (Io.outputting())
    Mapped = Text(Value);
  Io.mapOptional(Key, Mapped);
  if (!Io.outputting() && Mapped)
    Value = *Mapped;
}

template <typename Text, typename T>
static void mapList(IO &Io, const char *Key, std::vector<T> &Values) {
  std::optional<std::vector<Text>> Mapped;
  if (Io.outputting())
    Mapped.emplace(Values.begin(), Values.end());
  Io.mapOptional(Key, Mapped);
  if (!Io.outputting() && Mapped)
    Values.assign(Mapped->begin(), Mapped->end());
}

using barricade::Options;

static void mapAction(IO &Io, Options &Opts) {
  using Action = Options::Action;
  bool DryRun = Opts.Act == Action::DryRun;
  bool InPlace = Opts.Act == Action::InPlace;
  Io.mapOptional("dry-run", DryRun);
  map<WritingSwitch>(Io, "in-place", InPlace);
  std::string Changed = Opts.Act == Action::OutputDir ? Opts.OutputDir : "";
  std::string Variants = Opts.Act == Action::Variants ? Opts.OutputDir : "";
  map<WrittenPath>(Io, "output-dir", Changed);
  map<WrittenPath>(Io, "variants", Variants);
  if (Io.outputting())
    return;
  if (DryRun + InPlace + !Changed.empty() + !Variants.empty() > 1)
    return Io.setError(
        "dry-run, in-place, output-dir and variants exclude each other");
  Opts.OutputDir = Changed + Variants;
  Opts.Act = DryRun              ? Action::DryRun
             : InPlace           ? Action::InPlace
             : !Changed.empty()  ? Action::OutputDir
             : !Variants.empty() ? Action::Variants
                                 : Action::Show;
}

/// The flags that follow `--` on the command line.
static void mapFlags(IO &Io, Options &Opts) {
  std::optional<std::vector<std::string>> Flags;
  if (Io.outputting() && Opts.HasFlags)
    Flags = Opts.Flags;
  Io.mapOptional("compile-flags", Flags);
  if (Io.outputting() || !Flags)
    return;
  Opts.HasFlags = true;
  Opts.Flags = std::move(*Flags);
}

template <> struct MappingTraits<ConfigurationText> {
  static void mapping(IO &Io, ConfigurationText &D) {
    Options &Opts = D.Opts;
    Io.mapOptional("inherit", D.Inherit);

    map<InputPath>(Io, "build-dir", Opts.BuildDir);
    mapFlags(Io, Opts);
    map<InputPath>(Io, "cuda-path", Opts.CudaPath);
    mapList<Arch>(Io, "cuda-gpu-arch", Opts.GpuArchs);
    Io.mapOptional("no-toolkit", Opts.NoToolkit);
    map<InputPath>(Io, "index", Opts.IndexFile);
    Io.mapOptional("whole-program", Opts.IndexesFiles);
    Io.mapOptional("closed-world", Opts.ClosedWorld);
    Io.mapOptional("other-programs", Opts.OtherPrograms);

    Io.mapOptional("rules", Opts.RuleGlobs);
    mapList<Glob>(Io, "kernel", Opts.KernelGlobs);
    mapList<Lines>(Io, "lines", Opts.Lines);
    mapList<Glob>(Io, "edit-headers", Opts.HeaderGlobs);
    map<InputPath>(Io, "project-root", Opts.ProjectRoot);

    Io.mapOptional("min-instructions", Opts.Rules.MinInstructions);
    map<Ratio>(Io, "min-memory-ratio", Opts.Rules.MinMemoryRatio);
    map<Positive>(Io, "barrier-interval", Opts.Rules.BarrierInterval);

    Io.mapOptional("loop-form", Opts.Rules.Loops);
    Io.mapOptional("gpu-sync", Opts.Rules.GpuSync);
    Io.mapOptional("barrier-scope", Opts.Rules.Scope);
    Io.mapOptional("grid-barrier-logical-blocks", Opts.Rules.LogicalBlocks);
    Io.mapOptional("grid-barrier-logical-threads", Opts.Rules.LogicalThreads);
    Io.mapOptional("grid-barrier-from-start", Opts.Rules.FromStart);

    Io.mapOptional("profit", Opts.Profit);
    Io.mapOptional("gpu", Opts.Gpu);
    map<InputPath>(Io, "calibration", Opts.CalibrationFile);
    map<InputPath>(Io, "measured", Opts.MeasuredFile);

    mapList<Positive>(Io, "variant-intervals", Opts.Rules.VariantIntervals);
    Io.mapOptional("runtime-header", Opts.Rules.Header);
    bool NoFormat = !Opts.Format;
    Io.mapOptional("no-format", NoFormat);
    Opts.Format = !NoFormat;
    bool NoVerify = !Opts.Verify;
    Io.mapOptional("no-verify", NoVerify);
    Opts.Verify = !NoVerify;

    mapAction(Io, Opts);

    for (const auto &[Name, File] : barricade::ReportFiles)
      map<WrittenPath>(Io, Name.data(), Opts.*File);
    map<InputPath>(Io, "baseline", Opts.BaselineFile);
    Io.mapOptional("fail-on", Opts.Failing);
    Io.mapOptional("explain", Opts.Explain);
    Io.mapOptional("statistics", Opts.Statistics);
    Io.mapOptional("unused-suppressions", Opts.UnusedSuppressions);
    Io.mapOptional("quiet", Opts.Quiet);
    Io.mapOptional("color", Opts.Color);
    map<WrittenPath>(Io, "cache-dir", Opts.CacheDir);
    map<Policy>(Io, "cache-policy", Opts.CachePolicy);
    map<WrittenPath>(Io, "header-cache", Opts.HeaderCache);
    bool ReadHeaders = !Opts.KeepHeaders;
    Io.mapOptional("no-header-cache", ReadHeaders);
    Opts.KeepHeaders = !ReadHeaders;
    Io.mapOptional("jobs", Opts.Jobs);
  }
};

} // namespace llvm::yaml

namespace barricade {

static void collectDiagnostic(const SMDiagnostic &Diagnostic, void *Text) {
  raw_string_ostream OS(*static_cast<std::string *>(Text));
  Diagnostic.print(nullptr, OS, /*ShowColors=*/false);
}

Expected<bool> readConfiguration(StringRef Path, StringRef Text, bool Trusted,
                                 Options &Opts) {
  FileContext Context{sys::path::parent_path(Path), Trusted};
  const std::string Name = displayPath(Path);
  std::string Errors;
  yaml::Input Input(MemoryBufferRef(Text, Name), &Context, collectDiagnostic,
                    &Errors);
  ConfigurationText D{Opts};
  Input >> D;
  if (Input.error() || !Errors.empty())
    return createStringError("the configuration cannot be used\n" +
                             StringRef(Errors).rtrim());
  return D.Inherit;
}

void printConfiguration(const Options &Opts, raw_ostream &OS) {
  Options Copy = Opts;
  FileContext Context{"", /*Trusted=*/true};
  // What is printed is all there is.
  ConfigurationText D{Copy, /*Inherit=*/false};
  yaml::Output Output(OS, &Context);
  Output << D;
}

Expected<Options> Settings::fromFile(StringRef Path) {
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createStringError("cannot read '" + displayPath(Path) +
                             "': " + Text.getError().message());
  Options Opts;
  if (auto Read = readConfiguration(canonicalPath(Path), (*Text)->getBuffer(),
                                    true, Opts);
      !Read)
    return Read.takeError();
  return Opts;
}

Expected<Options> Settings::configured(StringRef Folder) {
  if (!Line.configurationFile().empty())
    return fromFile(Line.configurationFile());
  if (!Line.searchesConfiguration())
    return Options();

  // From the nearest up to the one that hides the rest.
  std::vector<std::pair<std::string, std::unique_ptr<MemoryBuffer>>> Files;
  for (; !Folder.empty(); Folder = sys::path::parent_path(Folder)) {
    SmallString<256> Path(Folder);
    sys::path::append(Path, ConfigurationName);
    if (!sys::fs::exists(Path))
      continue;
    auto Text = MemoryBuffer::getFile(Path);
    if (!Text)
      return createStringError("cannot read '" + displayPath(Path) +
                               "': " + Text.getError().message());
    Options Ignored;
    Expected<bool> Inherits =
        readConfiguration(Path, (*Text)->getBuffer(), false, Ignored);
    if (!Inherits)
      return Inherits.takeError();
    Files.emplace_back(Path, std::move(*Text));
    if (!*Inherits)
      break;
  }
  Options Opts;
  for (const auto &[Path, Text] : reverse(Files))
    if (auto Read = readConfiguration(Path, Text->getBuffer(), false, Opts);
        !Read)
      return Read.takeError();
  return Opts;
}

Expected<const Options &> Settings::optionsFor(StringRef File) {
  const std::string Path = canonicalPath(File);
  const std::string Folder =
      sys::fs::is_directory(Path) ? Path : sys::path::parent_path(Path).str();
  auto Known = ByFolder.find(Folder);
  if (Known != ByFolder.end())
    return Known->second;
  Expected<Options> Configured = configured(Folder);
  if (!Configured)
    return Configured.takeError();
  Expected<Options> Opts = Line.over(std::move(*Configured));
  if (!Opts)
    return Opts.takeError();
  return ByFolder.emplace(Folder, std::move(*Opts)).first->second;
}

/// Whether both agree in all that holds for a run.
static bool sameRun(const Options &A, Options B) {
  B.CudaPath = A.CudaPath;
  B.NoToolkit = A.NoToolkit;
  B.GpuArchs = A.GpuArchs;
  B.RuleGlobs = A.RuleGlobs;
  B.Rules = A.Rules;
  auto Printed = [](const Options &Opts) {
    std::string Text;
    raw_string_ostream OS(Text);
    printConfiguration(Opts, OS);
    return Text;
  };
  return Printed(A) == Printed(B);
}

Expected<const Options &> Settings::optionsForRun(ArrayRef<std::string> Files) {
  if (Files.empty())
    return optionsFor(
        ConfigurationName); // as if it lay in the working directory
  Expected<const Options &> First = optionsFor(Files.front());
  if (!First)
    return First;
  for (StringRef File : Files.drop_front()) {
    Expected<const Options &> Other = optionsFor(File);
    if (!Other)
      return Other;
    if (!sameRun(*First, *Other))
      return createStringError(
          "the configurations of '" + Files.front() + "' and '" + File +
          "' differ in options that hold for a whole run; run them one by one "
          "or name a configuration with --config");
  }
  return First;
}

} // namespace barricade
