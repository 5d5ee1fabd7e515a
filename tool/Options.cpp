// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Options.h"
#include "matchers/dumps/FactDumps.h"
#include "tool/Subcommands.h"
#include "clang/Basic/OffloadArch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"

using namespace llvm;
using namespace llvm::opt;

namespace barricade {
namespace {

enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "tool/Options.inc"
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include "tool/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "tool/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr OptTable::Info InfoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "tool/Options.inc"
#undef OPTION
};

struct CommandOptTable : GenericOptTable {
  CommandOptTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, InfoTable) {}
};

Error usageError(const Twine &Message) {
  return createStringError(Message + "; see barricade --help");
}

Error badValue(const Arg &A, StringRef Expectation) {
  return usageError("'" + StringRef(A.getValue()) + "' is not valid for " +
                    A.getSpelling().rtrim('=') + ": expected " + Expectation);
}

Error checkUnknown(const InputArgList &Args, const OptTable &Table) {
  const Arg *Unknown = Args.getLastArg(OPT_UNKNOWN);
  if (!Unknown)
    return Error::success();
  std::string Spelled = Unknown->getAsString(Args), Nearest;
  if (Table.findNearest(Spelled, Nearest) <= 3)
    return usageError("unknown option '" + Spelled + "', did you mean '" +
                      Nearest + "'?");
  return usageError("unknown option '" + Spelled + "'");
}

/// No option means anything without its value.
Error checkEmpty(const InputArgList &Args) {
  for (const Arg *A : Args)
    if (A->getOption().getKind() != Option::InputClass &&
        is_contained(A->getValues(), StringRef()))
      return usageError(A->getSpelling().rtrim('=') + " needs a value");
  return Error::success();
}

template <typename T>
Error readNumber(const InputArgList &Args, OptionId Id, T Least, T &Number) {
  const Arg *A = Args.getLastArg(Id);
  if (!A)
    return Error::success();
  if (StringRef(A->getValue()).getAsInteger(10, Number) || Number < Least)
    return badValue(*A, "a whole number of at least " + std::to_string(Least));
  return Error::success();
}

Error readRatio(const InputArgList &Args, double &Ratio) {
  const Arg *A = Args.getLastArg(OPT_min_memory_ratio_EQ);
  if (!A)
    return Error::success();
  // The comparison is written so that NaN fails it.
  if (StringRef(A->getValue()).getAsDouble(Ratio) ||
      !(Ratio >= 0 && Ratio <= 1))
    return badValue(*A, "a number from 0 to 1");
  return Error::success();
}

Error readGlobs(const InputArgList &Args, OptionId Id,
                std::vector<std::string> &Globs) {
  if (Args.hasArg(Id))
    Globs.clear();
  for (const Arg *A : Args.filtered(Id)) {
    if (Error E = GlobPattern::create(A->getValue()).takeError())
      return badValue(*A, "a glob (" + toString(std::move(E)) + ")");
    Globs.push_back(A->getValue());
  }
  return Error::success();
}

void readText(const InputArgList &Args, OptionId Id, std::string &Text) {
  if (const Arg *A = Args.getLastArg(Id))
    Text = A->getValue();
}

void readFlag(const InputArgList &Args, OptionId Id, bool &Flag) {
  Flag |= Args.hasArg(Id);
}

Error readLines(const InputArgList &Args, std::vector<LineRange> &Lines) {
  if (Args.hasArg(OPT_lines_EQ))
    Lines.clear();
  for (const Arg *A : Args.filtered(OPT_lines_EQ)) {
    LineRange Range;
    if (!parseLineRange(A->getValue(), Range))
      return badValue(*A, "FILE:A-B with lines counted from 1");
    Lines.push_back(Range);
  }
  return Error::success();
}

Error readArchs(const InputArgList &Args, std::vector<unsigned> &Archs) {
  if (Args.hasArg(OPT_cuda_gpu_arch_EQ))
    Archs.clear();
  for (const Arg *A : Args.filtered(OPT_cuda_gpu_arch_EQ)) {
    for (StringRef Name : split(A->getValue(), ',')) {
      unsigned Sm;
      if (!parseArch(Name, Sm))
        return badValue(*A, "sm_NN that Clang knows, several with commas");
      Archs.push_back(Sm);
    }
  }
  sort(Archs);
  Archs.erase(unique(Archs), Archs.end());
  return Error::success();
}

