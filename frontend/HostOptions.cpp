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
