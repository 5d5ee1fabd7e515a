//===- NvccOptions.td - Options of nvcc 13.0 -------------------------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every option that nvcc 13.0 accepts, by what becomes of it when the command
// line is read for Clang. Spellings as `nvcc --dryrun` takes them:
//
//   --long, -short           an option without a value
//   --long V, --long=V,
//   -short V, -short=V       an option with a value
//   -DV                      joined, for D U I L l O t only (and -m64)
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

// The action, asked of a parsed argument by Option::matches().
def Action_Group : OptionGroup<"nvcc">;
// Speaks of output, of other tools, or of code generation: nothing to parse.
def Drop : OptionGroup<"drop">, Group<Action_Group>;
// Clang has the option under the same short name.
def Pass : OptionGroup<"pass">, Group<Action_Group>;
// The command links, archives or informs; it compiles nothing.
def Skip : OptionGroup<"skip">, Group<Action_Group>;
// Has its own case in Translate.cpp.
def Translate : OptionGroup<"translate">, Group<Action_Group>;

class AliasOf<string Name> : Alias<!cast<Option>(Name)>;

multiclass LongFlag<string Long, OptionGroup Action> {
  def "" : Option<["--"], Long, KIND_FLAG>, Group<Action>;
}

multiclass Flag<string Long, string Short, OptionGroup Action>
    : LongFlag<Long, Action> {
  def _short : Option<["-"], Short, KIND_FLAG>, AliasOf<NAME>;
}

multiclass LongValue<string Long, OptionGroup Action> {
  def "" : Option<["--"], Long, KIND_SEPARATE>, Group<Action>;
  def _eq : Option<["--"], Long#"=", KIND_JOINED>, AliasOf<NAME>;
}

multiclass Value<string Long, string Short, OptionGroup Action>
    : LongValue<Long, Action> {
  def _short : Option<["-"], Short, KIND_SEPARATE>, AliasOf<NAME>;
  def _short_eq : Option<["-"], Short#"=", KIND_JOINED>, AliasOf<NAME>;
}

multiclass ValueJoined<string Long, string Short, OptionGroup Action>
    : LongValue<Long, Action> {
  def _short : Option<["-"], Short, KIND_JOINED_OR_SEPARATE>, AliasOf<NAME>;
  def _short_eq : Option<["-"], Short#"=", KIND_JOINED>, AliasOf<NAME>;
}

// nvcc takes these, but its --help does not list them.
multiclass ShortValue<string Short, OptionGroup Action> {
  def "" : Option<["-"], Short, KIND_SEPARATE>, Group<Action>;
  def _eq : Option<["-"], Short#"=", KIND_JOINED>, AliasOf<NAME>;
}

//===--- Translated

defm device_c : Flag<"device-c", "dc", Translate>;
defm pre_include : Value<"pre-include", "include", Translate>;
defm define_macro : ValueJoined<"define-macro", "D", Translate>;
defm undefine_macro : ValueJoined<"undefine-macro", "U", Translate>;
defm include_path : ValueJoined<"include-path", "I", Translate>;
defm system_include : Value<"system-include", "isystem", Translate>;
defm compiler_bindir : Value<"compiler-bindir", "ccbin", Translate>;
defm allow_unsupported_compiler
    : Flag<"allow-unsupported-compiler",
            "allow-unsupported-compiler", Translate>;
defm target_directory : Value<"target-directory", "target-dir", Translate>;
defm device_debug : Flag<"device-debug", "G", Translate>;
defm dlink_time_opt : Flag<"dlink-time-opt", "dlto", Translate>;
defm lto : Flag<"lto", "lto", Translate>;
defm no_exceptions : Flag<"no-exceptions", "noeh", Translate>;
defm x : Value<"x", "x", Translate>;
defm expt_relaxed_constexpr
    : Flag<"expt-relaxed-constexpr", "expt-relaxed-constexpr", Translate>;
defm extended_lambda : Flag<"extended-lambda", "extended-lambda", Translate>;
defm expt_extended_lambda
    : Flag<"expt-extended-lambda", "expt-extended-lambda", Translate>;
defm compiler_options : Value<"compiler-options", "Xcompiler", Translate>;
defm forward_unknown_to_host_compiler
    : Flag<"forward-unknown-to-host-compiler",
            "forward-unknown-to-host-compiler", Translate>;
defm forward_unknown_to_host_linker
    : Flag<"forward-unknown-to-host-linker",
            "forward-unknown-to-host-linker", Translate>;
defm forward_unknown_opts
    : Flag<"forward-unknown-opts", "forward-unknown-opts", Translate>;
defm dont_use_profile : Flag<"dont-use-profile", "noprof", Translate>;
defm gpu_architecture : Value<"gpu-architecture", "arch", Translate>;
defm generate_code : Value<"generate-code", "gencode", Translate>;
defm relocatable_device_code
    : Value<"relocatable-device-code", "rdc", Translate>;