Error readIntervals(const InputArgList &Args,
                    std::vector<unsigned> &Intervals) {
  const Arg *A = Args.getLastArg(OPT_variant_intervals_EQ);
  if (!A)
    return Error::success();
  Intervals.clear();
  for (StringRef Item : split(A->getValue(), ',')) {
    unsigned Interval;
    if (Item.getAsInteger(10, Interval) || Interval < 1)
      return badValue(*A, "whole numbers of at least 1, several with commas");
    Intervals.push_back(Interval);
  }
  sort(Intervals);
  Intervals.erase(unique(Intervals), Intervals.end());
  return Error::success();
}

Error readCachePolicy(const InputArgList &Args, std::string &Policy) {
  const Arg *A = Args.getLastArg(OPT_cache_policy_EQ);
  if (!A)
    return Error::success();
  if (Error E = cachePolicy(A->getValue()).takeError())
    return badValue(*A, "a policy (" + toString(std::move(E)) + ")");
  Policy = A->getValue();
  return Error::success();
}

Error readColor(const InputArgList &Args, ColorMode &Mode) {
  const Arg *A = Args.getLastArg(OPT_color_EQ);
  if (!A)
    return Error::success();
  StringRef When = A->getValue();
  if (When == "always")
    Mode = ColorMode::Always;
  else if (When == "never")
    Mode = ColorMode::Never;
  else if (When == "auto")
    Mode = ColorMode::Auto;
  else
    return badValue(*A, "always, never or auto");
  return Error::success();
}

/// \p Names: a table of all values, each with its name.
template <typename T, size_t N>
Error readName(const InputArgList &Args, OptionId Id,
               const std::pair<StringLiteral, T> (&Names)[N],
               StringRef Expectation, T &Chosen) {
  const Arg *A = Args.getLastArg(Id);
  if (!A)
    return Error::success();
  for (const auto &[Name, Value] : Names)
    if (Name == A->getValue()) {
      Chosen = Value;
      return Error::success();
    }
  return badValue(*A, Expectation);
}

Error readAction(const InputArgList &Args, Options &Opts) {
  static constexpr std::pair<OptionId, Options::Action> Actions[] = {
      {OPT_help, Options::Action::Help},
      {OPT_version, Options::Action::Version},
      {OPT_list_rules, Options::Action::ListRules},
      {OPT_dump_config, Options::Action::DumpConfig},
      {OPT_print_command, Options::Action::PrintCommand},
      {OPT_lsp, Options::Action::LanguageServer},
      {OPT_dry_run, Options::Action::DryRun},
      {OPT_in_place, Options::Action::InPlace},
      {OPT_output_dir_EQ, Options::Action::OutputDir},
      {OPT_variants_EQ, Options::Action::Variants},
      {OPT_dump_fact_EQ, Options::Action::Dump}};
  const Arg *Chosen = nullptr;
  for (auto [Id, Act] : Actions) {
    const Arg *A = Args.getLastArg(Id);
    if (!A)
      continue;
    // Whoever asks for help or the version gets it, whatever else is there.
    if (Act == Options::Action::Help || Act == Options::Action::Version) {
      Opts.Act = Act;
      return Error::success();
    }
    if (Chosen)
      return usageError(Chosen->getSpelling().rtrim('=') + " and " +
                        A->getSpelling().rtrim('=') + " exclude each other");
    Chosen = A;
    Opts.Act = Act;
  }
  // What a configuration asks for gives way.
  if (Chosen)
    Opts.OutputDir.clear();
  if (Chosen && (Opts.Act == Options::Action::OutputDir ||
                 Opts.Act == Options::Action::Variants))
    Opts.OutputDir = Chosen->getValue();
  return Error::success();
}

Error readDump(const InputArgList &Args, const FactDump *&Fact) {
  const Arg *A = Args.getLastArg(OPT_dump_fact_EQ);
  if (!A || (Fact = findFactDump(A->getValue())))
    return Error::success();
  return badValue(*A, join(map_range(factDumps(),
                                     [](const FactDump &Each) {
                                       return StringRef(Each.Name);
                                     }),
                           ", "));
}

/// What a report's option sets; null for others.
std::string Options::*reportOf(const Arg &A) {
  const StringRef Name = A.getOption().getName().rtrim('=');
  const auto *Found = find_if(
      ReportFiles, [&](const auto &Each) { return Each.first == Name; });
  return Found == std::end(ReportFiles) ? nullptr : Found->second;
}

