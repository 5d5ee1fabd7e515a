//===- Toolkit.h - Installed CUDA toolkits and Clang resources --*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the things lie that a parse needs and no source names: the CUDA
// toolkit, Clang's own headers, and barricade's declarations for machines
// without a toolkit.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_TOOLKIT_H
#define BARRICADE_FRONTEND_TOOLKIT_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>
#include <string>
#include <vector>

namespace barricade {

/// Environment variables by name. Passed explicitly so that a result depends
/// on its arguments only.
using Environment = llvm::StringMap<std::string>;

/// The process's variables that the frontend reads: NVCC_PREPEND_FLAGS,
/// NVCC_APPEND_FLAGS, CUDA_HOME, CUDA_PATH and PATH.
Environment processEnvironment();

/// An installed CUDA toolkit.
struct Toolkit {
  std::string Path;   ///< The folder that holds include/ and bin/.
  unsigned Major = 0; ///< From include/cuda.h (CUDA_VERSION); 0: unknown.
  unsigned Minor = 0;

  /// The architecture that this release's nvcc uses when the command names
  /// none, e.g. 75 for CUDA 13, as an SM number.
  unsigned defaultArch() const;

  /// The SM numbers behind `-arch=all` or, with \p MajorOnly,
  /// `-arch=all-major`.
  std::vector<unsigned> allArchs(bool MajorOnly) const;
};

/// \p Program looked up in PATH, or itself where it names a folder; empty where
/// there is none.
std::string findProgram(llvm::StringRef Program, const Environment &Env,
                        llvm::vfs::FileSystem &FS);

/// The toolkit in \p Path, or nothing where no include/cuda.h lies there.
std::optional<Toolkit> toolkitAt(llvm::StringRef Path,
                                 llvm::vfs::FileSystem &FS);

/// The toolkit that \p Compiler (an nvcc: bare name, looked up in PATH, or a
/// path) belongs to, resolved through links.
std::optional<Toolkit> toolkitOfNvcc(llvm::StringRef Compiler,
                                     const Environment &Env,
                                     llvm::vfs::FileSystem &FS);

/// The toolkit this machine would use: CUDA_HOME, CUDA_PATH, nvcc on PATH,
/// /usr/local/cuda, then the newest of /usr/local/cuda-*.
std::optional<Toolkit> findToolkit(const Environment &Env,
                                   llvm::vfs::FileSystem &FS);

/// Clang's resource folder (the one with include/__clang_cuda_*.h) that fits
/// the linked Clang library; empty where none is found.
std::string findResourceDir();

/// The folder with barricade's own headers: fallback/ (declarations of the CUDA
/// runtime, used where no toolkit is installed) and prelude/ (what nvcc has
/// before a file's first line). It is share/barricade beside the running
/// program's folder, else in the source tree; empty where neither exists.
std::string findHeadersDir();

} // namespace barricade

#endif // BARRICADE_FRONTEND_TOOLKIT_H
