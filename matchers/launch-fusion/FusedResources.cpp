// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-fusion/FusedResources.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/source/DeviceLimits.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <optional>

using namespace clang;

namespace barricade::launch_fusion {
namespace {

/// What the system takes of a block's shared memory, from sm_80 on.
constexpr uint64_t ReservedSharedBytes = 1024;

struct Multiprocessor {
  unsigned Threads, Blocks;
  uint64_t SharedBytes;
};

Multiprocessor multiprocessor(unsigned Sm) {
  switch (Sm) {
  case 75:
    return {1024, 16, 64 * 1024};
  case 80:
    return {2048, 32, 164 * 1024};
  case 87:
    return {1536, 16, 164 * 1024};
  case 86:
    return {1536, 16, 100 * 1024};
  case 89:
    return {1536, 24, 100 * 1024};
  case 90:
  case 100:
  case 103:
    return {2048, 32, 228 * 1024};
  default:
    // The least of those above.
    return {1024, 16, 64 * 1024};
  }
}

/// The text of the kernel's launch bounds; nothing where that is not known.
std::optional<std::string> launchBounds(const FunctionDecl &Kernel,
                                        ASTContext &Context) {
  const auto *Bounds = Kernel.getAttr<CUDALaunchBoundsAttr>();
  if (!Bounds)
    return "";
  std::string Values;
  for (const Expr *E : {Bounds->getMaxThreads(), Bounds->getMinBlocks(),
                        Bounds->getMaxBlocks()}) {
    if (!E)
      break;
    const auto Value = facts::integerOf(*E, Context);
    if (!Value)
      return std::nullopt;
    Values += Values.empty() ? "" : ", ";
    Values += llvm::toString(*Value, 10);
  }
  return "__launch_bounds__(" + Values + ") ";
}

} // namespace

unsigned residentBlocks(unsigned Sm, uint64_t BlockThreads,
                        uint64_t SharedBytes) {
  const Multiprocessor M = multiprocessor(Sm);
  const uint64_t Reserved = Sm >= 80 ? ReservedSharedBytes : 0;
  uint64_t Blocks = std::min<uint64_t>(M.Blocks, M.Threads / BlockThreads);
  if (SharedBytes + Reserved > 0)
    Blocks = std::min(Blocks, M.SharedBytes / (SharedBytes + Reserved));
  return unsigned(Blocks);
}

FusedResources checkResources(const LaunchSequence &S,
                              const std::vector<KernelViews> &Views,
                              const Program &Whole, ASTContext &Host) {
  FusedResources Result;
  const auto Refuse = [&](ReasonId Id, const SequencedLaunch &L) {
    Result.Blockers.push_back(blocker(Id, L.Call->getBeginLoc()));
  };
  std::map<const FunctionDecl *, uint64_t> SharedBytes;
  const auto Bounds = launchBounds(*S.Launches.front().Kernel, Host);
  for (const auto &[L, Passes] : llvm::zip(S.Launches, Views)) {
    uint64_t &Bytes = SharedBytes[L.Kernel->getCanonicalDecl()];
    for (const grid_barrier::StepKernel *Step : Passes)
      Bytes = std::max(Bytes, Step->StaticSharedBytes);
    if (!Bounds || launchBounds(*L.Kernel, Host) != Bounds)
      Refuse(ReasonId::LaunchBounds, L);
    if (llvm::any_of(Passes, [](const auto *Step) { return Step->MayTrap; }))
      Refuse(ReasonId::Trap, L);
  }
  Result.LaunchBounds = Bounds.value_or("");
  uint64_t Most = 0;
  for (const auto &[Kernel, Bytes] : SharedBytes) {
    Result.StaticSharedBytes += Bytes;
    Most = std::max(Most, Bytes);
  }
  const uint64_t Threads =
      constantExtent(*S.Launches.front().Block, Host).value_or(1);
  const bool DropsOccupancy = llvm::any_of(Whole.TargetSms, [&](unsigned Sm) {
    return residentBlocks(Sm, std::max<uint64_t>(Threads, 1),
                          Result.StaticSharedBytes) <
           residentBlocks(Sm, std::max<uint64_t>(Threads, 1), Most);
  });
  if (DropsOccupancy || Result.StaticSharedBytes > MaxStaticSharedBytes)
    Refuse(ReasonId::SharedMemory, S.Launches.back());
  return Result;
}

} // namespace barricade::launch_fusion