/// What wants to write to standard output, beside the findings.
std::vector<std::string> takersOfStdout(const Options &Opts) {
  std::vector<std::string> Takers;
  if (Opts.Act == Options::Action::DryRun)
    Takers.push_back("--dry-run");
  for (const auto &[Name, File] : ReportFiles)
    if (Opts.*File == "-")
      Takers.push_back(("--" + Name + "=-").str());
  return Takers;
}

/// Output on stdout is one thing only.
Error checkStdout(const Options &Opts) {
  const std::vector<std::string> Takers = takersOfStdout(Opts);
  if (Takers.size() > 1)
    return usageError(join(Takers, " and ") +
                      " both want to write to standard output");
  return Error::success();
}

Error checkReports(const InputArgList &Args, const Options &Opts) {
  if (!Opts.analyses() &&
      any_of(Args, [](const Arg *A) { return reportOf(*A) != nullptr; }))
    return usageError("there is nothing to report without an analysis");
  return Error::success();
}

Error checkInputs(const Options &Opts) {
  bool NeedsInput = Opts.analyses() ||
                    Opts.Act == Options::Action::PrintCommand ||
                    Opts.Act == Options::Action::Dump;
  if (Opts.Act == Options::Action::LanguageServer && !Opts.Files.empty())
    return usageError("--lsp takes no files: the editor opens them");
  if (NeedsInput && Opts.Files.empty() && Opts.BuildDir.empty())
    return usageError("no input files");
  if (Opts.HasFlags && !Opts.BuildDir.empty())
    return usageError("-p and flags after -- exclude each other");
  if (Opts.IndexesFiles && !Opts.IndexFile.empty())
    return usageError("--index and --whole-program exclude each other");
  if (Opts.NoToolkit && !Opts.CudaPath.empty())
    return usageError("--no-toolkit and --cuda-path exclude each other");
  if (!Opts.Gpu.empty() && !Opts.CalibrationFile.empty())
    return usageError("--gpu and --calibration exclude each other");
  return Error::success();
}

/// Of options that exclude each other, those of the command line win over those
/// of a configuration.
void dropReplaced(const InputArgList &Args, bool HasFlags, Options &Opts) {
  if (HasFlags)
    Opts.BuildDir.clear();
  if (Args.hasArg(OPT_p)) {
    Opts.HasFlags = false;
    Opts.Flags.clear();
  }
  if (Args.hasArg(OPT_gpu_EQ))
    Opts.CalibrationFile.clear();
  if (Args.hasArg(OPT_calibration_EQ))
    Opts.Gpu.clear();
  if (Args.hasArg(OPT_index_EQ))
    Opts.IndexesFiles = false;
  if (Args.hasArg(OPT_whole_program))
    Opts.IndexFile.clear();
  if (Args.hasArg(OPT_no_toolkit))
    Opts.CudaPath.clear();
  if (Args.hasArg(OPT_cuda_path_EQ))
    Opts.NoToolkit = false;
}

