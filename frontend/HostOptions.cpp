//===- HostOptions.cpp - Options of Clang and GCC -------------------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/HostOptions.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <map>

using namespace llvm;
using namespace barricade;
namespace options = clang::options;

static opt::InputArgList parseWithClang(ArrayRef<std::string> Options) {
  // The list keeps these pointers; Options outlives it.
  std::vector<const char *> Pointers;
  for (const std::string &Option : Options)
    Pointers.push_back(Option.c_str());
  unsigned MissingIndex, MissingCount;
  return clang::getDriverOptTable().ParseArgs(
      Pointers, MissingIndex, MissingCount,
      opt::Visibility(options::ClangOption));
}

static void render(const opt::Arg &A, const opt::ArgList &Args,
                   std::vector<std::string> &Out) {
  opt::ArgStringList Words;
  A.render(Args, Words);
  Out.insert(Out.end(), Words.begin(), Words.end());
}

//===--- Options meant for a host compiler --------------------------------===//

/// Whether an -f option changes what the parser sees: a macro, a keyword, a
/// type's size, a limit.
static bool isLanguageFOption(const opt::Option &O) {
  StringRef Name = O.getPrefixedName();
  Name.consume_front("-f");
  Name.consume_front("no-");
  return StringSwitch<bool>(Name.rtrim('='))
      .Cases({"exceptions", "cxx-exceptions", "rtti"}, true)
      .Cases({"signed-char", "unsigned-char", "char8_t", "short-enums"}, true)
      .Cases({"short-wchar", "ms-extensions", "gnu-keywords"}, true)
      .Cases({"openmp", "openmp-simd", "fast-math"}, true)
      .Cases({"finite-math-only", "math-errno"}, true)
      .Cases({"PIC", "PIE", "pic", "pie", "plt"}, true)
      .Cases({"builtin", "freestanding", "hosted"}, true)
      .Cases({"template-depth", "constexpr-depth", "constexpr-steps"}, true)
      .Cases({"sized-deallocation", "aligned-allocation"}, true)
      .Cases({"coroutines", "concepts", "access-control"}, true)
      .Cases({"dollars-in-identifiers", "trigraphs", "operator-names"}, true)
      .Cases({"define-target-os-macros", "wrapv", "asm"}, true)
      .Default(false);
}

static bool changesParse(const opt::Option &O) {
  if (O.matches(options::OPT_M_Group))
    return false;
  if (O.matches(options::OPT_f_Group))
    return isLanguageFOption(O);
  for (unsigned Group : {options::OPT_Preprocessor_Group, options::OPT_O_Group,
                         options::OPT_std_EQ, options::OPT_ansi,
                         options::OPT_pthread, options::OPT_nostdinc,
                         options::OPT_nostdincxx, options::OPT__sysroot_EQ,
                         options::OPT_isysroot, options::OPT_stdlib_EQ})
    if (O.matches(Group))
      return true;
  return false;
}

static bool isHostMachineOption(const opt::Option &O) {
  return O.matches(options::OPT_m_Group) &&
         !O.hasFlag(options::NoXarchOption) && !O.matches(options::OPT_m64);
}

std::vector<std::string>
barricade::filterHostOptions(ArrayRef<std::string> Options) {
  opt::InputArgList Args = parseWithClang(Options);
  std::vector<std::string> Kept;
  for (const opt::Arg *A : Args) {
    if (isHostMachineOption(A->getOption()))
      Kept.push_back("-Xarch_host");
    else if (!changesParse(A->getOption()))
      continue;
    render(*A, Args, Kept);
  }
  return Kept;
}

//===--- Arithmetic -------------------------------------------------------===//

namespace {
enum class Touches { Nothing, Floats, Anything };
} // namespace

/// What is not listed may change anything.
static Touches touchedByF(StringRef Name) {
  Name.consume_front("-f");
  if (Name == "fp-contract=off")
    return Touches::Nothing;
  Name.consume_front("no-");
  Name = Name.take_until([](char C) { return C == '='; });
  for (StringRef Prefix :
       {"visibility", "stack-", "diagnostics-", "lto", "openmp", "profile",
        "sanitize", "inline", "template-", "constexpr-", "aligned-", "tree-",
        "debug-", "file-prefix", "macro-prefix", "color-", "message-"})
    if (Name.starts_with(Prefix))
      return Touches::Nothing;
  return StringSwitch<Touches>(Name)
      .Cases({"exceptions", "cxx-exceptions", "rtti", "PIC", "PIE", "pic"},
             Touches::Nothing)
      .Cases({"pie", "plt", "omit-frame-pointer", "strict-aliasing", "common"},
             Touches::Nothing)
      .Cases({"data-sections", "function-sections", "permissive", "builtin"},
             Touches::Nothing)
      .Cases({"unroll-loops", "vectorize", "slp-vectorize", "math-errno"},
             Touches::Nothing)
      .Cases({"hosted", "sized-deallocation", "coroutines", "concepts"},
             Touches::Nothing)
      .Cases({"access-control", "char8_t", "gnu-keywords", "ms-extensions"},
             Touches::Nothing)
      .Cases({"asynchronous-unwind-tables", "unwind-tables", "ident"},
             Touches::Nothing)
      .Cases({"cf-protection", "semantic-interposition", "max-errors"},
             Touches::Nothing)
      .Cases({"dollars-in-identifiers", "threadsafe-statics", "gnu-unique"},
             Touches::Nothing)
      .Cases({"use-cxa-atexit", "delete-null-pointer-checks"}, Touches::Nothing)
      .Cases({"use-linker-plugin", "test-coverage", "verbose-asm"},
             Touches::Nothing)
      .Cases({"fast-math", "finite-math-only", "associative-math"},
             Touches::Floats)
      .Cases({"reciprocal-math", "unsafe-math-optimizations", "signed-zeros"},
             Touches::Floats)
      .Cases({"rounding-math", "signaling-nans", "excess-precision"},
             Touches::Floats)
      .Cases({"float-store", "fp-contract", "fp-model", "trapping-math"},
             Touches::Floats)
      .Default(Touches::Anything);
}

