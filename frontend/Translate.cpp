//===- Translate.cpp - A build's command line in Clang's words ------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Translate.h"
#include "frontend/CommandLine.h"
#include "frontend/HostOptions.h"
#include "frontend/NvccOptions.h"
#include "clang/Basic/OffloadArch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace barricade;

StringRef barricade::passName(Pass P) {
  return P == Pass::Host ? "host" : "device";
}

//===--- One pass's command line ------------------------------------------===//

static std::string offloadArch(const BuildFacts &Facts, unsigned Sm) {
  bool Accelerated = is_contained(Facts.AcceleratedArchs, Sm);
  return "--offload-arch=sm_" + std::to_string(Sm) + (Accelerated ? "a" : "");
}

std::vector<std::string> TranslatedCommand::argsFor(Pass P, unsigned Sm) const {
  std::vector<std::string> Result = {"clang++"};
  Result.insert(Result.end(), Args.begin(), Args.end());
  if (IsCuda && P == Pass::Device) {
    Result.push_back("--cuda-device-only");
    Result.push_back(offloadArch(Facts, Sm));
  } else if (IsCuda) {
    Result.push_back("--cuda-host-only");
    // All of them: the host pass sees them in __CUDA_ARCH_LIST__.
    for (unsigned Arch : Facts.Archs)
      Result.push_back(offloadArch(Facts, Arch));
  }
  Result.insert(Result.end(), {"-fsyntax-only", "--", File});
  return Result;
}

std::vector<std::string>
TranslatedCommand::includeFolders(ArrayRef<StringRef> Flags) const {
  std::vector<std::string> Folders;
  auto Add = [&](StringRef Folder) {
    Folders.push_back(absolutePath(Directory, Folder));
  };
  for (ArrayRef<std::string> Rest = Args; !Rest.empty();
       Rest = Rest.drop_front())
    for (StringRef Flag : Flags) {
      StringRef Value = Rest.front();
      if (!Value.consume_front(Flag))
        continue;
      if (!Value.empty())
        Add(Value);
      else if (Rest.size() > 1)
        Add(Rest[1]);
    }
  return Folders;
}

void TranslatedCommand::showWarnings() {
  llvm::erase_if(Args, [](StringRef Arg) {
    return Arg == "-w" || Arg.starts_with("-Werror");
  });
  llvm::append_range(Args, Warnings);
}

namespace {

//===--- What all compilers' translations share ---------------------------===//

bool hasCudaExtension(StringRef File) {
  return StringSwitch<bool>(sys::path::extension(File))
      .Cases({".cu", ".cuh"}, true)
      .Default(false);
}

bool isKnownToClang(unsigned Sm) {
  return clang::StringToOffloadArch("sm_" + std::to_string(Sm)) !=
         clang::OffloadArch::UNKNOWN;
}

/// Translates one entry. One object per entry.
class Translator {
public:
  Translator(const clang::tooling::CompileCommand &Entry,
             const TranslateOptions &Options)
      : Entry(Entry), Options(Options), FS(*Options.FS) {
    Result.Directory = Entry.Directory;
    Result.File = Entry.Filename;
  }

  Expected<Translation> run();

private:
  Expected<Translation> translateNvcc(const CompilerCommand &Compiler);
  Expected<Translation> translateClang(const CompilerCommand &Compiler);
  Expected<Translation> translateHost(const CompilerCommand &Compiler);

  Error translateNvccOption(const opt::Arg &A);
  void passNvccOption(const opt::Arg &A);
  void setRdc();
  void keepWarnings(ArrayRef<std::string> Options);
  void useHostCompiler(StringRef Compiler);
  Error addArchs(StringRef Value);
  Error addArch(StringRef Name);
  Error addArchsOfSpecification(StringRef Value);
  void finishArchs();
  void useToolkit(std::optional<Toolkit> T);
  void addHostCompilersHeaders();
  std::vector<std::string> includeFolders(ArrayRef<StringRef> Flags) const;
  bool hasOwnCudaHeader() const;
  bool lacksCudaLibrary() const;
  void finishCuda();