Error readOptions(const InputArgList &Args, Options &Opts) {
  readText(Args, OPT_p, Opts.BuildDir);
  readText(Args, OPT_cuda_path_EQ, Opts.CudaPath);
  readText(Args, OPT_index_EQ, Opts.IndexFile);
  readFlag(Args, OPT_whole_program, Opts.IndexesFiles);
  readFlag(Args, OPT_closed_world, Opts.ClosedWorld);
  readFlag(Args, OPT_other_programs, Opts.OtherPrograms);
  readText(Args, OPT_rules_EQ, Opts.RuleGlobs);
  readText(Args, OPT_project_root_EQ, Opts.ProjectRoot);
  readText(Args, OPT_gpu_EQ, Opts.Gpu);
  readText(Args, OPT_calibration_EQ, Opts.CalibrationFile);
  readText(Args, OPT_measured_EQ, Opts.MeasuredFile);
  readText(Args, OPT_cache_dir_EQ, Opts.CacheDir);
  readText(Args, OPT_header_cache_EQ, Opts.HeaderCache);
  Opts.KeepHeaders &= !Args.hasArg(OPT_no_header_cache);
  readText(Args, OPT_baseline_EQ, Opts.BaselineFile);
  for (const Arg *A : Args)
    if (auto File = reportOf(*A))
      Opts.*File = A->getValue();
  readFlag(Args, OPT_no_toolkit, Opts.NoToolkit);
  readFlag(Args, OPT_explain, Opts.Explain);
  readFlag(Args, OPT_statistics, Opts.Statistics);
  Opts.Format &= !Args.hasArg(OPT_no_format);
  Opts.Verify &= !Args.hasArg(OPT_no_verify);
  Opts.Rules.IgnoreReferences |= Args.hasArg(OPT_ignore_references);
  readFlag(Args, OPT_grid_barrier_logical_blocks, Opts.Rules.LogicalBlocks);
  readFlag(Args, OPT_grid_barrier_logical_threads, Opts.Rules.LogicalThreads);
  readFlag(Args, OPT_grid_barrier_from_start, Opts.Rules.FromStart);
  readFlag(Args, OPT_unused_suppressions, Opts.UnusedSuppressions);
  readFlag(Args, OPT_quiet, Opts.Quiet);

  if (Error E = readAction(Args, Opts))
    return E;
  if (Error E = readDump(Args, Opts.Fact))
    return E;
  if (Error E = readGlobs(Args, OPT_kernel_EQ, Opts.KernelGlobs))
    return E;
  if (Error E = readGlobs(Args, OPT_edit_headers_EQ, Opts.HeaderGlobs))
    return E;
  if (Args.hasArg(OPT_edit_headers))
    Opts.HeaderGlobs = {"*"};
  if (Error E = readLines(Args, Opts.Lines))
    return E;
  if (Error E = readArchs(Args, Opts.GpuArchs))
    return E;
  if (Error E = readColor(Args, Opts.Color))
    return E;
  if (Error E = readCachePolicy(Args, Opts.CachePolicy))
    return E;
  if (Error E = readIntervals(Args, Opts.Rules.VariantIntervals))
    return E;
  if (Error E = readNumber(Args, OPT_min_instructions_EQ, 0u,
                           Opts.Rules.MinInstructions))
    return E;
  if (Error E = readRatio(Args, Opts.Rules.MinMemoryRatio))
    return E;
  if (Error E = readNumber(Args, OPT_barrier_interval_EQ, 1u,
                           Opts.Rules.BarrierInterval))
    return E;
  if (Error E = readName(Args, OPT_gpu_sync_EQ, SyncStrategyNames,
                         "automatic, lock, lock-free or cooperative",
                         Opts.Rules.GpuSync))
    return E;
  if (Error E = readName(Args, OPT_loop_form_EQ, LoopFormNames,
                         "auto, persistent, replay, overlap or none",
                         Opts.Rules.Loops))
    return E;
  if (Error E = readName(Args, OPT_barrier_scope_EQ, BarrierScopeNames,
                         "auto or grid", Opts.Rules.Scope))
    return E;
  if (Error E = readName(Args, OPT_runtime_header_EQ, RuntimeHeaderNames,
                         "include or beside", Opts.Rules.Header))
    return E;
  if (Error E = readName(Args, OPT_profit_EQ, KnownGainNames,
                         "auto, measured, expected or any", Opts.Profit))
    return E;
  if (Error E = readName(Args, OPT_fail_on_EQ, FailOnNames,
                         "fault, rewrite or never", Opts.Failing))
    return E;
  return readNumber(Args, OPT_j, 1u, Opts.Jobs);
}

} // namespace

bool Options::stdoutTaken() const { return !takersOfStdout(*this).empty(); }

Expected<CachePruningPolicy> cachePolicy(StringRef Policy) {
  // One that says less than this leaves the rest.
  std::string Full = "cache_size_bytes=1g:prune_after=168h";
  if (!Policy.empty())
    Full += (":" + Policy).str();
  return parseCachePruningPolicy(Full);
}

bool parseLineRange(StringRef Text, LineRange &Range) {
  auto [File, Numbers] = Text.rsplit(':');
  auto [First, Last] = Numbers.split('-');
  Range.File = File.str();
  return !File.empty() && !First.getAsInteger(10, Range.First) &&
         !(Numbers.contains('-') ? Last : First).getAsInteger(10, Range.Last) &&
         Range.First >= 1 && Range.First <= Range.Last;
}

bool parseArch(StringRef Text, unsigned &Sm) {
  return clang::StringToOffloadArch(Text) != clang::OffloadArch::UNKNOWN &&
         Text.consume_front("sm_") && !Text.getAsInteger(10, Sm);
}