defm maxrregcount : Value<"maxrregcount", "maxrregcount", Translate>;
defm use_fast_math : Flag<"use_fast_math", "use_fast_math", Translate>;
defm default_stream : Value<"default-stream", "default-stream", Translate>;
defm restrict : Flag<"restrict", "restrict", Translate>;
defm extensible_whole_program
    : Flag<"extensible-whole-program", "ewp", Translate>;
defm options_file : Value<"options-file", "optf", Translate>;
defm relocatable_link : Flag<"relocatable-link", "r", Translate>;

//===--- Passed

defm optimize : ValueJoined<"optimize", "O", Pass>;
defm ftemplate_backtrace_limit
    : Value<"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", Pass>;
defm ftemplate_depth : Value<"ftemplate-depth", "ftemplate-depth", Pass>;
defm std : Value<"std", "std", Pass>;
defm machine : Value<"machine", "m", Pass>;
defm m64 : Flag<"m64", "m64", Pass>;
defm disable_warnings : Flag<"disable-warnings", "w", Pass>;
defm Wreorder : Flag<"Wreorder", "Wreorder", Pass>;
defm Wno_deprecated_declarations
    : Flag<"Wno-deprecated-declarations", "Wno-deprecated-declarations", Pass>;
defm frandom_seed : Value<"frandom-seed", "frandom-seed", Pass>;

//===--- Skipped

defm device_link : Flag<"device-link", "dlink", Skip>;
defm link : Flag<"link", "link", Skip>;
defm lib : Flag<"lib", "lib", Skip>;
defm run : Flag<"run", "run", Skip>;
defm list_gpu_code : Flag<"list-gpu-code", "code-ls", Skip>;
defm list_gpu_arch : Flag<"list-gpu-arch", "arch-ls", Skip>;
defm help : Flag<"help", "h", Skip>;
defm version : Flag<"version", "V", Skip>;

//===--- Dropped

defm cuda : Flag<"cuda", "cuda", Drop>;
defm cubin : Flag<"cubin", "cubin", Drop>;
defm fatbin : Flag<"fatbin", "fatbin", Drop>;
defm ptx : Flag<"ptx", "ptx", Drop>;
defm optix_ir : Flag<"optix-ir", "optix-ir", Drop>;
defm ltoir : Flag<"ltoir", "ltoir", Drop>;
defm preprocess : Flag<"preprocess", "E", Drop>;
defm generate_dependencies : Flag<"generate-dependencies", "M", Drop>;
defm generate_nonsystem_dependencies
    : Flag<"generate-nonsystem-dependencies", "MM", Drop>;
defm generate_dependencies_with_compile
    : Flag<"generate-dependencies-with-compile", "MD", Drop>;
defm generate_nonsystem_dependencies_with_compile
    : Flag<"generate-nonsystem-dependencies-with-compile", "MMD", Drop>;
defm dependency_output : Value<"dependency-output", "MF", Drop>;
defm generate_dependency_targets
    : Flag<"generate-dependency-targets", "MP", Drop>;
defm compile : Flag<"compile", "c", Drop>;
defm device_w : Flag<"device-w", "dw", Drop>;
defm output_file : Value<"output-file", "o", Drop>;
defm objdir_as_tempdir : Flag<"objdir-as-tempdir", "objtemp", Drop>;
defm library : ValueJoined<"library", "l", Drop>;
defm library_path : ValueJoined<"library-path", "L", Drop>;
defm output_directory : Value<"output-directory", "odir", Drop>;
defm archiver_binary : Value<"archiver-binary", "arbin", Drop>;
defm cudart : Value<"cudart", "cudart", Drop>;
defm cudadevrt : Value<"cudadevrt", "cudadevrt", Drop>;
defm libdevice_directory : Value<"libdevice-directory", "ldir", Drop>;
defm use_local_env : Flag<"use-local-env", "use-local-env", Drop>;
defm force_cl_env_setup
    : Flag<"force-cl-env-setup", "force-cl-env-setup", Drop>;
defm profile : Flag<"profile", "pg", Drop>;
defm debug : Flag<"debug", "g", Drop>;
defm generate_line_info : Flag<"generate-line-info", "lineinfo", Drop>;
defm optimization_info : Value<"optimization-info", "opt-info", Drop>;
defm Ofast_compile : Value<"Ofast-compile", "Ofc", Drop>;
defm dopt : Value<"dopt", "dopt", Drop>;
defm gen_opt_lto : Flag<"gen-opt-lto", "gen-opt-lto", Drop>;
defm shared : Flag<"shared", "shared", Drop>;
defm no_host_device_initializer_list
    : Flag<"no-host-device-initializer-list", "nohdinitlist", Drop>;
defm no_host_device_move_forward
    : Flag<"no-host-device-move-forward", "nohdmoveforward", Drop>;
