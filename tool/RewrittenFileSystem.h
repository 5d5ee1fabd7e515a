// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The disk as it would be after a run.

#ifndef BARRICADE_TOOL_REWRITTENFILESYSTEM_H
#define BARRICADE_TOOL_REWRITTENFILESYSTEM_H

#include "tool/WriteFiles.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace barricade {

/// Shows each of \p Changed, by whatever path it is reached, as the run leaves
/// it, and the runtime's header where the run would put it; everything else is
/// as in \p Base, null for the disk. \p Changed is copied.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> rewrittenFileSystem(
    llvm::ArrayRef<ChangedFile> Changed,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base = nullptr);

/// Clang arguments by which `#include <barricade/gpu_sync.cuh>` is found in
/// such a file system even where the build does not have the runtime's folder
/// yet.
std::vector<std::string> runtimeHeaderArgs();

} // namespace barricade

#endif