struct CommandLine::Impl {
  InputArgList Args;
  bool HasFlags = false;
  std::vector<std::string> Flags;
};

CommandLine::CommandLine(std::unique_ptr<Impl> I) : I(std::move(I)) {}
CommandLine::CommandLine(CommandLine &&) = default;
CommandLine::~CommandLine() = default;

Expected<CommandLine> CommandLine::parse(ArrayRef<const char *> Args) {
  auto Line = std::make_unique<Impl>();
  const auto *DashDash =
      find_if(Args, [](StringRef Arg) { return Arg == "--"; });
  if (DashDash != Args.end()) {
    Line->HasFlags = true;
    Line->Flags.assign(DashDash + 1, Args.end());
  }

  static const CommandOptTable Table; // Parsed arguments refer to it.
  unsigned MissingIndex, MissingCount;
  Line->Args = Table.ParseArgs(Args.take_front(DashDash - Args.begin()),
                               MissingIndex, MissingCount);
  if (MissingCount)
    return usageError(StringRef(Line->Args.getArgString(MissingIndex)) +
                      " needs a value");
  if (Error E = checkUnknown(Line->Args, Table))
    return E;
  if (Error E = checkEmpty(Line->Args))
    return E;
  return CommandLine(std::move(Line));
}

Expected<Options> CommandLine::over(Options Opts) const {
  Opts.Files = files();
  dropReplaced(I->Args, I->HasFlags, Opts);
  if (I->HasFlags) {
    Opts.HasFlags = true;
    Opts.Flags = I->Flags;
  }
  if (Error E = readOptions(I->Args, Opts))
    return E;
  if (Error E = checkStdout(Opts))
    return E;
  if (Error E = checkReports(I->Args, Opts))
    return E;
  if (Error E = checkInputs(Opts))
    return E;
  return Opts;
}

std::vector<std::string> CommandLine::files() const {
  return I->Args.getAllArgValues(OPT_INPUT);
}

StringRef CommandLine::configurationFile() const {
  return I->Args.getLastArgValue(OPT_config_EQ);
}

bool CommandLine::searchesConfiguration() const {
  return !I->Args.hasArg(OPT_no_config);
}

Expected<Options> parseOptions(ArrayRef<const char *> Args) {
  Expected<CommandLine> Line = CommandLine::parse(Args);
  if (!Line)
    return Line.takeError();
  return Line->over({});
}

void printHelp(raw_ostream &OS) {
  CommandOptTable().printHelp(
      OS, "barricade [options] file.cu|folder... [-- compile flags]",
      "find, prove and make changes to the synchronisation of CUDA programs");
  OS << "\nCOMMANDS:\n  "
     << left_justify((ExplainCommand + " NAME...").str(), 22)
     << " say more of a rule, or of a reason why one refuses\n";
  OS << "  " << left_justify((IndexCommand + " FILE...").str(), 22)
     << " write what other files of the program must know of some\n  "
     << left_justify((LinkCommand + " SUMMARY...").str(), 22)
     << " make the index of a program of that, for --index\n";
  OS << "\nCOMMANDS THAT MEASURE (barricade COMMAND --help):\n";
  for (const auto &[Name, Summary] : Subcommands)
    OS << "  " << left_justify(Name, 22) << ' ' << Summary << '\n';
  OS << R"(
EXIT CODE:
  0    nothing to change, or changed as asked
  1    --dry-run has changes to propose
  2    wrong usage or configuration, or a file cannot be read or written
  3    a source does not parse; Clang's errors say why, it got no edits
  4    there is a fault of the program, or something else --fail-on names
  101  a bug in barricade

COMPILE FLAGS come from what follows --, else from compile_commands.json in the
-p folder, else from the nearest folder above the file that has one, in itself
or in its build folder, or compile_flags.txt; else they are nvcc's defaults.
nvcc's own command lines are understood; --print-command shows what Clang is
given for them.

EXAMPLES:
  barricade kernel.cu                       show what could be changed
  barricade --explain kernel.cu             and what could not, and why
  barricade explain spin-wait               and what to do about it
  barricade --dry-run kernel.cu | git apply
  barricade -p build --in-place src/*.cu
  barricade kernel.cu -- nvcc -arch=sm_90 -Iinclude
)";
}

} // namespace barricade