static Touches touchedByM(StringRef Name) {
  Name.consume_front("-m");
  Name = Name.take_until([](char C) { return C == '='; });
  return StringSwitch<Touches>(Name)
      .Cases({"64", "tune", "cmodel", "red-zone", "no-red-zone", "sse"},
             Touches::Nothing)
      .Cases({"sse2", "sse3", "ssse3", "sse4", "sse4.1", "sse4.2", "popcnt"},
             Touches::Nothing)
      .Cases({"arch", "cpu", "fma", "fma4", "f16c", "fpmath"}, Touches::Floats)
      .StartsWith("avx", Touches::Floats)
      .StartsWith("no-avx", Touches::Floats)
      .StartsWith("no-fma", Touches::Floats)
      .StartsWith("recip", Touches::Floats)
      .StartsWith("daz", Touches::Floats)
      .Default(Touches::Anything);
}

static Touches touchedBy(const opt::Arg &A) {
  const opt::Option &O = A.getOption();
  const StringRef Spelling = A.getSpelling();
  std::string Whole = Spelling.str();
  if (Spelling.ends_with("=") && A.getNumValues())
    Whole += A.getValue();
  if (O.matches(options::OPT_Ofast))
    return Touches::Floats;
  for (unsigned Harmless : {unsigned(options::OPT_W_Group),
                            unsigned(options::OPT_M_Group),
                            unsigned(options::OPT_Preprocessor_Group),
                            unsigned(options::OPT_O_Group),
                            unsigned(options::OPT_g_Group),
                            unsigned(options::OPT_Link_Group),
                            unsigned(options::OPT_INPUT),
                            unsigned(options::OPT_Action_Group),
                            unsigned(options::OPT_o),
                            unsigned(options::OPT_x),
                            unsigned(options::OPT_std_EQ),
                            unsigned(options::OPT_ansi),
                            unsigned(options::OPT_pedantic_Group),
                            unsigned(options::OPT_pthread),
                            unsigned(options::OPT_pipe),
                            unsigned(options::OPT_w),
                            unsigned(options::OPT_v),
                            unsigned(options::OPT_nostdinc),
                            unsigned(options::OPT_nostdincxx),
                            unsigned(options::OPT__sysroot_EQ),
                            unsigned(options::OPT_isysroot),
                            unsigned(options::OPT_stdlib_EQ),
                            unsigned(options::OPT_L),
                            unsigned(options::OPT_l),
                            unsigned(options::OPT_Wl_COMMA),
                            unsigned(options::OPT_Xlinker),
                            unsigned(options::OPT_shared),
                            unsigned(options::OPT_rdynamic),
                            unsigned(options::OPT_save_temps_EQ),
                            unsigned(options::OPT_pg),
                            unsigned(options::OPT_p)})
    if (O.matches(Harmless))
      return Touches::Nothing;
  if (StringRef(Whole).starts_with("-f"))
    return touchedByF(Whole);
  if (StringRef(Whole).starts_with("-m"))
    return touchedByM(Whole);
  return Touches::Anything;
}

HostArithmetic barricade::judgeHostOptions(ArrayRef<std::string> Options) {
  HostArithmetic Result;
  const opt::InputArgList Args = parseWithClang(Options);
  for (const opt::Arg *A : Args) {
    const Touches What = touchedBy(*A);
    if (What != Touches::Nothing && Result.Float.empty())
      Result.Float = A->getAsString(Args);
    if (What == Touches::Anything && Result.Any.empty())
      Result.Any = A->getAsString(Args);
  }
  return Result;
}

//===--- Clang's own command lines ----------------------------------------===//

