// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of the command. Their help texts are the reference: --help
// prints them.

include "llvm/Option/OptParser.td"

class LongFlag<string name> : Flag<["--"], name>;

// Takes its value as `--name=VALUE` and as `--name VALUE`.
multiclass LongValue<string name, string meta, string help, OptionGroup group> {
  def _EQ : Joined<["--"], name # "=">, MetaVarName<meta>, HelpText<help>, Group<group>;
  def "" : Separate<["--"], name>, Alias<!cast<Joined>(NAME # "_EQ")>;
}

def grp_source : OptionGroup<"source">, HelpText<"READING SOURCES">;
def grp_select : OptionGroup<"select">, HelpText<"WHAT TO LOOK FOR">;
def grp_barrier : OptionGroup<"barrier">, HelpText<"RULE artificial-barrier">;
def grp_grid : OptionGroup<"grid">, HelpText<"RULE grid-barrier">;
def grp_profit : OptionGroup<"profit">, HelpText<"WHAT PAYS">;
def grp_action : OptionGroup<"action">, HelpText<"WHAT TO DO (default: print findings, change nothing)">;
def grp_report : OptionGroup<"report">, HelpText<"REPORTS (- is standard output)">;
def grp_general : OptionGroup<"general">, HelpText<"GENERAL">;

def p : JoinedOrSeparate<["-"], "p">, MetaVarName<"<dir>">, Group<grp_source>,
  HelpText<"Folder of compile_commands.json; alone: analyse all its CUDA files">;
defm cuda_path : LongValue<"cuda-path", "<dir>", "CUDA toolkit to use instead of the one found", grp_source>;
defm cuda_gpu_arch : LongValue<"cuda-gpu-arch", "<sm_NN,...>", "Architectures to analyse instead of the build's", grp_source>;
def no_toolkit : LongFlag<"no-toolkit">, Group<grp_source>,
  HelpText<"Use barricade's own declarations of the CUDA runtime">;
defm index : LongValue<"index", "<file>", "What the other files of the program do, as `barricade link` wrote it", grp_source>;
def whole_program : LongFlag<"whole-program">, Group<grp_source>,
  HelpText<"Take the files of this run for the program: index and link them first">;
def closed_world : LongFlag<"closed-world">, Group<grp_source>,
  HelpText<"The program is what the index lists: no libraries without sources, nothing loaded later">;
def other_programs : LongFlag<"other-programs">, Group<grp_source>,
  HelpText<"Files of the build that the index lacks belong to other programs">;
def print_command : LongFlag<"print-command">, Group<grp_source>,
  HelpText<"Print the Clang command of each pass and stop">;

defm rules : LongValue<"rules", "<globs>", "Rules to run, as 'a*,-ab*': the last match decides; '-ab*' alone leaves out of all", grp_select>;
defm kernel : LongValue<"kernel", "<glob>", "Only functions of this name, plain or qualified (repeatable)", grp_select>;
defm lines : LongValue<"lines", "<file:A-B>", "Only what starts on these lines of the file (repeatable)", grp_select>;
def edit_headers : LongFlag<"edit-headers">, Group<grp_select>,
  HelpText<"Edit headers of the project, too">;
def edit_headers_EQ : Joined<["--"], "edit-headers=">, MetaVarName<"<glob>">, Group<grp_select>,
  HelpText<"Edit those headers of the project whose path matches (repeatable)">;
defm project_root : LongValue<"project-root", "<dir>", "Root of the project: headers outside of it are not reported", grp_select>;

defm min_instructions : LongValue<"min-instructions", "<T>", "Minimum instructions in an iteration (default 4)", grp_barrier>;
defm min_memory_ratio : LongValue<"min-memory-ratio", "<R>", "Minimum share of memory operations, 0 to 1 (default 0.1)", grp_barrier>;
defm barrier_interval : LongValue<"barrier-interval", "<K>", "Put the barrier into every K-th iteration (default 1)", grp_barrier>;

defm loop_form : LongValue<"loop-form", "<form>", "What loops of launches become: persistent, replay, overlap, none, or auto (default: what the rules that run give them; with grid-barrier and launch-replay the program decides)", grp_grid>;
defm gpu_sync : LongValue<"gpu-sync", "<strategy>", "How blocks synchronise: automatic (default), lock, lock-free or cooperative", grp_grid>;

defm barrier_scope : LongValue<"barrier-scope", "<scope>", "Whom a block waits for between steps of a persistent kernel: auto (default): its own block alone where that is proved enough, or grid", grp_grid>;
def grid_barrier_logical_blocks : LongFlag<"grid-barrier-logical-blocks">, Group<grp_grid>,
  HelpText<"If a grid does not fit on the GPU, run its blocks in turn on a grid that fits, instead of the original loop">;
def grid_barrier_logical_threads : LongFlag<"grid-barrier-logical-threads">, Group<grp_grid>,
  HelpText<"Also rewrite loops whose launches have different block sizes">;
def grid_barrier_from_start : LongFlag<"grid-barrier-from-start">, Group<grp_grid>,
  HelpText<"Launch the persistent kernel instead of the loop, not only after the device has waited for the host">;

defm profit : LongValue<"profit", "<known>", "Which rewrites to propose: measured (faster in this program), expected (that, or by the profile of the GPU), any (every legal one), or auto (default: expected where there is a profile or a measurement, else any)", grp_profit>;
defm gpu : LongValue<"gpu", "<name>", "Target GPU, as sm_90 or h200 (default: from the build's -arch)", grp_profit>;
defm calibration : LongValue<"calibration", "<file>", "GPU profile written by `barricade calibrate`, instead of the built-in one", grp_profit>;
defm measured : LongValue<"measured", "<results.json>", "Results of `barricade run`: propose what was measured to be faster, and show the measured times in reports", grp_profit>;

defm runtime_header : LongValue<"runtime-header", "<where>", "How rewritten files get barricade/gpu_sync.cuh: include (default; the build knows its folder), or beside (a copy beside each file that includes it)", grp_action>;
def dry_run : LongFlag<"dry-run">, Group<grp_action>,
  HelpText<"Print the changes as a unified diff for `git apply`">;
def in_place : LongFlag<"in-place">, Group<grp_action>,
  HelpText<"Change the files">;
defm output_dir : LongValue<"output-dir", "<dir>", "Write changed files below this folder, by their relative paths", grp_action>;
def no_format : LongFlag<"no-format">, Group<grp_action>,
  HelpText<"Do not format inserted text">;
def no_verify : LongFlag<"no-verify">, Group<grp_action>,
  HelpText<"Skip the checks of the rewritten program as a whole">;
// Lets a rule prove what is not so: for tests of the checks.
def ignore_references : LongFlag<"ignore-references">, Flags<[HelpHidden]>;
defm dump_fact : LongValue<"dump", "<fact>", "Print the source with what an analysis knows of its places: counted-loops, divergence, uses and others", grp_action>;
defm variants : LongValue<"variants", "<dir>", "Write the original and every rewrite by itself, for `barricade run` to measure", grp_action>;
defm variant_intervals : LongValue<"variant-intervals", "<K,...>", "With --variants: barriers in every K-th iteration (default 1,4,16,64)", grp_action>;

def lsp : LongFlag<"lsp">, Group<grp_action>,
  HelpText<"Run as a language server on standard input and output, for editors">;

defm json : LongValue<"json", "<file>", "Everything that was found, as JSON", grp_report>;
defm sarif : LongValue<"sarif", "<file>", "Findings as SARIF 2.1.0, for code scanning", grp_report>;
defm html : LongValue<"html", "<file>", "Findings and changes as one page for browsers", grp_report>;
defm github : LongValue<"github", "<file>", "Findings as workflow commands that annotate a pull request on GitHub (with -)", grp_report>;
defm gitlab : LongValue<"gitlab", "<file>", "Findings as a code quality report for GitLab", grp_report>;
defm junit : LongValue<"junit", "<file>", "Findings as test cases in JUnit's XML; those that --fail-on names have failed", grp_report>;
defm export_fixes : LongValue<"export-fixes", "<file.yaml>", "The changes for clang-apply-replacements", grp_report>;
defm baseline : LongValue<"baseline", "<file>", "Leave out the findings that this file lists", grp_report>;
defm write_baseline : LongValue<"write-baseline", "<file>", "List all findings in this file, for --baseline of later runs", grp_report>;
defm fail_on : LongValue<"fail-on", "<what>", "End with 4 if there is a fault (default), or also if there is something to rewrite, or never: fault, rewrite or never", grp_report>;
def explain : LongFlag<"explain">, Group<grp_report>,
  HelpText<"Show what was refused, why, and the facts behind it">;
def statistics : LongFlag<"statistics">, Group<grp_report>,
  HelpText<"Print the number of findings by rule and reason instead of the findings">;
def unused_suppressions : LongFlag<"unused-suppressions">, Group<grp_report>,
  HelpText<"Report NOLINT comments for barricade that suppress nothing">;
def quiet : LongFlag<"quiet">, Group<grp_report>,
  HelpText<"No summary, no progress">;
defm color : LongValue<"color", "<when>", "always, never or auto (default; honours NO_COLOR)", grp_report>;

defm cache_dir : LongValue<"cache-dir", "<dir>", "Keep each file's result in this folder, and reuse it while nothing that it depends on has changed", grp_general>;
defm cache_policy : LongValue<"cache-policy", "<policy>", "What the cache may hold, as 'cache_size_bytes=1g:prune_after=168h' (that is the default)", grp_general>;
defm header_cache : LongValue<"header-cache", "<dir>", "Keep the toolkit's headers precompiled in this folder (default: barricade/headers in the user's folder for caches)", grp_general>;
def no_header_cache : LongFlag<"no-header-cache">, Group<grp_general>,
  HelpText<"Read the toolkit's headers anew for every file">;
def j : JoinedOrSeparate<["-"], "j">, MetaVarName<"<N>">, Group<grp_general>,
  HelpText<"Files to analyse at once (default: one per core)">;
defm config : LongValue<"config", "<file>", "Read this configuration file instead of those beside and above the sources", grp_general>;
def no_config : LongFlag<"no-config">, Group<grp_general>,
  HelpText<"Read no .barricade.yaml">;
def dump_config : LongFlag<"dump-config">, Group<grp_general>,
  HelpText<"Print all options as a configuration file, as they hold for the first file">;
def list_rules : LongFlag<"list-rules">, Group<grp_general>,
  HelpText<"Print the rules and the reasons for which they refuse">;
def version : LongFlag<"version">, Group<grp_general>, HelpText<"Print the version">;
def help : LongFlag<"help">, Group<grp_general>, HelpText<"Print this text">;
def h : Flag<["-"], "h">, Alias<help>;
