// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of a pass that the user wrote and a GPU runs.

#ifndef BARRICADE_MATCHERS_FACTS_DEVICEFUNCTIONS_H
#define BARRICADE_MATCHERS_FACTS_DEVICEFUNCTIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class CUDAKernelCallExpr;
class CXXMethodDecl;
class Expr;
class FunctionDecl;
} // namespace clang

namespace barricade {

/// A `kernel<<<grid, block, ...>>>(...)` of the host pass.
struct KernelLaunch {
  /// Null: by an object of the runtime's (isObjectLaunch).
  const clang::CUDAKernelCallExpr *Call;
  const clang::FunctionDecl *Kernel; ///< Null: called through a pointer.
  const clang::FunctionDecl *Caller;
  std::optional<uint64_t> BlockThreads; ///< Threads per block, if a constant.
};

/// \p Method launches the kernel that is its first argument: it is of
/// barricade::OverlappedLaunches, ReplayedLaunches or LoopedLaunches.
bool isObjectLaunch(const clang::CXXMethodDecl &Method);
/// The same, and maybe before the grid before has ended, for which the kernel
/// has to wait.
bool isOverlappedLaunch(const clang::CXXMethodDecl &Method);

/// Everything outside system headers that matters to rules.
struct UserCode {
  /// Kernels with bodies; templates once per instantiation.
  std::vector<const clang::FunctionDecl *> Kernels;
  /// `__device__` functions with bodies; templates once per instantiation.
  std::vector<const clang::FunctionDecl *> DeviceFunctions;
  /// Kernel and device templates of which this pass has no instantiation.
  std::vector<const clang::FunctionDecl *> Uninstantiated;
  /// Functions named other than to be called: their callers are unknown.
  llvm::DenseSet<const clang::FunctionDecl *> AddressTaken;
  /// By what is called: the functions that call it, call operators of lambdas
  /// among them. Canonical declarations.
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<const clang::FunctionDecl *, 2>>
      Callers;
  std::vector<KernelLaunch> Launches;
  /// Something of the user's is named like a block barrier.
  bool RedefinesBarrier = false;
};

UserCode collectUserCode(clang::ASTContext &Context);

/// Every call of \p Function that a GPU may make stands in a kernel of \p Code,
/// or in a function of which the same holds: nobody calls it through a pointer,
/// an object, or, if it \p IsExported, from another translation unit.
bool hasSeenCallersOnly(
    const clang::FunctionDecl &Function, const UserCode &Code,
    llvm::function_ref<bool(const clang::FunctionDecl &)> IsExported);

/// Extents in x, y and z; nothing for one that is not a constant.
using Extents3 = std::array<std::optional<uint64_t>, 3>;

/// The extents that \p E, an integer or a `dim3`, stands for.
Extents3 constantExtents(const clang::Expr &E, clang::ASTContext &Context);

/// The value of \p E where it is an integer constant, also as the number of
/// threads that a `dim3` of constants stands for.
std::optional<uint64_t> constantExtent(const clang::Expr &E,
                                       clang::ASTContext &Context);

} // namespace barricade

#endif
