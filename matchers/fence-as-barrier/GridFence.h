// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which statements are fences for the whole grid.

#ifndef BARRICADE_MATCHERS_FENCEASBARRIER_GRIDFENCE_H
#define BARRICADE_MATCHERS_FENCEASBARRIER_GRIDFENCE_H

namespace clang {
class AsmStmt;
class SourceManager;
class Stmt;
} // namespace clang

namespace barricade::fence_as_barrier {

/// A fence, at least as wide as the GPU, that orders but does not wait:
/// `__threadfence()`, `cuda::atomic_thread_fence()`, `membar.gl`, ...
bool isGridFence(const clang::Stmt &S, const clang::SourceManager &SM);

/// Inline PTX that is one fence at gpu or system scope.
bool isFenceAsm(const clang::AsmStmt &Asm);

} // namespace barricade::fence_as_barrier

#endif