defm linker_options : Value<"linker-options", "Xlinker", Drop>;
defm archive_options : Value<"archive-options", "Xarchive", Drop>;
defm ptxas_options : Value<"ptxas-options", "Xptxas", Drop>;
defm nvlink_options : Value<"nvlink-options", "Xnvlink", Drop>;
defm static_global_template_stub
    : Value<"static-global-template-stub", "static-global-template-stub", Drop>;
defm device_entity_has_hidden_visibility
    : Value<"device-entity-has-hidden-visibility",
            "device-entity-has-hidden-visibility", Drop>;
defm dryrun : Flag<"dryrun", "dryrun", Drop>;
defm verbose : Flag<"verbose", "v", Drop>;
defm threads : ValueJoined<"threads", "t", Drop>;
defm split_compile : Value<"split-compile", "split-compile", Drop>;
defm split_compile_extended
    : Value<"split-compile-extended", "split-compile-extended", Drop>;
defm fdevice_syntax_only
    : Flag<"fdevice-syntax-only", "fdevice-syntax-only", Drop>;
defm fdevice_time_trace
    : Value<"fdevice-time-trace", "fdevice-time-trace", Drop>;
defm keep : Flag<"keep", "keep", Drop>;
defm keep_dir : Value<"keep-dir", "keep-dir", Drop>;
defm save_temps : Flag<"save-temps", "save-temps", Drop>;
defm clean_targets : Flag<"clean-targets", "clean", Drop>;
defm time : Value<"time", "time", Drop>;
defm run_args : Value<"run-args", "run-args", Drop>;
defm input_drive_prefix : Value<"input-drive-prefix", "idp", Drop>;
defm dependency_drive_prefix : Value<"dependency-drive-prefix", "ddp", Drop>;
defm drive_prefix : Value<"drive-prefix", "dp", Drop>;
defm dependency_target_name : Value<"dependency-target-name", "MT", Drop>;
defm no_align_double : LongFlag<"no-align-double", Drop>;
defm no_device_link : Flag<"no-device-link", "nodlink", Drop>;
defm gpu_code : Value<"gpu-code", "code", Drop>;
defm entries : Value<"entries", "e", Drop>;
defm ftz : Value<"ftz", "ftz", Translate>;
defm prec_div : Value<"prec-div", "prec-div", Translate>;
defm prec_sqrt : Value<"prec-sqrt", "prec-sqrt", Drop>;
defm fmad : Value<"fmad", "fmad", Drop>;
defm extra_device_vectorization
    : Flag<"extra-device-vectorization", "extra-device-vectorization", Drop>;
defm keep_device_functions
    : Flag<"keep-device-functions", "keep-device-functions", Drop>;
defm source_in_ptx : Flag<"source-in-ptx", "src-in-ptx", Drop>;
defm Wdefault_stream_launch
    : Flag<"Wdefault-stream-launch", "Wdefault-stream-launch", Drop>;
defm Wmissing_launch_bounds
    : Flag<"Wmissing-launch-bounds", "Wmissing-launch-bounds", Drop>;
defm Wext_lambda_captures_this
    : Flag<"Wext-lambda-captures-this", "Wext-lambda-captures-this", Drop>;
defm Wno_deprecated_gpu_targets
    : Flag<"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", Drop>;
defm Werror : Value<"Werror", "Werror", Translate>;
defm resource_usage : Flag<"resource-usage", "res-usage", Drop>;
defm no_compress : Flag<"no-compress", "no-compress", Drop>;
defm qpp_config : Value<"qpp-config", "qpp-config", Drop>;
defm compile_as_tools_patch
    : Flag<"compile-as-tools-patch", "astoolspatch", Drop>;
defm display_error_number : Flag<"display-error-number", "err-no", Drop>;
defm no_display_error_number
    : Flag<"no-display-error-number", "no-err-no", Drop>;
defm diag_error : Value<"diag-error", "diag-error", Drop>;
defm diag_suppress : Value<"diag-suppress", "diag-suppress", Drop>;
defm diag_warn : Value<"diag-warn", "diag-warn", Drop>;
defm host_linker_script : Value<"host-linker-script", "hls", Drop>;
defm augment_host_linker_script
    : Flag<"augment-host-linker-script", "aug-hls", Drop>;
defm brief_diagnostics : Value<"brief-diagnostics", "brief-diag", Drop>;
defm jump_table_density : Value<"jump-table-density", "jtd", Drop>;
defm relocatable_ptx : Flag<"relocatable-ptx", "reloc-ptx", Drop>;
defm device_stack_protector
    : Value<"device-stack-protector", "device-stack-protector", Drop>;
defm compress_mode : Value<"compress-mode", "compress-mode", Drop>;
defm sanitize : Value<"sanitize", "sanitize", Drop>;
defm jobserver : Flag<"jobserver", "jobserver", Drop>;
defm Xcudafe : ShortValue<"Xcudafe", Drop>;
defm Xfatbin : ShortValue<"Xfatbin", Drop>;
defm Xcicc : ShortValue<"Xcicc", Drop>;