  void add(const Twine &Arg) { Result.Args.push_back(Arg.str()); }
  void addEach(StringRef Flag, const std::vector<std::string> &Values) {
    for (const std::string &Value : Values) {
      add(Flag);
      add(Value);
    }
  }
  /// Of the compiler of the host pass alone.
  void addHostOptions(const std::vector<std::string> &Words) {
    llvm::append_range(Result.Args, filterHostOptions(Words));
    const HostArithmetic Found = judgeHostOptions(Words);
    HostArithmetic &Known = Result.Facts.Arithmetic;
    if (Known.Float.empty())
      Known.Float = Found.Float;
    if (Known.Any.empty())
      Known.Any = Found.Any;
  }
  void note(const Twine &Text) { Result.Notes.push_back(Text.str()); }
  std::string absolute(StringRef Path) const {
    SmallString<128> Full(Path);
    sys::path::make_absolute(Entry.Directory, Full);
    return std::string(Full);
  }

  const clang::tooling::CompileCommand &Entry;
  const TranslateOptions &Options;
  vfs::FileSystem &FS;
  TranslatedCommand Result;

  std::optional<Toolkit> Cuda;
  std::string Language; ///< nvcc's -x: c, c++ or cu.
  std::string TargetDir;
  std::vector<std::string> UnknownOptions;
  enum { Refuse, ToCompiler, Ignore } OnUnknown = Refuse;
};

/// Architecture names wait until the toolkit, and so what "all" means, is
/// known.
Error Translator::addArch(StringRef Name) {
  static const Regex Arch("^(compute|sm|lto)_([0-9]+)([af]?)$");
  SmallVector<StringRef, 4> Match;
  unsigned Sm;
  if (!Arch.match(Name, &Match) || Match[2].getAsInteger(10, Sm))
    return createStringError("unsupported GPU architecture '" + Name + "'");
  Result.Facts.Archs.push_back(Sm);
  Result.Facts.ArchsGiven = true;
  if (Match[3] == "a")
    Result.Facts.AcceleratedArchs.push_back(Sm);
  if (Match[3] == "f")
    note("'" + Name + "' is analysed as sm_" + Twine(Sm) +
         ": Clang has no family-specific features");
  return Error::success();
}

Error Translator::addArchs(StringRef Value) {
  auto Append = [&](const std::vector<unsigned> &Archs) {
    llvm::append_range(Result.Facts.Archs, Archs);
    Result.Facts.ArchsGiven = true;
    return Error::success();
  };
  Toolkit T = Cuda.value_or(Toolkit());
  if (Value == "all" || Value == "all-major")
    return Append(T.allArchs(/*MajorOnly=*/Value == "all-major"));
  if (Value != "native")
    return addArch(Value);
  if (!Options.NativeArchs.empty())
    return Append(Options.NativeArchs);
  note("-arch=native: no GPU is known here, sm_" + Twine(T.defaultArch()) +
       " stands in");
  Result.Facts.Archs.push_back(T.defaultArch());
  return Error::success();
}

/// Of `arch=compute_80,code=[sm_80,compute_80]` the virtual architecture: it
/// alone decides what the code sees.
Error Translator::addArchsOfSpecification(StringRef Value) {
  static const Regex Spec("(^|,)arch=([a-z]+_[0-9a-z]+|[a-z-]+)");
  SmallVector<StringRef, 3> Match;
  if (!Spec.match(Value, &Match))
    return createStringError("'-gencode " + Value + "' names no architecture");
  return addArchs(Match[2]);
}

/// Sorts the requested architectures and moves those that the toolkit or
/// Clang lacks to the nearest one that both have.
void Translator::finishArchs() {
  std::vector<unsigned> &Archs = Result.Facts.Archs;
  unsigned Oldest = Cuda ? Cuda->allArchs(false).front() : 0;
  if (Archs.empty())
    Archs.push_back(Cuda.value_or(Toolkit()).defaultArch());
  auto SortOut = [](std::vector<unsigned> &All) {
    llvm::sort(All);
    All.erase(llvm::unique(All), All.end());
  };
  Result.Facts.NamedArchs = Archs;
  SortOut(Result.Facts.NamedArchs);
  for (unsigned &Sm : Archs) {
    unsigned Wanted = Sm;
    Sm = std::max(Sm, Oldest);
    while (!isKnownToClang(Sm) && Sm > 20)
      --Sm;
    if (Sm != Wanted)
      note("sm_" + Twine(Wanted) + " is analysed as sm_" + Twine(Sm) + ": " +
           (Wanted < Oldest
                ? "CUDA " + std::to_string(Cuda->Major) + " has dropped it"
                : std::string("Clang does not know it")));
  }
  SortOut(Archs);
  llvm::erase_if(Result.Facts.AcceleratedArchs, [&](unsigned Sm) {
    return clang::StringToOffloadArch("sm_" + std::to_string(Sm) + "a") ==
           clang::OffloadArch::UNKNOWN;
  });
}

void Translator::useToolkit(std::optional<Toolkit> T) {
  if (Options.NoToolkit)
    return;
  if (!Options.CudaPath.empty())
    T = toolkitAt(Options.CudaPath, FS);
  Cuda = T ? std::move(T) : findToolkit(Options.Env, FS);
}

void Translator::setRdc() {
  Result.Facts.RelocatableDeviceCode = true;
  add("-fgpu-rdc");
}

void Translator::useHostCompiler(StringRef Compiler) {
  std::string Path = sys::path::has_parent_path(Compiler)
                         ? absolute(Compiler)
                         : findProgram(Compiler, Options.Env, FS);
  std::string Gcc = gccInstallDir(Path, FS);
  if (!Gcc.empty())
    add("--gcc-install-dir=" + Gcc);
  else if (!Compiler.contains("clang"))
    note("-ccbin=" + Compiler +
         ": no GCC installation is known for it; "
         "Clang's default C++ library is used");
}

/// nvcc's host compiler is GCC, which has headers (omp.h above all) among its
/// own where Clang does not look.
void Translator::addHostCompilersHeaders() {
  if (FS.exists(Options.ResourceDir + "/include/omp.h"))
    return;
  std::string Gcc = gccInstallDir(findProgram("g++", Options.Env, FS), FS);
  if (!Gcc.empty())
    addEach("-idirafter", {Gcc + "/include"});
}

/// The folders that the command names by one of \p Flags.
std::vector<std::string>
Translator::includeFolders(ArrayRef<StringRef> Flags) const {
  std::vector<std::string> Folders;
  for (size_t I = 0; I != Result.Args.size(); ++I) {
    StringRef Folder = Result.Args[I];
    if (none_of(Flags, [&](StringRef F) { return Folder.consume_front(F); }))
      continue;
    if (Folder.empty() && I + 1 != Result.Args.size())
      Folder = Result.Args[++I];
    Folders.push_back(absolute(Folder));
  }
  return Folders;
}

/// Whether an include folder of the project has a cuda.h of its own.
bool Translator::hasOwnCudaHeader() const {
  return any_of(includeFolders({"-I"}), [&](const std::string &Folder) {
    auto Buffer = FS.getBufferForFile(Folder + "/cuda.h");
    return Buffer && !(*Buffer)->getBuffer().contains("CUDA_VERSION");
  });
}

bool Translator::lacksCudaLibrary() const {
  return Cuda && FS.exists(Cuda->Path + "/include/cccl") &&
         !is_contained(Result.Args, "-D_CG_LIMIT_INCLUDED_DEPENDENCIES") &&
         none_of(includeFolders({"-I", "-isystem", "-idirafter"}),
                 [&](const std::string &Folder) {
                   return FS.exists(Folder + "/cuda/std/type_traits");
                 });
}

/// The flags that every CUDA parse gets. The prelude comes before the
/// command's own -include, as in nvcc.
void Translator::finishCuda() {
  addHostCompilersHeaders();
  add("-x");
  add("cuda");
  std::string First;
  if (Cuda) {
    First = Options.HeadersDir + "/prelude/nvcc_prelude.h";
    Result.Facts.CudaPath = Cuda->Path;
    add("--cuda-path=" + Cuda->Path);
    addEach("-isystem", {Options.HeadersDir + "/prelude/system"});
    if (hasOwnCudaHeader()) {
      addEach("-iquote", {Options.HeadersDir + "/prelude/driver"});
      add("-DBARRICADE_DRIVER_API=\"" + Cuda->Path + "/include/cuda.h\"");
    }
    if (!TargetDir.empty())
      addEach("-isystem", {Cuda->Path + "/targets/" + TargetDir + "/include"});
    // nvcc's own include list ends with it since CUDA 13.
    if (std::string Cccl = Cuda->Path + "/include/cccl"; FS.exists(Cccl))
      addEach("-isystem", {Cccl});
  } else {
    note("no CUDA toolkit: barricade's own declarations of the language and "
         "the runtime API stand in");
    First = Options.HeadersDir + "/fallback/cuda_runtime.h";
    add("-nocudainc");
    add("-nocudalib");
    // Else a toolkit that the driver finds gives its version to the host pass,
    // whose launches then call another function than the device pass's.
    add("--cuda-path=" + Options.HeadersDir + "/fallback");
    addEach("-isystem", {Options.HeadersDir + "/fallback"});
  }
  Result.Args.insert(Result.Args.begin(), {"-include", First});
}

//===--- nvcc -------------------------------------------------------------===//

void Translator::passNvccOption(const opt::Arg &A) {
  StringRef Value = A.getNumValues() ? A.getValue() : "";
  switch (A.getOption().getID()) {
  case nvcc::OPT_std:
    Result.Facts.Dialect = Value.str();
    return add("-std=" + Value);
  case nvcc::OPT_optimize:
    return add("-O" + Value);
  case nvcc::OPT_machine:
    return add("-m" + Value);
  case nvcc::OPT_ftemplate_depth:
    return add("-ftemplate-depth=" + Value);
  case nvcc::OPT_ftemplate_backtrace_limit:
    return add("-ftemplate-backtrace-limit=" + Value);
  case nvcc::OPT_frandom_seed:
    return add("-frandom-seed=" + Value);
  case nvcc::OPT_m64:
    return add("-m64");
  case nvcc::OPT_disable_warnings:
    return add("-w");
  case nvcc::OPT_Wreorder:
    return add("-Wreorder");
  case nvcc::OPT_Wno_deprecated_declarations:
    return add("-Wno-deprecated-declarations");
  }
  llvm_unreachable("an option of the pass group has no case");
}

/// Takes note of the warnings that a GCC-like compiler is asked for.
void Translator::keepWarnings(ArrayRef<std::string> Options) {
  for (StringRef Option : Options) {
    if (Option.starts_with("-Werror"))
      Result.WarningsAreErrors = true;
    else if (Option.starts_with("-W") && !Option.contains(','))
      Result.Warnings.push_back(Option.str());
  }
}

Error Translator::translateNvccOption(const opt::Arg &A) {
  StringRef Value = A.getNumValues() ? A.getValue() : "";
  BuildFacts &Facts = Result.Facts;
  switch (A.getOption().getID()) {
  case nvcc::OPT_define_macro:
    addEach("-D", splitList(Value, ListOf::Text));
    break;
  case nvcc::OPT_undefine_macro:
    addEach("-U", splitList(Value, ListOf::Text));
    break;
  case nvcc::OPT_include_path:
    addEach("-I", splitList(Value, ListOf::Paths));
    break;
  case nvcc::OPT_system_include:
    addEach("-isystem", splitList(Value, ListOf::Paths));
    break;
  case nvcc::OPT_pre_include:
    addEach("-include", splitList(Value, ListOf::Paths));
    break;
  case nvcc::OPT_compiler_options:
    keepWarnings(splitHostOptions(Value));
    addHostOptions(splitHostOptions(Value));
    break;
  case nvcc::OPT_Werror:
    // Clang's nearest to what nvcc's own front end warns about.
    Result.WarningsAreErrors = true;
    Result.Warnings.push_back("-Wall");
    break;
  case nvcc::OPT_compiler_bindir:
    useHostCompiler(Value);
    break;
  case nvcc::OPT_allow_unsupported_compiler:
    add("-D__NV_NO_HOST_COMPILER_CHECK=1");
    break;
  case nvcc::OPT_target_directory:
    TargetDir = Value.str();
    break;
  case nvcc::OPT_x:
    Language = Value.str();
    break;
  case nvcc::OPT_no_exceptions:
    add("-Xarch_host");
    add("-fno-exceptions");
    break;
  case nvcc::OPT_device_debug:
    Facts.DeviceDebug = true;
    add("-D__CUDACC_DEBUG__");
    break;
  case nvcc::OPT_expt_relaxed_constexpr:
    add("-D__CUDACC_RELAXED_CONSTEXPR__");
    break;
  case nvcc::OPT_extended_lambda:
  case nvcc::OPT_expt_extended_lambda:
    add("-D__CUDACC_EXTENDED_LAMBDA__");
    break;
  case nvcc::OPT_extensible_whole_program:
    add("-D__CUDACC_EWP__");
    break;
  case nvcc::OPT_relocatable_device_code:
    if (Value != "true" && Value != "false")
      return createStringError("'" + Value +
                               "' for -rdc is neither true nor "
                               "false");
    if (Value == "false")
      break;
    [[fallthrough]];
  case nvcc::OPT_device_c:
    setRdc();
    add("-D__CUDACC_RDC__");
    break;
  case nvcc::OPT_dlink_time_opt:
  case nvcc::OPT_lto:
  case nvcc::OPT_relocatable_link:
    add("-D__CUDACC_RDC__");
    break;
  case nvcc::OPT_gpu_architecture:
    // Done first, see translateNvcc().
  case nvcc::OPT_dont_use_profile:
    // The profile's include folders are the toolkit's own: what Clang adds.
    break;
  case nvcc::OPT_generate_code:
    return addArchsOfSpecification(Value);
  case nvcc::OPT_maxrregcount:
    if (Value.getAsInteger(10, Facts.MaxRegCount))
      return createStringError("'" + Value +
                               "' for -maxrregcount is no number");
    break;
  case nvcc::OPT_use_fast_math:
    Facts.FastMath = true;
    break;
  case nvcc::OPT_ftz:
    Facts.FastMath |= Value == "true";
    break;
  case nvcc::OPT_prec_div:
    Facts.FastMath |= Value == "false";
    break;
  case nvcc::OPT_restrict:
    Facts.Restrict = true;
    break;
  case nvcc::OPT_default_stream:
    Facts.PerThreadDefaultStream = Value == "per-thread";
    if (Facts.PerThreadDefaultStream)
      add("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    break;
  case nvcc::OPT_forward_unknown_opts:
  case nvcc::OPT_forward_unknown_to_host_compiler:
    OnUnknown = ToCompiler;
    break;
  case nvcc::OPT_forward_unknown_to_host_linker:
    if (OnUnknown == Refuse)
      OnUnknown = Ignore;
    break;
  default:
    llvm_unreachable("an option of the translate group has no case");
  }
  return Error::success();
}

Expected<Translation>
Translator::translateNvcc(const CompilerCommand &Compiler) {
  useToolkit(toolkitOfNvcc(Compiler.Program, Options.Env, FS));
  if (Compiler.MixesHostOptions)
    OnUnknown = ToCompiler;

  std::vector<std::string> Words =
      splitFlagsVariable(Options.Env.lookup("NVCC_PREPEND_FLAGS"));
  llvm::append_range(Words, Compiler.Args);
  llvm::append_range(
      Words, splitFlagsVariable(Options.Env.lookup("NVCC_APPEND_FLAGS")));
  Expected<std::vector<std::string>> Expanded =
      expandOptionsFiles(Words, Entry.Directory, FS);
  if (!Expanded)
    return Expanded.takeError();

  std::vector<const char *> Pointers;
  for (const std::string &Word : *Expanded)
    Pointers.push_back(Word.c_str());
  unsigned MissingIndex, MissingCount;
  opt::InputArgList Args =
      nvccOptTable().ParseArgs(Pointers, MissingIndex, MissingCount);
  if (MissingCount)
    return createStringError("nvcc's option '" + Twine(Pointers[MissingIndex]) +
                             "' lacks its value");
  if (const opt::Arg *A = Args.getLastArg(nvcc::OPT_Skip))
    return SkippedCommand{"'" + A->getSpelling().str() + "' compiles nothing"};

  // Of several -arch the last counts.
  if (const opt::Arg *A = Args.getLastArg(nvcc::OPT_gpu_architecture))
    if (Error E = addArchs(A->getValue()))
      return E;
  for (const opt::Arg *A : Args) {
    const opt::Option &O = A->getOption();
    if (O.getID() == nvcc::OPT_UNKNOWN)
      UnknownOptions.push_back(A->getSpelling().str());
    else if (O.matches(nvcc::OPT_Pass))
      passNvccOption(*A);
    else if (O.matches(nvcc::OPT_Translate))
      if (Error E = translateNvccOption(*A))
        return E;
  }
  if (OnUnknown == ToCompiler)
    addHostOptions(UnknownOptions);
  else if (OnUnknown == Refuse && !UnknownOptions.empty())
    return createStringError("nvcc has no option '" + UnknownOptions.front() +
                             "'");

  Result.IsCuda =
      Language.empty() ? hasCudaExtension(Entry.Filename) : Language == "cu";
  finishArchs();
  if (Result.IsCuda)
    finishCuda();
  else if (!Language.empty())
    addEach("-x", {Language});
  return std::move(Result);
}

//===--- Clang and other host compilers -----------------------------------===//

Expected<Translation>
Translator::translateClang(const CompilerCommand &Compiler) {
  ClangOptions Clang = readClangOptions(Compiler.Args);
  if (Clang.Informational)
    return SkippedCommand{"the command compiles nothing"};
  if (Clang.LinksOnly)
    return SkippedCommand{"the command only links"};
  keepWarnings(Compiler.Args);
  Result.HostWarns = false;
  Result.Args = std::move(Clang.Kept);
  Result.Facts.Dialect = Clang.Dialect;
  Result.Facts.FastMath = Clang.FastMath;
  Result.Facts.Arithmetic = Clang.Arithmetic;
  Result.Facts.RelocatableDeviceCode = Clang.Rdc;
  Result.IsCuda = Clang.Language.empty() ? hasCudaExtension(Entry.Filename)
                                         : Clang.Language == "cuda";
  if (!Result.IsCuda) {
    if (!Clang.Language.empty())
      addEach("-x", {Clang.Language});
    return std::move(Result);
  }
  std::optional<Toolkit> Named;
  if (!Clang.CudaPath.empty()) {
    Named = toolkitAt(absolute(Clang.CudaPath), FS);
    // Another toolkit would be read in silence, and Clang refuses as well.
    if (!Named && Options.CudaPath.empty() && !Options.NoToolkit)
      return createStringError(
          "'--cuda-path=" + Clang.CudaPath +
          "' names no CUDA toolkit (barricade's own --cuda-path names another "
          "one, --no-toolkit makes do without)");
  }
  useToolkit(std::move(Named));
  for (StringRef List : Clang.Archs) {
    SmallVector<StringRef, 4> Names;
    List.split(Names, ',', -1, /*KeepEmpty=*/false);
    for (StringRef Name : Names)
      if (Error E = addArchs(Name))
        return E;
  }
  finishArchs();
  Result.Facts.LacksCudaLibrary = lacksCudaLibrary();
  finishCuda();
  return std::move(Result);
}

/// A compiler that cannot compile CUDA: its entry still says how the file's
/// host code is read.
Expected<Translation>
Translator::translateHost(const CompilerCommand &Compiler) {
  ClangOptions Host = readClangOptions(Compiler.Args);
  if (Host.Informational || Host.LinksOnly)
    return SkippedCommand{"the command compiles nothing"};
  keepWarnings(Compiler.Args);
  addHostOptions(Compiler.Args);
  Result.Facts.Dialect = Host.Dialect;
  Result.IsCuda = hasCudaExtension(Entry.Filename);
  if (!Result.IsCuda) {
    if (!Host.Language.empty())
      addEach("-x", {Host.Language});
    return std::move(Result);
  }
  note("'" + sys::path::filename(Compiler.Program) +
       "' is no CUDA compiler; the file is read as CUDA with the options that "
       "Clang shares with it");
  useToolkit(std::nullopt);
  finishArchs();
  finishCuda();
  return std::move(Result);
}

Expected<Translation> Translator::run() {
  BumpPtrAllocator Alloc;
  std::vector<std::string> Words = Entry.CommandLine;
  Expected<CompilerCommand> Compiler = findCompiler(Words);
  if (!Compiler)
    return Compiler.takeError();
  if (Compiler->Kind == CompilerKind::Nvcc)
    return translateNvcc(*Compiler);

  // GCC and Clang take @FILE; nvcc does not.
  SmallVector<const char *, 32> Pointers;
  for (const std::string &Word : Compiler->Args)
    Pointers.push_back(Word.c_str());
  cl::ExpansionContext Context(Alloc, cl::TokenizeGNUCommandLine);
  Context.setVFS(&FS).setCurrentDir(Entry.Directory);
  if (Error E = Context.expandResponseFiles(Pointers))
    return E;
  std::vector<std::string> Expanded(Pointers.begin(), Pointers.end());
  Compiler->Args = Expanded;
  return Compiler->Kind == CompilerKind::Clang ? translateClang(*Compiler)
                                               : translateHost(*Compiler);
}

} // namespace

Expected<Translation>
barricade::translateCommand(const clang::tooling::CompileCommand &Command,
                            const TranslateOptions &Options) {
  TranslateOptions Filled = Options;
  if (!Filled.FS)
    Filled.FS = vfs::createPhysicalFileSystem();
  if (Filled.ResourceDir.empty())
    Filled.ResourceDir = findResourceDir();
  if (Filled.HeadersDir.empty())
    Filled.HeadersDir = findHeadersDir();

  Expected<Translation> Result = Translator(Command, Filled).run();
  if (!Result || !std::holds_alternative<TranslatedCommand>(*Result))
    return Result;
  std::vector<std::string> &Args = std::get<TranslatedCommand>(*Result).Args;
  if (!Filled.ResourceDir.empty())
    Args.push_back("-resource-dir=" + Filled.ResourceDir);
  // Clang's warnings are not barricade's to show, and -w spares the analyses
  // behind them. What nvcc only warns about must not be an error here.
  Args.insert(Args.end(), {"-w", "-Wno-unknown-cuda-version", "-Wno-register",
                           "-Wno-c++11-narrowing"});
  return Result;
}