/// Whether the option says what to make of the parse, not how to parse.
static bool isOutputOption(const opt::Option &O) {
  for (unsigned ID : {options::OPT_Action_Group,
                      options::OPT_M_Group,
                      options::OPT_Link_Group,
                      options::OPT_o,
                      options::OPT_INPUT,
                      options::OPT_save_temps_EQ,
                      options::OPT_ftime_trace,
                      options::OPT_ftime_trace_EQ,
                      options::OPT_emit_llvm,
                      options::OPT__HASH_HASH_HASH,
                      options::OPT_v,
                      options::OPT_mllvm,
                      options::OPT__serialize_diags,
                      options::OPT_offload_arch_EQ,
                      options::OPT_no_offload_arch_EQ,
                      options::OPT_offload_host_only,
                      options::OPT_offload_device_only,
                      options::OPT_offload_host_device,
                      options::OPT_cuda_path_EQ,
                      options::OPT_x,
                      options::OPT_L,
                      options::OPT_l,
                      options::OPT_Wl_COMMA,
                      options::OPT_Xlinker,
                      options::OPT_shared,
                      options::OPT_static,
                      options::OPT_Xcuda_ptxas,
                      options::OPT_Xcuda_fatbinary,
                      options::OPT_fplugin_EQ,
                      options::OPT_rpath,
                      options::OPT_r,
                      options::OPT_rdynamic})
    if (O.matches(ID))
      return true;
  return false;
}

static bool isInformational(const opt::ArgList &Args) {
  return Args.hasArg(options::OPT__version, options::OPT_help,
                     options::OPT_print_search_dirs,
                     options::OPT_print_resource_dir, options::OPT_dumpversion,
                     options::OPT_dumpmachine);
}

static bool isCompiledFile(StringRef Input) {
  return !StringSwitch<bool>(sys::path::extension(Input))
              .Cases({".o", ".a", ".so", ".obj", ".lib"}, true)
              .Default(false);
}

ClangOptions barricade::readClangOptions(ArrayRef<std::string> Options) {
  opt::InputArgList Args = parseWithClang(Options);
  ClangOptions Result;
  for (const opt::Arg *A : Args)
    if (!isOutputOption(A->getOption()))
      render(*A, Args, Result.Kept);
  Result.Archs = Args.getAllArgValues(options::OPT_offload_arch_EQ);
  Result.Language = Args.getLastArgValue(options::OPT_x).str();
  Result.CudaPath = Args.getLastArgValue(options::OPT_cuda_path_EQ).str();
  Result.Dialect = Args.getLastArgValue(options::OPT_std_EQ).str();
  Result.Inputs = Args.getAllArgValues(options::OPT_INPUT);
  Result.Rdc = Args.hasFlag(options::OPT_fgpu_rdc, options::OPT_fno_gpu_rdc,
                            /*Default=*/false);
  Result.FastMath =
      Args.hasFlag(options::OPT_ffast_math, options::OPT_fno_fast_math, false);
  // What is not for the host alone both passes have, as far as that goes.
  Result.Arithmetic =
      judgeHostOptions(Args.getAllArgValues(options::OPT_Xarch_host));
  for (const opt::Arg *A : Args)
    if (touchedBy(*A) == Touches::Floats && Result.Arithmetic.Float.empty())
      Result.Arithmetic.Float = A->getAsString(Args);
  Result.Informational = isInformational(Args);
  Result.LinksOnly =
      !Result.Inputs.empty() && none_of(Result.Inputs, isCompiledFile);
  return Result;
}

static std::map<unsigned, std::string>
valuesByPlace(const opt::InputArgList &Args) {
  std::map<unsigned, std::string> Result;
  for (const opt::Arg *A : Args)
    Result[A->getIndex()] = llvm::join(A->getValues(), ",");
  return Result;
}

bool barricade::clangReadsAlike(ArrayRef<std::string> Options,
                                const opt::InputArgList &Other) {
  opt::InputArgList Args = parseWithClang(Options);
  return !Args.hasArg(options::OPT_UNKNOWN) &&
         valuesByPlace(Args) == valuesByPlace(Other);
}

//===--- GCC installations ------------------------------------------------===//

std::string barricade::gccInstallDir(StringRef Compiler, vfs::FileSystem &FS) {
  SmallString<128> Program(Compiler), Real;
  if (auto Status = FS.status(Program); Status && Status->isDirectory())
    sys::path::append(Program, "g++");
  if (FS.getRealPath(Program, Real))
    return {};
  static const Regex Gcc("(^|-)(g\\+\\+|gcc|c\\+\\+)(-([0-9.]+))?$");
  SmallVector<StringRef, 5> Match;
  if (!Gcc.match(sys::path::filename(Real), &Match))
    return {};
  StringRef Version = Match[4];

  SmallString<128> Root(sys::path::parent_path(sys::path::parent_path(Real)));
  sys::path::append(Root, "lib", "gcc");
  std::error_code EC;
  for (vfs::directory_iterator Triple = FS.dir_begin(Root, EC), End;
       !EC && Triple != End; Triple.increment(EC)) {
    std::error_code VersionEC;
    for (vfs::directory_iterator I = FS.dir_begin(Triple->path(), VersionEC), E;
         !VersionEC && I != E; I.increment(VersionEC)) {
      // A program without a version in its name has one installation.
      bool Fits = Version.empty() || sys::path::filename(I->path()) == Version;
      if (Fits && FS.exists(I->path() + "/crtbegin.o"))
        return I->path().str();
    }
  }
  return {};
}
