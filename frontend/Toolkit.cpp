//===- Toolkit.cpp - Installed CUDA toolkits and Clang resources ----------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Toolkit.h"
#include "frontend/Config.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include <dlfcn.h>

using namespace llvm;
using namespace barricade;

Environment barricade::processEnvironment() {
  Environment Env;
  for (const char *Name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
                           "CUDA_HOME", "CUDA_PATH", "PATH"})
    if (std::optional<std::string> Value = sys::Process::GetEnv(Name))
      Env[Name] = std::move(*Value);
  return Env;
}

//===--- Architectures ----------------------------------------------------===//

// From `nvcc --help`, --gpu-architecture, of each release.
unsigned Toolkit::defaultArch() const {
  return Major >= 13 || Major == 0 ? 75 : 52;
}

// From `nvcc --list-gpu-code` of the last minor release each.
static ArrayRef<unsigned> releaseArchs(unsigned Major) {
  static constexpr unsigned Cuda13[] = {75, 80,  86,  87,  88,  89,
                                        90, 100, 103, 110, 120, 121};
  static constexpr unsigned Cuda12[] = {50,  52,  53,  60,  61, 62, 70,
                                        72,  75,  80,  86,  87, 89, 90,
                                        100, 101, 103, 120, 121};
  static constexpr unsigned Cuda11[] = {35, 37, 50, 52, 53, 60, 61, 62,
                                        70, 72, 75, 80, 86, 87, 89, 90};
  if (Major >= 13 || Major == 0)
    return Cuda13;
  if (Major == 12)
    return Cuda12;
  return Cuda11;
}

std::vector<unsigned> Toolkit::allArchs(bool MajorOnly) const {
  ArrayRef<unsigned> All = releaseArchs(Major);
  std::vector<unsigned> Result;
  // all-major: sm_N0 of every N, and the oldest one whatever its digit.
  for (unsigned Sm : All)
    if (!MajorOnly || Sm % 10 == 0 || Sm == All.front())
      Result.push_back(Sm);
  return Result;
}

//===--- Toolkits ---------------------------------------------------------===//

std::optional<Toolkit> barricade::toolkitAt(StringRef Path,
                                            vfs::FileSystem &FS) {
  SmallString<128> Header(Path);
  sys::path::append(Header, "include", "cuda.h");
  auto Buffer = FS.getBufferForFile(Header);
  if (!Buffer)
    return std::nullopt;
  static const Regex Version("#define[ \t]+CUDA_VERSION[ \t]+([0-9]+)");
  Toolkit Result;
  Result.Path = Path.str();
  SmallVector<StringRef, 2> Match;
  unsigned Number;
  if (Version.match((*Buffer)->getBuffer(), &Match) &&
      !Match[1].getAsInteger(10, Number)) {
    Result.Major = Number / 1000;
    Result.Minor = Number % 1000 / 10;
  }
  return Result;
}

std::string barricade::findProgram(StringRef Program, const Environment &Env,
                                   vfs::FileSystem &FS) {
  if (!sys::path::parent_path(Program).empty())
    return Program.str();
  std::string SearchPath = Env.lookup("PATH");
  SmallVector<StringRef, 16> Folders;
  StringRef(SearchPath).split(Folders, ':', -1, /*KeepEmpty=*/false);
  for (StringRef Folder : Folders) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, Program);
    if (FS.exists(Path))
      return std::string(Path);
  }
  return {};
}

std::optional<Toolkit> barricade::toolkitOfNvcc(StringRef Compiler,
                                                const Environment &Env,
                                                vfs::FileSystem &FS) {
  std::string Program = findProgram(Compiler, Env, FS);
  if (Program.empty())
    return std::nullopt;
  auto Above = [](StringRef File) {
    return sys::path::parent_path(sys::path::parent_path(File));
  };
  // The path as written first: "/usr/local/cuda" reads better than what it
  // links to.
  if (auto Found = toolkitAt(Above(Program), FS))
    return Found;
  SmallString<128> Real;
  if (FS.getRealPath(Program, Real))
    return std::nullopt;
  return toolkitAt(Above(Real), FS);
}

/// The newest of /usr/local/cuda-*.
static std::optional<Toolkit> newestVersionedToolkit(vfs::FileSystem &FS) {
  std::optional<Toolkit> Newest;
  std::error_code EC;
  for (vfs::directory_iterator I = FS.dir_begin("/usr/local", EC), E;
       !EC && I != E; I.increment(EC)) {
    if (!sys::path::filename(I->path()).starts_with("cuda-"))
      continue;
    std::optional<Toolkit> T = toolkitAt(I->path(), FS);
    if (T && (!Newest || std::pair(T->Major, T->Minor) >
                             std::pair(Newest->Major, Newest->Minor)))
      Newest = std::move(T);
  }
  return Newest;
}

std::optional<Toolkit> barricade::findToolkit(const Environment &Env,
                                              vfs::FileSystem &FS) {
  for (const char *Name : {"CUDA_HOME", "CUDA_PATH"})
    if (std::string Path = Env.lookup(Name); !Path.empty())
      if (auto Found = toolkitAt(Path, FS))
        return Found;
  if (auto Found = toolkitOfNvcc("nvcc", Env, FS))
    return Found;
  if (auto Found = toolkitAt("/usr/local/cuda", FS))
    return Found;
  return newestVersionedToolkit(FS);
}

//===--- Folders of Clang and of barricade --------------------------------===//

/// The folder of the library that holds \p Symbol.
static std::string folderOfLibrary(void *Symbol) {
  Dl_info Info;
  SmallString<128> Real;
  if (!dladdr(Symbol, &Info) || !Info.dli_fname ||
      sys::fs::real_path(Info.dli_fname, Real))
    return {};
  return sys::path::parent_path(Real).str();
}

static std::string firstFolderWith(StringRef File,
                                   std::initializer_list<std::string> Folders) {
  for (const std::string &Folder : Folders) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, File);
    if (!Folder.empty() && sys::fs::exists(Path))
      return Folder;
  }
  return {};
}

std::string barricade::findResourceDir() {
  SmallString<128> BesideLibrary(folderOfLibrary(
      reinterpret_cast<void *>(&clang::getClangFullRepositoryVersion)));
  sys::path::append(BesideLibrary, "clang", CLANG_VERSION_MAJOR_STRING);
  return firstFolderWith("include/__clang_cuda_runtime_wrapper.h",
                         {std::string(BesideLibrary), BARRICADE_RESOURCE_DIR});
}

std::string barricade::findHeadersDir() {
  // dladdr() would give a program's name as it was typed.
  SmallString<128> Installed(sys::path::parent_path(sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findHeadersDir))));
  sys::path::append(Installed, "..", "share", "barricade");
  sys::path::remove_dots(Installed, /*remove_dot_dot=*/true);
  return firstFolderWith("fallback/cuda_runtime.h",
                         {std::string(Installed), BARRICADE_HEADERS_DIR});
}
